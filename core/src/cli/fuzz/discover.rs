//! Operations that the service has and its schema lacks.

use std::iter;

use restive_driver_protocol::Routes;
use serde_json::Value;

use crate::api::{Api, Discovered};
use crate::cli::{Settings, tell};
use crate::driver::Driver;
use crate::jar;
use crate::openapi::Route;

use super::fetch::Fetcher;

/// Routes of others at least that make them what the service is there for: libraries register some for themselves.
const MANY: u32 = 10;
/// Operations named when they are told, at most.
const MAX_NAMED: usize = 10;

/// What frameworks in the service have registered, asked for when it is wanted first.
pub(super) struct Registered<'a> {
    settings: &'a Settings,
    driver: Option<&'a mut Driver>,
    fetcher: Fetcher<'a>,
    told: Option<Told>,
}

/// What a driver has told.
#[derive(Default)]
struct Told {
    routes: Vec<Route>,
    bases: Vec<String>,
    /// Packages of classes that serve routes, where none of the service's does, with the number of these.
    others: Vec<(String, u32)>,
}

impl<'a> Registered<'a> {
    /// Nothing is asked yet.
    pub(super) fn new(settings: &'a Settings, driver: Option<&'a mut Driver>, fetcher: Fetcher<'a>) -> Self {
        Self { settings, driver, fetcher, told: None }
    }

    /// Routes that are to be operations beside those of a schema: all where the user wants that, else none.
    pub(super) fn wanted(&mut self) -> &[Route] {
        if !self.settings.driver.discovers {
            return &[];
        }
        if self.driver.is_none() {
            tell("warning: nothing can be discovered without a driver in the service\n");
        }
        self.all()
    }

    /// All routes; none without a driver.
    pub(super) fn all(&mut self) -> &[Route] {
        &self.told().routes
    }

    /// Paths below which the server has applications, as far as the paths of routes lack them.
    pub(super) fn bases(&mut self) -> &[String] {
        &self.told().bases
    }

    /// Whose classes serve many routes where none of the service's serves any, and how many, as far as that was asked.
    pub(super) fn of_others(&self) -> Option<(String, u32)> {
        let told = self.told.as_ref()?;
        jar::most_of(&told.others).filter(|(project, n)| *n >= MANY && !project.is_empty())
    }

    fn told(&mut self) -> &Told {
        let Self { settings, driver, fetcher, told } = self;
        told.get_or_insert_with(|| {
            driver.as_mut().map_or_else(Told::default, |driver| asked(driver, *fetcher, settings.output.quiet))
        })
    }

    /// Why there are no routes.
    pub(super) fn lack(&self) -> &'static str {
        match self.driver {
            Some(_) => {
                "routes of the framework: none that restive can read and the service's own classes serve (`--packages` says which \
                 these are)"
            }
            None => "routes of the framework: not asked for, there is no agent in the service",
        }
    }
}

fn asked(driver: &mut Driver, fetcher: Fetcher<'_>, is_quiet: bool) -> Told {
    let mut told = driver.routes();
    if !told.lazy.is_empty() {
        begin(fetcher, &told);
        told = driver.routes();
    }
    if !is_quiet {
        told.notes.iter().for_each(|note| tell(&format!("discovering: {note}\n")));
        if told.dropped > 0 {
            tell(&format!("discovering: {} routes are more than are looked at\n", told.dropped));
        }
    }
    let others = if told.routes.is_empty() { told.others } else { Vec::new() };
    Told { routes: told.routes.into_iter().map(route).collect(), bases: told.bases, others }
}

/// Calls what registers its routes when it is called first; what is answered does not matter.
fn begin(fetcher: Fetcher<'_>, told: &Routes) {
    let Some(root) = fetcher.server.map(|server| server.trim_end_matches('/')) else { return };
    for lazy in &told.lazy {
        for base in iter::once("").chain(told.bases.iter().map(String::as_str)) {
            drop(fetcher.fetch(&format!("{root}{base}{lazy}"), &[]));
        }
    }
}

/// The same as the rest of restive knows it.
pub(super) fn route(route: restive_driver_protocol::Route) -> Route {
    Route {
        url_path: route.path,
        verb: route.verb,
        handler: route.handler,
        // What a driver cannot say well is not said at all.
        operation: serde_json::from_str(&route.operation).unwrap_or(Value::Null),
    }
}

/// Says which operations no schema names.
pub(super) fn announce(api: &Api) {
    if let Some(text) = announcement(&api.discovered, api.operations.len()) {
        tell(&text);
    }
}

/// Says which of so many operations were `discovered`; none where none was.
fn announcement(discovered: &[Discovered], n_operations: usize) -> Option<String> {
    let named: Vec<&str> = discovered.iter().take(MAX_NAMED).map(|found| found.operation.as_str()).collect();
    let n = discovered.len();
    let more = if n > named.len() { format!(" and {} more", n - named.len()) } else { String::new() };
    let plural = if n == 1 { "" } else { "s" };
    let lacking = if n_operations > n { " that the schema lacks" } else { "" };
    (n > 0).then(|| format!("discovered: {n} operation{plural}{lacking}: {}{more}\n", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::announcement;
    use crate::api::Discovered;

    #[test]
    fn what_is_discovered_is_named_as_far_as_a_line_goes() {
        let found = |n: usize| -> Vec<Discovered> {
            (0..n).map(|idx| Discovered { operation: format!("GET /{idx}"), handler: String::new() }).collect()
        };
        assert_eq!(announcement(&found(0), 2), None);
        let one = "discovered: 1 operation that the schema lacks: GET /0\n";
        assert_eq!(announcement(&found(1), 2).as_deref(), Some(one));
        assert_eq!(announcement(&found(1), 1).as_deref(), Some("discovered: 1 operation: GET /0\n"), "there is no schema");
        assert!(announcement(&found(12), 20).is_some_and(|text| text.ends_with("GET /9 and 2 more\n")));
    }
}
