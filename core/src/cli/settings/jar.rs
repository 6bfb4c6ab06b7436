//! The jar that is started, what starts it, and which of its packages are the service.

use std::path::PathBuf;

use toml::Value;

use crate::report::is_secret_name;

use super::super::layers::{Layers, MASK, Origin};
use super::super::sections::SutSection;
use super::super::{CliError, Config};

/// A jar that restive starts, as far as its user says how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JarSettings {
    /// The file.
    pub file: PathBuf,
    /// The Java that runs it; none to look for one.
    pub java: Option<PathBuf>,
    /// Arguments of the JVM.
    pub jvm_args: Vec<String>,
    /// Arguments of the application; `{port}` stands for its port.
    pub arguments: Vec<String>,
}

/// Joins and checks what is said of the jar.
pub(super) fn pick(layers: &mut Layers, typed: &SutSection, config: &Config) -> Result<Option<JarSettings>, CliError> {
    let file = &config.sut;
    // A command typed to start the service puts aside the jar of the file.
    let in_file = file.jar.as_deref().filter(|_| typed.command.is_none()).map(|path| config.resolve(path));
    let jar = layers.pick("sut.jar", typed.jar.clone(), in_file, None);
    let is_program = |path: &PathBuf| path.components().count() == 1;
    let java_of_file = file.java.clone().map(|path| if is_program(&path) { path } else { config.resolve(&path) });
    let java = layers.pick("sut.java", typed.java.clone(), java_of_file, None);
    let jvm_args = pick_words(layers, "sut.jvm-arg", &typed.jvm_arg, &file.jvm_arg);
    let arguments = pick_words(layers, "sut.arguments", &typed.arguments, &file.arguments);
    let Some(jar) = jar else {
        let keys = ["sut.java", "sut.jvm-arg", "sut.arguments"].into_iter();
        // What the file says of a jar is put aside together with the jar.
        let is_set = |key: &&str| !matches!(layers.origin_of(key), Origin::Default | Origin::File);
        return match keys.clone().find(is_set) {
            None => Ok(None),
            Some(key) => Err(CliError::usage(format!("{} is of use only with a jar", name(layers, key)))
                .hint("add `--jar FILE`; a `--command` has its arguments in itself")),
        };
    };
    Ok(Some(JarSettings { file: jar, java, jvm_args, arguments }))
}

/// Joins the packages that hold the service.
pub(super) fn pick_packages(layers: &mut Layers, typed: &SutSection, file: &SutSection) -> Vec<String> {
    let some = |list: &[String]| (!list.is_empty()).then(|| list.to_vec());
    layers.pick("sut.packages", some(&typed.packages), some(&file.packages), None).unwrap_or_default()
}

/// Words of a command line: typed ones replace those of the file, and values of secrets are not shown.
fn pick_words(layers: &mut Layers, key: &'static str, typed: &[String], file: &[String]) -> Vec<String> {
    let (words, origin) = match (typed, file) {
        ([], []) => (file, Origin::Default),
        ([], _) => (file, Origin::File),
        _ => (typed, layers.typed_origin(key)),
    };
    let before = std::iter::once("").chain(words.iter().map(String::as_str));
    let shown: Vec<Value> = before.zip(words).map(|(before, word)| Value::from(masked(before, word))).collect();
    layers.record(key, (!shown.is_empty()).then_some(Value::Array(shown)), origin);
    words.to_vec()
}

/// A word such as `-Dname=value`, `--name=value` or the value behind `--name`, without the value when the name says that it
/// is secret.
fn masked(before: &str, word: &str) -> String {
    match word.split_once('=') {
        Some((name, _)) if is_secret_name(name) => format!("{name}={MASK}"),
        _ if before.starts_with('-') && !before.contains('=') && is_secret_name(before) => MASK.to_owned(),
        _ => word.to_owned(),
    }
}

fn name(layers: &Layers, key: &str) -> String {
    if key == "sut.arguments" { "an argument after `--`".to_owned() } else { super::place(layers, key) }
}
