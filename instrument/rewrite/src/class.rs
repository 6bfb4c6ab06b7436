//! Rewrites a class, method by method.

use restive_classfile::{ClassFile, Code, ErrorKind, Member, Patcher, Result, text};

use crate::generated;
use crate::members::MemberTable;
use crate::method::{Known, Method};
use crate::outcome::{Degraded, Level, Outcome, Reason, Rewritten, Unchanged};
use crate::plan::Plan;
use crate::probes::{Attempt, Shared};
use crate::references;
use crate::source_map::OwnLines;
use crate::target::TargetTable;

/// JVMS table 4.6-A, `ACC_BRIDGE` of a method.
pub(crate) const BRIDGE: u16 = 0x0040;
/// What javac adds to classes with lambdas that can be serialised.
const DESERIALIZER: &[u8] = b"$deserializeLambda$";

/// Puts the probes of a plan into a class and their targets into the table.
///
/// The result depends on nothing but the three arguments. A class that stays as it was leaves no targets behind.
pub fn rewrite(class_bytes: &[u8], plan: &Plan, targets: &mut TargetTable) -> Outcome {
    let mut class = match ClassFile::read(class_bytes) {
        Ok(class) => class,
        Err(error) => return unchanged(String::new(), Reason::Unreadable(error)),
    };
    let desugared = references::desugar(&class, plan);
    if let Some(Ok(changed)) = desugared.as_deref().map(ClassFile::read) {
        class = changed;
    }
    let class_name = match class.name() {
        Ok(name) => text::decode(name).replace('/', "."),
        Err(error) => return unchanged(String::new(), Reason::Unreadable(error)),
    };
    let len = targets.len();
    let (members, own_lines) = (MemberTable::of(&class.pool), OwnLines::of(&class));
    let mut rewriter = Rewriter {
        class: &class,
        patcher: Patcher::new(&class),
        shared: Shared::new(plan, targets, &class_name),
        known: Known { class: &class, members: &members, own_lines: &own_lines },
        n_methods: 0,
        degraded: Vec::new(),
    };
    let outcome = rewriter.methods();
    let Rewriter { patcher, n_methods, degraded, .. } = rewriter;
    let bytes = outcome.and_then(|()| patcher.finish().map_err(Reason::Unreadable));
    match bytes {
        Ok(bytes) => Outcome::Rewritten(Rewritten { class_name, bytes, new_targets: len..targets.len(), n_methods, degraded }),
        Err(reason) => {
            targets.truncate(len);
            unchanged(class_name, reason)
        }
    }
}

fn unchanged(class_name: String, reason: Reason) -> Outcome {
    Outcome::Unchanged(Unchanged { class_name, reason })
}

struct Rewriter<'c, 'a, 'p> {
    class: &'c ClassFile<'a>,
    patcher: Patcher<'c, 'a>,
    shared: Shared<'p>,
    known: Known<'a, 'c>,
    n_methods: usize,
    degraded: Vec<Degraded>,
}

impl<'a> Rewriter<'_, 'a, '_> {
    /// Rewrites what can be; an error is the reason why the class must stay as it was.
    fn methods(&mut self) -> std::result::Result<(), Reason> {
        let class = self.class;
        if generated::is_generated(class).map_err(Reason::Unreadable)? {
            return Err(Reason::Generated);
        }
        let mut bodies = Vec::new();
        for member in &class.methods {
            bodies.extend(class.code(member).map_err(Reason::Unreadable)?.map(|code| (member, code)));
        }
        let has_code = !bodies.is_empty();
        let is_written = generated::is_written(&class.pool, bodies.iter().map(|(_, code)| code));
        for (member, code) in &bodies {
            // A bridge has nothing of its own and the line of the class, as has what makes lambdas that were serialised.
            let is_own = member.access & BRIDGE == 0 && class.pool.utf8(member.name).ok() != Some(DESERIALIZER);
            if is_own && is_written(code) {
                self.method(member, code)?;
            }
        }
        match self.degraded.iter().find(|degraded| degraded.level == Level::Untouched) {
            _ if self.n_methods > 0 => Ok(()),
            Some(degraded) => Err(Reason::NoRoom(degraded.reason)),
            None if has_code => Err(Reason::NothingToProbe),
            None => Err(Reason::NoCode),
        }
    }

    fn method(&mut self, member: &Member, code: &Code<'a>) -> std::result::Result<(), Reason> {
        let label = self.label(member).map_err(Reason::Unreadable)?;
        let method = Method::new(code, label, member.access, self.known).map_err(Reason::Unreadable)?;
        let mut level = Level::All;
        let mut failed = None;
        while level < Level::Untouched {
            match self.attempt(&method, code, level) {
                Ok(n_probed) => {
                    self.n_methods += usize::from(n_probed > 0);
                    break;
                }
                Err(_) if self.shared.is_table_full => return Err(Reason::TableFull),
                Err(error) if is_overflow(error.kind()) => failed = Some(error.kind()),
                Err(error) => return Err(Reason::Unreadable(error)),
            }
            level = level.lower().unwrap_or(Level::Untouched);
        }
        if let Some(reason) = failed {
            self.degraded.push(Degraded { method: method.label, level, reason });
        }
        Ok(())
    }

    /// Tries to put the probes of a level into a method; gives how many instructions got one.
    fn attempt(&mut self, method: &Method<'_, '_>, code: &Code<'a>, level: Level) -> Result<usize> {
        let len = self.shared.begin();
        let mut attempt = Attempt { method, shared: &mut self.shared, level, idx: 0, n_probed: 0 };
        let outcome = self.patcher.patch(code, &mut attempt);
        let n_probed = attempt.n_probed;
        if outcome.is_err() {
            self.shared.take_back(len);
        }
        outcome.map(|()| n_probed)
    }

    fn label(&self, member: &Member) -> Result<String> {
        let pool = &self.class.pool;
        Ok(format!("{}{}", pool.text(member.name)?, pool.text(member.descriptor)?))
    }
}

/// Whether fewer probes may help.
fn is_overflow(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::CodeTooLong | ErrorKind::JumpTooFar | ErrorKind::PoolFull | ErrorKind::StackTooDeep | ErrorKind::TextTooLong
    )
}
