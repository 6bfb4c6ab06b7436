//! The base URL: parsed once, and the only place a call can go to.

use url::Url;

use crate::exec::Error;

/// A checked base URL without query, fragment and trailing slash.
#[derive(Debug, Clone)]
pub(crate) struct BaseUrl {
    url: Url,
    /// `scheme://host:port` and path.
    prefix: String,
    /// Its path, empty for the root.
    path: String,
}

impl BaseUrl {
    /// Checks that `text` is an absolute HTTP URL that calls can be appended to.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let invalid = |reason: &str| Error::InvalidBaseUrl { url: without_password(text), reason: reason.to_owned() };
        let url = Url::parse(text.trim()).map_err(|error| invalid(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(invalid("its scheme is neither http nor https"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(invalid("it holds credentials; give them with `--basic` instead"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(invalid("it has a query or a fragment, so that no path can be appended"));
        }
        let path = url.path().trim_end_matches('/').to_owned();
        let prefix = format!("{}{path}", url.origin().ascii_serialization());
        Ok(Self { url, prefix, path })
    }

    /// The URL as text, without a trailing slash.
    pub(crate) fn as_str(&self) -> &str {
        &self.prefix
    }

    /// The same, parsed.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// Whether calls are encrypted.
    pub(crate) fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// Host name or address.
    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// The port, the scheme's own when none is given.
    pub(crate) fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or(80)
    }

    /// The URL of `target` (path and query) below the base path.
    pub(crate) fn below(&self, target: &str) -> Result<Url, String> {
        self.join(&self.path, target)
    }

    /// The URL of `target` (path and query) on the same server, beside the base path.
    pub(crate) fn on_server(&self, target: &str) -> Result<Url, String> {
        self.join("", target)
    }

    /// Whether there is a base path, so that [`Self::below`] and [`Self::on_server`] differ.
    pub(crate) fn has_path(&self) -> bool {
        !self.path.is_empty()
    }

    fn join(&self, path: &str, target: &str) -> Result<Url, String> {
        if let Some(reason) = unsendable(target) {
            return Err(reason.to_owned());
        }
        let text = [path, target].concat();
        // Joined to the base, its host needs no parsing; two slashes would start another host there.
        let joined = if text.starts_with("//") {
            Url::parse(&format!("{}{text}", self.url.origin().ascii_serialization()))
        } else {
            self.url.join(&text)
        };
        let url = joined.map_err(|error| format!("the URL cannot be sent: {error}"))?;
        self.allows(&url).then_some(url).ok_or_else(|| "the URL leads to another server".to_owned())
    }

    /// Whether `url` is on the server of the base URL.
    pub(crate) fn allows(&self, url: &Url) -> bool {
        url.scheme() == self.url.scheme() && url.host() == self.url.host() && url.port() == self.url.port()
    }
}

/// Why a path with query cannot be sent as it is.
///
/// URL parsers resolve dot segments (also `%2e`), so such a path would silently call another operation, perhaps one
/// that was excluded.
fn unsendable(target: &str) -> Option<&'static str> {
    let url_path = target.split('?').next().unwrap_or_default();
    if !target.starts_with('/') {
        return Some("the path does not start with `/`");
    }
    if target.bytes().any(|byte| byte.is_ascii_control()) {
        return Some("the URL holds a control character");
    }
    if target.contains('#') {
        return Some("the URL holds `#`, which starts a fragment and is never sent");
    }
    if url_path.contains('\\') {
        return Some("the path holds `\\`, which HTTP clients take for `/`");
    }
    url_path.split('/').any(is_dot_segment).then_some("the path holds a dot segment, which HTTP clients resolve away")
}

/// Whether a path segment stands for "here" or "up" (WHATWG URL, "single-dot" and "double-dot path segment").
fn is_dot_segment(segment: &str) -> bool {
    const DOTS: [&str; 6] = [".", "..", "%2e", ".%2e", "%2e.", "%2e%2e"];
    segment.len() <= 6 && DOTS.iter().any(|dots| segment.eq_ignore_ascii_case(dots))
}

/// `text` with everything between `//` and the last `@` of the authority masked.
fn without_password(text: &str) -> String {
    let Some(start) = text.find("//").map(|at| at + 2) else { return text.to_owned() };
    let end = text[start..].find('/').map_or(text.len(), |at| start + at);
    match text[start..end].rfind('@') {
        Some(at) => format!("{}***{}", &text[..start], &text[start + at..]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::BaseUrl;

    #[test]
    fn targets_are_appended_to_the_base_path_as_they_are() {
        let base = BaseUrl::parse("http://127.0.0.1:8080/api/v1/").expect("a valid URL");
        let below = |target: &str| base.below(target).map(|url| url.to_string());
        assert_eq!(below("/pets/a%2Fb?q=%20x"), Ok("http://127.0.0.1:8080/api/v1/pets/a%2Fb?q=%20x".to_owned()));
        assert_eq!(below("//x"), Ok("http://127.0.0.1:8080/api/v1//x".to_owned()));
        assert_eq!(base.on_server("/login").map(|url| url.to_string()), Ok("http://127.0.0.1:8080/login".to_owned()));
    }

    #[test]
    fn two_slashes_start_a_path_and_no_host() {
        let base = BaseUrl::parse("http://127.0.0.1:8080").expect("a valid URL");
        let on_server = |target: &str| base.on_server(target).map(|url| url.to_string());
        assert_eq!(on_server("//other.test/x"), Ok("http://127.0.0.1:8080//other.test/x".to_owned()));
        assert_eq!(on_server("///x?y"), Ok("http://127.0.0.1:8080///x?y".to_owned()));
    }

    #[test]
    fn targets_that_a_url_parser_would_change_are_refused() {
        let base = BaseUrl::parse("http://127.0.0.1:8080/api").expect("a valid URL");
        for target in ["/../admin", "/a/%2E%2e/b", "/a/.", "/a\\b", "/a#b", "/a\nb", "a", "@other.example/"] {
            assert!(base.below(target).is_err(), "{target}");
        }
        assert!(base.below("/a/...").is_ok() && base.below("/a?q=../..").is_ok() && base.below("/.hidden").is_ok());
    }

    #[test]
    fn no_target_reaches_another_server() {
        let base = BaseUrl::parse("http://service.test").expect("a valid URL");
        for target in ["//other.test/", "/@other.test", "/:80@other.test/", "/?http://other.test"] {
            if let Ok(url) = base.below(target) {
                assert_eq!(url.host_str(), Some("service.test"), "{target}");
            }
        }
    }

    #[test]
    fn unusable_base_urls_say_why_and_hide_passwords() {
        for text in ["", "service:8080", "/api", "ftp://x/", "http://", "http://x/?a=b", "http://x/#y"] {
            assert!(BaseUrl::parse(text).is_err(), "{text}");
        }
        let message = BaseUrl::parse("http://anna:geheim@service.test/").expect_err("credentials are refused").to_string();
        assert!(!message.contains("geheim"), "{message}");
    }
}
