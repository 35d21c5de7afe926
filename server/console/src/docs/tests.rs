use axum::body::Body;
use generated::OPENAPI;
use generated::operations::BASE_PATH;
use http::Request;
use http_body_util::BodyExt as _;

use super::*;
use crate::site::{StaticPages, VIEWER};
use features::domain::service_identity::{BaseUrl, ServiceIdentity};

fn docs() -> StaticPages {
    let service = ServiceIdentity::at(BaseUrl::at(([127, 0, 0, 1], 8080).into()));
    let info = SiteInfo::new(&service, true);
    StaticPages::new(pages(&info, Arc::new(DocsIndex::new(&info))))
}

/// The page at a path; `None` if there is none.
async fn get(docs: &StaticPages, path: &str) -> Option<String> {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let response = docs.answer(&request)?.await.ok()?;
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn guides() -> impl Iterator<Item = &'static guide::Guide> {
    guide::GUIDES.iter().flat_map(|group| group.guides)
}

#[test]
fn every_guide_is_listed_and_begins_with_its_title() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guides");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let slug = path.file_stem().unwrap().to_str().unwrap();
        assert!(
            guides().any(|guide| guide.slug == slug),
            "add {slug} to GUIDES in server/console/src/docs/guide.rs"
        );
    }
    for guide in guides() {
        let title = guide.title();
        assert!(!title.is_empty() && !title.contains('#'), "{}", guide.slug);
    }
}

/// Pages that are no part of the documentation.
const OTHERS: [&str; 4] = ["/", "/charities", "/status", "/dashboard"];

#[tokio::test]
async fn every_page_that_a_page_names_is_there() {
    let docs = docs();
    let mut followed = 0;
    let queries = ["/docs/search?q=a", "/docs/search"];
    for name in docs
        .paths()
        .filter(|name| name.len() > "/docs".len() && !is_text(name))
        .chain(queries)
    {
        let page = get(&docs, name).await.unwrap();
        if page.is_empty() {
            continue;
        }
        assert!(page.starts_with("<!doctype html>"), "{name}");
        for link in links(&page) {
            let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
            if path.contains("://") || path.starts_with(BASE_PATH) {
                continue;
            }
            let target = match path {
                "" => name.to_owned(),
                path => resolve(name, path),
            };
            if OTHERS.contains(&target.as_str()) || target.starts_with("/dashboard/") {
                continue;
            }
            let there = get(&docs, &target).await;
            let there = there.unwrap_or_else(|| panic!("{name}: {link} is {target}"));
            // The viewer makes its anchors.
            let is_there = fragment.is_empty() || target == "/docs/explorer";
            let anchor = format!("id=\"{fragment}\"");
            assert!(is_there || there.contains(&anchor), "{name}: {link}");
            followed += 1;
        }
    }
    assert!(followed > 100, "{followed} links");
}

/// Whether a path is one of Markdown or plain text, whose links are absolute or those of a page.
fn is_text(path: &str) -> bool {
    path.ends_with(".md") || path.ends_with(".txt")
}

#[tokio::test]
async fn guides_are_listed_and_served_as_markdown() {
    let docs = docs();
    let list = get(&docs, "/llms.txt").await.unwrap();
    let guides = list.matches("/docs/guides/").count();
    let mut listed = list.split(['(', ')']).filter(|it| it.ends_with(".md"));
    assert!(guides > 10 && listed.clone().count() == guides, "{list}");
    let guide = listed.find(|it| it.contains("quick-start")).unwrap();
    let path = guide.split_once("8080").unwrap().1;
    let text = get(&docs, path).await.unwrap();
    assert!(text.starts_with("# ") && text.contains("```sh"), "{text}");
}

fn links(page: &str) -> Vec<&str> {
    ["href=\"", "src=\""]
        .into_iter()
        .flat_map(|start| page.split(start).skip(1))
        .map(|rest| rest.split('"').next().unwrap())
        .collect()
}

fn resolve(from: &str, to: &str) -> String {
    let mut parts: Vec<_> = from.split('/').collect();
    parts.pop();
    for part in to.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[tokio::test]
async fn every_code_of_the_contract_has_an_anchor_and_a_remedy() {
    let contract: serde_json::Value = serde_json::from_str(OPENAPI).unwrap();
    let mut codes = Vec::new();
    collect_codes(&contract["components"]["schemas"], &mut codes);
    codes.sort_unstable();
    codes.dedup();
    assert!(codes.len() >= 15, "{codes:?}");
    let page = get(&docs(), "/docs/guides/errors").await.unwrap();
    for code in codes {
        let start = page.find(&format!("<h2 id=\"{code}\">")).expect(code);
        let entry = &page[start + 4..];
        let entry = &entry[..entry.find("<h2").unwrap_or(entry.len())];
        assert!(entry.contains("Remedy"), "{code}");
    }
}

fn collect_codes<'a>(value: &'a serde_json::Value, codes: &mut Vec<&'a str>) {
    if let Some(code) = value.pointer("/properties/code") {
        let several = code["enum"].as_array().into_iter().flatten();
        codes.extend(several.chain([&code["const"]]).filter_map(|it| it.as_str()));
    }
    match value {
        serde_json::Value::Object(members) => {
            members
                .values()
                .for_each(|member| collect_codes(member, codes));
        }
        serde_json::Value::Array(items) => {
            items.iter().for_each(|item| collect_codes(item, codes));
        }
        _ => {}
    }
}

#[tokio::test]
async fn the_guides_say_where_this_server_is() {
    let page = get(&docs(), "/docs/guides/quick-start").await.unwrap();
    assert!(page.contains("http://127.0.0.1:8080/api/v1/charities?limit=3"));
    assert!(!page.contains("{base}") && !page.contains("{demo_key}"));
}

#[tokio::test]
async fn a_guide_tells_how_a_donation_reaches_a_config() {
    let docs = docs();
    let quick_start = get(&docs, "/docs/guides/quick-start").await.unwrap();
    assert!(quick_start.contains("href=\"concepts#how-donations-come-in\""));
    let concepts = get(&docs, "/docs/guides/concepts").await.unwrap();
    let (_, told) = concepts.split_once("id=\"how-donations-come-in\"").unwrap();
    let told = told.split("<h2").next().unwrap();
    let steps = [
        "create a config",
        "on a chain",
        "import",
        "<code>stats</code>",
    ];
    let places: Vec<_> = steps
        .iter()
        .map(|step| told.find(step).expect(step))
        .collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[tokio::test]
async fn no_page_tells_callers_of_what_operators_run() {
    let docs = docs();
    for name in docs.paths().filter(|name| name.starts_with("/docs/")) {
        let page = get(&docs, name).await.unwrap_or_default();
        for word in ["PostgreSQL", "Redis", "SQLite", "Setting"] {
            assert!(!page.contains(word), "{name} names {word}");
        }
    }
}

#[tokio::test]
async fn the_viewer_is_loaded_by_the_explorer_alone() {
    let docs = docs();
    let mut loading = Vec::new();
    for name in docs.paths().filter(|name| name.starts_with("/docs/")) {
        let page = get(&docs, name).await.unwrap_or_default();
        if links(&page).iter().any(|link| link.contains(VIEWER)) {
            loading.push(name);
        }
    }
    assert_eq!(loading, ["/docs/explorer"]);
}
