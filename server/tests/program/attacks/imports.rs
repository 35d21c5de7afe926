//! A file to import that somebody else has written.

use serde_json::{Value, json};

use crate::folder::{Folder, Outcome};
use crate::serving::serve;
use crate::world::{catalogue, furnished, text};

/// Characters that act on a terminal: to clear it, to name its window, in one byte of C1, to turn text
/// around.
const ACTING: [&str; 4] = [
    "\u{1b}[2J",
    "\u{1b}]0;named\u{7}",
    "\u{9b}31m",
    "\u{202e}txt",
];

/// Imports these lines from a file of this name.
fn import(folder: &Folder, name: &str, lines: &[Value]) -> Outcome {
    let file = folder.write(name, &text(lines));
    folder.run(&["import", "--on-error", "continue", file])
}

/// The world's charity under another name.
fn charity(name: &str) -> Value {
    let mut charity = catalogue()
        .into_iter()
        .find(|line| line["kind"] == "charity")
        .unwrap();
    charity["name"] = json!(name);
    charity
}

#[test]
fn a_file_that_is_imported_does_not_write_to_the_terminal() {
    let folder = Folder::new();
    for acting in ACTING {
        let mut odd = charity("A charity");
        odd[acting] = json!(1);
        let forged = json!({ "kind": format!("x\nline 7: {acting}") });
        let lines = [odd, forged, json!({ "kind": acting }), json!(acting)];
        let outcome = import(&folder, &format!("lines{acting}.ndjson"), &lines);
        assert_eq!(outcome.code, Some(1));
        let said = outcome.stderr;
        assert!(said.contains("4 refused"), "{said}");
        let acts = |c: char| c != '\n' && (c.is_control() || ('\u{202a}'..'\u{202f}').contains(&c));
        assert!(!said.contains(acts), "{said:?}");
        assert!(!said.contains("\nline 7"), "{said:?}");
    }
}

#[test]
fn names_that_turn_text_around_or_hide_controls_are_neither_imported_nor_served() {
    let folder = furnished();
    for acting in ["\u{202e}", "\u{2066}", "\u{85}", "\u{9b}", "\u{1b}"] {
        let outcome = import(
            &folder,
            "odd.ndjson",
            &[charity(&format!("Safe {acting} haven"))],
        );
        assert_eq!(outcome.code, Some(1), "{acting:?}");
        let why = "line 1: /name has a control character, or one that overrides";
        assert!(outcome.stderr.contains(why), "{}", outcome.stderr);
        let name = format!("A {acting} customer");
        let created = folder.run(&["project", "create", &name, "--tier", "free"]);
        assert_eq!(created.code, Some(1), "{acting:?}");
    }
    let outcome = import(
        &folder,
        "fine.ndjson",
        &[charity("בית מחסה — Zuflucht 安全\u{200f}")],
    );
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let serving = serve(&folder, &[]);
    assert!(serving.get("/charities", None).body.contains("Zuflucht"));
}
