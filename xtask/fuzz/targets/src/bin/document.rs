//! OpenAPI documents: generated, linted, and compared with themselves. A document is generated, the same
//! again, into files that are Rust and JSON, or refused for a reason; nothing of it has changed.

#![no_main]

use codegen::{FileTree, Options, Reading, Runtime, Source, Workspace};
use diff::Contract;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let source = Source {
        name: "openapi.yaml".to_owned(),
        text: text.to_owned(),
    };
    let options = Options {
        crate_name: "fuzzed".to_owned(),
        workspace: Workspace::Own,
        runtime: Runtime::Path("runtime".to_owned()),
        strict: false,
        samples: codegen::SampleLanguage::ALL.to_vec(),
        ..Options::default()
    };
    match codegen::generate(&source, &options) {
        Ok(output) => {
            check(&output.files);
            let again = codegen::generate(&source, &options).expect("the same output");
            assert!(
                output.files.iter().eq(again.files.iter()),
                "the output changes"
            );
            assert_eq!(
                output.warnings.is_empty(),
                output.warnings.render(&source).is_empty()
            );
        }
        Err(found) => assert!(
            !found.render(&source).is_empty(),
            "refused without a reason"
        ),
    }
    let reading = Reading::default();
    let found = codegen::lint::lint(&source, &reading);
    assert_eq!(found.is_empty(), found.render(&source).is_empty());
    let contract = Contract {
        source: &source,
        reading: &reading,
    };
    if let Ok(report) = diff::diff(contract, contract) {
        assert!(report.changes.is_empty(), "{:?}", report.changes);
    }
});

fn check(files: &FileTree) {
    for (path, text) in files.iter() {
        if path.ends_with(".rs") {
            syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        } else if path.ends_with(".json") {
            let read = serde_json::from_str::<serde::de::IgnoredAny>(text);
            read.unwrap_or_else(|error| panic!("{path}: {error}"));
        }
    }
}
