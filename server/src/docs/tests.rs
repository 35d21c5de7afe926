use std::io::Read as _;

use flate2::read::GzDecoder;
use generated::OPENAPI;
use http::StatusCode;
use http_body_util::BodyExt as _;
use sha2::{Digest, Sha256};

use super::*;
use crate::config::{Config, Settings};

fn docs() -> Docs {
    let config = Config::resolve(Settings::default(), Settings::default());
    Docs::new(&config.service).unwrap()
}

fn request(method: &str, path: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::empty()).unwrap()
}

async fn get(docs: &Docs, path: &str, headers: &[(&str, &str)]) -> Response {
    docs.answer(&request("GET", path, headers))
        .unwrap()
        .await
        .unwrap_or_else(|refusal| panic!("{path}: {refusal:?}"))
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    response.headers().get(name).map(|it| it.to_str().unwrap())
}

async fn text(response: Response) -> String {
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn every_guide_is_listed_and_begins_with_its_title() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/guides");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let slug = path.file_stem().unwrap().to_str().unwrap();
        assert!(
            guide::GUIDES.iter().any(|guide| guide.slug == slug),
            "add `\"{slug}\",` to GUIDES in server/src/docs/guide.rs"
        );
    }
    for guide in guide::GUIDES {
        assert!(
            !guide.title().is_empty() && !guide.title().contains('#'),
            "{}",
            guide.slug
        );
    }
}

#[tokio::test]
async fn every_page_that_a_page_names_is_there() {
    let docs = docs();
    let names: Vec<_> = docs
        .pages
        .keys()
        .map(|path| format!("{ROOT}{path}"))
        .collect();
    let mut followed = 0;
    for name in names.iter().filter(|name| !name.contains("/assets/")) {
        let page = text(get(&docs, name, &[]).await).await;
        assert!(page.starts_with("<!doctype html>"), "{name}");
        for link in links(&page) {
            let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
            if path.contains("://") || path.starts_with(BASE_PATH) {
                continue;
            }
            let target = if path.is_empty() {
                name.clone()
            } else {
                resolve(name, path)
            };
            let there = text(get(&docs, &target, &[]).await).await;
            let anchor = format!("id=\"{fragment}\"");
            assert!(
                fragment.is_empty() || there.contains(&anchor),
                "{name}: {link}"
            );
            followed += 1;
        }
    }
    assert!(followed > 100, "{followed} links");
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
    let page = text(get(&docs(), "/docs/guides/errors", &[]).await).await;
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
    let page = text(get(&docs(), "/docs/guides/quick-start", &[]).await).await;
    assert!(page.contains("http://127.0.0.1:8080/api/v1/charities?limit=3"));
    assert!(!page.contains("{base}") && !page.contains("{demo_key}"));
}

#[tokio::test]
async fn other_paths_are_the_apis() {
    let docs = docs();
    for path in ["/", "/api/v1/charities", "/docsx", "/api/docs/"] {
        assert!(docs.answer(&request("GET", path, &[])).is_none(), "{path}");
    }
    for path in [
        "/docs/x",
        "/docs/guides/x",
        "/docs/assets/",
        "/docs//",
        "/docs/../x",
    ] {
        let answer = docs.answer(&request("GET", path, &[])).unwrap().await;
        assert!(matches!(answer, Err(Refusal::NoSuchPage)), "{path}");
    }
    let posted = docs.answer(&request("POST", "/docs/", &[])).unwrap().await;
    assert!(matches!(posted, Err(Refusal::Method)));
}

#[tokio::test]
async fn short_paths_lead_on() {
    let docs = docs();
    for (path, to) in [
        ("/docs", "docs/"),
        ("/docs/guides", "guides/quick-start"),
        ("/docs/guides/", "quick-start"),
    ] {
        let response = get(&docs, path, &[]).await;
        assert_eq!(response.status(), StatusCode::PERMANENT_REDIRECT);
        assert_eq!(header(&response, "location"), Some(to), "{path}");
        get(&docs, &resolve(path, to), &[]).await;
    }
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let docs = docs();
    for path in ["/docs/guides/errors", "/docs/assets/site.css", "/docs/"] {
        let got = get(&docs, path, &[]).await;
        let asked = request("HEAD", path, &[]);
        let head = docs.answer(&asked).unwrap().await.unwrap();
        let names = |it: &Response| it.headers().keys().cloned().collect::<Vec<_>>();
        assert_eq!(
            (got.status(), names(&got)),
            (head.status(), names(&head)),
            "{path}"
        );
        assert_eq!(
            header(&got, "content-length"),
            header(&head, "content-length")
        );
        assert_eq!(text(head).await, "");
    }
}

#[tokio::test]
async fn unchanged_pages_are_not_sent_again() {
    let docs = docs();
    for path in [
        "/docs/guides/errors",
        "/docs/assets/scalar-api-reference-1.72.1.js",
    ] {
        let first = get(&docs, path, &[]).await;
        let tag = header(&first, "etag").unwrap();
        let second = get(&docs, path, &[("if-none-match", tag)]).await;
        assert_eq!(second.status(), StatusCode::NOT_MODIFIED, "{path}");
        assert_eq!(header(&second, "etag"), Some(tag));
        assert_eq!(text(second).await, "");
    }
}

#[tokio::test]
async fn the_viewer_is_the_published_file() {
    let docs = docs();
    let path = format!("/docs/assets/{}", asset::VIEWER);
    let about = include_str!("../../docs/viewer/README.md");
    let sum = |bytes: &[u8]| alloy_primitives::hex::encode(Sha256::digest(bytes));
    let body = async |coding: &str| {
        let response = get(&docs, &path, &[("accept-encoding", coding)]).await;
        let coding = header(&response, "content-encoding").map(str::to_owned);
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (coding, bytes)
    };
    let (coding, compressed) = body("br, gzip;q=0.5").await;
    assert_eq!(coding.as_deref(), Some("gzip"));
    assert!(about.contains(&sum(&compressed)));
    let (coding, plain) = body("gzip;q=0, identity").await;
    assert_eq!(coding, None);
    assert!(about.contains(&sum(&plain)));
    let mut unpacked = Vec::new();
    GzDecoder::new(&*compressed)
        .read_to_end(&mut unpacked)
        .unwrap();
    assert_eq!(unpacked, plain);
}
