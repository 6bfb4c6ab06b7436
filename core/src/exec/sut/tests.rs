//! The control of real processes.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tempfile::TempDir;

use crate::exec::{Error, Ready, Stop, SutSettings};

use super::Sut;

fn settings(command: &[&str], ready: Ready) -> SutSettings {
    SutSettings {
        command: command.iter().map(|word| (*word).to_owned()).collect(),
        env: Vec::new(),
        working_directory: None,
        fresh_folder: false,
        port: None,
        ready,
        start_limit: Duration::from_mins(1),
        max_log_bytes: 100_000,
        notice_port: false,
    }
}

const SERVE: [&str; 6] = ["python3", "-u", "-m", "http.server", "--bind=127.0.0.1", "{port}"];

fn start(settings: &SutSettings) -> (Result<Sut, Error>, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (Sut::start(settings, None, &folder.path().join("logs"), &Stop::default()), folder)
}

fn shell(script: &str, ready: Ready) -> SutSettings {
    settings(&["sh", "-c", script], ready)
}

/// Ends once `go` is there: a time would be over before a slow machine has seen that it is up.
fn ends_when_told(go: &Path) -> SutSettings {
    let script = format!("echo up; until [ -e '{}' ]; do sleep 0.02; done; echo bye; exit 3", go.display());
    shell(&script, Ready::LogLine("up".to_owned()))
}

fn await_true(condition: impl Fn() -> bool) -> bool {
    (0..1000).any(|_| condition() || !Stop::default().sleep(Duration::from_millis(10)))
}

#[test]
fn a_service_is_started_awaited_restarted_and_ended() {
    let readies = [Ready::Port, Ready::HttpPath("/".to_owned()), Ready::LogLine("Serving HTTP".to_owned())];
    for ready in readies {
        let (sut, folder) = start(&settings(&SERVE, ready));
        let mut sut = sut.expect("the server starts");
        let port = sut.port();
        assert!(sut.is_alive() && sut.base_url() == format!("http://127.0.0.1:{port}"));
        sut.restart().expect("the server starts again");
        assert_eq!((sut.restarts(), sut.port(), sut.is_alive()), (1, port, true));
        let log = fs::read_to_string(folder.path().join("logs/sut.log")).expect("a log");
        assert!(log.contains("anew (1)"), "{log}");
        drop(sut);
        assert!(TcpListener::bind(("127.0.0.1", port)).is_ok());
    }
}

#[test]
fn a_fresh_folder_is_empty_at_each_start_and_gone_at_the_end() {
    // It ends when it finds what an earlier start left behind.
    let script = "test -z \"$(ls -A)\" || exit 3; mkdir -p a/b; touch a/b/c; ln -s / root; exec python3 -u -m http.server \
                  --bind=127.0.0.1 {port}";
    let (sut, _logs) = start(&SutSettings { fresh_folder: true, ..shell(script, Ready::Port) });
    let mut sut = sut.expect("the server starts");
    let folder = sut.settings.working_directory.clone().expect("a folder");
    assert!(folder.join("a/b/c").exists());
    sut.restart().expect("the folder is empty");
    assert!(folder.join("a/b/c").exists(), "the same folder");
    drop(sut);
    assert!(!folder.exists());
}

/// Says that it is ready, and listens a second later.
const HASTY: &str = "echo up; sleep 1; exec python3 -u -m http.server --bind=127.0.0.1 {port}";

#[test]
fn a_service_may_say_that_it_is_ready_before_it_listens() {
    let (sut, _folder) = start(&shell(HASTY, Ready::LogLine("up".to_owned())));
    let sut = sut.expect("the shell starts");
    sut.await_listening();
    assert!(TcpStream::connect(("127.0.0.1", sut.port())).is_ok());
}

#[test]
fn a_service_that_ends_instead_of_listening_is_not_waited_for() {
    let told = tempfile::tempdir().expect("a folder");
    let (sut, _folder) = start(&ends_when_told(&told.path().join("go")));
    let sut = sut.expect("the shell starts");
    fs::write(told.path().join("go"), "").expect("a writable folder");
    let began = Instant::now();
    sut.await_listening();
    assert!(began.elapsed() < Duration::from_secs(8));
}

#[test]
fn death_is_noticed_and_told() {
    let told = tempfile::tempdir().expect("a folder");
    let (sut, _folder) = start(&ends_when_told(&told.path().join("go")));
    let sut = sut.expect("the shell starts");
    fs::write(told.path().join("go"), "").expect("a writable folder");
    assert!(await_true(|| !sut.is_alive()));
    assert_eq!(sut.ending().as_deref(), Some("with exit status 3"));
    assert!(await_true(|| sut.last_output() == ["up", "bye"]), "{:?}", sut.last_output());
}

#[test]
fn a_jvm_is_told_to_start_quickly_from_the_next_start_on() {
    let told = SutSettings {
        env: vec![("JAVA_TOOL_OPTIONS".to_owned(), "-agentpath:a".to_owned())],
        ..shell("echo $JAVA_TOOL_OPTIONS; echo up; sleep 1000", Ready::LogLine("up".to_owned()))
    };
    let (sut, _folder) = start(&told);
    let mut sut = sut.expect("the shell starts");
    assert_eq!(sut.last_output(), ["-agentpath:a", "up"]);
    sut.favour_quick_starts(true);
    sut.favour_quick_starts(true);
    sut.restart().expect("the shell starts again");
    assert_eq!(sut.last_output(), ["-XX:TieredStopAtLevel=1 -agentpath:a", "up"]);
    sut.favour_quick_starts(false);
    sut.restart().expect("the shell starts again");
    assert_eq!(sut.last_output(), ["-agentpath:a", "up"]);
}

#[test]
fn a_jvm_that_is_told_how_to_compile_is_told_nothing_more() {
    let told = |value: &str, command: &str| super::compiling_quickly(value.to_owned(), command);
    assert_eq!(told("-Xmx1g", "java -jar a.jar"), "-XX:TieredStopAtLevel=1 -Xmx1g");
    for said in ["-XX:TieredStopAtLevel=4", "-XX:-TieredCompilation", "-Xint"] {
        assert_eq!(told(said, "java"), said);
        assert_eq!(told("-Xmx1g", &format!("java {said} -jar a.jar")), "-Xmx1g");
    }
    let long = "x".repeat(1010);
    assert_eq!(told(&long, "java"), long);
}

#[test]
fn grandchildren_end_with_the_service() {
    let (sut, folder) = start(&shell("sleep 1000 & echo $!; echo up; wait", Ready::LogLine("up".to_owned())));
    let sut = sut.expect("the shell starts");
    let process = PathBuf::from("/proc").join(&sut.last_output()[0]);
    assert!(process.exists());
    drop(sut);
    let is_gone = || fs::read_to_string(process.join("stat")).map_or(true, |stat| stat.contains(") Z "));
    assert!(await_true(is_gone), "{}", folder.path().display());
}

#[test]
fn a_service_that_ignores_termination_is_killed() {
    let (sut, _folder) = start(&shell("trap '' TERM; echo up; while :; do sleep 1; done", Ready::LogLine("up".to_owned())));
    let mut sut = sut.expect("the shell starts");
    sut.end();
    assert_eq!((sut.is_alive(), sut.ending().as_deref()), (false, Some("by signal 9 (kill, perhaps out of memory)")));
    let (sut, _folder) = start(&shell("echo up; sleep 1000", Ready::LogLine("up".to_owned())));
    let sut = sut.expect("the shell starts");
    sut.killer().kill();
    assert!(await_true(|| !sut.is_alive()));
}

#[test]
fn a_service_that_ends_before_it_is_ready_shows_its_last_words() {
    let (sut, _folder) = start(&shell("echo no database >&2; exit 7", Ready::Port));
    let error = sut.expect_err("it ends");
    assert!(matches!(&error, Error::DiedAtStart { output, .. } if output == &["no database"]), "{error:?}");
    assert_eq!(
        error.to_string(),
        "the service ended before it was ready, with exit status 7; its last output:\n  | no database"
    );
}

#[test]
fn a_service_that_ends_right_after_it_listened_shows_its_last_words_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let go = folder.path().join("go");
    let script = "import os, socket, sys, time\nlistener = socket.create_server(('127.0.0.1', int(sys.argv[1])))\n\
                  while not os.path.exists(sys.argv[2]): time.sleep(0.02)\nlistener.close()\ntime.sleep(0.1)\nsys.exit('port 9000 is taken')";
    let (sut, _logs) = start(&settings(&["python3", "-c", script, "{port}", &go.to_string_lossy()], Ready::Port));
    let sut = sut.expect("it listens");
    assert!(sut.end_at_start().is_none(), "it still does");
    fs::write(&go, "").expect("writable");
    assert!(await_true(|| TcpStream::connect(("127.0.0.1", sut.port())).is_err()));
    let end = sut.end_at_start();
    assert!(matches!(&end, Some(Error::DiedAtStart { output, .. }) if output == &["port 9000 is taken"]), "{end:?}");
}

#[test]
fn a_service_that_is_not_ready_in_time_is_ended() {
    let late = SutSettings { start_limit: Duration::from_secs(3), ..shell("echo $$; sleep 1000", Ready::Port) };
    let (sut, _folder) = start(&late);
    let Err(Error::NotReady { output, .. }) = sut else { panic!("it never listens") };
    let process = PathBuf::from("/proc").join(&output[0]);
    assert!(await_true(|| !process.exists()));
}

#[test]
fn commands_that_cannot_run_say_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("script");
    fs::write(&script, "no interpreter").expect("a writable folder");
    let program = script.to_str().expect("a UTF-8 path");
    assert!(matches!(start(&settings(&["no-such-program-anywhere"], Ready::Port)).0, Err(Error::CommandNotFound(_))));
    assert!(matches!(start(&settings(&[program], Ready::Port)).0, Err(Error::NotExecutable { .. })));
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("own files can be changed");
    assert!(matches!(start(&settings(&[program], Ready::Port)).0, Err(Error::NotExecutable { .. })));
    assert!(matches!(start(&settings(&[], Ready::Port)).0, Err(Error::NoCommand)));
    let elsewhere = SutSettings { working_directory: Some(folder.path().join("none")), ..settings(&SERVE, Ready::Port) };
    assert!(matches!(start(&elsewhere).0, Err(Error::NoWorkingDirectory(_))));
}

#[test]
fn a_taken_port_and_a_log_that_cannot_be_written_are_told_before_the_start() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("a bound address").port();
    let taken = SutSettings { port: Some(port), ..settings(&SERVE, Ready::Port) };
    assert!(matches!(start(&taken).0, Err(Error::PortTaken(found)) if found == port));
    let log = Sut::start(&settings(&SERVE, Ready::Port), None, std::path::Path::new("/dev/null/logs"), &Stop::default());
    assert!(matches!(log, Err(Error::Log { .. })));
}

#[test]
fn environment_and_folder_reach_the_service() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = shell("echo \"$GREETING $(pwd)\"; echo up; sleep 1000", Ready::LogLine("up".to_owned()));
    let env = vec![("GREETING".to_owned(), "port={port}".to_owned())];
    let (sut, _logs) = start(&SutSettings { env, working_directory: Some(folder.path().to_owned()), ..script });
    let sut = sut.expect("the shell starts");
    let real = folder.path().canonicalize().expect("the folder exists");
    assert_eq!(sut.last_output()[0], format!("port={} {}", sut.port(), real.display()));
}

#[test]
fn a_chatty_service_never_waits_for_its_log() {
    let script = "i=0; while [ $i -lt 20000 ]; do echo 'a line of some length to fill pipes and files'; i=$((i+1)); done; echo up; sleep 1000";
    let (sut, folder) = start(&shell(script, Ready::LogLine("up".to_owned())));
    assert!(sut.is_ok());
    let size = |name: &str| fs::metadata(folder.path().join("logs").join(name)).map_or(0, |file| file.len());
    assert!(size("sut.log") <= 50_000 && size("sut.1.log") == 50_000);
}

#[test]
#[cfg(target_os = "linux")]
fn a_service_that_listens_elsewhere_is_found() {
    // `--bind … 0` has the system choose; a child of a shell is looked at too.
    let script = "python3 -u -m http.server --bind=127.0.0.1 0 & wait";
    let (sut, _folder) = start(&SutSettings { notice_port: true, ..shell(script, Ready::HttpPath("/".to_owned())) });
    let sut = sut.expect("the server starts");
    assert_ne!(sut.port(), sut.given_port);
    assert_eq!(sut.base_url(), format!("http://127.0.0.1:{}", sut.port()));
    assert!(std::net::TcpStream::connect(("127.0.0.1", sut.port())).is_ok());
}

/// A server that speaks TLS only, with the certificate and key in files.
const SERVE_TLS: &str = "\
import http.server, ssl, sys
server = http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), http.server.SimpleHTTPRequestHandler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2], sys.argv[3])
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
";

#[test]
fn a_service_that_speaks_tls_is_called_with_it_where_nobody_says_otherwise() {
    let own = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).expect("a certificate");
    let folder = tempfile::tempdir().expect("a folder");
    let written = |label: &str, der: &[u8]| {
        let file = folder.path().join(label);
        let text = STANDARD.encode(der);
        fs::write(&file, format!("-----BEGIN {label}-----\n{text}\n-----END {label}-----\n")).expect("written");
        file.to_string_lossy().into_owned()
    };
    let certificate = written("CERTIFICATE", own.cert.der());
    let key = written("PRIVATE KEY", &own.signing_key.serialize_der());
    let started = |command: &[&str], base_url: Option<&str>| {
        let settings = SutSettings { notice_port: true, ..settings(command, Ready::Port) };
        Sut::start(&settings, base_url, &folder.path().join("logs"), &Stop::default()).expect("the server starts")
    };
    let with_tls = ["python3", "-c", SERVE_TLS, "{port}", &certificate, &key];
    let mut sut = started(&with_tls, None);
    for _ in 0..2 {
        assert_eq!((sut.base_url(), sut.has_tls()), (format!("https://127.0.0.1:{}", sut.port()).as_str(), true));
        sut.restart().expect("the server starts again");
    }
    let plain = started(&SERVE, None);
    assert!(plain.base_url().starts_with("http:") && !plain.has_tls());
    let given = started(&with_tls, Some("https://127.0.0.1:{port}"));
    assert!(!given.has_tls(), "certificates are checked where its user calls it so");
}

/// A server that takes connections, but answers none before two have come, and has nothing anywhere but for the third answer; the
/// paths that it answered are added to a file.
const SERVE_LATE: &str = "\
import socket, sys
server = socket.create_server(('127.0.0.1', int(sys.argv[1])))
held = []
while True:
    connection, _ = server.accept()
    held.append(connection)
    if len(held) > 1:
        words = connection.recv(1000).decode('latin-1').split()
        open(sys.argv[2], 'a').write(words[1] + ' ' if len(words) > 1 else '? ')
        status = '302' if len(held) == 4 else '404'
        connection.sendall(b'HTTP/1.1 ' + status.encode() + b' \\r\\nConnection: close\\r\\nContent-Length: 0\\r\\n\\r\\n')
        connection.close()
";

#[test]
#[cfg(target_os = "linux")]
fn applications_of_a_container_are_waited_for_until_they_answer_at_each_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let answers = folder.path().join("answers");
    fs::create_dir_all(folder.path().join("webapps/shop/WEB-INF/classes")).expect("made");
    let base = format!("-Dcatalina.base={}", folder.path().display());
    // What it is by its words is a JVM.
    let words = ["python3", "-c", SERVE_LATE, "{port}", &answers.to_string_lossy(), "java", &base, "Main"];
    let settings = SutSettings { notice_port: true, ..settings(&words, Ready::Port) };
    let mut sut = Sut::start(&settings, None, &folder.path().join("logs"), &Stop::default()).expect("the server starts");
    let answered = || fs::read_to_string(&answers).unwrap_or_default().trim_end().to_owned();
    // At the end it is asked whether it wants TLS.
    assert_eq!(answered(), "/ /shop /shop /");
    sut.restart().expect("the server starts again");
    assert_eq!(answered(), "/ /shop /shop / / /shop /shop");
}
