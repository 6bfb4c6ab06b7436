//! A JDK `HttpServer` with the agent, and a core that asks about each call, on every JDK that is installed.

mod java;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout};
use std::time::{Duration, Instant};

use java::{Jdk, Sample};
use restive_driver_protocol::{
    COVERED, DriverConnection, DriverListener, Feedback, Hint, Limits, Origin, Report, StartAction, StartTest, TestNumber,
    Token, UnitsFrom, closeness,
};

const SOON: Duration = Duration::from_secs(30);

fn token() -> Token {
    Token::new("0123456789abcdef")
}

/// A running service and the core's connection to its agent.
struct Run {
    service: Child,
    output: BufReader<ChildStdout>,
    port: u16,
    core: DriverConnection,
    names: Vec<String>,
    tests: u64,
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ended = self.service.kill().and_then(|()| self.service.wait());
    }
}

impl Run {
    fn start(jdk: &Jdk, sample: &Sample, include: &str) -> Self {
        Self::start_with(jdk, sample, include, &[])
    }

    fn start_with(jdk: &Jdk, sample: &Sample, include: &str, arguments: &[&str]) -> Self {
        let listener = DriverListener::bind(token()).expect("binds");
        let options = format!("connect={},token={},include={include}", listener.address(), token().text());
        let mut service = jdk.start(sample, &options, arguments);
        let mut output = BufReader::new(service.stdout.take().expect("is piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("reads");
        let port = line.strip_prefix("port ").and_then(|port| port.trim().parse().ok());
        let port = port.unwrap_or_else(|| panic!("{}: found `{line}`, wanted the port and nothing before it", jdk.name()));
        let core = listener.next(SOON).expect("says hello").expect("the agent connects");
        Self { service, output, port, core, names: Vec::new(), tests: 0 }
    }

    fn learn(&mut self, feedback: &Feedback) -> BTreeMap<String, i32> {
        assert_eq!(feedback.names.first as usize, self.names.len());
        self.names.extend(feedback.names.texts.iter().cloned());
        feedback.changed.iter().map(|change| (self.names[change.id as usize].clone(), change.cell)).collect()
    }

    fn start_test(&mut self, report: Report) -> (Origin, BTreeMap<String, i32>) {
        self.tests += 1;
        let feedback = self.core.start_test(StartTest { number: TestNumber(self.tests), report }).expect("starts");
        (feedback.origin, self.learn(&feedback))
    }

    fn send(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("connects");
        write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").expect("writes");
        stream
    }

    fn call(&mut self, path: &str) -> (String, Feedback, BTreeMap<String, i32>) {
        self.call_tracking(path, &[])
    }

    fn call_tracking(&mut self, path: &str, track: &[&str]) -> (String, Feedback, BTreeMap<String, i32>) {
        let track = track.iter().map(|&value| value.to_owned()).collect();
        self.core.start_action(StartAction { index: 0, track }).expect("starts");
        let mut answer = String::new();
        self.send(path).read_to_string(&mut answer).expect("answers");
        let feedback = self.core.end_action().expect("ends");
        let reached = self.learn(&feedback);
        (answer, feedback, reached)
    }

    /// What a test of one call reaches.
    fn test(&mut self, report: Report, path: &str) -> (String, Feedback, BTreeMap<String, i32>) {
        self.start_test(report);
        self.call(path)
    }

    /// How near a test of one call comes to a target that it does not cover, as far as the search is told.
    fn nearness(&mut self, path: &str, target: &str) -> f64 {
        let (_, _, reached) = self.test(Report::Uncovered, path);
        closeness(*reached.get(target).unwrap_or_else(|| panic!("{target} in {reached:?}")))
    }

    /// The statement of the only exception that an action shows which lasts this long.
    fn thrown_after(&mut self, wait: Duration) -> Option<String> {
        self.core.start_action(StartAction { index: 0, track: Vec::new() }).expect("starts");
        std::thread::sleep(wait);
        self.send("/throw?x").read_to_string(&mut String::new()).expect("answers");
        let feedback = self.core.end_action().expect("ends");
        self.learn(&feedback);
        let [raised] = feedback.exceptions.as_slice() else { panic!("{:?}", feedback.exceptions) };
        raised.statement.map(|id| self.names[id as usize].clone())
    }
}

fn on_every_jdk(check: impl Fn(&Jdk, &Sample)) {
    let sample = Sample::compile();
    let Some(sample) = sample else { return };
    for jdk in Jdk::installed() {
        println!("{}", jdk.name());
        check(&jdk, &sample);
    }
}

#[test]
fn closeness_grows_as_the_input_comes_nearer() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "sample.");
        let (origin, boot) = run.start_test(Report::Uncovered);
        assert_eq!(origin, Origin::Boot);
        assert_eq!(boot.get(&sample.target("line:", "boot", "")), Some(&COVERED), "{boot:?}");
        // javac compiles `if (x == 42) A` to a jump away from A.
        let found = sample.target("branch:", "jump", ":0:then");
        let mut before = 0.0;
        for (x, wanted) in [(1, 1.0 / 42.0), (40, 1.0 / 3.0), (42, 1.0)] {
            let (answer, feedback, reached) = run.test(Report::Uncovered, &format!("/number?{x}"));
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
            let near = closeness(reached[&found]);
            assert!((near - wanted).abs() < 1e-6 && near > before, "x = {x}: closeness {near}, wanted {wanted}");
            assert!(!reached.contains_key(&sample.target("line:", "boot", "")), "boot is not credited");
            assert_eq!((feedback.origin, feedback.action), (Origin::Action, 0));
            before = near;
        }
        let (_, feedback, reached) = run.test(Report::Uncovered, "/number?42");
        assert!(!reached.contains_key(&found), "covered targets are not repeated");
        assert!(feedback.last_statement.is_some_and(|id| run.names[id as usize].starts_with("line:sample.Sample:")));
        let (_, _, reached) = run.test(Report::All, "/number?40");
        assert_eq!(reached.get(&sample.target("line:", "no", "")), Some(&COVERED), "a complete test reports all");
        assert!((closeness(reached[&found]) - 1.0 / 3.0).abs() < 1e-6);

        let units = run.core.units(UnitsFrom { known: 0, limit: 10 }).expect("units");
        assert_eq!(units.units.iter().map(|unit| unit.name.as_str()).collect::<Vec<_>>(), ["sample.Sample"]);
        assert!(units.units[0].lines > 10 && units.units[0].branches > 5, "{units:?}");
        assert_eq!(units.skipped, 0, "{:?}", units.skips);
        run.service.kill().expect("ends");
        let mut rest = String::new();
        run.output.read_to_string(&mut rest).expect("reads");
        assert_eq!(rest, "", "the agent writes nothing to the service's output");
    });
}

#[test]
fn what_the_service_and_its_libraries_do_with_values_is_told_once() {
    on_every_jdk(|jdk, sample| {
        for options in ["sample.", "sample.,tracking=off"] {
            let mut run = Run::start(jdk, sample, options);
            run.start_test(Report::Uncovered);
            let mut hints = |path: &str, track: &[&str]| {
                let (answer, feedback, _) = run.call_tracking(path, track);
                assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
                let hint = |hint: &Hint| format!("{} {} {}", hint.tracked, hint.usage, hint.operand);
                feedback.hints.iter().map(hint).collect::<Vec<_>>()
            };
            let is_on = !options.ends_with("off");
            let expected =
                |hints: &[&str]| if is_on { hints.iter().map(|&hint| hint.to_owned()).collect() } else { Vec::new() };
            assert_eq!(hints("/number?4711", &["4711", "word"]), expected(&["4711 integer "]));
            assert_eq!(hints("/number?4711", &["4711"]), expected(&[]), "it is known");
            assert_eq!(hints("/number?4712", &[]), expected(&[]), "nothing is tracked");
            assert_eq!(hints("/time?dusk", &["dusk"]), expected(&["dusk equals noon", "dusk matches [0-9]{2}:[0-9]{2}"]));
            assert_eq!(hints("/time?dawn", &["dusk"]), expected(&[]), "another value");
        }
    });
}

#[test]
fn inputs_that_the_service_reads_are_told_with_each_action() {
    on_every_jdk(|jdk, sample| {
        let told = |options: &str| {
            let mut run = Run::start(jdk, sample, options);
            run.start_test(Report::Uncovered);
            let read = |feedback: &Feedback| {
                let inputs = feedback.expansions.iter();
                inputs.map(|it| format!("{} {} {}", it.place, it.name, it.schema)).collect::<Vec<_>>()
            };
            [0, 1].map(|_| read(&run.call("/number?1").1))
        };
        // The query is read as a whole, without a name.
        let both = ["header X-Mode ", "query  "];
        assert_eq!(told("sample.;server."), [both; 2].map(|told| told.map(str::to_owned).to_vec()));
        assert_eq!(told("sample."), [Vec::<String>::new(), Vec::new()], "a library reads it");
        assert_eq!(told("sample.;server.,expansions=off"), [Vec::<String>::new(), Vec::new()]);
    });
}

#[test]
fn each_test_sees_the_distances_of_a_switch_anew() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "sample.");
        let word = sample.target("switch:", "switch", ":0:case \"/word\"");
        for _ in 0..3 {
            // A switch that came to a covered case before would rather not look at the others again.
            let near = run.nearness("/number?1", &word);
            assert!(near > 0.0 && near < 1.0, "{near}");
        }
        let (_, _, reached) = run.test(Report::Uncovered, "/word?x");
        assert_eq!(reached.get(&word), Some(&COVERED));
    });
}

#[test]
fn each_test_sees_the_other_side_of_a_jump_anew() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "sample.");
        let equal = sample.target("branch:", "jump", ":0:then");
        for _ in 0..3 {
            // Nearer than by one it never comes, so that the jump would rather look at nothing when it goes the same way again.
            let near = run.nearness("/number?41", &equal);
            assert!((near - 0.5).abs() < 1e-6, "{near}");
        }
        let (_, _, reached) = run.test(Report::Uncovered, "/number?42");
        assert_eq!(reached.get(&equal), Some(&COVERED));
    });
}

#[test]
fn jump_that_asked_in_vain_for_long_still_takes_its_other_side_and_asks_again_in_the_next_test() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "sample.");
        let wanted = sample.target("branch:", "flag", ":1:then");
        // The last round is nearer by one, which nobody asks for any more.
        for (x, distance) in [(-10, 1010.0), (990, 10.0), (900, 100.0), (990, 10.0)] {
            let near = run.nearness(&format!("/rounds?{x}"), &wanted);
            assert!((near - 1.0 / (1.0 + distance)).abs() < 1e-6, "{x}: {near}");
        }
        let (answer, _, reached) = run.test(Report::Uncovered, "/rounds?999");
        assert!(answer.ends_with("found 1"), "{answer}");
        assert_eq!(reached.get(&wanted), Some(&COVERED));
    });
}

#[test]
fn attempt_to_end_the_jvm_is_stopped_and_reported() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "sample.");
        let (answer, feedback, _) = run.test(Report::Uncovered, "/exit?");
        assert!(answer.contains("stopped: "), "{answer}");
        let [raised] = feedback.exceptions.as_slice() else { panic!("{:?}", feedback.exceptions) };
        assert!(raised.kind == "exit" && raised.message.contains("status 3"), "{raised:?}");
        let statement = raised.statement.map(|id| run.names[id as usize].clone());
        let exit = sample.target("line:", "exit", "");
        assert_eq!(statement.as_ref(), Some(&exit));
        assert!(raised.trace[0].starts_with("sample.Sample.answer(Sample.java:"), "{raised:?}");
        assert!(run.test(Report::Uncovered, "/word?x").1.exceptions.is_empty(), "the JVM goes on, and it is told once");
    });
}

#[test]
fn exceptions_are_told_with_what_they_say_and_nobody_asks_them() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "sample.");
        let mut raised_by = |path: &str| {
            let feedback = run.test(Report::Uncovered, path).1;
            let statement = |id: Option<u32>| id.map(|id| run.names[id as usize].clone());
            let raised = feedback.exceptions.into_iter().map(|raised| (statement(raised.statement), raised));
            raised.collect::<Vec<_>>()
        };
        let thrown = raised_by("/throw?odd");
        let [(_, raised)] = thrown.as_slice() else { panic!("{thrown:?}") };
        assert_eq!(
            (raised.kind.as_str(), raised.type_name.as_str(), raised.message.as_str()),
            ("uncaught", "sample.Odd", "odd")
        );
        let methods = ["Odd.of(", "Sample.answer(", "Sample.respond("];
        for (frame, method) in raised.trace.iter().zip(methods) {
            assert!(frame.starts_with(&format!("sample.{method}")), "{:?}", raised.trace);
        }
        assert!(raised.trace.len() == methods.len() + 1, "and who called the service: {:?}", raised.trace);

        let thrown = raised_by("/caught?x");
        let [(statement, raised)] = thrown.as_slice() else { panic!("{thrown:?}") };
        assert_eq!((raised.kind.as_str(), raised.type_name.as_str()), ("caught", "java.lang.NumberFormatException"));
        assert_eq!(statement.as_ref(), Some(&sample.target("line:", "parse", "")));
        assert!(raised_by("/caught?1").is_empty());

        let thrown = raised_by("/wrapped?");
        let [(inner, caught), (outer, raised)] = thrown.as_slice() else { panic!("{thrown:?}") };
        assert_eq!(caught.kind, "caught");
        assert_eq!(inner.as_ref(), Some(&sample.target("line:", "null", "")));
        assert_eq!((raised.kind.as_str(), raised.message.as_str()), ("uncaught", "no text"));
        assert_eq!(outer.as_ref(), Some(&sample.target("line:", "wrap", "")));
        let cause = raised.trace.iter().position(|line| line.starts_with("caused by java.lang.NullPointerException: "));
        assert!(cause.is_some_and(|at| raised.trace[at + 1].starts_with("sample.Sample.wrapped(")), "{:?}", raised.trace);
        assert!(run.test(Report::Uncovered, "/asked?").0.contains("asked 0"));
    });
}

#[test]
fn exceptions_of_one_way_have_one_trace_unless_theirs_was_set() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "sample.");
        let mut trace = |path: &str| {
            let raised = run.test(Report::Uncovered, path).1.exceptions;
            let [raised] = raised.as_slice() else { panic!("{raised:?}") };
            raised.trace.clone()
        };
        let (made, read) = (trace("/borrowed?own"), trace("/caught?x"));
        assert!(made[0].starts_with("sample.Sample.borrowed(") && made[1].starts_with("sample.Sample.answer("), "{made:?}");
        for _ in 0..2 {
            assert_eq!(trace("/borrowed?other"), ["other.Place.run(Place.java:1)"]);
            assert_eq!(trace("/borrowed?own"), made);
            assert_eq!(trace("/caught?x"), read);
            assert!(trace("/borrowed?none").is_empty());
            assert_eq!(trace("/borrowed?asked"), made);
        }
    });
}

#[test]
fn work_that_does_not_end_is_stopped() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "sample.");
        run.start_test(Report::Uncovered);
        run.core.start_action(StartAction { index: 0, track: Vec::new() }).expect("starts");
        let mut stream = run.send("/loop?");
        let mut line = String::new();
        run.output.read_line(&mut line).expect("reads");
        assert_eq!(line, "looping\n");
        run.core.kill().expect("kills");
        let (mut answer, killed) = (String::new(), Instant::now());
        stream.set_read_timeout(Some(SOON)).expect("limits");
        stream.read_to_string(&mut answer).expect("ends");
        assert!(answer.contains("took too long"), "{answer}");
        assert!(killed.elapsed() < Duration::from_secs(5));
        let feedback = run.core.end_action().expect("ends");
        run.learn(&feedback);
        let [raised] = feedback.exceptions.as_slice() else { panic!("{:?}", feedback.exceptions) };
        assert!(raised.kind == "killed" && raised.trace[0].starts_with("sample.Sample.loop("), "{raised:?}");
        assert!(run.test(Report::Uncovered, "/word?x").0.contains("hello x"), "the next call runs");
    });
}

/// A service with a thread of its own that comes to probes all the time.
fn ticking(jdk: &Jdk, sample: &Sample) -> Run {
    let mut run = Run::start(jdk, sample, "sample.");
    run.send("/tick?").read_to_string(&mut String::new()).expect("answers");
    run.start_test(Report::Uncovered);
    run
}

#[test]
fn threads_that_work_for_no_action_are_told_apart() {
    on_every_jdk(|jdk, sample| {
        let mut run = ticking(jdk, sample);
        let slow = sample.target("line:", "slow", "");
        let waited = include_str!("sample/sample/Ticker.java").lines().position(|line| line.ends_with("// waited"));
        let inner = waited.map(|above| format!("line:sample.Ticker:{}", above + 1));
        for _ in 0..20 {
            run.start_test(Report::All);
            run.core.start_action(StartAction { index: 0, track: Vec::new() }).expect("starts");
            run.send("/slow?").read_to_string(&mut String::new()).expect("answers");
            // The service's own thread goes on meanwhile.
            std::thread::sleep(Duration::from_millis(10));
            let feedback = run.core.end_action().expect("ends");
            let reached = run.learn(&feedback);
            // Where the service's own thread came to a probe at the end of that method, the end of the one inside is what is known.
            let last = feedback.last_statement.map(|id| run.names[id as usize].clone());
            assert!(last.is_some() && (last.as_ref() == Some(&slow) || last == inner), "{last:?}");
            let background: Vec<_> = feedback.background.iter().map(|id| run.names[*id as usize].as_str()).collect();
            let own = |name: &str| name.starts_with("branch:sample.Ticker:");
            assert!(background.iter().any(|name| own(name)), "{background:?}");
            assert!(!background.contains(&slow.as_str()) && reached.contains_key(&slow), "{background:?}");
        }
    });
}

#[test]
fn what_ends_after_its_action_is_told_of_the_next_that_comes_to_it() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "sample.");
        run.start_test(Report::Uncovered);
        // As if it were work of an action that is over.
        run.send("/number?42").read_to_string(&mut String::new()).expect("answers");
        let targets = [sample.target("line:", "jump", ""), sample.target("branch:", "jump", ":0:then")];
        let covered = |reached: &BTreeMap<String, i32>| targets.each_ref().map(|target| reached.get(target) == Some(&COVERED));
        let (origin, late) = run.start_test(Report::Uncovered);
        assert_eq!((origin, covered(&late)), (Origin::Between, [true; 2]), "{late:?}");
        let (_, feedback, reached) = run.call("/number?42");
        assert_eq!((covered(&reached), feedback.background), ([true; 2], vec![]), "{reached:?}");
        let (_, _, reached) = run.test(Report::Uncovered, "/number?42");
        assert_eq!(covered(&reached), [false; 2], "told once: {reached:?}");
    });
}

#[test]
fn exceptions_of_threads_that_work_for_no_action_are_left_out() {
    // One that throws more than there is room for, one that sleeps longer than threads are watched, and work of a pool that
    // begins after that.
    for (poll, wait) in [("/poll?2", 200), ("/poll?250", 600), ("/schedule?250", 600)] {
        on_every_jdk(|jdk, sample| {
            let mut run = Run::start(jdk, sample, "sample.");
            run.send(poll).read_to_string(&mut String::new()).expect("answers");
            run.start_test(Report::Uncovered);
            for _ in 0..2 {
                let statement = run.thrown_after(Duration::from_millis(wait));
                assert!(statement.as_ref().is_some_and(|name| name.starts_with("line:sample.Odd:")), "{poll}: {statement:?}");
            }
        });
    }
}

#[test]
fn exceptions_that_are_thrown_while_others_are_read_have_their_own_fate() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "sample.");
        run.send("/poll?1").read_to_string(&mut String::new()).expect("answers");
        run.start_test(Report::Uncovered);
        for _ in 0..200 {
            let statement = run.thrown_after(Duration::from_millis(2));
            assert!(statement.as_ref().is_some_and(|name| name.starts_with("line:sample.Odd:")), "{statement:?}");
        }
    });
}

#[test]
fn a_thread_that_is_still_busy_at_the_first_test_may_serve_requests_later() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "sample.");
        run.send("/busy?").read_to_string(&mut String::new()).expect("answers");
        run.start_test(Report::Uncovered);
        let (answer, feedback, reached) = run.call("/serve?x");
        assert!(answer.contains("served x"), "{answer}");
        assert!(reached.keys().any(|name| name.starts_with("line:sample.Busy:")), "{reached:?}");
        let noise: Vec<_> = feedback.background.iter().map(|id| run.names[*id as usize].as_str()).collect();
        assert!(noise.is_empty(), "{noise:?}");
    });
}

#[test]
fn what_a_service_does_first_is_of_its_start_though_its_port_is_open_and_no_probe_tells_for_long() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start_with(jdk, sample, "sample.", &["late"]);
        let (origin, boot) = run.start_test(Report::Uncovered);
        assert_eq!(origin, Origin::Boot);
        assert_eq!(boot.get(&sample.target("line:", "late", "")), Some(&COVERED), "{boot:?}");
    });
}

#[test]
fn work_handed_to_another_thread_is_stopped_and_what_belongs_to_no_action_goes_on() {
    on_every_jdk(|jdk, sample| {
        let mut run = ticking(jdk, sample);
        run.core.start_action(StartAction { index: 0, track: Vec::new() }).expect("starts");
        let mut stream = run.send("/pool?");
        let mut line = String::new();
        run.output.read_line(&mut line).expect("reads");
        assert_eq!(line, "looping\n");
        run.core.kill().expect("kills");
        let mut answer = String::new();
        stream.set_read_timeout(Some(SOON)).expect("limits");
        stream.read_to_string(&mut answer).expect("ends");
        assert!(answer.contains("took too long"), "{answer}");
        let feedback = run.core.end_action().expect("ends");
        let reached = run.learn(&feedback);
        assert!(reached.contains_key(&sample.target("line:", "loop", "")), "the other thread's work is the action's");
        assert!(feedback.exceptions.iter().any(|raised| raised.kind == "killed"), "{:?}", feedback.exceptions);
        let ticks = |run: &mut Run| {
            let (answer, ..) = run.test(Report::Uncovered, "/ticks?");
            answer.rsplit(' ').next().and_then(|ticks| ticks.trim().parse::<u64>().ok()).expect("a number")
        };
        let before = ticks(&mut run);
        std::thread::sleep(Duration::from_millis(50));
        assert!(ticks(&mut run) > before, "the service's own thread was not stopped");
    });
}

#[test]
fn wrong_packages_show_as_no_classes_and_name_those_that_were_loaded() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "com.acme.");
        let units = run.core.units(UnitsFrom { known: 0, limit: 10 }).expect("units");
        assert_eq!((units.measured, units.targets), (0, 0));
        assert!(units.groups.iter().any(|group| group.name == "sample" && group.units == 1), "{:?}", units.groups);
        assert!(run.test(Report::All, "/word?x").2.is_empty());
    });
}

#[test]
fn classes_that_are_never_shown_are_counted_once_whenever_they_are_loaded() {
    on_every_jdk(|jdk, sample| {
        let mut run = Run::start(jdk, sample, "sample.");
        let skipped = |run: &mut Run| {
            let units = run.core.units(UnitsFrom { known: 0, limit: 10 }).expect("units");
            units.skips.into_iter().map(|skip| (skip.name, skip.reason)).collect::<Vec<_>>()
        };
        // Asked once, the agent looks at all classes; later the JVM has to tell of others.
        assert_eq!(skipped(&mut run), []);
        let (answer, ..) = run.test(Report::Uncovered, "/hide?x");
        assert!(!answer.contains("not hidden"), "{answer}");
        if answer.ends_with("no hidden classes") {
            return println!("skipped: {} has no hidden classes", jdk.name());
        }
        for _ in 0..2 {
            let told = skipped(&mut run);
            let [(name, reason)] = told.as_slice() else { panic!("{answer}\n{told:?}") };
            assert_eq!(name, "sample.Hider$Hidden");
            assert!(reason.contains("hidden class"), "{reason}");
            run.test(Report::Uncovered, "/hide?x");
        }
    });
}

#[test]
fn service_runs_as_before_when_the_options_are_wrong_or_no_core_answers() {
    on_every_jdk(|jdk, sample| {
        for options in ["colour=red", "connect=127.0.0.1:1,token=x,include=sample."] {
            let mut service = jdk.start(sample, options, &[]);
            let mut line = String::new();
            let stdout = service.stdout.take().expect("is piped");
            BufReader::new(stdout).read_line(&mut line).expect("reads");
            assert!(line.starts_with("port "), "{options}: {line}");
            service.kill().and_then(|()| service.wait()).expect("ends");
        }
    });
}

#[test]
fn listening_agent_is_called_by_the_core() {
    on_every_jdk(|jdk, sample| {
        let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let options = format!("listen=127.0.0.1:{port},token={},include=sample.", token().text());
        let mut service = jdk.start(sample, &options, &[]);
        let mut line = String::new();
        BufReader::new(service.stdout.take().expect("is piped")).read_line(&mut line).expect("reads");
        let address = format!("127.0.0.1:{port}");
        for _ in 0..2 {
            let mut core = (0..50)
                .find_map(|_| {
                    let called = DriverConnection::call(&address, &token(), Limits::default());
                    called.inspect_err(|_| std::thread::sleep(Duration::from_millis(50))).ok()
                })
                .expect("the agent listens");
            assert_eq!(core.hello().command, "sample.Sample");
            let boot = core.start_test(StartTest { number: TestNumber(1), report: Report::Uncovered }).expect("boot");
            assert!(!boot.names.texts.is_empty() && !boot.changed.is_empty());
        }
        service.kill().and_then(|()| service.wait()).expect("ends");
    });
}
