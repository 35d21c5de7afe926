//! Passkeys, as far as they go without a device; in a browser they are tested by `callers/passkeys.mjs`.

use super::browser::{Browser, between};
use super::demo;
use crate::folder::Folder;

#[test]
fn a_challenge_is_answered_once() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::new(&serving);
    let path = "/dashboard/sign-in/passkey";
    let challenge = browser.post("/dashboard/sign-in/passkey/challenge", &[]);
    assert_eq!(challenge.status, 200, "{challenge:?}");
    assert_eq!(challenge.header("cache-control"), Some("no-store"));
    let challenge = challenge.json();
    assert_eq!(challenge["options"]["rpId"], "localhost");
    assert_eq!(challenge["options"]["userVerification"], "required");
    let ceremony = challenge["ceremony"].as_str().unwrap();
    for reason in ["could not be verified", "longer than five minutes"] {
        let answer = browser.post(path, &[("ceremony", ceremony), ("credential", "{}")]);
        assert_eq!(answer.status, 422, "{answer:?}");
        assert!(answer.body.contains(reason), "{answer:?}");
        assert_eq!(browser.cookie("session"), None);
    }
}

#[test]
fn a_challenge_for_a_new_passkey_is_for_the_account_that_asked() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let mut eve = Browser::of(&serving, "eve@example.org");
    let challenge = ada.post("/dashboard/passkeys/challenge", &[]).json();
    let options = &challenge["options"];
    assert_eq!(options["user"]["name"], "ada@example.org");
    assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
    let ceremony = challenge["ceremony"].as_str().unwrap();
    let fields = [("ceremony", ceremony), ("credential", "{}"), ("name", "x")];
    for (browser, reason) in [
        (&mut eve, "longer than five minutes"),
        (&mut ada, "could not be verified"),
    ] {
        let answer = browser.post("/dashboard/passkeys", &fields);
        assert_eq!(answer.status, 422, "{answer:?}");
        assert!(answer.body.contains(reason), "{answer:?}");
    }
    let page = ada.page("/dashboard/passkeys");
    assert!(page.contains("No passkeys yet"), "{page}");
}

#[test]
fn another_accounts_passkey_is_not_there() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let path = "/dashboard/passkeys/0191e5a0-1111-7000-8000-000000000001/remove";
    assert_eq!(browser.get(path).status, 404);
    assert_eq!(browser.post(path, &[]).status, 404);
}

#[test]
fn an_address_of_this_machine_leads_to_its_name() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let by_name = format!("localhost:{}", serving.api.port());
    for page in [
        browser.page("/dashboard/passkeys"),
        Browser::new(&serving).page("/dashboard/sign-in"),
    ] {
        let origin = between(&page, "data-origin=\"", |c| c != '"');
        assert_eq!(origin, format!("http://{by_name}"));
    }
    // The address leads there, and is a site of its own.
    let address = serving.api.to_string();
    let led = browser.send("GET", "/dashboard/passkeys", &[("host", &address)], "");
    let page = format!("http://{by_name}/dashboard/passkeys");
    assert_eq!(led.header("location"), Some(&*page), "{led:?}");
    let headers = [("origin", &*format!("http://{address}"))];
    let crossed = browser.send("POST", "/dashboard/step-up", &headers, "");
    assert_eq!(crossed.status, 403, "{crossed:?}");
}
