//! `JaCoCo`: attached to the service's JVM, read over its local port, reported for WireMock's own classes only.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use restive_e2e::process::{free_port, run};
use restive_e2e::services::WIREMOCK;
use restive_e2e::toolchain::maven_artifact;
use serde_json::{Value, json};

const AGENT: &str = "org.jacoco:org.jacoco.agent:0.8.13:jar:runtime";
const CLI: &str = "org.jacoco:org.jacoco.cli:0.8.13:jar:nodeps";

/// Folders of the jar with WireMock's own classes; everything else in it is a library.
const OWN_CLASSES: [&str; 2] = ["com/github/tomakehurst", "org/wiremock"];

const LIMIT: Duration = Duration::from_mins(2);

/// The agent's place and the port it is read at.
pub struct Jacoco {
    agent: PathBuf,
    cli: PathBuf,
    port: u16,
}

/// A count of what was covered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    /// Covered ones.
    pub covered: u64,
    /// All.
    pub total: u64,
}

impl Share {
    /// Counts and percentage.
    pub fn to_json(self) -> Value {
        let percent = (1000.0 * self.covered as f64 / self.total as f64).round() / 10.0;
        json!({"covered": self.covered, "total": self.total, "percent": percent})
    }
}

/// Covered lines and branches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Source lines with code.
    pub lines: Share,
    /// Sides of branches.
    pub branches: Share,
}

impl Jacoco {
    /// Fetches `JaCoCo` and chooses a port.
    pub fn install() -> Result<Self> {
        Ok(Self { agent: maven_artifact(AGENT)?, cli: maven_artifact(CLI)?, port: free_port()? })
    }

    /// The argument of the JVM that attaches the agent.
    pub fn agent_argument(&self) -> String {
        format!("-javaagent:{}=output=tcpserver,address=127.0.0.1,port={}", self.agent.display(), self.port)
    }

    /// What the service covered since its start.
    pub fn coverage(&self, folder: &Path) -> Result<Coverage> {
        let (counters, table) = (folder.join("jacoco.exec"), folder.join("jacoco.csv"));
        let mut dump = self.command("dump");
        dump.args(["--address", "127.0.0.1", "--port", &self.port.to_string(), "--destfile"]).arg(&counters);
        run(&mut dump, folder, "jacoco-dump", LIMIT)?.success()?;
        let classes = own_classes(folder)?;
        let mut report = self.command("report");
        report.arg(&counters).arg("--classfiles").arg(classes).arg("--csv").arg(&table);
        run(&mut report, folder, "jacoco-report", LIMIT)?.success()?;
        parse(&fs::read_to_string(table)?)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new("java");
        command.arg("-jar").arg(&self.cli).arg(name);
        command
    }
}

/// Unpacks WireMock's own classes.
fn own_classes(folder: &Path) -> Result<PathBuf> {
    let classes = folder.join("classes");
    fs::create_dir_all(&classes)?;
    let mut jar = Command::new("jar");
    jar.args(["--extract", "--file"]).arg(maven_artifact(WIREMOCK)?).args(OWN_CLASSES).current_dir(&classes);
    run(&mut jar, folder, "jar", LIMIT)?.success()?;
    Ok(classes)
}

/// Sums up `JaCoCo`'s table, which has a row per class.
fn parse(table: &str) -> Result<Coverage> {
    let mut rows = table.lines();
    let titles: Vec<&str> = rows.next().context("the table is empty")?.split(',').collect();
    let column = |title: &str| titles.iter().position(|other| *other == title).with_context(|| format!("no column {title}"));
    let columns = [column("LINE_COVERED")?, column("LINE_MISSED")?, column("BRANCH_COVERED")?, column("BRANCH_MISSED")?];
    let mut sums = [0; 4];
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        for (sum, column) in sums.iter_mut().zip(columns) {
            // Counts stand at the end; class names may have commas, which shift cells to the right.
            let shifted = cells.len() - (titles.len() - column);
            *sum += cells[shifted].parse::<u64>().with_context(|| format!("no count in `{row}`"))?;
        }
    }
    let [lines_covered, lines_missed, branches_covered, branches_missed] = sums;
    Ok(Coverage {
        lines: Share { covered: lines_covered, total: lines_covered + lines_missed },
        branches: Share { covered: branches_covered, total: branches_covered + branches_missed },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_summed_up_also_with_commas_in_names() {
        let table = "GROUP,PACKAGE,CLASS,BRANCH_MISSED,BRANCH_COVERED,LINE_MISSED,LINE_COVERED\n\
                     g,p,A,1,2,3,4\n\
                     g,p,new B() {...}, with comma,10,20,30,40\n";
        let coverage = parse(table).unwrap();
        assert_eq!(coverage.lines, Share { covered: 44, total: 77 });
        assert_eq!(coverage.branches, Share { covered: 22, total: 33 });
        assert_eq!(coverage.lines.to_json()["percent"], 57.1);
    }
}
