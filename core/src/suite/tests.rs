//! Written suites against goldens and against the real languages.

use std::fs;
use std::path::Path;

mod hostile;
mod live;

use super::writer::WRITERS;
use super::*;

/// Folder of the goldens, one folder per form.
const GOLDENS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite");

#[test]
fn certificates_are_left_unverified_only_when_the_run_did_so() {
    for insecure in [false, true] {
        let suite = TestSuite { insecure, base_url: "https://example.org".into(), ..sample::suite() };
        let marks = [
            "verify=False",
            "relaxedHTTPSValidation()",
            "relaxedHTTPSValidation()",
            "tls_danger_accept_invalid_certs",
            "rejectUnauthorized",
            "--env default --insecure`",
            "--insecure)",
        ];
        for (writer, mark) in WRITERS.into_iter().zip(marks) {
            let files = writer.files(&suite).expect("templates work");
            assert_eq!(
                files.iter().any(|file| String::from_utf8_lossy(&file.content).contains(mark)),
                insecure,
                "{}",
                writer.name()
            );
        }
    }
}

#[test]
fn written_files_are_the_goldens() {
    let bless = std::env::var_os("BLESS").is_some();
    for writer in WRITERS {
        for file in writer.files(&sample::suite()).expect("templates work") {
            let place = Path::new(GOLDENS).join(writer.name()).join(&file.path);
            if bless {
                fs::create_dir_all(place.parent().expect("a folder")).expect("a writable folder");
                fs::write(&place, &file.content).expect("a writable file");
            }
            let golden = fs::read(&place).unwrap_or_default();
            let (written, golden) = (String::from_utf8_lossy(&file.content), String::from_utf8_lossy(&golden));
            assert_eq!(written, golden, "{} differs; BLESS=1 rewrites it", place.display());
        }
    }
}
