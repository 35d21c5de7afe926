//! The summary of a run of schemathesis.

use std::fs;
use std::path::Path;

use generated::operations::OPERATIONS;
use serde_json::{Value, json};

/// The JSON report of a run.
pub(super) struct Report(Value);

impl Report {
    #[track_caller]
    pub(super) fn read(path: &Path) -> Self {
        Self(serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap())
    }

    /// The number of cases with checked responses. Other requests were made by checks.
    pub(super) fn checked_cases(&self) -> usize {
        let cases = &self.0["test_cases"];
        let number = |name: &str| usize::try_from(cases[name].as_u64().unwrap()).unwrap();
        number("generated") - number("without_checks")
    }

    /// Checks that all phases ran, without failures, warnings or skipped operations.
    #[track_caller]
    pub(super) fn is_clean(&self, said: &str) {
        let found = &self.0;
        assert_eq!(found["failures"], json!([]), "{said}");
        assert_eq!(found["errors"], json!([]), "{said}");
        for (kind, about) in found["warnings"].as_object().unwrap() {
            assert_eq!(about, &json!([]), "{kind}\n{said}");
        }
        assert_eq!(found["exit_code"], 0, "{said}");
        assert_eq!(found["complete"], true, "{said}");
        assert_eq!(found["filtered"], 0, "failures were dropped");
        assert_eq!(found["baseline"], Value::Null, "failures were known");
        assert_eq!(found["test_cases"]["errored"], 0, "{said}");
        let operations = &found["operations"];
        assert_eq!(operations["tested"], OPERATIONS.len(), "{operations}");
        assert_eq!(operations["total"], OPERATIONS.len(), "{operations}");
        let phases = found["phases"].as_object().unwrap();
        let names: Vec<_> = phases.keys().collect();
        assert_eq!(names, ["examples", "coverage", "fuzzing", "stateful"]);
        for (name, phase) in phases {
            assert_eq!(phase["status"], "success", "{name}");
        }
    }
}
