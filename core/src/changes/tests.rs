//! Changes of real repositories.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Changes, ChangesError, EarlierFiles};

/// Has git do something; false where there is no git, which is printed.
fn git(folder: &Path, words: &[&str]) -> bool {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "init.defaultBranch=main"];
    let output = Command::new("git").current_dir(folder).args(identity).args(words).output();
    let Ok(output) = output else {
        println!("skipped: there is no git");
        return false;
    };
    assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    true
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("below the folder")).expect("made");
    fs::write(path, text).expect("written");
}

#[test]
fn a_branch_changed_what_it_changed_and_not_what_others_did_meanwhile() {
    let repository = tempfile::tempdir().expect("a folder");
    let folder = repository.path();
    if !git(folder, &["init", "--quiet"]) {
        return;
    }
    let shop = "package a;\nclass Shop {\n  int one() { return 1; }\n\n  int two() { return 2; }\n}\n";
    write(folder, "src/a/Shop.java", shop);
    write(folder, "src/a/Same.java", "package a;\nclass Same {}\n");
    write(folder, "src/a/Gone.java", "package a;\nclass Gone {}\n");
    write(folder, "README.md", "Shop\n");
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "--message", "first"]);
    git(folder, &["checkout", "--quiet", "-b", "work"]);
    // The last of these lines looks like the head of a file in a diff.
    let other = shop.replace("1; }", "11; }").replace("two() { return 2; }", "two() {\n++ b/Other.java\n return 2; }");
    write(folder, "src/a/Shop.java", &other);
    write(folder, "README.md", "The shop\n");
    fs::remove_file(folder.join("src/a/Gone.java")).expect("removed");
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "work"]);
    write(folder, "src/a/Neü.kt", "package a\nclass Neu\n");
    write(folder, "src/a/Empty.java", "");
    for file in ["results.json", "report.json", "suite/junit/Faults.java"] {
        write(folder, &format!("src/out/{file}"), "");
    }
    git(folder, &["checkout", "--quiet", "main"]);
    write(folder, "src/a/Same.java", "package a;\nclass Same { int other; }\n");
    git(folder, &["commit", "--quiet", "--all", "--message", "others"]);
    git(folder, &["checkout", "--quiet", "work"]);

    let changes = Changes::since(&folder.join("src"), "main").expect("a repository");
    let seen: Vec<_> = changes.files.iter().map(|file| (file.path.as_str(), file.lines.clone())).collect();
    assert_eq!(
        seen,
        [
            ("src/a/Empty.java", vec![1..=u32::MAX]),
            ("src/a/Neü.kt", vec![1..=u32::MAX]),
            ("src/a/Shop.java", vec![3..=3, 5..=7]),
        ]
    );
    assert_eq!(changes.others, 1);
    assert_eq!(changes.classes().into_iter().collect::<Vec<_>>(), ["Empty", "a.Neu", "a.Neü", "a.NeüKt", "a.Shop"]);
    assert!(changes.files[2].changes(6) && !changes.files[2].changes(4));
}

#[test]
fn what_git_does_not_know_is_an_error_with_a_next_step() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = Changes::since(folder.path(), "main").expect_err("no repository");
    if matches!(error, ChangesError::NoGit(_)) {
        println!("skipped: there is no git");
        return;
    }
    assert!(matches!(error, ChangesError::NoRepository(_)), "{error}");
    git(folder.path(), &["init", "--quiet"]);
    for revision in ["main", "--output=/dev/null", ""] {
        let error = Changes::since(folder.path(), revision).expect_err("an empty repository");
        assert!(matches!(error, ChangesError::NoRevision(_)) && error.hint().contains("fetch-depth"), "{error}");
    }
}

#[test]
fn files_can_be_had_as_they_were() {
    let repository = tempfile::tempdir().expect("a folder");
    let folder = repository.path();
    if !git(folder, &["init", "--quiet"]) {
        return;
    }
    let path = |name: &str| folder.join(name);
    write(folder, "api/a.yaml", "a: 1");
    write(folder, "b.yaml", "b: 1");
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "--message", "first"]);
    let earlier = |files: &[&str]| {
        let files: Vec<_> = files.iter().map(|name| path(name)).collect();
        EarlierFiles::of(&path("api"), "main", &files).expect("a repository")
    };
    assert!(earlier(&["api/a.yaml", "b.yaml"]).is_none(), "nothing changed");
    write(folder, "api/a.yaml", "a: 2");
    write(folder, "c.yaml", "c: 1");
    assert!(earlier(&["b.yaml", "lacks.yaml"]).is_none());
    let files = earlier(&["api/a.yaml", "b.yaml", "c.yaml"]).expect("one changed");
    let then = |name: &str| files.path(&path(name)).map(|path| fs::read_to_string(path).expect("text"));
    assert_eq!(then("api/a.yaml").as_deref(), Some("a: 1"));
    assert_eq!(then("b.yaml").as_deref(), Some("b: 1"), "documents refer to it");
    assert_eq!(then("c.yaml"), None, "it is new");
    let beside = files.path(&path("api/a.yaml")).expect("it was there").with_file_name("../b.yaml");
    assert!(beside.exists(), "as in the repository");
}
