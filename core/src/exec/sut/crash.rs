//! What a JVM leaves behind when it crashes: a report in a file, kept beside the log of the service.

use std::fs;
use std::path::{Path, PathBuf};

/// How the files that a JVM writes begin; the number of its process and `.log` follow.
const WRITTEN: &str = "hs_err_pid";
/// How the files that are kept begin; a number from 1 on and `.log` follow.
const KEPT: &str = "hs_err-";
/// Reports that are kept, at most: each is about 100 KB.
const MOST_KEPT: usize = 10;
/// Lines at the start of a report that say what happened.
const HEAD_LINES: usize = 20;

/// The option that makes a JVM leave its report in `log_folder`.
pub(crate) fn option(log_folder: &Path) -> String {
    // The service may be started in another folder.
    let folder = std::path::absolute(log_folder).unwrap_or_else(|_| log_folder.to_owned());
    // A JVM takes `%p` for the number of its process, and `%%` for a percent sign.
    let folder = folder.to_string_lossy().replace('%', "%%");
    format!("-XX:ErrorFile={folder}/{WRITTEN}%p.log")
}

/// Forgets reports of an earlier run.
pub(super) fn clear(log_folder: &Path) {
    for file in written(log_folder).into_iter().chain(kept(log_folder)) {
        // One that stays is no worse than a log that does.
        let _stays = fs::remove_file(file);
    }
}

/// What the report of a JVM that just crashed says, as a fragment after "ended"; none when there is no report. The file is
/// kept, unless there is one already that says the same.
pub(super) fn take(log_folder: &Path) -> Option<String> {
    let file = written(log_folder).into_iter().next_back()?;
    let what = what_happened(&file);
    let earlier = kept(log_folder);
    let known = earlier.iter().find(|file| without_addresses(&what_happened(file)) == without_addresses(&what)).cloned();
    let place = match known {
        Some(known) => Some(known),
        None if earlier.len() < MOST_KEPT => {
            let place = log_folder.join(format!("{KEPT}{}.log", earlier.len() + 1));
            fs::rename(&file, &place).is_ok().then_some(place)
        }
        None => None,
    };
    // Whatever a launcher's JVM left goes with it.
    for rest in written(log_folder) {
        let _stays = fs::remove_file(rest);
    }
    let place = place.and_then(|place| Some(place.file_name()?.to_string_lossy().into_owned()));
    let place = place.map(|name| format!("; its report is `logs/{name}`")).unwrap_or_default();
    Some(format!("in a crash of the JVM, {what}{place}"))
}

/// Signal and frame: `SIGSEGV (0xb) in V [libjvm.so+0xed2f94] Unsafe_PutLong+0x124`.
fn what_happened(file: &Path) -> String {
    let text = String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned();
    let mut lines = text.lines().take(HEAD_LINES).map(|line| line.trim_start_matches('#').trim());
    let signal = lines.by_ref().find(|line| line.contains(" at pc=") || line.starts_with("Internal Error"));
    let frame = lines.skip_while(|line| *line != "Problematic frame:").nth(1);
    let signal = signal.map_or("of unknown kind", |line| line.split(" at pc=").next().unwrap_or(line));
    let frame = frame.map(|frame| frame.split_whitespace().collect::<Vec<_>>().join(" "));
    frame.map_or_else(|| signal.to_owned(), |frame| format!("{signal} in {frame}"))
}

/// What is the same in each process.
fn without_addresses(what: &str) -> String {
    what.split(' ').filter(|word| !word.contains("0x")).collect::<Vec<_>>().join(" ")
}

fn written(log_folder: &Path) -> Vec<PathBuf> {
    listed(log_folder, WRITTEN)
}

fn kept(log_folder: &Path) -> Vec<PathBuf> {
    listed(log_folder, KEPT)
}

/// Files of the folder that begin so, the oldest first.
fn listed(folder: &Path, beginning: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(beginning));
    let mut found: Vec<_> = ours.map(|entry| (entry.metadata().and_then(|data| data.modified()).ok(), entry.path())).collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{clear, option, take};

    const REPORT: &str = "#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n\
        #  SIGSEGV (0xb) at pc=0x00007f2fb78d2f94, pid=PID, tid=5519\n#\n# JRE version: OpenJDK (17)\n\
        # Problematic frame:\n# V  [libjvm.so+0xed2f94]  Unsafe_PutLong+0x124\n#\n";

    #[test]
    fn each_crash_is_kept_once_and_named() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(take(folder.path()), None);
        for pid in ["17", "18"] {
            fs::write(folder.path().join(format!("hs_err_pid{pid}.log")), REPORT.replace("PID", pid)).expect("written");
            let said = take(folder.path()).expect("a report");
            let wanted = "in a crash of the JVM, SIGSEGV (0xb) in V [libjvm.so+0xed2f94] Unsafe_PutLong+0x124; its report is \
                          `logs/hs_err-1.log`";
            assert_eq!(said, wanted);
        }
        fs::write(folder.path().join("hs_err_pid19.log"), REPORT.replace("SIGSEGV", "SIGBUS")).expect("written");
        assert!(take(folder.path()).expect("a report").contains("SIGBUS"));
        let names =
            || fs::read_dir(folder.path()).expect("listed").flatten().map(|entry| entry.file_name()).collect::<Vec<_>>();
        assert_eq!(names().len(), 2, "{:?}", names());
        clear(folder.path());
        assert!(names().is_empty());
    }

    #[test]
    fn a_report_without_a_frame_is_told_all_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("hs_err_pid1.log"), "# Internal Error (a.cpp:3), pid=1\n").expect("written");
        assert!(take(folder.path()).expect("a report").starts_with("in a crash of the JVM, Internal Error (a.cpp:3)"));
    }

    #[test]
    fn folders_may_have_percent_signs() {
        assert_eq!(option("/a%b/logs".as_ref()), "-XX:ErrorFile=/a%%b/logs/hs_err_pid%p.log");
    }
}
