//! Changing the address of an account.

use super::{NOW, account, asks, begins, confirm, invites, makes_project, signs_in};
use crate::records::at;
use crate::world::{Site, World};
use console::accounts::{BrowserSecret, SignInCode, SignInRejection};
use features::audit::{self, AuditAction};
use features::domain::email::Email;
use features::projects::{Actor, Role};

async fn an_address_is_changed_by_its_new_mailbox_and_the_old_session(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let (session, ada) = signs_in(store, "ada@example.org").await;
    let (other, _) = signs_in(store, "ada@example.org").await;
    let (thief, _) = signs_in(store, "eve@example.org").await;
    let project = makes_project(store, &ada, "Mine").await;
    let browser = BrowserSecret::generate().unwrap();
    let code = asks(store, "Countess@example.org", &browser, Some(&ada)).await;
    for session in [None, Some(&thief)] {
        let refused = confirm(store, &browser, &code, session).await;
        assert_eq!(
            refused.unwrap_err(),
            SignInRejection::Ended,
            "in no other session"
        );
    }
    let changed = confirm(store, &browser, &code, Some(&session))
        .await
        .unwrap();
    assert_eq!(changed.account, ada.id);
    let after = account(store, &changed).await.unwrap();
    assert_eq!(
        (after.id, after.email.as_str()),
        (ada.id, "Countess@example.org")
    );
    assert_eq!(account(store, &session).await, None);
    assert_eq!(account(store, &other).await, None, "all others end");
    assert!(
        features::projects::store::project(store, Actor::Account(ada.id), project)
            .await
            .unwrap()
            .is_some()
    );
    let again = confirm(store, &browser, &code, Some(&changed)).await;
    assert_eq!(again.unwrap_err(), SignInRejection::Ended);
    let (_, new) = signs_in(store, "ada@example.org").await;
    assert_ne!(new.id, ada.id, "the former address is free");

    // Another's address is not taken over, nor by two accounts at once.
    let code = asks(store, "eve@example.org", &browser, Some(&after)).await;
    let refused = confirm(store, &browser, &code, Some(&changed)).await;
    assert_eq!(refused.unwrap_err(), SignInRejection::Taken);
    assert_eq!(account(store, &changed).await.unwrap().email, after.email);
}

async fn the_former_address_is_told_of_its_change(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let (_, ada) = signs_in(store, "ada@example.org").await;
    let browser = BrowserSecret::generate().unwrap();
    let begun = begins(store, "new@example.org", &browser, Some(&ada)).await;
    begun.unwrap();
    let mut told: Vec<Email> = Vec::new();
    while let Some(mail) = features::mail::store::take_mail(store, at(NOW), at(NOW))
        .await
        .unwrap()
    {
        features::mail::store::delete_mail(store, mail.id)
            .await
            .unwrap();
        let has_code = mail
            .message
            .text
            .lines()
            .any(|line| SignInCode::parse(line).is_some());
        assert_eq!(has_code, mail.message.to != ada.email);
        told.push(mail.message.to);
    }
    told.sort_by_key(|email| email.as_str().to_owned());
    let told: Vec<_> = told.iter().map(Email::as_str).collect();
    assert_eq!(told, ["ada@example.org", "new@example.org"]);
}

async fn the_audit_log_forgets_the_former_address(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let (session, ada) = signs_in(store, "ada@example.org").await;
    let (_, bob) = signs_in(store, "bob@example.org").await;
    let project = makes_project(store, &bob, "Theirs").await;
    invites(store, &bob, project, "ADA@example.org").await;
    let latest = async || {
        let by_bob = Actor::Account(bob.id);
        let entries = audit::of_project(store, by_bob, project, None, 1).await;
        entries.unwrap().unwrap().remove(0).action
    };
    let invited = |address: Option<&str>| {
        let address = address.map(|it| it.parse().unwrap());
        AuditAction::MemberInvited(address, Role::Member)
    };
    assert_eq!(latest().await, invited(Some("ADA@example.org")));
    let browser = BrowserSecret::generate().unwrap();
    let code = asks(store, "countess@example.org", &browser, Some(&ada)).await;
    let changed = confirm(store, &browser, &code, Some(&session)).await;
    changed.unwrap();
    assert_eq!(latest().await, invited(None));
}

on_each_database! {
    the_audit_log_forgets_the_former_address,
    an_address_is_changed_by_its_new_mailbox_and_the_old_session,
    the_former_address_is_told_of_its_change,
}
