//! Whole jars, made in memory.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{Error, Framework, Guess, Jar, JvmCommand, Layout, Scope, extract, read};

/// A class file that is good for its constants alone.
pub(super) fn class(name: &str, references: &[&str], major: u8) -> Vec<u8> {
    let names = std::iter::once(&name).chain(references);
    let count = 1 + 2 * (references.len() + 1) + 2;
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, major];
    bytes.extend(u16::try_from(count).unwrap().to_be_bytes());
    // A long first: it takes two places.
    bytes.extend([5, 0, 0, 0, 0, 0, 0, 0, 1]);
    for (idx, name) in names.enumerate() {
        bytes.push(1);
        bytes.extend(u16::try_from(name.len()).unwrap().to_be_bytes());
        bytes.extend(name.as_bytes());
        bytes.push(7);
        bytes.extend(u16::try_from(3 + 2 * idx).unwrap().to_be_bytes());
    }
    bytes
}

/// Name and content of an entry.
type Entry<'a> = (&'a str, Vec<u8>);

fn manifest(lines: &str) -> Entry<'static> {
    ("META-INF/MANIFEST.MF", format!("Manifest-Version: 1.0\n{lines}\n").into_bytes())
}

fn packed(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        // As Spring Boot does: jars within jars are stored, all else is packed.
        let is_jar = Path::new(name).extension().is_some_and(|extension| extension == "jar");
        let method = if is_jar { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        writer.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Class files, each given as its name and what it refers to.
fn classes(folder: &str, all: &[(&str, &[&str])]) -> Vec<(String, Vec<u8>)> {
    all.iter().map(|(name, references)| (format!("{folder}{name}.class"), class(name, references, 61))).collect()
}

fn in_file(entries: &[Entry<'_>], classes: &[(String, Vec<u8>)]) -> (TempDir, PathBuf) {
    let all: Vec<Entry<'_>> =
        entries.iter().cloned().chain(classes.iter().map(|(name, bytes)| (name.as_str(), bytes.clone()))).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("app-1.2.3.jar");
    fs::write(&path, packed(&all)).unwrap();
    (folder, path)
}

fn jar(entries: &[Entry<'_>], classes: &[(String, Vec<u8>)]) -> Jar {
    let (_folder, path) = in_file(entries, classes);
    read(&path, &[]).unwrap()
}

fn library(classes: &[(&str, &[&str])], properties: Option<&str>) -> Vec<u8> {
    let classes = self::classes("", classes);
    let mut entries: Vec<Entry<'_>> = classes.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    entries.extend(properties.map(|text| ("META-INF/maven/g/a/pom.properties", text.as_bytes().to_vec())));
    packed(&entries)
}

fn values(guesses: &[Guess<String>]) -> Vec<&str> {
    guesses.iter().map(|guess| guess.value.as_str()).collect()
}

fn scope(include: &[&str], exclude: &[&str]) -> Scope {
    let owned = |packages: &[&str]| packages.iter().map(|package| (*package).to_owned()).collect();
    Scope { include: owned(include), exclude: owned(exclude) }
}

#[test]
fn own_modules_of_spring_boot_are_told_from_libraries_that_share_their_domain() {
    let spring = library(&[("org/springframework/boot/SpringApplication", &[]), ("org/springframework/core/A", &[])], None);
    let module = library(&[("org/springframework/samples/petclinic/vet/Vet", &[])], None);
    let sibling = library(&[("io/petclinic/visits/Visit", &[])], None);
    let entries = [
        manifest(
            "Main-Class: org.springframework.boot.loader.JarLauncher\nStart-Class: org.springframework.samples.petclinic.App\nImplementation-Title: petclinic-server\nImplementation-Version: 3.1",
        ),
        ("org/springframework/boot/loader/JarLauncher.class", class("org/springframework/boot/loader/JarLauncher", &[], 52)),
        ("BOOT-INF/lib/spring-boot-3.3.5.jar", spring),
        ("BOOT-INF/lib/vets-3.1.jar", module),
        ("BOOT-INF/lib/petclinic-visits-3.1.jar", sibling),
    ];
    let own = classes(
        "BOOT-INF/classes/",
        &[("org/springframework/samples/petclinic/App", &[]), ("org/springframework/samples/petclinic/owner/Owner", &[])],
    );
    let jar = jar(&entries, &own);
    assert_eq!((jar.layout.value, jar.framework.value), (Layout::SpringBoot, Framework::SpringBoot));
    assert_eq!(values(&jar.own), ["io.petclinic.visits", "org.springframework.samples.petclinic"]);
    assert_eq!(jar.start_class.as_ref().map(|start| start.value.as_str()), Some("org.springframework.samples.petclinic.App"));
    assert_eq!((jar.java.as_ref().map(|java| java.value), jar.own_classes(), jar.libraries.len()), (Some(17), 4, 3));
    assert_eq!(jar.scope(), scope(&["io.petclinic.visits", "org.springframework.samples.petclinic"], &[]));
    assert_eq!(jar.libraries[0].own, None);
    assert_eq!(jar.libraries[1].coordinates.version.as_deref(), Some("3.1"));
}

#[test]
fn a_launcher_leads_to_the_service_and_moved_libraries_are_not_it() {
    let own = classes(
        "",
        &[
            ("tool/Run", &["com/github/someone/tool/Server"]),
            ("com/github/someone/tool/Server", &["tool/com/google/common/A", "com/github/someone/tool/http/B"]),
            ("com/github/someone/tool/http/B", &["tool/org/slf4j/Logger"]),
            ("com/github/someone/tool/C", &[]),
            ("com/github/someone/tool/D", &[]),
            ("org/tool/webhooks/Hook", &["com/github/someone/tool/Server"]),
            ("org/jspecify/Nullable", &[]),
            ("tool/com/google/common/A", &[]),
            ("tool/org/slf4j/Logger", &[]),
        ],
    );
    let jar = jar(&[manifest("Main-Class: tool.Run")], &own);
    assert_eq!((jar.layout.value, jar.framework.value), (Layout::Shaded, Framework::Other));
    assert_eq!(jar.start_class.map(|start| start.value).as_deref(), Some("com.github.someone.tool.Server"));
    assert_eq!(
        (values(&jar.own), values(&jar.relocated)),
        (vec!["com.github.someone.tool", "org.tool.webhooks"], vec!["tool"])
    );
}

#[test]
fn a_service_of_few_classes_is_no_launcher_of_the_library_that_it_uses() {
    let library: Vec<String> = ["Server", "Route", "Answer", "Reader", "Writer"].map(|name| format!("org/web/{name}")).into();
    let mut own: Vec<(&str, &[&str])> = library.iter().map(|name| (name.as_str(), &[][..])).collect();
    own.push(("net/acme/Main", &["org/web/Server", "org/web/Answer", "net/acme/Shop"]));
    own.push(("net/acme/Shop", &["org/web/Answer"]));
    let jar = jar(&[manifest("Main-Class: net.acme.Main")], &classes("", &own));
    assert_eq!((jar.layout.value, values(&jar.own)), (Layout::Shaded, vec!["net.acme"]));
}

#[test]
fn a_service_beside_libraries_of_the_same_owner_is_its_own_branch() {
    let own = classes(
        "",
        &[
            ("org/springframework/samples/shop/Main", &["org/springframework/core/A", "org/thymeleaf/T"]),
            ("org/springframework/samples/shop/web/W", &["org/springframework/core/A"]),
            ("org/springframework/core/A", &[]),
            ("org/springframework/core/B", &[]),
            ("org/thymeleaf/T", &["org/springframework/core/A"]),
            ("org/thymeleaf/U", &[]),
            ("org/thymeleaf/V", &[]),
        ],
    );
    let jar = jar(&[manifest("Main-Class: org.springframework.samples.shop.Main")], &own);
    assert_eq!(values(&jar.own), ["org.springframework.samples.shop"]);
    assert!(jar.own[0].because.contains("org.thymeleaf"), "{}", jar.own[0].because);
}

#[test]
fn one_project_of_an_owner_is_the_service_where_libraries_use_another_one() {
    let own = [
        ("org/apache/shop/server/Main", &["org/apache/shop/store/Store"][..]),
        ("org/apache/shop/store/Store", &["org/apache/commons/text/T", "com/lib/A"]),
        ("com/lib/A", &["org/apache/commons/text/T"]),
        ("com/lib/B", &[]),
        ("com/lib/C", &[]),
        ("org/apache/commons/text/T", &[]),
        // A command beside the service, of which it knows nothing.
        ("shoptool/Check", &["org/apache/shop/store/Store"]),
        ("shoptool/A", &[]),
        ("shoptool/B", &[]),
    ];
    let start = manifest("Main-Class: org.apache.shop.server.Main");
    let jar = jar(&[start], &classes("", &own));
    assert_eq!(values(&jar.own), ["org.apache.shop"]);
    assert!(jar.own[0].because.contains("com.lib"), "{}", jar.own[0].because);
}

#[test]
fn a_jar_that_holds_most_libraries_itself_is_no_thin_one_for_a_few_others() {
    let owners = ["org/lib/A", "org/other/A", "com/lib/A", "net/lib/A", "de/lib/A"].map(|name| (name, &[][..]));
    let own = [("com/acme/app/Main", &["org/lib/A"][..])].into_iter().chain(owners).collect::<Vec<_>>();
    let layout = |few: &[(&str, &[&str])]| {
        let entries = [manifest("Main-Class: com.acme.app.Main"), ("lib/few.jar", library(few, None))];
        let jar = jar(&entries, &classes("", &own));
        (jar.layout.value, jar.own_classes())
    };
    assert_eq!(layout(&[("org/few/A", &[])]), (Layout::Shaded, 1));
    let more: Vec<(String, &[&str])> = (0..7).map(|n| (format!("org/few/A{n}"), &[][..])).collect();
    let more: Vec<(&str, &[&str])> = more.iter().map(|(name, to)| (name.as_str(), *to)).collect();
    assert_eq!(layout(&more).0, Layout::Thin);
}

#[test]
fn the_service_of_a_quarkus_runner_is_where_its_endpoints_are() {
    let own = classes(
        "",
        &[
            ("io/quarkus/runner/GeneratedMain", &["io/quarkus/runtime/Quarkus"]),
            ("io/quarkus/runtime/Quarkus", &[]),
            ("io/quarkus/deployment/steps/X", &["org/shop/api/Orders"]),
            ("org/shop/api/Orders", &["org/shop/store/Store"]),
            ("org/shop/api/Orders$quarkusrestinvoker$list_1", &["org/shop/api/Orders"]),
            ("org/shop/store/Store", &["org/shop/relocated/protobuf/Any"]),
            ("org/shop/relocated/protobuf/Any", &[]),
        ],
    );
    let jar = jar(&[manifest("Main-Class: io.quarkus.runner.GeneratedMain")], &own);
    assert_eq!((jar.layout.value, jar.framework.value), (Layout::QuarkusRunner, Framework::Quarkus));
    assert_eq!((values(&jar.own), values(&jar.relocated)), (vec!["org.shop"], vec!["org.shop.relocated"]));
    assert_eq!((jar.own_classes(), jar.scope()), (3, scope(&["org.shop"], &["org.shop.relocated"])));
}

/// The launcher's name says nothing, and what the build made lies beside classes of the framework.
#[test]
fn the_service_of_folders_of_quarkus_is_in_those_of_its_own() {
    let class_path = "Class-Path: app/shop-1.jar lib/main/io.quarkus.quarkus-core-3.jar quarkus/generated-bytecode.jar";
    let start = format!("Main-Class: io.quarkus.bootstrap.runner.QuarkusEntryPoint\n{class_path}");
    let launcher = classes("", &[("io/quarkus/bootstrap/runner/QuarkusEntryPoint", &[])]);
    let (folder, jar) = in_file(&[manifest(&start)], &launcher);
    let path = folder.path().join("quarkus-run.jar");
    fs::rename(&jar, &path).unwrap();
    for (place, own) in [
        ("app/shop-1.jar", &["org/shop/Orders"][..]),
        ("lib/main/io.quarkus.quarkus-core-3.jar", &["io/quarkus/runtime/Quarkus", "io/quarkus/runtime/X"]),
        ("quarkus/generated-bytecode.jar", &["org/shop/Orders_Bean", "io/quarkus/deployment/steps/X", "javaq/math/M"]),
    ] {
        let place = folder.path().join(place);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        let own: Vec<(&str, &[&str])> = own.iter().map(|name| (*name, &[][..])).collect();
        fs::write(place, library(&own, None)).unwrap();
    }
    let jar = read(&path, &[]).unwrap();
    assert_eq!((jar.layout.value, values(&jar.own)), (Layout::QuarkusFolders, vec!["org.shop"]));
    let own = jar.libraries.iter().filter(|library| library.own.is_some()).map(|library| &library.place);
    let own: Vec<&str> = own.map(|place| place.rsplit('/').next().unwrap_or_default()).collect();
    assert_eq!(own, ["shop-1.jar", "generated-bytecode.jar"], "its documents are the service's");
}

#[test]
fn modules_on_the_class_path_of_a_thin_jar_are_told_by_maven_group_and_version() {
    let properties = "groupId=com.acme\nartifactId=app\nversion=1.2.3\n";
    let entries = [
        manifest(
            "Main-Class: com.acme.app.Main\nImplementation-Version: 1.2.3\nClass-Path: lib/money-1.2.3.jar lib/other-1.0.jar lib/none.jar",
        ),
        ("META-INF/maven/com.acme/app/pom.properties", properties.into()),
    ];
    let (folder, path) = in_file(&entries, &classes("", &[("com/acme/app/Main", &[])]));
    fs::create_dir(folder.path().join("lib")).unwrap();
    let money = library(&[("net/money/Coin", &[])], Some("groupId=com.acme\nartifactId=money\nversion=1.2.3\n"));
    fs::write(folder.path().join("lib/money-1.2.3.jar"), money).unwrap();
    fs::write(folder.path().join("lib/other-1.0.jar"), library(&[("com/other/O", &[])], None)).unwrap();
    let jar = read(&path, &[]).unwrap();
    assert_eq!((jar.layout.value, values(&jar.own)), (Layout::Thin, vec!["com.acme.app", "net.money"]));
}

#[test]
fn a_project_of_an_owner_of_many_is_the_service_where_it_serves_what_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let properties = |artifact: &str| format!("groupId=org.apache.shop\nartifactId={artifact}\nversion=1.2.3\n");
    let jar = |name: &str, classes: &[(&str, &[&str])], properties: Option<&str>| {
        fs::write(folder.path().join(name), library(classes, properties)).unwrap();
    };
    jar("log-2.jar", &[("org/apache/log/Log", &[])], None);
    jar("other-1.jar", &[("net/other/Web", &["org/apache/log/Log", "Ljavax/ws/rs/Path;"])], None);
    jar("model-1.2.3.jar", &[("org/apache/shop/Order", &[]), ("org/apache/store/Ledger", &[])], Some(&properties("model")));
    let scope_of = |resources: &[(&str, &[&str])], open: Option<&str>| {
        let main: (&str, &[&str]) = ("org/apache/shop/Main", &[]);
        jar("server-1.2.3.jar", &[&[main], resources].concat(), Some(&properties("server")));
        let words = "java -cp server-1.2.3.jar:model-1.2.3.jar:log-2.jar:other-1.jar org.apache.shop.Main";
        let words = words.split(' ').map(str::to_owned).collect();
        let open = open.map(|jar| vec![folder.path().join(jar)]);
        JvmCommand { words, folder: folder.path().to_owned(), open }.scope(&[])
    };
    let no_more = Some("log-2.jar");
    assert_eq!(
        scope_of(&[], no_more),
        None,
        "others use what its owner has, so that it may be a server that loads the service"
    );
    let resources: [(&str, &[&str]); 2] =
        [("org/apache/shop/web/Orders", &["Ljavax/ws/rs/Path;"]), ("org/apache/shop/web/Carts", &["Ljavax/ws/rs/Path;"])];
    for open in [no_more, None, Some("plugins/of-others.jar")] {
        assert_eq!(scope_of(&resources, open), Some(scope(&["org.apache.shop", "org.apache.store"], &[])), "{open:?}");
    }
}

#[test]
fn a_jar_without_classes_is_put_together_from_where_it_starts_or_from_those_of_its_name() {
    let started_in = |main_class: &str| {
        let manifest = manifest(&format!(
            "Main-Class: {main_class}\nClass-Path: lib/app-web-7.jar lib/app-core-7.jar lib/app-tools-2.jar lib/other-7.jar"
        ));
        let (folder, path) = in_file(&[manifest], &[]);
        fs::create_dir(folder.path().join("lib")).unwrap();
        let all = [
            ("app-web-7", "com/acme/web/Main"),
            ("app-core-7", "com/acme/core/Core"),
            ("app-tools-2", "net/tools/T"),
            ("other-7", "org/other/O"),
        ];
        for (name, class) in all {
            fs::write(folder.path().join(format!("lib/{name}.jar")), library(&[(class, &[])], None)).unwrap();
        }
        read(&path, &[]).unwrap()
    };
    assert_eq!(values(&started_in("com.acme.web.Main").own), ["com.acme.web"]);
    let launched = started_in("launcher.Main");
    assert_eq!(values(&launched.own), ["com.acme.core", "com.acme.web"]);
    let reasons: Vec<&str> = launched.own.iter().map(|guess| guess.because.as_str()).collect();
    assert!(reasons.iter().all(|reason| reason.contains("its name begins with `app` as well")), "{reasons:?}");
}

#[test]
fn the_service_of_a_class_path_is_what_lies_beside_its_main_class_and_what_belongs_to_that() {
    let folder = tempfile::tempdir().unwrap();
    let properties = |artifact: &str| format!("groupId=com.acme\nartifactId={artifact}\nversion=1.2.3\n");
    let jar = |name: &str, class: &str, properties: Option<&str>| {
        fs::write(folder.path().join(name), library(&[(class, &[])], properties)).unwrap();
    };
    fs::create_dir(folder.path().join("lib")).unwrap();
    jar("lib/server-1.2.3.jar", "com/acme/server/Main", Some(&properties("server")));
    jar("lib/core-1.2.3.jar", "com/acme/core/Core", Some(&properties("core")));
    jar("lib/other-1.2.3.jar", "org/other/O", None);
    let built = folder.path().join("target/classes/net/shop");
    fs::create_dir_all(&built).unwrap();
    fs::write(built.join("Main.class"), class("net/shop/Main", &["org/other/O"], 61)).unwrap();
    let started = |command: &str, named: &[&str], open: Option<&[&str]>| {
        let words = command.split(' ').map(str::to_owned).collect();
        let named: Vec<String> = named.iter().map(|package| (*package).to_owned()).collect();
        let within = |name: &&str| folder.path().join(name).canonicalize().unwrap();
        let open = open.map(|names| names.iter().map(within).collect());
        JvmCommand { words, folder: folder.path().to_owned(), open }.scope(&named)
    };
    let found = |command: &str, named: &[&str]| started(command, named, Some(&["lib/server-1.2.3.jar", "lib/core-1.2.3.jar"]));
    assert_eq!(found("java -cp lib/* com.acme.server.Main 8080", &[]), Some(scope(&["com.acme.core", "com.acme.server"], &[])));
    assert_eq!(found("java -cp lib/* com.acme.server.Main 8080", &["org.other"]), Some(scope(&["org.other"], &[])));
    let classes_first = "java -cp target/classes:lib/other-1.2.3.jar:lib/none.jar net.shop.Main";
    assert_eq!(found(classes_first, &[]), Some(scope(&["net.shop"], &[])));
    assert_eq!(found("java -cp lib/* com.acme.NotThere", &[]), None);
    let begins_in_a_jar = "java -cp lib/server-1.2.3.jar com.acme.server.Main";
    assert_eq!(found(begins_in_a_jar, &[]), None, "it loads another one");
    assert_eq!(started(begins_in_a_jar, &[], None), None, "nobody knows what it will load");
    assert_eq!(started(begins_in_a_jar, &["com.acme"], None), Some(scope(&["com.acme"], &[])));
    assert_eq!(started(classes_first, &[], None), Some(scope(&["net.shop"], &[])));
    let launched = library(&[("de/lib/Launcher", &[])], None);
    fs::write(folder.path().join("launcher.jar"), launched).unwrap();
    fs::write(folder.path().join("shop.jar"), library(&[("net/shop/Shop", &["de/lib/Server"])], None)).unwrap();
    assert_eq!(found("java -cp launcher.jar:target/classes de.lib.Launcher", &[]), Some(scope(&["net.shop"], &[])));
    assert_eq!(found("java -cp shop.jar:launcher.jar de.lib.Launcher", &[]), None, "a library starts it");
    let from_above = "java -cp .:lib/* com.acme.server.Main";
    assert_eq!(
        found(from_above, &[]),
        Some(scope(&["com.acme.core", "com.acme.server"], &[])),
        "`target/classes` is no package"
    );
    let boot = packed(&[
        manifest("Main-Class: boot.Launcher\nStart-Class: com.acme.Shop"),
        ("boot/Other.class", class("boot/Other", &[], 61)),
        ("BOOT-INF/classes/com/acme/Shop.class", class("com/acme/Shop", &[], 61)),
    ]);
    fs::write(folder.path().join("boot.jar"), boot).unwrap();
    assert_eq!(found("java -cp boot.jar boot.Other", &[]), Some(scope(&["com.acme"], &[])));
    fs::write(folder.path().join("app.jar"), packed(&[manifest("Main-Class: Main"), ("x/Y.class", Vec::new())])).unwrap();
    assert_eq!(found("java -Xmx1g -jar app.jar 8080", &[]), Some(scope(&["x"], &[])));
    assert_eq!(found("python3 lib", &[]), None);
}

/// What `command` starts that works in `folder`.
fn command(command: &str, folder: &Path) -> JvmCommand {
    JvmCommand { words: command.split(' ').map(str::to_owned).collect(), folder: folder.to_owned(), open: None }
}

fn write_all(folder: &Path, entries: &[Entry<'_>]) {
    for (name, bytes) in entries {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
}

#[test]
fn a_service_of_which_nothing_is_known_is_told_its_port_by_the_variables_of_all() {
    let each = [Framework::SpringBoot, Framework::Quarkus, Framework::Micronaut, Framework::Other];
    let of_each: BTreeSet<&str> = each.iter().flat_map(|framework| framework.port_variables()).copied().collect();
    assert_eq!(of_each, Framework::ALL_PORT_VARIABLES.iter().copied().collect());
}

#[test]
fn what_was_released_with_the_service_may_refer_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let of_group = |group: &str, artifact: &str| format!("groupId={group}\nartifactId={artifact}\nversion=8.6\n");
    let scope_with = |group: &str| {
        let cluster = library(&[("net/atoms/Cluster", &["com/acme/server/Main"])], Some(&of_group(group, "cluster")));
        let server = library(&[("com/acme/server/Main", &[])], Some(&of_group("com.acme", "server")));
        write_all(folder.path(), &[("lib/server-8.6.jar", server), ("lib/cluster-8.6.jar", cluster)]);
        let open = ["lib/server-8.6.jar", "lib/cluster-8.6.jar"].map(|jar| folder.path().join(jar).canonicalize().unwrap());
        JvmCommand { open: Some(open.to_vec()), ..command("java -cp lib/* com.acme.server.Main", folder.path()) }.scope(&[])
    };
    assert_eq!(scope_with("com.acme"), Some(scope(&["com.acme.server", "net.atoms"], &[])));
    assert_eq!(scope_with("net.atoms"), None, "a library starts it");
}

#[test]
fn a_library_that_a_part_of_the_service_patches_is_not_the_service() {
    let group = |artifact: &str| format!("groupId=com.acme\nartifactId={artifact}\nversion=2\n");
    let own = |with: &[&str], artifact: &str| {
        let classes: Vec<(&str, &[&str])> = with.iter().map(|class| (*class, &[][..])).collect();
        library(&classes, Some(&group(artifact)))
    };
    let patched = ["com/acme/web/A", "com/acme/web/B", "org/other/C"];
    let found = |of_library: &[(&str, &[&str])]| {
        let folder = tempfile::tempdir().unwrap();
        let jars = [("lib/shop-2.jar", own(&["com/acme/shop/Main"], "shop")), ("lib/web-2.jar", own(&patched, "web"))];
        write_all(folder.path(), &jars);
        write_all(folder.path(), &[("lib/other-1.jar", library(of_library, None))]);
        let open = ["lib/shop-2.jar", "lib/web-2.jar"].map(|jar| folder.path().join(jar).canonicalize().unwrap());
        let start = JvmCommand { open: Some(open.to_vec()), ..command("java -cp lib/* com.acme.shop.Main", folder.path()) };
        start.scope(&[]).map(|scope| scope.include)
    };
    let own: Vec<String> = ["com.acme.shop", "com.acme.web"].map(str::to_owned).to_vec();
    assert_eq!(found(&[("org/other/O", &[]), ("org/other/P", &[])]), Some(own.clone()));
    let all = own.into_iter().chain(["org.other".to_owned()]).collect();
    assert_eq!(found(&[("net/another/O", &[])]), Some(all));
}

#[test]
fn the_service_of_a_jar_that_was_unpacked_is_not_its_launcher() {
    let folder = tempfile::tempdir().unwrap();
    let group = "groupId=com.acme\nartifactId=rules\nversion=2\n";
    let entries = [
        manifest(
            "Main-Class: boot.Launcher\nStart-Class: com.acme.Shop\nImplementation-Version: 2\n\
                  Spring-Boot-Classes: BOOT-INF/classes/\nSpring-Boot-Lib: BOOT-INF/lib/",
        ),
        ("META-INF/maven/com.acme/shop/pom.properties", group.replace("rules", "shop").into_bytes()),
        ("boot/Launcher.class", class("boot/Launcher", &[], 61)),
        ("BOOT-INF/classes/com/acme/Shop.class", class("com/acme/Shop", &["boot/Launcher"], 61)),
        ("BOOT-INF/lib/rules.jar", library(&[("net/rules/Rule", &[])], Some(group))),
        ("BOOT-INF/lib/other.jar", library(&[("org/other/O", &[])], None)),
    ];
    write_all(&folder.path().join("app"), &entries);
    let own = Some(scope(&["com.acme", "net.rules"], &[]));
    assert_eq!(command("java -cp app boot.Launcher", folder.path()).scope(&[]), own);
    assert_eq!(command("java boot.Launcher", &folder.path().join("app")).scope(&[]), own);
    assert_eq!(command("java -cp app com.acme.Other", folder.path()).scope(&[]), None, "what starts it is elsewhere");
}

#[test]
fn what_a_build_tool_runs_is_what_was_built_where_it_works() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().canonicalize().unwrap();
    let dev = packed(&[manifest("Main-Class: io.tool.Dev")]);
    write_all(&here, &[("target/dev.jar", dev), ("tool.jar", library(&[("io/tool/Main", &[])], None))]);
    let found = |words: &str| command(words, &here).scope(&[]);
    let within = format!("java -Dproject={} -cp tool.jar io.tool.Elsewhere", here.display());
    assert_eq!((found("java -jar target/dev.jar"), found(&within)), (None, None), "nothing was built");
    write_all(&here, &[("target/classes/com/acme/Shop.class", class("com/acme/Shop", &[], 61))]);
    let own = Some(scope(&["com.acme"], &[]));
    assert_eq!((found("java -jar target/dev.jar"), found(&within)), (own.clone(), own));
    assert_eq!(found("java -cp tool.jar io.tool.Elsewhere"), None, "what it runs may be anywhere");
}

#[test]
fn containers_that_run_one_application_serve_it_at_the_root() {
    let folder = tempfile::tempdir().unwrap();
    let container = |main_class: &str| packed(&[manifest(&format!("Main-Class: {main_class}"))]);
    let runner = container("org.eclipse.jetty.runner.Runner");
    write_all(folder.path(), &[("runner.jar", runner), ("other.jar", container("a.B")), ("shop.war", packed(&[]))]);
    let paths = |words: &str| command(words, folder.path()).context_paths().map(|paths| paths.into_iter().collect::<Vec<_>>());
    assert_eq!(paths("java -jar other.jar shop.war"), Some(vec!["/shop".to_owned()]));
    assert_eq!(paths("java -jar runner.jar --port 80 shop.war"), Some(Vec::new()));
    assert_eq!(paths("java -jar runner.jar --path /v1/ shop.war"), Some(vec!["/v1".to_owned()]));
    assert_eq!(paths("java -cp runner.jar webapp.runner.launch.Main shop.war"), Some(Vec::new()));
    assert_eq!(paths("java -jar runner.jar --port 80"), None);
}

#[test]
fn packages_that_the_user_names_are_taken_for_the_service() {
    let inner = library(&[("org/lib/A", &[])], None);
    let mut newer = classes("BOOT-INF/classes/", &[("com/acme/shop/Order", &[]), ("com/acme/web/W", &[])]);
    newer[0].1 = class("com/acme/shop/Order", &[], 65);
    newer.push(("BOOT-INF/classes/META-INF/versions/25/com/acme/shop/Order.class".to_owned(), class("x", &[], 69)));
    let entries = [manifest("Main-Class: boot.Launcher\nStart-Class: com.acme.web.W"), ("BOOT-INF/lib/lib-1.0.jar", inner)];
    let (_folder, path) = in_file(&entries, &newer);
    let told = |named: &[&str]| {
        let named: Vec<String> = named.iter().map(|package| (*package).to_owned()).collect();
        let jar = read(&path, &named).unwrap();
        (jar.own_classes(), jar.java.as_ref().map(|java| java.value), jar.scope())
    };
    assert_eq!(told(&[]), (2, Some(21), scope(&["com.acme"], &[])));
    assert_eq!(told(&["com.acme.web", "org.lib"]), (2, Some(17), scope(&["com.acme.web", "org.lib"], &[])));
}

#[test]
fn a_service_without_a_package_is_everything_but_its_libraries() {
    let entries = [
        manifest("Main-Class: boot.Launcher\nStart-Class: Main"),
        ("BOOT-INF/lib/lib-1.0.jar", library(&[("org/lib/a/A", &[]), ("org/lib/b/B", &[])], None)),
    ];
    let jar = jar(&entries, &classes("BOOT-INF/classes/", &[("Main", &[])]));
    assert_eq!((jar.own_classes(), jar.scope()), (1, scope(&[], &["org.lib"])));
}

#[test]
fn documents_are_found_by_content_and_unpacked_with_what_they_refer_to() {
    let api = "openapi: 3.0.1\npaths:\n  /a:\n    $ref: './paths/a.yaml'\n    x: {$ref: '../../out.yaml'}\n";
    let entries = [
        manifest("Main-Class: com.acme.Main"),
        ("docs/api.yaml", api.into()),
        ("docs/paths/a.yaml", "get: {$ref: '#/x'}\n".into()),
        ("docs/values.yaml", "openapi: true\npaths: 1\n".into()),
        ("../evil.yaml", api.into()),
    ];
    let (folder, path) = in_file(&entries, &classes("", &[("com/acme/Main", &[])]));
    let jar = read(&path, &[]).unwrap();
    assert_eq!(jar.documents.iter().map(|document| document.entry.as_str()).collect::<Vec<_>>(), ["docs/api.yaml"]);
    let out = folder.path().join("schema");
    assert_eq!(extract(&path, &jar.documents[0], &out).unwrap(), out.join("docs/api.yaml"));
    assert!(out.join("docs/paths/a.yaml").is_file() && !out.join("docs/values.yaml").exists());
}

#[test]
fn what_cannot_be_started_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("x.jar");
    fs::write(&text, "no zip").unwrap();
    assert!(matches!(read(&text, &[]), Err(Error::NotAJar { .. })));
    fs::write(&text, "").unwrap();
    assert!(matches!(read(&text, &[]), Err(Error::NotAJar { .. })));
    assert!(matches!(read(folder.path(), &[]), Err(Error::NotAJar { .. })));
    assert!(matches!(read(&folder.path().join("none.jar"), &[]), Err(Error::Unreadable { .. })));
    let (_folder, path) = in_file(&[manifest("Created-By: x")], &[]);
    assert!(matches!(read(&path, &[]), Err(Error::NoMainClass(_))));
    let (_folder, path) = in_file(&[("a.txt", Vec::new())], &[]);
    assert!(matches!(read(&path, &[]), Err(Error::NoMainClass(_))));
}

#[test]
fn settings_in_the_jar_tell_where_it_serves() {
    let settings = ("BOOT-INF/classes/application.yml", b"server: {servlet: {context-path: /clinic}}\n".to_vec());
    let later = ("BOOT-INF/classes/application.properties", b"springdoc.api-docs.path=/docs\n".to_vec());
    let elsewhere = ("application.yml", b"server: {servlet: {context-path: /other}}\n".to_vec());
    let start = manifest("Main-Class: org.springframework.boot.loader.JarLauncher\nStart-Class: net.acme.App\n");
    let served = jar(&[start, settings, later, elsewhere], &classes("BOOT-INF/classes/", &[("net/acme/App", &[])])).served;
    let value = |guess: Option<Guess<String>>| guess.map(|guess| guess.value);
    assert_eq!((value(served.base), value(served.schema)), (Some("/clinic".to_owned()), Some("/docs".to_owned())));
}
