//! Tests of `diff`: finding the two contracts, the report, and the exit status.

use crate::sandbox::{CONTRACT, Outcome, Sandbox};

/// A repository whose main branch has the contract only.
fn repository() -> Sandbox {
    let sandbox = Sandbox::new(CONTRACT);
    sandbox.git(&["init", "--quiet", "--initial-branch=main"]);
    commit(&sandbox);
    sandbox
}

fn commit(sandbox: &Sandbox) {
    sandbox.git(&["add", "."]);
    sandbox.git(&["commit", "--quiet", "--message=c"]);
}

/// The contract with shorter identifiers.
fn narrower() -> String {
    CONTRACT.replace("maxLength: 17", "maxLength: 13")
}

#[track_caller]
fn breaks(outcome: &Outcome) {
    assert_eq!(outcome.code, 1, "{}{}", outcome.stdout, outcome.stderr);
    let wanted = "breaking[request-parameter-maxLength]: GET /books/{isbn}, path parameter `isbn`";
    assert!(outcome.stdout.contains(wanted), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("= witness: GET /books/"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn compares_with_a_file() {
    let sandbox = Sandbox::new(&narrower());
    sandbox.write("old.yaml", CONTRACT);
    breaks(&sandbox.run(&["diff", "old.yaml"]));
    let back = ["diff", "spec/openapi.yaml", "--spec", "old.yaml"];
    assert_eq!(sandbox.run(&back).code, 0);
}

#[test]
fn compares_with_a_revision() {
    let sandbox = repository();
    sandbox.write("spec/openapi.yaml", &narrower());
    commit(&sandbox);
    breaks(&sandbox.run(&["diff", "HEAD~1"]));
    assert_eq!(sandbox.run(&["diff", "HEAD"]).code, 0);
    let outcome = sandbox.run(&["diff", "no-such-branch"]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("name a file or a git revision"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn compares_with_the_place_where_the_branch_left_main() {
    let sandbox = repository();
    sandbox.git(&["checkout", "--quiet", "-b", "topic"]);
    sandbox.write("spec/openapi.yaml", &narrower());
    breaks(&sandbox.run(&["diff"]));
    commit(&sandbox);
    breaks(&sandbox.run(&["diff"]));
    // Later commits of main do not count as changes of the branch.
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.write("spec/openapi.yaml", &CONTRACT.replace("/books/", "/tomes/"));
    commit(&sandbox);
    sandbox.git(&["checkout", "--quiet", "topic"]);
    let outcome = sandbox.run(&["diff"]);
    breaks(&outcome);
    assert!(!outcome.stdout.contains("tomes"), "{}", outcome.stdout);
}

#[test]
fn on_main_the_last_commit_or_uncommitted_changes_are_compared() {
    let sandbox = repository();
    let first = sandbox.run(&["diff"]);
    assert_eq!(first.code, 2);
    assert!(
        first.stderr.contains("this is the first commit"),
        "{}",
        first.stderr
    );
    sandbox.write("spec/openapi.yaml", &narrower());
    breaks(&sandbox.run(&["diff"]));
    commit(&sandbox);
    breaks(&sandbox.run(&["diff"]));
}

/// Moves the schema of identifiers out of the contract, into two files that refer to each other.
fn divide(sandbox: &Sandbox, contract: &str) {
    let (before, after) = contract.split_once("{ type: string, maxLength").unwrap();
    let (length, after) = after.split_once('}').unwrap();
    let reference = r#"{ $ref: "../shared/isbn.yaml" }"#;
    sandbox.write("spec/openapi.yaml", &format!("{before}{reference}{after}"));
    let isbn = r#"{ $ref: "types/text.yaml#/Isbn" }"#;
    sandbox.write("shared/isbn.yaml", isbn);
    let text = format!("Isbn: {{ type: string, maxLength{length}}}");
    sandbox.write("shared/types/text.yaml", &text);
}

#[test]
fn compares_contracts_of_several_files() {
    let sandbox = repository();
    divide(&sandbox, CONTRACT);
    let divided = sandbox.run(&["diff", "HEAD"]);
    assert_eq!(divided.code, 0, "{}{}", divided.stdout, divided.stderr);
    commit(&sandbox);
    divide(&sandbox, &narrower());
    breaks(&sandbox.run(&["diff", "HEAD"]));
    // Nothing but a file that is referred to is being written.
    breaks(&sandbox.run(&["diff"]));
    commit(&sandbox);
    breaks(&sandbox.run(&["diff", "HEAD~1"]));
    sandbox.write("old/spec/openapi.yaml", &CONTRACT.replace("17", "13"));
    let joined = sandbox.run(&["diff", "old/spec/openapi.yaml"]);
    assert_eq!(joined.code, 0, "{}{}", joined.stdout, joined.stderr);
}

#[test]
fn a_file_that_was_not_committed_is_named() {
    let sandbox = Sandbox::new("");
    divide(&sandbox, CONTRACT);
    sandbox.git(&["init", "--quiet", "--initial-branch=main"]);
    sandbox.git(&["add", "spec", "shared/isbn.yaml"]);
    sandbox.git(&["commit", "--quiet", "--message=c"]);
    let outcome = sandbox.run(&["diff", "main"]);
    assert_eq!(outcome.code, 2, "{}", outcome.stdout);
    for expected in [
        "`types/text.yaml#/Isbn` is in a file that was not read\n --> ../shared/isbn.yaml:1:",
        "error: main:./spec/openapi.yaml cannot be compared",
    ] {
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    }
}

/// Other files of the document refer to it by its own name.
#[test]
fn a_contract_beside_which_all_stands_is_referred_to_by_its_files() {
    let sandbox = Sandbox::new("");
    let (reference, other) = ("\"#/components/schemas/Book\"", "\"book.yaml\"");
    let api = CONTRACT.replacen(reference, other, 1);
    sandbox.write("api.yaml", &api);
    sandbox.write(
        "book.yaml",
        "{ $ref: \"api.yaml#/components/schemas/Book\" }",
    );
    sandbox.git(&["init", "--quiet", "--initial-branch=main"]);
    commit(&sandbox);
    let outcome = sandbox.run(&["diff", "main", "--spec", "api.yaml"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
}

#[test]
fn a_shallow_clone_is_told_how_to_fetch_its_history() {
    let sandbox = repository();
    sandbox.write("spec/openapi.yaml", &narrower());
    commit(&sandbox);
    let url = format!("file://{}", sandbox.path(".").display());
    let clone = Sandbox::new("");
    std::fs::remove_dir_all(clone.path("spec")).unwrap();
    std::fs::remove_file(clone.path("openapi-crate.toml")).unwrap();
    clone.git(&["clone", "--quiet", "--depth=1", &url, "."]);
    let outcome = clone.run(&["diff"]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("fetch-depth: 0"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_new_major_version_may_break() {
    let sandbox = repository();
    let major = narrower().replace("version: 1.0.0", "version: 2.0.0");
    sandbox.write("spec/openapi.yaml", &major);
    let outcome = sandbox.run(&["diff"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("1.0.0 → 2.0.0: 1 breaking"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn writes_markdown_and_json() {
    let sandbox = Sandbox::new(&narrower());
    sandbox.write("old.yaml", CONTRACT);
    let markdown = sandbox.run(&["diff", "old.yaml", "--format", "markdown"]);
    assert!(
        markdown.stdout.contains("\n## Breaking\n"),
        "{}",
        markdown.stdout
    );
    let json = sandbox.run(&["diff", "old.yaml", "--format", "json"]);
    assert!(
        json.stdout.contains("\"severity\":\"breaking\""),
        "{}",
        json.stdout
    );
    assert_eq!((markdown.code, json.code), (1, 1));
}

#[test]
fn findings_for_programs_are_at_their_operations() {
    let sandbox = Sandbox::new(&narrower());
    sandbox.write("old.yaml", CONTRACT);
    let github = sandbox.run(&["diff", "old.yaml", "--format", "github"]);
    let line = "::error file=spec/openapi.yaml,line=5,col=5,title=request-parameter-maxLength::GET /books/";
    assert!(github.stdout.starts_with(line), "{}", github.stdout);
    let sarif = sandbox.run(&["diff", "old.yaml", "--format", "sarif"]);
    assert!(
        sarif.stdout.contains(r#""startLine":5"#),
        "{}",
        sarif.stdout
    );
    assert_eq!((github.code, sarif.code), (1, 1));
}

/// A contract with a webhook, a callback, and an operation in another file.
const OUTGOING: &str = r##"openapi: 3.1.1
info: { title: Shelf, version: 1.0.0 }
paths:
  /shelves: { $ref: "paths/shelves.yaml" }
  /orders:
    post:
      operationId: orders.create
      responses: { "204": { description: Done. } }
      callbacks:
        shipped:
          "https://example.org/shipped":
            post:
              requestBody: { content: { application/json: { schema: { type: string, maxLength: 3 } } } }
              responses: { "204": { description: Done. } }
webhooks:
  lent:
    post:
      requestBody: { content: { application/json: { schema: { type: string, maxLength: 5 } } } }
      responses: { "204": { description: Done. } }
"##;

#[test]
fn changes_of_webhooks_callbacks_and_other_files_are_at_their_operations() {
    let sandbox = Sandbox::new("");
    let shelves = |max: u8| {
        format!(
            "get:\n  operationId: shelves.list\n  responses: {{ \"200\": {{ description: All., content: \
             {{ text/plain: {{ schema: {{ type: string, maxLength: {max} }} }} }} }} }}\n"
        )
    };
    sandbox.write("old/api.yaml", OUTGOING);
    sandbox.write("old/paths/shelves.yaml", &shelves(7));
    let new = OUTGOING
        .replace("maxLength: 3", "maxLength: 4")
        .replace("maxLength: 5", "maxLength: 6");
    sandbox.write("new/api.yaml", &new);
    sandbox.write("new/paths/shelves.yaml", &shelves(8));
    let command = ["diff", "old/api.yaml", "--spec", "new/api.yaml"];
    let outcome = sandbox.run(&[&command[..], &["--format", "github"]].concat());
    for place in [
        "file=new/api.yaml,line=12,col=13,title=callback-body-maxLength",
        "file=new/api.yaml,line=17,col=5,title=webhook-body-maxLength",
        "file=new/paths/shelves.yaml,line=1,col=1,title=response-body-maxLength",
    ] {
        assert!(outcome.stdout.contains(place), "{place}: {outcome:?}");
    }
}

#[test]
fn an_entry_that_accepts_no_change_is_named_with_its_operation_and_place() {
    let sandbox = Sandbox::new(&narrower());
    sandbox.write("old.yaml", CONTRACT);
    sandbox.write(
        "spec/accepted-breaks.yaml",
        "- { kind: operation-removed, operation: GET /a, place: GET /a, reason: Unused. }\n",
    );
    let outcome = sandbox.run(&["diff", "old.yaml"]);
    let expected = "spec/accepted-breaks.yaml: the entry `operation-removed` (operation `GET /a`, place \
                    `GET /a`) accepts no change of this comparison; remove it\n";
    assert!(outcome.stderr.contains(expected), "{outcome:?}");
}

/// The repository around a contract has any layout, and the command runs in any folder of it.
#[test]
fn a_revision_is_of_the_repository_that_the_contract_lies_in() {
    let sandbox = Sandbox::new("");
    sandbox.write("team/api/openapi.yaml", CONTRACT);
    sandbox.write("team/api/openapi-crate.toml", "");
    sandbox.git(&["init", "--quiet", "--initial-branch=main"]);
    commit(&sandbox);
    sandbox.write("team/api/openapi.yaml", &narrower());
    let mut command = sandbox.command(&["diff", "HEAD"]);
    let outcome = command.current_dir(sandbox.path("team/api")).output();
    assert_eq!(outcome.unwrap().status.code(), Some(1));
    breaks(&sandbox.run(&["diff", "HEAD", "--spec", "team/api/openapi.yaml"]));
    breaks(&sandbox.run(&["diff", "--settings", "team/api/openapi-crate.toml"]));
}

#[test]
fn a_document_that_is_none_is_shown() {
    let sandbox = Sandbox::new(CONTRACT);
    sandbox.write("old.yaml", "openapi: [");
    let outcome = sandbox.run(&["diff", "old.yaml"]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("old.yaml cannot be compared"),
        "{}",
        outcome.stderr
    );
}
