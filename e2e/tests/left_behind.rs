//! What tests leave behind in a service that nothing resets but its end.

use std::process::Command;

use anyhow::{Result, ensure};
use restive_e2e::process::{Service, free_port};
use restive_e2e::suites::{Frame, all_pass_three_times};
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, toolchain};

/// Faults that show only where another test made something, or did something to it, are shown by tests that do so themselves.
#[test]
fn faults_that_hang_on_other_tests_are_confirmed() -> Result<()> {
    if !toolchain::available(&["python3"])? {
        return Ok(());
    }
    let script = toolchain::service_files().join("shops.py");
    in_work_folder("left-behind", |folder| {
        let command = format!("python3 {} {{port}}", script.display());
        let args = ["fuzz", "--command", &command, "--budget", "1000 calls", "--rng-seed", "1", "--out", "out"];
        let (finished, results) = Restive::new(folder, args)?.args(["--format", "pytest"]).run_with_results()?;
        let found = results.json()["findings"].as_array().into_iter().flatten();
        let found: Vec<_> = found.map(|finding| (&finding["operation"], &finding["confirmation"])).collect();
        ensure!(found.iter().any(|(operation, _)| *operation == "POST /users/{mail}/orders"), "{found:?}");
        ensure!(found.iter().any(|(operation, _)| *operation == "POST /users"), "409 is not documented: {found:?}");
        ensure!(found.iter().all(|(_, confirmation)| *confirmation == "confirmed"), "{found:?}\n{}", finished.stderr);
        let port = free_port()?;
        let mut service = Command::new("python3");
        service.arg(&script).arg(port.to_string());
        let service = Service::start(&mut service, folder, "service", port, "/openapi.json")?;
        let url = service.url();
        all_pass_three_times(&[Frame::Pytest], &folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &*url)], false)
    })
}
