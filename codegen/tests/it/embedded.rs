//! Crates that generate a module in their build scripts compile without a warning, offline.

use crate::compile::{cargo, read, repository, write};
use crate::expected::folder;
use crate::pages::blocks;
use std::path::{Path, PathBuf};
use std::process::Output;

const BOOKS: &str = r#"openapi: 3.1.1
info: { title: Books, version: 1.0.0 }
paths:
  /books/{isbn}:
    get:
      operationId: getBook
      tags: [books]
      parameters: [{ name: isbn, in: path, required: true, schema: { type: string } }]
      responses:
        "200":
          description: The book.
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
components: { schemas: { Book: { $ref: "book.yaml" } } }
"#;

const BOOK: &str = "{ type: object, required: [title], properties: { title: { type: string } } }\n";

/// A server of the module, called without a network.
const CALL: &str = r##"
use embedding::shop::api::books::{BooksApi, GetBookResponse};
use embedding::shop::{HandlerError, Host, models::Book, service};

struct Shop;

impl Host for Shop {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Shop {}

impl BooksApi for Shop {
    async fn get_book(&self, isbn: String) -> Result<GetBookResponse, HandlerError> {
        Ok(GetBookResponse::Ok { body: Book { title: format!("No. {isbn}") }.into() })
    }
}

#[tokio::test]
async fn the_module_serves() {
    let mut service = service::service(std::sync::Arc::new(Shop), Default::default());
    let request = http::Request::get("/books/7").body(axum::body::Body::empty()).unwrap();
    let answer = tower_service::Service::call(&mut service, request).await.unwrap();
    let body = axum::body::to_bytes(answer.into_body(), 100).await.unwrap();
    assert_eq!(body, r#"{"title":"No. 7"}"#);
}
"##;

/// Each of two documents with webhooks, callbacks, files and streams, as a module of some features.
const EVERYTHING: &str = r#"
use codegen::{Build, BuildError, Feature::{Client, Server}};

fn main() -> Result<(), BuildError> {
    for document in ["outgoing", "streams"] {
        let build = Build::new(format!("{document}.yaml")).strict();
        build.clone().module(&format!("{document}-all"))?;
        build.clone().features(&[Client]).module(&format!("{document}-client"))?;
        build.clone().features(&[Server]).module(&format!("{document}-server"))?;
        build.features(&[]).module(&format!("{document}-types"))?;
    }
    Ok(())
}
"#;

/// A package below the target folder whose codegen and runtime are this repository's.
fn package(name: &str, dependencies: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("embedded")
        .join(name);
    let here = env!("CARGO_MANIFEST_DIR");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n\n{dependencies}\n\
         [patch.crates-io]\n\
         openapi-crate-codegen = {{ path = \"{here}\" }}\n\
         openapi-crate-runtime = {{ path = \"{here}/runtime\" }}\n"
    );
    write(&root.join("Cargo.toml"), &manifest);
    write(
        &root.join("Cargo.lock"),
        &read(&repository().join("Cargo.lock")),
    );
    root
}

/// Runs cargo, and returns its output.
fn run(command: &str, root: &Path) -> (bool, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = cargo(command, root).output().unwrap();
    let (stdout, stderr) = (
        String::from_utf8_lossy(&stdout),
        String::from_utf8_lossy(&stderr),
    );
    (status.success(), format!("{stdout}{stderr}"))
}

/// The blocks of the section about build scripts.
fn section(language: &str) -> Vec<String> {
    let page = read(&repository().join("codegen/README.md"));
    blocks(&page, Some("In a build script"), language)
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn the_build_script_of_the_readme_makes_a_module_that_serves() {
    let dependencies = section("toml").concat();
    let own = "[dev-dependencies]\naxum = { version = \"0.8\", default-features = false }\n\
               tokio = { version = \"1\", features = [\"macros\", \"rt\"] }\ntower-service = \"0.3\"\n";
    let root = package("embedding", &format!("{dependencies}\n{own}"));
    let [build, lib] = section("rust").try_into().unwrap();
    write(&root.join("build.rs"), &build);
    write(&root.join("src/lib.rs"), &lib);
    write(&root.join("tests/shop.rs"), CALL);
    write(&root.join("openapi.yaml"), BOOKS);
    write(&root.join("book.yaml"), BOOK);
    let (passed, said) = run("test", &root);
    assert!(passed && said.contains("1 passed"), "{said}");

    // Another file of the document changes: the script runs again, and cargo shows its warning.
    write(&root.join("book.yaml"), &BOOK.replace("[title]", "title"));
    let (passed, said) = run("check", &root);
    assert!(
        passed && said.contains("book.yaml:1:17: expected an array"),
        "{said}"
    );

    // What is no document ends the build, with its diagnostics.
    write(
        &root.join("openapi.yaml"),
        &BOOKS.replace("paths:", "paths: ["),
    );
    let (passed, said) = run("check", &root);
    assert!(
        !passed && said.contains("Error: the document is wrong"),
        "{said}"
    );
    assert!(said.contains("openapi.yaml:"), "{said}");
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn a_module_of_any_features_compiles_without_a_warning_wherever_it_stands() {
    let dependencies = section("toml").concat();
    let root = package(
        "everything",
        &dependencies.replace("http = \"1\"\n", "fluent-uri = \"0.4\"\nhttp = \"1\"\n"),
    );
    write(&root.join("build.rs"), EVERYTHING);
    let mut lib =
        String::from("#![warn(missing_docs, unreachable_pub)]\n//! All of it.\nmod inner {\n");
    for document in ["outgoing", "streams"] {
        let contract = folder("behaviour").join(format!("{document}.yaml"));
        write(&root.join(format!("{document}.yaml")), &read(&contract));
        for part in ["all", "client", "server", "types"] {
            let path = format!("/{document}-{part}/src/mod.rs");
            let included = format!("include!(concat!(env!(\"OUT_DIR\"), \"{path}\"));");
            lib.push_str(&format!("    mod {document}_{part} {{ {included} }}\n"));
        }
    }
    write(&root.join("src/lib.rs"), &(lib + "}\n"));
    let (passed, said) = run("check", &root);
    assert!(passed, "{said}");
}
