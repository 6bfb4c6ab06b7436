//! Bootstrap methods (JVMS 4.7.23): what computes call sites and constants, and from which arguments.

use crate::class::{Attribute, ClassFile};
use crate::error::{ErrorKind, Result};
use crate::reader::Reader;

/// The name of the attribute.
pub(crate) const ATTRIBUTE: &str = "BootstrapMethods";

/// A bootstrap method with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BootstrapMethod {
    /// The constant with the handle of the method.
    pub method: u16,
    /// The constants that it gets.
    pub arguments: Vec<u16>,
}

impl<'a> ClassFile<'a> {
    /// The bootstrap methods by number; empty when the class has none.
    ///
    /// # Errors
    /// When their attribute is damaged.
    pub fn bootstrap_methods(&self) -> Result<Vec<BootstrapMethod>> {
        let Some(attribute) = self.bootstrap_attribute()? else { return Ok(Vec::new()) };
        let mut reader = Reader::new(attribute.content);
        let n_methods = reader.u2()?;
        let methods = (0..n_methods).map(|_| BootstrapMethod::read(&mut reader)).collect::<Result<_>>()?;
        reader.finish(ErrorKind::AttributeLength)?;
        Ok(methods)
    }

    pub(crate) fn bootstrap_attribute(&self) -> Result<Option<Attribute<'a>>> {
        for attribute in self.attributes() {
            let attribute = attribute?;
            if attribute.name == ATTRIBUTE.as_bytes() {
                return Ok(Some(attribute));
            }
        }
        Ok(None)
    }
}

impl BootstrapMethod {
    fn read(reader: &mut Reader<'_>) -> Result<BootstrapMethod> {
        let (method, n_arguments) = (reader.u2()?, reader.u2()?);
        let arguments = (0..n_arguments).map(|_| reader.u2()).collect::<Result<_>>()?;
        Ok(BootstrapMethod { method, arguments })
    }

    /// As it stands in the attribute; none when there are too many arguments.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        let n_arguments = u16::try_from(self.arguments.len()).ok()?;
        let numbers = [self.method, n_arguments];
        Some(numbers.iter().chain(&self.arguments).flat_map(|number| number.to_be_bytes()).collect())
    }
}
