//! What names say: of path segments, parameters, header fields and fields of bodies (`search.md` 4).

use crate::api::{Location, Operation};

/// Verbs at the end of a path that say that something is created.
const CREATING: [&str; 6] = ["create", "add", "new", "register", "save", "insert"];

/// Names of tokens that callers show, the likeliest one first.
const TOKENS: [&str; 9] =
    ["accesstoken", "token", "jwt", "authtoken", "bearertoken", "idtoken", "jwttoken", "sessiontoken", "apitoken"];

/// What the last segment of a path begins with where calls log in.
const LOGGING_IN: [&str; 7] = ["login", "signin", "logon", "authenticat", "auth", "token", "session"];
/// What it may begin or end with: `userLogin`.
const VERBS_OF_LOGGING_IN: [&str; 3] = ["login", "signin", "logon"];

/// Letters and digits only, in lower case: `pet_Id` and `petId` are one name.
pub fn normalise(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// A plain guess at the singular of an English noun in lower case.
pub fn singular(noun: &str) -> String {
    if let Some(stem) = noun.strip_suffix("ies")
        && stem.len() > 1
    {
        return format!("{stem}y");
    }
    for suffix in ["sses", "xes", "ches", "shes"] {
        if noun.ends_with(suffix) {
            return noun[..noun.len() - 2].to_owned();
        }
    }
    match noun.strip_suffix('s') {
        Some(stem) if stem.len() > 1 && !stem.ends_with('s') && !stem.ends_with('u') => stem.to_owned(),
        _ => noun.to_owned(),
    }
}

/// How well a field by its name fits what a parameter called `wanted` wants, 0 the best; none where it does not.
pub fn rank_of_name(field: &str, wanted: &str) -> Option<u8> {
    let wanted = normalise(wanted);
    match normalise(field) {
        field if field == wanted => Some(0),
        field if field.len() > 1 && wanted.ends_with(&field) => Some(1),
        field if field == "id" => Some(2),
        field if field.ends_with("id") || field == "uuid" || field == "key" || field == "name" => Some(3),
        _ => None,
    }
}

/// The path below which a POST at `url_path` creates: that itself, or what is above a verb which says so, as in `/user/create`.
pub fn collection_of(url_path: &str) -> &str {
    let whole = url_path.trim_end_matches('/');
    split_verb(whole).filter(|(_, rest)| rest.is_empty()).map_or(whole, |(collection, _)| collection)
}

/// What is above the last segment, where that is or begins with a verb that says that something is created, and the rest of
/// it: `/user` and nothing, of `/createUser` nothing and `User`.
pub fn split_verb(url_path: &str) -> Option<(&str, &str)> {
    let (above, last) = url_path.rsplit_once('/')?;
    let rest = CREATING.iter().find_map(|verb| {
        let begins = last.get(..verb.len()).is_some_and(|start| start.eq_ignore_ascii_case(verb));
        begins.then(|| &last[verb.len()..])
    })?;
    match rest.chars().next() {
        None => (!above.is_empty() && !above.ends_with('}')).then_some((above, rest)),
        // `address` is no verb.
        Some(next) => (next.is_uppercase() || next == '-' || next == '_').then_some((above, rest)),
    }
}

/// The singular noun of the last fixed segment of a path, empty when there is none.
pub fn noun_of(url_path: &str) -> String {
    let segment = url_path.rsplit('/').find(|segment| !segment.is_empty() && !segment.contains('{'));
    singular(&normalise(segment.unwrap_or_default()))
}

/// Whether a name is of several words: `apiKey`, `api_key`.
pub fn has_several_words(name: &str) -> bool {
    let ends = name.chars().zip(name.chars().skip(1));
    name.contains(['-', '_']) || ends.into_iter().any(|(end, start)| end.is_lowercase() && start.is_uppercase())
}

/// Whether a name looks like a reference to something else: `customerId`, `item_ids`.
pub fn refers(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.len() > 2 && (lower.ends_with("id") || lower.ends_with("ids"))
}

/// Whether calls of this path log in, by its last fixed segment.
pub fn logs_in(url_path: &str) -> bool {
    let segment = url_path.rsplit('/').find(|segment| !segment.is_empty() && !segment.contains('{'));
    let segment = normalise(segment.unwrap_or_default());
    // Nobody logs in to authors.
    let begins = LOGGING_IN.iter().any(|start| segment.starts_with(start)) && !segment.starts_with("author");
    begins || VERBS_OF_LOGGING_IN.iter().any(|end| segment.ends_with(end)) || segment.ends_with("token")
}

/// How well a field by its name holds a token that callers show, 0 the best; none where it does not.
pub fn rank_of_token(field: &str) -> Option<u8> {
    let named = TOKENS.iter().position(|name| *name == normalise(field));
    named.map(|rank| u8::try_from(rank).unwrap_or(u8::MAX))
}

/// The noun that the path parameter `name` belongs to: the fixed segment before its placeholder.
pub fn noun_before(operation: &Operation, name: &str) -> String {
    operation.url_path.find(&format!("{{{name}}}")).map_or_else(String::new, |end| noun_of(&operation.url_path[..end]))
}

/// The noun around a parameter: for a path parameter the segment before it, else the operation's last segment.
pub fn noun_around(operation: &Operation, location: Location, name: &str) -> String {
    if location == Location::Path { noun_before(operation, name) } else { noun_of(&operation.url_path) }
}

#[cfg(test)]
mod tests {
    use super::{logs_in, rank_of_name, rank_of_token, singular};

    #[test]
    fn what_is_asked_for_by_its_name_is_not_asked_for_by_its_id() {
        for (wanted, fields) in [
            ("collection_name", ["collectionName", "name", "id", "tenantId"]),
            ("petId", ["pet_id", "id", "uuid", ""]),
            ("key", ["key", "id", "name", "title"]),
        ] {
            let ranks: Vec<_> = fields.iter().map(|field| rank_of_name(field, wanted).unwrap_or(u8::MAX)).collect();
            assert!(ranks.is_sorted_by(|one, other| one < other), "{wanted}: {ranks:?}");
        }
    }

    #[test]
    fn paths_tell_where_calls_log_in() {
        for path in [
            "/login",
            "/users/login",
            "/api/v1/auth/sign-in",
            "/authenticate",
            "/login/access-token",
            "/user_login/",
            "/sessions",
        ] {
            assert!(logs_in(path), "{path}");
        }
        for path in ["/users", "/authors", "/auth/register", "/login/{id}/history", "/", ""] {
            assert!(!logs_in(path), "{path}");
        }
    }

    #[test]
    fn tokens_that_callers_show_are_known_by_their_names() {
        assert!(rank_of_token("access_token") < rank_of_token("token") && rank_of_token("JWT").is_some());
        for name in ["refresh_token", "csrfToken", "nextPageToken", "tokenType", "id"] {
            assert_eq!(rank_of_token(name), None, "{name}");
        }
    }

    #[test]
    fn singular_of_common_nouns() {
        for (plural, expected) in [
            ("pets", "pet"),
            ("categories", "category"),
            ("boxes", "box"),
            ("status", "status"),
            ("address", "address"),
            ("s", "s"),
        ] {
            assert_eq!(singular(plural), expected);
        }
    }
}
