//! HTTP servers of the JVM that all answer the same (`apps/keep-alive`): each is compiled with the libraries of its version.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::install;
use crate::process::run;
use crate::toolchain::{INSTALL_LIMIT, available, maven_libraries};
use crate::work::files;

/// A server in one version.
#[derive(Debug, Clone, Copy)]
pub struct Door {
    /// Server and version.
    pub name: &'static str,
    /// Its class in `apps/keep-alive`, without the package.
    pub main: &'static str,
    /// The Maven artifacts that it needs, with all that these need.
    pub artifacts: &'static [&'static str],
    /// What stands in the source where the server wants something else.
    pub renamed: Option<(&'static str, &'static str)>,
}

/// The package of all their classes.
pub const PACKAGE: &str = "org.example.doors";

const JAKARTA: Option<(&str, &str)> = Some(("javax.servlet", "jakarta.servlet"));

/// Tomcat 9.
pub const TOMCAT_9: Door = tomcat("Tomcat 9.0.98", &["org.apache.tomcat.embed:tomcat-embed-core:9.0.98"], None);

/// Grizzly.
pub const GRIZZLY: Door = door("Grizzly 2.4.4", "GrizzlyDoor", &["org.glassfish.grizzly:grizzly-http-server:2.4.4"]);

/// Jetty of a version that closed connections after exceptions.
pub const JETTY_9_3: Door = jetty("Jetty 9.3.30", &["org.eclipse.jetty:jetty-server:9.3.30.v20211001"], None);

/// All servers.
pub const DOORS: [Door; 19] = [
    tomcat("Tomcat 8.5.100", &["org.apache.tomcat.embed:tomcat-embed-core:8.5.100"], None),
    TOMCAT_9,
    tomcat("Tomcat 10.1.34", &["org.apache.tomcat.embed:tomcat-embed-core:10.1.34"], JAKARTA),
    tomcat("Tomcat 11.0.2", &["org.apache.tomcat.embed:tomcat-embed-core:11.0.2"], JAKARTA),
    jetty("Jetty 9.2.30", &["org.eclipse.jetty:jetty-server:9.2.30.v20200428"], None),
    JETTY_9_3,
    jetty("Jetty 9.4.56", &["org.eclipse.jetty:jetty-server:9.4.56.v20240826"], None),
    jetty("Jetty 10.0.26", &["org.eclipse.jetty:jetty-server:10.0.26"], None),
    jetty("Jetty 11.0.24", &["org.eclipse.jetty:jetty-server:11.0.24"], JAKARTA),
    door("Jetty 12.0.16, a servlet", "Jetty12Door", &["org.eclipse.jetty.ee10:jetty-ee10-servlet:12.0.16"]),
    door("Jetty 12.0.16, a handler of its own", "Jetty12Core", &["org.eclipse.jetty:jetty-server:12.0.16"]),
    door("Undertow 1.4.28", "UndertowDoor", &["io.undertow:undertow-core:1.4.28.Final"]),
    door("Undertow 2.3.18", "UndertowDoor", &["io.undertow:undertow-core:2.3.18.Final"]),
    door("Vert.x 3.9.16", "VertxDoor", &["io.vertx:vertx-core:3.9.16"]),
    door("Vert.x 4.5.11", "VertxDoor", &["io.vertx:vertx-core:4.5.11"]),
    door("Vert.x 5.0.0", "VertxDoor", &["io.vertx:vertx-core:5.0.0"]),
    door("Reactor Netty 1.2.1", "ReactorDoor", &["io.projectreactor.netty:reactor-netty-http:1.2.1"]),
    GRIZZLY,
    door("the JDK's", "JdkDoor", &[]),
];

const fn door(name: &'static str, main: &'static str, artifacts: &'static [&'static str]) -> Door {
    Door { name, main, artifacts, renamed: None }
}

const fn tomcat(name: &'static str, artifacts: &'static [&'static str], renamed: Option<(&'static str, &'static str)>) -> Door {
    Door { name, main: "TomcatDoor", artifacts, renamed }
}

const fn jetty(name: &'static str, artifacts: &'static [&'static str], renamed: Option<(&'static str, &'static str)>) -> Door {
    Door { name, main: "JettyDoor", artifacts, renamed }
}

impl Door {
    /// The class path that it runs with, built unless an earlier run did so; none when there is no JDK or no Maven.
    pub fn build(&self) -> Result<Option<String>> {
        if !available(&["java", "javac", "mvn"])? {
            return Ok(None);
        }
        let short: String = self.name.chars().filter(char::is_ascii_alphanumeric).collect();
        let mut class_path = Vec::new();
        if !self.artifacts.is_empty() {
            let libraries = maven_libraries(&format!("door-libraries-{short}"), self.artifacts)?;
            let jars = files(&libraries)?.into_iter().filter(|file| file.extension() == Some(OsStr::new("jar")));
            class_path.extend(jars.map(|jar| libraries.join(jar)));
        }
        let libraries = std::env::join_paths(&class_path)?;
        let source = |name: &str| fs::read_to_string(app().join(format!("src/org/example/doors/{name}.java")));
        let sources = [source("Door")?, source(self.main)?].map(|text| match self.renamed {
            Some((old, new)) => text.replace(old, new),
            None => text,
        });
        let classes = install::once(&format!("door-{short}"), &sources.concat(), |folder| {
            let mut javac = Command::new("javac");
            javac.args(["-nowarn", "-d"]).arg(folder).arg("-cp").arg(&libraries);
            for (name, text) in ["Door", self.main].iter().zip(&sources) {
                let file = folder.join(format!("{name}.java"));
                fs::write(&file, text)?;
                javac.arg(file);
            }
            run(&mut javac, folder, "javac", INSTALL_LIMIT)?.success()?;
            Ok(())
        })?;
        class_path.insert(0, classes);
        let class_path = std::env::join_paths(class_path)?;
        class_path.into_string().ok().context("the build folder is text").map(Some)
    }

    /// The command that starts it, with full verification of classes.
    pub fn command(&self, class_path: &str) -> String {
        format!("java -Xverify:all -cp {class_path} {PACKAGE}.{} {{port}}", self.main)
    }
}

/// The schema that all of them have.
pub fn schema() -> PathBuf {
    app().join("openapi.json")
}

fn app() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("apps/keep-alive")
}
