//! Imports from text to an answer of the store.

use db::Db;
use serde_json::{Value, json};

use super::*;
use crate::database;

/// The kinds of lines in an order in which they can be imported, with their schemas.
pub(crate) fn schemas() -> Vec<(String, Value)> {
    let document: Value = serde_json::from_str(import_lines::OPENAPI).unwrap();
    let kinds = &document["components"]["schemas"]["Line"]["discriminator"]["mapping"];
    let schema = |kind: &String| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../import-schemas");
        let schema = std::fs::read(format!("{folder}/{kind}.schema.json")).unwrap();
        (kind.clone(), serde_json::from_slice(&schema).unwrap())
    };
    kinds.as_object().unwrap().keys().map(schema).collect()
}

/// The examples of all schemas.
fn examples() -> Vec<Value> {
    let of_schema = |(_, schema): (_, Value)| schema["examples"].as_array().unwrap().clone();
    schemas().into_iter().flat_map(of_schema).collect()
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

struct World {
    store: Db,
    _directory: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        let directory = tempfile::tempdir().unwrap();
        let store = database::open(&directory.path().join("catalogue.db")).unwrap();
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
    let versions = crate::database::versions(&world.store).await.unwrap();
    let (summary, _) = world.import(&text, OnRejection::Stop).await;
    assert_eq!(
        summary,
        Summary {
            unchanged: lines,
            ..Summary::default()
        }
    );
    assert_eq!(
        crate::database::versions(&world.store).await.unwrap(),
        versions
    );
    assert_eq!(
        crate::rollups::verification::verify_rollups(&world.store)
            .await
            .unwrap(),
        []
    );
}

#[tokio::test]
async fn bad_lines_are_reported_by_number_place_and_rule() {
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
        "line 2: is not JSON at column 2",
        "line 4: is nested too deeply at column 128",
        "line 5: /kind must be one of chain, charity, token,",
        "line 6: must be an object",
        "line 7: /name must have at most 200 characters",
        "line 8: /slug must be lowercase letters, digits and single hyphens, and neither a UUID",
        "line 9: /website must be an http or https URL",
        "line 10: /address has an invalid EIP-55 checksum",
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
async fn stopping_keeps_earlier_lines() {
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
        let catalogue = crate::catalogue::store::update(&world.store, None)
            .await
            .unwrap();
        assert_eq!(
            (
                catalogue.chains.rows().len(),
                catalogue.charities.rows().len()
            ),
            (1, 0)
        );
    }
}

#[tokio::test]
async fn a_line_that_the_store_refuses_stops_the_import() {
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

/// The summary and events of an import of `text` under a fixed name.
async fn resumed(world: &World, text: &str, on_rejection: OnRejection) -> (Summary, Vec<String>) {
    let mut told = Vec::new();
    let input = io::Cursor::new(text);
    let summary = resume(
        &world.store,
        "a file".into(),
        input,
        on_rejection,
        |event| {
            told.extend(match event {
                Event::Progress(_) | Event::Replaced => None,
                Event::Resumed(lines) => Some(format!("after {lines}")),
                Event::Changed => Some("changed".to_owned()),
                Event::Refused(bad) => Some(format!("refused {}", bad.line)),
            });
        },
    );
    (summary.await.unwrap(), told)
}

/// The examples, then `count` batches of donations.
fn batches(count: usize) -> Vec<String> {
    let mut lines = examples();
    let is_donation = |line: &&Value| line["kind"] == "donation";
    let given = lines.iter().find(is_donation).unwrap().clone();
    for number in 0..count * BATCH {
        let mut line = given.clone();
        line["transaction"] = json!(format!("0x{number:064x}"));
        lines.push(line);
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[tokio::test]
async fn an_interrupted_import_resumes_at_its_checkpoint() {
    let world = World::new();
    let mut lines = batches(2);
    let bad = lines.len() - 3;
    let good = std::mem::replace(&mut lines[bad], "{\n".to_owned());
    let refused = format!("refused {}", bad + 1);
    let (first, told) = resumed(&world, &lines.concat(), OnRejection::Stop).await;
    assert_eq!(told, [refused.as_str()]);
    assert_eq!(first.inserted, bad as u64);
    // Line numbers count from the start of the input, and a refused line is tried again.
    let after = 2 * BATCH;
    let told_again = [&format!("after {after}"), &refused];
    let (again, told) = resumed(&world, &lines.concat(), OnRejection::Stop).await;
    assert_eq!(told.iter().collect::<Vec<_>>(), told_again);
    assert_eq!((again.inserted, again.unchanged), (0, (bad - after) as u64));
    lines[bad] = good;
    let (last, told) = resumed(&world, &lines.concat(), OnRejection::Stop).await;
    assert_eq!(told, [format!("after {after}")]);
    assert_eq!(last.inserted, 3);
    // After the end of the input there is no checkpoint.
    let (whole, told) = resumed(&world, &lines.concat(), OnRejection::Stop).await;
    assert_eq!(told, [""; 0]);
    assert_eq!(whole.unchanged, lines.len() as u64);
}

#[tokio::test]
async fn a_changed_source_is_read_from_its_start() {
    let lines = batches(1);
    let text = lines.concat();
    let broken = format!("{text}{{");
    let change_of = |from: &str, to: &str| text.replacen(from, to, 1);
    for (changed, new) in [
        // A line is another one, has gone, has come, or all of them have.
        (
            change_of(&format!("0x{:064x}", 5), &format!("0x{:064x}", 9_999)),
            1,
        ),
        (change_of(&lines[lines.len() / 2], ""), 0),
        (format!("\n{text}"), 0),
        (lines[..20].concat(), 0),
        (String::new(), 0),
    ] {
        let world = World::new();
        resumed(&world, &broken, OnRejection::Stop).await;
        let (summary, told) = resumed(&world, &changed, OnRejection::Stop).await;
        assert_eq!(told, ["changed"]);
        assert_eq!(summary.inserted, new);
        let records = changed.lines().filter(|line| !line.is_empty()).count();
        assert_eq!(summary.inserted + summary.unchanged, records as u64);
    }
}

#[tokio::test]
async fn after_a_refused_line_no_line_is_skipped() {
    let world = World::new();
    let mut lines = batches(2);
    let unknown = lines[20].replace("\"config\":\"0x", "\"config\":\"0xff");
    lines[20] = unknown[..unknown.len() - 1].to_owned() + "\n";
    let broken = format!("{}{{", lines.concat());
    let (first, _) = resumed(&world, &broken, OnRejection::Continue).await;
    assert_eq!(first.refused, 2);
    let (_, told) = resumed(&world, &broken, OnRejection::Continue).await;
    assert!(
        told.iter().all(|told| !told.starts_with("after")),
        "{told:?}"
    );
    assert!(told.contains(&"refused 21".to_owned()), "{told:?}");
}

/// Waits until the catalogue has so many charities.
async fn charities(store: &Db, count: usize) {
    let start = std::time::Instant::now();
    while crate::catalogue::store::update(store, None)
        .await
        .unwrap()
        .charities
        .rows()
        .len()
        != count
    {
        assert!(start.elapsed().as_secs() < 20, "they never come");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

/// A line of a charity with a number, and its line feed.
fn charity_line(n: u32) -> String {
    let all = examples();
    let charity = all.iter().find(|line| line["kind"] == "charity").unwrap();
    let mut line = charity.clone();
    line["id"] = json!(format!("c0000000-0000-4000-8000-{n:012}"));
    line["slug"] = json!(format!("charity-{n}"));
    format!("{line}\n")
}

#[tokio::test]
async fn lines_of_a_growing_file_are_recorded_as_they_come() {
    use std::io::Write as _;
    let world = World::new();
    let (store, path) = (&world.store, world._directory.path().join("lines"));
    let mut file = std::fs::File::create(&path).unwrap();
    let line = charity_line;
    let follow_until = async |stop: tokio::sync::oneshot::Receiver<()>| {
        let mut resumed = None;
        let followed = follow(
            store,
            Followed::<io::Empty>::File(
                path.display().to_string(),
                std::fs::File::open(&path).unwrap(),
            ),
            OnRejection::Stop,
            Timestamp::now,
            |event| {
                if let Event::Resumed(lines) = event {
                    resumed = Some(lines);
                }
            },
            async { drop(stop.await) },
        );
        let summary = followed.await.unwrap();
        (summary.inserted, resumed)
    };
    file.write_all(line(1).as_bytes()).unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let growing = async {
        charities(store, 1).await;
        let (second, third) = (line(2), line(3));
        let (half, rest) = third.split_at(20);
        file.write_all(format!("{second}{half}").as_bytes())
            .unwrap();
        charities(store, 2).await;
        file.write_all(rest.as_bytes()).unwrap();
        charities(store, 3).await;
        stop.send(()).unwrap();
    };
    let (followed, ()) = tokio::join!(follow_until(stopped), growing);
    assert_eq!(followed, (3, None));

    // Followed again, it goes on where it was.
    file.write_all(line(4).as_bytes()).unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let growing = async {
        charities(store, 4).await;
        stop.send(()).unwrap();
    };
    let (followed, ()) = tokio::join!(follow_until(stopped), growing);
    assert_eq!(followed, (1, Some(3)));
}

#[tokio::test]
async fn a_followed_file_may_be_replaced_and_not_shortened() {
    use std::io::Write as _;
    let world = World::new();
    let (store, folder) = (&world.store, world._directory.path());
    let path = folder.join("lines");
    let mut former = std::fs::File::create(&path).unwrap();
    former.write_all(charity_line(1).as_bytes()).unwrap();
    let mut replaced = 0;
    let source = path.display().to_string();
    let followed = follow(
        store,
        Followed::<io::Empty>::File(source, std::fs::File::open(&path).unwrap()),
        OnRejection::Stop,
        Timestamp::now,
        |event| replaced += u32::from(matches!(event, Event::Replaced)),
        std::future::pending(),
    );
    let replacing = async {
        charities(store, 1).await;
        std::fs::rename(&path, folder.join("lines.1")).unwrap();
        std::fs::write(&path, charity_line(2)).unwrap();
        former.write_all(charity_line(3).as_bytes()).unwrap();
        charities(store, 3).await;
        std::fs::write(&path, "").unwrap();
    };
    let (followed, ()) = tokio::join!(followed, replacing);
    let error = followed.unwrap_err();
    let ImportError::Input(error) = error else {
        panic!("{error}");
    };
    assert!(error.to_string().contains("shorter"), "{error}");
    assert_eq!(replaced, 1);
}

#[tokio::test]
async fn a_followed_pipe_ends() {
    let world = World::new();
    let text = text(&examples());
    let lines = text.lines().count() as u64;
    let input = Followed::Pipe(io::Cursor::new(text));
    let (stop, observe) = (std::future::pending(), |_: Event<'_>| ());
    let now = Timestamp::now;
    let followed = follow(&world.store, input, OnRejection::Stop, now, observe, stop);
    assert_eq!(followed.await.unwrap().inserted, lines);
}
