//! Inviting people to a project, and the permissions of owners and members.

use super::browser::{Browser, between, of_id};
use super::demo;
use crate::folder::Folder;
use crate::serving::Serving;

/// Invites an address to a project of the demo's developer, and gives the path of the mail's link.
#[track_caller]
pub(super) fn invites(owner: &mut Browser<'_>, project: &str, email: &str, role: &str) -> String {
    let path = format!("/dashboard/projects/{project}/invitations");
    let answer = owner.post(&path, &[("email", email), ("role", role)]);
    assert_eq!(answer.status, 303, "{answer:?}");
    newest_invitation(owner.serving())
}

/// The path of the link in the newest mail of an invitation.
#[track_caller]
fn newest_invitation(serving: &Serving) -> String {
    let page = Browser::new(serving).page("/dashboard/demo/mail");
    let start = "/dashboard/invitation/link?token=";
    let token = between(&page, start, |c| {
        c.is_ascii_alphanumeric() || "-_".contains(c)
    });
    format!("{start}{token}")
}

/// The path of a member's row on the page of members.
#[track_caller]
pub(super) fn member(browser: &mut Browser<'_>, project: &str, email: &str) -> String {
    let page = browser.page(&format!("/dashboard/projects/{project}/members"));
    let row = page
        .split("<tr ")
        .find(|row| row.contains(email) && row.contains("id=\"member-"));
    let row = row.unwrap_or_else(|| panic!("no member {email}: {page}"));
    let id = between(row, "id=\"member-", of_id);
    format!("/dashboard/projects/{project}/members/{id}")
}

#[test]
fn an_invited_address_signs_in_sees_who_invites_and_joins() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("https://wallet.example");
    let link = invites(&mut ada, &project, "Bob@example.org", "member");
    let mail = ada.page("/dashboard/demo/mail");
    let text = mail.split("<article").nth(1).unwrap();
    assert!(
        text.contains("ada@example.org") && !text.contains("wallet"),
        "{text}"
    );
    // A scanner of mails follows links.
    for method in ["HEAD", "GET", "GET"] {
        let answer = Browser::new(&serving).send(method, &link, &[], "");
        assert_eq!(answer.status, 303, "{answer:?}");
    }
    let mut bob = Browser::new(&serving);
    bob.get(&link);
    let page = bob.page("/dashboard/invitation");
    assert!(page.contains("Sign in with the address"), "{page}");
    assert!(
        !page.contains("wallet") && !page.contains("ada@example.org"),
        "{page}"
    );
    let code = bob.mailed("bob@example.org").code;
    bob.post("/dashboard/sign-in/code", &[("code", &code)]);
    let home = bob.get("/dashboard");
    assert_eq!(home.header("location"), Some("/dashboard/invitation"));
    let page = bob.page("/dashboard/invitation");
    for told in ["https://wallet.example", "ada@example.org", "a member"] {
        assert!(page.contains(told), "{told}: {page}");
    }
    let accepted = bob.post("/dashboard/invitation/accept", &[]);
    let location = format!("/dashboard/projects/{project}");
    assert_eq!(accepted.header("location"), Some(&*location));
    bob.page(&location);
    let again = bob.post("/dashboard/invitation/accept", &[]);
    assert_eq!(again.status, 422, "{again:?}");
    let log = ada.page(&format!("{location}/audit"));
    assert!(
        log.contains("Accepted an invitation to become a member"),
        "{log}"
    );
    let invited = "Invited Bob@example.org to become a member";
    assert!(log.contains(invited), "{log}");
    let operators = format!("/dashboard/operator/projects/{project}");
    let shown = Browser::of_operator(&serving).page(&operators);
    assert!(
        shown.contains("Invited someone to become a member"),
        "{shown}"
    );
    let token = link.split_once('=').unwrap().1;
    assert!(!serving.log().contains(token), "{}", serving.log());
}

#[test]
fn an_invitation_is_for_its_address_alone() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let link = invites(&mut ada, &project, "bob@example.org", "owner");
    let mut eve = Browser::of(&serving, "eve@example.org");
    eve.get(&link);
    let token = eve.cookie("invitation").unwrap().to_owned();
    let shown = eve.get("/dashboard/invitation");
    assert_eq!(shown.status, 422, "{shown:?}");
    assert!(
        !shown.body.contains("A wallet") && !shown.body.contains("bob@"),
        "{shown:?}"
    );
    eve.set_cookie("invitation", &token);
    let accepted = eve.post("/dashboard/invitation/accept", &[]);
    assert_eq!(accepted.status, 422, "{accepted:?}");
    assert_eq!(
        eve.get(&format!("/dashboard/projects/{project}")).status,
        404
    );
    let mut bob = Browser::of(&serving, "bob@example.org");
    bob.get(&link);
    assert_eq!(bob.post("/dashboard/invitation/decline", &[]).status, 303);
    assert_eq!(
        bob.get(&format!("/dashboard/projects/{project}")).status,
        404
    );
}

#[test]
fn a_pending_invitation_is_listed_and_revoked() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let link = invites(&mut ada, &project, "bob@example.org", "member");
    let members = format!("/dashboard/projects/{project}/members");
    let page = ada.page(&members);
    assert!(page.contains("bob@example.org"), "{page}");
    assert!(page.contains("/dashboard/demo/mail"), "{page}");
    let ends = ["in 6 days", "in 7 days"];
    assert!(ends.iter().any(|it| page.contains(it)), "{page}");
    let id = between(&page, "/invitations/", of_id).to_owned();
    let revoke = format!("/dashboard/projects/{project}/invitations/{id}/revoke");
    let page = ada.page_after(&revoke, &[]);
    assert!(page.contains("Invitation revoked."), "{page}");
    assert!(!ada.page(&members).contains("bob@example.org"));
    let mut bob = Browser::of(&serving, "bob@example.org");
    bob.get(&link);
    assert_eq!(bob.post("/dashboard/invitation/accept", &[]).status, 422);
}

#[test]
fn an_invitation_that_replaces_another_says_so() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let invite = format!("/dashboard/projects/{project}/invitations");
    let fields = [("email", "bob@example.org"), ("role", "member")];
    let page = ada.page_after(&invite, &fields);
    assert!(page.contains("Invitation sent."), "{page}");
    let page = ada.page_after(&invite, &fields);
    assert!(page.contains("The previous link no longer works"), "{page}");
}

#[test]
fn owners_hand_over_and_leave_but_for_the_last() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let ada_row = member(&mut ada, &project, "ada@example.org");
    let alone = ada.post(&format!("{ada_row}/remove"), &[]);
    assert_eq!(alone.status, 422, "{alone:?}");
    assert!(alone.body.contains("needs at least one owner"), "{alone:?}");
    let link = invites(&mut ada, &project, "bob@example.org", "member");
    let mut bob = Browser::of(&serving, "bob@example.org");
    bob.get(&link);
    bob.post("/dashboard/invitation/accept", &[]);
    let bob_row = member(&mut ada, &project, "bob@example.org");
    let page = ada.page_after(&format!("{bob_row}/role"), &[("role", "owner")]);
    assert!(page.contains("Role changed."), "{page}");
    assert!(
        ada.page(&format!("{ada_row}/remove"))
            .contains("Leave “A wallet”?")
    );
    let left = ada.post(&format!("{ada_row}/remove"), &[]);
    let projects = "/dashboard/projects?notice=project-left";
    assert_eq!(left.header("location"), Some(projects));
    assert_eq!(
        ada.get(&format!("/dashboard/projects/{project}")).status,
        404
    );
    let log = bob.page(&format!("/dashboard/projects/{project}/audit"));
    for what in ["Made bob@example.org an owner", "Left the project"] {
        assert!(log.contains(what), "{what}: {log}");
    }
}

#[test]
fn a_wrong_invitation_comes_back_with_the_reason() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let path = format!("/dashboard/projects/{project}/invitations");
    for (email, reason) in [
        ("no address", "looks like name@example.org"),
        ("ADA@example.org", "already a member of the project"),
    ] {
        let answer = ada.post(&path, &[("email", email), ("role", "member")]);
        assert_eq!(answer.status, 422, "{answer:?}");
        assert!(
            answer.body.contains(reason) && answer.body.contains(email),
            "{answer:?}"
        );
    }
    for _ in 0..5 {
        invites(&mut ada, &project, "bob@example.org", "member");
    }
    let answer = ada.post(&path, &[("email", "bob@example.org"), ("role", "member")]);
    assert!(answer.body.contains("try again tomorrow"), "{answer:?}");
}
