//! Where the schema is, and which URL the calls go to.

use std::fmt;
use std::path::{Path, PathBuf};

use url::{Host, Url};

use super::CliError;

/// Where the interface is described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaSource {
    /// A file.
    File(PathBuf),
    /// An `http` or `https` URL; `{port}` stands for the port of a started service.
    Url(String),
}

impl SchemaSource {
    /// A URL when it begins like one, else a file.
    pub fn from_text(text: &str) -> Self {
        let lower = text.trim_start().to_ascii_lowercase();
        if lower.starts_with("http://") || lower.starts_with("https://") {
            return Self::Url(text.trim().to_owned());
        }
        let path = lower.starts_with("file://").then(|| Url::parse(text).ok()?.to_file_path().ok()).flatten();
        Self::File(path.unwrap_or_else(|| PathBuf::from(text)))
    }

    /// The same with the port of a started service filled in.
    #[must_use]
    pub fn with_port(&self, port: u16) -> Self {
        match self {
            Self::File(path) => Self::File(path.clone()),
            Self::Url(url) => Self::Url(fill_port(url, port)),
        }
    }

    /// The paths above the document of a URL, the longest first, without a slash at their end and without the root.
    pub fn paths_above(&self) -> Vec<String> {
        let Self::Url(url) = self else { return Vec::new() };
        let path = Url::parse(url).map(|url| url.path().to_owned()).unwrap_or_default();
        let slashes = path.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
        let mut above: Vec<String> = slashes.map(|at| path[..at].to_owned()).collect();
        above.reverse();
        above
    }

    /// The file, when it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Url(_) => None,
        }
    }
}

impl fmt::Display for SchemaSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Url(url) => f.write_str(url),
        }
    }
}

/// What is known about where the service is.
#[derive(Debug, Clone, Copy)]
pub struct BaseUrlSources<'a> {
    /// From a flag, the environment or the file.
    pub given: Option<&'a str>,
    /// Port of the service when restive started it.
    pub port: Option<u16>,
    /// Whether it was found to speak TLS there.
    pub has_tls: bool,
    /// Server URLs of the document.
    pub servers: &'a [String],
    /// Where the document came from.
    pub schema: &'a SchemaSource,
}

/// The URL that all calls go below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl {
    /// Scheme, host, port and path, without a slash at the end.
    pub url: String,
    /// Something the user should look at: a lower-case fragment.
    pub warning: Option<String>,
}

/// A base URL that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    /// Not an absolute URL of HTTP.
    #[error("found `{found}`, wanted a URL that begins with `http://` or `https://`")]
    NotHttp {
        /// As given.
        found: String,
    },
    /// Credentials in a URL end up in every output.
    #[error("the URL of `{host}` has credentials in it")]
    Credentials {
        /// The host alone: the rest is secret.
        host: String,
    },
    /// A query or fragment cannot have anything below it.
    #[error("found `{found}`, wanted a URL without `?` and `#`")]
    Query {
        /// As given.
        found: String,
    },
    /// The document names no server, or none that its user has said may be called.
    #[error("no base URL: {reason}")]
    Unknown {
        /// Why none follows from the document.
        reason: String,
        /// What the user may want to give.
        suggestion: Option<String>,
    },
}

impl BaseUrlError {
    /// The next step.
    pub fn hint(&self) -> String {
        match self {
            Self::NotHttp { found } if !found.contains("://") && !found.is_empty() => {
                format!("did you mean `http://{}`?", found.trim_start_matches('/'))
            }
            Self::NotHttp { .. } | Self::Query { .. } => "for example `--url http://127.0.0.1:8080/api`".to_owned(),
            Self::Credentials { .. } => {
                "give them with `--basic USER:PASSWORD`: they are then masked in every output".to_owned()
            }
            Self::Unknown { suggestion: Some(url), .. } => {
                format!("`--url {url}` if that is a service you may test; fuzzing changes and deletes data")
            }
            Self::Unknown { suggestion: None, .. } => "say where the service is with `--url http://127.0.0.1:8080`".to_owned(),
        }
    }

    /// The error with its exit code; `place` says where the URL was given.
    pub(super) fn into_cli(self, place: &str) -> CliError {
        let hint = self.hint();
        CliError::usage(format!("{self} for {place}")).hint(hint)
    }
}

impl From<BaseUrlError> for CliError {
    fn from(error: BaseUrlError) -> Self {
        let hint = error.hint();
        Self::usage(error.to_string()).hint(hint)
    }
}

impl BaseUrl {
    /// Checks a given base URL, which may have the placeholder `{port}`.
    pub fn check(given: &str) -> Result<(), BaseUrlError> {
        parse(&fill_port(given, 1)).map(|_| ())
    }

    /// The base URL: as given, else the started service, else the document's server where its user chose that host.
    ///
    /// A document's server is called only on the loopback interface or on the host the document was fetched from:
    /// a schema file that names a production host must not send anything there.
    pub fn resolve(sources: &BaseUrlSources) -> Result<Self, BaseUrlError> {
        let server = first_server(sources);
        if let Some(given) = sources.given {
            let url = parse(&sources.port.map_or_else(|| given.to_owned(), |port| fill_port(given, port)))?;
            return Ok(Self { warning: missing_path(&url, server.as_ref()), url: text_of(&url) });
        }
        if let Some(port) = sources.port {
            let path = server.as_ref().map_or("/", |server| server.path());
            let scheme = if sources.has_tls { "https" } else { "http" };
            return Ok(Self { url: text_of(&parse(&format!("{scheme}://127.0.0.1:{port}{path}"))?), warning: None });
        }
        let server = server
            .ok_or_else(|| BaseUrlError::Unknown { reason: "the schema names no server".to_owned(), suggestion: None })?;
        let url = parse(server.as_str())?;
        if is_loopback(&url) || schema_url(sources).is_some_and(|schema| schema.host() == url.host()) {
            return Ok(Self { url: text_of(&url), warning: None });
        }
        let suggestion = text_of(&url);
        let reason = format!("the schema names `{suggestion}`, which is called only when you say so");
        Err(BaseUrlError::Unknown { reason, suggestion: Some(suggestion) })
    }
}

/// The document's first server as an absolute URL; without any, the root of where the document was fetched from.
fn first_server(sources: &BaseUrlSources) -> Option<Url> {
    // Only the path matters of a server relative to a file; any base does for that.
    let base = schema_url(sources).or_else(|| {
        (sources.given.is_some() || sources.port.is_some()).then(|| Url::parse("http://localhost/").ok()).flatten()
    });
    let absolute = |server: &String| match &base {
        Some(base) => base.join(server).ok(),
        None => Url::parse(server).ok(),
    };
    let is_http = |url: &Url| matches!(url.scheme(), "http" | "https");
    let found = sources.servers.iter().filter_map(absolute).find(is_http);
    found.or_else(|| if sources.servers.is_empty() { schema_url(sources)?.join("/").ok() } else { None })
}

/// Where the document came from, without credentials: those are for the document.
fn schema_url(sources: &BaseUrlSources) -> Option<Url> {
    let SchemaSource::Url(url) = sources.schema else { return None };
    let mut url = Url::parse(&sources.port.map_or_else(|| url.clone(), |port| fill_port(url, port))).ok()?;
    // Fails only for URLs without a host, which have none.
    let _ = (url.set_username(""), url.set_password(None));
    Some(url)
}

fn missing_path(url: &Url, server: Option<&Url>) -> Option<String> {
    let wanted = server?.path().trim_end_matches('/');
    (url.path() == "/" && !wanted.is_empty()).then(|| {
        format!(
            "the schema's server has the path `{wanted}`, which `{0}` has not; if all answers are 404, use `--url {0}{wanted}`",
            text_of(url)
        )
    })
}

fn parse(text: &str) -> Result<Url, BaseUrlError> {
    let found = || text.to_owned();
    let url = Url::parse(text.trim()).map_err(|_| BaseUrlError::NotHttp { found: found() })?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(BaseUrlError::NotHttp { found: found() });
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(BaseUrlError::Credentials { host: url.host_str().unwrap_or_default().to_owned() });
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(BaseUrlError::Query { found: found() });
    }
    Ok(url)
}

fn text_of(url: &Url) -> String {
    url.as_str().trim_end_matches('/').to_owned()
}

fn fill_port(text: &str, port: u16) -> String {
    text.replace("{port}", &port.to_string())
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{BaseUrl, BaseUrlError, BaseUrlSources, SchemaSource};

    fn resolve(given: Option<&str>, port: Option<u16>, servers: &[&str], schema: &str) -> Result<BaseUrl, BaseUrlError> {
        let servers: Vec<String> = servers.iter().map(|server| (*server).to_owned()).collect();
        let schema = SchemaSource::from_text(schema);
        BaseUrl::resolve(&BaseUrlSources { given, port, has_tls: false, servers: &servers, schema: &schema })
    }

    fn url(given: Option<&str>, port: Option<u16>, servers: &[&str], schema: &str) -> String {
        resolve(given, port, servers, schema).expect("a base URL").url
    }

    #[test]
    fn paths_above_a_document_are_those_of_its_folders() {
        let above = |text: &str| SchemaSource::from_text(text).paths_above();
        assert_eq!(above("http://h.test/shop/v3/api-docs?x=/"), ["/shop/v3", "/shop"]);
        assert!(above("http://h.test/openapi.json").is_empty() && above("/shop/openapi.json").is_empty());
    }

    #[test]
    fn a_given_url_wins_and_keeps_its_path() {
        assert_eq!(url(Some("http://h:1/api/"), None, &["http://localhost:2"], "a.yaml"), "http://h:1/api");
        assert_eq!(url(Some("http://h:{port}"), Some(7), &[], "a.yaml"), "http://h:7");
        assert_eq!(url(Some("http://[::1]:8080"), None, &[], "a.yaml"), "http://[::1]:8080");
    }

    #[test]
    fn a_started_service_has_the_path_of_the_first_server() {
        assert_eq!(url(None, Some(7), &["https://prod.example/v1/"], "a.yaml"), "http://127.0.0.1:7/v1");
        assert_eq!(url(None, Some(7), &["/api/v3"], "a.yaml"), "http://127.0.0.1:7/api/v3");
        assert_eq!(url(None, Some(7), &[], "http://127.0.0.1:{port}/docs/spec.json"), "http://127.0.0.1:7");
    }

    #[test]
    fn a_started_service_that_speaks_tls_is_called_so() {
        let (servers, schema) = (["http://prod.example/v1".to_owned()], SchemaSource::from_text("a.yaml"));
        let sources = BaseUrlSources { given: None, port: Some(7), has_tls: true, servers: &servers, schema: &schema };
        assert_eq!(BaseUrl::resolve(&sources).expect("a base URL").url, "https://127.0.0.1:7/v1");
    }

    #[test]
    fn relative_servers_are_meant_from_the_document() {
        assert_eq!(url(None, None, &["/v2"], "http://h.test:8/docs/spec.json"), "http://h.test:8/v2");
        assert_eq!(url(None, None, &["../v2"], "http://h.test:8/docs/x/spec.json"), "http://h.test:8/docs/v2");
        assert_eq!(url(None, None, &[], "http://h.test:8/docs/spec.json"), "http://h.test:8");
        assert_eq!(url(None, None, &["/v2"], "http://user:secret@h.test:8/docs/spec.json"), "http://h.test:8/v2");
        assert_eq!(url(None, None, &[], "http://user:secret@h.test:8/docs/spec.json"), "http://h.test:8");
    }

    #[test]
    fn a_foreign_server_of_the_document_is_not_called_unasked() {
        let error = resolve(None, None, &["https://api.example.com/v1"], "a.yaml").expect_err("nobody chose that host");
        assert!(error.to_string().contains("https://api.example.com/v1"));
        assert!(error.hint().starts_with("`--url https://api.example.com/v1`"));
        assert!(resolve(None, None, &["https://api.example.com"], "http://localhost/spec.json").is_err());
        assert_eq!(url(None, None, &["http://localhost:9/x"], "a.yaml"), "http://localhost:9/x");
    }

    #[test]
    fn a_file_without_servers_needs_a_url() {
        let error = resolve(None, None, &[], "a.yaml").expect_err("nothing says where");
        assert_eq!(error.to_string(), "no base URL: the schema names no server");
        assert!(resolve(None, None, &["/v1"], "a.yaml").is_err());
    }

    #[test]
    fn a_forgotten_server_path_is_pointed_out() {
        let base = resolve(Some("http://localhost:8080"), None, &["/api/v3"], "a.yaml").expect("a base URL");
        assert_eq!(base.url, "http://localhost:8080");
        assert!(base.warning.is_some_and(|text| text.contains("--url http://localhost:8080/api/v3")));
        let base = resolve(Some("http://localhost:8080/api/v3"), None, &["/api/v3"], "a.yaml").expect("a base URL");
        assert_eq!(base.warning, None);
    }

    #[test]
    fn unusable_urls_are_refused_with_a_next_step() {
        let hint = |text: &str| BaseUrl::check(text).expect_err("an unusable URL").hint();
        assert_eq!(hint("localhost:8080"), "did you mean `http://localhost:8080`?");
        assert!(hint("ftp://x/").contains("--url"));
        assert!(hint("http://a:b@host/").contains("--basic"));
        assert!(hint("http://host/?a=b").contains("--url"));
        let error = BaseUrl::check("http://alice:secret@host/").expect_err("credentials");
        assert!(!error.to_string().contains("secret"));
        assert_eq!(BaseUrl::check("http://127.0.0.1:{port}/x"), Ok(()));
    }

    #[test]
    fn a_source_is_a_url_only_when_it_begins_like_one() {
        assert_eq!(SchemaSource::from_text("HTTP://x/a"), SchemaSource::Url("HTTP://x/a".to_owned()));
        assert_eq!(SchemaSource::from_text("http.yaml"), SchemaSource::File("http.yaml".into()));
        assert_eq!(SchemaSource::from_text("file:///a/b.json"), SchemaSource::File("/a/b.json".into()));
    }
}
