//! Routes of classes that are not the service's: an engine that a small service starts may serve all there is.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use restive_driver_protocol::Route;

/// Who registers servlets: containers and frameworks have them for themselves, and one stands for all that is below it.
const SERVLET: &str = "servlet";

/// The packages of classes that serve these routes, with the number of these, the most first; without what frameworks register
/// for themselves, such as pages of errors.
pub(crate) fn packages(routes: &[Route]) -> Vec<(String, u32)> {
    let mut packages: BTreeMap<&str, u32> = BTreeMap::new();
    for route in routes.iter().filter(|route| !is_of_framework(route)) {
        *packages.entry(package(route)).or_default() += 1;
    }
    let mut packages: Vec<(String, u32)> = packages.into_iter().map(|(package, n)| (package.to_owned(), n)).collect();
    packages.sort_by_key(|(_, n)| Reverse(*n));
    packages
}

/// That there are such routes, a fragment; none without any.
pub(crate) fn note(routes: &[Route]) -> Option<String> {
    let other = routes.last()?;
    let n = routes.len();
    let is = if n == 1 { "route is" } else { "routes are" };
    Some(format!("{n} {is} of classes that are not the service's, such as `{}`", other.handler))
}

/// Whether its framework serves it by itself: frameworks have their names in those of their packages.
fn is_of_framework(route: &Route) -> bool {
    let owner = package(route).split('.').nth(1).unwrap_or_default();
    route.framework == SERVLET || owner.starts_with(&route.framework)
}

/// The package of the class that serves it. A handler is a class and its method, or a class; one of the unnamed package has none.
fn package(route: &Route) -> &str {
    let is_class = |part: &&str| part.starts_with(char::is_uppercase);
    let class_at = route.handler.split('.').position(|part| is_class(&part));
    let n_parts = class_at.unwrap_or_default();
    let end = n_parts.checked_sub(1).map(|last| route.handler.match_indices('.').nth(last).map_or(0, |(at, _)| at));
    &route.handler[..end.unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route(framework: &str, handler: &str) -> Route {
        Route { handler: handler.to_owned(), framework: framework.to_owned(), ..Route::default() }
    }

    #[test]
    fn what_others_serve_is_told_by_packages_without_what_is_of_frameworks() {
        let routes = [
            route("jax-rs", "org.engine.rest.TaskResource.list"),
            route("spring", "org.springframework.boot.ErrorController.error"),
            route("http-server", "org.engine.http.Root"),
            route("jax-rs", "org.engine.http.Users$Inner.list"),
            route("servlet", "org.apache.catalina.servlets.DefaultServlet"),
            route("jax-rs", "org.engine.http.Users.one"),
            route("jax-rs", "Unnamed.one"),
        ];
        let found = packages(&routes);
        let found: Vec<(&str, u32)> = found.iter().map(|(package, n)| (package.as_str(), *n)).collect();
        assert_eq!(found, [("org.engine.http", 3), ("", 1), ("org.engine.rest", 1)]);
        assert_eq!(packages(&[]), []);
    }

    #[test]
    fn a_note_names_how_many_there_are_and_one() {
        let one = route("spring", "a.B.c");
        assert_eq!(note(&[]), None);
        assert_eq!(
            note(std::slice::from_ref(&one)).as_deref(),
            Some("1 route is of classes that are not the service's, such as `a.B.c`")
        );
        assert!(note(&[one.clone(), one]).is_some_and(|note| note.starts_with("2 routes are")));
    }
}
