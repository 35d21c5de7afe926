//! How far clients go beyond the contract, by the options.

use crate::compile::options;
use crate::expected::folder;
use codegen::{Feature, OpenEnums, Options, Source};
use std::fs;

/// A source file of the crate of the contract `foreign`.
fn source(file: &str, changed: Options) -> String {
    let path = folder("behaviour").join("foreign.yaml");
    let source = Source {
        name: "foreign.yaml".to_owned(),
        text: fs::read_to_string(path).unwrap(),
    };
    let output = codegen::generate(&source, &changed).unwrap();
    let files: Vec<_> = output.files.iter().collect();
    let found = files.iter().find(|(path, _)| *path == file);
    found.unwrap().1.to_string()
}

fn client(changed: Options) -> Options {
    Options {
        features: vec![Feature::Client],
        ..changed
    }
}

#[test]
fn a_strict_client_reads_by_the_letter() {
    let tolerant = source("src/client.rs", client(options("foreign")));
    assert!(tolerant.contains("200..=299") && !tolerant.contains(".strict()"));
    let strict = Options {
        strict_client: true,
        ..client(options("foreign"))
    };
    let strict = source("src/client.rs", strict);
    assert!(strict.contains(".strict()") && !strict.contains("200..=299"));
}

#[test]
fn enums_are_open_in_clients_of_other_servers() {
    let open = |changed: Options| source("src/models.rs", changed).contains("Unlisted(String)");
    assert!(open(client(options("foreign"))));
    assert!(!open(options("foreign")));
    let set = |enums: OpenEnums, changed: Options| Options {
        open_enums: Some(enums),
        ..changed
    };
    assert!(open(set(OpenEnums::Responses, options("foreign"))));
    assert!(!open(set(OpenEnums::None, client(options("foreign")))));
}

#[test]
fn a_body_that_is_not_documented_is_kept_in_clients_of_other_servers() {
    let kept = |changed: Options| {
        let api = source("src/api/default.rs", changed);
        let (_, rest) = api.split_once("pub enum BuildResponse").unwrap();
        let (variants, _) = rest.split_once("\n}").unwrap();
        variants.contains("body: runtime::ByteStream")
    };
    assert!(kept(client(options("foreign"))));
    assert!(!kept(options("foreign")));
}
