//! Signing in and out.

use super::browser::{Browser, Mail};
use super::{database, demo};
use crate::folder::Folder;

#[test]
fn following_a_link_consumes_nothing_and_confirming_it_does() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::new(&serving);
    let mail = browser.mailed("ada@example.org");
    // A scanner of mails follows links, and has no cookies.
    for method in ["HEAD", "GET", "GET"] {
        let answer = Browser::new(&serving).send(method, &mail.link, &[], "");
        assert_eq!(answer.status, 303, "{answer:?}");
    }
    let followed = browser.get(&mail.link);
    assert_eq!(
        followed.header("location"),
        Some("/dashboard/sign-in/confirm")
    );
    for _ in 0..2 {
        let page = browser.page("/dashboard/sign-in/confirm");
        assert!(page.contains("Sign in as ada@example.org?"), "{page}");
    }
    assert_eq!(browser.get("/dashboard/projects").status, 303);
    assert_eq!(browser.post("/dashboard/sign-in/confirm", &[]).status, 303);
    browser.page("/dashboard/projects");
    let token = mail.link.split_once('=').unwrap().1;
    assert!(!serving.log().contains(token), "{}", serving.log());
}

#[test]
fn a_link_signs_in_once_and_where_it_was_asked_for() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::new(&serving);
    let mail = browser.mailed("ada@example.org");
    let mut thief = Browser::new(&serving);
    thief.get(&mail.link);
    let refused = thief.post("/dashboard/sign-in/confirm", &[]);
    assert_eq!(refused.status, 422, "{refused:?}");
    assert_eq!(thief.cookie("session"), None);
    assert_eq!(thief.get("/dashboard/projects").status, 303);
    browser.get(&mail.link);
    let token = browser.cookie("token").unwrap().to_owned();
    let secret = browser.cookie("browser").unwrap().to_owned();
    assert_eq!(browser.post("/dashboard/sign-in/confirm", &[]).status, 303);
    browser.page("/dashboard/projects");
    let mut replayed = Browser::new(&serving);
    replayed.set_cookie("token", &token);
    replayed.set_cookie("browser", &secret);
    let refused = replayed.post("/dashboard/sign-in/confirm", &[]);
    assert_eq!(refused.status, 422, "{refused:?}");
    assert_eq!(replayed.get("/dashboard/projects").status, 303);
    let refused = replayed.post("/dashboard/sign-in/code", &[("code", &mail.code)]);
    assert_eq!(
        refused.status, 422,
        "the code ends with its link: {refused:?}"
    );
}

#[test]
fn a_link_that_was_used_here_leads_to_the_dashboard() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::new(&serving);
    let mail = browser.mailed("ada@example.org");
    browser.get(&mail.link);
    browser.post("/dashboard/sign-in/confirm", &[]);
    let confirm = "/dashboard/sign-in/confirm";
    // Back, and the link again.
    let back = browser.get(confirm);
    browser.get(&mail.link);
    for answer in [back, browser.get(confirm), browser.post(confirm, &[])] {
        assert_eq!(answer.status, 422, "{answer:?}");
        assert!(
            answer.body.contains("was used or has expired"),
            "{answer:?}"
        );
        assert!(!answer.body.contains("another browser"), "{answer:?}");
        assert!(
            answer.body.contains(">Open the dashboard</a>"),
            "{answer:?}"
        );
    }
    let form = browser.get("/dashboard/sign-in");
    assert_eq!(form.header("location"), Some("/dashboard"));
}

#[test]
fn a_form_whose_session_has_ended_is_found_again() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let page = format!("/dashboard/projects/{project}/members");
    for (referrer, next) in [
        (format!("{}{page}?x=y", ada.origin()), &*page),
        ("https://evil.example/elsewhere".to_owned(), "/dashboard"),
        ("//evil.example".to_owned(), "/dashboard"),
        (String::new(), "/dashboard"),
    ] {
        let mut browser = Browser::new(&serving);
        let origin = browser.origin();
        let headers = [("origin", &*origin), ("referer", &referrer)];
        let invite = format!("/dashboard/projects/{project}/invitations");
        let answer = browser.send("POST", &invite, &headers, "email=bob@example.org");
        let form = browser.page(answer.header("location").unwrap());
        assert!(
            form.contains("You were signed out, so nothing was saved."),
            "{form}"
        );
        let code = browser.mailed("ada@example.org").code;
        let answer = browser.post("/dashboard/sign-in/code", &[("code", &code)]);
        assert_eq!(answer.header("location"), Some(next), "{referrer}");
    }
}

#[test]
fn a_code_is_guessed_five_times() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::new(&serving);
    let mail = browser.mailed("ada@example.org");
    for _ in 0..5 {
        let refused = browser.post("/dashboard/sign-in/code", &[("code", "00000000")]);
        assert_eq!(refused.status, 422, "{refused:?}");
    }
    let refused = browser.post("/dashboard/sign-in/code", &[("code", &mail.code)]);
    assert_eq!(refused.status, 422, "{refused:?}");
}

#[test]
fn a_session_that_was_planted_is_not_the_one_that_is_signed_in() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let thief = Browser::of(&serving, "eve@example.org");
    let planted = thief.cookie("session").unwrap().to_owned();
    for fresh in [
        planted.as_str(),
        "0000000000000000000000000000000000000000000",
    ] {
        let mut victim = Browser::new(&serving);
        victim.set_cookie("session", fresh);
        let mail = victim.mailed("ada@example.org");
        victim.post("/dashboard/sign-in/code", &[("code", &mail.code)]);
        assert_ne!(victim.cookie("session"), Some(fresh));
        assert!(
            victim
                .page("/dashboard/account")
                .contains("ada@example.org")
        );
    }
    let mut holder = Browser::new(&serving);
    holder.set_cookie("session", &planted);
    assert!(
        !holder
            .get("/dashboard/account")
            .body
            .contains("ada@example.org")
    );
}

#[test]
fn known_and_unknown_addresses_are_answered_alike() {
    let folder = Folder::new();
    let serving = demo(&folder);
    Browser::of(&serving, "ada@example.org");
    let mut answers = ["ada@example.org", "new@example.org"].map(|email| {
        let mut browser = Browser::new(&serving);
        let asked = browser.post("/dashboard/sign-in", &[("email", email)]);
        let location = asked.header("location").unwrap().to_owned();
        (asked.status, browser.page(&location), location)
    });
    answers.sort();
    assert_eq!(answers[0], answers[1]);
}

/// A known address takes as long as an unknown one.
#[test]
fn asking_for_a_mail_reads_no_account() {
    let folder = Folder::new();
    let serving = demo(&folder);
    Browser::of(&serving, "ada@example.org");
    let hide = "ALTER TABLE account RENAME TO hidden";
    database(&folder).execute(hide, []).unwrap();
    for email in ["ada@example.org", "new@example.org"] {
        let mail = Browser::new(&serving).mailed(email);
        assert!(!mail.code.is_empty());
    }
}

#[test]
fn forms_of_accounts_answer_known_and_unknown_addresses_alike() {
    let folder = Folder::new();
    let serving = demo(&folder);
    Browser::of(&serving, "bob@example.org");
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let invitations = format!("/dashboard/projects/{project}/invitations");
    let change = "/dashboard/account/address".to_owned();
    for (path, role) in [(invitations, "member"), (change, "")] {
        let mut ask = |email| {
            let answer = ada.post(&path, &[("email", email), ("role", role)]);
            let location = answer.header("location").map(ToOwned::to_owned);
            (answer.status, location, answer.body)
        };
        let known = ask("bob@example.org");
        assert_eq!(known.0, 303, "{path}: {known:?}");
        assert_eq!(known, ask("new@example.org"), "{path}");
    }
}

#[test]
fn signing_out_ends_the_session() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let session = browser.cookie("session").unwrap().to_owned();
    let answer = browser.post("/dashboard/sign-out", &[]);
    assert_eq!(answer.status, 303, "{answer:?}");
    let cleared = answer.header("clear-site-data").unwrap();
    assert!(cleared.contains("\"cookies\""), "{cleared}");
    assert_eq!(browser.cookie("session"), None);
    let mut kept = Browser::new(&serving);
    kept.set_cookie("session", &session);
    assert_eq!(kept.get("/dashboard/projects").status, 303);
}

#[test]
fn all_other_sessions_are_ended_at_once() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut first = Browser::of_developer(&serving);
    let mut second = Browser::of_developer(&serving);
    let mut third = Browser::of_developer(&serving);
    let page = third.page_after("/dashboard/sessions/end-others", &[]);
    assert!(page.contains("All other browsers signed out."), "{page}");
    for ended in [&mut first, &mut second] {
        assert_eq!(ended.get("/dashboard/projects").status, 303);
    }
    third.page("/dashboard/projects");
}

#[test]
fn confirming_that_it_is_you_signs_the_same_account_in_anew() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of(&serving, "ada@example.org");
    let project = browser.makes_project("A wallet");
    let mut before = browser.clone();
    let page = browser.page("/dashboard/step-up");
    assert!(page.contains("ada@example.org"), "{page}");
    let asked = browser.post("/dashboard/step-up", &[]);
    let page = browser.page(asked.header("location").unwrap());
    assert!(page.contains(">Confirm it’s you</button>"), "{page}");
    assert!(
        page.contains("<a href=\"/dashboard/step-up\">send another"),
        "{page}"
    );
    let mail = Mail::newest(&serving);
    let answer = browser.post("/dashboard/sign-in/code", &[("code", &mail.code)]);
    assert_eq!(answer.status, 303, "{answer:?}");
    browser.page(&format!("/dashboard/projects/{project}"));
    assert_eq!(
        before.get("/dashboard/projects").status,
        303,
        "it is replaced"
    );
}

#[test]
fn the_demos_mailbox_shows_the_newest_mail_first() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let invite = format!("/dashboard/projects/{project}/invitations");
    ada.post(&invite, &[("email", "bob@example.org"), ("role", "member")]);
    // It expires before the invitation does.
    Browser::new(&serving).post("/dashboard/sign-in", &[("email", "eve@example.org")]);
    let page = ada.page("/dashboard/demo/mail");
    let to: Vec<_> = page.split("\">to ").skip(1).collect();
    for (mail, email) in to.iter().zip(["eve@", "bob@", "ada@"]) {
        assert!(mail.starts_with(email), "{page}");
        assert!(mail.contains("<time datetime="), "{page}");
    }
}

#[test]
fn an_address_is_sent_ten_mails_an_hour() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::new(&serving);
    for _ in 0..10 {
        browser.mailed("ada@example.org");
    }
    let refused = browser.post("/dashboard/sign-in", &[("email", "ada@example.org")]);
    assert_eq!(refused.status, 429, "{refused:?}");
    assert_eq!(refused.header("retry-after"), Some("3600"), "{refused:?}");
    assert!(refused.body.contains("try again in an hour"), "{refused:?}");
    browser.mailed("eve@example.org");
}
