//! WireMock's admin interface: 41 operations of a service that nobody here wrote, in Java.

use anyhow::Result;
use restive_e2e::suites::pass_three_times;
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, http, services};

#[test]
fn the_admin_interface_is_covered_and_its_suites_pass() -> Result<()> {
    in_work_folder("wiremock", |folder| {
        let Some(service) = services::wiremock(folder)? else { return Ok(()) };
        let (url, schema) = (service.url(), format!("{}/__admin/docs/swagger", service.url()));
        let run = Restive::fuzz(folder, &url, &schema, "2000 calls")?;
        let run = run.args(["--exclude", "POST /__admin/shutdown", "--reset-http", "POST /__admin/reset"]);
        let (finished, results) = run.run_with_results()?;
        assert!(matches!(finished.code, Some(0 | 1)), "{:?}\n{}", finished.code, finished.stderr);
        assert_eq!(http::get(service.port(), "/__admin/health")?.status, 200, "the service was not shut down");
        let with_success = results.operations_with(2);
        assert!(with_success.len() >= 25, "{with_success:?}");
        assert!(!with_success.contains("POST /__admin/shutdown"));
        pass_three_times(&folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &url)])
    })
}
