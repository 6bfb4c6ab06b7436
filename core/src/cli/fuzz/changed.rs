//! What changed since a revision, and what of the service that is: classes, and the operations they serve.

use std::path::Path;

use crate::api::Api;
use crate::changes::{Changes, top_level};
use crate::cli::{CliError, Exit, Settings, tell};
use crate::driver::Driver;
use crate::openapi::{self, Route};
use crate::search::Changed;

use super::discover;

/// What changed, where the user wants to know: as it was when the run began, should this one go on with it.
pub(super) fn changes(settings: &Settings) -> Result<Option<Changes>, CliError> {
    let Some(revision) = &settings.operations.changed_since else { return Ok(None) };
    if let Some(run) = &settings.resumed {
        return Ok(run.changes.clone());
    }
    let changes = Changes::since(Path::new("."), revision);
    changes.map(Some).map_err(|error| CliError::from_error(Exit::Usage, &error).hint(error.hint()))
}

/// What the search is told of `changes`: all classes where a driver tells what calls reach, and the operations that these
/// serve by what frameworks have registered.
pub(super) fn changed(changes: &Changes, driver: Option<&mut Driver>, api: &Api, is_quiet: bool) -> Changed {
    let Some(driver) = driver.filter(|driver| driver.guides()) else {
        tell("warning: nobody tells which operations work with what changed: that takes a driver that guides the search\n");
        return Changed::default();
    };
    let classes = changes.classes();
    let routes: Vec<Route> = driver.routes().routes.into_iter().map(discover::route).collect();
    let is_changed = |handler: &str| {
        // `unit.function`, but some frameworks know the unit alone.
        let unit = handler.rsplit_once('.').map_or(handler, |(unit, _)| unit);
        classes.contains(top_level(unit)) || classes.contains(top_level(handler))
    };
    let served = openapi::handlers(api, &routes).into_iter().filter(|(_, handler)| is_changed(handler));
    let operations = served.map(|(operation_idx, _)| operation_idx).collect();
    if !is_quiet {
        tell(&announcement(changes));
    }
    Changed { classes, operations }
}

fn announcement(changes: &Changes) -> String {
    let since = &changes.since;
    match changes.files.len() {
        0 => format!("changed since {since}: no source files; everything is called alike\n"),
        1 => format!("changed since {since}: {}; operations that work with it come first\n", changes.files[0].path),
        n => format!("changed since {since}: {n} source files; operations that work with them come first\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::announcement;
    use crate::changes::{ChangedFile, Changes};

    #[test]
    fn what_changed_is_named_where_it_is_one_file() {
        let file = |path: &str| ChangedFile { path: path.to_owned(), ..ChangedFile::default() };
        let told = |files: &[&str]| {
            let files = files.iter().map(|path| file(path)).collect();
            announcement(&Changes { since: "main".to_owned(), files, others: 1 })
        };
        assert_eq!(told(&[]), "changed since main: no source files; everything is called alike\n");
        assert_eq!(told(&["a/B.java"]), "changed since main: a/B.java; operations that work with it come first\n");
        assert!(told(&["a/B.java", "a/C.java"]).contains("2 source files"));
    }
}
