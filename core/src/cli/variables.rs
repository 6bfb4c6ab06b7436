//! Environment variables that look like settings and are none: most likely mistyped.

use super::args;
use super::nearest;

/// Variables of the written suites, which may well be set beside ours, and the one that a started service is known by.
const OTHERS: [&str; 8] = [
    "RESTIVE_BASE_URL",
    "RESTIVE_HEADERS",
    "RESTIVE_RESET_FOLDER",
    "RESTIVE_RESET_URL",
    "RESTIVE_RESET_VERB",
    "RESTIVE_SERVICE",
    "RESTIVE_SUT_TOKEN",
    "RESTIVE_SUT_URL",
];
/// Prefixes of others that restive writes about: credentials of suites and curl lines.
const OF_CREDENTIALS: [&str; 2] = ["RESTIVE_AUTH_", "RESTIVE_HEADER_"];

/// A warning for each of `names` that is no setting but differs little from one, in their order.
pub fn mistyped(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let known = args::variables();
    let mut warnings = Vec::new();
    for name in names.into_iter().filter(|name| name.starts_with("RESTIVE_")) {
        let is_other = OTHERS.contains(&name.as_str()) || OF_CREDENTIALS.iter().any(|prefix| name.starts_with(prefix));
        if known.contains(&name) || is_other {
            continue;
        }
        // The prefix is no sign of likeness.
        let short = |name: &str| name["RESTIVE_".len()..].to_owned();
        let candidates: Vec<String> = known.iter().map(|name| short(name)).collect();
        if let Some(near) = nearest(&short(&name), candidates.iter().map(String::as_str)) {
            warnings.push(format!("the environment variable `{name}` is no setting; did you mean `RESTIVE_{near}`?"));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::mistyped;

    #[test]
    fn mistyped_variables_are_told_and_others_are_not() {
        let names = ["RESTIVE_BUDGT", "RESTIVE_BUDGET", "RESTIVE_BASE_URL", "RESTIVE_AUTH_FILES", "RESTIVE_X", "PATH"];
        let warnings = mistyped(names.map(str::to_owned));
        assert_eq!(warnings, ["the environment variable `RESTIVE_BUDGT` is no setting; did you mean `RESTIVE_BUDGET`?"]);
    }
}
