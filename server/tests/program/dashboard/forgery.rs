//! Requests that another site has a browser send.

use super::browser::Browser;
use super::provider::Provider;
use super::{demo, routes};
use crate::folder::Folder;

/// The id of a config of nobody.
pub(super) fn config() -> String {
    format!("0x{}", "07".repeat(32))
}

#[test]
fn no_form_is_taken_from_elsewhere() {
    let folder = Folder::new();
    let serving = Provider::start().demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let secret = browser.issues_key(&project, "production", "90d");
    let key = browser.key_labelled(&project, "production");
    let origin = browser.origin();
    let elsewhere: [&[(&str, &str)]; 7] = [
        &[],
        &[("origin", "null")],
        &[("origin", "https://evil.example")],
        &[("origin", "http://127.0.0.1")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("origin", &origin), ("sec-fetch-site", "cross-site")],
    ];
    for path in routes::paths("POST").filter(|path| *path != "/dashboard/leaked-keys") {
        let path = path.replace("{project}", &project).replace("{key}", &key);
        for headers in elsewhere {
            let answer = browser.send("POST", &path, headers, "name=x&label=x&email=a@example.org");
            assert_eq!(answer.status, 403, "{path} {headers:?}: {answer:?}");
            assert!(answer.headers_named("set-cookie").is_empty(), "{answer:?}");
        }
    }
    browser.page("/dashboard/projects");
    assert_eq!(serving.get("/configs", Some(&secret)).status, 200);
}

#[test]
fn another_host_is_refused() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let origin = browser.origin();
    for method in ["GET", "POST"] {
        for path in routes::paths(method).filter(|path| *path != "/dashboard/leaked-keys") {
            let headers = [("host", "evil.example"), ("origin", &*origin)];
            let answer = browser.send(method, path, &headers, "");
            assert_eq!(answer.status, 421, "{path}: {answer:?}");
            assert!(answer.body.contains(&origin) && !answer.body.contains("evil"));
        }
    }
    browser.page("/dashboard/projects");
}
