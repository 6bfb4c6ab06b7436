//! Lines that Kotlin copies from other files: JSR-45 maps in `SourceDebugExtension` (JVMS 4.7.11).
//!
//! The body of an inline function is compiled into its caller with line numbers beyond the end of the file; the map says
//! which file each of them comes from. The first file is the class's own.

use restive_classfile::{ClassFile, text};

/// The line numbers that are lines of the class's own file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OwnLines {
    /// First and last; empty when all are own.
    ranges: Vec<(u32, u32)>,
}

impl OwnLines {
    pub fn of(class: &ClassFile<'_>) -> OwnLines {
        let attribute = class.attributes().flatten().find(|attribute| attribute.name == b"SourceDebugExtension");
        attribute.map(|attribute| OwnLines::parse(&text::decode(attribute.content))).unwrap_or_default()
    }

    /// All lines where there is no map of a Kotlin file that can be read.
    fn parse(map: &str) -> OwnLines {
        let stratum = map.lines().skip_while(|line| *line != "*S Kotlin").skip(1);
        let section = stratum.take_while(|line| !line.starts_with("*S") && *line != "*E");
        let lines = section.skip_while(|line| *line != "*L").skip(1).take_while(|line| !line.starts_with('*'));
        let mut file = 1;
        let ranges = lines.filter_map(|line| range(line, &mut file)).collect();
        OwnLines { ranges }
    }

    pub fn contains(&self, line: u16) -> bool {
        let line = u32::from(line);
        self.ranges.is_empty() || self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&line))
    }
}

/// The output lines of `InputStart#File,Repeat:OutputStart,Increment` when they are of file 1; the file stays until changed.
fn range(line: &str, file: &mut u32) -> Option<(u32, u32)> {
    let (input, output) = line.split_once(':')?;
    let (input, repeat) = input.split_once(',').unwrap_or((input, "1"));
    if let Some((_, number)) = input.split_once('#') {
        *file = number.parse().ok()?;
    }
    let (start, increment) = output.split_once(',').unwrap_or((output, "1"));
    let (repeat, start, increment): (u32, u32, u32) = (repeat.parse().ok()?, start.parse().ok()?, increment.parse().ok()?);
    let length = repeat.checked_mul(increment)?.max(1);
    (*file == 1).then_some((start, start.checked_add(length - 1)?))
}

#[cfg(test)]
mod tests {
    use super::OwnLines;

    const MAP: &str = "SMAP\nA.kt\nKotlin\n*S Kotlin\n*F\n+ 1 A.kt\ncom/acme/A\n+ 2 _Collections.kt\nkotlin/_Collections\n\
                       *L\n1#1,20:1\n1549#2:21\n1620#2,3:22\n*S KotlinDebug\n*F\n+ 1 A.kt\n*L\n5#1:21\n*E\n";

    #[test]
    fn lines_of_other_files_are_not_own() {
        let own = OwnLines::parse(MAP);
        assert!(own.contains(1) && own.contains(20));
        assert!(!own.contains(21) && !own.contains(24));
    }

    #[test]
    fn without_a_map_of_kotlin_every_line_is_own() {
        for map in ["", "SMAP\na.jsp\nJSP\n*S JSP\n*F\n1 a.jsp\n*L\n1#2:50\n*E\n", "*S Kotlin\n*L\nnonsense\n*E"] {
            assert!(OwnLines::parse(map).contains(60_000), "{map}");
        }
    }
}
