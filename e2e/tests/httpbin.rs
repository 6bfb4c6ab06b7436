//! httpbin: a Swagger 2.0 document, odd answers of every kind (redirects, streams, compressed and broken bodies), in Python.

use anyhow::Result;
use restive_e2e::suites::pass_three_times;
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, services};

#[test]
fn odd_answers_are_taken_and_the_suites_pass() -> Result<()> {
    in_work_folder("httpbin", |folder| {
        let Some(service) = services::httpbin(folder)? else { return Ok(()) };
        let (url, schema) = (service.url(), format!("{}/spec.json", service.url()));
        let mut run = Restive::fuzz(folder, &url, &schema, "1500 calls")?.args(["--time-limit", "3s"]);
        // These wait for up to ten seconds by design.
        for verb in ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"] {
            run = run.args(["--exclude", &format!("{verb} /delay/{{delay}}")]);
        }
        let (finished, results) = run.args(["--exclude", "GET /drip"]).run_with_results()?;
        assert!(matches!(finished.code, Some(0 | 1 | 4)), "{:?}\n{}", finished.code, finished.stderr);
        let with_success = results.operations_with(2);
        assert!(with_success.len() >= 40, "{with_success:?}");
        assert!(!results.operations_with(3).is_empty(), "redirects are recorded, not followed");
        pass_three_times(&folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &url)])
    })
}
