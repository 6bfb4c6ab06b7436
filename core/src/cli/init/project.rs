//! How the project in a folder is started by its build tool.

use std::fs;
use std::path::Path;

/// A file that a build is described in, and what starts the service where it holds a text; the first that fits counts.
struct Tool {
    files: &'static [&'static str],
    /// The script beside the file that brings the tool along, and the tool.
    programs: [&'static str; 2],
    tasks: &'static [(&'static str, &'static str)],
}

const TOOLS: [Tool; 3] = [
    Tool {
        files: &["pom.xml"],
        programs: ["./mvnw", "mvn"],
        tasks: &[
            ("quarkus-maven-plugin", "quarkus:dev"),
            ("spring-boot-maven-plugin", "spring-boot:run"),
            ("micronaut-maven-plugin", "mn:run"),
            ("helidon-maven-plugin", "helidon:dev"),
            ("liberty-maven-plugin", "liberty:run"),
            ("tomee-maven-plugin", "tomee:run"),
            ("payara-micro-maven-plugin", "payara-micro:start"),
            ("jetty-maven-plugin", "jetty:run"),
            ("jetty-ee10-maven-plugin", "jetty:run"),
        ],
    },
    Tool {
        files: &["build.gradle", "build.gradle.kts"],
        programs: ["./gradlew --no-daemon", "gradle --no-daemon"],
        tasks: &[("io.quarkus", "quarkusDev"), ("org.springframework.boot", "bootRun"), ("application", "run")],
    },
    Tool { files: &["package.json"], programs: ["", "npm"], tasks: &[("\"start\":", "start")] },
];

/// The command that starts the service of the project in `folder`; none where its build does not tell.
pub(super) fn start_command(folder: &Path) -> Option<String> {
    TOOLS.iter().find_map(|tool| {
        let text = tool.files.iter().find_map(|file| fs::read_to_string(folder.join(file)).ok())?;
        let (_, task) = tool.tasks.iter().find(|(holds, _)| text.contains(holds))?;
        let [script, program] = tool.programs;
        let has_script = script.split(' ').next().is_some_and(|file| !file.is_empty() && folder.join(file).is_file());
        Some(format!("{} {task}", if has_script { script } else { program }))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::start_command;

    #[test]
    fn a_build_tells_how_it_starts_what_it_builds() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
        let told = || start_command(folder.path());
        assert_eq!(told(), None);
        put("package.json", r#"{"scripts": {"start": "node app.js"}}"#);
        assert_eq!(told().as_deref(), Some("npm start"));
        put("build.gradle.kts", "plugins { id(\"org.springframework.boot\") version \"3.5.5\" }");
        assert_eq!(told().as_deref(), Some("gradle --no-daemon bootRun"));
        put("gradlew", "");
        assert_eq!(told().as_deref(), Some("./gradlew --no-daemon bootRun"));
        put("pom.xml", "<project/>");
        assert_eq!(told().as_deref(), Some("./gradlew --no-daemon bootRun"));
        put("pom.xml", "<artifactId>spring-boot-maven-plugin</artifactId>");
        assert_eq!(told().as_deref(), Some("mvn spring-boot:run"));
        put("mvnw", "");
        assert_eq!(told().as_deref(), Some("./mvnw spring-boot:run"));
    }
}
