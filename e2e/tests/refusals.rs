//! What refusals name.

use anyhow::{Result, ensure};
use serde_json::json;

use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, toolchain};

/// Inputs that the document leaves open, and that the service demands, or of which it takes few values, are sent, or left out, by
/// what its refusals say; what the document should have said is told.
#[test]
fn inputs_that_refusals_name_are_sent_or_left_out() -> Result<()> {
    if !toolchain::available(&["python3"])? {
        return Ok(());
    }
    let script = toolchain::service_files().join("bookings.py");
    in_work_folder("refusals", |folder| {
        let command = format!("python3 {} {{port}}", script.display());
        let args = ["fuzz", "--command", &command, "--budget", "500 calls", "--rng-seed", "1", "--out", "out"];
        let (finished, results) = Restive::new(folder, args)?.args(["--suite=false"]).run_with_results()?;
        let operations = results.json()["operations"].as_array().into_iter().flatten();
        let (n_made, demanded): (Vec<_>, Vec<_>) =
            operations.map(|operation| (&operation["statuses"]["201"], &operation["demanded"])).unzip();
        ensure!(n_made[0].as_u64() > Some(20), "{n_made:?} bookings\n{}", finished.stderr);
        let body = ["adults", "arrival", "guest", "guest/firstName", "guest/lastName", "hotel", "nights", "paymentMethod"];
        let body = body.into_iter().chain(["rate", "room_type"]).map(|field| format!("body /{field}"));
        let all: Vec<String> = body.chain(["query currency".to_owned()]).collect();
        ensure!(*demanded[0] == json!(all), "{demanded:?}");
        Ok(())
    })
}
