//! `restive init`: writes a commented `restive.toml` from what is found in a folder, a jar or behind a URL.

mod project;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;
use walkdir::WalkDir;

use crate::jar::{self, Served};
use crate::openapi;

use super::fuzz::schema_urls;
use super::{CliError, Exit, tell};

/// Folders below the one that is looked at, at most.
const DEPTH: usize = 6;
/// Files that are looked at, at most.
const MOST_FILES: usize = 50_000;
/// Folders in which nothing is looked for: dependencies, sources of others, results.
const PASSED_OVER: [&str; 9] = [".git", "node_modules", ".gradle", ".mvn", ".venv", "venv", "out", "test-classes", "vendor"];
/// Ends of names of jars that hold no application.
const NO_APPLICATION: [&str; 5] = ["-sources.jar", "-javadoc.jar", "-tests.jar", "-plain.jar", "-wrapper.jar"];

/// Flags of `restive init`.
#[derive(Debug, Clone, Args)]
pub struct InitArgs {
    /// Folder to look into
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
    /// The application's runnable jar, instead of one that is found
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    pub jar: Option<PathBuf>,
    /// A service that runs already
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// File to write
    #[arg(long, value_name = "FILE", default_value = "restive.toml")]
    pub write: PathBuf,
    /// Write it although there is one
    #[arg(long)]
    pub overwrite: bool,
}

/// What a service is started from, or where it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Service {
    Jar(PathBuf),
    Url(String),
    /// What a build tool starts, and the folder to start it in.
    Command(String, PathBuf),
    Unknown,
}

/// What the file is made of.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    service: Service,
    /// Where the document is; none where a run finds it, or the user must say.
    schema: Option<String>,
    /// Packages that hold the service.
    packages: Vec<String>,
    /// What was seen besides, a comment each.
    notes: Vec<String>,
}

/// Looks, writes the file, and says what to do next.
pub fn init(args: &InitArgs) -> Result<Exit, CliError> {
    if args.write.exists() && !args.overwrite {
        return Err(CliError::usage(format!("`{}` is there already", args.write.display()))
            .hint("keep it, name another file with `--write`, or replace it with `--overwrite`"));
    }
    let found = match (&args.url, &args.jar) {
        (Some(url), _) => behind(url)?,
        (None, Some(jar)) => in_jar(jar)?,
        (None, None) => in_folder(&args.folder)?,
    };
    let text = settings(&found);
    fs::write(&args.write, &text).map_err(|error| {
        CliError::environment(format!("cannot write `{}`: {error}", args.write.display()))
            .hint("name another file with `--write`")
    })?;
    tell(&format!("wrote {}\n", args.write.display()));
    for note in &found.notes {
        tell(&format!("{note}\n"));
    }
    tell(&match found.service {
        Service::Unknown => format!("next: fill in the service in {}, then run `restive fuzz`\n", args.write.display()),
        _ if args.write == Path::new("restive.toml") => "next: `restive fuzz`\n".to_owned(),
        _ => format!("next: `restive fuzz --config {}`\n", args.write.display()),
    });
    Ok(Exit::Clean)
}

fn behind(url: &str) -> Result<Found, CliError> {
    let base = url::Url::parse(url).ok().filter(|parsed| matches!(parsed.scheme(), "http" | "https") && parsed.has_host());
    let Some(base) = base else {
        return Err(CliError::usage(format!("`{url}` is no URL of a service")).hint("write it as `http://127.0.0.1:8080`"));
    };
    let base = base.as_str().trim_end_matches('/').to_owned();
    let mut tried = 0;
    for place in schema_urls(&base, &Served::default()) {
        tried += 1;
        match openapi::load(&place) {
            Ok(api) if !api.operations.is_empty() => {
                let notes = vec![format!("schema: {place}, {} operations", api.operations.len())];
                return Ok(Found { service: Service::Url(base), schema: Some(place), packages: Vec::new(), notes });
            }
            Err(openapi::Error::Refused { .. }) => {
                return Err(CliError::environment(format!("nobody answers at `{base}`"))
                    .hint("start the service, or let restive start it: `restive init --jar app.jar`"));
            }
            _ => {}
        }
    }
    let notes = vec![format!("no schema at {tried} usual places: name it as `schema`")];
    Ok(Found { service: Service::Url(base), schema: None, packages: Vec::new(), notes })
}

fn in_jar(path: &Path) -> Result<Found, CliError> {
    let jar = jar::read(path, &[]).map_err(|error| super::jar_error(&error))?;
    let packages: Vec<String> = jar.own.iter().map(|own| own.value.clone()).filter(|name| !name.is_empty()).collect();
    let mut notes = vec![format!("jar: {}, {}, {} own classes", path.display(), jar.framework.value, jar.own_classes())];
    notes.extend(jar.documents.first().map(|document| format!("document in the jar: {}", document.entry)));
    Ok(Found { service: Service::Jar(path.to_owned()), schema: None, packages, notes })
}

/// The newest runnable jar of the folder, and the likeliest document.
fn in_folder(folder: &Path) -> Result<Found, CliError> {
    if !folder.is_dir() {
        return Err(
            CliError::usage(format!("`{}` is no folder", folder.display())).hint("name the folder of the service's project")
        );
    }
    let files = files(folder);
    let mut jars: Vec<&PathBuf> = files.iter().filter(|path| may_be_application(path)).collect();
    let age = |path: &Path| path.metadata().and_then(|file| file.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    jars.sort_by_key(|path| (std::cmp::Reverse(age(path)), path.as_path().to_owned()));
    let schema = documents(&files).first().map(|path| path.to_string_lossy().replace('\\', "/"));
    let runnable = jars.into_iter().find_map(|path| in_jar(path).ok());
    let mut found = runnable.unwrap_or_else(|| unbuilt(folder));
    found.notes.extend(schema.iter().map(|schema| format!("document: {schema}")));
    found.schema = schema;
    Ok(found)
}

/// What its build tool starts, where nothing is built yet.
fn unbuilt(folder: &Path) -> Found {
    let (service, note) = match project::start_command(folder) {
        Some(command) => {
            let note = format!("no runnable jar found: the service is started by `{command}`");
            (Service::Command(command, folder.to_owned()), note)
        }
        None => (Service::Unknown, "no runnable jar found: say how the service is started, or where it runs".to_owned()),
    };
    Found { service, schema: None, packages: Vec::new(), notes: vec![note] }
}

/// All files of a folder, by name, as far as it is not passed over.
fn files(folder: &Path) -> Vec<PathBuf> {
    let is_wanted =
        |entry: &walkdir::DirEntry| entry.depth() == 0 || !PASSED_OVER.contains(&entry.file_name().to_string_lossy().as_ref());
    let walk = WalkDir::new(folder).max_depth(DEPTH).sort_by_file_name().into_iter().filter_entry(is_wanted);
    let files = walk.filter_map(Result::ok).filter(|entry| entry.file_type().is_file()).take(MOST_FILES);
    files.map(|entry| entry.path().strip_prefix("./").unwrap_or(entry.path()).to_owned()).collect()
}

fn may_be_application(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".jar") && !NO_APPLICATION.iter().any(|end| name.ends_with(end))
}

/// Files that are documents with operations, the likeliest first: few folders deep, and not among built files.
fn documents(files: &[PathBuf]) -> Vec<&PathBuf> {
    let is_named = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_document = ["openapi", "swagger", "api-docs", "apidocs"].iter().any(|word| name.contains(word));
        is_document && [".json", ".yaml", ".yml"].iter().any(|end| name.ends_with(end))
    };
    let is_built =
        |path: &Path| path.components().any(|part| ["target", "build", "dist"].iter().any(|name| part.as_os_str() == *name));
    let mut named: Vec<&PathBuf> = files.iter().filter(is_named).collect();
    named.sort_by_key(|path| (is_built(path), path.components().count(), path.as_path().to_owned()));
    named.retain(|path| openapi::load(&path.to_string_lossy()).is_ok_and(|api| !api.operations.is_empty()));
    named
}

/// The file: what was found, and what is set most besides, as comments.
fn settings(found: &Found) -> String {
    let mut text = String::from(
        "# Settings of `restive fuzz`. Every key is a flag, too; `restive fuzz --show-config` prints all of them.\n\n[sut]\n",
    );
    let set = |name: &str, value: &str| format!("{name} = {}\n", toml::Value::from(value));
    match &found.service {
        Service::Jar(jar) => {
            text.push_str("# restive starts this jar, and finds out its port and when it is ready.\n");
            text.push_str(&set("jar", &jar.to_string_lossy().replace('\\', "/")));
            text.push_str("# arguments = [\"--spring.profiles.active=test\"]\n# env = { DATABASE_URL = \"jdbc:h2:mem:test\" }\n");
            let packages = toml::Value::from(found.packages.clone());
            let _ = writeln!(text, "# Packages that hold the service, as they were found out.\n# packages = {packages}");
        }
        Service::Url(url) => {
            text.push_str("# The service runs here. Point restive only at services and data that you may change.\n");
            text.push_str(&set("url", url));
        }
        Service::Command(command, folder) => {
            text.push_str("# restive starts this, and finds out where it listens and whose classes are the service's.\n");
            text.push_str(&set("command", command));
            if folder != Path::new(".") {
                text.push_str(&set("working-directory", &folder.to_string_lossy().replace('\\', "/")));
            }
            text.push_str("# env = { SPRING_PROFILES_ACTIVE = \"test\" }\n");
        }
        Service::Unknown => text.push_str(
            "# How the service is started (a jar or any command), or where it runs already: one of these.\n# jar = \"target/app.jar\"\n\
             # command = \"mvn spring-boot:run\"\n# url = \"http://127.0.0.1:8080\"\n",
        ),
    }
    match (&found.schema, &found.service) {
        (Some(schema), _) => text.push_str(&set("schema", schema)),
        (None, Service::Jar(_) | Service::Command(..)) => text.push_str("# The OpenAPI document is looked for where frameworks offer it. A file or a URL with `{port}`:\n# schema = \"openapi.yaml\"\n"),
        (None, _) => text.push_str("# The OpenAPI or Swagger document, a file or a URL:\n# schema = \"openapi.yaml\"\n"),
    }
    text.push_str(REST);
    text
}

/// What is set most besides.
const REST: &str = r#"
[search]
# Time (`60s`, `10m`, `10h`) or calls (`2000 calls`), which make a run repeatable.
budget = "60s"
# rng-seed = 1

[operations]
# Operations that do harm, by `VERB /path`, `/path/*`, `tag:NAME` or operation id.
# exclude = ["POST /shutdown"]

[auth]
# Users and their logins, in the format of Web Fuzzing Commons. A token of one user comes from the environment: RESTIVE_BEARER.
# file = "auth.yaml"

[reset]
# How the service is brought back before each test; one of these.
# http = "POST /reset"
# command = "./reset.sh"
# restart = true

[output]
out = "out"
# Only findings that this earlier run has not make a run fail.
# baseline = "out.main"
"#;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{Found, InitArgs, Service, in_folder, init, settings};
    use crate::cli::{Config, Exit};

    const DOCUMENT: &str = r#"{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"ok"}}}}}}"#;

    fn found(service: Service) -> Found {
        Found { service, schema: Some("api \"v1\".yaml".to_owned()), packages: vec!["com.acme".to_owned()], notes: Vec::new() }
    }

    #[test]
    fn what_is_written_can_be_read_with_and_without_its_comments() {
        let jar = Service::Jar(PathBuf::from("target/it's \"odd\".jar"));
        let url = Service::Url("http://127.0.0.1:8080".to_owned());
        let command = Service::Command("mvn spring-boot:run".to_owned(), PathBuf::from("the shop"));
        for service in [jar, url, command, Service::Unknown] {
            let text = settings(&found(service.clone()));
            let config = Config::parse(&text, Path::new("restive.toml")).expect("it is read");
            assert_eq!(config.sut.schema.as_deref(), Some("api \"v1\".yaml"));
            assert_eq!(config.sut.jar.is_some(), matches!(service, Service::Jar(_)), "{text}");
            let words = config.sut.command.map(|command| command.0.join(" "));
            let place = config.sut.working_directory.as_deref();
            let is_command = (words.as_deref(), place) == (Some("mvn spring-boot:run"), Some(Path::new("the shop")));
            assert_eq!(is_command, matches!(service, Service::Command(..)), "{text}");
            // Each comment that is a setting is one.
            for line in text.lines().filter_map(|line| line.strip_prefix("# ")) {
                let is_setting = line.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '));
                assert!(!is_setting || toml::from_str::<toml::Value>(line).is_ok(), "{line}");
            }
        }
    }

    #[test]
    fn a_folder_shows_its_document_but_not_what_only_looks_like_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it has one")).and_then(|()| fs::write(path, text)).expect("it is written");
        };
        put("node_modules/x/openapi.json", DOCUMENT);
        put("openapi.json", "{}");
        put("target/classes/openapi.json", DOCUMENT);
        put("src/main/resources/openapi.json", DOCUMENT);
        put("target/app.jar", "no jar");
        let found = in_folder(folder.path()).expect("it is a folder");
        assert!(found.schema.as_ref().is_some_and(|schema| schema.ends_with("src/main/resources/openapi.json")), "{found:?}");
        assert_eq!(found.service, Service::Unknown);
        assert!(in_folder(&folder.path().join("openapi.json")).is_err());
    }

    #[test]
    fn a_file_that_is_there_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = folder.path().join("restive.toml");
        let args = InitArgs { folder: folder.path().to_owned(), jar: None, url: None, write: write.clone(), overwrite: false };
        assert_eq!(init(&args).expect("it is written"), Exit::Clean);
        fs::write(&write, "# mine\n").expect("it is written");
        assert_eq!(init(&args).expect_err("it is there").exit, Exit::Usage);
        assert_eq!(fs::read_to_string(&write).expect("it is there"), "# mine\n");
        init(&InitArgs { overwrite: true, ..args }).expect("it is replaced");
        assert!(fs::read_to_string(&write).expect("it is there").contains("[sut]"));
    }
}
