//! LoopBack's todo example: create, read, change, delete with ids that the service gives, in JavaScript.

use anyhow::Result;
use restive_e2e::suites::pass_three_times;
use restive_e2e::work::in_work_folder;
use restive_e2e::{FoundFault, Restive, services};

#[test]
fn todos_are_made_and_used_and_the_suites_pass() -> Result<()> {
    in_work_folder("loopback", |folder| {
        let Some(service) = services::loopback(folder)? else { return Ok(()) };
        let (url, schema) = (service.url(), format!("{}/openapi.json", service.url()));
        let (finished, results) = Restive::fuzz(folder, &url, &schema, "2000 calls")?.run_with_results()?;
        assert_eq!(finished.code, Some(1), "{}", finished.stderr);
        // Its address service cannot be reached, which a todo with an address shows.
        assert!(results.faults().contains(&FoundFault::new(100, "POST /todos")), "{:?}", results.faults());
        assert!(results.operations_with(2).len() >= 7, "{:?}", results.operations_with(2));
        pass_three_times(&folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &url)])
    })
}
