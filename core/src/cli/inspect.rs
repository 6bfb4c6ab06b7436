//! `restive sut inspect`: what was found out about a jar, and what was guessed from what.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::jar::{self, Guess, Jar, Library};
use crate::report::printable;

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
    let mut jar = jar::read(&args.jar).map_err(|error| jar_error(&error))?;
    if !args.packages.is_empty() {
        jar.own = args.packages.iter().map(|package| Guess::new(package.clone(), "`--packages` names it")).collect();
    }
    print(&if args.json { format!("{:#}\n", to_json(&jar)) } else { to_text(&jar) })
}

fn to_json(jar: &Jar) -> Value {
    let guess = |guess: &Guess<String>| json!({ "value": guess.value, "because": guess.because });
    let own = |library: &&Library| library.own.is_some();
    json!({
        "jar": jar.path.to_string_lossy(),
        "layout": { "value": jar.layout.value.to_string(), "because": jar.layout.because },
        "framework": { "value": jar.framework.value.to_string(), "because": jar.framework.because },
        "port_variable": jar.framework.value.port_variable(),
        "main_class": jar.main_class,
        "start_class": jar.start_class.as_ref().map(guess),
        "java": jar.java,
        "version": jar.version,
        "packages": jar.own.iter().map(guess).collect::<Vec<_>>(),
        "relocated": jar.relocated.iter().map(guess).collect::<Vec<_>>(),
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

fn to_text(jar: &Jar) -> String {
    let mut text = String::new();
    // Names come from the jar and must not trick a terminal.
    let mut put = |line: String| {
        let _ = writeln!(text, "{}", printable(&line));
    };
    put(jar.path.display().to_string());
    put(format!("layout: {}, because {}", jar.layout.value, jar.layout.because));
    put(format!("framework: {}, because {}", jar.framework.value, jar.framework.because));
    put(format!("port: a free one, given as {}; where it really listens is looked at", jar.framework.value.port_variable()));
    put(format!("main class: {}", jar.main_class));
    match &jar.start_class {
        Some(start) => put(format!("start class: {}, because {}", start.value, start.because)),
        None => put("start class: not known, because the main class was made by the build".to_owned()),
    }
    if let Some(java) = jar.java {
        put(format!("Java: {java} or newer, because of the start class"));
    }
    put(String::new());
    put(format!("{} of {} classes are the service, in", jar.own_classes(), all_classes(jar)));
    for guess in &jar.own {
        put(format!("  {}, because {}", shown(&guess.value), guess.because));
    }
    if jar.own.is_empty() {
        put("  nothing that could be told; name the packages with `--packages`".to_owned());
    }
    for guess in &jar.relocated {
        put(format!("  without {}, because {}", guess.value, guess.because));
    }
    let own: Vec<_> = jar.libraries.iter().filter_map(|library| Some((library, library.own.as_ref()?))).collect();
    put(String::new());
    put(format!("{} other jars, {} of them parts of the service", jar.libraries.len(), own.len()));
    for (library, because) in own {
        put(format!("  {} ({} classes), because {because}", library.place, library.packages.classes()));
    }
    put(String::new());
    put(format!("{} schema documents in the jar", jar.documents.len()));
    for document in &jar.documents {
        let library = document.library.as_ref().map(|library| format!(" in {library}")).unwrap_or_default();
        put(format!("  {}{library} ({} bytes)", document.entry, document.n_bytes));
    }
    text
}

fn shown(package: &str) -> &str {
    if package.is_empty() { "(the default package)" } else { package }
}
