//! Documents of several files.

use codegen::diagnostic::Look;
use codegen::source::files;
use codegen::{Options, Reading, Runtime, Source, Workspace, generate_with};

const API: &str = r##"
openapi: 3.1.1
info: { title: Files, version: 1.0.0 }
paths:
  /books:
    $ref: paths/books.yaml
components:
  schemas:
    Shelf: { type: object, required: [books], properties: { books: { type: array, items: { $ref: "schemas.yaml#/Book" } } } }
"##;

const BOOKS: &str = r##"
get:
  operationId: books.list
  tags: [books]
  parameters: [{ $ref: "../parameters.yaml#/limit" }]
  responses:
    "200": { description: All., content: { application/json: { schema: { $ref: "../api.yaml#/components/schemas/Shelf" } } } }
"##;

const PARAMETERS: &str = "limit: { name: limit, in: query, schema: { type: integer } }";

const SCHEMAS: &str = r##"
Book: { type: object, properties: { title: { $ref: "#/Title" } } }
Title: { type: string, maxLength: 9 }
"##;

/// A document that says where it is, and refers to another by the URI that this one gives itself.
const SELF: &str = r##"
openapi: 3.2.0
$self: https://a.example/api/openapi.yaml
info: { title: Files, version: 1.0.0 }
paths: {}
components:
  schemas:
    Near: { $ref: "https://a.example/api/openapi.yaml#/components/schemas/Own" }
    Beside: { $ref: "https://a.example/shared/titles.yaml#/components/schemas/Title" }
    Named: { $ref: "https://b.example/names#/components/schemas/Name" }
    Own: { type: integer, format: int64 }
"##;

const TITLES: &str = r##"
openapi: 3.2.0
info: { title: Titles, version: 1.0.0 }
components: { schemas: { Title: { type: string, maxLength: 9 }, Same: { $ref: "names.yaml#/components/schemas/Name" } } }
"##;

const NAMES: &str = r##"
openapi: 3.2.0
$self: https://b.example/names
info: { title: Names, version: 1.0.0 }
components: { schemas: { Name: { type: boolean } } }
"##;

#[test]
fn a_reference_is_relative_to_the_uri_that_a_document_gives_itself() {
    let api = source("main.yaml", SELF);
    assert_eq!(
        files::referred(&api, "main.yaml"),
        ["../shared/titles.yaml"]
    );
    let titles = source("../shared/titles.yaml", TITLES);
    assert_eq!(
        files::referred(&titles, &titles.name),
        ["../shared/names.yaml"]
    );
    let others = [titles, source("../shared/names.yaml", NAMES)];
    let output = generate_with(&api, &reading(&others), &options())
        .map_err(|found| found.render_files(&api, &others, Look::Plain));
    let models = output
        .unwrap()
        .files
        .get("src/models.rs")
        .unwrap()
        .to_owned();
    for expected in [
        "type Near = Own",
        "type Own = i64",
        "type Named = bool",
        "type Beside = String",
    ] {
        assert!(models.contains(expected), "{expected} in {models}");
    }
}

#[test]
fn a_document_of_several_files_is_one_contract() {
    let api = source("shown/api.yaml", API);
    assert_eq!(
        files::referred(&api, "api.yaml"),
        ["paths/books.yaml", "schemas.yaml"]
    );
    let books = source("paths/books.yaml", BOOKS);
    assert_eq!(
        files::referred(&books, &books.name),
        ["api.yaml", "parameters.yaml"]
    );
    let others = [
        books,
        source("parameters.yaml", PARAMETERS),
        source("schemas.yaml", SCHEMAS),
    ];
    let output = generate_with(&api, &reading(&others), &options())
        .map_err(|found| found.render_files(&api, &others, Look::Plain));
    let models = output
        .unwrap()
        .files
        .get("src/models.rs")
        .unwrap()
        .to_owned();
    assert!(models.contains("pub books: Vec<Book>"), "{models}");
    assert!(models.contains("length_between(value, 0, 9)"), "{models}");
}

#[test]
fn problems_are_shown_in_their_own_file() {
    let api = source("shown/api.yaml", API);
    let others = [
        source("paths/books.yaml", BOOKS),
        source("parameters.yaml", "limit: { in: query }"),
        source(
            "schemas.yaml",
            "Book: { $ref: 'https://example.com/book.json' }",
        ),
    ];
    let found = generate_with(&api, &reading(&others), &options()).unwrap_err();
    let text = found.render_files(&api, &others, Look::Plain);
    for expected in [
        "missing field `name`\n --> parameters.yaml:1:1",
        "`https://example.com/book.json` is not on this machine\n --> schemas.yaml:1:9",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    let broken = [source("paths/books.yaml", "get: [")];
    let found = generate_with(&api, &reading(&broken), &options()).unwrap_err();
    let text = found.render_files(&api, &broken, Look::Plain);
    assert!(text.contains("--> paths/books.yaml:"), "{text}");
}

/// A schema that is a file has no name of its own; it gets the one of the first component that
/// refers to it.
#[test]
fn components_that_are_files_name_their_schemas() {
    let api = API.to_owned()
        + r##"
    Volume: { $ref: "./bound/book.yaml" }
    Tome: { $ref: "./bound/book.yaml" }
    Author: { $ref: "./bound/book.yaml#/$defs/person" }
    Writer: { $ref: "#/components/schemas/Author" }
"##;
    let book = r##"
type: object
properties: { by: { $ref: "#/$defs/person" }, sequel: { $ref: "#" } }
$defs: { person: { type: object, properties: { name: { type: string } } } }
"##;
    let others = [
        source("paths/books.yaml", BOOKS),
        source("parameters.yaml", PARAMETERS),
        source("schemas.yaml", SCHEMAS),
        source("bound/book.yaml", book),
    ];
    let output = generate_with(&source("api.yaml", &api), &reading(&others), &options()).unwrap();
    let models = output.files.get("src/models.rs").unwrap();
    for expected in [
        "pub struct Volume {",
        "pub by: Option<Author>,",
        "pub sequel: Option<Box<Volume>>,",
        "pub type Tome = Volume;",
        "pub struct Author {",
        "pub type Writer = Author;",
    ] {
        assert!(models.contains(expected), "{models}");
    }
}

/// A schema that is a file, or that a file has, is one type wherever bodies refer to it.
#[test]
fn bodies_of_one_file_have_one_type() {
    let body = |to: &str| format!("{{ application/json: {{ schema: {{ $ref: '{to}' }} }} }}");
    let operations = |id: &str, to: &str| {
        let response = format!(
            "responses: {{ '200': {{ description: d, content: {} }} }}",
            body(to)
        );
        format!(
            "  /{id}:\n    get: {{ operationId: get_{id}, {response} }}\n    put: {{ operationId: put_{id}, \
             requestBody: {{ required: true, content: {} }}, {response} }}\n",
            body(to)
        )
    };
    let api = format!(
        "openapi: 3.0.4\ninfo: {{ title: T, version: '1' }}\npaths:\n{}{}",
        operations("u", "User.yaml"),
        operations("s", "defs.yaml#/components/schemas/Solo")
    );
    let user = "type: object\nrequired: [name]\nproperties: { name: { type: string }, id: { type: string, readOnly: true } }\n";
    let solo = "components: { schemas: { Solo: { type: object, properties: { by: { type: string } } } } }\n";
    let others = [source("User.yaml", user), source("defs.yaml", solo)];
    let output = generate_with(&source("api.yaml", &api), &reading(&others), &options()).unwrap();
    let models = output.files.get("src/models.rs").unwrap();
    let types = models.lines().filter(|line| line.starts_with("pub struct"));
    let mut types: Vec<&str> = types.collect();
    types.sort_unstable();
    let expected = [
        "pub struct Solo {",
        "pub struct User {",
        "pub struct UserWrite {",
    ];
    assert_eq!(types, expected, "{models}");
}

/// Diagnostics show a reference as it was written, and not its rewritten form.
#[test]
fn references_to_nothing_are_shown_as_they_were_written() {
    let api = source(
        "api.yaml",
        &API.replace("schemas.yaml#/Book", "./a%20b/schemas.yaml#/$defs/Book"),
    );
    let others = [
        source("paths/books.yaml", &BOOKS.replace("#/limit", "#/limits")),
        source("parameters.yaml", PARAMETERS),
        source(
            "a b/schemas.yaml",
            "x:
  - { $ref: '#/y' }
$defs: { z: { $ref: '#z' } }",
        ),
    ];
    let found = generate_with(&api, &reading(&others), &options()).unwrap_err();
    let text = found.render_files(&api, &others, Look::Plain);
    for expected in [
        "`./a%20b/schemas.yaml#/$defs/Book` points to nothing\n --> api.yaml:9:",
        "`../parameters.yaml#/limits` points to nothing\n --> paths/books.yaml:5:",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    let meant = "did you mean `../parameters.yaml#/limit`?";
    assert!(text.contains(meant) && !text.contains("x-files"), "{text}");
    let others = [
        source("paths/books.yaml", BOOKS),
        source("parameters.yaml", PARAMETERS),
        source(
            "schemas.yaml",
            "Book: { anyOf: [{ $ref: '#/Gone' }, { $ref: '#gone' }] }",
        ),
    ];
    let api = source("api.yaml", API);
    let found = generate_with(&api, &reading(&others), &options()).unwrap_err();
    let text = found.render_files(&api, &others, Look::Plain);
    for expected in [
        "`#/Gone` points to nothing\n --> schemas.yaml:1:19",
        "`#gone` points to nothing\n --> schemas.yaml:1:39",
    ] {
        assert!(text.contains(expected), "{text}");
    }
}

/// Beside a schema with an identifier, references are URIs, which contain no blanks.
#[test]
fn files_with_blanks_in_their_names_are_found_among_identifiers() {
    let api = API.replace("schemas.yaml", "my%20schemas.yaml")
        + "    Id: { $anchor: id, type: string }\n";
    let others = [
        source("paths/books.yaml", BOOKS),
        source("parameters.yaml", PARAMETERS),
        source("my schemas.yaml", SCHEMAS),
    ];
    let output = generate_with(&source("api.yaml", &api), &reading(&others), &options());
    let models = output
        .unwrap()
        .files
        .get("src/models.rs")
        .unwrap()
        .to_owned();
    assert!(models.contains("pub books: Vec<Book>"), "{models}");
}

/// The bundle adds a level of nesting, and its reader has the same limit as that of the document.
#[test]
fn a_schema_that_is_a_whole_file_is_read_as_deep_as_the_bundle_is() {
    let deep = |depth: usize| {
        let schema = format!("{}true{}", "{\"not\":".repeat(depth), "}".repeat(depth));
        let api = API.replace("schemas.yaml#/Book", "deep.json");
        let others = [
            source("paths/books.yaml", BOOKS),
            source("parameters.yaml", PARAMETERS),
            source("schemas.yaml", SCHEMAS),
            source("deep.json", &schema),
        ];
        generate_with(&source("api.yaml", &api), &reading(&others), &options())
    };
    assert!(deep(126).is_ok());
    let found = deep(127).unwrap_err();
    let codes: Vec<_> = found.iter().map(|problem| problem.code.name()).collect();
    assert_eq!(codes, ["unsupported"]);
}

const SPLIT: &str = r##"
openapi: 3.1.1
info: { $ref: info.yaml }
servers: { $ref: "info.yaml#/x-servers" }
tags: { $ref: "info.yaml#/x-tags" }
paths: { $ref: "./paths.yaml", /own: { get: { $ref: "paths.yaml#/x-own" } } }
components:
  schemas: { $ref: "./schemas.yaml" }
  parameters: { $ref: "parameters.yaml" }
"##;

const PATHS: &str = r##"
/books:
  get:
    operationId: books.list
    tags: [books]
    parameters: { $ref: "parameters.yaml#/x-all" }
    responses: { $ref: "responses.yaml" }
x-own:
  operationId: own
  parameters: [{ $ref: "api.yaml#/components/parameters/limit" }]
  responses: { "200": { description: All., content: { $ref: "responses.yaml#/200/content" } } }
"##;

const RESPONSES: &str = r##"
"200":
  description: All.
  content: { application/json: { schema: { $ref: "api.yaml#/components/schemas/Book" } } }
"404": { $ref: nowhere.yaml }
"##;

/// A reference in the place of a whole map or list, such as all paths, stands for each member.
#[test]
fn a_reference_may_stand_for_a_map_or_a_list() {
    let api = source("shown/api.yaml", SPLIT);
    assert_eq!(
        files::referred(&api, "api.yaml"),
        ["info.yaml", "parameters.yaml", "paths.yaml", "schemas.yaml"]
    );
    let info = "title: Split\nversion: 1.0.0\nx-servers: [{ url: /v2 }]\nx-tags: [{ name: books, description: Read. }]";
    let parameters = format!("{PARAMETERS}\nx-all: [{{ $ref: '#/limit' }}]");
    let others = [
        source("info.yaml", info),
        source("paths.yaml", PATHS),
        source("parameters.yaml", &parameters),
        source("responses.yaml", RESPONSES),
        source("schemas.yaml", SCHEMAS),
    ];
    let output = generate_with(
        &api,
        &reading(&others),
        &Options {
            strict: false,
            ..options()
        },
    )
    .unwrap();
    let shown = output.warnings.render_files(&api, &others, Look::Plain);
    assert!(shown.contains("--> responses.yaml:5:"), "{shown}");
    assert_eq!(output.warnings.iter().count(), 1, "{shown}");
    assert_eq!(
        (output.coverage.documented, output.coverage.generated),
        (2, 2)
    );
    let models = output.files.get("src/models.rs").unwrap();
    assert!(models.contains("pub struct Book {"), "{models}");
    let operations = output.files.get("src/operations.rs").unwrap();
    assert!(
        operations.contains(r#"BASE_PATH: &str = "/v2""#),
        "{operations}"
    );
    let books = output.files.get("src/api/books.rs").unwrap();
    assert!(books.contains("pub limit: Option<"), "{books}");
    let own = output.files.get("src/api/default.rs").unwrap();
    assert!(own.contains("Book"), "{own}");
    let document = output.files.get("openapi.json").unwrap();
    assert!(
        document.contains(r##""$ref": "#/x-files/paths.yaml/~1books""##),
        "{document}"
    );
}

#[test]
fn a_reference_for_a_map_that_leads_nowhere_is_reported() {
    let text = r##"
openapi: 3.1.1
info: { title: Lost, version: 1.0.0 }
paths: { $ref: "#/info/title" }
components:
  parameters: { $ref: "#/nowhere" }
  schemas: { $ref: "https://example.com/schemas.yaml" }
"##;
    let api = source("api.yaml", text);
    let found = generate_with(&api, &reading(&[]), &options()).unwrap_err();
    let text = found.render(&api);
    for expected in [
        "`#/info/title` names nothing whose members could stand here",
        "`#/nowhere` points to nothing",
        "`https://example.com/schemas.yaml` is not on this machine",
    ] {
        assert!(text.contains(expected), "{text}");
    }
}

fn reading(files: &[Source]) -> Reading {
    Reading {
        files: files.to_vec(),
        ..Reading::default()
    }
}

fn source(name: &str, text: &str) -> Source {
    Source {
        name: name.into(),
        text: text.into(),
    }
}

fn options() -> Options {
    Options {
        crate_name: "files".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Copy,
        strict: true,
        samples: Vec::new(),
        ..Options::default()
    }
}
