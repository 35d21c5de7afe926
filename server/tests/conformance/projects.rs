//! Tests on both databases: projects.

use std::time::Duration;

use futures_util::future::join_all;
use uuid::Uuid;

use crate::records::{at, config, project};
use crate::world::{Site, World};
use console::accounts::sign_in::{self, SessionBrowser};
use console::accounts::{AccountRules, BrowserName};
use db::{Db, Timeouts, Writer, params};
use features::audit::{self, AuditAction, AuditAuthor};
use features::domain::ids::AccountId;
use features::domain::recording::Change;
use features::import::Record;
use features::keys::lifecycle::{self, KeyChangeError, KeyRequest};
use features::keys::{KeyLabels, KeyOfProject, KeyRejection};
use features::project_lifecycle::{self, ProjectChangeError, ProjectRejection};
use features::projects::{Actor, Project, ProjectId, Role, Tier};

async fn projects_are_listed_by_name(site: Site) {
    let world = World::new(&site).await;
    assert_eq!(
        features::projects::store::projects(&world.store)
            .await
            .unwrap(),
        [project(1), project(2)]
    );
    let renamed = Project {
        name: "A".to_owned(),
        ..project(2)
    };
    assert_eq!(
        world.record(Record::Project(renamed.clone())).await,
        Ok(Change::Updated)
    );
    assert_eq!(
        features::projects::store::projects(&world.store)
            .await
            .unwrap(),
        [renamed, project(1)]
    );
}

async fn a_created_project_is_counted_and_found(site: Site) {
    let world = World::new(&site).await;
    let before = features::database::versions(&world.store).await.unwrap();
    let created = features::project_lifecycle::store::create_project(
        &world.store,
        Actor::Operator,
        project(3),
        at(1),
    );
    assert_eq!(created.await, Ok(()));
    let found = features::projects::store::project(&world.store, Actor::Operator, project(3).id)
        .await
        .unwrap();
    assert_eq!(found, Some(project(3)));
    let versions = features::database::versions(&world.store).await.unwrap();
    assert_eq!(versions.keys, before.keys + 1);
}

async fn a_project_is_found_with_the_configs_of_its_quota(site: Site) {
    const DAY: i64 = 24 * 3600;
    let world = World::new(&site).await;
    let more = [(8, 1), (9, 1)].map(|(n, own)| Record::Config(config(n, own, &[(1, 1)])));
    world.record_all(more.into()).await;
    let configs = async |n: u8, now| {
        let found =
            features::configs::store::project_with_configs(&world.store, project(n).id, at(now));
        found.await.unwrap().map(|(found, configs)| {
            assert_eq!(found, project(n));
            configs
        })
    };
    assert_eq!(configs(1, 10).await, Some(3));
    assert_eq!(configs(2, 10).await, Some(1));
    assert_eq!(configs(3, 10).await, None);
    let delete = features::configs::store::delete_config(
        &world.store,
        crate::records::BY_KEY,
        project(1).id,
        config(8, 1, &[]).id,
        None,
        at(100),
    );
    assert!(delete.await.unwrap());
    assert_eq!(configs(1, DAY + 99).await, Some(3));
    assert_eq!(configs(1, DAY + 100).await, Some(2));
}

pub(super) async fn account(store: &Db, name: &str) -> AccountId {
    let email = format!("{name}@example.org").parse().unwrap();
    let browser = SessionBrowser {
        name: BrowserName::of_user_agent(""),
        session: None,
    };
    let begun = sign_in::without_proof(store, email, browser, at(1)).await;
    begun.unwrap().account
}

async fn create(
    store: &Db,
    account: AccountId,
    second: i64,
) -> Result<ProjectId, ProjectChangeError> {
    let new = (ProjectId(Uuid::now_v7()), " Mine ");
    create_once(store, account, new, second).await
}

pub(super) async fn create_once(
    store: &Db,
    account: AccountId,
    new: (ProjectId, &str),
    second: i64,
) -> Result<ProjectId, ProjectChangeError> {
    let rules = AccountRules::default();
    project_lifecycle::create_own(store, account, new, &rules, at(second)).await
}

fn rejected(rejection: ProjectRejection) -> ProjectChangeError {
    ProjectChangeError::Rejected(rejection)
}

async fn a_request_that_comes_twice_creates_one_project(site: Site) {
    let world = World::empty(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let ada = account(&stores[0], "ada").await;
    let id = ProjectId(Uuid::now_v7());
    let created = (0..4).map(|n| {
        let store = stores[n % 2].clone();
        tokio::spawn(async move { create_once(&store, ada, (id, "Mine"), 1000).await })
    });
    let created: Vec<_> = join_all(created)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let again = Err(rejected(ProjectRejection::AlreadyMade(id)));
    let refused = created.iter().filter(|made| **made == again).count();
    assert_eq!(refused, 3, "{created:?}");
    let own = features::projects::store::projects_of(&stores[0], ada)
        .await
        .unwrap();
    assert_eq!(own.len(), 1, "{own:?}");
    let bob = account(&stores[0], "bob").await;
    assert_eq!(create_once(&stores[0], bob, (id, "His"), 1000).await, again);
}

async fn an_account_owns_three_free_projects(site: Site) {
    let world = World::empty(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let (ada, bob) = (
        account(&stores[0], "ada").await,
        account(&stores[0], "bob").await,
    );
    let created = (0..8).map(|n| {
        let store = stores[n % 2].clone();
        tokio::spawn(async move { create(&store, ada, 1000).await })
    });
    let created: Vec<_> = join_all(created)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let ids: Vec<_> = created.iter().flatten().copied().collect();
    assert_eq!(ids.len(), 3, "{created:?}");
    create(&stores[0], bob, 1000).await.unwrap();

    let store = &stores[1];
    let db = store;
    let own = features::projects::store::projects_of(store, ada)
        .await
        .unwrap();
    let owned = own
        .iter()
        .map(|own| (own.role, own.project.tier, own.project.name.as_str()));
    assert!(
        owned
            .clone()
            .all(|it| it == (Role::Owner, Tier::Free, "Mine")),
        "{own:?}"
    );
    // One that pays does not count, and a deleted one does for a day.
    project_lifecycle::set_tier(db, Actor::Operator, ids[0], Tier::Pro, at(1001))
        .await
        .unwrap();
    create(store, ada, 1002).await.unwrap();
    project_lifecycle::delete(db, Actor::Account(ada), ids[1], at(1003))
        .await
        .unwrap();
    assert_eq!(
        create(store, ada, 1004).await,
        Err(rejected(ProjectRejection::TooMany(3)))
    );
    let day = 24 * 3600;
    assert_eq!(
        create(store, ada, 1002 + day).await,
        Err(rejected(ProjectRejection::TooMany(3)))
    );
    create(store, ada, 1003 + day).await.unwrap();
}

async fn a_deleted_project_is_hidden_and_its_keys_are_revoked(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let db = store;
    let ada = account(store, "ada").await;
    let actor = Actor::Account(ada);
    let id = create(store, ada, 1000).await.unwrap();
    lifecycle::issue(db, actor, id, KeyRequest::lasting(None), at(1001))
        .await
        .unwrap();
    let before = features::database::versions(store).await.unwrap();
    project_lifecycle::delete(db, actor, id, at(1002))
        .await
        .unwrap();
    assert_eq!(
        features::database::versions(store).await.unwrap().keys,
        before.keys + 1
    );
    assert!(!crate::world::all_keys(store).await[0].is_live(at(1002)));
    assert_eq!(
        features::projects::store::projects(store).await.unwrap(),
        []
    );
    assert_eq!(
        features::projects::store::projects_of(store, ada)
            .await
            .unwrap(),
        []
    );
    let unknown = || Err(rejected(ProjectRejection::Unknown(id)));
    for actor in [actor, Actor::Operator] {
        assert_eq!(
            features::projects::store::project(store, actor, id)
                .await
                .unwrap(),
            None
        );
        let again = project_lifecycle::delete(store, actor, id, at(1003)).await;
        assert_eq!(again, unknown());
        let issued = lifecycle::issue(db, actor, id, KeyRequest::lasting(None), at(1003)).await;
        assert!(matches!(
            issued,
            Err(KeyChangeError::Rejected(KeyRejection::UnknownProject(_)))
        ));
        assert_eq!(
            audit::of_project(db, actor, id, None, 9).await.unwrap(),
            None
        );
    }
    let set = project_lifecycle::set_tier(store, Actor::Operator, id, Tier::Pro, at(1003)).await;
    assert_eq!(set, unknown());
}

async fn a_foreign_project_does_not_exist(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let db = store;
    let (ada, eve) = (account(store, "ada").await, account(store, "eve").await);
    let own = create(store, ada, 1000).await.unwrap();
    let request = || KeyRequest::lasting(None);
    let issued = lifecycle::issue(db, Actor::Account(ada), own, request(), at(1))
        .await
        .unwrap();
    let theirs = create(store, eve, 1000).await.unwrap();
    let actor = Actor::Account(eve);
    let day = Duration::from_secs(1);
    for project in [own, project(1).id, ProjectId(uuid::Uuid::nil())] {
        let unknown_project = |result: Result<(), KeyChangeError>| {
            assert!(
                matches!(result, Err(KeyChangeError::Rejected(KeyRejection::UnknownProject(id))) if id == project),
                "{result:?}"
            );
        };
        let issue = lifecycle::issue(db, actor, project, request(), at(2)).await;
        unknown_project(issue.map(drop));
        unknown_project(lifecycle::list(db, actor, project).await.map(drop));
        let unknown = rejected(ProjectRejection::Unknown(project));
        let deleted = project_lifecycle::delete(store, actor, project, at(2)).await;
        assert_eq!(deleted, Err(unknown));
        assert_eq!(
            features::projects::store::project(store, actor, project)
                .await
                .unwrap(),
            None
        );
        assert_eq!(
            audit::of_project(db, actor, project, None, 9)
                .await
                .unwrap(),
            None
        );
    }
    // Neither through the right project nor through her own does she reach the key.
    for project in [own, theirs] {
        let key = KeyOfProject {
            actor,
            project,
            key: issued.id,
        };
        let rotated = lifecycle::rotate(db, key, day, request(), at(2)).await;
        let unknown =
            |error| matches!(error, KeyChangeError::Rejected(KeyRejection::UnknownKey(_)));
        assert!(unknown(rotated.unwrap_err()));
        assert!(unknown(
            lifecycle::revoke(db, key, at(2)).await.unwrap_err()
        ));
    }
    let forbidden = || Err(rejected(ProjectRejection::Forbidden));
    let set = project_lifecycle::set_tier(store, actor, theirs, Tier::Enterprise, at(2)).await;
    assert_eq!(set, forbidden());
    let created = project_lifecycle::store::create_project(store, actor, project(9), at(2)).await;
    assert_eq!(created, forbidden());
    let joins =
        project_lifecycle::store::add_member(store, actor, own, (eve, Role::Owner), at(2)).await;
    assert_eq!(joins, forbidden());

    // A member manages keys, and does not delete the project.
    let joins = features::project_lifecycle::store::add_member(
        store,
        Actor::Operator,
        own,
        (eve, Role::Member),
        at(2),
    )
    .await;
    joins.unwrap();
    let deleted = project_lifecycle::delete(store, actor, own, at(3)).await;
    assert_eq!(deleted, Err(rejected(ProjectRejection::NotOwner)));
    let key = KeyOfProject {
        actor,
        project: own,
        key: issued.id,
    };
    lifecycle::revoke(db, key, at(3)).await.unwrap();
}

async fn changes_are_told_in_the_audit_log(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let db = store;
    let ada = account(store, "ada").await;
    let actor = Actor::Account(ada);
    let id = create(store, ada, 1000).await.unwrap();
    let request = KeyRequest {
        labels: KeyLabels::with_label(" Production "),
        ..KeyRequest::lasting(None)
    };
    let first = lifecycle::issue(db, actor, id, request.clone(), at(1001))
        .await
        .unwrap();
    let again = lifecycle::issue(db, actor, id, request, at(1001)).await;
    assert!(
        matches!(again, Err(KeyChangeError::Rejected(KeyRejection::AlreadyIssued(key))) if key == first.id)
    );
    let key = |key| KeyOfProject {
        actor,
        project: id,
        key,
    };
    let successor = KeyRequest::lasting(None);
    let rotate = || {
        lifecycle::rotate(
            db,
            key(first.id),
            Duration::ZERO,
            successor.clone(),
            at(1002),
        )
    };
    let second = rotate().await.unwrap().successor;
    assert!(rotate().await.is_err());
    lifecycle::revoke(db, key(second.id), at(1003))
        .await
        .unwrap();
    project_lifecycle::set_tier(db, Actor::Operator, id, Tier::Pro, at(1004))
        .await
        .unwrap();
    let keys = lifecycle::list(db, actor, id).await.unwrap();
    for key in &keys {
        assert_eq!(
            (key.labels.label.as_deref(), key.made_by),
            (Some("Production"), Some(ada))
        );
    }
    let [first, second] = [first, second].map(|key| key.key.display_prefix().to_owned());
    let expected = [
        (1004, AuditAction::TierSet(Tier::Pro)),
        (1003, AuditAction::KeyRevoked(second.clone())),
        (1002, AuditAction::KeyIssued(second)),
        (1002, AuditAction::KeyRotated(first.clone())),
        (1001, AuditAction::KeyIssued(first)),
        (1000, AuditAction::ProjectCreated("Mine".to_owned())),
    ];
    let entries = audit::of_project(db, actor, id, None, 99)
        .await
        .unwrap()
        .unwrap();
    let told = entries.iter().map(|entry| (entry.at, entry.action.clone()));
    assert!(
        told.eq(expected.map(|(second, action)| (at(second), action))),
        "{entries:?}"
    );
    let by_ada = AuditAuthor::Account(ada, "ada@example.org".parse().unwrap());
    let authors = entries.iter().map(|entry| entry.by == by_ada);
    assert!(authors.eq([false, true, true, true, true, true]));
    let page = audit::of_project(db, Actor::Operator, id, Some(entries[1].id), 2).await;
    assert_eq!(page.unwrap().unwrap(), entries[2..4]);
}

/// A transaction that writes and then rejects leaves nothing, and counts no change.
async fn a_rejection_rolls_back(site: Site) {
    let world = World::new(&site).await;
    let before = world.dump().await;
    let id = project(9).id;
    let written = world
        .store
        .write(Writer::Unlimited, Timeouts::Request, move |tx| {
            let sql = "INSERT INTO project (id, name, tier) VALUES ($1, 'Nine', $2)";
            assert_eq!(tx.execute(sql, params![id, Tier::Free])?, 1);
            tx.bump("keys");
            Err::<(), _>(rejected(ProjectRejection::Unknown(id)))
        });
    assert_eq!(written.await, Err(rejected(ProjectRejection::Unknown(id))));
    assert_eq!(world.dump().await, before);
}

on_each_database! {
    a_rejection_rolls_back,
    a_deleted_project_is_hidden_and_its_keys_are_revoked,
    a_foreign_project_does_not_exist,
    an_account_owns_three_free_projects,
    a_request_that_comes_twice_creates_one_project,
    changes_are_told_in_the_audit_log,
    a_created_project_is_counted_and_found,
    a_project_is_found_with_the_configs_of_its_quota,
    projects_are_listed_by_name,
}
