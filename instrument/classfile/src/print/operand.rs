//! What stands behind a mnemonic.

use super::labels::Labels;
use crate::class::ClassFile;
use crate::error::Result;
use crate::instruction::Instruction;
use crate::opcode::Format;
use crate::pool::Constant;
use crate::text;

/// The operands of an instruction, each with a space in front.
pub(super) fn of(class: &ClassFile<'_>, instruction: &Instruction<'_>, labels: &Labels) -> Result<String> {
    if let Some(pc) = instruction.jump_target() {
        return Ok(format!(" {}", labels.name(pc)));
    }
    if let Some(switch) = instruction.switch() {
        let cases: Vec<_> = switch.targets().map(|(key, pc)| format!(" {key}:{}", labels.name(pc))).collect();
        return Ok(format!("{} default:{}", cases.concat(), labels.name(switch.default_target())));
    }
    let mut operands = String::new();
    if let Some(index) = instruction.constant() {
        operands = format!(" {}", constant(class, index)?);
    }
    if matches!(instruction.format(), Format::Local | Format::Increment | Format::Wide) {
        operands += &instruction.local().map(|(_, local)| format!(" {local}")).unwrap_or_default();
    }
    if matches!(instruction.format(), Format::Byte | Format::Short | Format::Increment | Format::Wide) {
        operands += &instruction.immediate().map(|number| format!(" {number}")).unwrap_or_default();
    }
    if matches!(instruction.format(), Format::PrimitiveType | Format::MultiArray) {
        operands += &instruction.count().map(|number| format!(" {number}")).unwrap_or_default();
    }
    Ok(operands)
}

/// A constant by what it means.
pub(super) fn constant(class: &ClassFile<'_>, index: u16) -> Result<String> {
    let pool = &class.pool;
    Ok(match pool.constant(index)? {
        Constant::Integer(value) => value.to_string(),
        Constant::Float(bits) => format!("{:?}f", f32::from_bits(bits)),
        Constant::Long(value) => format!("{value}L"),
        Constant::Double(bits) => format!("{:?}d", f64::from_bits(bits)),
        Constant::Class(name) => pool.text(name)?.into_owned(),
        Constant::String(text) => format!("{:?}", pool.text(text)?),
        Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..) => {
            let member = pool.member(index)?;
            let [class, name, descriptor] = [member.class, member.name, member.descriptor].map(text::decode);
            format!("{class}.{name}:{descriptor}")
        }
        Constant::InvokeDynamic(bootstrap, _) | Constant::Dynamic(bootstrap, _) => {
            let member = pool.member(index)?;
            format!("#{bootstrap} {}:{}", text::decode(member.name), text::decode(member.descriptor))
        }
        Constant::MethodType(descriptor) => pool.text(descriptor)?.into_owned(),
        Constant::MethodHandle(kind, member) => {
            let member = pool.member(member)?;
            let [class, name, descriptor] = [member.class, member.name, member.descriptor].map(text::decode);
            format!("handle {kind} {class}.{name}:{descriptor}")
        }
        other => format!("{other:?}"),
    })
}
