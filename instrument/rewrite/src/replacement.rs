//! Library methods whose calls are measured: how far each call was from its other outcome (`instrumentation.md` 3).
//!
//! One row a method. To add one: a row here, a method of `instrument/java/Calls.java` if none fits, a vector of the distance
//! in `instrument/heuristics`, a line in `tests/java/targets`, and what `tests/java/equivalence` draws for a type that is new;
//! `BLESS=1` writes the page anew.
//!
//! Where the design speaks of replacements, calls are observed: operands are copied in front of the call, which then happens
//! as it was written. So result, exceptions, side effects and their order are the original's by construction, and
//! `super.contains(x)` is a call as any other.

mod table;
mod tracked;
mod tracked_only;
mod trees;

use std::sync::LazyLock;

use restive_classfile::MemberRef;

use crate::hash::FastMap;

pub(crate) use tracked::{Reach, Tracked};
pub(crate) use trees::is_tree;

/// A library method and how its calls are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replacement {
    /// What it belongs to, to be switched off together.
    pub family: ReplacementFamily,
    /// Internal name of the class that declares it.
    pub class: &'static str,
    /// Its name; `<init>` for a constructor.
    pub method: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// Which classes' methods of this name and descriptor are meant.
    pub receiver: Receiver,
    /// What its outcomes are.
    pub outcome: OutcomeKind,
    /// The method of `instrument/java/Calls.java` in front of the call.
    pub hook: &'static str,
    /// The first version of Java that has the method, 8 for older ones; 0 for methods of libraries.
    pub since: u8,
}

/// Replacements that are switched on and off together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReplacementFamily {
    /// Comparisons of texts, chars and booleans in them.
    Text,
    /// `equals` and `compareTo` of numbers and other objects.
    Equality,
    /// Dates and times that are compared.
    Time,
    /// Membership, emptiness and ranges.
    Collection,
    /// Regular expressions.
    Pattern,
    /// Texts that become something else, or an exception.
    Parser,
    /// Predicates over streams and collections.
    Stream,
}

impl ReplacementFamily {
    /// All of them, in the order of the table.
    pub const ALL: [ReplacementFamily; 7] = [
        ReplacementFamily::Text,
        ReplacementFamily::Equality,
        ReplacementFamily::Time,
        ReplacementFamily::Collection,
        ReplacementFamily::Pattern,
        ReplacementFamily::Parser,
        ReplacementFamily::Stream,
    ];

    /// The name by which users switch it.
    pub fn name(self) -> &'static str {
        match self {
            ReplacementFamily::Text => "text",
            ReplacementFamily::Equality => "equality",
            ReplacementFamily::Time => "time",
            ReplacementFamily::Collection => "collection",
            ReplacementFamily::Pattern => "pattern",
            ReplacementFamily::Parser => "parser",
            ReplacementFamily::Stream => "stream",
        }
    }
}

/// Whose method of a name and descriptor a row means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receiver {
    /// A static method of exactly this class.
    Static,
    /// A constructor of exactly this class.
    Constructor,
    /// An instance method of exactly this class, which has no subclasses.
    Exact,
    /// An instance method of this class and of all subclasses. Which class is one shows when the call happens: all calls of
    /// this name and descriptor are measured, those of other classes by their outcome only.
    Open,
}

/// What the outcomes of a call are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutcomeKind {
    /// It gives true or false.
    Truth,
    /// It gives an object, or null when there is none.
    Presence,
    /// It gives an index, negative when there is none.
    Index,
    /// It gives an order: equal or not.
    Order,
    /// Its outcome is whether the distance is 0.
    Stated,
    /// It gives whether one, or each, of many elements fulfils a predicate.
    Matched,
    /// It gives whether none does.
    Unmatched,
    /// It returns or throws.
    Return,
}

/// All rows.
pub fn replacements() -> &'static [Replacement] {
    &table::ROWS
}

/// A row with what follows from it.
#[derive(Debug)]
pub(crate) struct Known {
    pub row: &'static Replacement,
    /// What the call takes from the stack, the lowest first; without the object that a constructor makes.
    pub operands: Vec<Operand>,
    /// The descriptor of the hook.
    pub hook_descriptor: String,
    /// How calls tell of operands that are tracked values.
    pub tracked: Option<Tracked>,
}

/// What lies on the stack (JVMS 2.11.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl Operand {
    /// How many entries of the stack, or local variables, it takes.
    pub fn words(self) -> u16 {
        if matches!(self, Operand::Long | Operand::Double) { 2 } else { 1 }
    }

    /// Its place among the load, and among the store, instructions.
    pub fn order(self) -> u8 {
        self as u8
    }

    fn descriptor(self) -> &'static str {
        match self {
            Operand::Int => "I",
            Operand::Long => "J",
            Operand::Float => "F",
            Operand::Double => "D",
            Operand::Reference => "Ljava/lang/Object;",
        }
    }
}

impl Known {
    fn of(row: &'static Replacement) -> Known {
        let mut operands = parameters(row.descriptor.as_bytes());
        if matches!(row.receiver, Receiver::Exact | Receiver::Open) {
            operands.insert(0, Operand::Reference);
        }
        let texts: String = operands.iter().map(|operand| operand.descriptor()).collect();
        let result = if row.outcome == OutcomeKind::Return { 'V' } else { 'F' };
        Known { row, operands, hook_descriptor: format!("({texts}I){result}"), tracked: tracked::of(row) }
    }
}

/// What the parameters of a descriptor (JVMS 4.3.3) are on the stack.
pub(crate) fn parameters(descriptor: &[u8]) -> Vec<Operand> {
    let mut operands = Vec::new();
    let mut at = 1;
    while let Some(first) = descriptor.get(at).filter(|first| **first != b')') {
        operands.push(match first {
            b'J' => Operand::Long,
            b'F' => Operand::Float,
            b'D' => Operand::Double,
            b'L' | b'[' => Operand::Reference,
            _ => Operand::Int,
        });
        at += descriptor[at..].iter().take_while(|byte| **byte == b'[').count();
        let is_class = descriptor.get(at) == Some(&b'L');
        at += if is_class { descriptor[at..].iter().take_while(|byte| **byte != b';').count() } else { 0 } + 1;
    }
    operands
}

type ByName = FastMap<&'static [u8], Vec<Known>>;

static BY_NAME: LazyLock<ByName> = LazyLock::new(|| by_name(&table::ROWS));

static TRACKED_ONLY: LazyLock<ByName> = LazyLock::new(|| by_name(&tracked_only::ROWS));

static OF_TREES: LazyLock<ByName> = LazyLock::new(|| by_name(&trees::ROWS));

fn by_name(table: &'static [Replacement]) -> ByName {
    let mut rows = ByName::default();
    for row in table {
        rows.entry(row.method.as_bytes()).or_default().push(Known::of(row));
    }
    rows
}

/// The row for a call of a method that only tells of tracked values; none when there is none.
pub(crate) fn find_tracked_only(member: &MemberRef<'_>) -> Option<&'static Known> {
    let mut rows = TRACKED_ONLY.get(member.name)?.iter();
    rows.find(|known| known.row.class.as_bytes() == member.class && known.row.descriptor.as_bytes() == member.descriptor)
}

/// The row for a call by which an object of a JSON library asks its map; none when there is none.
pub(crate) fn find_in_tree(member: &MemberRef<'_>) -> Option<&'static Known> {
    OF_TREES.get(member.name)?.iter().find(|known| known.row.descriptor.as_bytes() == member.descriptor)
}

/// The row for a call of this method; none when there is none.
///
/// The row of the class itself comes before one of a class that it may inherit from.
pub(crate) fn find(member: &MemberRef<'_>, is_static: bool) -> Option<&'static Known> {
    let rows = BY_NAME.get(member.name)?.iter().filter(|known| known.row.descriptor.as_bytes() == member.descriptor);
    let mut fitting = rows.filter(|known| (known.row.receiver == Receiver::Static) == is_static);
    let exact = fitting.clone().find(|known| known.row.class.as_bytes() == member.class);
    exact.or_else(|| fitting.find(|known| known.row.receiver == Receiver::Open && may_inherit(member.class)))
}

/// Whether a class may inherit from one in the table: an array has only what it inherits from `Object`.
fn may_inherit(class: &[u8]) -> bool {
    !class.starts_with(b"[")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use restive_classfile::MemberRef;

    use super::{Operand, OutcomeKind, Receiver, find, parameters, replacements};

    fn found(class: &str, name: &str, descriptor: &str, is_static: bool) -> Option<(&'static str, &'static str)> {
        let member = MemberRef { class: class.as_bytes(), name: name.as_bytes(), descriptor: descriptor.as_bytes() };
        find(&member, is_static).map(|known| (known.row.class, known.row.hook))
    }

    #[test]
    fn no_method_stands_in_the_table_twice() {
        let mut seen = BTreeSet::new();
        for row in replacements() {
            assert!(seen.insert((row.class, row.method, row.descriptor)), "{row:?}");
        }
    }

    #[test]
    fn results_fit_their_outcomes() {
        for row in replacements() {
            let result = row.descriptor.rsplit(')').next().unwrap_or_default();
            let fits = match row.outcome {
                OutcomeKind::Truth | OutcomeKind::Matched | OutcomeKind::Unmatched => result == "Z",
                OutcomeKind::Index | OutcomeKind::Order => result == "I",
                OutcomeKind::Presence => result.starts_with('L'),
                OutcomeKind::Stated | OutcomeKind::Return => true,
            };
            assert!(fits && (row.method == "<init>") == (row.receiver == Receiver::Constructor), "{row:?}");
        }
    }

    #[test]
    fn overrides_count_and_static_methods_of_others_do_not() {
        let contains = "(Ljava/lang/Object;)Z";
        assert_eq!(found("com/acme/MyList", "contains", contains, false), Some(("java/util/Collection", "contained")));
        assert_eq!(found("java/lang/String", "equals", contains, false), Some(("java/lang/String", "equal")));
        assert_eq!(found("com/acme/Foo", "equals", contains, false), Some(("java/lang/Object", "equalObject")));
        assert_eq!(found("com/acme/Foo", "contains", contains, true), None);
        assert_eq!(found("com/acme/Numbers", "parseInt", "(Ljava/lang/String;)I", true), None);
    }

    #[test]
    fn parameters_are_what_lies_on_the_stack() {
        use Operand::{Double, Int, Long, Reference};
        assert_eq!(
            parameters(b"(I[[JLjava/lang/String;DZ[Ljava/lang/Object;J)V"),
            [Int, Reference, Reference, Double, Int, Reference, Long]
        );
        assert_eq!(parameters(b"()Z"), []);
    }
}
