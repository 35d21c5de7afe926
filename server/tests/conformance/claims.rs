//! Tests on both databases: one project has a contract, a nonce is burnt once, and operators decide claims.

use futures_util::future::join_all;
use uuid::Uuid;

use crate::records::{at, partner_token, place, project_id};
use crate::world::{Site, World};
use console::accounts::BrowserName;
use console::accounts::sign_in::{self, SessionBrowser};
use db::Db;
use features::audit::{self, AuditAction};
use features::chains::ChainAddress;
use features::claims::{
    ClaimError, ClaimId, ClaimNonce, ClaimOfProject, ClaimRejection, NewClaim, Proof, claiming,
    decision,
};
use features::contracts::PartnerContract;
use features::domain::claim_state::ClaimState;
use features::domain::ids::AccountId;
use features::import::Record;
use features::projects::{Actor, ProjectId, Role};

const NOW: i64 = 1_000_000;

fn rejected(rejection: ClaimRejection) -> ClaimError {
    ClaimError::Rejected(rejection)
}

/// An account that owns project `n`.
pub(crate) async fn owner(store: &Db, n: u8) -> AccountId {
    let email = format!("owner{n}@example.org").parse().unwrap();
    let browser = SessionBrowser {
        name: BrowserName::of_user_agent(""),
        session: None,
    };
    let begun = sign_in::without_proof(store, email, browser, at(1)).await;
    let account = begun.unwrap().account;
    let member = (account, Role::Owner);
    let added = features::project_lifecycle::store::add_member(
        store,
        Actor::Operator,
        project_id(n),
        member,
        at(1),
    );
    added.await.unwrap();
    account
}

/// Begins the claim of a project to contract `place(n)`.
pub(crate) async fn begin(store: &Db, account: AccountId, project: u8, n: u8) -> ClaimOfProject {
    let (actor, project) = (Actor::Account(account), project_id(project));
    let claim = claiming::begin(store, actor, project, place(n), at(NOW));
    ClaimOfProject {
        actor,
        project,
        claim: claim.await.unwrap(),
    }
}

async fn owner_of(store: &Db, contract: ChainAddress) -> Vec<ProjectId> {
    let mut owners = Vec::new();
    for project in [1, 2].map(project_id) {
        let contracts = features::claims::store::contracts_of(store, Actor::Operator, project)
            .await
            .unwrap();
        let ids = contracts.into_iter().flatten().map(|it| it.id);
        owners.extend(ids.filter(|id| *id == contract).map(|_| project));
    }
    owners
}

async fn state(store: &Db, of: ClaimOfProject) -> ClaimState {
    features::claims::store::claim(store, of)
        .await
        .unwrap()
        .unwrap()
        .state
}

async fn a_proven_contract_is_the_projects(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let ada = owner(store, 1).await;
    let of = begin(store, ada, 1, 150).await;
    // It is gone on with, however often it is begun.
    assert_eq!(begin(store, ada, 1, 150).await, of);
    let claim = features::claims::store::claim(store, of)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (claim.state, &claim.contract),
        (ClaimState::Open, &place(150))
    );
    let proven = features::claims::store::prove_claim(store, of, Proof::Deployer, at(NOW)).await;
    assert_eq!(proven, Ok(ClaimState::Proven));
    assert_eq!(owner_of(store, place(150)).await, [project_id(1)]);
    let again = features::claims::store::prove_claim(store, of, Proof::Deployer, at(NOW)).await;
    assert_eq!(again, Err(rejected(ClaimRejection::Decided)));
    let (actor, project) = (of.actor, of.project);
    let own = claiming::begin(store, actor, project, place(150), at(NOW)).await;
    assert_eq!(own, Err(rejected(ClaimRejection::Own)));
    // The importer finds it as one of its own lines.
    let same = PartnerContract {
        id: place(150),
        project,
    };
    let imported = world.record(Record::Contract(same)).await;
    assert_eq!(imported, Ok(features::domain::recording::Change::Unchanged));
    let board =
        features::contracts::leaderboard::leaderboard(store, project, place(150), None, 10).await;
    assert_eq!(board.unwrap(), Some(Vec::new()));
    let log = audit::of_project(store, actor, project, None, 1).await;
    let log = log.unwrap().unwrap();
    assert!(
        matches!(
            log[0].action,
            AuditAction::ClaimBecame(ClaimState::Proven, _)
        ),
        "{log:?}"
    );
}

async fn anothers_claims_are_not_there(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let (ada, eve) = (owner(store, 1).await, owner(store, 2).await);
    let of = begin(store, ada, 1, 150).await;
    let eves = Actor::Account(eve);
    let nonce = features::claims::store::claim(store, of)
        .await
        .unwrap()
        .unwrap()
        .nonce;
    for foreign in [
        ClaimOfProject { actor: eves, ..of },
        ClaimOfProject {
            actor: eves,
            project: project_id(2),
            ..of
        },
    ] {
        assert_eq!(
            features::claims::store::claim(store, foreign)
                .await
                .unwrap(),
            None
        );
        let unknown = || rejected(ClaimRejection::Unknown);
        let burnt = features::claims::store::burn_claim_nonce(
            store,
            foreign,
            nonce,
            ClaimNonce::random(),
            at(NOW),
        );
        assert_eq!(burnt.await, Err(unknown()));
        let proven =
            features::claims::store::prove_claim(store, foreign, Proof::Deployer, at(NOW)).await;
        assert_eq!(proven, Err(unknown()));
        let queued = claiming::queue(store, foreign, "x", at(NOW)).await;
        assert_eq!(queued, Err(unknown()));
    }
    assert_eq!(
        features::claims::store::claims_of(store, eves, of.project)
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        features::claims::store::contracts_of(store, eves, of.project)
            .await
            .unwrap(),
        None
    );
    let waiting = decision::waiting(store, eves).await;
    assert_eq!(waiting, Err(rejected(ClaimRejection::Forbidden)));
    let accepted = decision::accept(store, eves, of.claim, at(NOW)).await;
    assert_eq!(accepted, Err(rejected(ClaimRejection::Forbidden)));
    let begun = claiming::begin(store, eves, of.project, place(151), at(NOW)).await;
    assert_eq!(begun, Err(rejected(ClaimRejection::Unknown)));
    assert_eq!(state(store, of).await, ClaimState::Open);
}

async fn a_nonce_is_burnt_once(site: Site) {
    let world = World::new(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let ada = owner(&stores[0], 1).await;
    let of = begin(&stores[0], ada, 1, 150).await;
    let nonce = features::claims::store::claim(&stores[0], of)
        .await
        .unwrap()
        .unwrap()
        .nonce;
    let burn = |n: usize| {
        let store = stores[n % 2].clone();
        tokio::spawn(async move {
            let fresh = ClaimNonce::random();
            features::claims::store::burn_claim_nonce(&store, of, nonce, fresh, at(NOW)).await
        })
    };
    let burnt = join_all((0..8).map(burn)).await;
    let burnt: Vec<_> = burnt.into_iter().map(|it| it.unwrap()).collect();
    let taken: Vec<_> = burnt.iter().flatten().collect();
    assert_eq!(taken.len(), 1, "{burnt:?}");
    assert_eq!(taken[0].nonce, nonce, "as it was");
    let mut used = burnt.iter().filter_map(|it| it.as_ref().err());
    let expected = rejected(ClaimRejection::UsedNonce);
    assert!(used.all(|it| *it == expected), "{burnt:?}");
    // An expired one is burnt too.
    let store = &stores[1];
    let second = features::claims::store::claim(store, of)
        .await
        .unwrap()
        .unwrap()
        .nonce;
    assert_ne!(second, nonce);
    let fresh = ClaimNonce(Uuid::from_bytes([9; 16]));
    let late =
        features::claims::store::burn_claim_nonce(store, of, second, fresh, at(NOW + 3600)).await;
    assert_eq!(late, Err(rejected(ClaimRejection::Expired)));
    let claim = features::claims::store::claim(store, of)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (claim.nonce, claim.nonce_expires_at),
        (fresh, at(NOW + 7200))
    );
}

async fn of_projects_that_prove_at_the_same_time_one_has_the_contract(site: Site) {
    let world = World::new(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let (ada, eve) = (owner(&stores[0], 1).await, owner(&stores[0], 2).await);
    for n in 150..155 {
        let claims = [
            begin(&stores[0], ada, 1, n).await,
            begin(&stores[0], eve, 2, n).await,
        ];
        let prove = |(store, of): (&Db, ClaimOfProject)| {
            let store = store.clone();
            tokio::spawn(async move {
                features::claims::store::prove_claim(&store, of, Proof::Deployer, at(NOW)).await
            })
        };
        let proven = join_all(stores.iter().zip(claims).map(prove)).await;
        let mut states: Vec<_> = proven
            .into_iter()
            .map(|it| it.unwrap().unwrap().as_str())
            .collect();
        states.sort_unstable();
        assert_eq!(states, ["proven", "waiting"]);
        assert_eq!(owner_of(&stores[1], place(n)).await.len(), 1);
    }
}

async fn a_rival_takes_nothing_over_until_an_operator_decides(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let eve = owner(store, 2).await;
    // `World::new` has place(101) of project 1.
    let of = begin(store, eve, 2, 101).await;
    let proven = features::claims::store::prove_claim(store, of, Proof::Deployer, at(NOW)).await;
    assert_eq!(proven, Ok(ClaimState::Waiting));
    assert_eq!(owner_of(store, place(101)).await, [project_id(1)]);
    let waiting = decision::waiting(store, Actor::Operator).await.unwrap();
    let rival = waiting[0].owner.as_ref().map(|owner| owner.id);
    assert_eq!((waiting.len(), rival), (1, Some(project_id(1))));
    assert_eq!(waiting[0].claim.proof, Some(Proof::Deployer));
    world
        .record_all(vec![Record::PartnerToken(partner_token(1, 1, 1))])
        .await;
    let refused = decision::accept(store, Actor::Operator, of.claim, at(NOW)).await;
    assert_eq!(refused, Err(rejected(ClaimRejection::HasTokens)));
    assert_eq!(owner_of(store, place(101)).await, [project_id(1)]);
    let reason = "It has tokens.";
    let declined = decision::decline(store, Actor::Operator, of.claim, reason, at(NOW));
    declined.await.unwrap();
    let claim = features::claims::store::claim(store, of)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (claim.state, claim.reason.as_deref()),
        (ClaimState::Declined, Some(reason))
    );
    // One without tokens is moved.
    let ada = owner(store, 1).await;
    let first = begin(store, ada, 1, 150).await;
    features::claims::store::prove_claim(store, first, Proof::Deployer, at(NOW))
        .await
        .unwrap();
    let of = begin(store, eve, 2, 150).await;
    claiming::queue(store, of, "Ours.", at(NOW)).await.unwrap();
    decision::accept(store, Actor::Operator, of.claim, at(NOW))
        .await
        .unwrap();
    assert_eq!(owner_of(store, place(150)).await, [project_id(2)]);
    let log = audit::of_project(store, Actor::Operator, project_id(1), None, 1).await;
    let log = log.unwrap().unwrap();
    assert!(
        matches!(log[0].action, AuditAction::ContractLost(_)),
        "{log:?}"
    );
    world.verify().await;
}

async fn a_claim_is_decided_once(site: Site) {
    let world = World::new(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let store = &stores[0];
    let ada = owner(store, 1).await;
    let of = begin(store, ada, 1, 150).await;
    let open = decision::accept(store, Actor::Operator, of.claim, at(NOW)).await;
    assert_eq!(open, Err(rejected(ClaimRejection::NotWaiting)));
    for note in ["", " ", "a\u{202e}b", &"x".repeat(501)] {
        let queued = claiming::queue(store, of, note, at(NOW)).await;
        assert_eq!(queued, Err(ClaimError::Note), "{note}");
    }
    for note in ["Ours.", "Ours, see\r\nthe explorer."] {
        claiming::queue(store, of, note, at(NOW)).await.unwrap();
    }
    let waiting = decision::waiting(store, Actor::Operator).await.unwrap();
    assert_eq!(waiting[0].claim.note, "Ours, see\nthe explorer.");
    let decide = |n: usize| {
        let store = stores[n % 2].clone();
        tokio::spawn(async move {
            let (db, actor) = (&store, Actor::Operator);
            match n % 4 {
                0 | 1 => decision::accept(db, actor, of.claim, at(NOW)).await,
                _ => decision::decline(db, actor, of.claim, "No.", at(NOW)).await,
            }
        })
    };
    let decided = join_all((0..8).map(decide)).await;
    let decided = decided.into_iter().map(Result::unwrap);
    assert_eq!(decided.filter(Result::is_ok).count(), 1);
    let is_own = owner_of(store, place(150)).await == [project_id(1)];
    let state = state(store, of).await;
    assert_eq!(is_own, state == ClaimState::Accepted, "{state:?}");
    let unknown = decision::accept(store, Actor::Operator, ClaimId(Uuid::nil()), at(NOW));
    let unknown = unknown.await;
    assert_eq!(unknown, Err(rejected(ClaimRejection::Unknown)));
}

async fn a_project_has_few_undecided_claims(site: Site) {
    let world = World::new(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let ada = owner(&stores[0], 1).await;
    let begin = |n: u8, second| {
        let store = stores[usize::from(n) % 2].clone();
        let claim = NewClaim {
            id: ClaimId(Uuid::from_bytes([n; 16])),
            project: project_id(1),
            contract: place(n),
            nonce: ClaimNonce::random(),
            created_at: at(second),
        };
        tokio::spawn(async move {
            features::claims::store::begin_claim(&store, Actor::Account(ada), claim).await
        })
    };
    let begun = join_all((150..175).map(|n| begin(n, NOW))).await;
    let begun: Vec<_> = begun.into_iter().map(|it| it.unwrap()).collect();
    assert_eq!(begun.iter().flatten().count(), 20, "{begun:?}");
    let mut refused = begun.iter().filter_map(|it| it.as_ref().err());
    let expected = rejected(ClaimRejection::TooMany);
    assert!(refused.all(|it| *it == expected), "{begun:?}");
    // Those that nobody went on with are forgotten.
    begin(180, NOW + 3600).await.unwrap().unwrap();
    let claims =
        features::claims::store::claims_of(&stores[0], Actor::Operator, project_id(1)).await;
    assert_eq!(claims.unwrap().unwrap().len(), 1);
}

async fn a_deleted_project_claims_nothing(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let ada = owner(store, 1).await;
    let of = begin(store, ada, 1, 150).await;
    let queued = claiming::queue(store, of, "Ours.", at(NOW)).await;
    queued.unwrap();
    let own = begin(store, ada, 1, 151).await;
    let proven = features::claims::store::prove_claim(store, own, Proof::Deployer, at(NOW)).await;
    assert_eq!(proven, Ok(ClaimState::Proven));
    let deleted = features::project_lifecycle::delete(store, of.actor, of.project, at(NOW)).await;
    deleted.unwrap();
    let waiting = decision::waiting(store, Actor::Operator).await;
    assert_eq!(waiting.unwrap(), []);
    // Its contract is free for whoever proves to own it.
    let eve = owner(store, 2).await;
    let of = begin(store, eve, 2, 151).await;
    let proven = features::claims::store::prove_claim(store, of, Proof::Deployer, at(NOW)).await;
    assert_eq!(proven, Ok(ClaimState::Proven));
    assert_eq!(owner_of(store, place(151)).await, [project_id(2)]);
}

async fn owners_withdraw_claims_and_release_contracts(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let db = store;
    let (ada, eve) = (owner(store, 1).await, owner(store, 2).await);
    let member = (eve, Role::Member);
    let added = features::project_lifecycle::store::add_member(
        store,
        Actor::Operator,
        project_id(1),
        member,
        at(1),
    );
    added.await.unwrap();

    let of = begin(store, ada, 1, 150).await;
    let as_member = ClaimOfProject {
        actor: Actor::Account(eve),
        ..of
    };
    let withdrawn = claiming::withdraw(db, as_member, at(NOW)).await;
    assert_eq!(withdrawn, Err(rejected(ClaimRejection::NotOwner)));
    claiming::withdraw(db, of, at(NOW)).await.unwrap();
    assert_eq!(
        features::claims::store::claim(store, of).await.unwrap(),
        None
    );
    let again = claiming::withdraw(db, of, at(NOW)).await;
    assert_eq!(again, Err(rejected(ClaimRejection::Unknown)));

    let of = begin(store, ada, 1, 150).await;
    let proven = features::claims::store::prove_claim(store, of, Proof::Deployer, at(NOW)).await;
    proven.unwrap();
    let decided = claiming::withdraw(db, of, at(NOW)).await;
    assert_eq!(decided, Err(rejected(ClaimRejection::Decided)));
    let release = async |account, project, n| {
        let contract = PartnerContract {
            id: place(n),
            project: project_id(project),
        };
        claiming::release(db, Actor::Account(account), contract, at(NOW)).await
    };
    let released = release(eve, 1, 150).await;
    assert_eq!(released, Err(rejected(ClaimRejection::NotOwner)));
    let released = release(eve, 2, 150).await;
    assert_eq!(released, Err(rejected(ClaimRejection::Unknown)));
    release(ada, 1, 150).await.unwrap();
    assert_eq!(owner_of(store, place(150)).await, []);
    let released = release(ada, 1, 150).await;
    assert_eq!(released, Err(rejected(ClaimRejection::Unknown)));
    // Anybody claims it then.
    let of = begin(store, eve, 2, 150).await;
    let proven = features::claims::store::prove_claim(store, of, Proof::Deployer, at(NOW)).await;
    assert_eq!(proven, Ok(ClaimState::Proven));
    assert_eq!(owner_of(store, place(150)).await, [project_id(2)]);

    // `World::new` has place(101) of project 1.
    world
        .record_all(vec![Record::PartnerToken(partner_token(1, 1, 1))])
        .await;
    let released = release(ada, 1, 101).await;
    assert_eq!(released, Err(rejected(ClaimRejection::OwnTokens)));
    assert_eq!(owner_of(store, place(101)).await, [project_id(1)]);

    let log = audit::of_project(db, Actor::Operator, project_id(1), None, 2).await;
    let actions = log.unwrap().unwrap().into_iter().map(|entry| entry.action);
    let contract = place(150).to_string();
    assert!(actions.eq([
        AuditAction::ContractReleased(contract.clone()),
        AuditAction::ClaimBecame(ClaimState::Proven, contract),
    ]));
}

on_each_database! {
    owners_withdraw_claims_and_release_contracts,
    a_claim_is_decided_once,
    a_deleted_project_claims_nothing,
    a_nonce_is_burnt_once,
    a_project_has_few_undecided_claims,
    a_proven_contract_is_the_projects,
    a_rival_takes_nothing_over_until_an_operator_decides,
    anothers_claims_are_not_there,
    of_projects_that_prove_at_the_same_time_one_has_the_contract,
}
