//! Keeps HTTP servers from closing connections that could be used again (paper 004, section 7).
//!
//! Many servers close a kept-alive connection after a number of requests or after an error. A search calls thousands of
//! times and meets errors all the time; each new connection costs time and a port. Entry point: [`keep_alive`], which changes
//! the few methods of [`keep_alive_rows`] that decide so. These are a library's classes, not the service's: they get no probes.
//!
//! A method that differs from what its row expects stays as it is, and what must close does: a request that was not
//! understood, an answer without a length, one that broke off, a client that wants it so.

mod table;

use restive_classfile::opcode::op;
use restive_classfile::{ClassFile, Edit, Instruction, MemberRef, Patcher, Result};

pub use table::{Change, KeepAlive};

/// All rows.
pub fn keep_alive_rows() -> &'static [KeepAlive] {
    &table::ROWS
}

/// The class file that keeps connections open; none when the class is none of the table, or has nothing to change.
///
/// `internal_name` may have a prefix (`wiremock/org/eclipse/…`), as classes have that were moved into another jar.
pub fn keep_alive(internal_name: &str, class_bytes: &[u8]) -> Option<Vec<u8>> {
    let rows = rows_of(internal_name);
    let prefix = internal_name.strip_suffix(rows.first()?.class)?;
    // A damaged class is left to the JVM, which says so better.
    changed(class_bytes, prefix, &rows).ok().flatten()
}

/// The rows that mean a class of this name, or one that was moved.
fn rows_of(internal_name: &str) -> Vec<&'static KeepAlive> {
    let is_meant = |row: &&KeepAlive| {
        internal_name.strip_suffix(row.class).is_some_and(|prefix| prefix.is_empty() || prefix.ends_with('/'))
    };
    table::ROWS.iter().filter(is_meant).collect()
}

fn changed(class_bytes: &[u8], prefix: &str, rows: &[&KeepAlive]) -> Result<Option<Vec<u8>>> {
    let class = ClassFile::read(class_bytes)?;
    let mut patcher = Patcher::new(&class);
    let mut n_changes = 0;
    for method in &class.methods {
        let (name, descriptor) = (class.pool.utf8(method.name)?, class.pool.utf8(method.descriptor)?);
        let is_meant = |row: &&&KeepAlive| row.method.as_bytes() == name && is_same(row.descriptor, descriptor, prefix);
        let (Some(row), Some(code)) = (rows.iter().find(is_meant), class.code(method)?) else { continue };
        patcher.patch(&code, &mut |instruction: &Instruction<'_>, _: &mut _, edit: &mut Edit| {
            let named = instruction.constant().and_then(|index| class.pool.member(index).ok());
            n_changes += usize::from(change(row.change, instruction, named, prefix, edit));
            Ok(())
        })?;
    }
    if n_changes == 0 { Ok(None) } else { patcher.finish().map(Some) }
}

/// Whether two descriptors are the same but for the names of classes that were moved to `prefix`.
fn is_same(descriptor: &str, found: &[u8], prefix: &str) -> bool {
    if prefix.is_empty() {
        return descriptor.as_bytes() == found;
    }
    std::str::from_utf8(found).is_ok_and(|found| found.replace(&format!("L{prefix}"), "L") == descriptor)
}

/// Changes one instruction, if it is one that the row means; says whether it is.
fn change(change: Change, instruction: &Instruction<'_>, named: Option<MemberRef<'_>>, prefix: &str, edit: &mut Edit) -> bool {
    match change {
        Change::Returns(number) => {
            if instruction.opcode != op::IRETURN {
                return false;
            }
            edit.before.extend([op::POP, small_int(number)]);
        }
        Change::Number { from, to } => {
            if instruction.opcode != op::SIPUSH || instruction.immediate() != Some(i32::from(from)) {
                return false;
            }
            let [high, low] = to.to_be_bytes();
            edit.replacement.extend([op::SIPUSH, high, low]);
        }
        Change::Gives { class, method, descriptor, number } => {
            if instruction.opcode != op::INVOKESTATIC || !is_member(named, class, method, descriptor, prefix) {
                return false;
            }
            edit.after.extend([op::POP, small_int(number)]);
        }
        Change::Without { class, method, descriptor, entries } => {
            if instruction.opcode != op::INVOKEVIRTUAL || !is_member(named, class, method, descriptor, prefix) {
                return false;
            }
            edit.replacement.extend(std::iter::repeat_n(op::POP, entries));
        }
    }
    true
}

fn is_member(named: Option<MemberRef<'_>>, class: &str, method: &str, descriptor: &str, prefix: &str) -> bool {
    let is_meant = |named: MemberRef<'_>| {
        let moved = named.class.strip_prefix(prefix.as_bytes());
        moved == Some(class.as_bytes()) && named.name == method.as_bytes() && is_same(descriptor, named.descriptor, prefix)
    };
    named.is_some_and(is_meant)
}

/// The instruction that pushes -1, 0 or 1.
fn small_int(number: i8) -> u8 {
    match number {
        ..0 => op::ICONST_M1,
        0 => op::ICONST_0,
        1.. => op::ICONST_1,
    }
}

#[cfg(test)]
mod tests;
