//! The jar that is started, and what starts it.

use std::path::PathBuf;

use super::super::layers::{Layers, Origin};
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
    /// Packages that hold the service; empty to find them out.
    pub packages: Vec<String>,
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
    let some = |list: &[String]| (!list.is_empty()).then(|| list.to_vec());
    let jvm_args = layers.pick("sut.jvm-arg", some(&typed.jvm_arg), some(&file.jvm_arg), None);
    let packages = layers.pick("sut.packages", some(&typed.packages), some(&file.packages), None);
    let arguments = layers.pick("sut.arguments", some(&typed.arguments), some(&file.arguments), None);
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
    let (jvm_args, arguments) = (jvm_args.unwrap_or_default(), arguments.unwrap_or_default());
    Ok(Some(JarSettings { file: jar, java, jvm_args, arguments, packages: packages.unwrap_or_default() }))
}

fn name(layers: &Layers, key: &str) -> String {
    if key == "sut.arguments" { "an argument after `--`".to_owned() } else { super::place(layers, key) }
}
