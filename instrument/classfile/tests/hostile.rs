//! Bytes that are no class file: an error with a place in it, never a panic, never more memory than the input warrants.

use proptest::prelude::*;
use restive_classfile::opcode::op;
use restive_classfile::{ClassFile, Edit, Error, ErrorKind, Instruction, Patcher, print};

const LOOPS: &[u8] = include_bytes!("classes/Loops.class");

/// Everything this crate does with a class.
fn everything(bytes: &[u8]) -> Result<(), Error> {
    let class = ClassFile::read(bytes)?;
    let printed = print(&class);
    let mut patcher = Patcher::new(&class);
    for method in &class.methods {
        if let Some(code) = class.code(method)? {
            let constant = patcher.pool.method("A", "b", "()V")?;
            let outcome = patcher.patch(&code, &mut |instruction: &Instruction<'_>, _: &mut _, edit: &mut Edit| {
                if instruction.is_conditional() || instruction.switch().is_some() {
                    edit.before.extend([op::NOP; 5]);
                }
                Ok(())
            });
            assert!(constant > 0);
            outcome?;
        }
    }
    let result = patcher.finish()?;
    assert!(result.len() <= bytes.len() * 8 + 1000);
    printed.map(|_| ())
}

#[test]
fn the_unharmed_class_passes() {
    everything(LOOPS).unwrap();
}

#[test]
fn every_truncation_is_an_error_within_the_bytes() {
    for length in 0..LOOPS.len() {
        let error = everything(&LOOPS[..length]).unwrap_err();
        assert!(error.offset() <= length, "{error}");
    }
}

#[test]
fn errors_name_what_is_wrong_and_where() {
    let error = ClassFile::read(b"PK\x03\x04 jar").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Magic(0x504b_0304));
    assert_eq!(error.to_string(), "not a class file: begins with 0x504b0304 (at offset 0x0)");
    let error = ClassFile::read(&[LOOPS, &[0]].concat()).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TrailingBytes, LOOPS.len()));
}

#[test]
fn every_single_byte_set_to_its_limits_is_survived() {
    for at in 0..LOOPS.len() {
        for value in [0x00, 0xff] {
            let mut bytes = LOOPS.to_vec();
            bytes[at] = value;
            // Either outcome is right; that it comes, and that an error lies within reach of the bytes, is what is tested.
            if let Err(error) = everything(&bytes) {
                assert!(u16::try_from(error.offset()).is_ok(), "{error}");
            }
        }
    }
}

proptest! {
    #[test]
    fn mutations_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        let mut bytes = LOOPS.to_vec();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        prop_assert!(everything(&bytes).map_or_else(|error| !error.to_string().is_empty(), |()| true));
    }

    #[test]
    fn noise_never_panics(mut bytes: Vec<u8>) {
        bytes.splice(0..0, [0xca, 0xfe, 0xba, 0xbe]);
        prop_assert!(everything(&bytes).is_err());
    }
}
