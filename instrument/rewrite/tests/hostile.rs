//! Damaged classes come back unchanged with a reason, or rewritten; ids of what failed are taken back.

use proptest::prelude::*;
use restive_rewrite::{Level, Outcome, Plan, Reason, TargetTable, rewrite};

const LOOPS: &[u8] = include_bytes!("../../classfile/tests/classes/Loops.class");
const HANDLES: &[u8] = include_bytes!("classes/Handles.class");

fn outcome(bytes: &[u8]) -> (Outcome, u32) {
    let mut targets = TargetTable::with_capacity(1 << 16);
    let outcome = rewrite(bytes, &Plan::all("java/lang/RestiveProbes"), &mut targets);
    (outcome, targets.len())
}

#[test]
fn rewriting_twice_gives_the_same_bytes_and_no_new_ids() {
    let mut targets = TargetTable::with_capacity(1 << 16);
    let plan = Plan::all("java/lang/RestiveProbes");
    let (one, other) = (rewrite(LOOPS, &plan, &mut targets), rewrite(LOOPS, &plan, &mut targets));
    let (Outcome::Rewritten(one), Outcome::Rewritten(other)) = (one, other) else { panic!("not rewritten") };
    assert_eq!((one.bytes, one.new_targets.start, other.new_targets.len()), (other.bytes, 0, 0));
    assert_eq!(one.new_targets.end, targets.len());
}

#[test]
fn a_full_table_leaves_the_class_and_the_table_as_they_were() {
    let mut targets = TargetTable::with_capacity(10);
    let Outcome::Unchanged(unchanged) = rewrite(LOOPS, &Plan::all("A"), &mut targets) else { panic!("rewritten") };
    assert_eq!((unchanged.class_name.as_str(), unchanged.reason, targets.len()), ("Loops", Reason::TableFull, 0));
}

#[test]
fn truncated_classes_are_unreadable() {
    for class in [LOOPS, HANDLES] {
        for length in (0..class.len()).step_by(7) {
            let (outcome, n_targets) = outcome(&class[..length]);
            assert!(matches!(outcome, Outcome::Unchanged(unchanged) if matches!(unchanged.reason, Reason::Unreadable(_))));
            assert_eq!(n_targets, 0);
        }
    }
}

/// A class with one method of `n` times `iload_0; ifeq +n·4; …`, as far as the last jump reaches.
fn class_with_code(code: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 48, 0, 8];
    for text in ["A", "java/lang/Object", "f", "(I)V", "Code"] {
        bytes.extend([1, 0, u8::try_from(text.len()).expect("short")]);
        bytes.extend(text.as_bytes());
    }
    bytes.extend([7, 0, 1, 7, 0, 2]);
    bytes.extend([0, 0x21, 0, 6, 0, 7, 0, 0, 0, 0, 0, 1, 0, 9, 0, 3, 0, 4, 0, 1, 0, 5]);
    bytes.extend(u32::try_from(code.len() + 12).expect("short").to_be_bytes());
    bytes.extend([0, 2, 0, 1]);
    bytes.extend(u32::try_from(code.len()).expect("short").to_be_bytes());
    bytes.extend(code);
    bytes.extend([0, 0, 0, 0, 0, 0]);
    bytes
}

#[test]
fn methods_without_room_have_fewer_probes_and_say_so() {
    // iload_0; ifeq to the next instruction but one; nop
    let branches = |n: usize| [0x1a, 0x99, 0, 4, 0].repeat(n);
    let levels: Vec<_> = [100, 12_000]
        .map(|n| {
            let code = [branches(n), vec![0xb1]].concat();
            match outcome(&class_with_code(&code)).0 {
                Outcome::Rewritten(rewritten) => {
                    (rewritten.n_methods, rewritten.degraded.first().map(|degraded| degraded.level))
                }
                Outcome::Unchanged(unchanged) => {
                    assert!(matches!(unchanged.reason, Reason::NoRoom(_)), "{}", unchanged.reason);
                    (0, Some(Level::Untouched))
                }
            }
        })
        .into();
    assert_eq!(levels, [(1, None), (0, Some(Level::Untouched))]);
}

proptest! {
    #[test]
    fn mutations_never_panic(
        class in prop::sample::select(vec![LOOPS, HANDLES]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let mut bytes = class.to_vec();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let (outcome, n_targets) = outcome(&bytes);
        if let Outcome::Unchanged(_) = outcome {
            prop_assert_eq!(n_targets, 0);
        }
    }
}
