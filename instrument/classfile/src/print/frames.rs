//! Stack map frames as text (JVMS 4.7.4).

use crate::class::ClassFile;
use crate::code::Code;
use crate::error::{ErrorKind, Result};
use crate::instruction::Instruction;
use crate::opcode::op;
use crate::reader::Reader;
use crate::text;

/// Position and text of each frame, in order.
pub(super) fn of(class: &ClassFile<'_>, code: &Code<'_>) -> Result<Vec<(usize, String)>> {
    let mut frames = Vec::new();
    for attribute in code.attributes(&class.pool) {
        let attribute = attribute?;
        if attribute.name != b"StackMapTable" {
            continue;
        }
        let mut printer = Printer { class, code, reader: Reader::new(attribute.content) };
        let mut next = 0;
        for _ in 0..printer.reader.u2()? {
            let (delta, frame) = printer.frame()?;
            frames.push((next + delta, frame));
            next += delta + 1;
        }
    }
    Ok(frames)
}

struct Printer<'c, 'a> {
    class: &'c ClassFile<'a>,
    code: &'c Code<'a>,
    reader: Reader<'a>,
}

impl Printer<'_, '_> {
    /// The distance and the text of the next frame.
    fn frame(&mut self) -> Result<(usize, String)> {
        let tag = self.reader.u1()?;
        let delta = match tag {
            0..128 => usize::from(tag % 64),
            128..247 => return Err(self.reader.error(ErrorKind::FrameType(tag))),
            _ => usize::from(self.reader.u2()?),
        };
        let text = match tag {
            0..64 | 251 => "same".to_owned(),
            64..=247 => format!("same stack {}", self.types(1)?),
            248..251 => format!("chop {}", 251 - tag),
            252..255 => format!("append {}", self.types(u16::from(tag - 251))?),
            255 => {
                let n_locals = self.reader.u2()?;
                let locals = self.types(n_locals)?;
                let n_stack = self.reader.u2()?;
                format!("full [{locals}] stack [{}]", self.types(n_stack)?)
            }
        };
        Ok((delta, text))
    }

    fn types(&mut self, count: u16) -> Result<String> {
        let types: Vec<String> = (0..count).map(|_| self.verification_type()).collect::<Result<_>>()?;
        Ok(types.join(" "))
    }

    fn verification_type(&mut self) -> Result<String> {
        const SIMPLE: [&str; 7] = ["top", "int", "float", "double", "long", "null", "this"];
        let tag = self.reader.u1()?;
        Ok(match tag {
            0..=6 => SIMPLE[usize::from(tag)].to_owned(),
            7 => text::decode(self.class.pool.class_name(self.reader.u2()?)?).into_owned(),
            8 => {
                let pc = usize::from(self.reader.u2()?);
                let instruction = Instruction::decode(self.code.code, pc, self.code.code_offset)?;
                match instruction.constant().filter(|_| instruction.opcode == op::NEW) {
                    Some(index) => format!("new:{}", text::decode(self.class.pool.class_name(index)?)),
                    None => return Err(self.reader.error(ErrorKind::VerificationType(tag))),
                }
            }
            _ => return Err(self.reader.error(ErrorKind::VerificationType(tag))),
        })
    }
}
