//! `restive sut inspect`: what was found out about a jar, and what was guessed from what.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::jar::{self, Guess, Jar, Library, Scope};
use crate::report::printable;

use super::jvm::{self, Jvm};
use super::{CliError, Exit, jar_error, print};

/// Flags of `restive sut inspect`.
#[derive(Debug, Clone, Args)]
pub struct InspectArgs {
    /// The application's runnable jar
    #[arg(long, value_name = "FILE")]
    pub jar: PathBuf,
    /// Package that holds the service, instead of those found out (repeatable)
    #[arg(long, value_name = "PACKAGE", value_delimiter = ',')]
    pub packages: Vec<String>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// Reads the jar and prints to standard output what it tells.
pub fn inspect(args: &InspectArgs) -> Result<Exit, CliError> {
    let jar = jar::read(&args.jar, &args.packages).map_err(|error| jar_error(&error))?;
    let jvm = jvm::find(None, jar.java.as_ref().map(|java| java.value)).ok();
    print(&if args.json { format!("{:#}\n", to_json(&jar, jvm.as_ref())) } else { to_text(&jar, jvm.as_ref()) })
}

fn to_json(jar: &Jar, jvm: Option<&Jvm>) -> Value {
    let Scope { include, exclude } = jar.scope();
    let guess = |guess: &Guess<String>| json!({ "value": guess.value, "because": guess.because });
    let own = |library: &&Library| library.own.is_some();
    json!({
        "jar": jar.path.to_string_lossy(),
        "layout": { "value": jar.layout.value.to_string(), "because": jar.layout.because },
        "framework": { "value": jar.framework.value.to_string(), "because": jar.framework.because },
        "port_variables": jar.framework.value.port_variables(),
        "base_path": jar.served.base.as_ref().map(guess),
        "schema_path": jar.served.schema.as_ref().map(guess),
        "main_class": jar.main_class,
        "start_class": jar.start_class.as_ref().map(guess),
        "java": jar.java.as_ref().map(|java| json!({ "value": java.value, "because": java.because })),
        "started_by": jvm.map(|jvm| json!({ "java": jvm.java.to_string_lossy(), "version": jvm.version })),
        "version": jar.version,
        "packages": jar.own.iter().map(guess).collect::<Vec<_>>(),
        "relocated": jar.relocated.iter().map(guess).collect::<Vec<_>>(),
        "scope": { "include": include, "exclude": exclude },
        "own_classes": jar.own_classes(),
        "classes": all_classes(jar),
        "own_modules": jar.libraries.iter().filter(own).map(module).collect::<Vec<_>>(),
        "libraries": jar.libraries.iter().filter(|library| !own(library)).map(module).collect::<Vec<_>>(),
        "classes_per_package": jar.packages.iter().map(|(package, n)| (package.to_owned(), json!(n))).collect::<serde_json::Map<_, _>>(),
        "documents": jar.documents.iter().map(|document| json!({
            "entry": document.entry, "in": document.library, "bytes": document.n_bytes,
        })).collect::<Vec<_>>(),
    })
}

fn module(library: &Library) -> Value {
    let coordinates = &library.coordinates;
    json!({
        "place": library.place, "group": coordinates.group, "artifact": coordinates.artifact, "version": coordinates.version,
        "classes": library.packages.classes(), "because": library.own,
    })
}

fn all_classes(jar: &Jar) -> usize {
    jar.packages.classes() + jar.libraries.iter().map(|library| library.packages.classes()).sum::<usize>()
}

/// Lines for people.
///
/// Names come from the jar and must not trick a terminal.
#[derive(Default)]
struct Text(String);

impl Text {
    fn put(&mut self, line: &str) {
        let _ = writeln!(self.0, "{}", printable(line));
    }

    fn beginning(&mut self, jar: &Jar, jvm: Option<&Jvm>) {
        self.put(&jar.path.display().to_string());
        self.put(&format!("layout: {}, because {}", jar.layout.value, jar.layout.because));
        self.put(&format!("framework: {}, because {}", jar.framework.value, jar.framework.because));
        let variables = jar.framework.value.port_variables().join(" and ");
        self.put(&format!("port: a free one, given as {variables}; where it really listens is looked at"));
        for (what, path) in [("base path", &jar.served.base), ("schema path", &jar.served.schema)] {
            if let Some(path) = path {
                self.put(&format!("{what}: {}, because {}", path.value, path.because));
            }
        }
        self.put(&format!("main class: {}", jar.main_class));
        match &jar.start_class {
            Some(start) => self.put(&format!("start class: {}, because {}", start.value, start.because)),
            None => self.put("start class: not known, because the main class was made by the build"),
        }
        if let Some(java) = &jar.java {
            self.put(&format!("Java: {} or newer, because {}", java.value, java.because));
        }
        match jvm {
            Some(jvm) => self.put(&format!("started by: {jvm}")),
            None => self.put("started by: no JVM found; `--java FILE` of `restive fuzz` names one"),
        }
    }

    fn packages(&mut self, jar: &Jar) {
        self.put("");
        self.put(&format!("{} of {} classes are the service, in", jar.own_classes(), all_classes(jar)));
        for guess in &jar.own {
            let package = if guess.value.is_empty() { "(the default package)" } else { &guess.value };
            self.put(&format!("  {package}, because {}", guess.because));
        }
        if jar.own.is_empty() {
            self.put("  nothing that could be told; name the packages with `--packages`");
        }
        for guess in &jar.relocated {
            self.put(&format!("  without {}, because {}", guess.value, guess.because));
        }
    }

    fn libraries(&mut self, jar: &Jar) {
        let own: Vec<_> = jar.libraries.iter().filter_map(|library| Some((library, library.own.as_ref()?))).collect();
        self.put("");
        self.put(&format!(
            "{} loaded with it, {} of them a part of the service",
            counted(jar.libraries.len(), "jar"),
            own.len()
        ));
        for (library, because) in own {
            let classes = counted(library.packages.classes(), "class");
            self.put(&format!("  {} ({classes}), because {because}", library.place));
        }
    }

    fn documents(&mut self, jar: &Jar) {
        self.put("");
        self.put(&format!("{} in the jar", counted(jar.documents.len(), "schema document")));
        for document in &jar.documents {
            let library = document.library.as_ref().map(|library| format!(" in {library}")).unwrap_or_default();
            self.put(&format!("  {}{library} ({})", document.entry, counted(document.n_bytes, "byte")));
        }
    }
}

fn to_text(jar: &Jar, jvm: Option<&Jvm>) -> String {
    let mut text = Text::default();
    text.beginning(jar, jvm);
    text.packages(jar);
    text.libraries(jar);
    text.documents(jar);
    text.0
}

/// The number with its noun, which is `class` or takes a plain plural.
fn counted(count: usize, noun: &str) -> String {
    let ending = match (count, noun) {
        (1, _) => "",
        (_, "class") => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}
