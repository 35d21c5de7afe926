//! Reports of leaked keys, and the mails about keys.

use super::browser::Browser;
use super::demo;
use crate::folder::Folder;
use crate::serving::{Serving, followed};
use crate::wire::Answer;

/// The answer to a report, as a program elsewhere sends it.
fn report(serving: &Serving, body: &str) -> Answer {
    let head = format!(
        "POST /dashboard/leaked-keys HTTP/1.1\r\nhost: scanner\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    serving.connect().ask(format!("{head}{body}").as_bytes())
}

fn find(token: &str) -> String {
    let url = "https://example.org/blob/x";
    format!(r#"{{"token":"{token}","type":"catalog_key","url":"{url}","source":"content"}}"#)
}

#[test]
fn a_leaked_key_is_revoked_and_its_owner_is_told() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of(&serving, "ada@example.org");
    let project = browser.makes_project("Wallet https://evil.example");
    let (leaked, kept) = (
        browser.issues_key(&project, "leaked", "90d"),
        browser.issues_key(&project, "kept", "90d"),
    );
    let unknown = "sk_DemoFreeTierKey000000000000000002cgQbX";
    let batch = format!("[{},{}]", find(unknown), find(&leaked));
    for body in [&*batch, &batch, &find(&leaked), "[]", &find("")] {
        let answer = report(&serving, body);
        assert_eq!((answer.status, &*answer.body), (202, ""), "{body}");
    }
    followed("the key is refused", || {
        (serving.get("/configs", Some(&leaked)).status == 403).then_some(())
    });
    assert_eq!(serving.get("/configs", Some(&kept)).status, 200);
    let page = Browser::new(&serving).page("/dashboard/demo/mail");
    let prefix = &leaked[..11];
    let title = format!("We revoked your leaked key {prefix}…");
    assert_eq!(page.matches(&format!("<h2>{title}")).count(), 1, "{page}");
    assert!(
        !page.contains(&leaked) && !page.contains("evil.example"),
        "{page}"
    );
    let log = browser.page(&format!("/dashboard/projects/{project}/audit"));
    assert!(
        log.contains(&format!("Revoked the leaked key {prefix}…")),
        "{log}"
    );
    assert!(log.contains("A leak report"), "{log}");
    assert!(!serving.log().contains(&leaked), "{}", serving.log());
}

#[test]
fn webhooks_of_a_leaked_key_are_listed_and_disabled_at_once() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of(&serving, "ada@example.org");
    let project = browser.makes_project("Wallet");
    let (own, _) = browser.creates_webhook(&project, "https://own.example/hooks");
    let leaked = browser.issues_key(&project, "leaked", "90d");
    let key = browser.key_labelled(&project, "leaked");
    let wanted = r#"{"url":"https://attacker.example/hooks","events":["config.created"]}"#;
    let request = format!(
        "POST /api/v1/webhooks HTTP/1.1\r\nhost: attacker\r\nservice-api-key: {leaked}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{wanted}",
        wanted.len()
    );
    let created = serving.connect().ask(request.as_bytes());
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!(report(&serving, &find(&leaked)).status, 202);

    // The email leads to the changes of the key, and the page to the webhook that outlives it.
    let path = format!("/dashboard/projects/{project}/keys/{key}/changes");
    let mails = Browser::new(&serving).page("/dashboard/demo/mail");
    assert!(mails.contains(&path), "{mails}");
    let page = browser.page(&path);
    let created = "Created the webhook https://attacker.example/hooks";
    assert!(
        page.contains(created) && !page.contains("own.example"),
        "{page}"
    );
    let page = browser.page_after(&format!("{path}/disable-webhooks"), &[]);
    assert!(page.contains("Webhooks disabled."), "{page}");
    assert!(!page.contains("Disable these webhooks"), "{page}");
    assert!(browser.page(&own).contains("enabled"));
    let log = browser.page(&format!("/dashboard/projects/{project}/audit"));
    let disabled = "Disabled the webhook https://attacker.example/hooks";
    assert!(log.contains(disabled), "{log}");
}

#[test]
fn a_report_that_cannot_be_read_says_so() {
    let folder = Folder::new();
    let serving = demo(&folder);
    for body in ["", "{}", "[1]", "null", "[{\"token\":7}]", "sk_x"] {
        let answer = report(&serving, body);
        assert_eq!(answer.status, 400, "{body}");
        let error = answer.json();
        assert_eq!(error["code"], "VALIDATION_ERROR", "{body}");
        assert!(
            error["message"]
                .as_str()
                .unwrap()
                .contains("a list of finds")
        );
    }
    let large = format!("[{}]", [&*find("x")].repeat(2000).join(","));
    let answer = report(&serving, &large);
    assert_eq!(answer.status, 413);
    assert_eq!(answer.json()["code"], "PAYLOAD_TOO_LARGE");
}

#[test]
fn the_page_that_was_asked_for_follows_the_sign_in() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut owner = Browser::of(&serving, "ada@example.org");
    let project = owner.makes_project("A wallet");
    owner.issues_key(&project, "production", "30d");
    let key = owner.key_labelled(&project, "production");
    // As the link of a mail about the key leads there.
    let path = format!("/dashboard/projects/{project}/keys/{key}/rotate");
    let mut browser = Browser::new(&serving);
    let answer = browser.get(&path);
    assert_eq!(answer.header("location"), Some("/dashboard/sign-in"));
    let code = browser.mailed("ada@example.org").code;
    let answer = browser.post("/dashboard/sign-in/code", &[("code", &code)]);
    assert_eq!(answer.header("location"), Some(&*path));
    assert!(browser.page(&path).contains("Rotate “production”"));
    assert_eq!(browser.cookie("next"), None);
    let mut browser = Browser::new(&serving);
    browser.set_cookie("next", "//evil.example/dashboard/");
    let answer = browser.post("/dashboard/sign-in/demo", &[]);
    assert_eq!(answer.header("location"), Some("/dashboard"));
}

#[test]
fn who_issued_a_key_is_named() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    browser.issues_key(&project, "production", "90d");
    let path = format!("/dashboard/projects/{project}/keys");
    assert!(
        browser.page(&path).contains(" by you<"),
        "{}",
        browser.page(&path)
    );
}
