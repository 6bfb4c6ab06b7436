//! What no source stands behind: its lines cannot be shown, and its branches are not what somebody wrote.
//!
//! Proxies and bean definitions come from builds and from running services; `equals`, `copy` and the like of data classes
//! from compilers, which give them no lines where all else has some.

use restive_classfile::{ClassFile, Code, ConstantPool, Result, text};

/// What libraries name as source file of classes that they make.
const NO_SOURCE: &[u8] = b"<generated>";
/// Parts of the names of classes that libraries make while a service runs, and which have no source file: Spring Data, Hibernate,
/// Byte Buddy, CGLIB, javassist (also Weld's), `OpenWebBeans`.
const MADE: [&[u8]; 9] = [
    b"_Accessor_",
    b"_Instantiator_",
    b"$HibernateProxy",
    b"$HibernateInstantiator",
    b"$HibernateAccessOptimizer",
    b"$ByteBuddy$",
    b"$$EnhancerBy",
    b"_$$_",
    b"$$Owb",
];
/// Part of the simple names of annotations that tell it; those without it in the class file do not matter.
const ANNOTATION: &str = "Generated";

/// Whether a class says that it was generated, or is called as libraries call those that they make.
pub(crate) fn is_generated(class: &ClassFile<'_>) -> Result<bool> {
    match source_file(class) {
        Some(NO_SOURCE) => return Ok(true),
        None if is_called_so(class.name()?) => return Ok(true),
        _ => {}
    }
    let types = class.annotation_types()?;
    Ok(types.iter().any(|descriptor| simple_name(&text::decode(descriptor)).contains(ANNOTATION)))
}

/// Whether code was written by somebody: a method without lines was not, unless the whole class has none because it was
/// compiled without them.
pub(crate) fn is_written<'a: 'c, 'c>(
    pool: &'c ConstantPool<'a>,
    mut all: impl Iterator<Item = &'c Code<'a>>,
) -> impl Fn(&Code<'a>) -> bool {
    let has_lines = |code: &Code<'a>| code.attributes(pool).flatten().any(|attribute| attribute.name == b"LineNumberTable");
    let tells_lines = all.any(has_lines);
    move |code| !tells_lines || has_lines(code)
}

fn is_called_so(name: &[u8]) -> bool {
    MADE.iter().any(|part| name.windows(part.len()).any(|window| window == *part))
}

/// JVMS 4.7.10.
fn source_file<'a>(class: &ClassFile<'a>) -> Option<&'a [u8]> {
    let attribute = class.attributes().flatten().find(|attribute| attribute.name == b"SourceFile")?;
    let index = attribute.content.first_chunk::<2>()?;
    class.pool.utf8(u16::from_be_bytes(*index)).ok()
}

/// `Generated` of `Lio/micronaut/core/annotation/Generated;`.
fn simple_name(descriptor: &str) -> &str {
    let name = descriptor.strip_prefix('L').unwrap_or(descriptor).trim_end_matches(';');
    name.rsplit(['/', '$']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::simple_name;

    #[test]
    fn simple_names_lack_package_and_outer_class() {
        assert_eq!(simple_name("Lio/micronaut/core/annotation/Generated;"), "Generated");
        assert_eq!(simple_name("Lcom/generated/Outer$Kept;"), "Kept");
        assert_eq!(simple_name("LPlain;"), "Plain");
    }
}
