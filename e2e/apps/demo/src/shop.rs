//! The shop's state: products, customers and orders, each under sequential ids.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::date::Date;

/// First id of each kind: apart from each other and from small numbers, so that an id is not met by chance.
const FIRST_PRODUCT: u64 = 11;
const FIRST_CUSTOMER: u64 = 1001;
const FIRST_ORDER: u64 = 5001;

/// Kinds of products, by their names on the wire.
pub(crate) const CATEGORIES: [(&str, Category); 3] =
    [("book", Category::Book), ("game", Category::Game), ("tool", Category::Tool)];

/// Levels of customers, by their names on the wire.
pub(crate) const LEVELS: [(&str, Level); 3] = [("basic", Level::Basic), ("silver", Level::Silver), ("gold", Level::Gold)];

/// Ways of shipping, by their names on the wire.
pub(crate) const SHIPPINGS: [(&str, Shipping); 3] =
    [("pickup", Shipping::Pickup), ("standard", Shipping::Standard), ("express", Shipping::Express)];

/// Everything the service knows.
#[derive(Debug)]
pub(crate) struct Shop {
    /// The range; the first four are there from the start.
    pub(crate) products: Table<Product>,
    /// The customers.
    pub(crate) customers: Table<Customer>,
    /// The orders, cancelled ones included.
    pub(crate) orders: Table<Order>,
}

impl Default for Shop {
    fn default() -> Self {
        let mut products = Table::starting_at(FIRST_PRODUCT);
        for (name, category, price_cents, stock) in [
            ("Rust in Motion", Category::Book, 3_990, 50),
            ("Chess Set", Category::Game, 2_450, 20),
            ("Torque Wrench", Category::Tool, 8_900, 5),
            ("First Edition", Category::Book, 125_000, 0),
        ] {
            products.insert(|id| Product { id, name: name.to_owned(), category, price_cents, stock });
        }
        Self { products, customers: Table::starting_at(FIRST_CUSTOMER), orders: Table::starting_at(FIRST_ORDER) }
    }
}

/// Things of one kind under sequential ids; an id is never used again.
#[derive(Debug)]
pub(crate) struct Table<T> {
    rows: BTreeMap<u64, T>,
    first_id: u64,
    next_id: u64,
}

impl<T> Table<T> {
    fn starting_at(first_id: u64) -> Self {
        Self { rows: BTreeMap::new(), first_id, next_id: first_id }
    }

    /// Adds the thing made for a fresh id.
    pub(crate) fn insert(&mut self, make: impl FnOnce(u64) -> T) -> &T {
        let id = self.next_id;
        self.next_id += 1;
        self.rows.entry(id).or_insert(make(id))
    }

    /// The thing of that id.
    pub(crate) fn find(&self, id: u64) -> Option<&T> {
        self.rows.get(&id)
    }

    /// The thing of that id, to change it.
    pub(crate) fn find_mut(&mut self, id: u64) -> Option<&mut T> {
        self.rows.get_mut(&id)
    }

    /// All things by rising id.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.rows.values()
    }

    /// Takes the thing of that id out.
    pub(crate) fn remove(&mut self, id: u64) {
        self.rows.remove(&id);
    }

    /// Whether that id is one of the first `count` ever given.
    pub(crate) fn is_among_first(&self, id: u64, count: u64) -> bool {
        (self.first_id..self.first_id + count).contains(&id)
    }
}

/// Something for sale.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Product {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) category: Category,
    pub(crate) price_cents: u64,
    /// Pieces that one order line may take at most.
    pub(crate) stock: u64,
}

/// Kind of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Category {
    Book,
    Game,
    Tool,
}

/// Someone who may order.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Customer {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) level: Level,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) birthday: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) phone: Option<String>,
}

/// How far a customer is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    Basic,
    Silver,
    Gold,
}

/// What a customer ordered.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Order {
    pub(crate) id: u64,
    pub(crate) customer_id: u64,
    pub(crate) lines: Vec<Line>,
    pub(crate) shipping: Shipping,
    pub(crate) delivery_date: Date,
    pub(crate) status: Status,
    pub(crate) total_cents: u64,
}

/// One product of an order.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Line {
    pub(crate) product_id: u64,
    pub(crate) quantity: u64,
}

/// How an order is shipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Shipping {
    Pickup,
    Standard,
    Express,
}

/// How far an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Open,
    Paid,
    /// PLANTED FAULT 2: the OpenAPI document says `cancelled`; see `README.md`.
    #[serde(rename = "canceled")]
    Cancelled,
}

/// The statuses a caller can ask for, by the names of the OpenAPI document.
pub(crate) const STATUSES: [(&str, Status); 3] =
    [("open", Status::Open), ("paid", Status::Paid), ("cancelled", Status::Cancelled)];
