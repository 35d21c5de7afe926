//! Contracts of several files: how a contract is divided is nothing that a client sees.

use crate::contract::alone;
use codegen::diagnostic::Look;
use codegen::{Reading, Source};
use diff::{Contract, Report, Severity, diff};

/// A contract in one file.
const WHOLE: &str = r##"
openapi: 3.1.1
info: { title: T, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /pets/{id}:
    post:
      operationId: pets.add
      parameters: [{ $ref: "#/components/parameters/id" }]
      requestBody:
        content:
          application/json: { schema: { $ref: "#/components/schemas/Pet" } }
          multipart/form-data: { schema: { type: object, properties: { name: { $ref: "#/components/schemas/Name" } } } }
      callbacks:
        done: { "{$request.body#/url}": { post: { responses: { "204": { description: Heard. } } } } }
      responses:
        "200":
          description: Added.
          headers: { Next: { $ref: "#/components/headers/next" } }
          content: { application/json: { schema: { $ref: "#/components/schemas/Tree" } } }
          links:
            again: { operationRef: "#/paths/~1pets~1{id}/post" }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: Key } }
  parameters: { id: { name: id, in: path, required: true, schema: { type: string, maxLength: 9 } } }
  headers: { next: { schema: { type: integer } } }
  schemas:
    Name: { type: string, maxLength: 9 }
    Tree: { type: object, properties: { pet: { $ref: "#/components/schemas/Pet" }, more: { type: array, items: { $ref: "#/components/schemas/Tree" } } } }
    Pet:
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
      discriminator: { propertyName: kind, mapping: { cat: "#/components/schemas/Cat", dog: Dog } }
    Cat: { type: object, required: [kind], properties: { kind: { type: string }, name: { $ref: "#/components/schemas/Name" } } }
    Dog: { type: object, required: [kind], properties: { kind: { type: string }, size: { type: integer } } }
"##;

/// The same contract in four.
const API: &str = r##"
openapi: 3.1.1
info: { title: T, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /pets/{id}: { $ref: paths/pets.yaml }
components:
  securitySchemes: { key: { $ref: "shared.yaml#/key" } }
  schemas:
    Name: { type: string, maxLength: 9 }
    Dog: { $ref: "schemas/pet.yaml#/Dog" }
"##;

const PETS: &str = r##"
post:
  operationId: pets.add
  parameters: [{ $ref: "../shared.yaml#/id" }]
  requestBody:
    content:
      application/json: { schema: { $ref: "../schemas/pet.yaml#/Pet" } }
      multipart/form-data: { schema: { type: object, properties: { name: { $ref: "../api.yaml#/components/schemas/Name" } } } }
  callbacks:
    done: { "{$request.body#/url}": { post: { responses: { "204": { description: Heard. } } } } }
  responses:
    "200":
      description: Added.
      headers: { Next: { $ref: "../shared.yaml#/next" } }
      content: { application/json: { schema: { $ref: "../schemas/pet.yaml#/Tree" } } }
      links:
        again: { operationRef: "../api.yaml#/paths/~1pets~1{id}/post" }
"##;

const SHARED: &str = r##"
key: { type: apiKey, in: header, name: Key }
id: { name: id, in: path, required: true, schema: { type: string, maxLength: 9 } }
next: { schema: { type: integer } }
"##;

const PET: &str = r##"
Tree: { type: object, properties: { pet: { $ref: "#/Pet" }, more: { type: array, items: { $ref: "#/Tree" } } } }
Pet:
  oneOf: [{ $ref: "#/Cat" }, { $ref: "../api.yaml#/components/schemas/Dog" }]
  discriminator: { propertyName: kind, mapping: { cat: "#/Cat", dog: "../api.yaml#/components/schemas/Dog" } }
Cat: { type: object, required: [kind], properties: { kind: { type: string }, name: { $ref: "../api.yaml#/components/schemas/Name" } } }
Dog: { type: object, required: [kind], properties: { kind: { type: string }, size: { type: integer } } }
"##;

fn source(name: &str, text: &str) -> Source {
    Source {
        name: name.into(),
        text: text.into(),
    }
}

/// The contract in four files, with these schemas.
fn parted(schemas: &str) -> (Source, Reading) {
    let files = [
        ("paths/pets.yaml", PETS),
        ("schemas/pet.yaml", schemas),
        ("shared.yaml", SHARED),
    ];
    let reading = Reading {
        files: files.map(|(name, text)| source(name, text)).into(),
        ..Reading::default()
    };
    (source("spec/api.yaml", API), reading)
}

fn contract((source, reading): &(Source, Reading)) -> Contract<'_> {
    Contract { source, reading }
}

#[track_caller]
fn compare(before: Contract<'_>, after: Contract<'_>) -> Report {
    diff(before, after).unwrap_or_else(|wrong| panic!("{}", wrong.render(Look::Plain)))
}

#[test]
fn a_contract_that_is_divided_or_joined_is_the_same() {
    let (whole, parted) = (source("api.yaml", WHOLE), parted(PET));
    let (whole, parted) = (alone(&whole), contract(&parted));
    for (before, after) in [(whole, parted), (parted, whole)] {
        let report = compare(before, after);
        assert!(report.changes.is_empty(), "{}", report.to_text());
    }
}

#[test]
fn a_break_in_a_file_that_is_only_referred_to_has_a_witness() {
    let (before, after) = (parted(PET), parted(&PET.replace("integer", "boolean")));
    let report = compare(contract(&before), contract(&after));
    let text = report.to_text();
    let mut breaks = report.of(Severity::Breaking);
    assert!(
        breaks.any(|change| change.witness.is_some()
            && change.kind.starts_with("request-")
            && change.operation.as_deref() == Some("POST /pets/{id}")),
        "{text}"
    );
    assert!(!text.contains("x-files"), "{text}");
}

/// Its content is unknown, so that nothing can be said about it.
#[test]
fn a_contract_that_lacks_a_file_is_not_compared() {
    let whole = parted(PET);
    let mut lacking = parted(PET);
    lacking.1.files.retain(|file| file.name != "shared.yaml");
    let wrong = diff(contract(&whole), contract(&lacking)).unwrap_err();
    let text = wrong.render(Look::Plain);
    for expected in [
        "`shared.yaml#/key` is in a file that was not read\n --> spec/api.yaml:8:",
        "`../shared.yaml#/id` is in a file that was not read\n --> paths/pets.yaml:4:",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    assert!(diff(contract(&lacking), contract(&whole)).is_err());
    let broken = parted("Pet: [");
    let wrong = diff(contract(&broken), contract(&whole)).unwrap_err();
    let text = wrong.render(Look::Plain);
    assert!(text.contains(" --> schemas/pet.yaml:1:"), "{text}");
}

/// A value of a mapping often names a file that is long gone; the variants are told apart without.
#[test]
fn a_mapping_to_a_file_that_is_gone_keeps_nothing_from_being_compared() {
    let whole = source(
        "api.yaml",
        &WHOLE.replace("dog: Dog", "dog: schemas/Dog.yaml"),
    );
    let report = compare(alone(&whole), alone(&whole));
    assert!(report.changes.is_empty(), "{}", report.to_text());
}
