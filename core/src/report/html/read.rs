//! Reads `results.json` of a run that ended.

use std::path::Path;

use serde_json::Value;

use crate::report::results::FORMAT_VERSION;
use crate::report::{RESULTS_FILE, StoredError, read_stored};

/// The content of `results.json` in the output folder `folder`.
///
/// # Errors
/// When there is none, it is something else, or another version wrote it.
pub fn read_results(folder: &Path) -> Result<Value, StoredError> {
    let value = read_stored(folder, RESULTS_FILE, FORMAT_VERSION)?;
    let damaged = |reason: &str| StoredError::damaged(folder, RESULTS_FILE, reason);
    for field in ["operations", "findings", "tests", "curve"] {
        if !value[field].is_array() {
            return Err(damaged(&format!("it has no list `{field}`")));
        }
    }
    if !value["run"].is_object() {
        return Err(damaged("it has no `run`"));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{StoredError, read_results};
    use crate::report::Results;
    use crate::report::fixture::Parts;

    #[test]
    fn what_was_written_is_read_and_anything_else_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(read_results(folder.path()), Err(StoredError::NoResults { .. })));
        let path = folder.path().join("results.json");
        let text = Results::from_run(&Parts::new().run()).to_json();
        fs::write(&path, &text).expect("written");
        assert_eq!(read_results(folder.path()).expect("results")["run"]["calls"], 2000);
        for odd in [&text[..text.len() / 2], "[]", "{}", r#"{"format_version": 1}"#, "\u{0}"] {
            fs::write(&path, odd).expect("written");
            let error = read_results(folder.path()).expect_err("no results");
            assert!(matches!(error, StoredError::Damaged { .. }) && !error.hint().is_empty(), "{error}");
        }
        fs::write(&path, r#"{"format_version": 7, "restive_version": "9.1"}"#).expect("written");
        let error = read_results(folder.path()).expect_err("another version").to_string();
        assert!(error.ends_with("has format version 7, wanted 1; restive 9.1 wrote it"), "{error}");
    }
}
