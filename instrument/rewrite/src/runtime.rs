//! The Java class that probes report to: `instrument/java/Probes.java`, compiled, under the name and with the room it is given.

use restive_classfile::text;

/// The compiled class; a test compiles its source again and compares.
const PROBES: &[u8] = include_bytes!("../../java/Probes.class");

/// The name of the class as compiled.
const NAME: &str = "Probes";

/// The constant in its place of which the number of targets is written.
const CAPACITY: u32 = 0x5253_5456;

/// The runtime class with this internal name and arrays for `capacity` targets.
///
/// To be defined once, before any class with probes is linked. In `java/lang`, by the null loader, every loader finds it.
///
/// # Panics
/// When `internal_name` is longer than a class file can say or `capacity` is above `i32::MAX`.
pub fn class_bytes(internal_name: &str, capacity: u32) -> Vec<u8> {
    assert!(i32::try_from(capacity).is_ok(), "an array has at most {} elements", i32::MAX);
    let name = text::encode(internal_name.encode_utf16());
    // JVMS 4.4.7 and 4.4.4: the constants as they stand in the file.
    let renamed = replaced(PROBES, &utf8(NAME.as_bytes()), &utf8(&name));
    let [old, new] = [CAPACITY, capacity].map(|number| [&[3][..], &number.to_be_bytes()].concat());
    replaced(&renamed, &old, &new)
}

fn utf8(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).expect("a name has at most 65,535 bytes");
    [&[1][..], &length.to_be_bytes(), bytes].concat()
}

/// `bytes` with the one occurrence of `old` replaced.
fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = bytes.windows(old.len()).position(|window| window == old).expect("the constant is in the compiled class");
    [&bytes[..at], new, &bytes[at + old.len()..]].concat()
}

#[cfg(test)]
mod tests {
    use restive_classfile::ClassFile;

    use super::{CAPACITY, PROBES, class_bytes, utf8};

    #[test]
    fn name_and_room_occur_once_in_the_compiled_class() {
        let count = |wanted: &[u8]| PROBES.windows(wanted.len()).filter(|window| *window == wanted).count();
        assert_eq!(count(&utf8(b"Probes")), 1);
        assert_eq!(count(&CAPACITY.to_be_bytes()), 1);
    }

    #[test]
    fn renamed_class_is_a_class_of_that_name() {
        let bytes = class_bytes("java/lang/RestiveProbes", 5);
        assert_eq!(ClassFile::read(&bytes).unwrap().name().unwrap(), b"java/lang/RestiveProbes");
    }
}
