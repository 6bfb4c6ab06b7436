//! The lines of a study's runs: appended one by one, so that an interruption costs the run it meets and no other.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::Record;
use super::expand::Shard;
use super::record::FORMAT_VERSION;

/// The file of one part of a study, open for appending by this process alone.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens `runs-I-of-N.jsonl` in the folder, and mends a last line that was half written.
    pub fn open(folder: &Path, shard: Shard) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
        let path = folder.join(format!("runs-{}-of-{}.jsonl", shard.number, shard.count));
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.with_context(|| format!("cannot open `{}`", path.display()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another process writes `{}`: wait for it or stop it", path.display()),
            Err(TryLockError::Error(error)) => return Err(error).context(format!("cannot lock `{}`", path.display())),
        }
        let mut journal = Self { file, path };
        journal.mend()?;
        Ok(journal)
    }

    /// Adds a line and waits until it is on the disk.
    pub fn append(&mut self, record: &Record) -> Result<()> {
        let mut line = serde_json::to_string(record).context("cannot write a run as JSON")?;
        line.push('\n');
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| format!("cannot write to `{}`", self.path.display()))
    }

    /// A last line without its line break gets it when it is whole, and goes when it is not.
    fn mend(&mut self) -> Result<()> {
        let text = fs::read(&self.path).with_context(|| format!("cannot read `{}`", self.path.display()))?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let rest = &text[whole..];
        if rest.is_empty() {
            return Ok(());
        }
        if serde_json::from_slice::<Record>(rest).is_ok() {
            self.file.write_all(b"\n")?;
        } else {
            eprintln!("warning: the last line of `{}` was half written: that run is made again", self.path.display());
            self.file.set_len(whole as u64)?;
        }
        self.file.sync_data().with_context(|| format!("cannot write to `{}`", self.path.display()))
    }
}

impl Drop for Journal {
    /// Closing the file is not enough: a process that is just being started has it open too, until its program is loaded.
    fn drop(&mut self) {
        // The end of this process frees it at the latest.
        let _ = self.file.unlock();
    }
}

/// All lines in a folder, of all parts: file by file in the order of their names, each from its beginning.
///
/// A last line that is half written does not count: another process may be writing it.
pub fn read_folder(folder: &Path) -> Result<Vec<Record>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot look into `{}`", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let begins = path.file_stem().is_some_and(|name| name.to_string_lossy().starts_with("runs-"));
        if begins && path.extension().is_some_and(|extension| extension == "jsonl") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut records = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
        for (idx, line) in text.split_inclusive('\n').enumerate().filter(|(_, line)| line.ends_with('\n')) {
            let record: Record = serde_json::from_str(line)
                .with_context(|| format!("{}:{}: this is not the line of a run", path.display(), idx + 1))?;
            if record.format_version != FORMAT_VERSION {
                let (found, wanted) = (record.format_version, FORMAT_VERSION);
                bail!("{}:{}: found lines of version {found}, wanted {wanted}", path.display(), idx + 1);
            }
            records.push(record);
        }
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::super::figures::Figures;
    use super::super::record::tests::record;
    use super::*;

    fn two_lines(folder: &Path) -> PathBuf {
        let mut journal = Journal::open(folder, Shard::WHOLE).expect("opened");
        journal.append(&record("a", 1, Figures::default())).expect("written");
        journal.append(&record("a", 2, Figures::default())).expect("written");
        journal.path.clone()
    }

    fn seeds(folder: &Path) -> Vec<u64> {
        read_folder(folder).expect("read").iter().map(|record| record.rng_seed).collect()
    }

    /// Wherever the writing broke off, all lines before stay, and the next one stands on its own.
    #[test]
    fn a_half_written_last_line_is_mended_wherever_it_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = two_lines(folder.path());
        let text = fs::read(&path).expect("read");
        let first = text.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
        for end in first..=text.len() {
            fs::write(&path, &text[..end]).expect("cut");
            let mut journal = Journal::open(folder.path(), Shard::WHOLE).expect("mended");
            journal.append(&record("a", 3, Figures::default())).expect("written");
            let second = if end >= text.len() - 1 { vec![1, 2, 3] } else { vec![1, 3] };
            assert_eq!(seeds(folder.path()), second, "cut at {end} of {}", text.len());
        }
    }

    #[test]
    fn a_line_that_another_process_is_writing_does_not_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = two_lines(folder.path());
        let text = fs::read(&path).expect("read");
        fs::write(&path, &text[..text.len() - 5]).expect("cut");
        assert_eq!(seeds(folder.path()), [1]);
    }

    #[test]
    fn a_broken_line_in_the_middle_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = two_lines(folder.path());
        fs::write(&path, format!("{{}}\n{}", fs::read_to_string(&path).expect("read"))).expect("written");
        let error = read_folder(folder.path()).expect_err("the first line is broken");
        assert!(error.to_string().contains("runs-1-of-1.jsonl:1:"), "{error}");
    }

    #[test]
    fn two_processes_cannot_write_the_same_part() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = Journal::open(folder.path(), Shard::WHOLE).expect("opened");
        assert!(Journal::open(folder.path(), Shard::WHOLE).expect_err("it is locked").to_string().contains("another process"));
        Journal::open(folder.path(), Shard { number: 2, count: 2 }).expect("another part");
        drop(first);
        Journal::open(folder.path(), Shard::WHOLE).expect("free again");
    }
}
