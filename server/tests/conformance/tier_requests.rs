//! Tests on both databases: requests for another tier.

use futures_util::future::join_all;

use crate::operators::{open, operator};
use crate::records::{at, project};
use crate::world::{Site, World};
use console::tier_requests;
use console::tier_requests::{TierRequestError, TierRequestRejection};
use features::audit::{self, AuditAction};
use features::domain::service_identity::ServiceIdentity;
use features::projects::{Actor, ProjectId, Role, Tier};
use server::config::{Config, Settings};

fn service() -> ServiceIdentity {
    Config::of(Settings::default()).service
}

fn rejection<T: std::fmt::Debug>(result: Result<T, TierRequestError>) -> TierRequestRejection {
    match result.unwrap_err() {
        TierRequestError::Rejected(rejection) => rejection,
        other => panic!("{other}"),
    }
}

async fn a_request_is_decided_once_and_told(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let db = store;
    let (actor, ada) = (
        operator(store, "op").await,
        open(store, "ada").await.account,
    );
    let (id, member) = (project(1).id, Actor::Account(ada));
    let added = features::project_lifecycle::store::add_member(
        store,
        Actor::Operator,
        id,
        (ada, Role::Member),
        at(1),
    );
    added.await.unwrap();
    let ask = async |tier, now| tier_requests::ask(db, ada, id, tier, "We grow.", at(now)).await;
    assert_eq!(
        rejection(ask(Tier::Free, 2).await),
        TierRequestRejection::SameTier
    );
    ask(Tier::Pro, 3).await.unwrap();
    assert_eq!(
        rejection(ask(Tier::Enterprise, 4).await),
        TierRequestRejection::Waiting
    );
    let latest = async || {
        tier_requests::latest(db, member, id)
            .await
            .unwrap()
            .unwrap()
    };
    assert_eq!(latest().await.decision, None);

    let open = tier_requests::open(db, actor).await.unwrap();
    let [request] = &open[..] else {
        panic!("{open:?}")
    };
    assert_eq!((&request.project, request.tier), (&project(1), Tier::Pro));
    assert_eq!(request.email.as_str(), "ada@example.org");
    let (service, waiting) = (service(), request.id);
    let decide = async |id, accepts, now| {
        let decision = (accepts, "Welcome.");
        tier_requests::decide(db, &service, actor, id, decision, at(now)).await
    };
    decide(waiting, false, 5).await.unwrap();
    assert_eq!(
        rejection(decide(waiting, true, 6).await),
        TierRequestRejection::Unknown
    );
    let decision = latest().await.decision.unwrap();
    assert_eq!(
        (decision.is_accepted, &*decision.answer, decision.at),
        (false, "Welcome.", at(5))
    );
    assert_eq!(
        features::projects::store::project(store, member, id)
            .await
            .unwrap()
            .unwrap()
            .tier,
        Tier::Free
    );

    ask(Tier::Pro, 7).await.unwrap();
    let waiting = tier_requests::open(db, actor).await.unwrap()[0].id;
    let before = features::database::versions(store).await.unwrap().keys;
    let concurrent = join_all((0..4).map(|_| decide(waiting, true, 8))).await;
    assert_eq!(
        concurrent.iter().filter(|it| it.is_ok()).count(),
        1,
        "{concurrent:?}"
    );
    assert_eq!(
        features::database::versions(store).await.unwrap().keys,
        before + 1
    );
    assert_eq!(
        features::projects::store::project(store, member, id)
            .await
            .unwrap()
            .unwrap()
            .tier,
        Tier::Pro
    );
    let mut subjects = Vec::new();
    while let Some(mail) = features::mail::store::take_mail(store, at(9), at(9))
        .await
        .unwrap()
    {
        features::mail::store::delete_mail(store, mail.id)
            .await
            .unwrap();
        assert!(mail.message.text.contains("Welcome."));
        subjects.push(mail.message.subject);
    }
    assert_eq!(subjects.len(), 2, "{subjects:?}");
    assert!(subjects[0].contains("declined") && subjects[1].contains("is now on the Pro tier"));
    let log = audit::of_project(db, member, id, None, 4)
        .await
        .unwrap()
        .unwrap();
    let actions = log.into_iter().map(|entry| entry.action);
    assert!(actions.eq([
        AuditAction::TierSet(Tier::Pro),
        AuditAction::TierAskedFor(Tier::Pro),
        AuditAction::TierDeclined(Tier::Pro),
        AuditAction::TierAskedFor(Tier::Pro),
    ]));
}

async fn strangers_and_members_decide_nothing(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let db = store;
    let (ada, eve) = (
        open(store, "ada").await.account,
        open(store, "eve").await.account,
    );
    let id = project(1).id;
    let added = features::project_lifecycle::store::add_member(
        store,
        Actor::Operator,
        id,
        (ada, Role::Owner),
        at(1),
    );
    added.await.unwrap();
    let ask = async |account, project: ProjectId| {
        tier_requests::ask(db, account, project, Tier::Pro, "We grow.", at(2)).await
    };
    assert_eq!(
        rejection(ask(eve, id).await),
        TierRequestRejection::UnknownProject(id)
    );
    let long = tier_requests::ask(db, ada, id, Tier::Pro, &"x".repeat(501), at(2)).await;
    assert!(matches!(long, Err(TierRequestError::Sentence(_))));
    ask(ada, id).await.unwrap();
    let request = tier_requests::latest(db, Actor::Account(ada), id).await;
    let request = request.unwrap().unwrap().id;
    assert_eq!(
        tier_requests::latest(db, Actor::Account(eve), id)
            .await
            .unwrap(),
        None
    );
    let service = service();
    for account in [ada, eve] {
        for actor in [Actor::Account(account), Actor::OperatorAccount(account)] {
            let forbidden = TierRequestRejection::Forbidden;
            assert_eq!(rejection(tier_requests::open(db, actor).await), forbidden);
            let decision = (true, "Yes.");
            let decided = tier_requests::decide(db, &service, actor, request, decision, at(3));
            assert_eq!(rejection(decided.await), forbidden);
        }
    }
    assert_eq!(
        features::projects::store::projects(store).await.unwrap()[0].tier,
        Tier::Free
    );
}

on_each_database! {
    a_request_is_decided_once_and_told,
    strangers_and_members_decide_nothing,
}
