//! Services whose code is not like that of others: signed and sealed jars, collections that are not loaded. They do what they
//! do without restive, and are measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use restive_e2e::http;
use restive_e2e::process::{Service, free_port, run};
use restive_e2e::toolchain::{available, maven_libraries};
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results, SEEDS};

/// Answers each path with what a class says to it.
const SERVER: &str = r#"
package org.example.vault;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
public class Server {
    public interface Door { String open(String query); }
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        Door door = (Door) Class.forName(arguments[1]).getDeclaredConstructor().newInstance();
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String query = exchange.getRequestURI().getQuery();
            String text = door.open(query == null ? path : path + "?" + query);
            byte[] body = ("{\"said\":\"" + text.replace("\\", "/").replace("\"", "'").replace("\n", " ") + "\"}").getBytes();
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
"#;

/// Says who signed its jar, whether its package is sealed, and opens for one text of many.
const VAULT: &str = r#"
package org.example.vault;
import java.util.Arrays;
public class Vault implements Server.Door {
    public String open(String query) {
        if (query.startsWith("/tampered")) return attempt("org.example.vault.Tampered");
        if (query.startsWith("/sealed")) return attempt("org.example.vault.Intruder");
        if (query.startsWith("/code")) {
            return query.endsWith("=k7-open") ? "open" : "closed";
        }
        Object[] signers = Vault.class.getSigners();
        boolean same = Arrays.equals(signers, Server.class.getSigners());
        return (signers == null ? 0 : signers.length) + " signed, same " + same + ", sealed " + Vault.class.getPackage().isSealed();
    }
    private String attempt(String name) {
        try {
            return Class.forName(name).getDeclaredConstructor().newInstance().toString();
        } catch (Throwable failure) {
            return failure.getClass().getName() + ": " + failure.getMessage();
        }
    }
}
class Tampered { public Tampered() { } public String toString() { return "as it was signed"; } }
"#;

/// A class that belongs into a sealed package and stands elsewhere.
const INTRUDER: &str = r#"
package org.example.vault;
public class Intruder { public String toString() { return "inside"; } }
"#;

/// What collections of Hibernate say that were never loaded, and how often they asked their session.
const LAZY: &str = r#"
package org.example.vault;
import java.lang.reflect.Proxy;
import java.util.*;
import java.util.function.Supplier;
import org.hibernate.collection.spi.*;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
public class Lazy implements Server.Door {
    private int asked;
    private final SharedSessionContractImplementor session = (SharedSessionContractImplementor) Proxy.newProxyInstance(
        Lazy.class.getClassLoader(), new Class<?>[] {SharedSessionContractImplementor.class}, (proxy, method, arguments) -> {
            asked++;
            Class<?> type = method.getReturnType();
            return type == boolean.class ? (Object) false : type == int.class ? (Object) 0 : null;
        });
    public String open(String query) {
        PersistentBag<Object> bag = new PersistentBag<>(query.startsWith("/detached") ? null : session);
        PersistentSet<Object> set = new PersistentSet<>(query.startsWith("/detached") ? null : session);
        PersistentMap<Object, Object> map = new PersistentMap<>(query.startsWith("/detached") ? null : session);
        if (query.startsWith("/loaded")) {
            bag = new PersistentBag<>(session, new ArrayList<>(List.of("a", "b")));
            set = new PersistentSet<>(session, new HashSet<>(List.of("a", "b")));
            map = new PersistentMap<>(session, new HashMap<>(Map.of("a", 1)));
        }
        StringBuilder said = new StringBuilder();
        asked = 0;
        all(said, bag, set, map);
        return said + " loaded " + bag.wasInitialized() + set.wasInitialized() + map.wasInitialized();
    }
    private void all(StringBuilder said, PersistentBag<Object> bag, PersistentSet<Object> set, PersistentMap<Object, Object> map) {
        tell(said, () -> bag.contains("c"));
        tell(said, () -> bag.containsAll(List.of("a", "c")));
        tell(said, () -> List.of("a", "b").containsAll(bag));
        tell(said, () -> bag.isEmpty());
        tell(said, () -> bag.indexOf("c"));
        tell(said, () -> bag.get(7));
        tell(said, () -> bag.stream().anyMatch("c"::equals));
        tell(said, () -> Collections.unmodifiableList(bag).contains("c"));
        tell(said, () -> new ArrayList<Object>().equals(bag));
        tell(said, () -> Objects.equals(set, new HashSet<>()));
        tell(said, () -> set.contains("c"));
        tell(said, () -> ((Collection<Object>) set).isEmpty());
        tell(said, () -> set.remove("c"));
        tell(said, () -> map.containsKey("c"));
        tell(said, () -> map.containsValue(7));
        tell(said, () -> map.get("c"));
        tell(said, () -> map.keySet().contains("c"));
        tell(said, () -> map.values().contains(7));
        tell(said, () -> map.equals(new HashMap<>()));
    }
    private void tell(StringBuilder said, Supplier<Object> call) {
        Object result;
        try {
            result = call.get();
        } catch (RuntimeException failure) {
            result = failure.getClass().getSimpleName() + Integer.toHexString(String.valueOf(failure.getMessage()).hashCode());
        }
        said.append(result).append('/').append(asked).append(' ');
    }
}
"#;

/// Operations without parameters, and `/code`, which wants a text.
const DOCUMENT: &str = r#"{"openapi": "3.0.3", "info": {"title": "Vault", "version": "1"}, "paths": {
  "/signed": {"get": {"responses": {"200": {"description": "ok"}}}},
  "/tampered": {"get": {"responses": {"200": {"description": "ok"}}}},
  "/sealed": {"get": {"responses": {"200": {"description": "ok"}}}},
  "/detached": {"get": {"responses": {"200": {"description": "ok"}}}},
  "/open": {"get": {"responses": {"200": {"description": "ok"}}}},
  "/loaded": {"get": {"responses": {"200": {"description": "ok"}}}},
  "/code": {"get": {"parameters": [{"name": "text", "in": "query", "required": true, "schema": {"type": "string"}}], "responses": {"200": {"description": "ok"}}}}}}"#;

/// A step of making what is tested.
fn step(folder: &Path, program: &str, args: &[&str]) -> Result<()> {
    let mut command = Command::new(program);
    run(command.args(args).current_dir(folder), folder, program, Duration::from_mins(2))?.success()?;
    Ok(())
}

/// Compiles these sources into the folder `classes`.
fn compile(folder: &Path, sources: &[(&str, &str)], class_path: &str) -> Result<()> {
    let mut args = vec!["-g", "-d", "classes", "-cp", class_path];
    for (file, source) in sources {
        fs::write(folder.join(file), source)?;
        args.push(file);
    }
    fs::write(folder.join("openapi.json"), DOCUMENT)?;
    step(folder, "javac", &args)
}

/// What `java` with these arguments says to each path, without restive.
fn plain(folder: &Path, java: &[&str], paths: &[&str]) -> Result<Vec<String>> {
    let port = free_port()?;
    let mut command = Command::new("java");
    command.args(java.iter().map(|it| if *it == "{port}" { port.to_string() } else { (*it).to_owned() })).current_dir(folder);
    let service = Service::start(&mut command, folder, "plain", port, paths[0])?;
    paths.iter().map(|path| Ok(String::from_utf8(http::get(service.port(), path)?.body)?)).collect()
}

/// What the service said in the tests that a run kept to calls whose path and query are so.
fn said(results: &Results, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let tests = results.json()["tests"].as_array().into_iter().flatten();
    let calls = tests.flat_map(|test| test["calls"].as_array().into_iter().flatten());
    // `http:`, nothing, host and port, path and query.
    let target = |url: &str| url.splitn(4, '/').nth(3).map(|rest| format!("/{rest}"));
    let wanted = calls.filter(|call| call["url"].as_str().and_then(target).is_some_and(|target| is_wanted(&target)));
    wanted.filter_map(|call| call["body"].as_str().map(str::to_owned)).collect()
}

/// That the service said the same to each path as without restive.
fn assert_same(results: &Results, paths: &[&str], expected: &[String]) -> Result<()> {
    for (path, expected) in paths.iter().zip(expected) {
        let said = said(results, |target| target == *path);
        ensure!(!said.is_empty(), "no test calls {path}");
        assert!(said.iter().all(|body| body == expected), "{path}: {said:?}, but without restive {expected}");
    }
    Ok(())
}

/// A jar that is sealed and signed, one class of which was changed afterwards, beside a folder with a class that does not
/// belong there; none when there is no JDK.
fn signed_jar(folder: &Path) -> Result<Option<PathBuf>> {
    if !available(&["java", "javac"])? {
        return Ok(None);
    }
    let others = folder.join("others");
    compile(folder, &[("Server.java", SERVER), ("Vault.java", VAULT), ("Intruder.java", INTRUDER)], "classes")?;
    fs::create_dir_all(others.join("org/example/vault"))?;
    let class = |name: &str| format!("org/example/vault/{name}.class");
    fs::rename(folder.join("classes").join(class("Intruder")), others.join(class("Intruder")))?;
    // The server starts with the class named here; the folder beside the jar stands on the class path.
    fs::write(folder.join("manifest"), "Main-Class: org.example.vault.Server\nSealed: true\nClass-Path: others/\n")?;
    step(folder, "jar", &["cfm", "vault.jar", "manifest", "-C", "classes", "org"])?;
    let store = ["-keystore", "keys", "-storepass", "secret", "-storetype", "PKCS12"];
    let key = ["-genkeypair", "-alias", "vault", "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=vault"];
    step(folder, "keytool", &[&key[..], &store].concat())?;
    step(folder, "jarsigner", &[&store[..], &["vault.jar", "vault"]].concat())?;
    fs::write(folder.join("Vault.java"), VAULT.replace("as it was signed", "as nobody signed it"))?;
    step(folder, "javac", &["-g", "-d", "changed", "-cp", "classes", "Vault.java"])?;
    step(folder, "jar", &["uf", "vault.jar", "-C", "changed", &class("Tampered")])?;
    Ok(Some(folder.join("vault.jar")))
}

#[test]
fn signed_and_sealed_jars_stay_so_and_are_measured() -> Result<()> {
    in_work_folder("foreign-signed", |folder| {
        let Some(jar) = signed_jar(folder)? else { return Ok(()) };
        let jar = jar.to_str().context("the work folder is text")?;
        let paths = ["/signed", "/tampered", "/sealed"];
        let main = "org.example.vault.Vault";
        let expected = plain(folder, &["-jar", jar, "{port}", main], &paths)?;
        assert!(expected[0].contains("1 signed, same true, sealed true"), "{expected:?}");
        assert!(expected[1].contains("java.lang.SecurityException: ") && expected[1].contains("digest"), "{expected:?}");
        assert!(expected[2].contains("java.lang.SecurityException: sealing violation"), "{expected:?}");
        let args = ["fuzz", "--jar", jar, "--schema", "openapi.json", "--budget", "1500 calls", "--overwrite"];
        let exclude = ["--exclude", "/detached", "--exclude", "/open", "--exclude", "/loaded"];
        let mut opened = false;
        for rng_seed in SEEDS {
            let run = Restive::new(folder, args)?.args(exclude).args(["--rng-seed", rng_seed, "--", "{port}", main]);
            let (finished, results) = run.run_with_results()?;
            assert_same(&results, &paths, &expected)?;
            let classes = results.classes();
            assert!(classes.contains(main), "{classes:?}\n{}", finished.stderr);
            let (covered, total) = (results.measured("replacements", "covered"), results.measured("replacements", "total"));
            assert!(covered > 0 && total > 0, "{covered} of {total}");
            // The sign before it may be one of the value: `text=…%3Dk7-open`.
            opened = said(&results, |target| target.ends_with("k7-open")).iter().any(|body| body.contains("\"open\""));
            if opened {
                break;
            }
        }
        assert!(opened, "the text is met by what its call tells");
        Ok(())
    })
}

#[test]
fn what_hibernate_has_not_loaded_stays_unloaded() -> Result<()> {
    in_work_folder("foreign-lazy", |folder| {
        if !available(&["java", "javac", "mvn"])? {
            return Ok(());
        }
        let libraries = maven_libraries("hibernate", &["org.hibernate.orm:hibernate-core:6.6.29.Final"])?;
        let class_path = format!("classes:{}/*", libraries.to_str().context("the folder is text")?);
        compile(folder, &[("Server.java", SERVER), ("Lazy.java", LAZY)], &class_path)?;
        let (paths, main) = (["/detached", "/open", "/loaded"], "org.example.vault.Lazy");
        let expected = plain(folder, &["-cp", &class_path, "org.example.vault.Server", "{port}", main], &paths)?;
        for text in &expected[..2] {
            assert!(text.contains("LazyInitializationException") && text.contains("loaded falsefalsefalse"), "{text}");
        }
        assert!(expected[2].contains("loaded truetruetrue") && !expected[2].contains("Lazy"), "{expected:?}");
        let java = format!("java -cp {class_path} org.example.vault.Server {{port}} {main}");
        let args = ["fuzz", "--command", &java, "--schema", "openapi.json", "--packages", "org.example.vault"];
        let include = ["--include", "/detached", "--include", "/open", "--include", "/loaded"];
        let run = Restive::new(folder, args)?.args(include).args(["--budget", "30 calls", "--rng-seed", "1", "--overwrite"]);
        let (finished, results) = run.run_with_results()?;
        assert_same(&results, &paths, &expected)?;
        let measured = results.measured("replacements", "covered");
        assert!(measured >= 20, "{measured}\n{}", finished.stderr);
        Ok(())
    })
}
