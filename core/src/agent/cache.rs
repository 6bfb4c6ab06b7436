//! The file in the user's cache: where it may lie, and whether what lies there can be trusted.
//!
//! A JVM runs whatever is in the file. So its folder belongs to the user and is closed to others, the file is no link, and
//! its content is compared with the bytes in this binary each time.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, Permissions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use ring::digest::{SHA256, digest};

/// A folder that cannot hold the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// Which.
    pub folder: PathBuf,
    /// Why, as a lower-case fragment.
    pub reason: String,
}

/// The folders and why each cannot be used, in one line.
pub(super) fn listed(folders: &[Unusable]) -> String {
    let lines = folders.iter().map(|Unusable { folder, reason }| format!("`{}`: {reason}", folder.display()));
    lines.collect::<Vec<_>>().join("; ")
}

/// Where the agent may lie, best first.
pub(super) fn folders() -> Vec<PathBuf> {
    candidates(std::env::var_os("XDG_CACHE_HOME"), std::env::home_dir(), &std::env::temp_dir())
}

fn candidates(cache: Option<OsString>, home: Option<PathBuf>, temporary: &Path) -> Vec<PathBuf> {
    // The specification of these folders wants relative paths to be ignored.
    let absolute = |path: PathBuf| Some(path).filter(|path| path.is_absolute());
    let cache = cache.and_then(|cache| absolute(PathBuf::from(cache)));
    let cache = cache.or_else(|| Some(home.and_then(absolute)?.join(".cache")));
    // The service may run in another folder than restive does.
    let temporary = std::path::absolute(temporary).ok();
    // A name per user: others may write there too.
    let temporary = temporary.map(|folder| folder.join(format!("restive-{}", user())));
    cache.map(|cache| cache.join("restive")).into_iter().chain(temporary).collect()
}

/// Makes sure that `library` lies in the first of `folders` that can hold it, and gives its path.
pub(super) fn store(library: &[u8], folders: &[PathBuf]) -> Result<PathBuf, Vec<Unusable>> {
    let name = name(library);
    let mut unusable = Vec::new();
    for folder in folders {
        match store_in(folder, &name, library) {
            Ok(path) => return Ok(path),
            Err(reason) => unusable.push(Unusable { folder: folder.clone(), reason }),
        }
    }
    Err(unusable)
}

/// Several releases lie side by side; `sha256sum` shows whether a file is what its name says.
fn name(library: &[u8]) -> String {
    let hash = digest(&SHA256, library);
    let start = u64::from_be_bytes(*hash.as_ref().first_chunk().expect("it has 32 bytes"));
    format!("agent-{start:016x}{}", std::env::consts::DLL_SUFFIX)
}

fn store_in(folder: &Path, name: &str, library: &[u8]) -> Result<PathBuf, String> {
    if !super::is_sayable(folder) {
        return Err("its path has a `=` or is no UTF-8, which a JVM does not take for an agent".to_owned());
    }
    own(folder)?;
    if refuses_code(folder) {
        return Err("its file system is mounted `noexec`, and no JVM loads a library from there".to_owned());
    }
    let path = folder.join(name);
    if !is_intact(&path, library) {
        replace(folder, &path, library).map_err(|error| format!("cannot write `{name}`: {error}"))?;
    }
    Ok(path)
}

/// Makes the folder when it is missing, and sure that nobody else can put anything there.
fn own(folder: &Path) -> Result<(), String> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| error.to_string())?;
    let found = fs::symlink_metadata(folder).map_err(|error| error.to_string())?;
    if !found.is_dir() {
        return Err("is a link or a file, wanted a folder".to_owned());
    }
    if found.uid() != user() {
        return Err(format!("belongs to user {}, wanted {}", found.uid(), user()));
    }
    if found.mode() & 0o077 != 0 {
        fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Whether the file is the library, and nobody else's to change.
fn is_intact(path: &Path, library: &[u8]) -> bool {
    let closed = |found: &fs::Metadata| found.is_file() && found.uid() == user() && found.mode() & 0o022 == 0;
    fs::symlink_metadata(path).is_ok_and(|found| closed(&found)) && fs::read(path).is_ok_and(|found| found == library)
}

/// Puts a new file in the place of `path`: other runs see the old one or the new one, a JVM keeps the one it has loaded.
fn replace(folder: &Path, path: &Path, library: &[u8]) -> std::io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".agent-").tempfile_in(folder)?;
    file.write_all(library)?;
    file.persist(path)?;
    Ok(())
}

/// The user whose rights this process has.
fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Whether nothing can be executed from there.
#[cfg(target_os = "linux")]
fn refuses_code(folder: &Path) -> bool {
    let noexec = rustix::fs::StatVfsMountFlags::NOEXEC;
    rustix::fs::statvfs(folder).is_ok_and(|system| system.f_flag.contains(noexec))
}

/// Elsewhere only the attempt tells.
#[cfg(not(target_os = "linux"))]
fn refuses_code(_folder: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests;
