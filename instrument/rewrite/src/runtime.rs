//! The Java classes that live in the service's JVM: `instrument/java`, compiled, under the names and with the room they are given.

use restive_classfile::text;

use crate::emit::Home;

/// The compiled classes, of which a later one may use earlier ones; a test compiles their sources again and compares.
const CLASSES: [(&str, &[u8]); 37] = [
    ("Ranges", include_bytes!("../../java/Ranges.class")),
    ("Syntax", include_bytes!("../../java/Syntax.class")),
    ("Automaton", include_bytes!("../../java/Automaton.class")),
    ("Numbers", include_bytes!("../../java/Numbers.class")),
    ("Values", include_bytes!("../../java/Values.class")),
    ("Characters", include_bytes!("../../java/Characters.class")),
    ("Members", include_bytes!("../../java/Members.class")),
    ("Formats", include_bytes!("../../java/Formats.class")),
    ("Distances", include_bytes!("../../java/Distances.class")),
    (TRACKING, include_bytes!("../../java/Tracking.class")),
    ("Demands", include_bytes!("../../java/Demands.class")),
    ("Registered", include_bytes!("../../java/Registered.class")),
    ("Subtypes", include_bytes!("../../java/Subtypes.class")),
    ("Schemas$Property", include_bytes!("../../java/Schemas$Property.class")),
    ("Schemas$Parameterized", include_bytes!("../../java/Schemas$Parameterized.class")),
    ("Accessors", include_bytes!("../../java/Accessors.class")),
    ("Ktor", include_bytes!("../../java/Ktor.class")),
    ("Helidon", include_bytes!("../../java/Helidon.class")),
    ("Demanded", include_bytes!("../../java/Demanded.class")),
    ("Schemas", include_bytes!("../../java/Schemas.class")),
    ("Beans$Filling", include_bytes!("../../java/Beans$Filling.class")),
    ("Beans", include_bytes!("../../java/Beans.class")),
    (INPUTS, include_bytes!("../../java/Inputs.class")),
    ("Template", include_bytes!("../../java/Template.class")),
    ("Operation", include_bytes!("../../java/Operation.class")),
    ("Armeria", include_bytes!("../../java/Armeria.class")),
    ("Servlets", include_bytes!("../../java/Servlets.class")),
    ("DataRest$Repository", include_bytes!("../../java/DataRest$Repository.class")),
    ("DataRest", include_bytes!("../../java/DataRest.class")),
    ("Functional$Way", include_bytes!("../../java/Functional$Way.class")),
    ("Functional", include_bytes!("../../java/Functional.class")),
    ("Routes", include_bytes!("../../java/Routes.class")),
    (CALLS, include_bytes!("../../java/Calls.class")),
    (CONSTRAINTS, include_bytes!("../../java/Constraints.class")),
    ("Stacks", include_bytes!("../../java/Stacks.class")),
    ("Signal", include_bytes!("../../java/Signal.class")),
    (PROBES, include_bytes!("../../java/Probes.class")),
];

/// The name of the class that probes report to, as compiled.
const PROBES: &str = "Probes";

/// The name of the class that stands around calls, as compiled.
const CALLS: &str = "Calls";

/// The name of the class that stands around validators, as compiled.
const CONSTRAINTS: &str = "Constraints";

/// The name of the class that looks for tracked values, as compiled.
const TRACKING: &str = "Tracking";

/// The name of the class that notes which inputs are read, as compiled.
const INPUTS: &str = "Inputs";

/// The constant in its place of which the number of targets is written.
const CAPACITY: u32 = 0x5253_5456;

/// A class to be defined in the service's JVM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeClass {
    /// Its name, such as `java/lang/RestiveProbes`.
    pub internal_name: String,
    /// Its class file.
    pub bytes: Vec<u8>,
}

/// All runtime classes, in the order in which they are to be defined; the last one is what probes report to.
///
/// Each is called `prefix` and its own name: `java/lang/Restive` makes `java/lang/RestiveProbes` of `Probes`. The arrays of
/// the last one have room for `capacity` targets. To be defined once, before any class with probes is linked. In
/// `java/lang`, by the null loader, every loader finds them.
///
/// # Panics
/// When `prefix` is longer than a class file can say or `capacity` is above `i32::MAX`.
pub fn classes(prefix: &str, capacity: u32) -> Vec<RuntimeClass> {
    assert!(i32::try_from(capacity).is_ok(), "an array has at most {} elements", i32::MAX);
    let runtime_class = |(name, bytes): &(&str, &[u8])| {
        let renamed = renamed(bytes, prefix);
        let bytes = if *name == PROBES { with_capacity(&renamed, capacity) } else { renamed };
        RuntimeClass { internal_name: format!("{prefix}{name}"), bytes }
    };
    CLASSES.iter().map(runtime_class).collect()
}

/// The class that probes report to, under this internal name, which ends in `Probes`, with arrays for `capacity` targets.
///
/// # Panics
/// When `internal_name` has another end, is longer than a class file can say, or `capacity` is above `i32::MAX`.
pub fn class_bytes(internal_name: &str, capacity: u32) -> Vec<u8> {
    let prefix = internal_name.strip_suffix(PROBES).expect("the name of the runtime class ends in `Probes`");
    let probes = classes(prefix, capacity).pop().expect("there are runtime classes");
    probes.bytes
}

/// The class file with each constant that names a runtime class, alone or in a descriptor, naming it with the prefix.
fn renamed(bytes: &[u8], prefix: &str) -> Vec<u8> {
    let prefix = text::encode(prefix.encode_utf16());
    let mut out = bytes[..CONSTANTS].to_vec();
    let mut at = CONSTANTS;
    let n_constants = u16::from_be_bytes([bytes[CONSTANTS - 2], bytes[CONSTANTS - 1]]);
    let mut idx = 1;
    while idx < n_constants {
        let length = constant_length(&bytes[at..]);
        let constant = &bytes[at..at + length];
        if constant[0] == UTF8 {
            out.extend(utf8(&with_prefix(&constant[3..], &prefix)));
        } else {
            out.extend(constant);
        }
        at += length;
        idx += if matches!(constant[0], LONG | DOUBLE) { 2 } else { 1 };
    }
    out.extend(&bytes[at..]);
    out
}

// JVMS 4.1 and 4.4.
const CONSTANTS: usize = 10;
const UTF8: u8 = 1;
const LONG: u8 = 5;
const DOUBLE: u8 = 6;

/// How many bytes the first constant takes; JVMS 4.4.
fn constant_length(bytes: &[u8]) -> usize {
    match bytes[0] {
        UTF8 => 3 + usize::from(u16::from_be_bytes([bytes[1], bytes[2]])),
        LONG | DOUBLE => 9,
        7 | 8 | 16 | 19 | 20 => 3,
        15 => 4,
        _ => 5,
    }
}

/// A name or descriptor with the prefix in front of each runtime class in it.
fn with_prefix(text: &[u8], prefix: &[u8]) -> Vec<u8> {
    if CLASSES.iter().any(|(name, _)| name.as_bytes() == text) {
        return [prefix, text].concat();
    }
    let mut out = Vec::with_capacity(text.len());
    for (idx, byte) in text.iter().enumerate() {
        out.push(*byte);
        let rest = &text[idx + 1..];
        let named = |name: &str| rest.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&b';'));
        // In a descriptor; no text of these classes looks like one.
        if *byte == b'L' && CLASSES.iter().any(|(name, _)| named(name)) {
            out.extend(prefix);
        }
    }
    out
}

/// How many methods that return a boolean the runtime class has room for.
pub(crate) const N_SLOTS: i32 = 1 << 14;

/// The internal name of a runtime class, where probes report to the one of this name.
pub(crate) fn class_name(probes: &str, home: Home) -> String {
    let prefix = probes.strip_suffix(PROBES).unwrap_or(probes);
    match home {
        Home::Probes => probes.to_owned(),
        Home::Calls => format!("{prefix}{CALLS}"),
        Home::Constraints => format!("{prefix}{CONSTRAINTS}"),
        Home::Tracking => format!("{prefix}{TRACKING}"),
        Home::Inputs => format!("{prefix}{INPUTS}"),
    }
}

fn utf8(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).expect("a name has at most 65,535 bytes");
    [&[UTF8][..], &length.to_be_bytes(), bytes].concat()
}

/// `bytes` with the one place that says how much room there is written over.
fn with_capacity(bytes: &[u8], capacity: u32) -> Vec<u8> {
    // JVMS 4.4.4.
    let [old, new] = [CAPACITY, capacity].map(|number| [&[3][..], &number.to_be_bytes()].concat());
    let at = bytes.windows(old.len()).position(|window| window == old).expect("the constant is in the compiled class");
    [&bytes[..at], &new, &bytes[at + old.len()..]].concat()
}

#[cfg(test)]
mod tests {
    use restive_classfile::ClassFile;

    use super::{CAPACITY, CLASSES, INPUTS, PROBES, TRACKING, class_bytes, classes, utf8};

    #[test]
    fn room_is_told_once_in_the_compiled_classes() {
        let bytes: Vec<u8> = CLASSES.iter().flat_map(|(_, bytes)| bytes.to_vec()).collect();
        assert_eq!(bytes.windows(4).filter(|window| *window == CAPACITY.to_be_bytes()).count(), 1);
    }

    /// `C1InlineStackLimit` and `C1MaxInlineSize` of `c1_globals.hpp`, `InlineTree::should_not_inline` of
    /// `bytecodeInfo.cpp`: a method of an exception, or one that is too large, is called each time.
    #[test]
    fn compilers_take_probes_and_hooks_into_the_methods_that_they_stand_in() {
        let standing: [(&str, &[&str]); 3] = [
            (
                PROBES,
                &[
                    "icmpeq", "icmpne", "icmplt", "icmpge", "icmpgt", "icmple", "acmpeq", "acmpne", "ask", "flageq", "flagne",
                    "compared", "enter", "account", "tell", "relay", "give", "select", "choose", "loop", "end", "left",
                    "caught",
                ],
            ),
            (INPUTS, &["read", "hold", "look", "child", "typed", "reach", "parse"]),
            (TRACKING, &["compared", "sought", "parsed", "decoded", "formatted", "matched", "matcher", "member", "cases"]),
        ];
        for (class_name, hooks) in standing {
            let (_, bytes) = CLASSES.iter().find(|(name, _)| *name == class_name).unwrap();
            let class = ClassFile::read(bytes).unwrap();
            assert_eq!(class.pool.class_name(class.super_class).unwrap(), b"java/lang/Object");
            let mut n_found = 0;
            for method in &class.methods {
                let name = str::from_utf8(class.pool.utf8(method.name).unwrap()).unwrap();
                if method.access & PUBLIC == 0 || !hooks.contains(&name) {
                    continue;
                }
                n_found += 1;
                let code = class.code(method).unwrap().unwrap();
                let n_parameters = parameter_places(class.pool.utf8(method.descriptor).unwrap());
                // One place more is for method handles.
                let n_places = code.max_stack + 1 + code.max_locals - n_parameters;
                assert!(n_places <= 5 && code.code.len() <= 35, "{name}: {n_places} places, {} bytes", code.code.len());
            }
            assert!(n_found >= hooks.len(), "{class_name}: {n_found} of {}", hooks.len());
        }
    }

    /// JVMS 4.4.
    const PUBLIC: u16 = 1;

    /// How many locals the parameters take, of which none is a long, a double or an array; JVMS 4.3.3.
    fn parameter_places(descriptor: &[u8]) -> u16 {
        let parameters = descriptor.strip_prefix(b"(").unwrap().split(|byte| *byte == b')').next().unwrap();
        let mut n_places = 0;
        let mut rest = parameters;
        while let Some((first, behind)) = rest.split_first() {
            n_places += 1;
            rest = if *first == b'L' { behind.splitn(2, |byte| *byte == b';').nth(1).unwrap() } else { behind };
        }
        n_places
    }

    #[test]
    fn renamed_classes_are_classes_of_that_name_and_know_no_other() {
        let renamed = classes("java/lang/Restive", 5);
        for class in &renamed {
            assert_eq!(ClassFile::read(&class.bytes).unwrap().name().unwrap(), class.internal_name.as_bytes());
            for (name, _) in CLASSES {
                let unnamed = [utf8(name.as_bytes()), format!("L{name};").into_bytes()];
                let n_found = |wanted: &[u8]| class.bytes.windows(wanted.len()).filter(|window| *window == wanted).count();
                assert_eq!(unnamed.map(|wanted| n_found(&wanted)), [0, 0], "{name} in {}", class.internal_name);
            }
        }
        assert_eq!(class_bytes("java/lang/RestiveProbes", 5), renamed.last().unwrap().bytes);
    }
}
