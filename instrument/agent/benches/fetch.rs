//! Time of the feedback of one action from a JVM with 10,000 targets of which about 100 changed: the round trip alone, the
//! call before it not counted. To reach: a median of at most 50 us.
//!
//! As with a framework, the thread that waits for requests has no code of the service on its stack.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use divan::Bencher;
use restive_driver_protocol::{DriverConnection, DriverListener, Report, StartAction, StartTest, TestNumber, Token, UnitsFrom};

#[path = "../tests/java/install.rs"]
mod install;

/// Each branch has a line target of its own and two sides, and the methods a few more lines.
const CLASSES: usize = 100;
const BRANCHES: usize = 33;

fn main() {
    divan::main();
}

/// What waits for work, as a framework does: reads a number per line, runs the class of that number, answers by a line.
const LOOP: &str = "import parts.Parts;
public class Loop { public static void main(String[] a) throws Exception {
java.io.BufferedReader in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
for (String line; (line = in.readLine()) != null;) { int x = Integer.parseInt(line);
if (x < 0) try { Parts.fail(-x); } catch (IllegalStateException e) { } else Parts.run(x);
System.out.println(x); } } }
";

/// The service.
fn source() -> String {
    let mut source = "package parts;\n".to_owned();
    for class in 0..CLASSES {
        writeln!(source, "class Part{class} {{ static int run(int x) {{ int n = 0;").expect("writes to memory");
        for branch in 0..BRANCHES {
            writeln!(source, "if (x == -{}) n++;", branch + 1).expect("writes to memory");
        }
        source.push_str("return n; } }\n");
    }
    source.push_str("public class Parts {\n");
    source.push_str("public static void fail(int n) { if (n == 0) throw new IllegalStateException(\"deep\"); fail(n - 1); }\n");
    source.push_str("public static int run(int x) { switch (x % 100) {\n");
    for class in 0..CLASSES {
        writeln!(source, "case {class}: return Part{class}.run(x);").expect("writes to memory");
    }
    source + "default: return 0; } } }\n"
}

struct Parts {
    java: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    core: DriverConnection,
    round: i32,
    _folder: tempfile::TempDir,
}

impl Parts {
    fn start() -> Option<Self> {
        let javac = install::compiler()?;
        let folder = tempfile::tempdir().expect("a folder");
        let files = [("Loop.java", LOOP.to_owned()), ("Parts.java", source())];
        let files = files.map(|(name, text)| (folder.path().join(name), text));
        for (file, text) in &files {
            std::fs::write(file, text).expect("writes");
        }
        let mut compiler = Command::new(javac);
        compiler.args(["-g", "-d"]).arg(folder.path()).args(files.iter().map(|(file, _)| file));
        assert!(compiler.status().expect("javac starts").success());
        let token = Token::new("secret");
        let listener = DriverListener::bind(token.clone()).expect("binds");
        let mut command = Command::new("java");
        let agent = install::library();
        let options = format!("connect={},token={},include=parts.", listener.address(), token.text());
        command.arg(format!("-agentpath:{}={options}", agent.display())).arg("-cp").arg(folder.path()).arg("Loop");
        let mut java = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("java starts");
        let (input, output) = (java.stdin.take().expect("piped"), java.stdout.take().expect("piped"));
        let core = listener.next(Duration::from_secs(20)).expect("hello").expect("connects");
        let mut parts = Self { java, input, output: BufReader::new(output), core, round: 0, _folder: folder };
        (0..CLASSES).for_each(|_| parts.call());
        parts.core.start_test(StartTest { number: TestNumber(1), report: Report::All }).expect("starts");
        parts.core.start_action(StartAction { index: 0, track: Vec::new() }).expect("starts");
        let units = parts.core.units(UnitsFrom { known: 0, limit: 0 }).expect("units");
        println!("{} units, {} targets", units.measured, units.targets);
        Some(parts)
    }

    /// Runs the next class.
    fn call(&mut self) {
        self.round += 1;
        self.send(self.round);
    }

    fn send(&mut self, number: i32) {
        writeln!(self.input, "{number}").expect("writes");
        self.output.read_line(&mut String::new()).expect("answers");
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        let _ended = self.java.kill().and_then(|()| self.java.wait());
    }
}

#[divan::bench]
fn from_a_jvm(bencher: Bencher) {
    let Some(parts) = Parts::start() else { return println!("skipped: no JDK") };
    let parts = std::cell::RefCell::new(parts);
    let mut changed = Vec::new();
    bencher
        .with_inputs(|| {
            // Every call of a new test reaches its class anew.
            let mut parts = parts.borrow_mut();
            if parts.round % 50 == 0 {
                let number = TestNumber(u64::try_from(parts.round).expect("positive"));
                parts.core.start_test(StartTest { number, report: Report::All }).expect("starts");
                parts.core.start_action(StartAction { index: 0, track: Vec::new() }).expect("starts");
            }
            parts.call();
        })
        .bench_local_values(|()| {
            let feedback = parts.borrow_mut().core.end_and_start_action(StartAction { index: 0, track: Vec::new() });
            changed.push(feedback.expect("answers").changed.len());
        });
    changed.sort_unstable();
    println!("changed targets: {:?} (median)", changed.get(changed.len() / 2));
}

/// The same after an exception with a stack of that many frames.
#[divan::bench(args = [10, 100])]
fn after_an_exception(bencher: Bencher, frames: i32) {
    let Some(parts) = Parts::start() else { return println!("skipped: no JDK") };
    let parts = std::cell::RefCell::new(parts);
    bencher.with_inputs(|| parts.borrow_mut().send(-frames)).bench_local_values(|()| {
        let feedback = parts.borrow_mut().core.end_and_start_action(StartAction { index: 0, track: Vec::new() });
        assert_eq!(feedback.expect("answers").exceptions.len(), 1);
    });
}
