//! Erasing an account.

use uuid::Uuid;

use super::{
    NOW, account, adds_passkey, asks, becomes_owner, begins, confirm, invites, links_identity,
    mail_to, makes_project, signs_in, tries_to_make_project,
};
use crate::records::{at, place, project_id};
use crate::world::{Site, World};
use console::accounts::{Account, BrowserSecret, SignInRejection};
use console::members::invitations;
use console::oidc::OidcRejection;
use console::passkeys::PasskeyRejection;
use console::personal_data::erasure;
use console::tier_requests;
use db::Db;
use features::audit::{self, AuditAction, AuditAuthor};
use features::claims::claiming;
use features::domain::email::Email;
use features::keys::KeyId;
use features::keys::lifecycle::{self, KeyRequest};
use features::projects::{Actor, ProjectId, Tier};
use features::usage::{Minute, MinuteCount, RunId, StatusClass};

/// The tables that have the address of an account which has all that the service keeps.
const WITH_ADDRESS: [&str; 8] = [
    "account",
    "account_event",
    "audit_event",
    "identity",
    "invitation",
    "known_browser",
    "outbox",
    "sign_in",
];

/// Issues a key to a project as one of its accounts.
async fn issues(store: &Db, account: &Account, project: ProjectId) -> KeyId {
    let (actor, request) = (Actor::Account(account.id), KeyRequest::lasting(None));
    let issued = lifecycle::issue(store, actor, project, request, at(NOW)).await;
    issued.unwrap().id
}

async fn counts_requests(store: &Db, project: ProjectId, key: KeyId) {
    let count = MinuteCount {
        minute: Minute::of(at(NOW)),
        project,
        key,
        operation: "configs.list",
        class: StatusClass::Success,
        requests: 7,
        is_coarse: false,
    };
    let run = RunId(Uuid::from_u128(1));
    features::usage::store::put_usage(store, run, vec![count])
        .await
        .unwrap();
}

async fn erase(store: &Db, account: &Account) {
    let typed = account.email.as_str();
    let erased = erasure::erase(store, account, typed, at(NOW)).await;
    erased.unwrap();
}

/// The rows of all tables, after the name of its table each.
async fn dump(world: &World) -> Vec<String> {
    let mut rows = world.dump().await;
    rows.iter_mut().for_each(|row| row.make_ascii_lowercase());
    rows.sort_unstable();
    rows
}

/// The number of rows of a table.
fn count(rows: &[String], table: &str) -> usize {
    let start = format!("{table} ");
    rows.iter().filter(|row| row.starts_with(&start)).count()
}

/// The tables that have a text.
fn tables_with<'a>(rows: &'a [String], text: &str) -> Vec<&'a str> {
    let found = rows.iter().filter(|row| row.contains(text));
    let mut tables: Vec<_> = found.filter_map(|row| row.split(' ').next()).collect();
    tables.dedup();
    tables
}

async fn nothing_has_the_address_of_an_erased_account(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let db = store;
    let (_, bob) = signs_in(store, "bob@example.org").await;
    let (session, ada) = signs_in(store, "Ada@example.org").await;
    let (own, shared) = (project_id(1), makes_project(store, &bob, "Shared").await);
    for project in [own, shared] {
        becomes_owner(store, &ada, project).await;
        let key = issues(store, &ada, project).await;
        counts_requests(store, project, key).await;
    }
    let by_ada = Actor::Account(ada.id);
    let claim = claiming::begin(db, by_ada, own, place(150), at(NOW)).await;
    claim.unwrap();
    let other = makes_project(store, &bob, "Other").await;
    let browser = BrowserSecret::generate().unwrap();
    let code = asks(store, "ada@example.org", &browser, None).await;
    let moving = BrowserSecret::generate().unwrap();
    let asked = begins(store, "countess@example.org", &moving, Some(&ada)).await;
    asked.unwrap();
    adds_passkey(store, ada.id, 1, "ada@example.org")
        .await
        .unwrap();
    links_identity(store, ada.id, "ada@example.org")
        .await
        .unwrap();
    invites(store, &ada, shared, "carol@example.org").await;
    invites(store, &ada, own, "dan@example.org").await;
    invites(store, &bob, other, "ADA@example.org").await;

    let before = dump(&world).await;
    assert_eq!(tables_with(&before, "ada@example.org"), WITH_ADDRESS);
    let kept = ["claim", "membership", "passkey", "session", "usage_minute"];
    assert_eq!(kept.map(|table| count(&before, table)), [1, 4, 1, 2, 2]);

    for typed in ["", "bob@example.org", "ada"] {
        let refused = erasure::erase(db, &ada, typed, at(NOW)).await;
        assert!(refused.is_err(), "{typed}");
    }
    let erased = erasure::erase(db, &ada, " ada@EXAMPLE.org", at(NOW)).await;
    erased.unwrap();

    let after = dump(&world).await;
    for gone in ["ada@example.org", "countess@example.org", "a phone"] {
        assert!(tables_with(&after, gone).is_empty(), "{gone}: {after:?}");
    }
    let of_project = tables_with(&after, "dan@example.org");
    assert!(!of_project.contains(&"audit_event"), "{of_project:?}");
    assert_eq!(
        tables_with(&after, "bob@example.org"),
        ["account", "known_browser", "sign_in"]
    );
    assert_eq!(kept.map(|table| count(&after, table)), [0, 2, 0, 1, 1]);
    assert_eq!(
        features::mail::store::take_mail(store, at(NOW), at(NOW))
            .await
            .unwrap(),
        None
    );
    assert_eq!(account(store, &session).await, None);

    // Neither the code that was sent nor the pseudonym leads to the account, and the address gets a new one.
    let refused = confirm(store, &browser, &code, None).await;
    assert_eq!(refused.unwrap_err(), SignInRejection::Ended);
    for email in [Email::of_erased(ada.id).as_str(), "ada@example.org"] {
        let (_, new) = signs_in(store, email).await;
        assert_ne!(new.id, ada.id);
        assert_eq!(
            features::projects::store::projects_of(store, new.id)
                .await
                .unwrap(),
            []
        );
    }
}

async fn projects_of_others_stay_and_name_a_pseudonym(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let db = store;
    let (_, bob) = signs_in(store, "bob@example.org").await;
    let (_, ada) = signs_in(store, "ada@example.org").await;
    let own = makes_project(store, &ada, "Own").await;
    let shared = makes_project(store, &bob, "Shared").await;
    becomes_owner(store, &ada, shared).await;
    issues(store, &ada, shared).await;
    invites(store, &ada, shared, "carol@example.org").await;
    let asked = tier_requests::ask(db, ada.id, shared, Tier::Pro, "We grow.", at(NOW)).await;
    asked.unwrap();
    let sole = erasure::sole_projects(db, ada.id).await.unwrap();
    let sole: Vec<_> = sole.iter().map(|it| (it.project.id, it.others)).collect();
    assert_eq!(sole, [(own, 0)]);
    erase(store, &ada).await;

    assert_eq!(
        features::projects::store::project(store, Actor::Operator, own)
            .await
            .unwrap(),
        None
    );
    let by_bob = Actor::Account(bob.id);
    let keys = lifecycle::list(db, by_bob, shared).await.unwrap();
    assert!(keys[0].is_live(at(NOW)) && keys[0].made_by == Some(ada.id));
    let waiting = tier_requests::open(db, Actor::Operator).await.unwrap();
    assert_eq!(waiting, [], "nobody would be told of a decision");
    let pending = invitations::list(db, by_bob, shared, at(NOW)).await;
    assert_eq!(pending.unwrap(), [], "hers end");
    let entries = audit::of_project(db, by_bob, shared, None, 9).await;
    let entries = entries.unwrap().unwrap();
    let issued = |it: &&audit::AuditEntry| matches!(it.action, AuditAction::KeyIssued(_));
    let AuditAuthor::Account(id, name) = &entries.iter().find(issued).unwrap().by else {
        panic!("{entries:?}");
    };
    assert_eq!(*id, ada.id);
    assert!(name.as_str().ends_with("@erased.invalid"), "{entries:?}");
}

/// Changes that begin before an erasure and are written after it.
async fn an_erased_account_gets_nothing_more(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let (session, ada) = signs_in(store, "ada@example.org").await;
    let (_, bob) = signs_in(store, "bob@example.org").await;
    let shared = makes_project(store, &bob, "Shared").await;
    becomes_owner(store, &ada, shared).await;
    let key = issues(store, &ada, shared).await;
    erase(store, &ada).await;

    let mails = vec![mail_to("ada@example.org"), mail_to("bob@example.org")];
    assert!(
        features::keys::store::revoke_leaked_key(store, key, mails, at(NOW))
            .await
            .unwrap()
    );
    let told = features::mail::store::take_mail(store, at(NOW), at(NOW + 1))
        .await
        .unwrap();
    assert_eq!(told.unwrap().message.to, bob.email);
    assert_eq!(
        features::mail::store::take_mail(store, at(NOW), at(NOW + 1))
            .await
            .unwrap(),
        None
    );
    let refused = adds_passkey(store, ada.id, 1, "ada@example.org").await;
    assert_eq!(refused, Err(PasskeyRejection::Ended));
    let refused = links_identity(store, ada.id, "ada@example.org").await;
    assert_eq!(refused, Err(OidcRejection::SignedOut));
    assert!(tries_to_make_project(store, &ada, "New").await.is_err());
    let browser = BrowserSecret::generate().unwrap();
    let asked = begins(store, "countess@example.org", &browser, Some(&ada)).await;
    asked.unwrap();
    assert_eq!(
        features::mail::store::outbox(store).await.unwrap().waiting,
        1,
        "that to Bob"
    );
    assert_eq!(account(store, &session).await, None);
    let rows = dump(&world).await;
    assert!(tables_with(&rows, "ada@example.org").is_empty(), "{rows:?}");
}

on_each_database! {
    an_erased_account_gets_nothing_more,
    nothing_has_the_address_of_an_erased_account,
    projects_of_others_stay_and_name_a_pseudonym,
}
