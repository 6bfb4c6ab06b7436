//! `restive demo`: both planted faults of the demo shop are found, nothing else is, and the suites show it.

use std::path::Path;

use anyhow::Result;
use restive_demo::{ADMIN_TOKEN, AUTH, CLERK_TOKEN, OPENAPI, RESET_PATH};
use restive_e2e::services::Demo;
use restive_e2e::suites::pass_three_times;
use restive_e2e::work::{differences, in_work_folder};
use restive_e2e::{FoundFault, Restive};

fn demo<'a>(folder: &Path, budget: &'a str, out: &'a str) -> Result<Restive> {
    Restive::new(folder, ["demo", "--budget", budget, "--rng-seed", "1", "--out", out])
}

#[test]
fn both_planted_faults_are_found_and_nothing_else() -> Result<()> {
    in_work_folder("demo-faults", |folder| {
        let (finished, results) = demo(folder, "20000 calls", "out")?.run_with_results()?;
        assert_eq!(finished.code, Some(1), "{}", finished.stderr);
        let planted = [FoundFault::new(100, "POST /orders/{orderId}/payment"), FoundFault::new(101, "GET /orders/{orderId}")];
        assert_eq!(results.faults(), planted.into());
        assert_eq!(results.operations_with(2), results.operations());
        assert_eq!(results.ended_by(), "budget");
        Ok(())
    })
}

#[test]
fn the_suites_pass() -> Result<()> {
    in_work_folder("demo-suites", |folder| {
        let (_, results) = demo(folder, "6000 calls", "out")?.run_with_results()?;
        let shop = Demo::start()?;
        let (clerk, admin) = (format!("Authorization: Bearer {CLERK_TOKEN}"), format!("Authorization: Bearer {ADMIN_TOKEN}"));
        let variables = [("RESTIVE_BASE_URL", &*shop.url()), ("RESTIVE_AUTH_CLERK", &clerk), ("RESTIVE_AUTH_ADMIN", &admin)];
        pass_three_times(&folder.join("out"), results.n_tests(), &variables)
    })
}

#[test]
fn tokens_and_passwords_stand_in_no_output() -> Result<()> {
    in_work_folder("demo-secrets", |folder| {
        let run = demo(folder, "1000 calls", "out")?.args(["--report", "html,har,sarif,junit,code-quality,github"]);
        let (finished, _) = run.run_with_results()?;
        assert!(finished.stderr.contains("\nReport: out/report.html\n"), "{}", finished.stderr);
        for file in ["report.html", "suite.har"] {
            assert!(folder.join("out").join(file).exists(), "{file}");
        }
        for secret in [CLERK_TOKEN, ADMIN_TOKEN] {
            assert!(!finished.stdout.contains(secret) && !finished.stderr.contains(secret));
            assert_eq!(restive_e2e::work::files_with(&folder.join("out"), secret)?, Vec::<String>::new());
        }
        Ok(())
    })
}

#[test]
fn the_same_seed_gives_the_same_suite_byte_for_byte() -> Result<()> {
    in_work_folder("demo-determinism", |folder| {
        for out in ["first", "second"] {
            demo(folder, "1500 calls", out)?.run()?;
        }
        assert_eq!(differences(&folder.join("first/suite"), &folder.join("second/suite"))?, Vec::<String>::new());
        let explained = ["first", "second"].map(|out| std::fs::read_to_string(folder.join(out).join("explain.json")));
        let [first, second] = explained;
        assert_eq!(first?, second?);
        Ok(())
    })
}

/// The same through `fuzz`, with a reset between tests and both users of the auth file.
#[test]
fn fuzzing_a_running_service_is_repeatable_too() -> Result<()> {
    in_work_folder("demo-fuzz", |folder| {
        std::fs::write(folder.join("openapi.json"), OPENAPI)?;
        std::fs::write(folder.join("auth.yaml"), AUTH)?;
        let shop = Demo::start()?;
        let reset = format!("POST {RESET_PATH}");
        for out in ["first", "second"] {
            let url = shop.url();
            let args = ["fuzz", "--url", &url, "--schema", "openapi.json", "--auth-file", "auth.yaml", "--reset-http", &reset];
            let run = Restive::new(folder, args)?.args(["--budget", "1500 calls", "--rng-seed", "7", "--out", out]);
            let finished = run.run()?;
            assert!(matches!(finished.code, Some(0 | 1)), "{}", finished.stderr);
        }
        assert_eq!(differences(&folder.join("first/suite"), &folder.join("second/suite"))?, Vec::<String>::new());
        let explained = ["first", "second"].map(|out| std::fs::read_to_string(folder.join(out).join("explain.json")));
        let [first, second] = explained;
        assert_eq!(first?, second?);
        Ok(())
    })
}
