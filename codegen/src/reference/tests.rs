//! The references of small contracts.

use crate::{Options, Runtime, Source, Workspace, generate};

const CONTRACT: &str = r##"
openapi: 3.1.1
info: { title: "Small | contract", version: 2.1.0 }
tags: [{ name: Books, description: All of them. }]
paths:
  /books/{id}:
    get:
      operationId: books.get
      tags: [Books]
      summary: Get a book.
      security: [{ key: [] }, { token: [read] }]
      parameters:
        - { in: path, name: id, required: true, schema: { type: integer, minimum: 1 } }
        - { in: query, name: view, description: "How | much.", schema: { enum: [short, long], default: short } }
      responses:
        "200":
          description: The book.
          headers: { ETag: { required: true, schema: { type: string } }, X-Note: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } }
        "404": { description: "Nothing\nthere." }
  /books:
    post:
      operationId: books.add
      tags: [Books]
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { cover: { type: string, format: binary } } }
            encoding: { cover: { headers: { X-Sum: { required: true, description: "Of | it.", schema: { type: string, maxLength: 9 } } } } }
      responses: { "204": { description: Done. } }
    get:
      operationId: books.list
      deprecated: true
      responses: { "200": { description: All., content: { application/json: { schema: { type: array, items: { $ref: "#/x-schemas/Spine" } } } } } }
x-schemas: { Spine: { type: string } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: x-key }
    token: { type: oauth2, flows: { implicit: { authorizationUrl: "https://a.example/", scopes: { read: Read. } } } }
  schemas:
    Book:
      description: A book.
      type: object
      additionalProperties: false
      required: [title]
      properties:
        title: { type: string, maxLength: 9, description: Its title. }
        tags: { type: array, items: { $ref: "#/components/schemas/Tag" } }
        parts: { type: array, x-order: [{ by: /size, numeric: true, descending: true }, { by: /id }], x-unique: [/id], items: { $ref: "#/components/schemas/Part" } }
        odd: { oneOf: [{ type: "null" }, { const: 1 }] }
    Part: { type: object, required: [id, size], properties: { id: { type: integer }, size: { type: string } } }
    Tag: { type: string, pattern: "^`?a|b$" }
"##;

fn reference() -> String {
    let source = Source {
        name: "contract.yaml".into(),
        text: CONTRACT.into(),
    };
    let options = Options {
        crate_name: "contract".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Copy,
        strict: true,
        samples: Vec::new(),
        ..Options::default()
    };
    let files = generate(&source, &options).unwrap().files;
    files.get("REFERENCE.md").unwrap().to_owned()
}

#[test]
fn describes_the_contract_as_callers_see_it() {
    let text = reference();
    for line in [
        "# Small | contract 2.1.0",
        "| `books.get` | `GET /books/{id}` | Get a book. |",
        "### GET /books/{id}",
        "**Get a book** (`books.get`).",
        "Credentials: `key`, or `token` (read).",
        "| `id` | path | integer, at least 1 | yes | |",
        "| `view` | query | one of `\"short\"`, `\"long\"` | | How \\| much. Default: `\"short\"`. |",
        "`books.list`. Deprecated.",
        "| part | header | type | required | meaning |",
        "| `cover` | `X-Sum` | string, at most 9 characters | yes | Of \\| it. |",
        "| 200 | `application/json`: array of `Spine` | | All. |",
        "| 200 | `application/json`: [Book](#book) | `ETag`, `X-Note`? | The book. |",
        "| 404 | | | Nothing there. |",
        "object, without other members.",
        "| `title` | string, at most 9 characters | yes | Its title. |",
        "| `tags` | array of [Tag](#tag) | | |",
        "| `parts` | array of [Part](#part), ordered by `/size` as a number descending and then `/id`, no two with the same `/id` | | |",
        "| `odd` | one of null, `1` | | |",
        "string, matching `` ^`?a\\|b$ ``.",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
}

#[test]
fn every_link_leads_to_a_heading() {
    let text = reference();
    let headings = text.lines().filter_map(|line| line.strip_prefix("### "));
    let anchors: Vec<_> = headings.map(str::to_lowercase).collect();
    let mut links = text.split("](#").skip(1);
    assert!(links.clone().count() >= 2);
    assert!(links.all(|rest| {
        let anchor = rest.split(')').next().unwrap();
        anchors.iter().any(|known| known == anchor)
    }));
}
