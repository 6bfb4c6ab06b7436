//! Up to where `this` of a constructor is not initialised (JVMS 4.10.1.4, `flagThisUninit`).

use crate::class::Attribute;
use crate::code::Code;
use crate::error::{ErrorKind, Result};
use crate::pool::ConstantPool;
use crate::reader::Reader;

/// JVMS 4.7.4, `UninitializedThis_variable_info`.
const UNINITIALISED_THIS: u8 = 6;
const OBJECT: u8 = 7;
const UNINITIALISED: u8 = 8;

impl<'a> Code<'a> {
    /// The last position of a constructor for which a stack map frame says that `this` is not initialised; 0, where it never
    /// is, when there is none.
    ///
    /// # Errors
    /// When the frames are damaged.
    pub fn last_uninitialised_this(&self, pool: &ConstantPool<'a>) -> Result<usize> {
        let mut last = 0;
        for attribute in self.attributes(pool) {
            let attribute = attribute?;
            if attribute.name == b"StackMapTable" {
                last = last_of(attribute)?;
            }
        }
        Ok(last)
    }
}

fn last_of(attribute: Attribute<'_>) -> Result<usize> {
    let mut reader = Reader::new(attribute.content);
    let count = reader.u2()?;
    let (mut at, mut last, mut is_uninitialised) = (None, 0, true);
    for _ in 0..count {
        let start = reader;
        let tag = reader.u1()?;
        let delta = match tag {
            0..64 => usize::from(tag),
            64..128 => usize::from(tag - 64),
            128..247 => return Err(start.error(ErrorKind::FrameType(tag))),
            _ => usize::from(reader.u2()?),
        };
        let pc = at.map_or(delta, |before: usize| before + delta + 1);
        at = Some(pc);
        match tag {
            64..=247 => skip_type(&mut reader).map(|_| ())?,
            252..255 => (251..tag).try_for_each(|_| skip_type(&mut reader).map(|_| ()))?,
            // Only a full frame can say that it was initialised: the others keep the first local variable.
            255 => {
                is_uninitialised = skip_types(&mut reader)?;
                skip_types(&mut reader)?;
            }
            _ => {}
        }
        if is_uninitialised {
            last = pc;
        }
    }
    Ok(last)
}

/// Whether `this` is among them, not initialised.
fn skip_types(reader: &mut Reader<'_>) -> Result<bool> {
    let mut found = false;
    for _ in 0..reader.u2()? {
        found |= skip_type(reader)? == UNINITIALISED_THIS;
    }
    Ok(found)
}

fn skip_type(reader: &mut Reader<'_>) -> Result<u8> {
    let start = *reader;
    let tag = reader.u1()?;
    match tag {
        0..=UNINITIALISED_THIS => {}
        OBJECT | UNINITIALISED => {
            reader.u2()?;
        }
        _ => return Err(start.error(ErrorKind::VerificationType(tag))),
    }
    Ok(tag)
}
