//! Downloading the personal data of an account, changing its address, erasing it, and deleting projects.

use super::browser::{Browser, Mail};
use super::demo;
use super::members::invites;
use crate::folder::Folder;
use crate::serving::followed;

#[test]
fn an_account_downloads_what_is_kept_about_it() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of(&serving, "ada@example.org");
    let project = browser.makes_project("A wallet");
    let key = browser.issues_key(&project, "production", "90d");
    let answer = browser.get("/dashboard/account/export");
    assert_eq!(answer.status, 200, "{answer:?}");
    let disposition = answer.header("content-disposition");
    assert_eq!(disposition, Some("attachment; filename=\"account.json\""));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert!(
        !answer.body.contains(&key) && !answer.body.contains(browser.cookie("session").unwrap())
    );
    let document = answer.json();
    assert_eq!(document["account"]["email"], "ada@example.org");
    assert_eq!(document["projects"][0]["name"], "A wallet");
    assert_eq!(document["keysIssued"][0]["label"], "production");
}

#[test]
fn an_account_is_erased_with_what_it_alone_owns() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let key = ada.issues_key(&project, "production", "90d");
    let link = invites(&mut ada, &project, "bob@example.org", "member");
    let mut bob = Browser::of(&serving, "bob@example.org");
    bob.get(&link);
    bob.post("/dashboard/invitation/accept", &[]);
    let shared = bob.makes_project("Shared");
    let link = invites(&mut bob, &shared, "ada@example.org", "owner");
    ada.get(&link);
    ada.post("/dashboard/invitation/accept", &[]);
    let page = ada.page("/dashboard/account/erase");
    assert!(
        page.contains("A wallet") && !page.contains("Shared"),
        "{page}"
    );
    let wrong = ada.post("/dashboard/account/erase", &[("email", "bob@example.org")]);
    assert_eq!(wrong.status, 422, "{wrong:?}");
    let mut kept = ada.clone();
    let erased = ada.post("/dashboard/account/erase", &[("email", "ada@example.org")]);
    assert_eq!(erased.status, 303, "{erased:?}");
    assert!(erased.header("clear-site-data").is_some());
    let page = ada.page(erased.header("location").unwrap());
    assert!(page.contains("Account deleted."), "{page}");
    assert_eq!(
        kept.get("/dashboard/projects").status,
        303,
        "the session has ended"
    );
    followed("the key is refused", || {
        (serving.get("/configs", Some(&key)).status == 403).then_some(())
    });
    assert_eq!(
        bob.get(&format!("/dashboard/projects/{project}")).status,
        404
    );
    let log = bob.page(&format!("/dashboard/projects/{shared}/audit"));
    assert!(
        log.contains("@erased.invalid") && !log.contains("ada@example.org"),
        "{log}"
    );
    let members = bob.page(&format!("/dashboard/projects/{shared}/members"));
    assert!(!members.contains("ada@example.org"), "{members}");
    let mut new = Browser::of(&serving, "ada@example.org");
    assert!(
        new.page("/dashboard/projects")
            .contains("Create your first project")
    );
}

#[test]
fn a_new_address_is_confirmed_where_it_was_asked_for() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let mut other = Browser::of(&serving, "ada@example.org");
    let path = "/dashboard/account/address";
    let asked = ada.post(path, &[("email", "countess@example.org")]);
    let page = ada.page(asked.header("location").unwrap());
    assert!(page.contains(">Confirm address</button>"), "{page}");
    assert!(
        page.contains(&format!("<a href=\"{path}\">send another one")),
        "{page}"
    );
    assert!(
        page.contains("<span class=\"account\">ada@example.org"),
        "{page}"
    );
    let code = "/dashboard/sign-in/code?for=new-address";
    assert!(page.contains(&format!("action=\"{code}\"")), "{page}");
    let wrong = ada.post(code, &[("code", "AAAA-AAAA")]);
    assert!(
        wrong.body.contains(">Confirm address</button>"),
        "{wrong:?}"
    );
    let mails = ada.page("/dashboard/demo/mail");
    assert!(
        mails.contains("Your address at") && mails.contains("is being changed"),
        "{mails}"
    );
    let mail = Mail::newest(&serving);
    let mut elsewhere = Browser::of(&serving, "eve@example.org");
    elsewhere.get(&mail.link);
    assert_eq!(
        elsewhere.post("/dashboard/sign-in/confirm", &[]).status,
        422
    );
    ada.get(&mail.link);
    let page = ada.page("/dashboard/sign-in/confirm");
    assert!(
        page.contains("Use countess@example.org from now on?"),
        "{page}"
    );
    assert_eq!(ada.post("/dashboard/sign-in/confirm", &[]).status, 303);
    assert!(
        ada.page("/dashboard/account")
            .contains("countess@example.org")
    );
    ada.page(&format!("/dashboard/projects/{project}"));
    assert_eq!(other.get("/dashboard/projects").status, 303, "others end");
}

#[test]
fn a_project_is_deleted_when_its_name_is_typed() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let key = ada.issues_key(&project, "production", "90d");
    let path = format!("/dashboard/projects/{project}/delete");
    assert_eq!(ada.post(&path, &[("name", "a wallet")]).status, 422);
    let deleted = ada.post(&path, &[("name", "A wallet")]);
    let page = ada.page(deleted.header("location").unwrap());
    assert!(page.contains("Project deleted."), "{page}");
    assert_eq!(
        ada.get(&format!("/dashboard/projects/{project}")).status,
        404
    );
    followed("the key is refused", || {
        (serving.get("/configs", Some(&key)).status == 403).then_some(())
    });
}
