//! Where JDKs and the built agent lie.

use std::path::{Path, PathBuf};

/// Folders that may be the home of a JDK: those of the environment, then those where systems put them.
pub fn homes() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = Vec::new();
    // More homes, as in a path variable.
    let listed = std::env::var_os("RESTIVE_JDKS").unwrap_or_default();
    homes.extend(std::env::split_paths(&listed));
    homes.extend(std::env::var_os("JAVA_HOME").map(PathBuf::from));
    for folder in ["/usr/lib/jvm", "/opt/java", "/Library/Java/JavaVirtualMachines"] {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut found: Vec<_> = entries.map(|entry| entry.path()).collect();
        found.sort();
        homes.extend(found);
    }
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let java = std::env::split_paths(&on_path).map(|folder| folder.join("java")).find(|java| java.is_file());
    let java = java.and_then(|java| java.canonicalize().ok());
    homes.extend(java.and_then(|java| java.ancestors().nth(2).map(Path::to_path_buf)));
    homes
}

/// A compiler, if there is a JDK.
pub fn compiler() -> Option<PathBuf> {
    homes().into_iter().map(|home| home.join("bin/javac")).find(|javac| javac.is_file())
}

/// The agent, which cargo builds next to the tests.
pub fn library() -> PathBuf {
    let test = std::env::current_exe().expect("has a path");
    // Built for the tests, it lies with them; its uplifted copy is only made by a build of its own.
    let folder = test.parent().expect("target/<profile>/deps/test");
    let name = format!("{}restive_agent{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = folder.join(name);
    assert!(library.is_file(), "{} is there", library.display());
    library
}
