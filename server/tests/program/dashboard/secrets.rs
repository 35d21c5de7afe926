//! A key is shown once, and text of users acts on no page.

use std::thread;

use super::browser::Browser;
use super::demo;
use crate::folder::Folder;

#[test]
fn a_key_is_shown_once_and_issued_once() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let form = format!("/dashboard/projects/{project}/keys/new");
    let nonce = browser.nonce(&form);
    let path = format!("/dashboard/projects/{project}/keys");
    let fields = [
        ("nonce", &*nonce),
        ("label", "production"),
        ("expiry", "90d"),
    ];
    let first = browser.post(&path, &fields);
    assert_eq!(first.status, 200, "{first:?}");
    assert_eq!(first.header("cache-control"), Some("no-store"));
    let key = super::browser::shown_key(&first.body);
    assert!(
        !first.body.contains(&format!("value=\"{key}\"")),
        "in no input"
    );
    let again = browser.post(&path, &fields);
    assert_eq!(again.status, 409, "{again:?}");
    assert!(!again.body.contains("sk_"), "{again:?}");
    let revoking = format!("/dashboard/projects/{project}/keys/{nonce}/revoke");
    let link = format!("href=\"{revoking}\"");
    assert!(again.body.contains(&link), "{again:?}");
    assert!(browser.page(&revoking).contains("Revoke “production”?"));
    // Going back asks for the form or the list, of which neither shows it.
    for path in [form, format!("/dashboard/projects/{project}/keys")] {
        assert!(!browser.page(&path).contains(&key), "{path}");
    }
    let list = browser.page(&format!("/dashboard/projects/{project}/keys"));
    assert_eq!(list.matches(">active<").count(), 1, "{list}");
    assert!(!serving.log().contains(&key));
}

#[test]
fn a_project_and_its_first_key_are_made_once() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of(&serving, "ada@example.org");
    let nonce = browser.nonce("/dashboard/projects");
    let fields = [("nonce", &*nonce), ("name", "Wallet"), ("first_key", "on")];
    let made = browser.post("/dashboard/projects", &fields);
    assert_eq!(made.status, 200, "{made:?}");
    let key = super::browser::shown_key(&made.body);
    assert_eq!(serving.get("/configs", Some(&key)).status, 200);
    let again = browser.post("/dashboard/projects", &fields);
    assert_eq!(again.status, 409, "{again:?}");
    assert!(!again.body.contains("sk_"), "{again:?}");
    let link = format!("href=\"/dashboard/projects/{nonce}\"");
    assert!(again.body.contains(&link), "{again:?}");
    let projects = browser.page("/dashboard/projects");
    assert_eq!(projects.matches(">Wallet</a>").count(), 1, "{projects}");
    let project = browser.page(&format!("/dashboard/projects/{nonce}/keys"));
    assert_eq!(project.matches(">active<").count(), 1, "{project}");
    assert!(!project.contains(&key));
}

#[test]
fn a_key_is_rotated_once_for_each_form() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    browser.issues_key(&project, "production", "90d");
    let key = browser.key_labelled(&project, "production");
    let path = format!("/dashboard/projects/{project}/keys/{key}/rotate");
    let nonce = browser.nonce(&path);
    let fields = [("nonce", &*nonce), ("overlap", "0"), ("expiry", "90d")];
    assert_eq!(browser.post(&path, &fields).status, 200);
    let again = browser.post(&path, &fields);
    assert_eq!(again.status, 409, "{again:?}");
    assert!(!again.body.contains("sk_"), "{again:?}");
}

#[test]
fn forms_that_are_sent_at_the_same_time_issue_one_key() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let nonce = browser.nonce(&format!("/dashboard/projects/{project}/keys/new"));
    let path = format!("/dashboard/projects/{project}/keys");
    let fields = [("nonce", &*nonce), ("label", "x"), ("expiry", "90d")];
    let mut statuses = thread::scope(|scope| {
        let send = |mut browser: Browser<'_>| browser.post(&path, &fields).status;
        let sent: Vec<_> = (0..8)
            .map(|_| browser.clone())
            .map(|browser| scope.spawn(move || send(browser)))
            .collect();
        sent.into_iter()
            .map(|sent| sent.join().unwrap())
            .collect::<Vec<_>>()
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
    let list = browser.page(&format!("/dashboard/projects/{project}/keys"));
    assert_eq!(list.matches(">active<").count(), 1, "{list}");
}

#[test]
fn names_and_labels_are_text() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let evil = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>";
    let project = browser.makes_project(evil);
    browser.issues_key(&project, evil, "90d");
    let key = browser.key_labelled(&project, "");
    let root = format!("/dashboard/projects/{project}");
    for path in [
        "/dashboard/projects".to_owned(),
        root.clone(),
        format!("{root}/keys"),
        format!("{root}/keys/new"),
        format!("{root}/keys/{key}/rotate"),
        format!("{root}/keys/{key}/revoke"),
        format!("{root}/audit"),
        format!("{root}/usage?by=key"),
    ] {
        let page = browser.page(&path);
        assert!(page.contains("alert(1)"), "{path}: it is shown");
        assert!(
            !page.contains("<script>") && !page.contains("<img src=x"),
            "{path}: {page}"
        );
    }
    let refused = browser.post("/dashboard/sign-in", &[("email", evil)]);
    assert_eq!(refused.status, 422, "{refused:?}");
    assert!(!refused.body.contains("<script>"), "{refused:?}");
}
