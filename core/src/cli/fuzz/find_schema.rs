//! Looks for the schema of a service of which nobody has said where it is: where services offer theirs, then in the jar.

use std::path::Path;
use std::thread;
use std::time::Duration;

use url::Url;

use crate::action;
use crate::api::Api;
use crate::cli::{CliError, SchemaSource, jar_error, tell};
use crate::jar::{self, Jar, Served};
use crate::openapi::{self, Route};

use super::discover::Registered;

/// Paths at which frameworks and their usual libraries offer the document.
const USUAL_PATHS: [&str; 31] = [
    // springdoc, springfox
    "/v3/api-docs",
    "/v2/api-docs",
    "/api-docs",
    // MicroProfile, Quarkus
    "/q/openapi",
    "/openapi",
    // Swagger Core in JAX-RS, Ktor, Javalin, FastAPI, Huma and others
    "/openapi.json",
    "/openapi.yaml",
    "/swagger.json",
    "/swagger.yaml",
    "/api/openapi.json",
    "/api/openapi.yaml",
    "/api/swagger.json",
    "/api/v3/api-docs",
    // ASP.NET Core, with Swashbuckle and without
    "/swagger/v1/swagger.json",
    "/openapi/v1.json",
    "/swagger/swagger.json",
    "/docs/openapi.json",
    "/api-docs/swagger.json",
    "/swagger-ui/openapi.json",
    // NestJS, Fastify, swagger-jsdoc, Elysia
    "/api-json",
    "/documentation/json",
    "/api-docs.json",
    "/swagger/json",
    // Swag for Go, utoipa for Rust, rswag for Rails
    "/swagger/doc.json",
    "/api-docs/openapi.json",
    "/api-docs/v1/swagger.yaml",
    // httpbin, Litestar, Flasgger, drf-spectacular, FastAPI's template
    "/spec.json",
    "/schema/openapi.json",
    "/apispec_1.json",
    "/api/schema/",
    "/api/v1/openapi.json",
];

/// Rounds over the paths while the service says that it is not ready.
const MOST_ROUNDS: usize = 10;
/// Time between two rounds.
const PAUSE: Duration = Duration::from_secs(1);

/// Loads the document at a place; the outer error ends the search.
type Fetch<'a> = dyn FnMut(&str) -> Result<Result<Api, openapi::Error>, CliError> + 'a;

/// Where to look.
#[derive(Debug)]
pub(super) struct Search<'a> {
    /// Base URL of the service.
    pub(super) base_url: &'a str,
    /// Its jar, where it is known.
    pub(super) jar: Option<&'a Jar>,
    /// Output folder: a document of the jar is written below it.
    pub(super) out: &'a Path,
    /// Whether nothing is told.
    pub(super) quiet: bool,
}

/// What became of a round over all places.
enum Round {
    Found(SchemaSource, Box<Api>),
    NotFound(Misses),
}

/// A round without a document.
#[derive(Debug, Default)]
struct Misses {
    /// What each place gave.
    tried: Vec<String>,
    /// Whether the service may only need time.
    is_busy: bool,
    /// Whether it wants credentials somewhere.
    is_protected: bool,
}

impl Misses {
    fn add(&mut self, other: Self) {
        self.tried.extend(other.tried);
        self.is_protected |= other.is_protected;
    }
}

impl Search<'_> {
    /// The first document with operations, and where it is; without any the interface that routes of the service's framework
    /// make.
    pub(super) fn run(&self, registered: &mut Registered<'_>, fetch: &mut Fetch<'_>) -> Result<(SchemaSource, Api), CliError> {
        let mut misses = Misses::default();
        for round in 0..MOST_ROUNDS {
            match ask(self.places(), fetch)? {
                Round::Found(source, api) => return Ok(self.found(source, *api)),
                Round::NotFound(these) => {
                    misses = these;
                    if !misses.is_busy {
                        break;
                    }
                }
            }
            if round + 1 < MOST_ROUNDS {
                thread::sleep(PAUSE);
            }
        }
        match ask(self.places_below(registered.bases()), fetch)? {
            Round::Found(source, api) => return Ok(self.found(source, *api)),
            Round::NotFound(these) => misses.add(these),
        }
        if let Some((source, api)) = self.unpack(fetch, &mut misses.tried)? {
            return Ok(self.found(source, api));
        }
        let routes = registered.all();
        if !routes.is_empty() {
            return Ok(self.without(routes));
        }
        let hint = if misses.is_protected {
            "give what the service wants with `--header`, `--bearer` or `--basic`, or its document with `--schema FILE|URL`"
        } else {
            "give the OpenAPI or Swagger document of the service with `--schema FILE|URL` (a URL may hold `{port}`)"
        };
        misses.tried.push(registered.lack().to_owned());
        let error = CliError::environment(format!("no schema found, tried:\n{}", misses.tried.join("\n")));
        Err(error.hint(format!("{hint}{}", self.log())))
    }

    /// Where a service that was started may say why its application is not there; an empty text for others.
    fn log(&self) -> String {
        let log = self.out.join("logs/sut.log");
        if log.is_file() { format!("; if it should have one, {} may tell what failed", log.display()) } else { String::new() }
    }

    fn found(&self, source: SchemaSource, api: Api) -> (SchemaSource, Api) {
        if !self.quiet {
            let n = api.operations.len();
            tell(&format!(
                "schema: {source}, {n} operation{} (found out; `--schema` names another)\n",
                if n == 1 { "" } else { "s" }
            ));
        }
        (source, api)
    }

    /// The interface of a service without a document.
    fn without(&self, routes: &[Route]) -> (SchemaSource, Api) {
        if !self.quiet {
            tell("schema: none found; routes of the service's framework take its place (`--schema` names one)\n");
        }
        (SchemaSource::Url(self.base_url.to_owned()), action::settle(openapi::of_routes(routes)))
    }

    /// Every usual place.
    fn places(&self) -> Vec<String> {
        urls(self.base_url, self.jar.map_or(&Served::default(), |jar| &jar.served))
    }

    /// The usual places in applications of the server that nobody told of before, which are below `bases`.
    fn places_below(&self, bases: &[String]) -> Vec<String> {
        let known = self.places();
        let root = Url::parse(self.base_url).and_then(|url| url.join("/"));
        let root = root.map_or_else(|_| self.base_url.to_owned(), |url| url.to_string());
        let below = bases.iter().flat_map(|base| USUAL_PATHS.map(|path| format!("{}{base}{path}", root.trim_end_matches('/'))));
        below.filter(|place| !known.contains(place)).collect()
    }

    /// The first document of the jar that can be used, written to the output folder.
    fn unpack(&self, fetch: &mut Fetch<'_>, tried: &mut Vec<String>) -> Result<Option<(SchemaSource, Api)>, CliError> {
        let Some(jar) = self.jar else { return Ok(None) };
        for document in &jar.documents {
            let file = jar::extract(&jar.path, document, &self.out.join("schema")).map_err(|error| jar_error(&error))?;
            match fetch(&file.to_string_lossy())? {
                Ok(api) if !api.operations.is_empty() => return Ok(Some((SchemaSource::File(file), api))),
                Ok(_) => tried.push(format!("{} in the jar: no usable operations", document.entry)),
                Err(error) => tried.push(format!("{} in the jar: {error}", document.entry)),
            }
        }
        if jar.documents.is_empty() {
            tried.push("the jar: no OpenAPI or Swagger document in it".to_owned());
        }
        Ok(None)
    }
}

/// Asks the service at each of `places`.
fn ask(places: Vec<String>, fetch: &mut Fetch<'_>) -> Result<Round, CliError> {
    let mut misses = Misses::default();
    for url in places {
        let reason = match fetch(&url)? {
            Ok(api) if api.operations.is_empty() => "a document without usable operations".to_owned(),
            Ok(api) => return Ok(Round::Found(SchemaSource::Url(url), Box::new(api))),
            Err(ref error @ openapi::Error::Status { status, .. }) => {
                misses.is_busy |= status == 503;
                misses.is_protected |= error.is_refusal();
                format!("status {status}")
            }
            Err(openapi::Error::Syntax { .. } | openapi::Error::NotASchema { .. }) => "another content".to_owned(),
            Err(error) => {
                misses.is_busy |= matches!(error, openapi::Error::Refused { .. });
                error.to_string()
            }
        };
        misses.tried.push(format!("{url}: {reason}"));
    }
    Ok(Round::NotFound(misses))
}

/// Where the jar says that it serves, then the usual paths below the base URL, and at the root of its host when that is
/// another place.
pub(in crate::cli) fn urls(base_url: &str, served: &Served) -> Vec<String> {
    let base = base_url.trim_end_matches('/').to_owned();
    let root =
        Url::parse(&base).ok().and_then(|url| url.join("/").ok()).map(|url| url.as_str().trim_end_matches('/').to_owned());
    let below = served.base.as_ref().zip(root.as_ref()).map(|(path, root)| format!("{root}{}", path.value));
    let mut roots: Vec<String> = Vec::new();
    for place in [below, Some(base), root].into_iter().flatten() {
        if !roots.contains(&place) {
            roots.push(place);
        }
    }
    let paths = || served.schema.iter().map(|path| path.value.as_str()).chain(USUAL_PATHS);
    roots.iter().flat_map(|root| paths().map(move |path| format!("{root}{path}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::{USUAL_PATHS, urls};
    use crate::jar::{Guess, Served};

    #[test]
    fn a_base_url_with_a_path_has_two_places_for_each_path() {
        let unknown = Served::default();
        assert_eq!(urls("http://127.0.0.1:1", &unknown).len(), USUAL_PATHS.len());
        let both = urls("http://127.0.0.1:1/api/", &unknown);
        assert!(both.contains(&"http://127.0.0.1:1/api/v3/api-docs".to_owned()) && both.len() == 2 * USUAL_PATHS.len());
    }

    #[test]
    fn where_the_jar_says_that_it_serves_is_asked_first() {
        let path = |path: &str| Some(Guess::new(path.to_owned(), "settings"));
        let served = Served { base: path("/clinic"), schema: path("/docs") };
        let all = urls("http://127.0.0.1:1", &served);
        assert_eq!(all[..2], ["http://127.0.0.1:1/clinic/docs", "http://127.0.0.1:1/clinic/v3/api-docs"]);
        assert!(all.contains(&"http://127.0.0.1:1/docs".to_owned()));
        assert_eq!(urls("http://127.0.0.1:1/clinic", &served).len(), 2 * (USUAL_PATHS.len() + 1));
    }
}
