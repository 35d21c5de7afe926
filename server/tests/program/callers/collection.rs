//! The Postman collection against a demo, and the mutations that it notices.

mod items;
mod lane;
mod mutation_testing;
mod newman;
mod relay;

use generated::operations::OPERATIONS;
use serde_json::Value;
use server::keys::demo::ENTERPRISE;

use crate::folder::Folder;
use crate::serving::serve;

const COLLECTION: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../generated/postman/collection.json"
);

const ENVIRONMENT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../generated/postman/environment.json"
);

/// Limits are lifted, because a run makes more requests than any tier allows in a minute; the contract
/// test covers limits.
const DEMO: [&str; 2] = ["--demo", "--lift-limits"];

#[test]
fn the_collection_passes_repeatedly_without_manual_steps() {
    if !installed::present(&["node"], &["node:newman"]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &DEMO);
    // The second run finds the data that the first has left.
    for environment in [&[] as &[_], &["--environment", ENVIRONMENT]] {
        let report = folder.path().join("report.json");
        let mut newman = installed::node("newman");
        newman.args(["run", COLLECTION, "--reporters", "json"]);
        newman.args(environment);
        newman.arg("--reporter-json-export").arg(&report);
        newman.args(["--env-var", &format!("serviceApiKey={ENTERPRISE}")]);
        newman.args([
            "--env-var",
            &format!("baseUrl=http://{}/api/v1", serving.api),
        ]);
        let output = newman.output().unwrap();
        let report = std::fs::read_to_string(report).unwrap();
        let report: Value = serde_json::from_str(&report).unwrap();
        let failures = &report["run"]["failures"];
        assert!(output.status.success(), "{failures:#}");
        let counted = |what: &str| report["run"]["stats"][what]["total"].as_u64().unwrap();
        assert!(counted("requests") >= 2 * OPERATIONS.len() as u64);
        assert!(counted("assertions") >= 20 * OPERATIONS.len() as u64);
        let failed = |what: &str| report["run"]["stats"][what]["failed"].as_u64().unwrap();
        assert_eq!(
            failed("assertions") + failed("testScripts"),
            0,
            "{failures:#}"
        );
        assert_eq!(
            report["run"]["stats"]["assertions"]["pending"], 0,
            "something is not asserted"
        );
    }
}
