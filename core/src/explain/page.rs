//! A page of text that grows line by line: titles, columns, commands to go on with.

use std::fmt::Write as _;

use crate::report::{Style, grouped, printable, shell_word};

/// Characters of an entry that others are lined up with, at most: one very long name must not push all out of sight.
pub(super) const WIDEST: usize = 60;

/// Lines of an answer about one run.
#[derive(Debug)]
pub(super) struct Page<'a> {
    lines: String,
    folder: &'a str,
    pub(super) style: Style,
}

impl<'a> Page<'a> {
    /// An empty one, about the run in the output folder that the user calls `folder`.
    pub(super) fn new(folder: &'a str, style: Style) -> Self {
        Self { lines: String::new(), folder, style }
    }

    /// What was put on it.
    pub(super) fn into_text(self) -> String {
        self.lines
    }

    /// A line. What styles it was put there by us; names in it were made printable before.
    pub(super) fn put(&mut self, line: &str) {
        let _ = writeln!(self.lines, "{}", line.trim_end());
    }

    /// An empty line.
    pub(super) fn blank(&mut self) {
        self.lines.push('\n');
    }

    /// The title of what follows.
    pub(super) fn head(&mut self, title: &str) {
        self.blank();
        let title = self.style.bold(title);
        self.put(&title);
    }

    /// How many more of something there are, when there are.
    pub(super) fn more(&mut self, more: usize, one: &str, many: &str) {
        if more > 0 {
            self.put(&format!("  and {} more {}", grouped(more as u64), if more == 1 { one } else { many }));
        }
    }

    /// Lines of columns, each as wide as its widest entry but the last.
    pub(super) fn columns(&mut self, rows: &[Vec<String>]) {
        let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let widths = rows.iter().filter_map(|row| row.get(column)).map(|cell| printable(cell).chars().count());
            widths.filter(|width| *width <= WIDEST).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..n_columns).map(width).collect();
        for row in rows {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{:<width$}", printable(cell)));
            let line = cells.collect::<Vec<_>>().join("  ");
            self.put(&format!("  {line}"));
        }
    }

    /// Commands that ask about these names.
    pub(super) fn ask(&mut self, names: &[&str]) {
        if names.is_empty() {
            return;
        }
        self.head("Ask further");
        for name in names {
            let command = format!("  restive explain {} {}", shell_word(self.folder), shell_word(name));
            let command = self.style.cyan(&printable(&command));
            self.put(&command);
        }
    }
}
