//! What changed since a revision, and what of the service that is: classes, and the operations they serve.

use std::collections::BTreeSet;
use std::path::Path;

use crate::api::{Api, OperationIdx};
use crate::changes::{Changes, EarlierFiles};
use crate::cli::source::SchemaSource;
use crate::cli::{CliError, Exit, Settings, tell};
use crate::driver::Driver;
use crate::openapi::{self, Route};
use crate::search::{Changed, top_level};

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

/// Operations of `api` that the documents at `schema` have since `revision`, or describe otherwise than the earlier ones,
/// which `load` reads; none where these are no files of the repository.
pub(super) fn described(
    revision: &str,
    api: &Api,
    schema: &SchemaSource,
    load: impl FnOnce(&str) -> Result<Result<Api, openapi::Error>, CliError>,
) -> Result<Vec<String>, CliError> {
    let SchemaSource::File(schema) = schema else { return Ok(Vec::new()) };
    let files = api.json_schemas.names().map(|name| if name.is_empty() { schema.clone() } else { name.into() });
    let earlier = EarlierFiles::of(Path::new("."), revision, &files.collect::<Vec<_>>());
    let Some(earlier) = earlier.map_err(|error| CliError::from_error(Exit::Usage, &error).hint(error.hint()))? else {
        return Ok(Vec::new());
    };
    let path = earlier.path(schema).map(|path| path.to_string_lossy().into_owned());
    let before = path.as_deref().map_or(Ok(Ok(Api::default())), load)?;
    match before {
        Ok(before) => Ok(openapi::differing(api, &before).into_iter().map(|idx| api.operation(idx).id.clone()).collect()),
        Err(error) => {
            let shown = schema.display().to_string();
            // Where it was put for reading it is of no use to anybody.
            let error = path.map_or_else(|| error.to_string(), |path| error.to_string().replace(&path, &shown));
            tell(&format!("warning: what changed in `{shown}` is not known, for as it was it cannot be read: {error}\n"));
            Ok(Vec::new())
        }
    }
}

/// What the search is told of `changes`: all classes where a driver tells what calls reach, and the operations that these
/// serve by what frameworks have registered; and those that are described otherwise.
pub(super) fn changed(changes: &Changes, driver: Option<&mut Driver>, api: &Api, is_quiet: bool) -> Changed {
    let numbered = (0..).map(OperationIdx).zip(&api.operations);
    let described = numbered.filter(|(_, operation)| changes.described.contains(&operation.id)).map(|(idx, _)| idx);
    let mut preferred = Changed { operations: described.collect(), ..Changed::default() };
    match driver.filter(|driver| driver.guides()) {
        Some(driver) => {
            preferred.classes = changes.classes();
            preferred.operations.extend(served(&preferred.classes, driver, api));
        }
        None if changes.files.is_empty() => {}
        None => {
            let what = "which operations work with the source files that changed";
            tell(&format!("warning: nobody tells {what}: that takes a driver that guides the search\n"));
            if preferred.operations.is_empty() {
                return preferred;
            }
        }
    }
    if !is_quiet {
        tell(&announcement(changes));
    }
    preferred
}

/// Operations that `classes` serve by what frameworks have registered.
fn served(classes: &BTreeSet<String>, driver: &mut Driver, api: &Api) -> Vec<OperationIdx> {
    let routes: Vec<Route> = driver.routes().routes.into_iter().map(discover::route).collect();
    let is_changed = |handler: &str| {
        // `unit.function`, but some frameworks know the unit alone.
        let unit = handler.rsplit_once('.').map_or(handler, |(unit, _)| unit);
        classes.contains(top_level(unit)) || classes.contains(top_level(handler))
    };
    let served = openapi::handlers(api, &routes).into_iter().filter(|(_, handler)| is_changed(handler));
    served.map(|(operation_idx, _)| operation_idx).collect()
}

fn announcement(changes: &Changes) -> String {
    let since = &changes.since;
    let files = match changes.files.as_slice() {
        [] => None,
        [file] => Some(format!("{}; operations that work with it", file.path)),
        files => Some(format!("{} source files; operations that work with them", files.len())),
    };
    let described = match changes.described.as_slice() {
        [] => None,
        [operation] => Some(format!("what the schema says of {operation}, which")),
        operations => Some(format!("what the schema says of {} operations, which", operations.len())),
    };
    match (described, files) {
        (None, None) => format!("changed since {since}: no source files; everything is called alike\n"),
        (Some(described), None) if changes.described.len() == 1 => format!("changed since {since}: {described} comes first\n"),
        (None, Some(one)) | (Some(one), None) => format!("changed since {since}: {one} come first\n"),
        (Some(described), Some(files)) => {
            let described = described.trim_end_matches(", which");
            format!("changed since {since}: {described}, and {files} come first, too\n")
        }
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
            announcement(&Changes { since: "main".to_owned(), files, others: 1, described: Vec::new() })
        };
        assert_eq!(told(&[]), "changed since main: no source files; everything is called alike\n");
        assert_eq!(told(&["a/B.java"]), "changed since main: a/B.java; operations that work with it come first\n");
        assert!(told(&["a/B.java", "a/C.java"]).contains("2 source files"));
    }

    #[test]
    fn operations_that_the_schema_describes_otherwise_are_told() {
        let told = |files: usize, described: &[&str]| {
            let files = vec![ChangedFile { path: "a/B.java".to_owned(), ..ChangedFile::default() }; files];
            let described = described.iter().map(|id| (*id).to_owned()).collect();
            announcement(&Changes { since: "main".to_owned(), files, others: 1, described })
        };
        assert_eq!(told(0, &["GET /a"]), "changed since main: what the schema says of GET /a, which comes first\n");
        let two = "changed since main: what the schema says of 2 operations, which come first\n";
        assert_eq!(told(0, &["GET /a", "GET /b"]), two);
        let both =
            "changed since main: what the schema says of GET /a, and a/B.java; operations that work with it come first, too\n";
        assert_eq!(told(1, &["GET /a"]), both);
    }
}
