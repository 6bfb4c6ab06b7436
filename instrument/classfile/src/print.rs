//! Prints a class as text, in the manner of `javap -c`, for golden tests and curious people.
//!
//! Positions appear as labels `L0`, `L1`… in the order of the code and constants by what they mean, so that two listings
//! differ only where the programs do. Attributes that are neither code nor positions are left out.

mod frames;
mod labels;
mod operand;

use std::fmt::Write;

use crate::class::{ClassFile, Member};
use crate::code::{Code, table};
use crate::error::Result;
use crate::text;
use labels::Labels;

/// The listing of a class.
///
/// # Errors
/// When the class is damaged in a part that is printed.
pub fn print(class: &ClassFile<'_>) -> Result<String> {
    let mut out = String::new();
    out += "class ";
    out += &text::decode(class.name()?);
    if class.super_class != 0 {
        out += " extends ";
        out += &text::decode(class.pool.class_name(class.super_class)?);
    }
    for interface in &class.interfaces {
        out += " implements ";
        out += &text::decode(class.pool.class_name(*interface)?);
    }
    out.push('\n');
    for field in &class.fields {
        line(&mut out, format_args!("field {} {}", class.pool.text(field.name)?, class.pool.text(field.descriptor)?));
    }
    for method in &class.methods {
        out += &print_method(class, method)?;
    }
    for (number, bootstrap) in class.bootstrap_methods()?.iter().enumerate() {
        let constants: Vec<_> = [bootstrap.method].iter().chain(&bootstrap.arguments).copied().collect();
        let texts = constants.into_iter().map(|index| operand::constant(class, index)).collect::<Result<Vec<_>>>()?;
        line(&mut out, format_args!("bootstrap #{number} {}", texts.join(" ")));
    }
    Ok(out)
}

/// The listing of one method.
///
/// # Errors
/// As [`print()`].
pub fn print_method(class: &ClassFile<'_>, method: &Member) -> Result<String> {
    let mut out = String::new();
    line(&mut out, format_args!("method {}{}", class.pool.text(method.name)?, class.pool.text(method.descriptor)?));
    if let Some(code) = class.code(method)? {
        print_code(class, &code, &mut out)?;
    }
    Ok(out)
}

fn print_code(class: &ClassFile<'_>, code: &Code<'_>, out: &mut String) -> Result<()> {
    line(out, format_args!("  stack {} locals {}", code.max_stack, code.max_locals));
    let labels = Labels::of(class, code)?;
    let lines = code.lines(&class.pool)?;
    let frames = frames::of(class, code)?;
    for instruction in code.instructions() {
        let instruction = instruction?;
        if let Some(label) = labels.at(instruction.pc) {
            line(out, format_args!(" {label}:"));
        }
        for entry in lines.iter().filter(|entry| usize::from(entry.start_pc) == instruction.pc) {
            line(out, format_args!("  .line {}", entry.line));
        }
        for (_, frame) in frames.iter().filter(|(pc, _)| *pc == instruction.pc) {
            line(out, format_args!("  .frame {frame}"));
        }
        line(out, format_args!("    {}{}", instruction.mnemonic(), operand::of(class, &instruction, &labels)?));
    }
    if let Some(label) = labels.at(code.code.len()) {
        line(out, format_args!(" {label}:"));
    }
    print_handlers(class, code, &labels, out)?;
    print_locals(class, code, &labels, out)
}

fn print_handlers(class: &ClassFile<'_>, code: &Code<'_>, labels: &Labels, out: &mut String) -> Result<()> {
    for handler in code.handlers() {
        let caught = match handler.catch_type {
            0 => "any".into(),
            class_index => text::decode(class.pool.class_name(class_index)?),
        };
        let [start, end, handler] =
            [handler.start_pc, handler.end_pc, handler.handler_pc].map(|pc| labels.name(usize::from(pc)));
        line(out, format_args!("  .catch {caught} from {start} to {end} at {handler}"));
    }
    Ok(())
}

/// JVMS 4.7.13.
fn print_locals(class: &ClassFile<'_>, code: &Code<'_>, labels: &Labels, out: &mut String) -> Result<()> {
    for attribute in code.attributes(&class.pool) {
        let attribute = attribute?;
        if attribute.name != b"LocalVariableTable" && attribute.name != b"LocalVariableTypeTable" {
            continue;
        }
        for row in table(attribute, 10)?.chunks_exact(10) {
            let u2 = |at: usize| u16::from_be_bytes([row[at], row[at + 1]]);
            let (start, end) = (usize::from(u2(0)), usize::from(u2(0)) + usize::from(u2(2)));
            let (name, descriptor) = (class.pool.text(u2(4))?, class.pool.text(u2(6))?);
            let (start, end, local) = (labels.name(start), labels.name(end), u2(8));
            line(out, format_args!("  .local {local} {name} {descriptor} from {start} to {end}"));
        }
    }
    Ok(())
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string does not fail");
}
