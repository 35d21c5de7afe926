//! A file to import that somebody else has written.

use serde_json::{Value, json};

use crate::faults::fault::Fault;
use crate::faults::requests::get;
use crate::folder::Folder;
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

/// Writes these lines to a file of this name; the arguments that import it.
fn import<'a>(folder: &Folder, name: &'a str, lines: &[Value]) -> [&'a str; 4] {
    let file = folder.write(name, &text(lines));
    ["import", "--on-error", "continue", file]
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

pub(super) fn a_file_that_writes_to_the_terminal(fault: &mut Fault) {
    let folder = Folder::new();
    for acting in ACTING {
        let mut odd = charity("A charity");
        odd[acting] = json!(1);
        let forged = json!({ "kind": format!("x\nline 7: {acting}") });
        let lines = [odd, forged, json!({ "kind": acting }), json!(acting)];
        let name = format!("lines{acting}.ndjson");
        let said = fault.run("its `import`", &folder, &import(&folder, &name, &lines));
        let said = said.stderr;
        let acts = |c: char| c != '\n' && (c.is_control() || ('\u{202a}'..'\u{202f}').contains(&c));
        assert!(!said.contains(acts), "{said:?}");
        assert!(!said.contains("\nline 7"), "{said:?}");
    }
}

pub(super) fn names_that_turn_text_around_or_hide_controls(fault: &mut Fault) {
    let folder = furnished();
    for acting in ["\u{202e}", "\u{2066}", "\u{85}", "\u{9b}", "\u{1b}"] {
        let lines = [charity(&format!("Safe {acting} haven"))];
        let arguments = import(&folder, "odd.ndjson", &lines);
        fault.run("`import` of one", &folder, &arguments);
        let name = format!("A {acting} customer");
        let arguments = ["project", "create", &name, "--tier", "free"];
        fault.run("`project create` with one", &folder, &arguments);
    }
    let lines = [charity("בית מחסה — Zuflucht 安全\u{200f}")];
    let arguments = import(&folder, "fine.ndjson", &lines);
    fault.run("`import` of a name in several scripts", &folder, &arguments);
    let serving = serve(&folder, &[]);
    let asked = "the charity of that name";
    fault.request(asked, &serving, get("/charities", ""));
}
