//! What shells and readers of manuals are given: completions and man pages, both made from the command line itself.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;

use super::{CliError, Exit, args, print, tell};

/// Flags of `restive completions`.
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// The shell that shall complete
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

/// Flags of `restive man`.
#[derive(Debug, Clone, Args)]
pub struct ManArgs {
    /// Folder to write a page for every command to, instead of printing that of `restive`
    #[arg(long, value_name = "DIR")]
    pub write: Option<PathBuf>,
}

/// Prints the script that a shell completes by.
pub fn completions(args: &CompletionsArgs) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "restive", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Prints the page of `restive`, or writes those of all commands.
pub fn man(args: &ManArgs) -> Result<Exit, CliError> {
    let mut command = args::command();
    // Names of commands with those around them: `restive schema check`.
    command.build();
    match &args.write {
        None => print(&String::from_utf8_lossy(&page(&command).map_err(|error| unwritten(Path::new("stdout"), &error))?)),
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
            let n = write_pages(&command, folder)?;
            tell(&format!(
                "{n} pages in {}; read one with `man {}`\n",
                folder.display(),
                folder.join("restive-fuzz.1").display()
            ));
            Ok(Exit::Clean)
        }
    }
}

fn page(command: &Command) -> std::io::Result<Vec<u8>> {
    let name = page_name(command);
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).title(name).render(&mut page)?;
    Ok(page)
}

/// `restive-schema-check`.
fn page_name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).replace(' ', "-")
}

/// Writes the pages of a command and of those below it, and says how many.
fn write_pages(command: &Command, folder: &Path) -> Result<usize, CliError> {
    let file = folder.join(format!("{}.1", page_name(command)));
    let written = page(command).and_then(|page| fs::write(&file, page));
    written.map_err(|error| unwritten(&file, &error))?;
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    below.map(|below| write_pages(below, folder)).try_fold(1, |all, n| Ok(all + n?))
}

fn unwritten(path: &Path, error: &std::io::Error) -> CliError {
    CliError::environment(format!("cannot write `{}`: {error}", path.display())).hint("give a folder that can be written to")
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;
    use clap_complete::Shell;

    use super::{args, page, write_pages};

    #[test]
    fn every_shell_completes_the_flags_of_fuzz() {
        for shell in Shell::value_variants() {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut args::command(), "restive", &mut script);
            let script = String::from_utf8(script).expect("a script is text");
            assert!(script.contains("rng-seed") && script.contains("junit"), "{shell}");
        }
    }

    #[test]
    fn every_command_has_a_page() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = args::command();
        command.build();
        let n = write_pages(&command, folder.path()).expect("the folder can be written to");
        for name in ["restive.1", "restive-fuzz.1", "restive-schema-check.1"] {
            assert!(folder.path().join(name).is_file(), "{name}");
        }
        assert!(n >= 10 && !folder.path().join("restive-demo-service.1").exists(), "{n}");
        let page = String::from_utf8(page(&command).expect("it is written")).expect("a page is text");
        assert!(page.contains(".SH NAME") && page.contains("restive\\-fuzz"), "{page}");
    }
}
