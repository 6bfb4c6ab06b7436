//! Suites on disk: each file appears whole or not at all, and what an earlier suite left behind goes.
//!
//! A list of the files written stands beside them; only files of such a list are ever removed.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Error as IoError, ErrorKind};
use std::path::{Component, Path};

use super::Error;
use super::model::TestSuite;
use super::place::{WrittenTest, places};
use super::writer::{SuiteWriter, WRITERS};

/// Name of the list of written files in the folder of the suites.
const LIST: &str = ".restive-suite";

/// A file of a written suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// Path below the folder of the suites, with forward slashes.
    pub path: String,
    /// Its tests in their order; empty for a file that only supports the others.
    pub tests: Vec<WrittenTest>,
}

/// Writes `suite` with each of `writers` into its own folder below `folder`, which is made when it is missing; returns
/// the files ordered by path.
///
/// Equal suites give equal bytes. Files of an earlier suite in the same folder that this one does not have are removed;
/// files of others and of forms that are not written now are left alone.
pub fn write(suite: &TestSuite, writers: &[&dyn SuiteWriter], folder: &Path) -> Result<Vec<WrittenFile>, Error> {
    let files = files(suite, writers)?;
    let paths: Vec<String> = files.iter().map(|(file, _)| file.path.clone()).collect();
    let others: Vec<&str> = WRITERS.iter().map(|writer| writer.name()).filter(|name| !is_among(writers, name)).collect();
    write_all(folder, &paths, &files, &others).inspect_err(|_| withdraw(folder, &paths))?;
    Ok(files.into_iter().map(|(file, _)| file).collect())
}

fn is_among(writers: &[&dyn SuiteWriter], name: &str) -> bool {
    writers.iter().any(|writer| writer.name() == name)
}

/// The first file that [`write()`] would replace by another content, as its path below `folder`: somebody changed it, or it
/// is of another run.
pub fn replaced(suite: &TestSuite, writers: &[&dyn SuiteWriter], folder: &Path) -> Result<Option<String>, Error> {
    let is_replaced = |path: &str, content: &[u8]| fs::read(folder.join(path)).is_ok_and(|found| found != content);
    let found = files(suite, writers)?.into_iter().find(|(file, content)| is_replaced(&file.path, content));
    Ok(found.map(|(file, _)| file.path))
}

/// The files of all forms, ordered by path.
fn files(suite: &TestSuite, writers: &[&dyn SuiteWriter]) -> Result<Vec<(WrittenFile, Vec<u8>)>, Error> {
    let mut files = Vec::new();
    for writer in writers {
        for file in writer.files(suite)? {
            let path = format!("{}/{}", writer.name(), file.path);
            let tests = places(&String::from_utf8_lossy(&file.content), &|line| writer.test_begun(line), &file.tests);
            files.push((WrittenFile { path, tests }, file.content));
        }
    }
    files.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
    Ok(files)
}

/// Writes `files`; what the list holds below folders of `others` stays, and stays in the list.
fn write_all(folder: &Path, paths: &[String], files: &[(WrittenFile, Vec<u8>)], others: &[&str]) -> Result<(), Error> {
    for (file, content) in files {
        write_file(folder, &file.path, content)?;
    }
    let mut listed = remove_stale(folder, paths, others)?;
    listed.extend_from_slice(paths);
    listed.sort();
    write_file(folder, LIST, (listed.join("\n") + "\n").as_bytes())
}

/// Removes what could be written of a suite: half of one, on a full disk, helps nobody and is in the way of the next.
fn withdraw(folder: &Path, paths: &[String]) {
    for place in paths.iter().map(|path| folder.join(path)) {
        // Nothing more can be done about what cannot be removed.
        let _ = fs::remove_file(&place);
        remove_empty_folders(folder, &place);
    }
    let _ = fs::remove_dir(folder);
}

/// Writes beside the place first, so that a reader or a crash never finds half a file.
fn write_file(folder: &Path, path: &str, content: &[u8]) -> Result<(), Error> {
    let place = folder.join(path);
    let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let draft = place.with_file_name(format!("{name}.restive-draft"));
    let write = || {
        fs::create_dir_all(place.parent().unwrap_or(folder))?;
        fs::write(&draft, content)?;
        fs::rename(&draft, &place)
    };
    write().map_err(|source| {
        // Nothing more can be done about a rest that cannot be removed.
        let _ = fs::remove_file(&draft);
        Error::write(&place, source)
    })
}

/// Removes files of an earlier suite and returns those that stay because another form has them.
fn remove_stale(folder: &Path, files: &[String], others: &[&str]) -> Result<Vec<String>, Error> {
    let list = match fs::read_to_string(folder.join(LIST)) {
        Ok(list) => list,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidData) => return Ok(Vec::new()),
        Err(source) => return Err(Error::write(&folder.join(LIST), source)),
    };
    let kept: BTreeSet<&str> = files.iter().map(String::as_str).collect();
    let is_other = |path: &&str| path.split_once('/').is_some_and(|(form, _)| others.contains(&form));
    let (others, own): (Vec<&str>, Vec<&str>) = list.lines().filter(|path| is_below(path)).partition(is_other);
    for path in own.into_iter().filter(|path| !kept.contains(path)) {
        let place = folder.join(path);
        match fs::remove_file(&place) {
            Err(source) if source.kind() != ErrorKind::NotFound => return Err(Error::write(&place, source)),
            _ => remove_empty_folders(folder, &place),
        }
    }
    Ok(others.into_iter().map(str::to_owned).collect())
}

/// Whether a path of a list, which anybody may have edited, stays below the folder.
fn is_below(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|component| matches!(component, Component::Normal(_)))
}

/// Removes the folders around a removed file as far as nothing else is in them.
fn remove_empty_folders(folder: &Path, place: &Path) {
    let above = place.ancestors().skip(1).take_while(|above| *above != folder);
    // A folder with something in it cannot be removed, and that is where to stop.
    let _: Result<Vec<()>, IoError> = above.map(fs::remove_dir).collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{WRITERS, sample};

    #[test]
    fn a_file_that_cannot_be_put_in_its_place_leaves_no_draft() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir_all(folder.path().join("a.py/in-the-way")).expect("a writable folder");
        assert!(write_file(folder.path(), "a.py", b"text").is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn every_test_stands_in_one_file_of_each_form() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let suite = sample::suite();
        let written = write(&suite, &WRITERS, folder.path()).expect("a writable folder");
        for test in &suite.tests {
            let places = written.iter().flat_map(|file| &file.tests).filter(|place| place.name == test.name);
            assert_eq!(places.count(), WRITERS.len(), "{}", test.name);
        }
        for file in &written {
            let content = fs::read(folder.path().join(&file.path)).expect("written");
            let content = String::from_utf8_lossy(&content);
            for place in &file.tests {
                let first = content.lines().nth(place.lines.0 - 1).unwrap_or_default();
                assert!(first.contains(&place.written_name), "{first}");
            }
        }
    }

    #[test]
    fn writing_twice_gives_equal_bytes_and_no_drafts() {
        let read = || {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let files = write(&sample::suite(), &WRITERS, folder.path()).expect("a writable folder");
            let contents: Vec<_> =
                files.iter().map(|file| fs::read(folder.path().join(&file.path)).expect("written")).collect();
            (files, contents)
        };
        assert_eq!(read(), read());
    }

    #[test]
    fn only_own_stale_files_are_removed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = |path: &str| folder.path().join(path);
        fs::create_dir_all(place("old/deep")).expect("a folder");
        for path in ["old/deep/test_stale.py", "mine.py", "pytest.ini"] {
            fs::write(place(path), "x").expect("a file");
        }
        let outside = folder.path().with_extension("outside");
        fs::write(&outside, "x").expect("a file");
        let climb = format!("../{}", outside.file_name().expect("a name").to_string_lossy());
        fs::write(place(LIST), format!("old/deep/test_stale.py\n{climb}\n{}\n", outside.display())).expect("a list");
        write(&sample::suite(), &WRITERS, folder.path()).expect("a writable folder");
        assert!(!place("old").exists() && place("mine.py").exists() && place("pytest.ini").exists() && outside.exists());
        fs::remove_file(outside).expect("our own file");
    }

    #[test]
    fn forms_that_are_not_written_now_stay() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let suite = sample::suite();
        let written = |writer| write(&suite, &[writer], folder.path()).expect("a writable folder");
        let first = written(WRITERS[0]);
        let second = written(WRITERS[1]);
        let less = TestSuite { tests: Vec::new(), ..suite.clone() };
        write(&less, &[WRITERS[0]], folder.path()).expect("a writable folder");
        let is_there = |file: &WrittenFile| folder.path().join(&file.path).exists();
        assert!(second.iter().all(is_there));
        let (with_tests, support): (Vec<_>, Vec<_>) = first.iter().partition(|file| !file.tests.is_empty());
        assert!(!with_tests.into_iter().any(is_there) && support.into_iter().all(is_there));
        write(&less, &WRITERS, folder.path()).expect("a writable folder");
        assert!(!second.iter().filter(|file| !file.tests.is_empty()).any(is_there), "still listed");
    }

    #[test]
    fn a_changed_file_is_noticed_before_it_is_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let suite = sample::suite();
        let replaced = || replaced(&suite, &WRITERS, folder.path()).expect("templates work");
        assert_eq!(replaced(), None);
        let files = write(&suite, &WRITERS, folder.path()).expect("a writable folder");
        assert_eq!(replaced(), None);
        fs::write(folder.path().join(&files[0].path), "mine").expect("writable");
        assert_eq!(replaced(), Some(files[0].path.clone()));
    }

    #[test]
    fn of_a_suite_that_cannot_be_written_whole_nothing_stays() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let all = write(&sample::suite(), &WRITERS, &parent.path().join("whole")).expect("a writable folder");
        let last = &all.last().expect("a file").path;
        let folder = parent.path().join("half");
        fs::create_dir_all(folder.join(last).join("in-the-way")).expect("a writable folder");
        write(&sample::suite(), &WRITERS, &folder).expect_err("a folder is where a file has to be");
        let left = all.iter().filter(|file| folder.join(&file.path).exists());
        assert_eq!(left.map(|file| &file.path).collect::<Vec<_>>(), [last]);
        fs::remove_dir_all(folder.join(last)).expect("our own folder");
        let above = folder.join(last).parent().expect("a folder").to_owned();
        assert_eq!(fs::read_dir(&above).expect("still there").count(), 0, "no draft");
        write(&sample::suite(), &WRITERS, &folder).expect("nothing is in the way any more");
    }

    #[test]
    fn unwritable_folder_is_an_error_that_names_the_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("file");
        fs::write(&file, "x").expect("a file");
        let error = write(&sample::suite(), &WRITERS, &file).expect_err("a file is no folder").to_string();
        assert!(error.contains("README.md"), "{error}");
    }
}
