//! Where tests stand in the files of a suite.

/// A test in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenTest {
    /// [`super::TestCase::name`].
    pub name: String,
    /// The name as the file spells it.
    pub written_name: String,
    /// First and last line, counted from 1; the last reaches up to the next test.
    pub lines: (usize, usize),
}

/// The places of the tests `names`, which stand in `content` in that order; `begun` gives the written name of the test
/// that a line begins.
pub fn places(content: &str, begun: &dyn Fn(&str) -> Option<&str>, names: &[String]) -> Vec<WrittenTest> {
    let begun: Vec<(usize, &str)> =
        content.lines().enumerate().filter_map(|(idx, line)| Some((idx + 1, begun(line)?))).collect();
    let end = content.lines().count();
    let last_lines = begun.iter().skip(1).map(|(line, _)| line - 1).chain([end]);
    let tests = begun.iter().zip(last_lines).zip(names).map(|(((first, written_name), last), name)| WrittenTest {
        name: name.clone(),
        written_name: (*written_name).to_owned(),
        lines: (*first, last),
    });
    tests.collect()
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn each_test_reaches_up_to_the_next() {
        let content = "import x\n\ndef test_a(service):\n    pass\n\n\ndef test_b():\n    pass\n";
        let found = places(content, &|line| line.strip_prefix("def ")?.split('(').next(), &["a".to_owned(), "b".to_owned()]);
        let lines: Vec<_> = found.iter().map(|test| (test.written_name.as_str(), test.lines)).collect();
        assert_eq!(lines, [("test_a", (3, 6)), ("test_b", (7, 8))]);
    }
}
