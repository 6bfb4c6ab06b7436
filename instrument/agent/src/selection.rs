//! Whose classes are measured.

/// Prefixes of class names, with dots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    /// Those of the service; none means all but the platform's.
    pub include: Vec<String>,
    /// Exceptions from these.
    pub exclude: Vec<String>,
}

/// Whose a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The service: it gets probes.
    Service,
    /// A library.
    Library,
    /// The JVM, or this agent: never touched, never counted.
    Platform,
}

/// Who loads a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loader {
    /// The JVM itself: the core of the JDK.
    Machine,
    /// The platform's, which has more modules of the JDK.
    Platform,
    /// One of the class path, or of an application.
    Other,
}

/// Names that are never touched, whatever is included: probes run code of these.
const UNTOUCHABLE: [&str; 2] = ["java/", "jdk/internal/"];

/// Names that are left alone when nothing is included.
const PLATFORM: [&str; 4] = ["javax/", "jdk/", "sun/", "com/sun/"];

/// Names of the JDK that other loaders have, too: its tools, and proxies. `javax/` and the rest of `com/sun/` may be anyone's.
const TOOLS: [&str; 6] = ["jdk/", "sun/", "com/sun/proxy/", "com/sun/tools/", "com/sun/source/", "com/sun/jdi/"];

impl Selection {
    /// Whose the class of this internal name (with slashes) is that this loader loads.
    pub fn owner(&self, internal_name: &str, loader: Loader) -> Owner {
        let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| internal_name.starts_with(prefix));
        if begins(&UNTOUCHABLE) {
            return Owner::Platform;
        }
        let is_service = if self.include.is_empty() {
            loader == Loader::Other && !begins(&PLATFORM)
        } else {
            self.include.iter().any(|prefix| matches(prefix, internal_name))
        };
        if is_service && !self.exclude.iter().any(|prefix| matches(prefix, internal_name)) {
            Owner::Service
        } else if loader != Loader::Other || begins(&TOOLS) {
            Owner::Platform
        } else {
            Owner::Library
        }
    }

    /// Whether the class of this internal name is the service's or a library's, by its name.
    pub fn may_serve(&self, internal_name: &str) -> bool {
        let is_platform = PLATFORM.iter().any(|prefix| internal_name.starts_with(prefix));
        match self.owner(internal_name, Loader::Other) {
            Owner::Service => true,
            Owner::Library => !is_platform,
            Owner::Platform => false,
        }
    }
}

/// Whether a class lies below a prefix: `com.acme.` and `com.acme` are packages, `com.acme.Foo` a class with its inner ones.
fn matches(prefix: &str, internal_name: &str) -> bool {
    let dotted = |byte: u8| if byte == b'/' { b'.' } else { byte };
    let mut name = internal_name.bytes().map(dotted);
    let begins = prefix.bytes().all(|byte| name.next() == Some(byte));
    begins && (prefix.ends_with('.') || matches!(name.next(), None | Some(b'.' | b'$')))
}

/// The package of an internal name, with dots; empty for none.
pub(crate) fn package(internal_name: &str) -> String {
    internal_name.rsplit_once('/').map_or_else(String::new, |(package, _class)| package.replace('/', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(include: &[&str], exclude: &[&str]) -> Selection {
        let owned = |prefixes: &[&str]| prefixes.iter().map(|&prefix| prefix.to_owned()).collect();
        Selection { include: owned(include), exclude: owned(exclude) }
    }

    #[test]
    fn prefixes_end_where_names_end() {
        let selection = selection(&["com.acme", "org.x.Main"], &["com.acme.gen."]);
        for (name, owner) in [
            ("com/acme/Foo", Owner::Service),
            ("com/acme/a/Foo$1", Owner::Service),
            ("com/acmeother/Foo", Owner::Library),
            ("com/acme/gen/Foo", Owner::Library),
            ("org/x/Main", Owner::Service),
            ("org/x/Main$Inner", Owner::Service),
            ("org/x/Mainly", Owner::Library),
        ] {
            assert_eq!(selection.owner(name, Loader::Other), owner, "{name}");
        }
        assert_eq!(package("com/acme/Foo"), "com.acme");
        assert_eq!(package("Foo"), "");
    }

    #[test]
    fn platform_is_left_alone_unless_asked_for() {
        let all = selection(&[], &[]);
        assert_eq!(all.owner("com/acme/Foo", Loader::Other), Owner::Service);
        assert_eq!(all.owner("com/acme/Foo", Loader::Machine), Owner::Platform);
        assert_eq!(all.owner("com/sun/net/httpserver/HttpServer", Loader::Platform), Owner::Platform);
        let asked = selection(&["com.sun.net.httpserver.", "java.lang."], &[]);
        assert_eq!(asked.owner("com/sun/net/httpserver/HttpServer", Loader::Platform), Owner::Service);
        assert_eq!(asked.owner("java/lang/String", Loader::Machine), Owner::Platform, "probes run its code");
    }

    #[test]
    fn the_platforms_classes_serve_nothing_unless_they_are_the_services() {
        let all = selection(&["com.acme.", "com.sun.net.httpserver."], &[]);
        for name in ["com/acme/Foo", "org/engine/Foo", "com/sun/net/httpserver/HttpServer"] {
            assert!(all.may_serve(name), "{name}");
        }
        for name in ["java/lang/String", "javax/ws/rs/Path", "sun/misc/Unsafe", "com/sun/tools/javac/Main"] {
            assert!(!all.may_serve(name), "{name}");
        }
    }

    #[test]
    fn libraries_are_told_by_their_loader_and_not_by_their_names() {
        let selection = selection(&["com.acme."], &[]);
        for (name, loader, owner) in [
            ("javax/servlet/http/HttpServlet", Loader::Other, Owner::Library),
            ("jakarta/validation/Validator", Loader::Other, Owner::Library),
            ("com/sun/xml/bind/v2/ContextFactory", Loader::Other, Owner::Library),
            ("javax/sql/DataSource", Loader::Platform, Owner::Platform),
            ("javax/net/ssl/SSLContext", Loader::Machine, Owner::Platform),
            ("com/sun/tools/javac/Main", Loader::Other, Owner::Platform),
            ("com/sun/proxy/$Proxy7", Loader::Other, Owner::Platform),
            ("jdk/proxy2/$Proxy7", Loader::Other, Owner::Platform),
        ] {
            assert_eq!(selection.owner(name, loader), owner, "{name}");
        }
    }
}
