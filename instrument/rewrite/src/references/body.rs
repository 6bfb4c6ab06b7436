//! The code of a method that does what a reference refers to.

use restive_classfile::opcode::op;
use restive_classfile::{AppendedPool, Result};

use super::{INVOKE_INTERFACE, INVOKE_STATIC, INVOKE_VIRTUAL, NEW_INVOKE_SPECIAL, Reference};
use crate::replacement::{self, Operand};

/// What a method consists of beside its name.
pub(super) struct Body {
    pub descriptor: Vec<u8>,
    pub code: Vec<u8>,
    pub max_stack: u16,
    pub max_locals: u16,
}

/// The body for a reference that captured a receiver of this class, or none; nothing where no compiler writes such a handle.
pub(super) fn of(
    reference: &Reference<'_>,
    captured: Option<&[u8]>,
    this_class: &[u8],
    pool: &mut AppendedPool,
) -> Result<Option<Body>> {
    let class = reference.member.class;
    let Some(end) = reference.member.descriptor.iter().position(|byte| *byte == b')') else { return Ok(None) };
    let (parameters, result) = (&reference.member.descriptor[1..end], &reference.member.descriptor[end + 1..]);
    let is_instance = matches!(reference.kind, INVOKE_VIRTUAL | INVOKE_INTERFACE);
    let is_constructor = reference.kind == NEW_INVOKE_SPECIAL;
    // LambdaMetafactory: what a static method gets as captured has exactly the type of its parameter.
    let receiver = captured.unwrap_or(class);
    let receiver_type = if is_instance { object(receiver) } else { Vec::new() };
    let result = if is_constructor { object(class) } else { result.to_vec() };
    let descriptor = [b"(", receiver_type.as_slice(), parameters, b")", &result].concat();
    let operands = replacement::parameters(&descriptor);
    let n_words: u16 = operands.iter().map(|operand| operand.words()).sum();
    let mut writer = Writer { code: Vec::new(), pool };
    if is_instance {
        writer.check()?;
        writer.local(0, Operand::Reference);
        // What is known of the own class needs no check, and has to have none where a method is protected. Without the
        // check the verifier would load the classes before anybody uses them.
        if receiver != class && receiver != this_class {
            writer.class(op::CHECKCAST, class)?;
        }
    }
    if is_constructor {
        writer.class(op::NEW, class)?;
        writer.code.push(op::DUP);
    }
    writer.locals(&operands, usize::from(is_instance));
    let Some(()) = writer.call(reference, n_words) else { return Ok(None) };
    writer.code.push(returning(&result));
    let max_stack = (n_words + if is_constructor { 2 } else { 0 }).max(2);
    Ok(Some(Body { descriptor, code: writer.code, max_stack, max_locals: n_words }))
}

fn object(class: &[u8]) -> Vec<u8> {
    [b"L", class, b";"].concat()
}

/// The instruction that returns a value of this type.
fn returning(descriptor: &[u8]) -> u8 {
    match descriptor.first() {
        Some(b'V') => op::RETURN,
        Some(b'J') => op::LRETURN,
        Some(b'F') => op::FRETURN,
        Some(b'D') => op::DRETURN,
        Some(b'L' | b'[') => op::ARETURN,
        _ => op::IRETURN,
    }
}

struct Writer<'p> {
    code: Vec<u8>,
    pool: &'p mut AppendedPool,
}

impl Writer<'_> {
    /// A receiver that is null fails without a message: the virtual machine has one of its own for calls in code, but not for
    /// those behind a handle.
    fn check(&mut self) -> Result<()> {
        let check = self.pool.method("java/util/Objects", "requireNonNull", "(Ljava/lang/Object;)Ljava/lang/Object;")?;
        self.code.push(op::ALOAD_0);
        self.with_constant(op::INVOKESTATIC, check);
        self.code.push(op::POP);
        Ok(())
    }

    fn class(&mut self, opcode: u8, name: &[u8]) -> Result<()> {
        let class = self.pool.class_named(name)?;
        self.with_constant(opcode, class);
        Ok(())
    }

    fn local(&mut self, local: u8, operand: Operand) {
        self.code.extend([op::ILOAD + operand.order(), local]);
    }

    /// Loads parameters but for the first ones.
    fn locals(&mut self, operands: &[Operand], n_loaded: usize) {
        let mut local = 0;
        for (idx, operand) in operands.iter().enumerate() {
            if idx >= n_loaded {
                self.local(local, *operand);
            }
            // JVMS 4.3.3: 255 words at most, and no row of the table comes near it.
            local += if operand.words() == 2 { 2 } else { 1 };
        }
    }

    /// Calls the method of the reference; none where it has no such call.
    fn call(&mut self, reference: &Reference<'_>, n_words: u16) -> Option<()> {
        let opcode = match reference.kind {
            INVOKE_VIRTUAL => op::INVOKEVIRTUAL,
            INVOKE_STATIC => op::INVOKESTATIC,
            NEW_INVOKE_SPECIAL => op::INVOKESPECIAL,
            INVOKE_INTERFACE => op::INVOKEINTERFACE,
            _ => return None,
        };
        self.with_constant(opcode, reference.index);
        if opcode == op::INVOKEINTERFACE {
            self.code.extend([u8::try_from(n_words).ok()?, 0]);
        }
        Some(())
    }

    fn with_constant(&mut self, opcode: u8, index: u16) {
        let [high, low] = index.to_be_bytes();
        self.code.extend([opcode, high, low]);
    }
}
