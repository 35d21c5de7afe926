//! OpenAPI documents: generated, linted, and compared with themselves, in which nothing changes.

#![no_main]

use codegen::{Options, Reading, Runtime, Source, Workspace};
use diff::Contract;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let source = Source { name: "openapi.yaml".to_owned(), text: text.to_owned() };
    let options = Options {
        crate_name: "fuzzed".to_owned(),
        workspace: Workspace::Own,
        runtime: Runtime::Path("runtime".to_owned()),
        strict: false,
        command: "fuzz".to_owned(),
    };
    match codegen::generate(&source, &options) {
        Ok(output) => drop(output.warnings.render(&source)),
        Err(found) => drop(found.render(&source)),
    }
    let reading = Reading::default();
    drop(codegen::lint::lint(&source, &reading).render(&source));
    let contract = Contract { source: &source, reading: &reading };
    if let Ok(report) = diff::diff(contract, contract) {
        assert!(report.changes.is_empty(), "{:?}", report.changes);
    }
});
