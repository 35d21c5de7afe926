//! Another account's data is answered like data that does not exist.

use super::browser::Browser;
use super::demo;
use crate::folder::Folder;

/// The address of a contract.
const ADDRESS: &str = "0x333c3310824b7c685133f2bedb2ca4b8b4df633d";

#[test]
fn another_accounts_projects_and_keys_are_not_there() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut owner = Browser::of(&serving, "ada@example.org");
    let project = owner.makes_project("A wallet");
    let secret = owner.issues_key(&project, "production", "90d");
    let key = owner.key_labelled(&project, "production");
    let mut other = Browser::of(&serving, "eve@example.org");
    let own = other.makes_project("Another");
    let nobodys = "0191e5a0-1111-7000-8000-000000000001";
    let nonce = nobodys;
    let config = super::forgery::config();
    for (project, key) in [
        (&*project, &*key),
        (nobodys, &key),
        (&own, &key),
        (&own, nobodys),
    ] {
        let root = format!("/dashboard/projects/{project}");
        let key = format!("{root}/keys/{key}");
        let mut pages = vec![format!("{key}/rotate"), format!("{key}/revoke")];
        let mut forms = vec![
            (
                format!("{key}/rotate"),
                vec![("nonce", nonce), ("overlap", "0"), ("expiry", "90d")],
            ),
            (format!("{key}/revoke"), vec![]),
        ];
        if project != own {
            pages.extend([
                root.clone(),
                format!("{root}/keys"),
                format!("{root}/keys/new"),
                format!("{root}/audit"),
                format!("{root}/configs"),
                format!("{root}/configs/new"),
                format!("{root}/contracts"),
                format!("{root}/contracts/new"),
                format!("{root}/claims/{nobodys}"),
                format!("{root}/configs/{config}"),
                format!("{root}/configs/{config}/delete"),
                format!("{root}/usage"),
                format!("{root}/usage.csv"),
                format!("{root}/requests"),
                format!("{root}/tier"),
                format!("{root}/settings"),
                format!("{root}/webhooks"),
                format!("{root}/webhooks/new"),
                format!("{root}/webhooks/{nobodys}"),
            ]);
            let fields = vec![("nonce", nonce), ("label", "x"), ("expiry", "90d")];
            forms.push((format!("{root}/keys"), fields));
            let fields = vec![("nonce", nonce), ("charity", nonce), ("weight", "1")];
            forms.push((format!("{root}/configs"), fields));
            let fields = vec![("url", "https://a.example/"), ("event", "key.expiring")];
            forms.push((format!("{root}/webhooks"), fields));
            forms.push((format!("{root}/webhooks/{nobodys}/test"), vec![]));
            forms.push((format!("{root}/configs/{config}/delete"), vec![]));
            forms.push((format!("{root}/configs/{config}/simulate"), vec![]));
            let fields = vec![("chain", "1"), ("address", ADDRESS)];
            forms.push((format!("{root}/contracts"), fields));
            let fields = vec![("nonce", nonce), ("signature", "0x")];
            forms.push((format!("{root}/claims/{nobodys}/proof"), fields));
            forms.push((
                format!("{root}/claims/{nobodys}/queue"),
                vec![("note", "x")],
            ));
            let fields = vec![("tier", "pro"), ("reason", "x")];
            forms.push((format!("{root}/tier"), fields));
        }
        for path in pages {
            let answer = other.get(&path);
            assert_eq!(answer.status, 404, "{path}: {answer:?}");
            assert!(!answer.body.contains("A wallet") && !answer.body.contains("production"));
        }
        for (path, fields) in forms {
            let answer = other.post(&path, &fields);
            assert_eq!(answer.status, 404, "{path}: {answer:?}");
        }
    }
    assert_eq!(serving.get("/configs", Some(&secret)).status, 200);
    let list = owner.page(&format!("/dashboard/projects/{project}/keys"));
    assert_eq!(list.matches(">active<").count(), 1, "{list}");
}

#[test]
fn another_accounts_session_is_not_ended() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut owner = Browser::of(&serving, "ada@example.org");
    let mut second = Browser::of(&serving, "ada@example.org");
    let page = second.page("/dashboard/sessions");
    let session = super::browser::between(&page, "/dashboard/sessions/", super::browser::of_id);
    let end = format!("/dashboard/sessions/{session}/end");
    let mut other = Browser::of(&serving, "eve@example.org");
    let answer = other.post(&end, &[]);
    assert_eq!(answer.status, 404, "{answer:?}");
    owner.page("/dashboard/projects");
    assert_eq!(second.post(&end, &[]).status, 303);
    assert_eq!(owner.get("/dashboard/projects").status, 303, "it is ended");
    second.page("/dashboard/projects");
}

#[test]
fn nobody_who_is_not_signed_in_sees_a_page() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::new(&serving);
    let id = "0191e5a0-1111-7000-8000-000000000001";
    for path in [
        "/dashboard".to_owned(),
        "/dashboard/projects".to_owned(),
        format!("/dashboard/projects/{id}"),
        format!("/dashboard/projects/{id}/keys/new"),
        format!("/dashboard/projects/{id}/audit"),
        format!("/dashboard/projects/{id}/configs"),
        format!("/dashboard/projects/{id}/contracts"),
        format!("/dashboard/projects/{id}/contracts/new"),
        format!("/dashboard/projects/{id}/claims/{id}"),
        format!("/dashboard/projects/{id}/configs/new"),
        format!("/dashboard/projects/{id}/usage"),
        format!("/dashboard/projects/{id}/usage.csv"),
        format!("/dashboard/projects/{id}/requests"),
        format!("/dashboard/projects/{id}/tier"),
        format!("/dashboard/projects/{id}/settings"),
        format!("/dashboard/projects/{id}/webhooks"),
        format!("/dashboard/projects/{id}/webhooks/{id}"),
        "/dashboard/sessions".to_owned(),
        "/dashboard/account".to_owned(),
        "/dashboard/passkeys".to_owned(),
        format!("/dashboard/passkeys/{id}/remove"),
        "/dashboard/step-up".to_owned(),
    ] {
        let answer = browser.get(&path);
        assert_eq!(answer.status, 303, "{path}: {answer:?}");
        assert_eq!(
            answer.header("location"),
            Some("/dashboard/sign-in"),
            "{path}"
        );
    }
}
