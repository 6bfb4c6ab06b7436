//! A service and nothing else: its schema is found where services offer theirs.

use anyhow::{Result, ensure};
use restive_demo::AUTH;
use restive_e2e::Restive;
use restive_e2e::scripted::{ScriptedServer, json, schema};
use restive_e2e::services::Demo;
use restive_e2e::toolchain::available;
use restive_e2e::work::in_work_folder;

#[test]
fn a_url_is_enough_for_a_service_that_runs() -> Result<()> {
    in_work_folder("find-schema-url", |folder| {
        std::fs::write(folder.join("auth.yaml"), AUTH)?;
        let shop = Demo::start()?;
        let args = ["fuzz", "--url", &shop.url(), "--auth-file", "auth.yaml", "--budget", "300 calls", "--rng-seed", "1"];
        let (finished, results) = Restive::new(folder, args)?.run_with_results()?;
        ensure!(finished.stderr.contains("/openapi.json, 15 operations (found out"), "{}", finished.stderr);
        ensure!(results.operations_with(2).contains("GET /products"), "{:?}", results.operations_with(2));
        Ok(())
    })
}

/// Its document lies at the root of the host, and names the path below which the service is.
#[test]
fn a_host_is_enough_where_the_document_names_the_path() -> Result<()> {
    in_work_folder("find-schema-path", |folder| {
        let server = ScriptedServer::start(|call, stream| {
            let document = schema(&["/fine"]).replacen('{', r#"{"servers": [{"url": "https://shop.example/v7"}], "#, 1);
            match &*call.path {
                "/v3/api-docs" => json(stream, 200, &document),
                "/v7/fine" => json(stream, 200, "{}"),
                _ => json(stream, 404, "{}"),
            }
        })?;
        let args = ["fuzz", "--url", &server.url(), "--budget", "20 calls", "--rng-seed", "1", "--out", "out"];
        let (finished, results) = Restive::new(folder, args)?.run_with_results()?;
        ensure!(finished.stderr.contains("/v7 (found out: no operation is served below "), "{}", finished.stderr);
        ensure!(!finished.stderr.contains("warning: the schema's server"), "it was dealt with: {}", finished.stderr);
        ensure!(results.operations_with(2).contains("GET /fine"), "{:?}", results.operations_with(2));
        Ok(())
    })
}

#[test]
fn a_command_is_enough_for_a_service_to_start() -> Result<()> {
    if !available(&["python3"])? {
        return Ok(());
    }
    in_work_folder("find-schema-command", |folder| {
        std::fs::write(folder.join("openapi.json"), schema(&["/openapi.json"]))?;
        let command = "python3 -m http.server --bind 127.0.0.1 {port}";
        let args = ["fuzz", "--command", command, "--budget", "20 calls", "--rng-seed", "1", "--out", "out"];
        let (finished, results) = Restive::new(folder, args)?.run_with_results()?;
        ensure!(finished.stderr.contains("/openapi.json, 1 operation (found out"), "{}", finished.stderr);
        ensure!(results.operations_with(2).contains("GET /openapi.json"), "{:?}", results.operations_with(2));
        Ok(())
    })
}

#[test]
fn a_protected_schema_is_asked_for_with_what_calls_are_sent_with() -> Result<()> {
    in_work_folder("find-schema-protected", |folder| {
        let server = ScriptedServer::start(|call, stream| {
            let has = |wanted: &str| call.fields.iter().any(|field| field.eq_ignore_ascii_case(wanted));
            let is_known = has("Authorization: Basic YW5uYTpnZWhlaW0=") && has("X-Tenant: 7");
            match &*call.path {
                _ if !is_known => json(stream, 401, "{}"),
                "/openapi.json" => json(stream, 200, &schema(&["/fine"])),
                "/fine" => json(stream, 200, "{}"),
                _ => json(stream, 404, "{}"),
            }
        })?;
        let url = server.url();
        let run = |header: &str| {
            let args = ["fuzz", "--url", &url, "--basic", "anna:geheim", "--header", header, "--budget", "20 calls"];
            Restive::new(folder, args.into_iter().chain(["--rng-seed", "1", "--out", "out"]))?.run()
        };
        let refused = run("X-Tenant: 8")?;
        ensure!(refused.stderr.contains("/openapi.json: status 401"), "{}", refused.stderr);
        ensure!(refused.stderr.contains("hint: give what the service wants with `--header`"), "{}", refused.stderr);
        let found = run("X-Tenant: 7")?;
        ensure!(found.stderr.contains("/openapi.json, 1 operation (found out"), "{}", found.stderr);
        ensure!(!found.stderr.contains("geheim") && !found.stderr.contains("YW5uYTpnZWhlaW0"), "{}", found.stderr);
        Ok(())
    })
}
