//! Names for the positions that something refers to.

use std::collections::BTreeMap;

use crate::class::ClassFile;
use crate::code::{Code, table};
use crate::error::Result;

/// The labels of one method.
pub(super) struct Labels {
    numbers: BTreeMap<usize, usize>,
}

impl Labels {
    /// Labels where jumps, handlers and scopes of locals refer to.
    pub fn of(class: &ClassFile<'_>, code: &Code<'_>) -> Result<Labels> {
        let mut positions = BTreeMap::new();
        let mut mark = |pc: usize| {
            positions.insert(pc, 0);
        };
        for instruction in code.instructions() {
            let instruction = instruction?;
            instruction.jump_target().into_iter().for_each(&mut mark);
            if let Some(switch) = instruction.switch() {
                mark(switch.default_target());
                switch.targets().for_each(|(_, pc)| mark(pc));
            }
        }
        for handler in code.handlers() {
            for pc in [handler.start_pc, handler.end_pc, handler.handler_pc] {
                mark(usize::from(pc));
            }
        }
        for attribute in code.attributes(&class.pool) {
            let attribute = attribute?;
            if attribute.name == b"LocalVariableTable" || attribute.name == b"LocalVariableTypeTable" {
                for row in table(attribute, 10)?.chunks_exact(10) {
                    let start = usize::from(u16::from_be_bytes([row[0], row[1]]));
                    mark(start);
                    mark(start + usize::from(u16::from_be_bytes([row[2], row[3]])));
                }
            }
        }
        for (number, value) in positions.values_mut().enumerate() {
            *value = number;
        }
        Ok(Labels { numbers: positions })
    }

    /// The label at a position, if something refers to it.
    pub fn at(&self, pc: usize) -> Option<String> {
        self.numbers.get(&pc).map(|number| format!("L{number}"))
    }

    /// The label of a position that something refers to.
    pub fn name(&self, pc: usize) -> String {
        self.at(pc).unwrap_or_else(|| format!("?{pc}"))
    }
}
