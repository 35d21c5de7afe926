//! Tests on both databases: members and invitations.

use futures_util::future::join_all;
use uuid::Uuid;

use crate::operators::operator;
use crate::records::{at, project_id};
use crate::world::{Site, World};
use console::accounts::sign_in::{self, SessionBrowser};
use console::accounts::{
    Account, AccountRules, BrowserName, InvitationToken, Network, SessionSecret, sessions,
};
use console::members;
use console::members::invitations::{self, InvitationRequest};
use console::members::{
    InvitationAnswer, InvitationLimit, Invited, MemberChange, MemberError, MemberOfProject,
    MemberRejection,
};
use console::personal_data::erasure;
use db::Db;
use features::audit::{self, AuditAction};
use features::domain::ids::AccountId;
use features::domain::service_identity::ServiceIdentity;
use features::keys::lifecycle;
use features::project_lifecycle::{self, ProjectChangeError, ProjectRejection};
use features::projects::{Actor, ProjectId, Role, Tier};
use features::suspensions::{self, OwnsSuspended};
use server::config::{Config, Settings};

const NOW: i64 = 1_000_000;
const DAY: i64 = 24 * 3600;

fn service() -> ServiceIdentity {
    Config::of(Settings::default()).service
}

pub(crate) async fn account(store: &Db, name: &str) -> Account {
    let email = format!("{name}@example.org").parse().unwrap();
    let browser = SessionBrowser {
        name: BrowserName::of_user_agent(""),
        session: None::<&SessionSecret>,
    };
    let begun = sign_in::without_proof(store, email, browser, at(NOW))
        .await
        .unwrap();
    let rules = AccountRules::default();
    let found = sessions::find(store, &begun.secret, &rules, at(NOW)).await;
    found.unwrap().unwrap().account
}

/// A project of an account.
pub(crate) async fn project_of(store: &Db, owner: &Account) -> ProjectId {
    let rules = AccountRules::default();
    let new = (ProjectId(Uuid::now_v7()), "https://evil.example");
    let made = project_lifecycle::create_own(store, owner.id, new, &rules, at(NOW));
    made.await.unwrap()
}

pub(crate) async fn invite(
    store: &Db,
    by: &Account,
    project: ProjectId,
    name: &str,
    role: Role,
    second: i64,
) -> Result<Invited, MemberRejection> {
    let request = InvitationRequest {
        by,
        network: Network::of([10, 0, 0, 1].into()),
        project,
        email: format!("{name}@example.org").parse().unwrap(),
        role,
    };
    let invited = invitations::invite(store, &service(), request, at(second)).await;
    rejected(invited)
}

fn rejected<T>(result: Result<T, MemberError>) -> Result<T, MemberRejection> {
    result.map_err(|error| match error {
        MemberError::Rejected(rejection) => rejection,
        other => panic!("{other}"),
    })
}

/// The token of the mail that is due, which is taken out of the outbox.
pub(crate) async fn receive(store: &Db) -> Option<InvitationToken> {
    let mail = features::mail::store::take_mail(store, at(NOW * 9), at(NOW * 9))
        .await
        .unwrap()?;
    features::mail::store::delete_mail(store, mail.id)
        .await
        .unwrap();
    let message = &mail.message;
    for text in [&message.subject, &message.text, &message.html] {
        assert!(
            !text.contains("evil"),
            "people choose the names of projects"
        );
    }
    let (_, token) = message.text.split_once("?token=").unwrap();
    let token = InvitationToken::parse(token.lines().next().unwrap()).unwrap();
    assert!(message.html.contains(&token.reveal()));
    Some(token)
}

pub(crate) async fn answer(
    store: &Db,
    account: &Account,
    token: &InvitationToken,
    answer: InvitationAnswer,
    second: i64,
) -> Result<ProjectId, MemberRejection> {
    rejected(
        invitations::answer(
            store,
            account,
            token,
            answer,
            &AccountRules::default(),
            at(second),
        )
        .await,
    )
}

async fn change(
    store: &Db,
    by: &Account,
    project: ProjectId,
    member: &Account,
    change: MemberChange,
) -> Result<(), MemberRejection> {
    let about = MemberOfProject {
        actor: Actor::Account(by.id),
        project,
        member: member.id,
    };
    rejected(members::change(store, about, change, &AccountRules::default(), at(NOW + 9)).await)
}

async fn join(store: &Db, owner: &Account, project: ProjectId, name: &str, role: Role) -> Account {
    invite(store, owner, project, name, role, NOW)
        .await
        .unwrap();
    let (token, joined) = (receive(store).await.unwrap(), account(store, name).await);
    let accepted = answer(store, &joined, &token, InvitationAnswer::Accept, NOW).await;
    accepted.unwrap();
    joined
}

async fn roles(store: &Db, by: &Account, project: ProjectId) -> Vec<(AccountId, Role)> {
    let listed = members::list(store, Actor::Account(by.id), project).await;
    let listed = listed.unwrap();
    listed.iter().map(|it| (it.account, it.role)).collect()
}

async fn an_invitation_is_accepted_once_by_its_address(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let db = store;
    let (ada, eve) = (account(store, "ada").await, account(store, "eve").await);
    let project = project_of(store, &ada).await;
    invite(store, &ada, project, "BOB", Role::Member, NOW)
        .await
        .unwrap();
    let token = receive(store).await.unwrap();
    let actor = Actor::Account(ada.id);
    let pending = invitations::list(db, actor, project, at(NOW))
        .await
        .unwrap();
    let [pending] = &pending[..] else {
        panic!("{pending:?}")
    };
    assert_eq!(
        (pending.role, &pending.invited_by),
        (Role::Member, &ada.email)
    );

    let bob = account(store, "bob").await;
    for _ in 0..2 {
        let shown = invitations::of_link(db, &bob, &token, at(NOW + 1))
            .await
            .unwrap();
        assert_eq!(shown.project_name, "https://evil.example");
    }
    let other = rejected(invitations::of_link(db, &eve, &token, at(NOW + 1)).await);
    assert_eq!(other.unwrap_err(), MemberRejection::OtherAddress);
    let accept = InvitationAnswer::Accept;
    let other = answer(store, &eve, &token, accept, NOW + 1).await;
    assert_eq!(other, Err(MemberRejection::OtherAddress));
    let ended = Err(MemberRejection::Ended);
    assert_eq!(
        answer(store, &bob, &token, accept, NOW + 7 * DAY).await,
        ended
    );
    let unknown = InvitationToken::generate().unwrap();
    assert_eq!(answer(store, &bob, &unknown, accept, NOW + 1).await, ended);
    let last = NOW + 7 * DAY - 1;
    assert_eq!(answer(store, &bob, &token, accept, last).await, Ok(project));
    assert_eq!(answer(store, &bob, &token, accept, last).await, ended);
    let expected = [(ada.id, Role::Owner), (bob.id, Role::Member)];
    assert_eq!(roles(store, &bob, project).await, expected);
    let again = invite(store, &ada, project, "Bob", Role::Owner, last).await;
    assert_eq!(again, Err(MemberRejection::AlreadyMember));
    let pending = invitations::list(db, actor, project, at(last))
        .await
        .unwrap();
    assert_eq!(pending, []);
}

async fn of_concurrent_answers_one_succeeds(site: Site) {
    let world = World::empty(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let ada = account(&stores[0], "ada").await;
    let project = project_of(&stores[0], &ada).await;
    invite(&stores[0], &ada, project, "bob", Role::Member, NOW)
        .await
        .unwrap();
    let token = receive(&stores[0]).await.unwrap();
    let bob = account(&stores[0], "bob").await;
    let answers = (0..8).map(|n| {
        let (store, token, bob) = (stores[n % 2].clone(), token.clone(), bob.clone());
        let said = [InvitationAnswer::Accept, InvitationAnswer::Decline][n / 4];
        tokio::spawn(async move { answer(&store, &bob, &token, said, NOW).await })
    });
    let answers = join_all(answers).await.into_iter().map(Result::unwrap);
    let (succeeded, refused): (Vec<_>, Vec<_>) = answers.partition(Result::is_ok);
    assert_eq!(succeeded.len(), 1);
    assert!(
        refused.iter().all(|it| *it == Err(MemberRejection::Ended)),
        "{refused:?}"
    );
}

async fn an_invitation_ends_when_it_is_revoked_declined_or_replaced(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let db = store;
    let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
    let project = project_of(store, &ada).await;
    let accept = InvitationAnswer::Accept;
    let ended = Err(MemberRejection::Ended);

    let invited = invite(store, &ada, project, "bob", Role::Member, NOW).await;
    assert_eq!(invited, Ok(Invited::First));
    let first = receive(store).await.unwrap();
    let invited = invite(store, &ada, project, "bob", Role::Owner, NOW).await;
    assert_eq!(invited, Ok(Invited::Again));
    let second = receive(store).await.unwrap();
    assert_eq!(answer(store, &bob, &first, accept, NOW).await, ended);
    let declined = answer(store, &bob, &second, InvitationAnswer::Decline, NOW).await;
    assert_eq!(declined, Ok(project));
    assert_eq!(answer(store, &bob, &second, accept, NOW).await, ended);

    // A revoked one's mail is not sent any more.
    invite(store, &ada, project, "bob", Role::Member, NOW)
        .await
        .unwrap();
    let actor = Actor::Account(ada.id);
    let pending = invitations::list(db, actor, project, at(NOW))
        .await
        .unwrap();
    let revoke =
        async || rejected(invitations::revoke(db, actor, project, pending[0].id, at(NOW)).await);
    revoke().await.unwrap();
    assert_eq!(revoke().await, Err(MemberRejection::UnknownInvitation));
    assert_eq!(receive(store).await, None);

    // That of somebody who is no owner any more.
    let eve = join(store, &ada, project, "eve", Role::Owner).await;
    invite(store, &eve, project, "bob", Role::Owner, NOW)
        .await
        .unwrap();
    let token = receive(store).await.unwrap();
    change(store, &ada, project, &eve, MemberChange::Role(Role::Member))
        .await
        .unwrap();
    assert_eq!(answer(store, &bob, &token, accept, NOW).await, ended);

    // That of a project that is deleted.
    invite(store, &ada, project, "bob", Role::Member, NOW)
        .await
        .unwrap();
    let token = receive(store).await.unwrap();
    project_lifecycle::delete(db, actor, project, at(NOW))
        .await
        .unwrap();
    assert_eq!(answer(store, &bob, &token, accept, NOW).await, ended);
    let unknown = Err(MemberRejection::UnknownProject(project));
    assert_eq!(
        invite(store, &ada, project, "new", Role::Member, NOW).await,
        unknown
    );
}

async fn invitations_are_limited(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let ada = account(store, "ada").await;
    let project = project_of(store, &ada).await;
    for _ in 0..5 {
        invite(store, &ada, project, "bob", Role::Member, NOW)
            .await
            .unwrap();
    }
    let limit = |limit| Err(MemberRejection::Limit(limit));
    let more = invite(store, &ada, project, "bob", Role::Member, NOW + DAY - 1).await;
    assert_eq!(more, limit(InvitationLimit::Address));
    for n in 0..15 {
        invite(store, &ada, project, &format!("n{n}"), Role::Member, NOW)
            .await
            .unwrap();
    }
    let more = invite(store, &ada, project, "more", Role::Member, NOW).await;
    assert_eq!(more, limit(InvitationLimit::Project));
    let other = project_of(store, &ada).await;
    for n in 0..20 {
        invite(store, &ada, other, &format!("o{n}"), Role::Member, NOW)
            .await
            .unwrap();
    }
    let third = project_of(store, &ada).await;
    let more = invite(store, &ada, third, "more", Role::Member, NOW).await;
    assert_eq!(more, limit(InvitationLimit::Account));
    let eve = account(store, "eve").await;
    let theirs = project_of(store, &eve).await;
    for n in 0..20 {
        invite(store, &eve, theirs, &format!("e{n}"), Role::Member, NOW)
            .await
            .unwrap();
    }
    let fourth = project_of(store, &eve).await;
    let more = invite(store, &eve, fourth, "more", Role::Member, NOW).await;
    assert_eq!(more, limit(InvitationLimit::Network));
    invite(store, &ada, project, "bob", Role::Member, NOW + DAY)
        .await
        .unwrap();
}

/// As an attacker with one /48 has many networks, and as many accounts as it likes.
async fn one_provider_leaves_invitations_to_others(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let from = async |by: &Account, project, n, network: &str| {
        let request = InvitationRequest {
            by,
            network: Network::of(network.parse().unwrap()),
            project,
            email: format!("{}-{n}@example.org", by.id.0).parse().unwrap(),
            role: Role::Member,
        };
        rejected(invitations::invite(store, &service(), request, at(NOW)).await)
    };
    for n in 0..15 {
        let account = account(store, &format!("a{n}")).await;
        for of in 0..2 {
            let project = project_of(store, &account).await;
            for invited in 0..20 {
                let network = format!("2001:db8:1:{n:x}::1");
                from(&account, project, of * 20 + invited, &network)
                    .await
                    .unwrap();
            }
        }
    }
    let more = account(store, "more").await;
    let project = project_of(store, &more).await;
    for network in ["2001:db8:1:ff::1", "2001:db8:2::1"] {
        let invited = from(&more, project, 0, network).await;
        let limit = MemberRejection::Limit(InvitationLimit::Network);
        assert_eq!(invited, Err(limit), "{network}");
    }
    from(&more, project, 0, "2001:db9::1").await.unwrap();
}

async fn a_project_keeps_an_owner(site: Site) {
    let world = World::empty(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let ada = account(&stores[0], "ada").await;
    for _ in 0..3 {
        let project = project_of(&stores[0], &ada).await;
        let bob = join(&stores[0], &ada, project, "bob", Role::Owner).await;
        let leave = |n: usize, account: Account| {
            let store = stores[n].clone();
            tokio::spawn(async move {
                change(&store, &account, project, &account, MemberChange::Remove).await
            })
        };
        let left = join_all([leave(0, ada.clone()), leave(1, bob.clone())]).await;
        let mut left: Vec<_> = left.into_iter().map(Result::unwrap).collect();
        left.sort_by_key(Result::is_err);
        assert_eq!(left, [Ok(()), Err(MemberRejection::LastOwner)]);
        for account in [&ada, &bob] {
            let actor = Actor::Account(account.id);
            if let Ok(members) = members::list(&stores[0], actor, project).await {
                assert_eq!(members.len(), 1);
                assert_eq!(members[0].role, Role::Owner);
            }
        }
    }
}

async fn only_owners_change_members(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let db = store;
    let (ada, eve) = (account(store, "ada").await, account(store, "eve").await);
    let project = project_of(store, &ada).await;
    let bob = join(store, &ada, project, "bob", Role::Member).await;
    let owner = MemberChange::Role(Role::Owner);
    let not_owner = Err(MemberRejection::NotOwner);
    assert_eq!(change(store, &bob, project, &bob, owner).await, not_owner);
    assert_eq!(
        change(store, &bob, project, &ada, MemberChange::Remove).await,
        not_owner
    );
    let invited = invite(store, &bob, project, "new", Role::Member, NOW).await;
    assert_eq!(invited, Err(MemberRejection::NotOwner));
    invite(store, &ada, project, "new", Role::Member, NOW)
        .await
        .unwrap();
    let by_bob = Actor::Account(bob.id);
    let pending = invitations::list(db, by_bob, project, at(NOW))
        .await
        .unwrap();
    let revoked = invitations::revoke(db, by_bob, project, pending[0].id, at(NOW)).await;
    assert_eq!(rejected(revoked), not_owner);

    // A stranger finds nothing, in whatever project.
    let own = project_of(store, &eve).await;
    for project in [project, project_id(1), ProjectId(Uuid::nil())] {
        let unknown = || MemberRejection::UnknownProject(project);
        let by_eve = Actor::Account(eve.id);
        assert_eq!(
            rejected(members::list(db, by_eve, project).await).unwrap_err(),
            unknown()
        );
        let listed = invitations::list(db, by_eve, project, at(NOW)).await;
        assert_eq!(rejected(listed).unwrap_err(), unknown());
        assert_eq!(
            change(store, &eve, project, &bob, owner).await,
            Err(unknown())
        );
        assert_eq!(
            change(store, &eve, project, &eve, MemberChange::Remove).await,
            Err(unknown())
        );
        assert_eq!(
            invite(store, &eve, project, "new", Role::Member, NOW).await,
            Err(unknown())
        );
        let revoked = invitations::revoke(db, by_eve, project, pending[0].id, at(NOW)).await;
        assert_eq!(rejected(revoked), Err(unknown()));
    }
    assert_eq!(
        change(store, &eve, own, &bob, owner).await,
        Err(MemberRejection::UnknownMember)
    );
    let revoked =
        invitations::revoke(db, Actor::Account(eve.id), own, pending[0].id, at(NOW)).await;
    assert_eq!(rejected(revoked), Err(MemberRejection::UnknownInvitation));

    // Who is removed does not find the project at the next request.
    change(store, &ada, project, &bob, MemberChange::Remove)
        .await
        .unwrap();
    assert!(lifecycle::list(db, by_bob, project).await.is_err());
}

async fn changes_of_members_are_told_in_the_audit_log(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let ada = account(store, "ada").await;
    let project = project_of(store, &ada).await;
    let bob = join(store, &ada, project, "bob", Role::Member).await;
    change(store, &ada, project, &bob, MemberChange::Role(Role::Owner))
        .await
        .unwrap();
    change(store, &ada, project, &bob, MemberChange::Role(Role::Owner))
        .await
        .unwrap();
    change(store, &bob, project, &ada, MemberChange::Remove)
        .await
        .unwrap();
    let actor = Actor::Account(bob.id);
    let entries = audit::of_project(store, actor, project, None, 99).await;
    let entries = entries.unwrap().unwrap();
    let told: Vec<_> = entries
        .iter()
        .map(|it| (it.action.clone(), it.member.clone()))
        .collect();
    let expected = [
        (AuditAction::MemberRemoved(ada.id), Some(ada.email.clone())),
        (
            AuditAction::RoleSet(bob.id, Role::Owner),
            Some(bob.email.clone()),
        ),
        (AuditAction::MemberJoined(Role::Member), None),
        (
            AuditAction::MemberInvited(Some(bob.email.clone()), Role::Member),
            None,
        ),
    ];
    assert_eq!(told[..4], expected);
}

async fn a_suspended_project_traps_no_one(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let (service, operator) = (service(), operator(store, "op").await);
    let [ada, bob, eve] = ["ada", "bob", "eve"].map(|name| account(store, name));
    let (ada, bob, eve) = (ada.await, bob.await, eve.await);
    let suspended = project_of(store, &eve).await;
    let (elsewhere, third) = (project_of(store, &ada).await, project_of(store, &ada).await);
    let mel = join(store, &eve, suspended, "mel", Role::Member).await;
    for (project, role) in [(elsewhere, Role::Owner), (third, Role::Member)] {
        invite(store, &ada, project, "eve", role, NOW)
            .await
            .unwrap();
        let token = receive(store).await.unwrap();
        let accepted = answer(store, &eve, &token, InvitationAnswer::Accept, NOW).await;
        accepted.unwrap();
    }
    let mut tokens = Vec::new();
    for (by, project, role) in [
        (&eve, suspended, Role::Owner),
        (&eve, elsewhere, Role::Owner),
        (&ada, third, Role::Owner),
    ] {
        invite(store, by, project, "bob", role, NOW).await.unwrap();
        tokens.push(receive(store).await.unwrap());
    }
    invite(store, &eve, suspended, "new", Role::Owner, NOW)
        .await
        .unwrap();
    suspensions::suspend(store, &service, operator, suspended, "Spam.", at(NOW))
        .await
        .unwrap();

    // The invitations to the project and those of its owner have ended, and their emails are not sent.
    let told = features::mail::store::take_mail(store, at(NOW * 9), at(NOW * 9)).await;
    let told = told.unwrap().unwrap();
    assert_eq!(told.message.to, eve.email);
    features::mail::store::delete_mail(store, told.id)
        .await
        .unwrap();
    assert_eq!(receive(store).await, None);
    let accept = InvitationAnswer::Accept;
    let answers = [
        answer(store, &bob, &tokens[0], accept, NOW).await,
        answer(store, &bob, &tokens[1], accept, NOW).await,
        answer(store, &bob, &tokens[2], accept, NOW).await,
    ];
    let ended = || Err(MemberRejection::Ended);
    assert_eq!(answers, [ended(), ended(), Ok(third)]);

    // The suspended owner invites no one, and becomes an owner nowhere else.
    let owns_suspended = || MemberRejection::OwnsSuspended(OwnsSuspended);
    for project in [suspended, elsewhere] {
        let invited = invite(store, &eve, project, "bob", Role::Owner, NOW).await;
        assert_eq!(invited, Err(owns_suspended()));
    }
    let promoted = change(store, &ada, third, &eve, MemberChange::Role(Role::Owner)).await;
    assert_eq!(promoted, Err(MemberRejection::MayNotOwn));
    change(store, &ada, third, &eve, MemberChange::Remove)
        .await
        .unwrap();
    invite(store, &ada, third, "eve", Role::Owner, NOW)
        .await
        .unwrap();
    let token = receive(store).await.unwrap();
    let accepted = answer(store, &eve, &token, accept, NOW).await;
    assert_eq!(accepted, Err(owns_suspended()));

    // Everyone leaves every project, but the suspended owner the suspended one, and others erase their accounts.
    let leave =
        async |who: &Account, project| change(store, who, project, who, MemberChange::Remove).await;
    assert_eq!(leave(&mel, suspended).await, Ok(()));
    assert_eq!(leave(&eve, elsewhere).await, Ok(()));
    assert_eq!(leave(&bob, third).await, Ok(()));
    let last_owner = Err(MemberRejection::LastOwner);
    assert_eq!(leave(&eve, suspended).await, last_owner);
    for (account, may_erase) in [(&mel, true), (&bob, true), (&ada, true), (&eve, false)] {
        let typed = account.email.as_str();
        let erased = erasure::erase(store, account, typed, at(NOW)).await;
        assert_eq!(erased.is_ok(), may_erase, "{typed}: {erased:?}");
    }
}

async fn an_owner_of_a_suspended_project_does_not_leave_it_to_another(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let eve = account(store, "eve").await;
    let project = project_of(store, &eve).await;
    let mallory = join(store, &eve, project, "mallory", Role::Owner).await;
    let operator = operator(store, "op").await;
    suspensions::suspend(store, &service(), operator, project, "Spam.", at(NOW))
        .await
        .unwrap();
    for owner in [&eve, &mallory] {
        let left = change(store, owner, project, owner, MemberChange::Remove).await;
        let expected = MemberRejection::OwnsSuspended(OwnsSuspended);
        assert_eq!(left, Err(expected));
    }
}

async fn ownership_counts_however_it_is_gained(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
    let rules = AccountRules::default();
    let create = async |by: &Account, second| {
        let new = (ProjectId(Uuid::now_v7()), "Mine");
        project_lifecycle::create_own(store, by.id, new, &rules, at(second)).await
    };
    let accept = InvitationAnswer::Accept;
    for round in 0..3 {
        let project = create(&ada, NOW).await.unwrap();
        // Ownership is handed over by an invitation, or by an invitation and a change of the role.
        let role = [Role::Owner, Role::Member][round % 2];
        join(store, &ada, project, "bob", role).await;
        change(store, &ada, project, &bob, MemberChange::Role(Role::Owner))
            .await
            .unwrap();
        change(store, &ada, project, &ada, MemberChange::Remove)
            .await
            .unwrap();
    }
    let too_many = || ProjectChangeError::Rejected(ProjectRejection::TooMany(3));
    assert_eq!(
        create(&ada, NOW).await,
        Err(too_many()),
        "it created 3 today"
    );
    assert_eq!(create(&bob, NOW).await, Err(too_many()), "it owns 3");
    let fourth = create(&ada, NOW + DAY).await.unwrap();
    assert_eq!(create(&bob, NOW + DAY).await, Err(too_many()));

    invite(store, &ada, fourth, "bob", Role::Owner, NOW)
        .await
        .unwrap();
    let token = receive(store).await.unwrap();
    let accepted = answer(store, &bob, &token, accept, NOW).await;
    assert_eq!(accepted, Err(MemberRejection::TooManyProjects(3)));
    let member = join(store, &ada, fourth, "bob", Role::Member).await;
    let promoted = change(
        store,
        &ada,
        fourth,
        &member,
        MemberChange::Role(Role::Owner),
    )
    .await;
    assert_eq!(promoted, Err(MemberRejection::MayNotOwn));

    // A project that pays is not counted.
    project_lifecycle::set_tier(store, Actor::Operator, fourth, Tier::Pro, at(NOW))
        .await
        .unwrap();
    change(
        store,
        &ada,
        fourth,
        &member,
        MemberChange::Role(Role::Owner),
    )
    .await
    .unwrap();
}

on_each_database! {
    one_provider_leaves_invitations_to_others,
    a_suspended_project_traps_no_one,
    an_owner_of_a_suspended_project_does_not_leave_it_to_another,
    ownership_counts_however_it_is_gained,
    a_project_keeps_an_owner,
    an_invitation_ends_when_it_is_revoked_declined_or_replaced,
    an_invitation_is_accepted_once_by_its_address,
    changes_of_members_are_told_in_the_audit_log,
    invitations_are_limited,
    of_concurrent_answers_one_succeeds,
    only_owners_change_members,
}
