//! A small world to import: a catalogue, a customer and as many donations as a test wants.

use serde_json::{Value, json};
use server::demo;

use crate::folder::Folder;

/// The project of the world.
pub(crate) const PROJECT: &str = "0191e5a0-2222-7000-8000-000000000001";

/// The charity of the world.
pub(crate) const CHARITY: &str = "0191e5a0-1111-7000-8000-000000000001";

/// The sum of one generated donation, in millionths of a dollar.
pub(crate) const SUM: usize = 1_000_000;

/// One line of each kind but donations, in an order in which they can be imported: the examples of
/// the import schemas.
pub(crate) fn catalogue() -> Vec<Value> {
    let document: Value = serde_json::from_str(import_lines::OPENAPI).unwrap();
    let kinds = &document["components"]["schemas"]["Line"]["discriminator"]["mapping"];
    let kinds = kinds.as_object().unwrap().keys();
    let kinds = kinds.filter(|kind| *kind != "donation");
    kinds.flat_map(|kind| examples(kind)).collect()
}

fn examples(kind: &str) -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/import-schemas");
    let schema = std::fs::read(format!("{folder}/{kind}.schema.json")).unwrap();
    let schema: Value = serde_json::from_slice(&schema).unwrap();
    schema["examples"].as_array().unwrap().clone()
}

/// `count` distinct donations, the same in every run.
pub(crate) fn donations(count: usize) -> Vec<Value> {
    let example = examples("donation")[0].clone();
    let donation = |number: usize| {
        let mut line = example.clone();
        line["transaction"] = json!(format!("0x{number:064x}"));
        line["usdE6"] = json!(SUM.to_string());
        line
    };
    (0..count).map(donation).collect()
}

/// The lines of a file.
pub(crate) fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A folder whose database holds the catalogue.
pub(crate) fn furnished() -> Folder {
    let folder = Folder::new();
    furnish(&folder);
    folder
}

/// Puts the catalogue into the folder's database.
pub(crate) fn furnish(folder: &Folder) {
    let file = folder.write("catalogue.ndjson", &text(&catalogue()));
    folder.ask(&["import", file]);
}

/// The demonstration's lines, a larger world with all that occurs.
pub(crate) fn demonstration() -> String {
    let now = "2026-11-20T10:00:00.123Z".parse().unwrap();
    text(&demo::lines(now).unwrap())
}
