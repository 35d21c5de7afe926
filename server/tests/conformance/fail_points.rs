//! Tests on both databases: an operation of which any statement fails leaves nothing behind, and works when it is
//! repeated.

use db::{Db, FailPoint};
use features::claims::Proof;
use features::domain::recording::OnRejection;
use features::events::DeliveryState;
use features::idempotency::Idempotency;
use features::import::Record;
use features::keys::KeyOfProject;
use features::keys::lifecycle::{self, KeyRequest};
use features::projects::{Actor, Role};
use features::suspensions;
use features::webhooks::{Attempt, AttemptLog, Attempted, TurnEnd, TurnNotes, queue};
use server::config::{Config, Settings};
use std::time::Duration;

use crate::records::{BY_KEY, at, config, donation, project_id, token};
use crate::world::{Site, World};
use crate::{claims, members, operators, webhook_queue, webhooks};
use console::members::InvitationAnswer;

const NOW: i64 = 1_000_000;

/// More statements than any of the operations has.
const MAX_STATEMENTS: u64 = 200;

/// Lets each statement of an operation fail in turn, on a database of its own that `prepare` has filled. `act` returns
/// whether the operation succeeded.
async fn fails_as_a_whole<P>(
    site: &Site,
    prepare: impl AsyncFn(&Db) -> P,
    act: impl AsyncFn(&Db, &P) -> bool,
) {
    for number in 1..MAX_STATEMENTS {
        let world = World::new(site).await;
        let prepared = prepare(&world.store).await;
        let before = rows(&world).await;
        let fail_point = FailPoint::at(number);
        let succeeded = act(&world.store.failing_at(fail_point.clone()), &prepared).await;
        if !fail_point.was_reached() {
            assert!(succeeded && number > 2, "{number}");
            return;
        }
        assert!(!succeeded, "statement {number} failed");
        assert_eq!(rows(&world).await, before, "statement {number} failed");
        assert!(
            act(&world.store, &prepared).await,
            "after statement {number}"
        );
    }
    panic!("the operation does not end");
}

async fn rows(world: &World) -> Vec<String> {
    let mut rows = world.dump().await;
    rows.sort_unstable();
    rows
}

async fn creating_a_config(site: Site) {
    let prepare = async |db: &Db| {
        webhooks::create(db, webhooks::webhook(1, 1)).await.unwrap();
    };
    let act = async |db: &Db, (): &()| {
        let idempotency = Idempotency {
            key: "k".to_owned(),
            fingerprint: [1; 32],
        };
        let (new, encode) = (config(9, 1, &[(1, 1), (2, 3)]), |_: &_, _: &[_]| {
            Ok(vec![1])
        });
        let created =
            features::configs::store::create_config(db, BY_KEY, new, Some(idempotency), 9, encode);
        created.await.is_ok()
    };
    fails_as_a_whole(&site, prepare, act).await;
}

async fn issuing_and_rotating_keys(site: Site) {
    let issue = async |db: &Db, actor| {
        lifecycle::issue(db, actor, project_id(1), KeyRequest::lasting(None), at(NOW)).await
    };
    let prepare = async |db: &Db| {
        let actor = Actor::Account(claims::owner(db, 1).await);
        (actor, issue(db, actor).await.unwrap().id)
    };
    let act = async |db: &Db, (actor, _): &(Actor, _)| issue(db, *actor).await.is_ok();
    fails_as_a_whole(&site, prepare, act).await;
    let act = async |db: &Db, (actor, key): &(Actor, _)| {
        let old = KeyOfProject {
            actor: *actor,
            project: project_id(1),
            key: *key,
        };
        let (overlap, request) = (Duration::from_secs(60), KeyRequest::lasting(None));
        lifecycle::rotate(db, old, overlap, request, at(NOW))
            .await
            .is_ok()
    };
    fails_as_a_whole(&site, prepare, act).await;
}

async fn accepting_an_invitation(site: Site) {
    let prepare = async |db: &Db| {
        let [ada, bob] = [
            members::account(db, "ada").await,
            members::account(db, "bob").await,
        ];
        let project = members::project_of(db, &ada).await;
        let invited = members::invite(db, &ada, project, "bob", Role::Owner, NOW);
        invited.await.unwrap();
        (bob, members::receive(db).await.unwrap())
    };
    let act = async |db: &Db, (account, token): &_| {
        let (rules, accept) = (Default::default(), InvitationAnswer::Accept);
        let answered =
            console::members::invitations::answer(db, account, token, accept, &rules, at(NOW));
        answered.await.is_ok()
    };
    fails_as_a_whole(&site, prepare, act).await;
}

async fn proving_a_claim(site: Site) {
    let prepare = async |db: &Db| {
        let owner = claims::owner(db, 1).await;
        claims::begin(db, owner, 1, 150).await
    };
    let act = async |db: &Db, claim: &_| {
        let proven = features::claims::store::prove_claim(db, *claim, Proof::Deployer, at(NOW));
        proven.await.is_ok()
    };
    fails_as_a_whole(&site, prepare, act).await;
}

async fn recording_a_delivery(site: Site) {
    let prepare = async |db: &Db| {
        webhooks::create(db, webhooks::webhook(1, 1)).await.unwrap();
        let delivery = webhook_queue::send_test(db, 1, NOW).await;
        (
            delivery,
            webhook_queue::take(db, NOW, NOW + 60).await.unwrap(),
        )
    };
    let act = async |db: &Db, (delivery, due): &(features::webhooks::Delivery, _)| {
        let due: &features::webhooks::DueWebhook = due;
        let attempted = Attempted {
            id: delivery.id,
            state: DeliveryState::Delivered,
            attempts: 1,
            next_attempt_at: None,
            log: AttemptLog::default().with(Attempt {
                at: at(NOW + 1),
                outcome: Ok(204),
                milliseconds: 7,
            }),
            response: Some(String::new()),
        };
        let end = TurnEnd {
            lease: due.lease,
            failing_since: None,
            pause_until: at(NOW + 2),
            is_slow: true,
        };
        let notes = TurnNotes {
            attempts: vec![(due.lease.webhook, attempted)],
            ends: vec![end],
        };
        queue::note_turns(db, notes).await.is_ok()
    };
    fails_as_a_whole(&site, prepare, act).await;
}

async fn importing_a_batch(site: Site) {
    let prepare = async |_: &Db| ();
    let act = async |db: &Db, (): &()| {
        let records = vec![
            Record::Token(token(9)),
            Record::Donation(donation(1, 1, 1, 1_000_000)),
            Record::Donation(donation(2, 9, 2, 2_000_000)),
        ];
        let recorded = features::import::store::record(db, records, OnRejection::Stop).await;
        recorded.is_ok_and(|outcomes| outcomes.iter().all(Result::is_ok))
    };
    fails_as_a_whole(&site, prepare, act).await;
}

async fn erasing_an_account(site: Site) {
    let prepare = async |db: &Db| {
        let account = members::account(db, "ada").await;
        members::project_of(db, &account).await;
        account.id
    };
    let act = async |db: &Db, account: &_| {
        let erased = console::personal_data::store::erase_account(db, *account, at(NOW));
        erased.await.is_ok()
    };
    fails_as_a_whole(&site, prepare, act).await;
}

async fn suspending_a_project(site: Site) {
    let prepare = async |db: &Db| {
        claims::owner(db, 1).await;
        operators::operator(db, "op").await
    };
    let act = async |db: &Db, actor: &Actor| {
        let service = Config::of(Settings::default()).service;
        let project = project_id(1);
        suspensions::suspend(db, &service, *actor, project, "Spam.", at(NOW))
            .await
            .is_ok()
    };
    fails_as_a_whole(&site, prepare, act).await;
}

on_each_database![
    creating_a_config,
    issuing_and_rotating_keys,
    accepting_an_invitation,
    proving_a_claim,
    recording_a_delivery,
    importing_a_batch,
    erasing_an_account,
    suspending_a_project,
];
