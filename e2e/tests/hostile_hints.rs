//! Services whose uses of inputs tell more than anybody can use: bounded, counted, and never the end of a run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use restive_e2e::process::run;
use restive_e2e::toolchain::available;
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results};
use serde_json::{Value, json};

/// Calls for each operation.
const CALLS: u64 = 150;
/// Bytes that the hints of one call may take: a tenth of the longest pattern and of one text of each member of the set.
const MOST_BYTES: u64 = 16_384;

/// Each path uses its input in one way and answers 418 when that was to its liking.
const SERVICE: &str = r#"
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
public class Talkative {
    static final Set<String> MILLIONS = new HashSet<>();
    static final Map<String, Integer> KEYS = new HashMap<>();
    static final Pattern WORDS;
    static final Pattern BACK = Pattern.compile("(?<!x)(\\w{3,9})-\\1(?=$)(?>a*)");
    static final Pattern AGAIN = Pattern.compile("((a+)+)+!");
    static final DateTimeFormatter WITHOUT_YEAR = DateTimeFormatter.ofPattern("MM-dd");
    static {
        StringBuilder words = new StringBuilder("(?:none");
        for (int i = 0; i < 2_000_000; i++) MILLIONS.add("key-" + i);
        for (int i = 0; i < 300_000; i++) KEYS.put("entry-" + i, i);
        for (int i = 0; i < 15_000; i++) words.append("|word").append(i);
        WORDS = Pattern.compile(words.append(')').toString());
    }
    static boolean likes(String path, String value) {
        switch (path) {
            case "/million": return MILLIONS.contains(value);
            case "/entries": return KEYS.containsKey(value);
            case "/words": return WORDS.matcher(value).matches();
            case "/back": return BACK.matcher(value).matches();
            case "/again": return value.length() < 40 && AGAIN.matcher(value).matches();
            case "/never": return LocalDate.parse(value, WITHOUT_YEAR) != null;
            default: return WORDS.pattern().equals(value);
        }
    }
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        server.createContext("/", exchange -> {
            int status = 204;
            try {
                String value = java.net.URLDecoder.decode(exchange.getRequestURI().getRawQuery().substring(2), "UTF-8");
                if (likes(exchange.getRequestURI().getPath(), value)) status = 418;
            } catch (RuntimeException unusable) {
                status = 400;
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }
}
"#;

const PATHS: [&str; 7] = ["/million", "/entries", "/words", "/back", "/again", "/never", "/long"];

/// The compiled service; none when there is no JDK.
fn compiled(folder: &Path) -> Result<Option<PathBuf>> {
    if !available(&["java", "javac"])? {
        return Ok(None);
    }
    fs::write(folder.join("Talkative.java"), SERVICE)?;
    let classes = folder.join("classes");
    let mut javac = Command::new("javac");
    javac.arg("-d").arg(&classes).arg("Talkative.java").current_dir(folder);
    run(&mut javac, folder, "javac", Duration::from_mins(2))?.success()?;
    Ok(Some(classes))
}

fn document() -> Value {
    let answers = json!({"204": {"description": "no"}, "400": {"description": "unusable"}, "418": {"description": "yes"}});
    let parameters = json!([{"name": "v", "in": "query", "required": true, "schema": {"type": "string"}}]);
    let path = |path: &&str| ((*path).to_owned(), json!({"get": {"parameters": parameters, "responses": answers}}));
    let paths: serde_json::Map<String, Value> = PATHS.iter().map(path).collect();
    json!({"openapi": "3.0.3", "info": {"title": "Talkative", "version": "1"}, "paths": paths})
}

fn has_answered(results: &Results, path: &str, status: &str) -> bool {
    let operations = results.json()["operations"].as_array();
    operations.into_iter().flatten().any(|it| it["path"] == path && it["statuses"].get(status).is_some())
}

#[test]
fn millions_of_constants_and_patterns_of_a_hundred_kilobytes_are_bounded() -> Result<()> {
    in_work_folder("hostile-hints", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        fs::write(folder.join("openapi.json"), document().to_string())?;
        let classes = classes.to_str().context("the work folder is text")?;
        let java = format!("java -Xmx1g -Dsun.net.httpserver.nodelay=true -cp {classes} Talkative {{port}}");
        let budget = format!("{} calls", CALLS * PATHS.len() as u64);
        let args = ["fuzz", "--command", &java, "--schema", "openapi.json", "--packages", "Talkative", "--rng-seed", "1"];
        let (finished, results) = Restive::new(folder, args)?.args(["--budget", &budget]).run_with_results()?;
        let run = &results.json()["run"];
        ensure!(finished.code == Some(0), "exit code {:?}: {}", finished.code, finished.stderr);
        ensure!(run["calls"] == CALLS * PATHS.len() as u64 && run["ended_by"] == "budget", "{run:#}");
        for path in ["/million", "/entries"] {
            ensure!(has_answered(&results, path, "418"), "a sample of the members is enough for {path}");
        }
        ensure!(!has_answered(&results, "/never", "418"), "no text has a year there");
        let hints = &run["hints"];
        println!("hints: {hints}");
        let most = hints["bytes_per_call"]["most"].as_u64().context("a number")?;
        ensure!(most > 0 && most <= MOST_BYTES, "{most} bytes of hints in a call");
        let explained = Restive::new(folder, ["explain", "out", "GET /words"])?.run()?.success()?;
        println!("{}", explained.stdout);
        ensure!(explained.stdout.len() < 20_000, "an answer for people: {} bytes", explained.stdout.len());
        Ok(())
    })
}
