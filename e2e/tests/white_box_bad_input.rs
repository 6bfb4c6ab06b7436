//! What can go wrong with a service that is looked into: each time a clear message, a count or a finding, and results.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use restive_e2e::process::{Finished, run};
use restive_e2e::scripted::{ScriptedServer, json, schema};
use restive_e2e::toolchain::{available, java_from, skip};
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results, binary};

/// The machine or the service failed.
const ENVIRONMENT: i32 = 3;

/// A service whose one operation crashes the JVM for some numbers, in a class with a method that has no room for probes.
const SERVICE: &str = r#"
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
public class Odd {
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 2) System.exit(3);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        java.util.function.IntUnaryOperator hidden = (java.util.function.IntUnaryOperator) java.lang.invoke.MethodHandles
            .lookup().defineHiddenClass(Odd.class.getResourceAsStream("Hid.class").readAllBytes(), true).lookupClass()
            .getDeclaredConstructor().newInstance();
        server.createContext("/", exchange -> {
            String query = exchange.getRequestURI().getQuery();
            int n = 0;
            try { n = Integer.parseInt(query.substring(2)); } catch (RuntimeException absent) { }
            if (exchange.getRequestURI().getPath().equals("/crash") && n > 100) crash();
            if (exchange.getRequestURI().getPath().equals("/flood")) flood();
            byte[] body = ("{\"n\":" + (Huge.sum(n) + hidden.applyAsInt(n)) + "}").getBytes();
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        if (arguments.length > 1) {
            Thread.sleep(1000);
            System.out.println("the " + arguments[1] + " is out of order");
            System.exit(3);
        }
        server.start();
    }
    static void flood() {
        byte[] noise = new byte[1 << 20];
        java.util.Arrays.fill(noise, (byte) 'x');
        for (int i = 0; i < 3; i++) System.out.write(noise, 0, noise.length);
        for (int i = 0; i < 10000; i++) System.out.println("noise " + i);
    }
    static void crash() {
        try {
            java.lang.reflect.Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
            field.setAccessible(true);
            Object unsafe = field.get(null);
            unsafe.getClass().getMethod("putAddress", long.class, long.class).invoke(unsafe, 0L, 0L);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
class Hid implements java.util.function.IntUnaryOperator { public int applyAsInt(int n) { return n > 7 ? 1 : 2; } }
"#;

/// A method of 64,000 bytes, which every probe would make too long.
fn huge() -> String {
    let steps: Vec<String> = (0..6_400).map(|idx| format!("if (x > {}) x += {};", idx + 40_000, idx % 100)).collect();
    format!("public class Huge {{ static int sum(int n) {{ int x = n;\n{}\nreturn x; }} }}\n", steps.join("\n"))
}

/// The compiled service; none when there is no JDK.
fn compiled(folder: &Path) -> Result<Option<PathBuf>> {
    if !available(&["java", "javac"])? {
        return Ok(None);
    }
    fs::write(folder.join("Odd.java"), SERVICE)?;
    fs::write(folder.join("Huge.java"), huge())?;
    let classes = folder.join("classes");
    let mut javac = Command::new("javac");
    javac.arg("-d").arg(&classes).args(["Odd.java", "Huge.java"]).current_dir(folder);
    run(&mut javac, folder, "javac", Duration::from_mins(2))?.success()?;
    Ok(Some(classes))
}

const DOCUMENT: &str = r#"{"openapi": "3.0.3", "info": {"title": "Odd", "version": "1"}, "paths": {
  "/plain": {"get": {"parameters": [{"name": "n", "in": "query", "required": true, "schema": {"type": "integer"}}], "responses": {"200": {"description": "ok"}}}},
  "/flood": {"get": {"responses": {"200": {"description": "ok"}}}},
  "/crash": {"get": {"parameters": [{"name": "n", "in": "query", "required": true, "schema": {"type": "integer", "maximum": 1000, "minimum": 0}}], "responses": {"200": {"description": "ok"}}}}}}"#;

/// A run on the compiled service with these further arguments.
fn fuzz(folder: &Path, classes: &Path, args: &[&str]) -> Result<(Finished, Results)> {
    fs::write(folder.join("openapi.json"), DOCUMENT)?;
    let classes = classes.to_str().context("the work folder is text")?;
    let java = format!("java -Dsun.net.httpserver.nodelay=true -cp {classes} Odd {{port}}");
    let run = Restive::new(folder, ["fuzz", "--command", &java, "--schema", "openapi.json", "--packages", "Odd,Huge,Hid"])?;
    run.args(["--overwrite", "--rng-seed", "1"]).args(args.iter().copied()).run_with_results()
}

#[test]
fn a_crash_of_the_jvm_is_a_finding_with_its_report() -> Result<()> {
    in_work_folder("bad-crash", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let (finished, results) = fuzz(folder, &classes, &["--include", "/crash", "--budget", "6 calls"])?;
        let findings = results.json()["findings"].as_array().context("there are findings")?;
        let death = findings.iter().find(|it| it["code"] == 901).with_context(|| finished.stderr.clone())?;
        let message = death["message"].as_str().unwrap_or_default();
        assert!(message.contains("in a crash of the JVM, SIGSEGV") && message.contains("`logs/hs_err-1.log`"), "{message}");
        let report = fs::read_to_string(folder.join("out/logs/hs_err-1.log"))?;
        assert!(report.contains("Unsafe_Put"), "the report says where");
        let left = fs::read_dir(folder)?.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with("hs_err"));
        assert_eq!(left.count(), 0, "nothing is left where the service ran");
        Ok(())
    })
}

#[test]
fn a_service_that_ends_after_opening_its_port_is_told_with_its_last_words() -> Result<()> {
    in_work_folder("bad-ended", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let classes = classes.to_str().context("the work folder is text")?;
        let java = format!("java -cp {classes} Odd {{port}} boiler");
        let all = ["fuzz", "--command", &java, "--url", "http://127.0.0.1:{port}", "--packages", "of.a.class.not.loaded"];
        let finished = Restive::new(folder, all)?.limit(Duration::from_mins(2)).run()?;
        assert_eq!(finished.code, Some(ENVIRONMENT), "{}", finished.stderr);
        // It had not come to its classes, which is no reason to look for them elsewhere.
        let is_told = finished.stderr.contains("the boiler is out of order") && !finished.stderr.contains("no class of");
        assert!(is_told, "{}", finished.stderr);
        Ok(())
    })
}

/// A command may run a JVM that builds what the next one runs, and ends by `System.exit`.
#[test]
fn a_service_that_ends_its_jvm_before_it_is_called_ends_with_its_own_status() -> Result<()> {
    in_work_folder("bad-ends-itself", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let classes = classes.to_str().context("the work folder is text")?;
        let java = format!("java -cp {classes} Odd {{port}}");
        let all = ["fuzz", "--command", &format!("{java} no boiler"), "--url", "http://127.0.0.1:{port}", "--packages", "Odd"];
        let finished = Restive::new(folder, all)?.limit(Duration::from_mins(2)).run()?;
        assert!(finished.stderr.contains("exit status 3"), "{}", finished.stderr);
        Ok(())
    })
}

#[test]
fn what_cannot_be_measured_is_counted_and_floods_of_output_stop_nothing() -> Result<()> {
    in_work_folder("bad-classes", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let (finished, results) = fuzz(folder, &classes, &["--exclude", "/crash", "--budget", "40 calls", "--debug"])?;
        let coverage = &results.json()["coverage"];
        let skipped = coverage["skipped_classes"].to_string();
        assert!(skipped.contains("Hid") && skipped.contains("hidden class"), "{skipped}\n{}", finished.stderr);
        let classes = coverage["per_class"].as_array().into_iter().flatten();
        let degraded: String = classes.filter_map(|class| class["degraded"].as_str()).collect();
        assert!(degraded.contains("sum(I)I") && degraded.contains("65535"), "{degraded}");
        assert_eq!(results.json()["run"]["calls"], 40);
        let told = fs::read_to_string(folder.join("out/debug/library-calls.txt"))?;
        let lines = ["  fewer probes than wanted: sum(I)I", "Not measured: 1 class\n  Hid", "String.equals"];
        assert!(lines.iter().all(|line| told.contains(line)), "{told}");
        assert!(finished.stderr.contains("debug/library-calls.txt"), "{}", finished.stderr);
        let logs = fs::read_dir(folder.join("out/logs"))?.flatten().map(|entry| entry.metadata().map_or(0, |it| it.len()));
        assert!(logs.sum::<u64>() <= 11_000_000, "the log stays within its bound");
        Ok(())
    })
}

#[test]
fn classes_in_an_aot_cache_are_an_error_that_says_so() -> Result<()> {
    in_work_folder("bad-aot", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let jar = folder.join("odd.jar");
        fs::write(folder.join("manifest"), "Main-Class: Odd\n")?;
        let mut pack = Command::new("jar");
        pack.arg("cfm").arg(&jar).arg(folder.join("manifest")).arg("-C").arg(&classes).arg(".");
        run(&mut pack, folder, "jar", Duration::from_mins(1))?.success()?;
        let jar = jar.to_str().context("the work folder is text")?;
        // Older ones make no AOT cache at once.
        let Some(java) = java_from(25) else { return skip("no JDK 25 or newer") };
        // Without an argument it ends by an exception, after its class was loaded.
        let mut train = Command::new(&java);
        train.args(["-XX:AOTCacheOutput=odd.aot", "-jar", jar]).current_dir(folder);
        let trained = run(&mut train, folder, "train", Duration::from_mins(1))?;
        assert!(folder.join("odd.aot").is_file(), "{}{}", trained.stdout, trained.stderr);
        fs::write(folder.join("openapi.json"), DOCUMENT)?;
        let java = format!("{} -XX:AOTCache=odd.aot -jar {jar} {{port}}", java.display());
        let args = ["fuzz", "--command", &java, "--schema", "openapi.json", "--packages", "Odd", "--budget", "5 calls"];
        let finished = Restive::new(folder, args)?.run()?;
        assert_eq!(finished.code, Some(ENVIRONMENT), "{}", finished.stderr);
        assert!(finished.stderr.contains("AOT cache") && finished.stderr.contains("AOTMode=off"), "{}", finished.stderr);
        Ok(())
    })
}

#[test]
fn a_service_without_a_jvm_is_fuzzed_black_box_and_that_is_said() -> Result<()> {
    in_work_folder("bad-native", |folder| {
        // As a native image, the bundled service is a program of its own, which does not read what is meant for JVMs.
        let native = format!("{} demo-service --port {{port}}", binary()?.display());
        let schema = "http://127.0.0.1:{port}/openapi.json";
        let args = ["fuzz", "--command", &native, "--schema", schema, "--packages", "com.acme", "--budget", "20 calls"];
        let run = Restive::new(folder, args)?.args(["--rng-seed", "1", "--suite=false"]);
        let (finished, results) = run.limit(Duration::from_mins(1)).run_with_results()?;
        let warned = finished.stderr.lines().any(|line| line.starts_with("warning: fuzzing black-box: no driver called: "));
        ensure!(warned, "a warning is wanted in\n{}", finished.stderr);
        assert_eq!((&results.json()["run"]["calls"], results.measured("lines", "total")), (&20.into(), 0));
        Ok(())
    })
}

/// What a driver sends that does not do as it should.
#[derive(Debug, Clone, Copy)]
enum Manner {
    /// A hello of the next major version.
    NewerVersion,
    /// A hello, and of the first answer only the start.
    LosesConnection,
    /// Bytes of another protocol.
    OtherProtocol,
}

const TOKEN: &str = "0123456789abcdef";

/// The hello of a driver, as `driver-protocol/SPEC.md` says.
fn hello(major: u8) -> Vec<u8> {
    let mut payload = vec![0x81];
    payload.extend(b"RSTV");
    payload.extend([major, 0, 0, 0]);
    for text in [TOKEN, "jvm", "scripted", "nothing"] {
        payload.push(u8::try_from(text.len()).expect("they are short"));
        payload.extend(text.bytes());
    }
    // Process, no command, no capabilities, one unit, no prefixes.
    payload.extend([1, 0, 0, 1, 0]);
    framed(&payload)
}

fn framed(payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("it is short");
    [&length.to_le_bytes(), payload].concat()
}

/// Answers each core that calls in that manner; gives its address.
fn driver(manner: Manner) -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    // It ends with the process of the tests.
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || behave(stream, manner));
        }
    });
    Ok(address)
}

fn behave(mut stream: TcpStream, manner: Manner) -> std::io::Result<()> {
    let mut buffer = [0; 1024];
    let _hello = stream.read(&mut buffer)?;
    match manner {
        Manner::NewerVersion => stream.write_all(&hello(2))?,
        Manner::OtherProtocol => stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")?,
        Manner::LosesConnection => {
            stream.write_all(&hello(1))?;
            let _units = stream.read(&mut buffer)?;
            // One measured unit, so that the run begins.
            stream.write_all(&framed(&[0x84, 1, 0, 0, 0, 0, 0, 0]))?;
            let _test = stream.read(&mut buffer)?;
            return stream.write_all(&[200, 0, 0, 0, 0x83, 5, 0]);
        }
    }
    // Open until the core goes.
    while stream.read(&mut buffer)? > 0 {}
    Ok(())
}

#[test]
fn drivers_that_misbehave_leave_a_black_box_run_and_a_warning() -> Result<()> {
    in_work_folder("bad-drivers", |folder| {
        let server = ScriptedServer::start(|_, stream| json(stream, 200, "{}"))?;
        fs::write(folder.join("openapi.json"), schema(&["/a", "/b"]))?;
        let manners = [
            (Manner::NewerVersion, "version"),
            (Manner::OtherProtocol, "the driver at"),
            (Manner::LosesConnection, "was lost"),
        ];
        for (manner, word) in manners {
            let address = driver(manner)?;
            let args = ["fuzz", "--url", &server.url(), "--schema", "openapi.json", "--budget", "20 calls", "--overwrite"];
            let run = Restive::new(folder, args)?.args(["--driver", &address, "--driver-token", TOKEN]);
            let (finished, results) = run.limit(Duration::from_mins(1)).run_with_results()?;
            let warned = finished.stderr.lines().any(|line| line.starts_with("warning: ") && line.contains(word));
            ensure!(warned, "{manner:?}: a warning with `{word}` is wanted in\n{}", finished.stderr);
            assert_eq!(results.json()["run"]["calls"], 20, "{manner:?}");
        }
        Ok(())
    })
}

#[test]
fn another_agent_beside_ours_changes_nothing() -> Result<()> {
    in_work_folder("bad-agents", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        if !available(&["mvn"])? {
            return Ok(());
        }
        let jacoco = restive_e2e::toolchain::maven_artifact("org.jacoco:org.jacoco.agent:0.8.13:jar:runtime")?;
        let beside = format!("JDK_JAVA_OPTIONS=-javaagent:{}=destfile=jacoco.exec", jacoco.display());
        let args = ["--exclude", "/crash", "--exclude", "/flood", "--budget", "30 calls"];
        let (_, alone) = fuzz(folder, &classes, &args)?;
        let (finished, both) = fuzz(folder, &classes, &[&args[..], &["--env", &beside]].concat())?;
        // What of it counts as the start depends on when the port is open.
        let lines = |results: &Results| ["covered", "total"].map(|count| results.measured("lines", count));
        assert_eq!(lines(&alone), lines(&both), "{}", finished.stderr);
        assert!(folder.join("jacoco.exec").is_file(), "the other agent was there");
        Ok(())
    })
}
