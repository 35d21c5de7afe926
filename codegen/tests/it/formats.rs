//! Changes of the output by a team's table of formats.

use codegen::formats::Dependency;
use codegen::{FileTree, Formats, Options, Reading, Runtime, Source, Workspace};

const CONTRACT: &str = r#"
openapi: 3.1.1
info: { title: Formats, version: 1.0.0 }
paths: {}
components:
  schemas:
    Thing:
      type: object
      required: [id, at, price, size]
      properties:
        id: { type: string, format: uuid }
        at: { type: string, format: date-time }
        price: { type: string, format: money }
        size: { type: number, format: decimal }
"#;

fn source(name: &str, text: &str) -> Source {
    Source {
        name: name.into(),
        text: text.into(),
    }
}

fn generate(formats: Formats, workspace: Workspace) -> FileTree {
    let reading = Reading {
        formats,
        ..Reading::default()
    };
    let options = Options {
        crate_name: "formats".into(),
        workspace,
        runtime: Runtime::Copy,
        strict: true,
        samples: Vec::new(),
        ..Options::default()
    };
    let source = source("spec.yaml", CONTRACT);
    match codegen::generate_with(&source, &reading, &options) {
        Ok(output) => output.files,
        Err(found) => panic!("{}", found.render(&source)),
    }
}

fn changed(table: &str) -> FileTree {
    let source = source("formats.yaml", table);
    match Formats::changed_by(&source) {
        Ok(formats) => generate(formats, Workspace::Own),
        Err(found) => panic!("{}", found.render(&source)),
    }
}

#[track_caller]
fn holds(files: &FileTree, path: &str, wanted: &[&str]) {
    let text = files.get(path).unwrap();
    for wanted in wanted {
        assert!(text.contains(wanted), "{path} without {wanted}:\n{text}");
    }
}

#[test]
fn types_and_dependencies_are_there_where_a_string_uses_them() {
    let files = generate(Formats::default(), Workspace::Own);
    holds(
        &files,
        "src/models.rs",
        &[
            "id: formats::Uuid",
            "at: formats::DateTime",
            "price: String",
            "size: f64",
        ],
    );
    holds(
        &files,
        "Cargo.toml",
        &["uuid = { version", "chrono = { version"],
    );
    let manifest = files.get("Cargo.toml").unwrap();
    assert!(
        !manifest.contains("decimal"),
        "a number is no string of a format:\n{manifest}"
    );
    let member = generate(Formats::default(), Workspace::Inherited);
    holds(
        &member,
        "Cargo.toml",
        &["uuid.workspace = true", "chrono.workspace = true"],
    );
}

#[test]
fn rows_are_replaced_added_and_taken_away() {
    let files = changed(
        r#"
uuid: checked
date-time: ignored
money:
  type: ours::Money
  crate: { name: ours, path: ../ours }
  read: ours::Money::parse(text)
  write: value.text()
  derive: [Eq, Copy]
"#,
    );
    holds(
        &files,
        "src/models.rs",
        &[
            "id: String",
            "at: String",
            "price: formats::Money",
            "format::is_valid(\"uuid\"",
        ],
    );
    holds(&files, "Cargo.toml", &["ours = { path = \"../ours\" }"]);
    holds(
        &files,
        "src/formats.rs",
        &[
            "#[derive(Debug, Clone, PartialEq, Copy, Eq)]",
            "ours::Money::parse",
            "value.text()",
        ],
    );
    let schemas = files.get("src/schemas.json").unwrap();
    assert!(!schemas.contains("date-time"), "{schemas}");
}

#[test]
fn without_types_there_is_no_file_of_them() {
    let files = changed("{ uuid: checked, date-time: checked }");
    assert!(files.get("src/formats.rs").is_none());
    let manifest = files.get("Cargo.toml").unwrap();
    assert!(!manifest.contains("uuid"), "{manifest}");
}

#[test]
fn a_crate_has_one_version() {
    let table = source(
        "formats.yaml",
        "date-time: { type: chrono::Other, crate: { name: chrono, version: '1' } }",
    );
    let found = Formats::changed_by(&table).unwrap_err().render(&table);
    assert!(
        found.contains("another version of the crate `chrono`"),
        "{found}"
    );
}

#[test]
fn integers_may_be_of_64_bits_where_the_document_says_nothing() {
    const CONTRACT: &str = r#"
openapi: 3.1.1
info: { title: Integers, version: 1.0.0 }
paths: {}
components:
  schemas:
    Thing:
      type: object
      required: [any, low, wide, listed]
      properties:
        any: { type: integer }
        low: { type: integer, exclusiveMinimum: 0 }
        wide: { type: integer, format: uint64 }
        listed: { type: integer, enum: [1, 2] }
        either: { type: [integer, "null"] }
"#;
    let generate = |table: &str| {
        let table = source("formats.yaml", table);
        let formats = Formats::changed_by(&table).map_err(|found| found.render(&table));
        let reading = Reading {
            formats: formats.unwrap(),
            ..Reading::default()
        };
        let options = Options {
            crate_name: "integers".into(),
            workspace: Workspace::Own,
            runtime: Runtime::Copy,
            strict: true,
            samples: Vec::new(),
            ..Options::default()
        };
        let source = source("spec.yaml", CONTRACT);
        let output = codegen::generate_with(&source, &reading, &options);
        output.map_err(|found| found.render(&source)).unwrap().files
    };
    let bounded = generate("integer: int64");
    holds(
        &bounded,
        "src/models.rs",
        &[
            "pub any: i64",
            "pub low: i64",
            "pub wide: u64",
            "pub listed: i64",
        ],
    );
    holds(
        &bounded,
        "src/models.rs",
        &["pub either: Option<Option<i64>>"],
    );
    holds(&bounded, "src/schemas.json", &["9223372036854775807"]);
    let exact = generate("integer: exact");
    holds(
        &exact,
        "src/models.rs",
        &[
            "pub any: runtime::Integer",
            "pub low: runtime::Integer",
            "pub wide: u64",
        ],
    );
    let wrong = source("formats.yaml", "integer: uuid");
    assert!(Formats::changed_by(&wrong).is_err());
}

#[test]
fn types_derive_what_a_team_asks_for() {
    let document = source(
        "spec.yaml",
        "openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\npaths: {}\ncomponents:\n  schemas:\n    \
         Book: { type: object, properties: { kind: { enum: [a, b] } } }\n    \
         Either: { oneOf: [{ type: string }, { $ref: '#/components/schemas/Book' }] }\n",
    );
    let traits = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect();
    let mut options = Options {
        derives: [
            ("*".to_owned(), traits(&["Eq", "strum::EnumIs"])),
            ("Book".to_owned(), traits(&["Hash", "Eq"])),
        ]
        .into(),
        dependencies: vec![Dependency {
            name: "strum".into(),
            version: Some("0.27".into()),
            path: None,
            features: vec!["derive".into()],
            default_features: true,
        }],
        ..Options::default()
    };
    let files = codegen::generate(&document, &options).unwrap().files;
    let models = [
        "#[derive(Debug, Clone, PartialEq, Eq, strum::EnumIs, Hash)]\npub struct Book",
        "#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIs)]\npub enum BookKind",
        "#[derive(Debug, Clone, PartialEq, Eq, strum::EnumIs)]\npub enum Either",
    ];
    holds(&files, "src/models.rs", &models);
    holds(
        &files,
        "Cargo.toml",
        &["strum = { version = \"0.27\", features = [\"derive\"] }"],
    );

    options.derives.insert("Bok".into(), Vec::new());
    let warnings = codegen::generate(&document, &options).unwrap().warnings;
    let text = warnings.render(&document);
    assert!(
        text.contains("names the type `Bok`") && text.contains("`Book`?"),
        "{text}"
    );
}
