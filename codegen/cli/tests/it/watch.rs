//! `gen --watch`: one long run that follows its document, in as many files as it has.

use crate::sandbox::{CONTRACT, Sandbox};
use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStderr, Command, Stdio};

/// A run of `gen --watch` that is ended when the test is, whether it passes or not.
struct Watch {
    running: Child,
    lines: Lines<BufReader<ChildStderr>>,
}

impl Watch {
    fn start(sandbox: &Sandbox) -> Watch {
        let mut command = sandbox.command(&["gen", "--watch"]);
        let mut running = command.stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(running.stderr.take().unwrap()).lines();
        Watch { running, lines }
    }

    /// Reads until a line that contains a text.
    #[track_caller]
    fn wait_for(&mut self, wanted: &str) {
        let found = (self.lines.by_ref()).any(|line| line.unwrap().contains(wanted));
        assert!(found, "it ended before it said {wanted:?}");
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.running.kill();
        let _ = self.running.wait();
    }
}

#[test]
fn generates_after_each_change_until_it_is_interrupted() {
    let sandbox = Sandbox::new(CONTRACT);
    let mut watch = Watch::start(&sandbox);
    watch.wait_for("Generated");
    let models = sandbox.read("generated/src/models.rs");

    sandbox.write("spec/openapi.yaml", "paths: [");
    watch.wait_for("error[syntax]");
    assert_eq!(sandbox.read("generated/src/models.rs"), models);

    let changed = CONTRACT.replace("title: { type", "pages: { type: integer }, title: { type");
    sandbox.write("spec/openapi.yaml", &changed);
    watch.wait_for("Generated");
    assert!(
        sandbox
            .read("generated/src/models.rs")
            .contains("pub pages")
    );

    let id = watch.running.id().to_string();
    let interrupt = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(interrupt.success());
    assert!(!watch.running.wait().unwrap().success());
}

#[test]
fn watching_writes_and_checking_does_not() {
    let sandbox = Sandbox::new(CONTRACT);
    let outcome = sandbox.run(&["gen", "--watch", "--check"]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("cannot be used with"),
        "{}",
        outcome.stderr
    );
}

/// A contract whose schemas are in a file of their own.
const PARTS: &str = r##"openapi: 3.1.1
info: { title: Shelf, version: 1.0.0 }
paths:
  /books:
    get:
      operationId: books.list
      responses:
        "200":
          description: The books.
          content: { application/json: { schema: { $ref: "schemas/book.yaml#/Book" } } }
"##;

#[test]
fn follows_every_file_of_a_document_those_that_appear_included() {
    let sandbox = Sandbox::new(PARTS);
    let mut watch = Watch::start(&sandbox);
    watch.wait_for("book.yaml");
    watch.wait_for("nothing was generated");

    // The file that was missing appears.
    let book = "Book: { type: object, properties: { title: { type: string } } }";
    sandbox.write("spec/schemas/book.yaml", book);
    watch.wait_for("Generated");

    // It refers to another, which an editor puts in place by a rename.
    sandbox.write("spec/schemas/new", "type: string\nmaxLength: 7\n");
    fs::rename(
        sandbox.path("spec/schemas/new"),
        sandbox.path("spec/schemas/isbn.yaml"),
    )
    .unwrap();
    let more = book.replace("title:", "isbn: { $ref: isbn.yaml }, title:");
    sandbox.write("spec/schemas/book.yaml", &more);
    watch.wait_for("Generated");
    assert!(sandbox.read("generated/src/models.rs").contains("pub isbn"));

    // The third file is watched by now: a mistake in it is reported, and gone after it is fixed.
    sandbox.write("spec/schemas/isbn.yaml", "type: [");
    watch.wait_for("error[syntax]");
    sandbox.write("spec/schemas/isbn.yaml", "type: boolean\n");
    watch.wait_for("Generated");
    assert!(sandbox.read("generated/src/models.rs").contains("= bool;"));
}
