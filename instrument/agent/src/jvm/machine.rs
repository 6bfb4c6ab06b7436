//! What runs the service, and whether the agent was made for it.

/// A JVM the agent was made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Machine {
    /// Name and version, for messages.
    pub name: String,
    /// Main class or jar file, empty when unknown; arguments are left out, for they may hold secrets.
    pub command: String,
}

impl Machine {
    /// The machine that `property` describes (JVM system properties; empty for none).
    ///
    /// # Errors
    ///
    /// Why the agent does nothing on it.
    pub fn new(property: impl Fn(&str) -> String) -> Result<Self, String> {
        let (name, version) = (property("java.vm.name"), property("java.vm.version"));
        // HotSpot calls itself `OpenJDK 64-Bit Server VM`, `Java HotSpot(TM) 64-Bit Server VM`, `... Zero VM`.
        let is_hotspot = ["HotSpot", "Server VM", "Client VM", "Zero VM"].iter().any(|part| name.contains(part));
        if !is_hotspot {
            return Err(format!("found JVM `{name}`, wanted HotSpot; the service runs without guidance"));
        }
        let specification = property("java.vm.specification.version");
        if specification.parse().is_ok_and(|version: f32| version < 1.8) {
            return Err(format!("found Java {specification}, wanted 8 or newer; the service runs without guidance"));
        }
        let started = property("sun.java.command");
        let command = started.split(' ').next().unwrap_or_default();
        let command = command.rsplit(['/', '\\']).next().unwrap_or_default();
        Ok(Self { name: format!("{name} {version}"), command: command.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(vm: &str, specification: &str) -> Result<Machine, String> {
        let text = |name: &str| match name {
            "java.vm.name" => vm.to_owned(),
            "java.vm.version" => "17.0.15+6".to_owned(),
            "java.vm.specification.version" => specification.to_owned(),
            "sun.java.command" => "/srv/app.jar --password=secret".to_owned(),
            _ => String::new(),
        };
        Machine::new(text)
    }

    #[test]
    fn hotspot_is_taken_and_its_arguments_are_not_told() {
        let machine = machine("OpenJDK 64-Bit Server VM", "17").expect("HotSpot");
        assert_eq!((machine.name.as_str(), machine.command.as_str()), ("OpenJDK 64-Bit Server VM 17.0.15+6", "app.jar"));
    }

    #[test]
    fn other_machines_are_refused_by_name() {
        assert!(machine("Eclipse OpenJ9 VM", "17").is_err_and(|error| error.contains("`Eclipse OpenJ9 VM`")));
        assert!(machine("Java HotSpot(TM) Client VM", "1.7").is_err_and(|error| error.contains("Java 1.7")));
        assert!(machine("Java HotSpot(TM) Client VM", "1.8").is_ok());
    }
}
