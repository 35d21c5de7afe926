//! Imports from text to an answer of the store.

use serde_json::{Value, json};

use super::*;

/// The examples of all schemas, in an order in which they can be imported.
fn examples() -> Vec<Value> {
    let of_kind = |kind: Kind| {
        let schema: Value = serde_json::from_str(kind.schema()).unwrap();
        schema["examples"].as_array().unwrap().clone()
    };
    Kind::ALL.into_iter().flat_map(of_kind).collect()
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

struct World {
    store: Store,
    _directory: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("catalogue.db")).unwrap();
        World {
            store,
            _directory: directory,
        }
    }

    async fn import(&self, text: &str, on_rejection: OnRejection) -> (Summary, Vec<String>) {
        let mut refused = Vec::new();
        let summary = run(&self.store, text.as_bytes(), on_rejection, |event| {
            if let Event::Refused(bad) = event {
                refused.push(bad.to_string());
            }
        });
        (summary.await.unwrap(), refused)
    }
}

#[tokio::test]
async fn the_examples_are_imported_and_once_is_enough() {
    let world = World::new();
    let text = text(&examples());
    let lines = text.lines().count() as u64;
    let (summary, refused) = world.import(&text, OnRejection::Stop).await;
    assert_eq!(refused, [""; 0]);
    assert_eq!(
        summary,
        Summary {
            inserted: lines,
            ..Summary::default()
        }
    );
    let versions = world.store.versions().await.unwrap();
    let (summary, _) = world.import(&text, OnRejection::Stop).await;
    assert_eq!(
        summary,
        Summary {
            unchanged: lines,
            ..Summary::default()
        }
    );
    assert_eq!(world.store.versions().await.unwrap(), versions);
    assert_eq!(world.store.verify_rollups().await.unwrap(), []);
}

#[tokio::test]
async fn bad_lines_are_told_by_number_place_and_rule() {
    let world = World::new();
    let [chain, charity, token] = &examples()[..3] else {
        panic!("three kinds")
    };
    let with = |line: &Value, member: &str, value: Value| {
        let mut line = line.clone();
        line[member] = value;
        line.to_string()
    };
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let lines = [
        chain.to_string(),
        "not JSON".to_owned(),
        String::new(),
        deep,
        "{\"kind\":\"planet\"}".to_owned(),
        "[]".to_owned(),
        with(charity, "name", json!("x".repeat(201))),
        with(
            charity,
            "slug",
            json!("0191e5a0-1111-7000-8000-000000000001"),
        ),
        with(charity, "website", json!("javascript:alert(1)")),
        with(
            token,
            "address",
            json!("0x6b175474E89094C44Da98b954EedeAC495271d0F"),
        ),
        with(token, "chainId", json!(7)),
        token.to_string(),
        "x".repeat((1 << 20) + 1),
        charity.to_string(),
    ];
    let (summary, refused) = world.import(&lines.join("\n"), OnRejection::Continue).await;
    assert_eq!(
        (summary.inserted, summary.refused, summary.stopped),
        (3, 10, false)
    );
    for (refused, expected) in refused.iter().zip([
        "line 2: is not JSON: expected ident at line 1 column 2",
        "line 4: is not JSON: recursion limit exceeded at line 1 column 128",
        "line 5: /kind is none of chain, charity,",
        "line 6: /kind is none of chain, charity,",
        "line 7: /name it is longer than 200 characters",
        "line 8: /slug ",
        "line 9: /website ",
        "line 10: /address has a wrong EIP-55 checksum",
        "line 11: /chainId names no chain that is recorded",
        "line 13: is longer than 1 MiB",
    ]) {
        assert!(refused.starts_with(expected), "{refused} is not {expected}");
    }
}

#[tokio::test]
async fn bytes_that_are_not_text_are_a_bad_line() {
    let world = World::new();
    let mut refused = Vec::new();
    let input = &b"{\"kind\":\"\xff\"}\n\xff\xfe\n"[..];
    run(&world.store, input, OnRejection::Continue, |event| {
        if let Event::Refused(bad) = event {
            refused.push(bad.line);
        }
    })
    .await
    .unwrap();
    assert_eq!(refused, [1, 2]);
}

#[tokio::test]
async fn stopping_keeps_what_came_before() {
    let world = World::new();
    let examples = examples();
    let [chain, charity, token] = &examples[..3] else {
        panic!("three kinds")
    };
    for bad in [
        "nonsense".to_owned(),
        token.to_string().replace("\"chainId\":1", "\"chainId\":2"),
    ] {
        let text = format!("{chain}\n{bad}\n{charity}\n");
        let (summary, refused) = world.import(&text, OnRejection::Stop).await;
        assert_eq!(
            (summary.refused, summary.stopped, refused.len()),
            (1, true, 1)
        );
        assert!(refused[0].starts_with("line 2: "), "{refused:?}");
        let catalogue = world.store.catalogue().await.unwrap();
        assert_eq!((catalogue.chains.len(), catalogue.charities.len()), (1, 0));
    }
}

#[tokio::test]
async fn what_the_store_refuses_stops_there_too() {
    let world = World::new();
    let examples = examples();
    let donations: Vec<_> = examples
        .iter()
        .filter(|line| line["kind"] == "donation")
        .collect();
    let text = format!("{}\n{}\n{}\n", examples[0], donations[0], examples[1]);
    let (summary, refused) = world.import(&text, OnRejection::Stop).await;
    assert_eq!(
        (summary.inserted, summary.refused, summary.stopped),
        (1, 1, true)
    );
    assert_eq!(refused, ["line 2: /token names nothing that is recorded"]);
}
