//! Operations that the service has and its schema lacks.

use serde_json::Value;

use crate::api::Api;
use crate::cli::{Settings, tell};
use crate::driver::Driver;
use crate::openapi::Route;

/// Operations named when they are told, at most.
const MAX_NAMED: usize = 10;

/// What frameworks in the service have registered, asked for when it is wanted first.
pub(super) struct Registered<'a> {
    settings: &'a Settings,
    driver: Option<&'a mut Driver>,
    told: Option<Vec<Route>>,
}

impl<'a> Registered<'a> {
    /// Nothing is asked yet.
    pub(super) fn new(settings: &'a Settings, driver: Option<&'a mut Driver>) -> Self {
        Self { settings, driver, told: None }
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
        let Self { settings, driver, told } = self;
        told.get_or_insert_with(|| driver.as_mut().map_or_else(Vec::new, |driver| asked(driver, settings.output.quiet)))
    }

    /// Why there are no routes.
    pub(super) fn lack(&self) -> &'static str {
        match self.driver {
            Some(_) => "routes of the framework: none that restive knows how to read",
            None => "routes of the framework: not asked for, there is no agent in the service",
        }
    }
}

fn asked(driver: &mut Driver, is_quiet: bool) -> Vec<Route> {
    let told = driver.routes();
    if !is_quiet {
        told.notes.iter().for_each(|note| tell(&format!("discovering: {note}\n")));
        if told.dropped > 0 {
            tell(&format!("discovering: {} routes are more than are looked at\n", told.dropped));
        }
    }
    told.routes.into_iter().map(route).collect()
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
    if let Some(text) = announcement(api) {
        tell(&text);
    }
}

fn announcement(api: &Api) -> Option<String> {
    let named: Vec<&str> = api.discovered.iter().take(MAX_NAMED).map(|found| found.operation.as_str()).collect();
    let n = api.discovered.len();
    let more = if n > named.len() { format!(" and {} more", n - named.len()) } else { String::new() };
    let plural = if n == 1 { "" } else { "s" };
    (n > 0).then(|| format!("discovered: {n} operation{plural} that the schema lacks: {}{more}\n", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::announcement;
    use crate::api::{Api, Discovered};

    #[test]
    fn what_is_discovered_is_named_as_far_as_a_line_goes() {
        let found = |n: usize| {
            let all = (0..n).map(|idx| Discovered { operation: format!("GET /{idx}"), handler: String::new() });
            Api { discovered: all.collect(), ..Api::default() }
        };
        assert_eq!(announcement(&found(0)), None);
        let one = "discovered: 1 operation that the schema lacks: GET /0\n";
        assert_eq!(announcement(&found(1)).as_deref(), Some(one));
        assert!(announcement(&found(12)).is_some_and(|text| text.ends_with("GET /9 and 2 more\n")));
    }
}
