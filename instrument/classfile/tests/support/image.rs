//! Classes out of the JDKs of this machine, for tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::jdk::Jdk;

/// A folder with the classes of this JDK whose path in the image matches `pattern`; made once and kept below `work`.
pub fn classes(jdk: &Jdk, pattern: &str, work: &Path, name: &str) -> PathBuf {
    // Tests of one file run at the same time in one process, those of several files in several processes.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = work.join(format!("jdk-{}-{name}", jdk.version));
    if !folder.is_dir() {
        let part = work.join(format!("jdk-{}-{name}.{}", jdk.version, std::process::id()));
        let include = format!("--include=regex:{pattern}");
        let mut jimage = jdk.program("jimage");
        jimage.arg("extract").arg(format!("--dir={}", part.display())).arg(include).arg(jdk.home.join("lib/modules"));
        assert!(jimage.status().expect("jimage starts").success(), "{jimage:?}");
        if fs::rename(&part, &folder).is_err() {
            // Another test was faster.
            fs::remove_dir_all(&part).expect("the folder was just made");
        }
    }
    folder
}
