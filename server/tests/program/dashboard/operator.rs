//! The operators' area: the access to it, and its actions.

use super::browser::{Browser, between, of_id};
use super::demo;
use super::step_up::age_sessions;
use crate::folder::Folder;
use crate::serving::followed;
use crate::wire::Answer;

/// The access that someone has to a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Sent to the page to sign in on.
    SignIn,
    NotThere,
    /// Told to use a passkey.
    Passkey,
    Given,
}

fn access(answer: &Answer) -> Access {
    match (answer.status, answer.header("location")) {
        (303, Some(to)) if to.starts_with("/dashboard/sign-in") => Access::SignIn,
        (303, Some("/dashboard/operator/passkey")) => Access::Passkey,
        (404, _) => Access::NotThere,
        (200 | 303 | 400 | 422, _) => Access::Given,
        _ => panic!("{answer:?}"),
    }
}

#[test]
fn nobody_but_an_operator_with_a_passkey_gets_in() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut owner = Browser::of(&serving, "ada@example.org");
    let project = owner.makes_project("A wallet");
    let mut operator = Browser::of_operator(&serving);
    let page = operator.page("/dashboard/operator?q=ada@");
    let account = between(&page, "/dashboard/operator/accounts/", of_id).to_owned();
    let root = "/dashboard/operator";
    let pages = [
        root.to_owned(),
        format!("{root}?q=a"),
        format!("{root}/requests"),
        format!("{root}/projects/{project}"),
        format!("{root}/accounts/{account}"),
    ];
    // The forms are sent without their fields: who gets in is told what is missing.
    let forms = [
        format!("{root}/projects/{project}/tier"),
        format!("{root}/projects/{project}/suspend"),
        format!("{root}/requests/tiers/{account}"),
        format!("{root}/requests/claims/{account}"),
    ];
    let by_mail = Browser::of(&serving, "operator@demo.example");
    for (mut browser, expected) in [
        (Browser::new(&serving), Access::SignIn),
        (Browser::of(&serving, "eve@example.org"), Access::NotThere),
        (owner, Access::NotThere),
        (by_mail, Access::Passkey),
        (operator, Access::Given),
    ] {
        for path in &pages {
            let answer = browser.get(path);
            assert_eq!(access(&answer), expected, "{path}: {answer:?}");
            let names = answer.body.contains("A wallet");
            assert!(expected == Access::Given || !names, "{path}: {answer:?}");
        }
        for path in &forms {
            let answer = browser.post(path, &[]);
            assert_eq!(access(&answer), expected, "{path}: {answer:?}");
        }
        let resume = format!("{root}/projects/{project}/resume");
        let answer = browser.post(&resume, &[]);
        let nothing_to_resume = match expected {
            Access::Given => Access::NotThere,
            other => other,
        };
        assert_eq!(access(&answer), nothing_to_resume, "{answer:?}");
    }
}

#[test]
fn an_operators_mailbox_does_not_take_or_end_the_account() {
    let folder = Folder::new();
    let serving = demo(&folder);
    Browser::of_operator(&serving);
    let mut by_mail = Browser::of(&serving, "operator@demo.example");
    for path in ["/dashboard/account/address", "/dashboard/account/erase"] {
        let fields = [("email", "operator@demo.example")];
        let answers = [by_mail.get(path), by_mail.post(path, &fields)];
        assert!(
            answers.iter().all(|it| access(it) == Access::Passkey),
            "{answers:?}"
        );
    }
    let export = by_mail.get("/dashboard/account/export");
    assert_eq!(access(&export), Access::Passkey);
    let mut other = Browser::of(&serving, "eve@example.org");
    assert_eq!(other.get("/dashboard/account/address").status, 200);
}

#[test]
fn an_operator_signed_in_by_mail_is_told_what_to_do() {
    let folder = Folder::new();
    let serving = demo(&folder);
    Browser::of_operator(&serving);
    let mut by_mail = Browser::of(&serving, "operator@demo.example");
    let page = by_mail.page("/dashboard/operator/passkey");
    assert!(page.contains("Add your first one"), "{page}");
    let page = by_mail.page("/dashboard/passkeys");
    assert!(page.contains("Code from the command line"), "{page}");
    let mut other = Browser::of(&serving, "eve@example.org");
    assert_eq!(other.get("/dashboard/operator/passkey").status, 404);
    assert!(
        !other
            .page("/dashboard/projects")
            .contains("/dashboard/operator")
    );
}

#[test]
fn an_operator_changes_something_soon_after_signing_in_and_is_led_back() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut owner = Browser::of(&serving, "ada@example.org");
    let project = owner.makes_project("A wallet");
    let mut operator = Browser::of_operator(&serving);
    age_sessions(&folder);
    let root = format!("/dashboard/operator/projects/{project}");
    for (path, fields) in [
        (format!("{root}/tier"), [("tier", "pro")]),
        (format!("{root}/suspend"), [("reason", "Spam")]),
    ] {
        let answer = operator.post(&path, &fields);
        assert_eq!(
            answer.header("location"),
            Some("/dashboard/step-up?notice=not-recent"),
            "{path}"
        );
    }
    for path in ["/dashboard/operator/requests", &root] {
        let page = operator.page(path);
        assert!(page.contains("confirm it’s you"), "{page}");
        assert!(
            !page.contains("<form method=\"post\" action=\"/dashboard/operator"),
            "{page}"
        );
    }
    let confirmed = operator.post("/dashboard/sign-in/demo", &[("part", "operator")]);
    assert_eq!(confirmed.header("location"), Some(&*root));
    for (what, fields, told) in [
        ("tier", &[("tier", "pro")][..], "Tier set."),
        ("suspend", &[("reason", "Spam")], "Project suspended."),
        ("resume", &[], "Project resumed."),
    ] {
        let page = operator.page_after(&format!("{root}/{what}"), fields);
        assert!(page.contains(told), "{what}: {page}");
    }
}

#[test]
fn an_operator_without_projects_begins_in_the_operators_area() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut operator = Browser::of_operator(&serving);
    let home = operator.get("/dashboard");
    assert_eq!(home.header("location"), Some("/dashboard/operator"));
    let page = operator.page("/dashboard/operator?q=+");
    assert!(page.contains("Enter an ID, or part of"), "{page}");
    assert!(
        !operator
            .page("/dashboard/operator")
            .contains("Enter an ID, or part of")
    );
    operator.makes_project("A wallet");
    let home = operator.get("/dashboard");
    assert_eq!(home.header("location"), Some("/dashboard/projects"));
}

#[test]
fn a_suspended_projects_keys_are_refused_until_it_is_resumed() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut owner = Browser::of(&serving, "ada@example.org");
    let project = owner.makes_project("A wallet");
    let key = owner.issues_key(&project, "production", "90d");
    let mut operator = Browser::of_operator(&serving);
    let root = format!("/dashboard/operator/projects/{project}");
    let page = operator.page(&root);
    assert!(
        page.contains("ada@example.org") && page.contains("production"),
        "{page}"
    );
    let suspend = format!("{root}/suspend");
    let refused = operator.post(&suspend, &[("reason", " ")]);
    assert_eq!(refused.status, 422, "{refused:?}");
    assert_eq!(
        operator
            .post(&suspend, &[("reason", "It sends spam.")])
            .status,
        303
    );
    followed("the key is refused", || {
        let answer = serving.get("/configs", Some(&key));
        (answer.status == 403 && answer.body.contains("INVALID_API_KEY")).then_some(())
    });
    let page = owner.page(&format!("/dashboard/projects/{project}/keys"));
    assert!(
        page.contains("It sends spam.") && page.contains(">suspended<"),
        "{page}"
    );
    for part in [
        "",
        "usage",
        "requests",
        "configs",
        "configs/new",
        "webhooks",
        "members",
        "settings",
    ] {
        let page =
            owner.page(format!("/dashboard/projects/{project}/{part}").trim_end_matches('/'));
        assert_eq!(page.matches("It sends spam.").count(), 1, "{part}: {page}");
    }
    let usage = owner.page(&format!("/dashboard/projects/{project}/usage"));
    assert!(usage.contains("No requests are allowed while"), "{usage}");
    let id = owner.key_labelled(&project, "production");
    for path in ["keys/new", &format!("keys/{id}/rotate")] {
        let answer = owner.get(&format!("/dashboard/projects/{project}/{path}"));
        assert_eq!(answer.status, 403, "{path}: {answer:?}");
    }
    assert_eq!(operator.post(&format!("{root}/resume"), &[]).status, 303);
    followed("the key works again", || {
        (serving.get("/configs", Some(&key)).status == 200).then_some(())
    });
    let page = owner.page(&format!("/dashboard/projects/{project}/keys"));
    assert!(
        !page.contains("It sends spam.") && page.contains(">active<"),
        "{page}"
    );

    // Owners see that it was an operator, operators see which.
    let log = owner.page(&format!("/dashboard/projects/{project}/audit"));
    for what in [
        "Suspended the project: It sends spam.",
        "Resumed the project",
    ] {
        assert!(log.contains(what), "{what}: {log}");
    }
    assert_eq!(log.matches("An operator</td>").count(), 2, "{log}");
    assert!(!log.contains("operator@demo.example"), "{log}");
    let log = operator.page(&root);
    assert_eq!(
        log.matches("operator@demo.example, as an operator").count(),
        2,
        "{log}"
    );
    let mails = Browser::new(&serving).page("/dashboard/demo/mail");
    assert!(
        mails.contains("is suspended") && mails.contains("is active again"),
        "{mails}"
    );
}

#[test]
fn a_tier_is_asked_for_and_decided() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut owner = Browser::of(&serving, "ada@example.org");
    let project = owner.makes_project("A wallet");
    let key = owner.issues_key(&project, "production", "90d");
    let ask = format!("/dashboard/projects/{project}/tier");
    assert!(owner.page(&ask).contains("Request a tier"));
    for (tier, reason) in [("pro", ""), ("free", "We grow.")] {
        let refused = owner.post(&ask, &[("tier", tier), ("reason", reason)]);
        assert_eq!(refused.status, 422, "{refused:?}");
    }
    owner.asks_for_tier(&project, "pro");
    let root = format!("/dashboard/projects/{project}");
    let page = owner.page(&root);
    assert!(page.contains("Pro tier requested"), "{page}");
    assert!(!page.contains(&ask), "one request waits at a time: {page}");
    let again = owner.post(&ask, &[("tier", "pro"), ("reason", "We grow.")]);
    assert_eq!(again.status, 422, "{again:?}");

    let mut operator = Browser::of_operator(&serving);
    assert!(operator.page("/dashboard/operator").contains(">2</a>"));
    let queue = operator.page("/dashboard/operator/requests");
    assert!(
        queue.contains("We grow.") && queue.contains("Free to Pro"),
        "{queue}"
    );
    let request = between(&queue, "/dashboard/operator/requests/tiers/", of_id);
    let decide = format!("/dashboard/operator/requests/tiers/{request}");
    let refused = operator.post(&decide, &[("decision", "accept"), ("answer", "")]);
    assert_eq!(refused.status, 422, "{refused:?}");
    let fields = [("decision", "accept"), ("answer", "Welcome.")];
    assert_eq!(operator.post(&decide, &fields).status, 303);
    assert_eq!(operator.post(&decide, &fields).status, 404, "it is decided");
    followed("the limit is that of the tier", || {
        let answer = serving.get("/configs", Some(&key));
        (answer.header("x-ratelimit-limit") == Some("200")).then_some(())
    });
    let page = owner.page(&root);
    assert!(
        page.contains("Pro tier granted") && page.contains("Welcome."),
        "{page}"
    );
    let mails = Browser::new(&serving).page("/dashboard/demo/mail");
    assert!(mails.contains("is now on the Pro tier"), "{mails}");
}

#[test]
fn a_claim_is_decided() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut operator = Browser::of_operator(&serving);
    let queue = operator.page("/dashboard/operator/requests");
    assert!(
        queue.to_lowercase().contains("claims <code>0xfac7") && queue.contains("Our factory"),
        "{queue}"
    );
    let claim = between(&queue, "/dashboard/operator/requests/claims/", of_id);
    let decide = format!("/dashboard/operator/requests/claims/{claim}");
    let refused = operator.post(&decide, &[("decision", "decline"), ("answer", " ")]);
    assert_eq!(refused.status, 422, "a reason is needed: {refused:?}");
    assert!(refused.body.contains("aria-invalid"), "{refused:?}");
    let accepted = operator.post(&decide, &[("decision", "accept"), ("answer", "")]);
    assert_eq!(accepted.status, 303, "{accepted:?}");
    let again = operator.post(&decide, &[("decision", "accept"), ("answer", "")]);
    assert_eq!(again.status, 404, "it is decided: {again:?}");
    let root = format!("/dashboard/projects/{}", server::demo::PRO.0);
    let mut owner = Browser::of_developer(&serving);
    let contracts = owner.page(&format!("{root}/contracts"));
    assert!(
        contracts.contains(">accepted<") && contracts.to_lowercase().contains("0xfac7"),
        "{contracts}"
    );
    let log = owner.page(&format!("{root}/audit"));
    assert!(log.contains("An operator</td>"), "{log}");
}

#[test]
fn projects_are_found_by_their_keys_and_owners() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut owner = Browser::of(&serving, "ada@example.org");
    let project = owner.makes_project("A wallet");
    let secret = owner.issues_key(&project, "night export", "90d");
    let key = owner.key_labelled(&project, "night export");
    let first = owner.page(&format!("/dashboard/projects/{project}/keys"));
    let prefix = between(&first, "<code>sk_", |c| c.is_ascii_alphanumeric());
    let mut operator = Browser::of_operator(&serving);
    for text in [
        &*project,
        &key,
        "NIGHT%20EXP",
        &format!("sk_{prefix}"),
        "ada@",
        "a%20wall",
    ] {
        let page = operator.page(&format!("/dashboard/operator?q={text}"));
        assert!(page.contains(&project), "{text}: {page}");
        assert!(!page.contains(&secret), "{page}");
    }
    let page = operator.page("/dashboard/operator?q=no-such-thing");
    assert!(!page.contains(&project), "{page}");
}

#[test]
fn an_operator_sets_a_tier() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut owner = Browser::of(&serving, "ada@example.org");
    let project = owner.makes_project("A wallet");
    let mut operator = Browser::of_operator(&serving);
    let root = format!("/dashboard/operator/projects/{project}");
    let set = operator.post(&format!("{root}/tier"), &[("tier", "enterprise")]);
    assert_eq!(set.status, 303, "{set:?}");
    assert!(
        owner
            .page(&format!("/dashboard/projects/{project}"))
            .contains("Enterprise")
    );
    assert!(operator.page(&root).contains("Set the tier to Enterprise"));
}

#[test]
fn operators_are_made_on_the_command_line() {
    let folder = Folder::migrated();
    let code = folder.ask(&["operator", "add", "ada@example.org"]);
    assert_eq!(code.trim().len(), 43, "{code}");
    let again = folder.run(&["operator", "add", "ada@example.org"]);
    assert_eq!(again.code, Some(1), "{}", again.stderr);
    assert!(
        again.stderr.contains("operator recover"),
        "{}",
        again.stderr
    );
    let recovered = folder.ask(&["operator", "recover", "ada@example.org"]);
    assert_ne!(recovered, code);
    let list = folder.ask(&["operator", "list"]);
    assert!(list.trim_end().ends_with(" 0  ada@example.org"), "{list}");
    folder.ask(&["operator", "remove", "ada@example.org"]);
    assert_eq!(folder.ask(&["operator", "list"]), "");
}
