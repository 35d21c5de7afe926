//! Requests that another site has a browser send.

use super::browser::Browser;
use super::demo;
use crate::folder::Folder;

/// The paths of all forms, of a project and a key that are the signed-in account's.
pub(super) fn forms(project: &str, key: &str, session: &str) -> Vec<String> {
    let project = format!("/dashboard/projects/{project}");
    vec![
        "/dashboard/sign-in".to_owned(),
        "/dashboard/sign-in/code".to_owned(),
        "/dashboard/sign-in/confirm".to_owned(),
        "/dashboard/sign-in/demo".to_owned(),
        "/dashboard/sign-out".to_owned(),
        "/dashboard/step-up".to_owned(),
        "/dashboard/step-up/passkey".to_owned(),
        "/dashboard/sign-in/passkey".to_owned(),
        "/dashboard/sign-in/passkey/challenge".to_owned(),
        "/dashboard/passkeys".to_owned(),
        "/dashboard/passkeys/challenge".to_owned(),
        "/dashboard/passkeys/0191e5a0-1111-7000-8000-000000000001/remove".to_owned(),
        "/dashboard/projects".to_owned(),
        format!("{project}/keys"),
        format!("{project}/keys/{key}/rotate"),
        format!("{project}/keys/{key}/revoke"),
        format!("{project}/configs"),
        format!("{project}/contracts"),
        format!("{project}/claims/{session}/proof"),
        format!("{project}/claims/{session}/queue"),
        format!("{project}/configs/{}/delete", config()),
        format!("{project}/members/{session}/role"),
        format!("{project}/members/{session}/remove"),
        format!("{project}/invitations"),
        format!("{project}/invitations/{session}/revoke"),
        format!("{project}/delete"),
        "/dashboard/account/address".to_owned(),
        "/dashboard/account/erase".to_owned(),
        "/dashboard/invitation/accept".to_owned(),
        "/dashboard/invitation/decline".to_owned(),
        format!("/dashboard/sessions/{session}/end"),
        "/dashboard/sessions/end-others".to_owned(),
    ]
}

/// The id of a config of nobody.
pub(super) fn config() -> String {
    format!("0x{}", "07".repeat(32))
}

#[test]
fn no_form_is_taken_from_elsewhere() {
    let folder = Folder::new();
    let serving = demo(&folder);
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
    for path in forms(&project, &key, "0191e5a0-1111-7000-8000-000000000001") {
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
    for path in ["/dashboard/sign-in", "/dashboard/projects"] {
        let answer = browser.send("GET", path, &[("host", "evil.example")], "");
        assert_eq!(answer.status, 421, "{answer:?}");
        assert!(answer.body.contains(&browser.origin()) && !answer.body.contains("evil"));
    }
}
