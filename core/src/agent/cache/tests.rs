use std::os::unix::fs::{chown, symlink};

use tempfile::{TempDir, tempdir};

use super::*;

const LIBRARY: &[u8] = b"\x7fELF and so on";

fn empty() -> TempDir {
    tempdir().expect("a folder")
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("is there").mode() & 0o777
}

/// Stores in a folder that is to be usable.
fn stored(folder: &Path) -> PathBuf {
    let path = store(LIBRARY, &[folder.to_path_buf()]).expect("the folder is good");
    assert_eq!(fs::read(&path).expect("reads"), LIBRARY);
    assert_eq!((mode(folder), mode(&path)), (0o700, 0o600));
    assert_eq!(fs::read_dir(folder).expect("a folder").count(), 1, "nothing else is left behind");
    path
}

/// The reason why the only folder cannot be used.
fn refused(folder: &Path) -> String {
    let mut unusable = store(LIBRARY, &[folder.to_path_buf()]).expect_err("the folder is bad");
    assert_eq!(unusable.len(), 1);
    unusable.remove(0).reason
}

#[test]
fn file_is_written_once_and_then_used() {
    let cache = empty();
    let folder = cache.path().join("deep/restive");
    let path = stored(&folder);
    assert_eq!(path.parent(), Some(folder.as_path()));
    let first = fs::metadata(&path).expect("is there");
    stored(&folder);
    let second = fs::metadata(&path).expect("is there");
    assert_eq!(first.ino(), second.ino(), "not written again");
}

#[test]
fn name_says_the_hash() {
    assert_eq!(name(b""), format!("agent-e3b0c44298fc1c14{}", std::env::consts::DLL_SUFFIX));
    assert_ne!(name(LIBRARY), name(b""));
}

#[test]
fn changed_or_shortened_file_is_rewritten() {
    let cache = empty();
    let path = stored(cache.path());
    for wrong in [&b"\x7fELF and so up"[..], &LIBRARY[..4], b""] {
        fs::write(&path, wrong).expect("writes");
        stored(cache.path());
    }
}

#[test]
fn file_that_others_may_write_is_replaced_by_another() {
    let cache = empty();
    let path = stored(cache.path());
    let before = fs::metadata(&path).expect("is there").ino();
    fs::set_permissions(&path, Permissions::from_mode(0o666)).expect("is ours");
    // Its number could be used again when the file were gone.
    let _kept = fs::File::open(&path).expect("opens");
    stored(cache.path());
    assert_ne!(fs::metadata(&path).expect("is there").ino(), before);
}

#[test]
fn link_in_place_of_the_file_is_replaced_and_not_followed() {
    let (cache, elsewhere) = (empty(), empty());
    let path = stored(cache.path());
    let victim = elsewhere.path().join("victim");
    for content in [LIBRARY, b"precious"] {
        fs::write(&victim, content).expect("writes");
        fs::remove_file(&path).expect("is there");
        symlink(&victim, &path).expect("links");
        stored(cache.path());
        assert_eq!(fs::read(&victim).expect("reads"), content);
        assert!(fs::symlink_metadata(&path).expect("is there").is_file());
    }
}

#[test]
fn open_folder_is_closed() {
    let cache = empty();
    fs::set_permissions(cache.path(), Permissions::from_mode(0o777)).expect("is ours");
    stored(cache.path());
}

#[test]
fn folder_of_another_user_is_not_trusted() {
    // Root can give a folder away; everybody else finds one of root's.
    let cache = empty();
    let strange = if chown(cache.path(), Some(user() + 1), None).is_ok() { cache.path() } else { Path::new("/usr") };
    let reason = refused(strange);
    assert!(reason.starts_with("belongs to user "), "{reason}");
}

#[test]
fn link_in_place_of_the_folder_is_not_trusted() {
    let cache = empty();
    let folder = cache.path().join("restive");
    symlink(cache.path(), &folder).expect("links");
    assert_eq!(refused(&folder), "is a link or a file, wanted a folder");
}

#[test]
fn next_folder_is_taken_where_the_first_cannot_be_made() {
    let cache = empty();
    let file = cache.path().join("file");
    fs::write(&file, "").expect("writes");
    let (bad, good) = (file.join("restive"), cache.path().join("good"));
    let path = store(LIBRARY, &[bad.clone(), good.clone()]).expect("the second is good");
    assert_eq!(path.parent(), Some(good.as_path()));
    assert!(!refused(&bad).is_empty());
}

#[test]
fn folder_in_place_of_the_file_is_an_error() {
    let cache = empty();
    fs::create_dir(cache.path().join(name(LIBRARY))).expect("creates");
    let reason = refused(cache.path());
    assert!(reason.starts_with("cannot write `agent-"), "{reason}");
}

#[test]
fn path_that_a_jvm_cuts_is_refused() {
    let cache = empty();
    assert!(refused(&cache.path().join("user=7")).contains('='));
    assert!(!cache.path().join("user=7").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn mount_without_execution_is_seen() {
    assert!(!refuses_code(Path::new("/usr/bin")));
    let mounts = fs::read_to_string("/proc/self/mounts").expect("Linux says what is mounted");
    let noexec = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let (folder, options) = (words.nth(1)?, words.nth(1)?);
        options.split(',').any(|option| option == "noexec").then_some(folder)
    });
    // A path that is mounted twice shows the second one.
    let seen: Vec<&str> = noexec.filter(|folder| refuses_code(Path::new(folder))).collect();
    if seen.is_empty() {
        println!("skipped: nothing is mounted noexec");
    }
}

#[test]
fn folders_follow_the_environment() {
    let own = Path::new("/tmp").join(format!("restive-{}", user()));
    let found = |cache: Option<&str>, home: Option<&str>| {
        candidates(cache.map(OsString::from), home.map(PathBuf::from), Path::new("/tmp"))
    };
    let home = PathBuf::from("/people/a/.cache/restive");
    assert_eq!(found(Some("/cache"), Some("/people/a")), [PathBuf::from("/cache/restive"), own.clone()]);
    for cache in [None, Some(""), Some("relative/cache")] {
        assert_eq!(found(cache, Some("/people/a")), [home.clone(), own.clone()], "{cache:?}");
    }
    for home in [None, Some(""), Some("relative")] {
        assert_eq!(found(None, home), std::slice::from_ref(&own), "{home:?}");
    }
    let relative = candidates(None, None, Path::new("tmp"));
    assert!(relative.iter().all(|folder| folder.is_absolute()), "{relative:?}");
}
