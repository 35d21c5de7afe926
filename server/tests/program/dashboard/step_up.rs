//! The permissions of a session whose sign-in is more than 10 minutes ago.

use super::browser::Browser;
use super::database;
use super::members::member;
use super::provider::Provider;
use crate::folder::Folder;

/// Sets the clock of all sessions of a demo back to before the last 10 minutes.
pub(super) fn age_sessions(folder: &Folder) {
    let sql = "UPDATE session SET stepped_up_at = stepped_up_at - 600000";
    assert!(database(folder).execute(sql, []).unwrap() > 0);
}

#[test]
fn what_opens_a_project_to_others_needs_a_new_sign_in_and_what_closes_it_does_not() {
    let folder = Folder::new();
    let serving = Provider::start().demo(&folder);
    let mut browser = Browser::of(&serving, "ada@example.org");
    let project = browser.makes_project("A wallet");
    browser.issues_key(&project, "production", "90d");
    let key = browser.key_labelled(&project, "production");
    let row = member(&mut browser, &project, "ada@example.org");
    let root = format!("/dashboard/projects/{project}");
    let (webhook, _) = browser.creates_webhook(&project, "https://partner.example/hooks");
    age_sessions(&folder);

    let fields = [("name", "Another"), ("first_key", "on")];
    let made = browser.post("/dashboard/projects", &fields);
    assert_eq!(made.status, 303, "{made:?}");
    let page = browser.page(made.header("location").unwrap());
    assert!(
        page.contains("Project created. Now create its first key"),
        "{page}"
    );
    assert!(page.contains("/keys/new\">Create a key</a>"), "{page}");

    let new = uuid::Uuid::now_v7().to_string();
    let refused: [(String, Vec<(&str, &str)>); 17] = [
        (
            format!("{root}/keys"),
            vec![("nonce", &new), ("label", "x"), ("expiry", "90d")],
        ),
        (
            format!("{root}/keys/{key}/rotate"),
            vec![("nonce", &new), ("overlap", "0"), ("expiry", "90d")],
        ),
        (format!("{root}/keys/{key}/enable"), vec![]),
        (
            format!("{root}/webhooks"),
            vec![("url", "https://other.example/")],
        ),
        (
            format!("{webhook}/edit"),
            vec![("url", "https://other.example/")],
        ),
        (format!("{webhook}/rotate"), vec![("since", "0")]),
        (format!("{webhook}/enable"), vec![]),
        (
            format!("{root}/invitations"),
            vec![("email", "bob@example.org"), ("role", "owner")],
        ),
        (format!("{row}/role"), vec![("role", "member")]),
        (format!("{root}/delete"), vec![("name", "A wallet")]),
        (format!("{root}/rename"), vec![("name", "Another wallet")]),
        (
            format!("{root}/contracts/release"),
            vec![("chain", "1"), ("address", "0x")],
        ),
        (format!("{webhook}/delete"), vec![]),
        ("/dashboard/identities".to_owned(), vec![]),
        (format!("/dashboard/identities/{new}/unlink"), vec![]),
        (
            "/dashboard/account/address".to_owned(),
            vec![("email", "new@example.org")],
        ),
        (
            "/dashboard/account/erase".to_owned(),
            vec![("email", "ada@example.org")],
        ),
    ];
    for (path, fields) in refused {
        let answer = browser.post(&path, &fields);
        assert_eq!(answer.status, 303, "{path}: {answer:?}");
        assert_eq!(
            answer.header("location"),
            Some("/dashboard/step-up?notice=not-recent"),
            "{path}"
        );
    }
    for path in [
        "/dashboard/account/export".to_owned(),
        format!("{root}/rename"),
    ] {
        let answer = browser.get(&path);
        assert_eq!(
            answer.header("location"),
            Some("/dashboard/step-up"),
            "{path}"
        );
    }
    let page = browser.page("/dashboard/step-up?notice=not-recent");
    assert!(page.contains("Not saved."), "{page}");
    let members = browser.page(&format!("{root}/members"));
    assert!(members.contains("Confirm it’s you"), "{members}");
    assert!(!members.contains("Send invitation"), "{members}");

    // It sees its pages, leaves, signs out, disables webhooks and revokes keys.
    browser.page("/dashboard/account");
    let leaving = browser.page(&format!("{row}/remove"));
    assert!(leaving.contains("Leave “A wallet”?"), "{leaving}");
    for (what, next) in [
        ("test", &*format!("{webhook}?notice=delivery-sent")),
        ("disable", &*webhook),
    ] {
        let answer = browser.post(&format!("{webhook}/{what}"), &[]);
        assert_eq!(answer.header("location"), Some(next), "{answer:?}");
    }
    let page = browser.page_after(&format!("{root}/keys/{key}/revoke"), &[]);
    assert!(page.contains("Key revoked."), "{page}");
}
