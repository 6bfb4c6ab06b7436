//! A service that takes paths apart itself has an interface that nothing names: what it compares them with tells it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use restive_e2e::process::run;
use restive_e2e::toolchain::available;
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, SEEDS};

/// One context for all paths, and no document. One path fails.
const SERVICE: &str = r#"
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
public class Counter {
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(status(exchange), -1);
            exchange.close();
        });
        server.start();
    }
    static int status(HttpExchange exchange) {
        String path = exchange.getRequestURI().getRawPath();
        if (!path.startsWith("/v2/")) return 400;
        String rest = path.substring("/v2/".length());
        if (rest.equals("parcels")) return 200;
        if (rest.equals("parcels/lost")) return 500;
        return 404;
    }
}
"#;

/// The compiled service; none when there is no JDK.
fn compiled(folder: &Path) -> Result<Option<PathBuf>> {
    if !available(&["java", "javac"])? {
        return Ok(None);
    }
    fs::write(folder.join("Counter.java"), SERVICE)?;
    let classes = folder.join("classes");
    let mut javac = Command::new("javac");
    javac.arg("-d").arg(&classes).arg("Counter.java").current_dir(folder);
    run(&mut javac, folder, "javac", Duration::from_mins(2))?.success()?;
    Ok(Some(classes))
}

#[test]
fn paths_below_a_context_are_found_by_what_they_are_compared_with() -> Result<()> {
    in_work_folder("open-paths", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let java = format!("java -cp {} Counter {{port}}", classes.to_str().context("the work folder is text")?);
        for rng_seed in SEEDS {
            let all = ["fuzz", "--command", &java, "--url", "http://127.0.0.1:{port}", "--overwrite"];
            let run = Restive::new(folder, all)?.args(["--budget", "2000 calls", "--rng-seed", rng_seed, "--suite=false"]);
            let (finished, results) = run.limit(Duration::from_mins(5)).run_with_results()?;
            let found = results.operations_with(2);
            let is_lost = results.json()["findings"].to_string().contains("/v2/parcels/lost");
            if is_lost && found.iter().any(|id| id.ends_with(" /{path}")) {
                return Ok(());
            }
            println!("another seed than {rng_seed}: {found:?}\n{}", finished.stderr);
        }
        panic!("no seed found both paths")
    })
}
