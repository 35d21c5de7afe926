//! Accounts that are linked with a provider of OpenID Connect, and confirm by it who they are.

use serde_json::json;

use super::browser::{Browser, between, of_id};
use super::oidc::refused;
use super::provider::{Provider, now};
use crate::folder::Folder;

#[test]
fn an_account_is_linked_by_itself_and_never_taken_over() {
    let folder = Folder::new();
    let provider = Provider::start();
    let serving = provider.demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let mut stranger = Browser::new(&serving);
    let answer = stranger.by(&provider, "/dashboard/sign-in/oidc");
    refused(&answer, 422, "Your email address has an account here");
    // Signed in by mail, the account links it.
    assert!(
        ada.page("/dashboard/account")
            .contains(">Link your account</a>")
    );
    let linked = ada.by(&provider, "/dashboard/identities");
    assert_eq!(
        linked.header("location"),
        Some("/dashboard/identities?notice=identity-linked"),
        "{linked:?}"
    );
    let page = ada.page(linked.header("location").unwrap());
    for text in ["Account linked.", "ada@example.org", "never"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let mails = Browser::new(&serving).page("/dashboard/demo/mail");
    assert!(mails.contains("Example is now linked to your"), "{mails}");
    stranger.signs_in_by(&provider);
    stranger.page(&format!("/dashboard/projects/{project}"));
    // Neither twice nor to two accounts.
    let again = ada.by(&provider, "/dashboard/identities");
    refused(&again, 422, "already linked with your account");
    let mut eve = Browser::of(&serving, "eve@example.org");
    let other = eve.by(&provider, "/dashboard/identities");
    refused(&other, 422, "linked with another account");
    let identity = between(&page, "/dashboard/identities/", of_id);
    let unlink = format!("/dashboard/identities/{identity}/unlink");
    assert_eq!(eve.get(&unlink).status, 404);
    assert_eq!(eve.post(&unlink, &[]).status, 404);
    // Unlinked, it signs nobody in any more; mail does.
    assert!(ada.page(&unlink).contains("Unlink ada@example.org?"));
    let page = ada.page_after(&unlink, &[]);
    assert!(page.contains("Provider account unlinked."), "{page}");
    let mails = Browser::new(&serving).page("/dashboard/demo/mail");
    assert!(mails.contains("Example is no longer linked"), "{mails}");
    assert_eq!(
        stranger.get("/dashboard/projects").status,
        303,
        "it is signed out"
    );
    let answer = stranger.by(&provider, "/dashboard/sign-in/oidc");
    refused(&answer, 422, "Your email address has an account here");
    let mut by_mail = Browser::of(&serving, "ada@example.org");
    by_mail.page(&format!("/dashboard/projects/{project}"));
}

#[test]
fn an_identity_is_linked_with_the_account_that_asked_and_is_still_signed_in() {
    let folder = Folder::new();
    let provider = Provider::start();
    let serving = provider.demo(&folder);
    let mut browser = Browser::of(&serving, "eve@example.org");
    let url = browser.sent("/dashboard/identities");
    let back = provider.agree(&url);
    assert_eq!(browser.post("/dashboard/sign-out", &[]).status, 303);
    let code = browser.mailed("bob@example.org").code;
    browser.post("/dashboard/sign-in/code", &[("code", &code)]);
    let answer = browser.comes_back(&back);
    refused(&answer, 422, "no longer signed in here");
    assert!(
        browser
            .page("/dashboard/identities")
            .contains("No linked accounts")
    );
}

#[test]
fn a_provider_confirms_who_it_is_when_it_asked_just_now() {
    let folder = Folder::new();
    let provider = Provider::start();
    let serving = provider.demo(&folder);
    Browser::new(&serving).signs_in_by(&provider);
    // Signed in there long ago, or nobody knows when.
    let mut browser = Browser::new(&serving);
    let project = {
        provider.state().claims = json!({ "auth_time": now() - 3600 });
        browser.signs_in_by(&provider);
        browser.makes_project("A wallet")
    };
    let before = browser.cookie("session").unwrap().to_owned();
    let keys = format!("/dashboard/projects/{project}/keys");
    let nonce = uuid::Uuid::now_v7().to_string();
    let key = [("nonce", &*nonce), ("label", "x"), ("expiry", "90d")];
    let asked = browser.post(&keys, &key);
    assert_eq!(
        asked.header("location"),
        Some("/dashboard/step-up?notice=not-recent"),
        "{asked:?}"
    );
    assert!(
        browser
            .page("/dashboard/step-up")
            .contains("Example asks you to sign in again")
    );
    let url = browser.sent("/dashboard/step-up/oidc");
    assert!(
        url.contains("prompt=login") && url.contains("max_age=0"),
        "{url}"
    );
    let late = browser.comes_back(&provider.agree(&url));
    refused(&late, 422, "did not ask you to sign in again");
    provider.state().claims = json!({ "auth_time": null });
    let unknown = browser.by(&provider, "/dashboard/step-up/oidc");
    refused(&unknown, 422, "did not ask you to sign in again");
    provider.state().claims = json!({ "sub": "eve" });
    let other = browser.by(&provider, "/dashboard/step-up/oidc");
    refused(&other, 422, "a different account there");
    provider.state().claims = json!({});
    assert_eq!(browser.by(&provider, "/dashboard/step-up/oidc").status, 303);
    assert_ne!(browser.cookie("session"), Some(&*before));
    assert_eq!(browser.post(&keys, &key).status, 200);
    let mut replaced = Browser::new(&serving);
    replaced.set_cookie("session", &before);
    assert_eq!(replaced.get("/dashboard/projects").status, 303);
}
