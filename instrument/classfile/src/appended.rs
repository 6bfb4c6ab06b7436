//! Constants that are appended to a pool (JVMS 4.4); those that are there keep their index.

use std::collections::HashMap;

use crate::error::{Error, ErrorKind, Result};
use crate::text;

/// New constants of one class; equal ones are added once.
#[derive(Debug, Clone)]
pub struct AppendedPool {
    bytes: Vec<u8>,
    next: u16,
    end: usize,
    known: HashMap<Vec<u8>, u16>,
}

/// A state of an [`AppendedPool`] to come back to.
#[derive(Debug, Clone, Copy)]
pub struct PoolMark {
    length: usize,
    next: u16,
}

impl AppendedPool {
    /// Constants behind a pool with this `constant_pool_count` that ends at this offset of the class file.
    pub(crate) fn new(count: u16, end: usize) -> AppendedPool {
        AppendedPool { bytes: Vec::new(), next: count.max(1), end, known: HashMap::new() }
    }

    /// The text with these UTF-16 units, given in modified UTF-8.
    pub fn utf8(&mut self, bytes: &[u8]) -> Result<u16> {
        let length = u16::try_from(bytes.len()).map_err(|_| Error::new(ErrorKind::TextTooLong, self.end))?;
        let mut entry = vec![1];
        entry.extend(length.to_be_bytes());
        entry.extend(bytes);
        self.add(entry)
    }

    /// A class by its internal name.
    pub fn class(&mut self, name: &str) -> Result<u16> {
        self.class_named(&text::encode(name.encode_utf16()))
    }

    /// A class by its internal name in modified UTF-8.
    pub fn class_named(&mut self, name: &[u8]) -> Result<u16> {
        let name = self.utf8(name)?;
        self.add_with(7, &[name])
    }

    /// A string constant by its UTF-16 units.
    pub fn string(&mut self, units: impl IntoIterator<Item = u16>) -> Result<u16> {
        let text = self.utf8(&text::encode(units))?;
        self.add_with(8, &[text])
    }

    /// An `int` constant.
    pub fn integer(&mut self, value: i32) -> Result<u16> {
        let mut entry = vec![3];
        entry.extend(value.to_be_bytes());
        self.add(entry)
    }

    /// A field of a class.
    pub fn field(&mut self, class: &str, name: &str, descriptor: &str) -> Result<u16> {
        self.member(9, class, (name, descriptor))
    }

    /// A method of a class that is no interface.
    pub fn method(&mut self, class: &str, name: &str, descriptor: &str) -> Result<u16> {
        self.member(10, class, (name, descriptor))
    }

    /// A method of the class, or interface, that a constant names; name and descriptor in modified UTF-8.
    pub fn method_of(&mut self, class: u16, is_interface: bool, (name, descriptor): (&[u8], &[u8])) -> Result<u16> {
        let (name, descriptor) = (self.utf8(name)?, self.utf8(descriptor)?);
        let pair = self.add_with(12, &[name, descriptor])?;
        self.add_with(if is_interface { 11 } else { 10 }, &[class, pair])
    }

    /// A handle of a kind (JVMS table 5.4.3.5-A) to the member that a constant names.
    pub fn method_handle(&mut self, kind: u8, member: u16) -> Result<u16> {
        let [high, low] = member.to_be_bytes();
        self.add(vec![15, kind, high, low])
    }

    /// A computed call site: number of the bootstrap method, constant with name and type.
    pub fn invoke_dynamic(&mut self, bootstrap: u16, name_and_type: u16) -> Result<u16> {
        self.add_with(18, &[bootstrap, name_and_type])
    }

    fn member(&mut self, tag: u8, class: &str, (name, descriptor): (&str, &str)) -> Result<u16> {
        let class = self.class(class)?;
        let (name, descriptor) = (self.text(name)?, self.text(descriptor)?);
        let pair = self.add_with(12, &[name, descriptor])?;
        self.add_with(tag, &[class, pair])
    }

    fn text(&mut self, text: &str) -> Result<u16> {
        self.utf8(&text::encode(text.encode_utf16()))
    }

    fn add_with(&mut self, tag: u8, indices: &[u16]) -> Result<u16> {
        let mut entry = vec![tag];
        entry.extend(indices.iter().flat_map(|index| index.to_be_bytes()));
        self.add(entry)
    }

    fn add(&mut self, entry: Vec<u8>) -> Result<u16> {
        if let Some(index) = self.known.get(&entry) {
            return Ok(*index);
        }
        // JVMS 4.1: the count, which is one more than the highest index, has 16 bits.
        if self.next == u16::MAX {
            return Err(Error::new(ErrorKind::PoolFull, self.end));
        }
        let index = self.next;
        self.next += 1;
        self.bytes.extend(&entry);
        self.known.insert(entry, index);
        Ok(index)
    }

    /// How many more constants there is room for.
    pub fn room(&self) -> u16 {
        u16::MAX - self.next
    }

    /// The present state.
    pub fn mark(&self) -> PoolMark {
        PoolMark { length: self.bytes.len(), next: self.next }
    }

    /// Forgets what was added since `mark` was taken.
    pub fn roll_back(&mut self, mark: PoolMark) {
        if self.next != mark.next {
            self.bytes.truncate(mark.length);
            self.next = mark.next;
            self.known.retain(|_, index| *index < mark.next);
        }
    }

    /// The new `constant_pool_count`.
    pub(crate) fn count(&self) -> u16 {
        self.next
    }

    /// The new constants as they stand in the file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::AppendedPool;
    use crate::error::ErrorKind;

    #[test]
    fn equal_constants_are_added_once_and_forgotten_on_roll_back() {
        let mut pool = AppendedPool::new(10, 0);
        let method = pool.method("A", "f", "()V").unwrap();
        let mark = pool.mark();
        assert_eq!(pool.method("A", "f", "()V").unwrap(), method);
        let field = pool.field("A", "g", "I").unwrap();
        pool.roll_back(mark);
        assert_eq!(pool.count(), method + 1);
        assert_eq!(pool.field("A", "g", "I").unwrap(), field);
    }

    #[test]
    fn a_full_pool_is_an_error() {
        let mut pool = AppendedPool::new(u16::MAX - 1, 0);
        assert_eq!(pool.integer(1).unwrap(), u16::MAX - 1);
        assert_eq!(pool.integer(1).unwrap(), u16::MAX - 1);
        assert_eq!(pool.integer(2).unwrap_err().kind(), ErrorKind::PoolFull);
    }

    #[test]
    fn a_text_beyond_16_bits_is_an_error() {
        let mut pool = AppendedPool::new(1, 0);
        assert_eq!(pool.utf8(&vec![b'a'; 65536]).unwrap_err().kind(), ErrorKind::TextTooLong);
    }
}
