//! Ctrl-C in the middle of a run: what was found is written.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use restive_demo::{AUTH, OPENAPI, RESET_PATH};
use restive_e2e::services::Demo;
use restive_e2e::suites::{Frame, execute};
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results, http, toolchain};

#[test]
fn an_interrupted_run_leaves_results_and_a_suite_that_passes() -> Result<()> {
    in_work_folder("ctrl-c", |folder| {
        std::fs::write(folder.join("openapi.json"), OPENAPI)?;
        std::fs::write(folder.join("auth.yaml"), AUTH)?;
        let shop = Demo::start()?;
        let run = Restive::fuzz(folder, &shop.url(), "openapi.json", "10m")?;
        let reset = format!("POST {RESET_PATH}");
        let mut running = run.args(["--auth-file", "auth.yaml", "--reset-http", &reset]).start()?;
        sleep(Duration::from_secs(4));
        ensure!(!running.has_ended()?, "it ended before it was interrupted\n{}", running.output_tail());
        let interrupted = Instant::now();
        running.signal("INT")?;
        let finished = running.finish(Duration::from_mins(2))?;
        assert!(matches!(finished.code, Some(1 | 4)), "{:?}\n{}", finished.code, finished.stderr);
        assert!(interrupted.elapsed() < Duration::from_secs(30), "it took {:?} to stop", interrupted.elapsed());

        let results = Results::read(&folder.join("out"))?;
        assert_eq!(results.ended_by(), "interrupted");
        assert!(results.calls() > 0 && results.n_tests() > 0);
        assert_eq!(http::call(shop.port(), "POST", RESET_PATH)?.status, 204);
        if toolchain::available(&["python3"])? {
            let clerk = format!("Authorization: Bearer {}", restive_demo::CLERK_TOKEN);
            let admin = format!("Authorization: Bearer {}", restive_demo::ADMIN_TOKEN);
            let variables =
                [("RESTIVE_BASE_URL", &*shop.url()), ("RESTIVE_AUTH_CLERK", &clerk), ("RESTIVE_AUTH_ADMIN", &admin)];
            let counts = execute(Frame::Pytest, &folder.join("out"), &variables)?;
            assert_eq!((counts.tests, counts.failed), (results.n_tests(), 0));
        }
        Ok(())
    })
}
