//! Tests on both databases: keys are issued, rotated and revoked.

use futures_util::future::join_all;
use jiff::Timestamp;
use uuid::Uuid;

use crate::records::{at, project_id};
use crate::world::{Site, World};
use console::accounts::BrowserName;
use console::accounts::sign_in::{self, SessionBrowser};
use db::Db;
use features::audit::{self, AuditAction};
use features::domain::ids::AccountId;
use features::keys::lifecycle::{self, KeyChangeError, KeyRequest};
use features::keys::{
    Key, KeyDigest, KeyEnd, KeyId, KeyOfProject, KeyRejection, KeySwitch, NewKey, expiry, leak,
};
use features::mail::Message;
use features::project_lifecycle::{ProjectChangeError, ProjectRejection};
use features::projects::{Actor, Role, Tier};
use server::config::{Config, Settings};

fn key(n: u8) -> NewKey {
    NewKey::issued(
        KeyId(Uuid::from_bytes([n; 16])),
        KeyDigest([n; 32]),
        "sk_abcd",
        at(100),
    )
}

fn rejected(rejection: KeyRejection) -> KeyChangeError {
    KeyChangeError::Rejected(rejection)
}

fn of_project(project: u8, key: KeyId) -> KeyOfProject {
    KeyOfProject {
        actor: Actor::Operator,
        project: project_id(project),
        key,
    }
}

async fn keys_are_issued_rotated_and_revoked(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let (one, two) = (key(1), key(2));
    let late = NewKey {
        created_at: at(120),
        ..key(3)
    };
    let add = |project, key| {
        features::keys::store::add_key(store, Actor::Operator, project_id(project), key)
    };
    let rotate =
        |old, new| features::keys::store::rotate_key(store, of_project(1, old), new, at(150));
    let revoke =
        |project, key, second| lifecycle::revoke(store, of_project(project, key), at(second));

    let unknown_project = rejected(KeyRejection::UnknownProject(project_id(9)));
    assert_eq!(add(9, one.clone()).await, Err(unknown_project));
    assert_eq!(add(1, one.clone()).await, Ok(()));
    assert_eq!(rotate(one.id, two.clone()).await, Ok(at(150)));
    let made = rejected(KeyRejection::AlreadyIssued(two.id));
    assert_eq!(rotate(one.id, two.clone()).await, Err(made));
    let rotated = rejected(KeyRejection::Rotated(one.id, two.id));
    assert_eq!(rotate(one.id, late.clone()).await, Err(rotated));
    let another_projects = rejected(KeyRejection::UnknownKey(two.id));
    assert_eq!(revoke(2, two.id, 120).await, Err(another_projects));
    assert_eq!(revoke(1, two.id, 120).await, Ok(()));
    let ended = || rejected(KeyRejection::Ended(two.id, KeyEnd::Revoked(at(120))));
    assert_eq!(revoke(1, two.id, 130).await, Err(ended()));
    assert_eq!(rotate(two.id, late).await, Err(ended()));
    let unknown = rejected(KeyRejection::UnknownKey(key(4).id));
    assert_eq!(revoke(1, key(4).id, 1).await, Err(unknown));

    let keys = features::keys::store::keys_of(store, project_id(1))
        .await
        .unwrap();
    assert_eq!(keys, crate::world::all_keys(store).await);
    assert_eq!(
        features::keys::store::key(store, two.id)
            .await
            .unwrap()
            .as_ref(),
        keys.last()
    );
    let successors: Vec<_> = keys.iter().map(|key| key.successor).collect();
    assert_eq!(successors, [Some(two.id), None]);
    let live = |second| {
        keys.iter()
            .map(|key| key.is_live(at(second)))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (live(149), live(150)),
        (vec![true, false], vec![false, false])
    );
}

async fn a_rotated_key_ends_no_later_than_it_would_have(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    for (n, end, expected) in [(1, 140, 140), (2, 160, 150)] {
        let ending = NewKey {
            expires_at: Some(at(end)),
            ..key(n)
        };
        let added =
            features::keys::store::add_key(store, Actor::Operator, project_id(1), ending).await;
        added.unwrap();
        let rotated =
            features::keys::store::rotate_key(store, of_project(1, key(n).id), key(n + 2), at(150));
        assert_eq!(rotated.await, Ok(at(expected)));
        let old = features::keys::store::key(store, key(n).id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(old.expires_at, Some(at(expected)));
    }
}

async fn a_key_is_given_another_label(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let one = of_project(1, key(1).id);
    let added = features::keys::store::add_key(store, Actor::Operator, project_id(1), key(1)).await;
    added.unwrap();
    let rename = async |key, label: &str| lifecycle::rename(store, key, label, at(120)).await;
    let label = async || {
        features::keys::store::key(store, one.key)
            .await
            .unwrap()
            .unwrap()
            .labels
            .label
    };
    rename(one, " worker ").await.unwrap();
    assert_eq!(label().await.as_deref(), Some("worker"));
    assert!(rename(of_project(2, one.key), "stolen").await.is_err());
    assert!(rename(one, &"x".repeat(61)).await.is_err());
    assert_eq!(label().await.as_deref(), Some("worker"));
    rename(one, "").await.unwrap();
    assert_eq!(label().await, None);

    assert_eq!(
        features::audit::store::key_stops(store, Actor::Operator, one.project)
            .await
            .unwrap(),
        []
    );
    lifecycle::revoke(store, one, at(130)).await.unwrap();
    assert!(rename(one, "late").await.is_err());
    let stops = features::audit::store::key_stops(store, Actor::Operator, one.project)
        .await
        .unwrap();
    let [stop] = &stops[..] else {
        panic!("{stops:?}")
    };
    let revoked = AuditAction::KeyRevoked("sk_abcd".to_owned());
    assert_eq!((&stop.action, stop.at), (&revoked, at(130)));
    let stranger = Actor::Account(AccountId(Uuid::nil()));
    assert_eq!(
        features::audit::store::key_stops(store, stranger, one.project)
            .await
            .unwrap(),
        []
    );
}

async fn a_disabled_key_is_not_accepted_until_it_is_enabled(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let one = of_project(1, key(1).id);
    let added = features::keys::store::add_key(store, Actor::Operator, project_id(1), key(1)).await;
    added.unwrap();
    let switch = async |key, to, second| lifecycle::switch(store, key, to, at(second)).await;
    let stored = async || {
        features::keys::store::key(store, one.key)
            .await
            .unwrap()
            .unwrap()
    };
    let count = async || features::database::versions(store).await.unwrap().keys;

    let before = count().await;
    assert_eq!(switch(one, KeySwitch::Disabled, 120).await, Ok(()));
    assert_eq!(stored().await.disabled_at, Some(at(120)));
    assert!(stored().await.is_live(at(121)));
    assert_eq!(stored().await.refused_from(), Some(Timestamp::MIN));
    let disabled = count().await;
    assert!(disabled > before);
    assert_eq!(switch(one, KeySwitch::Disabled, 130).await, Ok(()));
    assert_eq!(stored().await.disabled_at, Some(at(120)), "it was before");
    assert_eq!(count().await, disabled);
    assert_eq!(switch(one, KeySwitch::Enabled, 140).await, Ok(()));
    assert_eq!(stored().await.refused_from(), key(1).expires_at);
    assert!(count().await > disabled);

    let foreign = of_project(2, one.key);
    let unknown = rejected(KeyRejection::UnknownKey(one.key));
    let switched = switch(foreign, KeySwitch::Disabled, 150).await;
    assert_eq!(switched, Err(unknown));
    lifecycle::revoke(store, one, at(160)).await.unwrap();
    let ended = rejected(KeyRejection::Ended(one.key, KeyEnd::Revoked(at(160))));
    let switched = switch(one, KeySwitch::Enabled, 170).await;
    assert_eq!(switched, Err(ended));

    let log = audit::of_project(store, Actor::Operator, project_id(1), None, 9).await;
    let log = log.unwrap().unwrap().into_iter();
    let switches = log.filter(|entry| {
        matches!(
            entry.action,
            AuditAction::KeyDisabled(_) | AuditAction::KeyEnabled(_)
        )
    });
    assert_eq!(switches.count(), 2);
}

async fn changes_of_keys_and_tiers_are_counted(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let before = features::database::versions(store).await.unwrap();
    let other = world.another().await;
    let added =
        features::keys::store::add_key(&other, Actor::Operator, project_id(1), key(1)).await;
    added.unwrap();
    let added = features::database::versions(store).await.unwrap();
    assert_eq!(
        (added.keys, added.charities),
        (before.keys + 1, before.charities)
    );
    let set_tier = |n| {
        features::project_lifecycle::set_tier(
            &other,
            Actor::Operator,
            project_id(n),
            Tier::Enterprise,
            at(1),
        )
    };
    assert_eq!(set_tier(1).await, Ok(()));
    let unknown = ProjectRejection::Unknown(project_id(9));
    let unknown = Err(ProjectChangeError::Rejected(unknown));
    assert_eq!(set_tier(9).await, unknown);
    assert!(features::database::versions(store).await.unwrap().keys > added.keys);
    assert_eq!(
        crate::world::all_keys(store).await[0].tier,
        Tier::Enterprise
    );
}

/// The mails of the outbox, which are deleted.
async fn mails(store: &Db, now: Timestamp) -> Vec<Message> {
    let mut mails = Vec::new();
    while let Some(mail) = features::mail::store::take_mail(store, now, now)
        .await
        .unwrap()
    {
        features::mail::store::delete_mail(store, mail.id)
            .await
            .unwrap();
        mails.push(mail.message);
    }
    mails
}

/// Makes an account an owner of project 1.
pub(crate) async fn owned_by(store: &Db, name: &str) -> AccountId {
    let browser = SessionBrowser {
        name: BrowserName::of_user_agent(""),
        session: None,
    };
    let email = format!("{name}@example.org").parse().unwrap();
    let begun = sign_in::without_proof(store, email, browser, at(0)).await;
    let owner = begun.unwrap().account;
    let added = features::project_lifecycle::store::add_member(
        store,
        Actor::Operator,
        project_id(1),
        (owner, Role::Owner),
        at(0),
    );
    added.await.unwrap();
    owner
}

const DAY: i64 = 24 * 3600;

async fn owners_are_told_of_the_end_of_a_key_once(site: Site) {
    let world = World::new(&site).await;
    let stores = [world.store.clone(), world.another().await];
    for name in ["ada", "bob"] {
        owned_by(&stores[0], name).await;
    }
    let ending = |n, end| NewKey {
        created_at: at(0),
        expires_at: Some(at(end)),
        ..key(n)
    };
    let add = async |key| {
        let added =
            features::keys::store::add_key(&stores[0], Actor::Operator, project_id(1), key).await;
        added.unwrap();
    };
    add(ending(1, 90 * DAY)).await;
    add(ending(2, 2 * DAY)).await;
    add(key(3)).await;
    add(ending(4, 90 * DAY)).await;
    let revoked =
        features::keys::lifecycle::revoke(&stores[0], of_project(1, key(4).id), at(1)).await;
    revoked.unwrap();
    // An owner who rotates a key has chosen its end.
    add(ending(5, 90 * DAY)).await;
    let rotated = features::keys::store::rotate_key(
        &stores[0],
        of_project(1, key(5).id),
        key(6),
        at(89 * DAY),
    )
    .await;
    rotated.unwrap();

    let service = Config::of(Settings::default()).service;
    let announced = async |second| {
        let now = at(second);
        let announce = |store: &Db| {
            let (store, service) = (store.clone(), service.clone());
            async move { expiry::announce(&store, &service, now).await.unwrap() }
        };
        join_all(stores.iter().map(announce)).await;
        let mails = mails(&stores[1], now).await;
        let told = mails
            .iter()
            .map(|mail| (mail.to.as_str().to_owned(), mail.subject.clone()));
        let mut told: Vec<_> = told.collect();
        told.sort();
        told
    };
    let both = |subject: &str| {
        ["ada@example.org", "bob@example.org"]
            .map(|to| (to.to_owned(), format!("The key sk_abcd… {subject}")))
            .to_vec()
    };
    assert_eq!(announced(DAY).await, []);
    assert_eq!(announced(75 * DAY).await, []);
    assert_eq!(announced(76 * DAY).await, both("expires in 14 days"));
    assert_eq!(announced(77 * DAY).await, []);
    assert_eq!(announced(88 * DAY).await, both("expires in 2 days"));
    assert_eq!(announced(89 * DAY + 1).await, []);
    assert_eq!(announced(90 * DAY).await, both("has expired"));
    assert_eq!(announced(90 * DAY + 1).await, []);
    assert_eq!(announced(400 * DAY).await, []);
}

async fn a_leaked_key_is_revoked_and_its_owners_are_told(site: Site) {
    let world = World::new(&site).await;
    let (store, db) = (&world.store, &world.store);
    let owner = owned_by(store, "ada").await;
    let issue = async |actor| {
        let request = KeyRequest::lasting(None);
        let issued = lifecycle::issue(db, actor, project_id(1), request, at(1)).await;
        issued.unwrap()
    };
    let (leaked, kept) = (
        issue(Actor::Account(owner)).await,
        issue(Actor::Operator).await,
    );
    let before = features::database::versions(store).await.unwrap().keys;
    let service = Config::of(Settings::default()).service;
    let (text, unknown) = (leaked.key.reveal(), Key::generate().unwrap());
    let texts = [text, "sk_0", text, "", unknown.reveal()];
    for expected in [1, 0] {
        let count = leak::report(db, &service, texts.into_iter(), at(10)).await;
        assert_eq!(count.unwrap(), expected);
    }
    assert!(
        !features::keys::store::key(db, leaked.id)
            .await
            .unwrap()
            .unwrap()
            .is_live(at(10))
    );
    assert!(
        features::keys::store::key(db, kept.id)
            .await
            .unwrap()
            .unwrap()
            .is_live(at(10))
    );
    assert!(features::database::versions(store).await.unwrap().keys > before);
    let mails = mails(store, at(10)).await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].to.as_str(), "ada@example.org");
    assert!(!mails[0].text.contains(text), "{}", mails[0].text);
    let log = audit::of_project(db, Actor::Operator, project_id(1), None, 9).await;
    let leaks = log.unwrap().unwrap().into_iter().filter(|entry| {
        entry.action == AuditAction::KeyLeaked(leaked.key.display_prefix().to_owned())
    });
    assert_eq!(leaks.count(), 1);
    let issuers = features::keys::store::issuers(db, project_id(1))
        .await
        .unwrap();
    assert_eq!(issuers, [(owner, "ada@example.org".parse().unwrap())]);
}

/// Keys that are valid count, and those that were issued in the last day, so that neither many keys nor a key
/// that is rotated all day grows without end.
async fn a_project_has_no_more_keys_than_its_quota(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let limited = |n, second| NewKey {
        created_at: at(second),
        quota: Some(2),
        ..key(n)
    };
    let add = async |key| {
        features::keys::store::add_key(store, Actor::Operator, project_id(1), key).await
    };
    let quota = || Err(rejected(KeyRejection::Quota(2)));
    assert_eq!(add(limited(1, 100)).await, Ok(()));
    assert_eq!(add(limited(2, 100)).await, Ok(()));
    assert_eq!(add(limited(3, 100)).await, quota());
    let one = of_project(1, key(1).id);
    let rotated = features::keys::store::rotate_key(store, one, limited(3, 100), at(100)).await;
    assert_eq!(rotated.map(drop), quota());
    assert_eq!(lifecycle::revoke(store, one, at(101)).await, Ok(()));
    assert_eq!(add(limited(3, 102)).await, quota(), "it was issued today");
    let tomorrow = 100 + 24 * 3600;
    assert_eq!(add(limited(3, tomorrow)).await, Ok(()));
    assert_eq!(add(limited(4, tomorrow)).await, quota());
    let other =
        features::keys::store::add_key(store, Actor::Operator, project_id(2), limited(5, tomorrow));
    assert_eq!(other.await, Ok(()), "each project has its own");
    let by_operator = key(6);
    assert_eq!(add(by_operator).await, Ok(()), "an operator has none");
}

on_each_database! {
    a_project_has_no_more_keys_than_its_quota,
    a_leaked_key_is_revoked_and_its_owners_are_told,
    owners_are_told_of_the_end_of_a_key_once,
    keys_are_issued_rotated_and_revoked,
    a_rotated_key_ends_no_later_than_it_would_have,
    a_disabled_key_is_not_accepted_until_it_is_enabled,
    a_key_is_given_another_label,
    changes_of_keys_and_tiers_are_counted,
}
