use std::io::Read as _;

use axum::body::Body;
use axum::response::Response;
use flate2::read::GzDecoder;
use http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use sha2::{Digest, Sha256};

use super::*;

/// Long enough to be compressed.
fn pages() -> StaticPages {
    let long = "<p>text</p>".repeat(200);
    StaticPages::new([
        page("/docs/", long),
        page("/docs/short", "short".to_owned()),
        ("/docs".to_owned(), Content::Redirect("docs/")),
    ])
}

fn page(path: &str, html: String) -> (String, Content) {
    let render = move || Ok(Page::html(policy::PAGE, html.clone()));
    (path.to_owned(), Content::page(render))
}

fn request(method: &str, path: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::empty()).unwrap()
}

async fn get(pages: &StaticPages, path: &str, headers: &[(&str, &str)]) -> Response {
    pages
        .answer(&request("GET", path, headers))
        .unwrap()
        .await
        .unwrap_or_else(|refusal| panic!("{path}: {refusal:?}"))
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    response.headers().get(name).map(|it| it.to_str().unwrap())
}

async fn bytes(response: Response) -> Vec<u8> {
    let collected = response.into_body().collect().await;
    collected.unwrap().to_bytes().to_vec()
}

fn unpacked(gzip: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(gzip).read_to_end(&mut plain).unwrap();
    plain
}

#[tokio::test]
async fn other_paths_are_not_the_sites() {
    let pages = pages();
    for path in ["/", "/api/v1/charities", "/docsx", "/api/docs/"] {
        assert!(pages.answer(&request("GET", path, &[])).is_none(), "{path}");
    }
    for path in ["/docs/x", "/assets/", "/docs//", "/docs/../x"] {
        let answer = pages.answer(&request("GET", path, &[])).unwrap().await;
        assert!(matches!(answer, Err(Refusal::NoSuchPage)), "{path}");
    }
    let posted = pages.answer(&request("POST", "/docs/", &[])).unwrap().await;
    assert!(matches!(posted, Err(Refusal::Method)));
}

#[tokio::test]
async fn short_paths_lead_on() {
    let response = get(&pages(), "/docs", &[]).await;
    assert_eq!(response.status(), StatusCode::PERMANENT_REDIRECT);
    assert_eq!(header(&response, "location"), Some("docs/"));
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let pages = pages();
    for path in ["/docs/", "/docs/short", "/assets/site.css"] {
        for coding in ["gzip", "identity"] {
            let coding = [("accept-encoding", coding)];
            let got = get(&pages, path, &coding).await;
            let asked = request("HEAD", path, &coding);
            let head = pages.answer(&asked).unwrap().await.unwrap();
            assert_eq!(
                (got.status(), got.headers()),
                (head.status(), head.headers())
            );
            assert_eq!(bytes(head).await, b"");
        }
    }
}

#[tokio::test]
async fn each_coding_has_its_tag_and_is_not_sent_again() {
    let pages = pages();
    let viewer = format!("/assets/{VIEWER}");
    for path in ["/docs/", "/assets/site.css", &viewer] {
        let mut tags = Vec::new();
        for coding in ["gzip", "identity"] {
            let coding = ("accept-encoding", coding);
            let first = get(&pages, path, &[coding]).await;
            let tag = header(&first, "etag").unwrap();
            let second = get(&pages, path, &[coding, ("if-none-match", tag)]).await;
            assert_eq!(second.status(), StatusCode::NOT_MODIFIED, "{path}");
            assert_eq!(header(&second, "etag"), Some(tag));
            assert_eq!(header(&second, "vary"), Some("accept-encoding"));
            assert_eq!(bytes(second).await, b"");
            tags.push(tag.to_owned());
        }
        assert_ne!(tags[0], tags[1], "{path}");
    }
}

#[tokio::test]
async fn long_texts_are_compressed_where_that_is_asked_for() {
    let pages = pages();
    let plain = get(&pages, "/docs/", &[]).await;
    assert_eq!(header(&plain, "content-encoding"), None);
    let gzip = [("accept-encoding", "gzip")];
    let compressed = get(&pages, "/docs/", &gzip).await;
    assert_eq!(header(&compressed, "content-encoding"), Some("gzip"));
    let (plain, compressed) = (bytes(plain).await, bytes(compressed).await);
    assert!(compressed.len() < plain.len());
    assert_eq!(unpacked(&compressed), plain);
    let short = get(&pages, "/docs/short", &gzip).await;
    assert_eq!(header(&short, "content-encoding"), None);
}

#[tokio::test]
async fn a_file_that_is_named_by_its_version_is_kept() {
    let pages = pages();
    let cache = async |path: &str| {
        let response = get(&pages, path, &[]).await;
        header(&response, "cache-control").unwrap().to_owned()
    };
    let named = format!("/assets/site.css?v={}", asset::version("site.css"));
    assert!(cache(&named).await.contains("immutable"));
    // Another version than this server has.
    assert!(!cache("/assets/site.css?v=old").await.contains("immutable"));
    assert!(!cache("/assets/site.css").await.contains("immutable"));
    // A page changes at its address, although its tag names its version.
    let page = get(&pages, "/docs/", &[]).await;
    let version = header(&page, "etag").unwrap()[1..17].to_owned();
    assert!(
        !cache(&format!("/docs/?v={version}"))
            .await
            .contains("immutable")
    );
}

#[tokio::test]
async fn the_viewer_is_the_published_file() {
    let pages = pages();
    let path = format!("/assets/{VIEWER}");
    let about = include_str!("../../assets/viewer/README.md");
    let sum = |bytes: &[u8]| alloy_primitives::hex::encode(Sha256::digest(bytes));
    let compressed = get(&pages, &path, &[("accept-encoding", "gzip")]).await;
    assert_eq!(header(&compressed, "content-encoding"), Some("gzip"));
    let compressed = bytes(compressed).await;
    assert!(about.contains(&sum(&compressed)));
    let plain = get(&pages, &path, &[]).await;
    assert_eq!(header(&plain, "content-encoding"), None);
    let plain = bytes(plain).await;
    assert!(about.contains(&sum(&plain)));
    assert_eq!(unpacked(&compressed), plain);
}

/// The pages' policy forbids both, so that either would not work.
#[test]
fn no_template_has_a_style_or_a_script_inline() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
    let mut folders = vec![std::path::PathBuf::from(folder)];
    let mut read = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            // Email programs know no style sheets beside a message.
            if path.ends_with("templates/mail.html") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for word in ["<style", " style=", "<script>", " onclick=", "javascript:"] {
                assert!(!text.contains(word), "{}: {word}", path.display());
            }
            read += 1;
        }
    }
    assert!(read > 4);
}
