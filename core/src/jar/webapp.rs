//! Applications that a servlet container serves, found by where its command says that they are: files (`app.war`) and what a
//! container has unpacked of them (Jakarta Servlet 6.0, 10.4 to 10.6).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::archive::Archive;
use super::command::beside;
use super::folder::{Folders, jars_in};
use super::scope::Scope;
use super::{layout, nested};

/// Where containers look for applications below the folders that their commands name: Tomcat and Jetty,
/// `WildFly`, `GlassFish` (twice), Liberty (twice).
const FOLDERS: [&str; 6] = ["webapps", "deployments", "applications", "autodeploy", "apps", "dropins"];
/// Applications that are looked at, at most.
const MOST: usize = 50;

const CLASSES: &str = "WEB-INF/classes";
const LIBRARIES: &str = "WEB-INF/lib";

/// A web application.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WebApp {
    /// One file.
    File(PathBuf),
    /// A folder with all that is in it.
    Folder(PathBuf),
}

impl WebApp {
    /// Those that the words of a command name, which works in `folder`, and those right below folders that they name or where
    /// containers look for them below these and `folder`.
    pub(super) fn named(words: &[String], folder: &Path) -> BTreeSet<Self> {
        let values = words.iter().flat_map(|word| [Some(word.as_str()), word.split_once('=').map(|(_, value)| value)]);
        let values = values.flatten().filter(|value| !value.is_empty());
        let named: BTreeSet<PathBuf> = values.map(|value| folder.join(value)).collect();
        let folders: Vec<&Path> = named.iter().map(PathBuf::as_path).filter(|path| path.is_dir()).collect();
        let usual = folders.iter().copied().chain([folder]).flat_map(|path| FOLDERS.map(|inner| path.join(inner)));
        let above: BTreeSet<PathBuf> = folders.iter().map(|path| path.to_path_buf()).chain(usual).collect();
        let inside = above.iter().flat_map(|path| fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()));
        let all: BTreeSet<Self> = named.iter().cloned().chain(inside).filter_map(|path| Self::at(&path)).collect();
        all.into_iter().take(MOST).collect()
    }

    fn at(path: &Path) -> Option<Self> {
        if path.extension().is_some_and(|end| end == "war") && path.is_file() {
            return Some(Self::File(path.to_owned()));
        }
        let is_unpacked = path.join(CLASSES).is_dir() || path.join(LIBRARIES).is_dir();
        is_unpacked.then(|| Self::Folder(path.to_owned()))
    }

    /// The path below which containers serve it unless they are told otherwise: its name, without a version behind `##`, and with
    /// slashes for `#` (Tomcat); none for that of the root.
    pub(super) fn context_path(&self) -> Option<String> {
        let name = match self {
            Self::File(path) => path.file_stem()?,
            Self::Folder(path) => path.file_name()?,
        };
        let name = name.to_str()?.split("##").next()?;
        let name = name.strip_suffix(".war").unwrap_or(name);
        (!name.eq_ignore_ascii_case("ROOT") && !name.is_empty()).then(|| format!("/{}", name.replace('#', "/")))
    }

    /// Whose classes are its own; `named` are packages that its user names. None where nothing tells.
    pub(super) fn scope(&self, named: &[String]) -> Option<Scope> {
        let scope = match self {
            Self::File(path) => of_file(path, named)?,
            Self::Folder(path) => of_folder(path, named),
        };
        // Of what has a class without a package all but libraries would be its own, the container as well.
        (!scope.include.is_empty()).then_some(scope)
    }
}

fn of_file(path: &Path, named: &[String]) -> Option<Scope> {
    let mut archive = Archive::open(path).ok()?;
    let mut libraries = nested::inside(&mut archive, LIBRARIES);
    let folders = layout::Folders { classes: format!("{CLASSES}/"), libraries: format!("{LIBRARIES}/") };
    Some(beside(&mut archive, path, &folders, "", &mut libraries, named))
}

fn of_folder(path: &Path, named: &[String]) -> Scope {
    let mut libraries = nested::at(&jars_in(&path.join(LIBRARIES)));
    let mut built = Folders::over(vec![path.join(CLASSES), path.to_owned()]);
    beside(&mut built, path, &layout::Folders::default(), "", &mut libraries, named)
}

/// Whose classes are those of any of these applications.
pub(super) fn scope(apps: &BTreeSet<WebApp>, named: &[String]) -> Option<Scope> {
    let scopes = apps.iter().filter_map(|app| app.scope(named));
    let whole = scopes.reduce(|mut whole, scope| {
        whole.include.extend(scope.include);
        whole.exclude.extend(scope.exclude);
        whole
    })?;
    let sorted = |packages: Vec<String>| packages.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
    Some(Scope { include: sorted(whole.include), exclude: sorted(whole.exclude) })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::io::Write as _;
    use std::path::{Path, PathBuf};

    use zip::write::SimpleFileOptions;

    use super::{Scope, WebApp, scope};

    /// An application of `com.acme` with a module of the same group and version beside libraries, one of which it patches.
    fn entries() -> Vec<(&'static str, Vec<u8>)> {
        let of = |group: &str| format!("groupId={group}\nartifactId=shop\nversion=2\n").into_bytes();
        vec![
            ("META-INF/maven/com.acme/shop/pom.properties", of("com.acme")),
            ("WEB-INF/classes/com/acme/shop/Main.class", class("com/acme/shop/Main")),
            ("WEB-INF/classes/com/acme/shop/Cart.class", class("com/acme/shop/Cart")),
            ("WEB-INF/classes/org/other/Web.class", class("org/other/Web")),
            ("WEB-INF/lib/other.jar", zipped(&[("org/other/Web.class", b""), ("org/other/Net.class", b"")])),
            ("WEB-INF/lib/rules.jar", {
                let properties = of("com.acme");
                zipped(&[("META-INF/maven/com.acme/rules/pom.properties", &properties), ("net/acme/rules/Rule.class", b"")])
            }),
            ("WEB-INF/lib/gson.jar", zipped(&[("com/google/gson/Gson.class", b"")])),
        ]
    }

    /// No more of a class file than its name among the constants.
    fn class(name: &str) -> Vec<u8> {
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 3, 7, 0, 2, 1];
        bytes.extend(u16::try_from(name.len()).expect("short").to_be_bytes());
        bytes.extend(name.as_bytes());
        bytes
    }

    fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            zip.start_file(*name, SimpleFileOptions::default()).expect("an entry");
            zip.write_all(bytes).expect("written");
        }
        zip.finish().expect("a zip file").into_inner()
    }

    fn unpack(folder: &Path) {
        for (name, bytes) in entries() {
            let file = folder.join(name);
            fs::create_dir_all(file.parent().expect("it lies in a folder")).expect("made");
            fs::write(file, bytes).expect("written");
        }
    }

    fn pack(file: &Path) {
        let entries = entries();
        let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
        fs::create_dir_all(file.parent().expect("it lies in a folder")).expect("made");
        fs::write(file, zipped(&entries)).expect("written");
    }

    #[test]
    fn applications_are_named_themselves_or_lie_where_containers_look_for_them() {
        let work = tempfile::tempdir().expect("a folder");
        unpack(&work.path().join("tomcat/webapps/shop"));
        pack(&work.path().join("tomcat/webapps/shop.war"));
        pack(&work.path().join("other.war"));
        let named = |command: &str| -> Vec<PathBuf> {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let apps = WebApp::named(&words, work.path()).into_iter().map(|app| match app {
                WebApp::File(path) | WebApp::Folder(path) => path.strip_prefix(work.path()).expect("below it").to_owned(),
            });
            apps.collect()
        };
        assert_eq!(
            named("java -Dcatalina.base=tomcat Bootstrap"),
            [Path::new("tomcat/webapps/shop.war"), Path::new("tomcat/webapps/shop")]
        );
        assert_eq!(named("java -jar runner.jar --port 1 other.war"), [Path::new("other.war")]);
        assert_eq!(named("java Main tomcat/webapps/shop missing.war"), [Path::new("tomcat/webapps/shop")]);
        assert!(named("java -Djava.io.tmpdir=tomcat/conf -cp a:b Main").is_empty());
        unpack(&work.path().join("apps/shop"));
        assert_eq!(named("java -jar start.jar"), [Path::new("apps/shop")]);
    }

    #[test]
    fn containers_serve_an_application_below_its_name() {
        let path = |app: WebApp| app.context_path();
        let file = |name: &str| path(WebApp::File(PathBuf::from(name)));
        assert_eq!(file("webapps/shop.war").as_deref(), Some("/shop"));
        assert_eq!(file("shop#v2##17.war").as_deref(), Some("/shop/v2"));
        assert_eq!(file("webapps/ROOT.war"), None);
        assert_eq!(path(WebApp::Folder(PathBuf::from("apps/shop-1.2"))).as_deref(), Some("/shop-1.2"));
        assert_eq!(path(WebApp::Folder(PathBuf::from("expanded/shop.war"))).as_deref(), Some("/shop"));
    }

    #[test]
    fn own_classes_of_an_application_are_told_from_its_libraries_packed_or_not() {
        let work = tempfile::tempdir().expect("a folder");
        unpack(&work.path().join("shop"));
        pack(&work.path().join("shop.war"));
        let own = Scope { include: vec!["com.acme.shop".to_owned(), "net.acme.rules".to_owned()], exclude: Vec::new() };
        let apps = [WebApp::File(work.path().join("shop.war")), WebApp::Folder(work.path().join("shop"))];
        for app in &apps {
            assert_eq!(app.scope(&[]), Some(own.clone()), "{app:?}");
        }
        assert_eq!(scope(&BTreeSet::from(apps), &[]), Some(own));
        assert_eq!(scope(&BTreeSet::new(), &[]), None);
    }
}
