//! Wrong input and a failing environment: one clear error (what, where, next step), the exit code of its kind, nothing lost.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use restive_demo::OPENAPI;
use restive_e2e::process::{Finished, free_port, run};
use restive_e2e::scripted::{ScriptedServer, json, schema};
use restive_e2e::services::Demo;
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results, binary};

/// The user asked for something that cannot be.
const USAGE: i32 = 2;

/// The machine or the service failed.
const ENVIRONMENT: i32 = 3;

/// Checks that a run ended with that code and said what, where (all of `words`) and the next step.
fn assert_refused(finished: &Finished, code: i32, words: &[&str]) {
    let text = &finished.stderr;
    assert_eq!(finished.code, Some(code), "{text}");
    let errors = text.lines().filter(|line| line.starts_with("error:")).count();
    assert_eq!(errors, 1, "one error line is wanted\n{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is wanted in\n{text}");
    }
    assert!(text.lines().any(|line| line.starts_with("hint:")), "a hint is wanted\n{text}");
    assert!(!text.contains("panicked"), "{text}");
}

/// Runs `fuzz` with a base URL and these further arguments in a folder that holds the demo's schema.
fn fuzz(name: &str, url: &str, args: &[&str], judge: impl FnOnce(&Finished, &Path)) -> Result<()> {
    in_work_folder(name, |folder| {
        fs::write(folder.join("openapi.json"), OPENAPI)?;
        let all = ["fuzz", "--url", url, "--budget", "50 calls", "--rng-seed", "1", "--out", "out"];
        let finished = Restive::new(folder, all)?.args(args.iter().copied()).limit(Duration::from_mins(1)).run()?;
        judge(&finished, folder);
        Ok(())
    })
}

const GOOD_SCHEMA: [&str; 2] = ["--schema", "openapi.json"];

#[test]
fn a_missing_schema_file_is_named() -> Result<()> {
    fuzz("bad-missing", "http://127.0.0.1:9", &["--schema", "no/such.yaml"], |finished, folder| {
        assert_refused(finished, ENVIRONMENT, &["no/such.yaml"]);
        assert!(!folder.join("out/results.json").exists(), "there is nothing to write");
    })
}

#[test]
fn neither_service_nor_schema_is_wrong_usage() -> Result<()> {
    in_work_folder("bad-no-service", |folder| {
        let finished = Restive::new(folder, ["fuzz", "--budget", "50 calls"])?.run()?;
        assert_refused(&finished, USAGE, &["which service", "--url", "--jar", "--schema"]);
        Ok(())
    })
}

/// One that is not there is asked once, one that is there at all usual places.
#[test]
fn a_service_without_a_schema_is_told_with_what_was_tried() -> Result<()> {
    fuzz("bad-not-there", "http://127.0.0.1:9", &[], |finished, _| {
        assert_refused(finished, ENVIRONMENT, &["connection to `http://127.0.0.1:9` refused", "is the service running"]);
    })?;
    let server = ScriptedServer::start(|call, stream| match &*call.path {
        "/openapi" => json(stream, 200, "{\"hello\": 1}"),
        "/openapi.json" => json(stream, 200, &schema(&[])),
        _ => json(stream, 404, "{}"),
    })?;
    fuzz("bad-no-schema", &server.url(), &[], |finished, folder| {
        let tried =
            ["v3/api-docs: status 404", "/openapi: another content", "openapi.json: a document without usable operations"];
        assert_refused(finished, ENVIRONMENT, &[&tried[..], &["`--schema FILE|URL`"]].concat());
        assert!(!folder.join("out/results.json").exists(), "there is nothing to write");
    })
}

#[test]
fn a_file_that_is_no_schema_is_refused_with_the_reason() -> Result<()> {
    for (name, content) in
        [("object.json", r#"{"hello": 1}"#), ("broken.yaml", "a: [b\nc: }"), ("bytes.bin", "\u{0}\u{1}\u{2}")]
    {
        in_work_folder(&format!("bad-schema-{name}"), |folder| {
            fs::write(folder.join(name), content)?;
            let finished = Restive::fuzz(folder, "http://127.0.0.1:9", name, "50 calls")?.run()?;
            assert_refused(&finished, ENVIRONMENT, &[name]);
            Ok(())
        })?;
    }
    Ok(())
}

#[test]
fn a_web_page_in_place_of_a_schema_is_told_from_one() -> Result<()> {
    let server = ScriptedServer::start(|_, stream| {
        let page = "<!doctype html><html><body>Please log in</body></html>";
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{page}", page.len())
    })?;
    let schema = format!("{}/docs", server.url());
    fuzz("bad-page", &server.url(), &["--schema", &schema], |finished, _| {
        assert_refused(finished, ENVIRONMENT, &[&schema, "web page", "/v3/api-docs"]);
    })
}

#[test]
fn mistyped_keys_and_variables_are_told() -> Result<()> {
    in_work_folder("bad-key", |folder| {
        fs::write(folder.join("openapi.json"), OPENAPI)?;
        fs::write(folder.join("restive.toml"), "[search]\nbugdet = '5s'\n")?;
        let finished = Restive::fuzz(folder, "http://127.0.0.1:9", "openapi.json", "50 calls")?.run()?;
        assert_refused(&finished, USAGE, &["restive.toml:2", "`bugdet`", "did you mean `budget`?"]);
        fs::remove_file(folder.join("restive.toml"))?;
        let run = Restive::fuzz(folder, "http://127.0.0.1:9", "openapi.json", "50 calls")?;
        let finished = run.env("RESTIVE_MAX_RAET", "5").run()?;
        assert_refused(&finished, ENVIRONMENT, &["warning:", "`RESTIVE_MAX_RAET`", "did you mean `RESTIVE_MAX_RATE`?"]);
        Ok(())
    })
}

/// Whoever reads standard error may go away at any time: nothing is lost and nothing crashes.
#[test]
fn a_reader_that_goes_away_does_not_end_the_run() -> Result<()> {
    in_work_folder("bad-pipe", |folder| {
        fs::write(folder.join("openapi.json"), OPENAPI)?;
        let shop = Demo::start()?;
        let fuzz = format!(
            "'{}' fuzz --url {} --schema openapi.json --budget '300 calls' --reset-command 'test ! -e broken' --rng-seed 1",
            binary()?.display(),
            shop.url()
        );
        // The first reset works, later ones fail, which is said at the end, when nobody reads any more.
        let script = format!("{{ (sleep 1; touch broken) & {fuzz}; echo $? > code; }} 2>&1 | true");
        run(Command::new("sh").args(["-c", &script]).current_dir(folder), folder, "pipe", Duration::from_mins(1))?;
        assert!(Results::read(&folder.join("out")).is_ok());
        let code = fs::read_to_string(folder.join("code"))?;
        assert!(matches!(code.trim(), "0" | "1" | "4"), "{code}");
        Ok(())
    })
}

#[test]
fn filters_that_leave_no_operation_are_wrong_usage() -> Result<()> {
    let shop = Demo::start()?;
    fuzz("bad-filters", &shop.url(), &["--schema", "openapi.json", "--include", "GET /nothing"], |finished, _| {
        assert_refused(finished, USAGE, &["operation"]);
    })
}

#[test]
fn a_schema_without_operations_is_refused() -> Result<()> {
    in_work_folder("bad-empty-schema", |folder| {
        fs::write(folder.join("empty.json"), schema(&[]))?;
        let shop = Demo::start()?;
        let finished = Restive::fuzz(folder, &shop.url(), "empty.json", "50 calls")?.run()?;
        assert!(matches!(finished.code, Some(USAGE | ENVIRONMENT)), "{:?}", finished.code);
        assert_refused(&finished, finished.code.unwrap_or_default(), &["operation"]);
        Ok(())
    })
}

#[test]
fn a_refused_connection_names_the_address() -> Result<()> {
    let port = free_port()?;
    fuzz("bad-refused", &format!("http://127.0.0.1:{port}"), &GOOD_SCHEMA, |finished, _| {
        assert_refused(finished, ENVIRONMENT, &["refused", &format!("127.0.0.1:{port}")]);
    })
}

#[test]
fn an_unknown_host_is_named() -> Result<()> {
    fuzz("bad-host", "http://no-such-host.invalid", &GOOD_SCHEMA, |finished, _| {
        assert_refused(finished, ENVIRONMENT, &["no-such-host.invalid"]);
    })
}

#[test]
fn a_service_without_tls_behind_https_is_said() -> Result<()> {
    let shop = Demo::start()?;
    fuzz("bad-tls", &format!("https://127.0.0.1:{}", shop.port()), &GOOD_SCHEMA, |finished, _| {
        assert_refused(finished, ENVIRONMENT, &["https://127.0.0.1", "encrypted"]);
    })
}

#[test]
fn a_base_url_with_a_path_comes_before_every_call() -> Result<()> {
    in_work_folder("base-path", |folder| {
        fs::write(folder.join("openapi.json"), schema(&["/things"]))?;
        let server = ScriptedServer::start(|_, stream| json(stream, 200, "{}"))?;
        for (url, out) in [(format!("{}/api/v1", server.url()), "plain"), (format!("{}/api/v1/", server.url()), "slash")] {
            let args = ["fuzz", "--url", &url, "--schema", "openapi.json", "--budget", "20 calls", "--out", out];
            let finished = Restive::new(folder, args)?.run()?;
            assert_eq!(finished.code, Some(0), "{}", finished.stderr);
        }
        let calls = server.calls();
        assert!(calls.iter().filter(|call| call.path == "/api/v1/things").count() >= 20);
        assert!(calls.iter().all(|call| call.path == "/" || call.path.starts_with("/api/v1")), "{calls:?}");
        Ok(())
    })
}

#[test]
fn a_base_url_that_is_none_is_wrong_usage() -> Result<()> {
    for url in ["127.0.0.1:80", "ftp://127.0.0.1", "http://"] {
        fuzz("bad-url", url, &GOOD_SCHEMA, |finished, _| assert_refused(finished, USAGE, &[url]))?;
    }
    Ok(())
}

#[test]
fn a_login_that_fails_names_the_user_and_hides_the_password() -> Result<()> {
    in_work_folder("bad-login", |folder| {
        fs::write(folder.join("openapi.json"), OPENAPI)?;
        fs::write(folder.join("auth.yaml"), restive_demo::AUTH.replace("admin-secret", "guessed-wrong"))?;
        let shop = Demo::start()?;
        let run = Restive::fuzz(folder, &shop.url(), "openapi.json", "50 calls")?;
        let finished = run.args(["--auth-file", "auth.yaml"]).run()?;
        assert_refused(&finished, ENVIRONMENT, &["admin", "/login", "401"]);
        assert!(!finished.stderr.contains("guessed-wrong"));
        Ok(())
    })
}

#[test]
fn an_auth_file_that_is_none_is_refused() -> Result<()> {
    let shop = Demo::start()?;
    for auth in ["no-such-auth.yaml", "openapi.json"] {
        let args = ["--schema", "openapi.json", "--auth-file", auth];
        fuzz("bad-auth-file", &shop.url(), &args, |finished, _| {
            assert!(matches!(finished.code, Some(USAGE | ENVIRONMENT)), "{:?}\n{}", finished.code, finished.stderr);
            assert_refused(finished, finished.code.unwrap_or_default(), &[auth]);
        })?;
    }
    Ok(())
}

/// A token that the service does not know is the service's business: the run goes on, and the token is shown nowhere.
#[test]
fn a_wrong_token_ends_in_results_without_it() -> Result<()> {
    let shop = Demo::start()?;
    let args = ["--schema", "openapi.json", "--bearer", "guessed-token-123"];
    fuzz("bad-token", &shop.url(), &args, |finished, folder| {
        assert!(matches!(finished.code, Some(0 | 1 | 4)), "{:?}\n{}", finished.code, finished.stderr);
        assert!(!finished.stderr.contains("guessed-token-123") && !finished.stdout.contains("guessed-token-123"));
        assert_eq!(restive_e2e::work::files_with(&folder.join("out"), "guessed-token-123").ok(), Some(Vec::new()));
        assert!(finished.stderr.contains("401") || finished.stdout.contains("401"), "{}{}", finished.stdout, finished.stderr);
    })
}

#[test]
fn a_command_that_does_not_exist_is_named() -> Result<()> {
    let args = ["--schema", "openapi.json", "--command", "no-such-program --port {port}"];
    fuzz("bad-command", "http://127.0.0.1:{port}", &args, |finished, _| {
        assert_refused(finished, ENVIRONMENT, &["no-such-program", "not found"]);
    })
}

#[test]
fn a_service_that_ends_at_once_shows_what_it_said() -> Result<()> {
    let args = ["--schema", "openapi.json", "--command", "sh -c 'echo no licence for {port} >&2; exit 7'"];
    fuzz("bad-start", "http://127.0.0.1:{port}", &args, |finished, _| {
        assert_refused(finished, ENVIRONMENT, &["no licence for", "7"]);
    })
}

#[test]
fn a_port_that_is_taken_is_named() -> Result<()> {
    let taken = TcpListener::bind("127.0.0.1:0")?;
    let port = taken.local_addr()?.port().to_string();
    let args = ["--schema", "openapi.json", "--command", "sleep 30", "--port", &port];
    fuzz("bad-port", "http://127.0.0.1:{port}", &args, |finished, _| assert_refused(finished, ENVIRONMENT, &[&port, "taken"]))
}

#[test]
fn results_in_the_output_folder_stay_unless_asked_otherwise() -> Result<()> {
    in_work_folder("bad-out", |folder| {
        fs::write(folder.join("openapi.json"), OPENAPI)?;
        fs::create_dir(folder.join("out"))?;
        fs::write(folder.join("out/results.json"), "{\"mine\": true}")?;
        let shop = Demo::start()?;
        let finished = Restive::fuzz(folder, &shop.url(), "openapi.json", "50 calls")?.run()?;
        assert_refused(&finished, ENVIRONMENT, &["out", "--overwrite"]);
        assert_eq!(fs::read_to_string(folder.join("out/results.json"))?, "{\"mine\": true}");

        let finished = Restive::fuzz(folder, &shop.url(), "openapi.json", "50 calls")?.args(["--overwrite"]).run()?;
        assert!(matches!(finished.code, Some(0 | 1 | 4)), "{}", finished.stderr);
        assert!(Results::read(&folder.join("out")).is_ok());
        assert_eq!(fs::read_to_string(folder.join("out.previous/results.json"))?, "{\"mine\": true}");
        Ok(())
    })
}

#[test]
fn no_mistake_in_a_file_moves_results_aside() -> Result<()> {
    in_work_folder("bad-files", |folder| {
        fs::write(folder.join("openapi.json"), OPENAPI)?;
        fs::create_dir(folder.join("out"))?;
        fs::write(folder.join("out/results.json"), "{\"mine\": true}")?;
        let of_url = ["--url", "http://127.0.0.1:9", "--schema"];
        let wrong = [
            (vec!["--jar", "no-such.jar"], "no-such.jar"),
            ([&of_url[..], &["no-such.json"]].concat(), "no-such.json"),
            ([&of_url[..], &["openapi.json", "--auth-file", "no-such.yaml"]].concat(), "no-such.yaml"),
        ];
        for (args, named) in wrong {
            let finished = Restive::new(folder, ["fuzz", "--overwrite"])?.args(args).run()?;
            assert_refused(&finished, finished.code.unwrap_or_default(), &[named]);
            assert_eq!(fs::read_to_string(folder.join("out/results.json"))?, "{\"mine\": true}", "{named}");
        }
        // What lies there is told once no file is wrong, and where it went when the service is not there.
        let right = [&of_url[..], &["openapi.json"]].concat();
        let finished = Restive::new(folder, ["fuzz"])?.args(right.clone()).run()?;
        assert_refused(&finished, ENVIRONMENT, &["out", "--overwrite"]);
        let finished = Restive::new(folder, ["fuzz", "--overwrite"])?.args(right).run()?;
        assert_refused(&finished, ENVIRONMENT, &["127.0.0.1:9", "out.previous"]);
        assert_eq!(fs::read_to_string(folder.join("out.previous/results.json"))?, "{\"mine\": true}");
        Ok(())
    })
}

#[test]
fn an_output_folder_that_cannot_be_made_is_named() -> Result<()> {
    in_work_folder("bad-out-file", |folder| {
        fs::write(folder.join("openapi.json"), OPENAPI)?;
        fs::write(folder.join("out"), "a file")?;
        let shop = Demo::start()?;
        let finished = Restive::fuzz(folder, &shop.url(), "openapi.json", "50 calls")?.run()?;
        assert!(matches!(finished.code, Some(USAGE | ENVIRONMENT)), "{:?}\n{}", finished.code, finished.stderr);
        assert_refused(&finished, finished.code.unwrap_or_default(), &["out"]);
        assert_eq!(fs::read_to_string(folder.join("out"))?, "a file");
        Ok(())
    })
}

/// A full disk: a file system of 16 KiB in a mount namespace of its own, or where those are not allowed a limit on the
/// size of files, whose signal is ignored so that writing fails as on a full disk.
#[test]
fn a_full_disk_is_said_and_the_summary_still_comes() -> Result<()> {
    in_work_folder("bad-disk", |folder| {
        fs::write(folder.join("openapi.json"), OPENAPI)?;
        fs::create_dir(folder.join("small"))?;
        let shop = Demo::start()?;
        let fuzz = format!(
            "exec '{}' fuzz --url {} --schema openapi.json --budget '400 calls' --rng-seed 1 --out small/out",
            binary()?.display(),
            shop.url()
        );
        let namespace = ["--user", "--map-root-user", "--mount"];
        let allowed = Command::new("unshare").args(namespace).args(["mount", "-t", "tmpfs", "none", "/mnt"]).output();
        let mut command = if allowed.is_ok_and(|output| output.status.success()) {
            let mut command = Command::new("unshare");
            command.args(namespace).args(["sh", "-c", &format!("mount -t tmpfs -o size=16k none small && {fuzz}")]);
            command
        } else {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("trap '' XFSZ; ulimit -f 16; {fuzz}")]);
            command
        };
        let finished = run(command.current_dir(folder), folder, "full", Duration::from_mins(2))?;
        assert_refused(&finished, ENVIRONMENT, &["small/out"]);
        let said = format!("{}{}", finished.stdout, finished.stderr);
        assert!(said.contains("calls"), "the summary is lost\n{said}");
        Ok(())
    })
}

#[test]
fn flags_that_do_not_exist_are_clap_errors() -> Result<()> {
    in_work_folder("bad-flag", |folder| {
        let finished = Restive::new(folder, ["fuzz", "--bugdet", "60s"])?.run()?;
        assert_eq!(finished.code, Some(USAGE));
        assert!(finished.stderr.contains("--budget"), "a similar flag is named\n{}", finished.stderr);
        Ok(())
    })
}
