//! One method as the passes see it: instructions with their neighbours, where jumps arrive, where lines begin.

use std::ops::RangeInclusive;

use restive_classfile::opcode::op;
use restive_classfile::{ClassFile, Code, ConstantPool, Instruction, MemberRef, Result};

use crate::coverable::{self, Coverable};
use crate::members::MemberTable;
use crate::monitors;
use crate::pass::calls;
use crate::pass::flags::{self, Leads};
use crate::pass::indices::{self, SafeAccesses};
use crate::pass::strings::{self, StringSwitches};
use crate::source_map::OwnLines;

/// JVMS table 4.6-A, `ACC_STATIC`.
const STATIC: u16 = 0x0008;

const CALLS: RangeInclusive<u8> = op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC;

/// A method of a class that is rewritten.
pub(crate) struct Method<'a, 'c> {
    pub pool: &'c ConstantPool<'a>,
    members: &'c MemberTable<'a>,
    /// Name and descriptor.
    pub label: String,
    pub is_constructor: bool,
    pub is_static: bool,
    /// Whether it calls what may take time, or run other methods of the service.
    pub has_calls: bool,
    /// What a handler for everything may cover; none when nothing.
    pub coverable: Option<Coverable>,
    /// The instructions in order.
    pub instructions: Vec<Instruction<'a>>,
    /// For each position whether a jump, switch or handler leads there.
    arrivals: Vec<bool>,
    /// The positions where handlers begin, ascending.
    handlers: Vec<usize>,
    /// The positions where locks are let go, ascending.
    releases: Vec<usize>,
    /// First position and line, by position; only lines of the own source file.
    lines: Vec<(usize, u16)>,
    pub string_switches: StringSwitches,
    pub safe_accesses: SafeAccesses,
    /// How many local variables the code has.
    pub n_locals: u16,
    /// By which number its boolean is known; 0 when it returns none.
    pub number: i32,
    /// Where it leads, if it returns a boolean.
    pub leads: Leads,
}

/// What is known of the class of a method.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a, 'c> {
    pub class: &'c ClassFile<'a>,
    pub members: &'c MemberTable<'a>,
    pub own_lines: &'c OwnLines,
}

impl<'a, 'c> Method<'a, 'c> {
    pub fn new(code: &Code<'a>, label: String, access: u16, known: Known<'a, 'c>) -> Result<Method<'a, 'c>> {
        let Known { class, members, own_lines } = known;
        let pool = &class.pool;
        let instructions = code.instructions().collect::<Result<Vec<_>>>()?;
        let mut lines: Vec<_> = code.lines(pool)?.iter().map(|entry| (usize::from(entry.start_pc), entry.line)).collect();
        lines.retain(|(_, line)| own_lines.contains(*line));
        lines.sort_by_key(|(pc, _)| *pc);
        let is_constructor = label.starts_with("<init>");
        let arrivals = arrivals(code, &instructions);
        let mut handlers: Vec<_> = code.handlers().map(|handler| usize::from(handler.handler_pc)).collect();
        handlers.sort_unstable();
        let releases = monitors::releases(code, &instructions);
        let mut method = Method {
            pool,
            members,
            label,
            is_constructor,
            is_static: access & STATIC != 0,
            has_calls: false,
            coverable: coverable::find(code, &instructions, is_constructor, class)?,
            instructions,
            arrivals,
            handlers,
            releases,
            lines,
            string_switches: StringSwitches::default(),
            safe_accesses: SafeAccesses::default(),
            n_locals: code.max_locals,
            number: 0,
            leads: Leads::default(),
        };
        method.has_calls = calls::any_is_marked(&method);
        method.string_switches = strings::find(&method);
        method.safe_accesses = indices::safe_accesses(&method);
        if let Some((name, descriptor)) = method.label.split_once('(').filter(|(_, descriptor)| descriptor.ends_with(")Z")) {
            method.number = flags::number(name.as_bytes(), format!("({descriptor}").as_bytes());
            method.leads = flags::leads(&method);
        }
        Ok(method)
    }

    /// The line that begins at this position.
    pub fn line_starting_at(&self, pc: usize) -> Option<u16> {
        let first = self.lines.partition_point(|(start, _)| *start < pc);
        self.lines.get(first).filter(|(start, _)| *start == pc).map(|(_, line)| *line)
    }

    /// The line that this position belongs to: that of the last entry not behind it.
    pub fn line_at(&self, pc: usize) -> Option<u16> {
        let behind = self.lines.partition_point(|(start, _)| *start <= pc);
        self.lines.get(behind.saturating_sub(1)).map(|(_, line)| *line)
    }

    /// Whether control may come to this position other than from the instruction in front of it.
    pub fn is_arrival(&self, pc: usize) -> bool {
        self.arrivals.get(pc).copied().unwrap_or(true)
    }

    /// Whether an exception may be dealt with.
    pub fn has_handlers(&self) -> bool {
        !self.handlers.is_empty()
    }

    /// Whether a handler begins at this position.
    pub fn is_handler(&self, pc: usize) -> bool {
        self.handlers.binary_search(&pc).is_ok()
    }

    /// Whether a lock is let go at this position, so that no probe may stand there.
    pub fn is_release(&self, pc: usize) -> bool {
        self.releases.binary_search(&pc).is_ok()
    }

    /// The instruction in front of the one with this index, if control comes from there only.
    pub fn previous(&self, idx: usize) -> Option<&Instruction<'a>> {
        let previous = self.instructions.get(idx.checked_sub(1)?)?;
        (!self.is_arrival(previous.next_pc()) && previous.falls_through()).then_some(previous)
    }

    /// The instruction behind the one with this index, if control comes from there only.
    pub fn next(&self, idx: usize) -> Option<&Instruction<'a>> {
        let next = self.instructions.get(idx + 1)?;
        (!self.is_arrival(next.pc)).then_some(next)
    }

    /// The index of the instruction that begins at this position.
    pub fn index_of(&self, pc: usize) -> Option<usize> {
        self.instructions.binary_search_by_key(&pc, |instruction| instruction.pc).ok()
    }

    /// Whether an instruction calls a method.
    pub fn is_call(instruction: &Instruction<'_>) -> bool {
        CALLS.contains(&instruction.opcode)
    }

    /// The field or method that an instruction names.
    pub fn member(&self, instruction: &Instruction<'_>) -> Option<MemberRef<'a>> {
        self.members.named_by(instruction)
    }

    /// Whether an instruction calls this method of this class.
    pub fn calls(&self, instruction: &Instruction<'_>, class: &str, name: &str, descriptor: &str) -> bool {
        let called = self.member(instruction);
        called.is_some_and(|member| {
            member.name == name.as_bytes() && member.class == class.as_bytes() && member.descriptor == descriptor.as_bytes()
        })
    }
}

fn arrivals(code: &Code<'_>, instructions: &[Instruction<'_>]) -> Vec<bool> {
    let mut arrivals = vec![false; code.code.len()];
    let mut mark = |pc: usize| {
        if let Some(arrival) = arrivals.get_mut(pc) {
            *arrival = true;
        }
    };
    for instruction in instructions {
        instruction.jump_target().into_iter().for_each(&mut mark);
        // A subroutine comes back behind its call.
        if matches!(instruction.opcode, op::JSR | op::JSR_W) {
            mark(instruction.next_pc());
        }
        if let Some(switch) = instruction.switch() {
            mark(switch.default_target());
            switch.targets().for_each(|(_, pc)| mark(pc));
        }
    }
    code.handlers().for_each(|handler| mark(usize::from(handler.handler_pc)));
    arrivals
}
