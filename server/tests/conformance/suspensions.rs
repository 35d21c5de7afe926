//! Tests on both databases: suspensions.

use std::time::Duration;

use uuid::Uuid;

use crate::operators::{email, open, operator};
use crate::records::{at, project};
use crate::world::{Site, World};
use console::accounts::AccountRules;
use console::members::{MemberChange, MemberError, MemberOfProject, MemberRejection};
use console::personal_data::erasure::ErasureError;
use console::tier_requests;
use db::Db;
use features::audit::{self, AuditAction, AuditAuthor};
use features::domain::service_identity::ServiceIdentity;
use features::keys::KeyOfProject;
use features::keys::lifecycle::{self, KeyRequest};
use features::project_lifecycle;
use features::projects::{Actor, ProjectId, Role, Tier};
use features::suspensions;
use features::suspensions::{OwnsSuspended, Suspension, SuspensionError};
use server::config::{Config, Settings};

fn service() -> ServiceIdentity {
    Config::of(Settings::default()).service
}

/// The text of the mail that is due, which is taken out of the outbox.
async fn receive(store: &Db) -> Option<(String, String)> {
    let mail = features::mail::store::take_mail(store, at(2_000_000), at(2_000_000))
        .await
        .unwrap()?;
    features::mail::store::delete_mail(store, mail.id)
        .await
        .unwrap();
    Some((mail.message.to.as_str().to_owned(), mail.message.text))
}

async fn owners_of_a_suspended_project_get_nothing_in_its_place(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let db = store;
    let actor = operator(store, "op").await;
    let [ada, bob] = [open(store, "ada").await, open(store, "bob").await].map(|it| it.account);
    let (suspended, other) = (project(1).id, project(2).id);
    for (project, account, role) in [
        (suspended, ada, Role::Owner),
        (suspended, bob, Role::Member),
        (other, ada, Role::Member),
        (other, bob, Role::Owner),
    ] {
        let added = features::project_lifecycle::store::add_member(
            store,
            Actor::Operator,
            project,
            (account, role),
            at(1),
        );
        added.await.unwrap();
    }
    let rules = AccountRules::default();
    let key = lifecycle::issue(db, Actor::Operator, other, KeyRequest::lasting(None), at(1));
    let old = key.await.unwrap().id;
    // What an account is refused, of what would let it go on elsewhere.
    let refused = async |account, second| {
        let (actor, now) = (Actor::Account(account), at(second));
        let new = (ProjectId(Uuid::now_v7()), "Another");
        let made = project_lifecycle::create_own(db, account, new, &rules, now).await;
        let request = || KeyRequest::lasting(None);
        let issued = lifecycle::issue(db, actor, other, request(), now).await;
        let of = KeyOfProject {
            actor,
            project: other,
            key: old,
        };
        let rotated = lifecycle::rotate(db, of, Duration::from_secs(3600), request(), now).await;
        let asked = tier_requests::ask(db, account, other, Tier::Enterprise, "We grow.", now).await;
        let deleted = project_lifecycle::delete(db, actor, suspended, now).await;
        let renamed = project_lifecycle::rename(db, actor, suspended, "Project 1", now).await;
        let error = OwnsSuspended.to_string();
        let is = |refusal: Option<String>| refusal == Some(error.clone());
        [
            is(made.err().map(|it| it.to_string())),
            is(issued.err().map(|it| it.to_string())),
            is(rotated.err().map(|it| it.to_string())),
            is(asked.err().map(|it| it.to_string())),
            is(deleted.err().map(|it| it.to_string())),
            is(renamed.err().map(|it| it.to_string())),
        ]
    };
    let service = service();
    suspensions::suspend(db, &service, actor, suspended, "Spam.", at(3))
        .await
        .unwrap();
    assert_eq!(refused(ada, 4).await, [true; 6]);
    assert_eq!(refused(bob, 5).await, [false; 6], "a member is no owner");
    // Nor does it go on under another account.
    let erased = console::personal_data::store::erase_account(store, ada, at(5)).await;
    assert_eq!(erased, Err(ErasureError::OwnsSuspended(OwnsSuspended)));
    let hands_over = [
        (bob, MemberChange::Role(Role::Owner)),
        (ada, MemberChange::Remove),
    ];
    for (member, change) in hands_over {
        let about = MemberOfProject {
            actor: Actor::Account(ada),
            project: suspended,
            member,
        };
        let changed = console::members::store::change_member(store, about, change, 3, at(5)).await;
        let expected = match member == ada {
            true => MemberRejection::LastOwner,
            false => MemberRejection::OwnsSuspended(OwnsSuspended),
        };
        let Err(MemberError::Rejected(rejection)) = changed else {
            panic!("{changed:?}");
        };
        assert_eq!(rejection, expected);
    }
    let own = features::projects::store::projects_of(store, ada)
        .await
        .unwrap();
    let listed = own.iter().map(|own| (own.project.id, own.is_suspended));
    assert!(listed.eq([(suspended, true), (other, false)]), "{own:?}");
    suspensions::resume(db, &service, actor, suspended, at(6))
        .await
        .unwrap();
    assert_eq!(refused(ada, 7).await, [false; 6]);
}

async fn a_suspended_projects_keys_are_refused_until_it_is_resumed(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let db = store;
    let (actor, ada) = (
        operator(store, "op").await,
        open(store, "ada").await.account,
    );
    let id = project(1).id;
    let owner = features::project_lifecycle::store::add_member(
        store,
        Actor::Operator,
        id,
        (ada, Role::Owner),
        at(1),
    );
    owner.await.unwrap();
    let request = KeyRequest::lasting(None);
    lifecycle::issue(db, Actor::Account(ada), id, request, at(2))
        .await
        .unwrap();
    let accepted = async || {
        let keys = crate::world::all_keys(store).await;
        (keys[0].refused_from().is_none(), keys[0].is_live(at(9)))
    };
    let versions = async || features::database::versions(store).await.unwrap().keys;
    assert_eq!(accepted().await, (true, true));

    let (service, before) = (service(), versions().await);
    suspensions::suspend(db, &service, actor, id, " Spam. ", at(3))
        .await
        .unwrap();
    assert_eq!(accepted().await, (false, true));
    assert_eq!(versions().await, before + 1);
    let suspension = Suspension {
        reason: "Spam.".to_owned(),
        since: at(3),
    };
    for sees in [actor, Actor::Account(ada)] {
        let found = suspensions::of_project(db, sees, id).await.unwrap();
        assert_eq!(found, Some(suspension.clone()));
    }
    let (to, text) = receive(store).await.unwrap();
    assert_eq!(to, "ada@example.org");
    assert!(
        text.contains("Spam.") && text.contains("Project 1"),
        "{text}"
    );
    let again = suspensions::suspend(db, &service, actor, id, "Again.", at(4)).await;
    assert!(matches!(again, Err(SuspensionError::Rejected(_))));

    suspensions::resume(db, &service, actor, id, at(5))
        .await
        .unwrap();
    assert_eq!(accepted().await, (true, true));
    assert_eq!(versions().await, before + 2);
    assert!(
        receive(store)
            .await
            .unwrap()
            .1
            .contains("no longer suspended")
    );
    assert_eq!(receive(store).await, None, "a refused change mails nothing");
    let again = suspensions::resume(db, &service, actor, id, at(6)).await;
    assert!(matches!(again, Err(SuspensionError::Rejected(_))));

    let log = audit::of_project(db, Actor::Account(ada), id, None, 2).await;
    let told = log
        .unwrap()
        .unwrap()
        .into_iter()
        .map(|it| (it.by, it.action));
    let by = AuditAuthor::OperatorAccount(actor.account().unwrap(), email("op"));
    assert!(told.eq([
        (by.clone(), AuditAction::ProjectResumed),
        (by, AuditAction::ProjectSuspended("Spam.".to_owned())),
    ]));
}

async fn members_do_not_suspend_or_resume(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let db = store;
    let (actor, ada) = (
        operator(store, "op").await,
        open(store, "ada").await.account,
    );
    let id = project(1).id;
    let owner = features::project_lifecycle::store::add_member(
        store,
        Actor::Operator,
        id,
        (ada, Role::Owner),
        at(1),
    );
    owner.await.unwrap();
    let (service, member) = (service(), Actor::Account(ada));
    assert!(
        suspensions::suspend(db, &service, member, id, "No.", at(2))
            .await
            .is_err()
    );
    suspensions::suspend(db, &service, actor, id, "Spam.", at(3))
        .await
        .unwrap();
    assert!(
        suspensions::resume(db, &service, member, id, at(4))
            .await
            .is_err()
    );
    let foreign = Actor::Account(open(store, "eve").await.account);
    assert_eq!(
        suspensions::of_project(db, foreign, id).await.unwrap(),
        None
    );
    assert!(
        suspensions::suspend(db, &service, actor, id, "\n", at(5))
            .await
            .is_err()
    );
}

on_each_database! {
    a_suspended_projects_keys_are_refused_until_it_is_resumed,
    owners_of_a_suspended_project_get_nothing_in_its_place,
    members_do_not_suspend_or_resume,
}
