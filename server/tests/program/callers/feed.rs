//! The Atom feed in two readers.

use atom_syndication::Feed;
use serde_json::{Value, json};

use crate::folder::Folder;
use crate::serving::{Serving, serve};

/// A script that prints a feed as feedparser parses it, in the format of [`seen`], and the statuses of
/// a first and a conditional read.
const READER: &str = r#"
import feedparser, json, os
url = os.environ["FEED"]
read = feedparser.parse(url)
assert not read.bozo, read.bozo_exception
again = feedparser.parse(url, etag=read.etag)
entry = lambda e: {
    "id": e.id, "title": e.title, "updated": e.updated, "summary": e.summary,
    "links": [link.href for link in e.links], "categories": [tag.term for tag in e.tags],
}
feed = read.feed
print(json.dumps({
    "version": read.version, "statuses": [read.status, again.status],
    "id": feed.id, "title": feed.title, "updated": feed.updated, "authors": [a.name for a in feed.authors],
    "links": sorted(link.href for link in feed.links), "entries": [entry(e) for e in read.entries],
}))
"#;

#[test]
fn two_readers_see_the_same_feed() {
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let text = serving.get("/charities/feed.atom", None).body;
    let feed = Feed::read_from(text.as_bytes()).unwrap();
    let seen = seen(&feed);
    assert_eq!(feed.entries.len(), 50);
    in_order(&feed);
    if !installed::present(&[], &["python:feedparser"]) {
        return;
    }
    let url = format!("http://{}/api/v1/charities/feed.atom", serving.api);
    let mut command = installed::python("python");
    let output = command
        .args(["-c", READER])
        .env("FEED", url)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    let parsed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(parsed["version"], "atom10");
    assert_eq!(parsed["statuses"], json!([200, 304]));
    for (member, value) in seen.as_object().unwrap() {
        assert_eq!(&parsed[member], value, "{member}");
    }
}

#[test]
fn the_documentation_leads_to_the_feed() {
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    for page in ["/docs/", "/docs/guides/feed"] {
        assert_eq!(announced(&serving, page), 1, "{page}");
    }
}

/// The number of announced feeds of a page that exist.
fn announced(serving: &Serving, page: &str) -> usize {
    let page = serving.page(page);
    let links = page
        .split("<link ")
        .filter(|link| link.contains(r#"type="application/atom+xml""#));
    let hrefs = links.map(|link| {
        link.split("href=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
    });
    hrefs
        .filter(|href| {
            let (_, path) = href.split_once("/api/v1").unwrap();
            let answer = serving.get(path, None);
            answer.status == 200 && answer.header("content-type") == Some("application/atom+xml")
        })
        .count()
}

/// Newest first, and every id once (RFC 4287, sections 4.1.1 and 4.2.6).
fn in_order(feed: &Feed) {
    let updated: Vec<_> = feed.entries.iter().map(|entry| entry.updated).collect();
    assert!(updated.is_sorted_by(|first, second| first >= second));
    let mut ids: Vec<_> = feed.entries.iter().map(|entry| &entry.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), feed.entries.len());
    assert_eq!(feed.updated, updated[0]);
}

/// The content of a feed, in the order of its entries.
fn seen(feed: &Feed) -> Value {
    let mut links: Vec<_> = feed.links.iter().map(|link| &link.href).collect();
    links.sort();
    let entries = feed.entries.iter().map(|entry| {
        json!({
            "id": entry.id,
            "title": entry.title.value,
            "updated": time(entry.updated),
            "summary": entry.summary.as_ref().unwrap().value,
            "links": entry.links.iter().map(|link| &link.href).collect::<Vec<_>>(),
            "categories": entry.categories.iter().map(|it| &it.term).collect::<Vec<_>>(),
        })
    });
    let entries: Vec<_> = entries.collect();
    json!({
        "id": feed.id,
        "title": feed.title.value,
        "updated": time(feed.updated),
        "authors": feed.authors.iter().map(|author| &author.name).collect::<Vec<_>>(),
        "links": links,
        "entries": entries,
    })
}

/// As the feed writes times: in UTC, with milliseconds.
fn time(time: atom_syndication::FixedDateTime) -> String {
    time.to_utc().format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}
