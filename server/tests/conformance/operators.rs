//! Tests on both databases: how operators are made and recovered, and their searches.

use jiff::Timestamp;
use uuid::Uuid;

use crate::passkeys;
use crate::records::{at, project};
use crate::world::{Site, World};
use console::accounts::sign_in::{self, BegunSession, SessionBrowser};
use console::accounts::{
    AccountAction, AccountRules, BrowserName, EnrolmentCode, SessionProof, history, sessions,
};
use console::operators;
use console::operators::{OperatorError, OperatorRejection};
use console::passkeys::{NewPasskey, PasskeyOwner, PasskeyRejection};
use console::tier_requests;
use db::Db;
use features::claims::{ClaimError, ClaimId, ClaimRejection, decision};
use features::domain::email::Email;
use features::domain::ids::{AccountId, PasskeyId};
use features::keys::KeyLabels;
use features::keys::lifecycle::{self, KeyRequest};
use features::mail::{Message, NewMail};
use features::project_lifecycle;
use features::projects::{Actor, Role, Tier};
use features::suspensions;
use server::config::{Config, Settings};

const NOW: i64 = 1_000_000;

pub(crate) fn email(name: &str) -> Email {
    format!("{name}@example.org").parse().unwrap()
}

/// Signs in as `NAME@example.org`.
pub(crate) async fn open(store: &Db, name: &str) -> BegunSession {
    let browser = SessionBrowser {
        name: BrowserName::of_user_agent(""),
        session: None,
    };
    let begun = sign_in::without_proof(store, email(name), browser, at(NOW)).await;
    begun.unwrap()
}

/// An operator `NAME@example.org`.
pub(crate) async fn operator(store: &Db, name: &str) -> Actor {
    let db = store;
    operators::add(db, email(name), at(NOW)).await.unwrap();
    Actor::OperatorAccount(open(store, name).await.account)
}

/// Adds passkey `n` to an account in a session that began by mail.
pub(crate) async fn add_passkey(
    store: &Db,
    account: AccountId,
    n: u8,
    code: Option<&EnrolmentCode>,
    now: Timestamp,
) -> Result<(), PasskeyRejection> {
    let owner = PasskeyOwner {
        account,
        proof: SessionProof::Mail,
    };
    let passkey = NewPasskey {
        id: PasskeyId(Uuid::now_v7()),
        name: format!("key {n}"),
        credential_id: vec![n; 16],
        credential: "{}".to_owned(),
        enrolment: code.map(EnrolmentCode::digest),
        created_at: now,
    };
    let message = Message {
        to: email("ada"),
        subject: String::new(),
        text: String::new(),
        html: String::new(),
    };
    let mail = NewMail::new(message, now);
    let added = console::passkeys::store::add_passkey(store, owner, passkey, mail).await;
    added.map_err(passkeys::rejection)
}

async fn is_signed_in(store: &Db, begun: &BegunSession) -> Option<bool> {
    let rules = AccountRules::default();
    let found = sessions::find(store, &begun.secret, &rules, at(NOW)).await;
    found.unwrap().map(|signed_in| signed_in.is_operator)
}

async fn a_mailbox_does_not_make_an_operator(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let db = store;
    // A passkey and a session from before, for which the mailbox was enough.
    let before = open(store, "ada").await;
    let ada = before.account;
    add_passkey(store, ada, 1, None, at(NOW)).await.unwrap();
    let issued = operators::add(db, email("ADA"), at(NOW)).await.unwrap();
    assert_eq!(is_signed_in(store, &before).await, None);
    assert_eq!(
        console::passkeys::store::passkeys_of(store, ada)
            .await
            .unwrap(),
        []
    );
    assert_eq!(
        is_signed_in(store, &open(store, "ada").await).await,
        Some(true)
    );

    // By mail, a passkey is added with the code alone, once and in time.
    let other = EnrolmentCode::generate().unwrap();
    let add = async |n, code, now| add_passkey(store, ada, n, code, at(now)).await;
    let end = NOW + i64::try_from(EnrolmentCode::LIFE.as_secs()).unwrap();
    for refused in [
        add(2, None, NOW).await,
        add(2, Some(&other), NOW).await,
        add(2, Some(&issued.code), end).await,
    ] {
        assert_eq!(refused, Err(PasskeyRejection::Code));
    }
    add(2, Some(&issued.code), end - 1).await.unwrap();
    let again = add(3, Some(&issued.code), end - 1).await;
    assert_eq!(again, Err(PasskeyRejection::Code));
}

/// A code works once, even if the passkey is rejected.
async fn a_rejected_passkey_uses_up_the_code(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let eve = open(store, "eve").await.account;
    add_passkey(store, eve, 1, None, at(NOW)).await.unwrap();
    let issued = operators::add(store, email("ada"), at(NOW)).await.unwrap();
    let ada = open(store, "ada").await.account;
    let known = add_passkey(store, ada, 1, Some(&issued.code), at(NOW)).await;
    assert_eq!(known, Err(PasskeyRejection::Known));
    let again = add_passkey(store, ada, 2, Some(&issued.code), at(NOW)).await;
    assert_eq!(again, Err(PasskeyRejection::Code));
}

async fn an_operator_is_added_recovered_and_removed(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let db = store;
    operators::add(db, email("eve"), at(NOW)).await.unwrap();
    let first = operators::add(db, email("ada"), at(NOW)).await.unwrap();
    let again = operators::add(db, email("ada"), at(NOW)).await;
    let already = OperatorError::Rejected(OperatorRejection::Already);
    assert_eq!(again.map(drop), Err(already));
    let session = open(store, "ada").await;
    let ada = session.account;
    add_passkey(store, ada, 1, Some(&first.code), at(NOW))
        .await
        .unwrap();
    let listed = console::operators::store::operators(store).await.unwrap();
    let told: Vec<_> = listed
        .iter()
        .map(|it| (it.email.as_str(), it.since, it.passkeys))
        .collect();
    let since = at(NOW);
    assert_eq!(
        told,
        [("ada@example.org", since, 1), ("eve@example.org", since, 0)]
    );

    let second = operators::recover(db, email("ada"), at(NOW + 1))
        .await
        .unwrap();
    assert_eq!(
        console::passkeys::store::passkeys_of(store, ada)
            .await
            .unwrap(),
        []
    );
    assert_eq!(is_signed_in(store, &session).await, None);
    let old = add_passkey(store, ada, 2, Some(&first.code), at(NOW + 1)).await;
    assert_eq!(old, Err(PasskeyRejection::Code));
    add_passkey(store, ada, 2, Some(&second.code), at(NOW + 1))
        .await
        .unwrap();

    let session = open(store, "ada").await;
    operators::remove(db, email("ada"), at(NOW + 2))
        .await
        .unwrap();
    assert_eq!(is_signed_in(store, &session).await, None);
    assert_eq!(
        is_signed_in(store, &open(store, "ada").await).await,
        Some(false)
    );
    for unknown in [
        operators::remove(db, email("ada"), at(NOW)).await,
        operators::recover(db, email("ada"), at(NOW))
            .await
            .map(drop),
    ] {
        let expected = OperatorError::Rejected(OperatorRejection::Unknown);
        assert_eq!(unknown, Err(expected));
    }
    let events = history::of_account(db, ada).await.unwrap();
    let actions = events.into_iter().map(|event| event.action);
    assert!(actions.eq([
        AccountAction::OperatorRemoved,
        AccountAction::PasskeyAdded("key 2".to_owned()),
        AccountAction::OperatorRecovered,
        AccountAction::PasskeyAdded("key 1".to_owned()),
        AccountAction::OperatorAdded,
    ]));
}

async fn an_operator_finds_by_id_name_address_and_key(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let db = store;
    let actor = operator(store, "op").await;
    let bob = open(store, "Bob").await.account;
    for (n, role) in [(1, Role::Owner), (2, Role::Member)] {
        let added = features::project_lifecycle::store::add_member(
            store,
            Actor::Operator,
            project(n).id,
            (bob, role),
            at(NOW),
        );
        added.await.unwrap();
    }
    let found = async |text: &str| {
        let found = operators::find(db, actor, text).await.unwrap();
        assert!(!found.is_cut);
        let projects = found
            .projects
            .into_iter()
            .map(|it| (it.project.name, it.owners));
        let accounts = found
            .accounts
            .into_iter()
            .map(|it| (it.account.id, it.projects));
        (projects.collect::<Vec<_>>(), accounts.collect::<Vec<_>>())
    };
    let one = || ("Project 1".to_owned(), "Bob@example.org".to_owned());
    let two = || ("Project 2".to_owned(), String::new());
    assert_eq!(found("PROJECT").await, (vec![one(), two()], vec![]));
    assert_eq!(found(" bob@ ").await, (vec![one()], vec![(bob, 2)]));
    assert_eq!(
        found(&project(2).id.0.to_string()).await,
        (vec![two()], vec![])
    );
    assert_eq!(found(&bob.0.to_string()).await, (vec![], vec![(bob, 2)]));
    assert_eq!(found("%").await, (vec![], vec![]));
    let request = KeyRequest {
        labels: KeyLabels::with_label("Night export"),
        ..KeyRequest::lasting(None)
    };
    let issued = lifecycle::issue(db, Actor::Operator, project(2).id, request, at(NOW)).await;
    let issued = issued.unwrap();
    for text in [
        &issued.id.0.to_string(),
        "night EXPORT",
        issued.key.display_prefix(),
    ] {
        assert_eq!(found(text).await, (vec![two()], vec![]), "{text}");
    }

    let seen = operators::project(db, actor, project(1).id).await.unwrap();
    assert_eq!(
        (seen.project, &*seen.owners),
        (project(1), "Bob@example.org")
    );
    let seen = operators::account(db, actor, bob).await.unwrap();
    assert_eq!(
        (seen.sessions, seen.passkeys, seen.is_operator),
        (1, 0, false)
    );
    let roles = seen.projects.into_iter().map(|own| (own.project, own.role));
    assert!(roles.eq([(project(1), Role::Owner), (project(2), Role::Member)]));
}

async fn who_is_no_operator_any_more_sees_and_changes_nothing(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let db = store;
    let actor = operator(store, "op").await;
    let id = project(1).id;
    let tier = Tier::Pro;
    project_lifecycle::find(db, actor, id).await.unwrap();
    project_lifecycle::set_tier(db, actor, id, tier, at(NOW))
        .await
        .unwrap();
    // It looks after projects, and is no member of them.
    let request = KeyRequest::lasting(None);
    let issued = lifecycle::issue(db, actor, id, request, at(NOW)).await;
    assert!(issued.is_err());
    assert!(
        project_lifecycle::delete(db, actor, id, at(NOW))
            .await
            .is_err()
    );

    operators::remove(db, email("op"), at(NOW)).await.unwrap();
    let account = actor.account().unwrap();
    let service = Config::of(Settings::default()).service;
    for actor in [actor, Actor::Account(account)] {
        assert!(operators::find(db, actor, "project").await.is_err());
        assert!(operators::project(db, actor, id).await.is_err());
        assert!(operators::account(db, actor, account).await.is_err());
        assert!(tier_requests::open(db, actor).await.is_err());
        assert!(decision::waiting(db, actor).await.is_err());
        let accepted = decision::accept(db, actor, ClaimId(Uuid::nil()), at(NOW)).await;
        let forbidden = ClaimError::Rejected(ClaimRejection::Forbidden);
        assert_eq!(accepted, Err(forbidden));
        let suspended = suspensions::suspend(db, &service, actor, id, "Spam.", at(NOW)).await;
        assert!(suspended.is_err());
        assert!(project_lifecycle::find(db, actor, id).await.is_err());
        assert!(
            project_lifecycle::set_tier(db, actor, id, tier, at(NOW))
                .await
                .is_err()
        );
    }
}

on_each_database! {
    a_mailbox_does_not_make_an_operator,
    a_rejected_passkey_uses_up_the_code,
    an_operator_finds_by_id_name_address_and_key,
    an_operator_is_added_recovered_and_removed,
    who_is_no_operator_any_more_sees_and_changes_nothing,
}
