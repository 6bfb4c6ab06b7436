//! Methods and bootstrap methods behind those of the class.

use super::{Patcher, Piece};
use crate::appended::AppendedPool;
use crate::bootstrap::{self, BootstrapMethod};
use crate::class::ClassFile;
use crate::error::{Error, ErrorKind, Result};

/// A method that is appended to a class; it must not jump, so that it wants no frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMethod {
    /// `access_flags` (JVMS table 4.6-A).
    pub access: u16,
    /// Its name in modified UTF-8.
    pub name: Vec<u8>,
    /// Its descriptor in modified UTF-8.
    pub descriptor: Vec<u8>,
    /// Its instructions.
    pub code: Vec<u8>,
    /// How deep its stack gets; a long or double takes two.
    pub max_stack: u16,
    /// How many local variables it has, parameters included; a long or double takes two.
    pub max_locals: u16,
    /// The line that all of it belongs to; none when it shall tell no line.
    pub line: Option<u16>,
}

/// What is appended to the tables of a class.
#[derive(Debug, Default)]
pub(super) struct Appended {
    methods: Vec<Vec<u8>>,
    bootstrap_methods: Vec<u8>,
    n_bootstrap_methods: u16,
}

impl Patcher<'_, '_> {
    /// Appends a method to the class; whoever names it adds a constant, see [`AppendedPool::method_of`].
    ///
    /// # Errors
    /// When the method or its constants have no room.
    pub fn append_method(&mut self, method: &NewMethod) -> Result<()> {
        let end = self.class.method_table.1;
        // JVMS 4.1: methods_count has 16 bits.
        if self.class.methods.len() + self.appended.methods.len() >= usize::from(u16::MAX) {
            return Err(Error::new(ErrorKind::TooMany("methods"), end));
        }
        let bytes = method.bytes(&mut self.pool, end)?;
        self.appended.methods.push(bytes);
        Ok(())
    }

    /// Appends a bootstrap method to a class that has some; gives its number.
    ///
    /// # Errors
    /// When the class has none, or as many as it can have.
    pub fn append_bootstrap_method(&mut self, method: &BootstrapMethod) -> Result<u16> {
        let missing = || Error::new(ErrorKind::Missing(bootstrap::ATTRIBUTE), self.class.method_table.1);
        let attribute = self.class.bootstrap_attribute()?.ok_or_else(missing)?;
        let count = u16::from_be_bytes(*attribute.content.first_chunk::<2>().ok_or_else(missing)?);
        let too_many = || Error::new(ErrorKind::TooMany("bootstrap methods"), attribute.offset);
        let bytes = method.bytes().ok_or_else(too_many)?;
        let number = count.checked_add(self.appended.n_bootstrap_methods).filter(|number| *number < u16::MAX);
        let number = number.ok_or_else(too_many)?;
        self.appended.n_bootstrap_methods += 1;
        self.appended.bootstrap_methods.extend(bytes);
        Ok(number)
    }
}

impl Appended {
    /// What changes of the class file.
    pub fn pieces(&self, class: &ClassFile<'_>) -> Result<Vec<Piece>> {
        let mut pieces = Vec::new();
        let (count_at, end) = class.method_table;
        if !self.methods.is_empty() {
            // `append_method` saw to it that the sum fits.
            let count = u16::try_from(class.methods.len() + self.methods.len()).unwrap_or(u16::MAX);
            pieces.push(Piece { start: count_at, end: count_at + 2, bytes: count.to_be_bytes().to_vec() });
            pieces.push(Piece { start: end, end, bytes: self.methods.concat() });
        }
        if let Some(attribute) = class.bootstrap_attribute()?.filter(|_| self.n_bootstrap_methods > 0) {
            let (count, rows) = attribute.content.split_at(2);
            let count = u16::from_be_bytes([count[0], count[1]]) + self.n_bootstrap_methods;
            let content = [&count.to_be_bytes(), rows, &self.bootstrap_methods].concat();
            pieces.push(Piece::attribute((attribute.offset, attribute.offset + attribute.content.len()), &content)?);
        }
        Ok(pieces)
    }
}

impl NewMethod {
    /// JVMS 4.6, `method_info`, with one attribute, `Code` (JVMS 4.7.3).
    fn bytes(&self, pool: &mut AppendedPool, end: usize) -> Result<Vec<u8>> {
        let too_long = || Error::new(ErrorKind::CodeTooLong, end);
        let code_length = u16::try_from(self.code.len()).map_err(|_| too_long())?;
        let lines = self.lines(pool)?;
        let mut content = [self.max_stack, self.max_locals, 0, code_length].map(u16::to_be_bytes).concat();
        content.extend(&self.code);
        // No handlers.
        content.extend([0, 0]);
        content.extend(u16::from(!lines.is_empty()).to_be_bytes());
        content.extend(lines);
        let head = [self.access, pool.utf8(&self.name)?, pool.utf8(&self.descriptor)?, 1, pool.utf8(b"Code")?];
        let mut bytes = head.map(u16::to_be_bytes).concat();
        bytes.extend(u32::try_from(content.len()).map_err(|_| too_long())?.to_be_bytes());
        bytes.extend(content);
        Ok(bytes)
    }

    /// JVMS 4.7.12, `LineNumberTable` with one row; empty when there is no line.
    fn lines(&self, pool: &mut AppendedPool) -> Result<Vec<u8>> {
        let Some(line) = self.line else { return Ok(Vec::new()) };
        Ok([pool.utf8(b"LineNumberTable")?, 0, 6, 1, 0, line].map(u16::to_be_bytes).concat())
    }
}

#[cfg(test)]
mod tests {
    use super::NewMethod;
    use crate::bootstrap::BootstrapMethod;
    use crate::class::ClassFile;
    use crate::opcode::op;
    use crate::patch::Patcher;
    use crate::pool::Constant;
    use crate::print::print_method;

    const LOOPS: &[u8] = include_bytes!("../../tests/classes/Loops.class");

    #[test]
    fn appended_methods_stand_behind_those_of_the_class() {
        let class = ClassFile::read(LOOPS).unwrap();
        let mut patcher = Patcher::new(&class);
        let named = |name: &[u8], line| NewMethod {
            access: 0x100a,
            name: name.to_vec(),
            descriptor: b"(J)J".to_vec(),
            code: vec![op::LLOAD_0, op::LRETURN],
            max_stack: 2,
            max_locals: 2,
            line,
        };
        patcher.append_method(&named(b"first", Some(42))).unwrap();
        patcher.append_method(&named(b"second", None)).unwrap();
        let bytes = patcher.finish().unwrap();
        let changed = ClassFile::read(&bytes).unwrap();
        assert_eq!(changed.methods.len(), class.methods.len() + 2);
        let listing = |at: usize| print_method(&changed, &changed.methods[at]).unwrap();
        let n_old = class.methods.len();
        assert_eq!(listing(n_old), "method first(J)J\n  stack 2 locals 2\n  .line 42\n    lload_0\n    lreturn\n");
        assert_eq!(listing(n_old + 1), "method second(J)J\n  stack 2 locals 2\n    lload_0\n    lreturn\n");
        assert_eq!(listing(1), print_method(&class, &class.methods[1]).unwrap());
    }

    #[test]
    fn appended_bootstrap_methods_keep_the_numbers_of_the_others() {
        let class = ClassFile::read(LOOPS).unwrap();
        let old = class.bootstrap_methods().unwrap();
        let mut patcher = Patcher::new(&class);
        let pool = &mut patcher.pool;
        let member = pool.method_of(class.this_class, false, (b"f", b"()V")).unwrap();
        let method = pool.method_handle(6, member).unwrap();
        let new = BootstrapMethod { method, arguments: vec![member, method] };
        let number = patcher.append_bootstrap_method(&new);
        assert!(!old.is_empty() && number == Ok(u16::try_from(old.len()).unwrap()), "{number:?}");
        let bytes = patcher.finish().unwrap();
        let changed = ClassFile::read(&bytes).unwrap();
        let all = changed.bootstrap_methods().unwrap();
        assert_eq!((&all[..old.len()], &all[old.len()..]), (&old[..], &[new][..]));
        assert_eq!(changed.pool.constant(method), Ok(Constant::MethodHandle(6, member)));
    }
}
