//! Tests on both databases: identities, and browsers that were sent to the provider.

use futures_util::future::join_all;
use uuid::Uuid;

use crate::records::at;
use crate::world::{Site, World};
use console::accounts::sign_in::{self, BegunSession, SessionBrowser};
use console::accounts::{
    AccountRules, BrowserName, Network, SecretDigest, SessionProof, SessionSecret, SignInLimit,
    SignedIn, sessions,
};
use console::oidc::identity::MAX_IDENTITIES;
use console::oidc::{
    AuthorizationLimit, IdentitySignIn, NewAuthorization, NewIdentity, OidcError, OidcRejection,
    Purpose,
};
use db::Db;
use features::domain::ids::{AccountId, IdentityId};
use features::mail::{Message, NewMail};

const NOW: i64 = 1_000_000;

fn browser(session: Option<&SessionSecret>) -> SessionBrowser<'_> {
    SessionBrowser {
        name: BrowserName::of_user_agent("Firefox/1 Linux"),
        session,
    }
}

/// Signs in as `NAME@example.org`, by mail.
async fn open(store: &Db, name: &str) -> BegunSession {
    let email = format!("{name}@example.org").parse().unwrap();
    sign_in::without_proof(store, email, browser(None), at(NOW))
        .await
        .unwrap()
}

fn mail() -> NewMail {
    let message = Message {
        to: "ada@example.org".parse().unwrap(),
        subject: String::new(),
        text: String::new(),
        html: String::new(),
    };
    NewMail::new(message, at(NOW))
}

/// The mails in the outbox, which are taken out.
async fn mails(store: &Db) -> usize {
    let mut count = 0;
    while let Some(mail) = features::mail::store::take_mail(store, at(NOW), at(NOW))
        .await
        .unwrap()
    {
        features::mail::store::delete_mail(store, mail.id)
            .await
            .unwrap();
        count += 1;
    }
    count
}

/// A person of the provider, who has the address `SUBJECT@example.org` there.
fn identity(subject: &str) -> NewIdentity {
    NewIdentity {
        id: IdentityId(Uuid::now_v7()),
        issuer: "https://accounts.example.org".to_owned(),
        subject: subject.to_owned(),
        label: format!("{subject}@example.org"),
        created_at: at(NOW),
    }
}

/// The sign-in of such a person, and the secret of its session.
fn arrival(subject: &str) -> (IdentitySignIn, SessionSecret) {
    let identity = identity(subject);
    let proof = SessionProof::Oidc(identity.id);
    let (secret, mut session) = sign_in::new_session(browser(None), proof, at(NOW)).unwrap();
    session.stepped_up_at = at(0);
    let sign_in = IdentitySignIn {
        email: identity.label.parse().ok(),
        identity,
        new: AccountId(Uuid::now_v7()),
        only: None,
        from: (SecretDigest([1; 32]), "192.0.2.0/24".to_owned()),
        mail: Some(mail()),
        session,
    };
    (sign_in, secret)
}

/// The reason of a rejection.
pub(crate) fn rejection(error: OidcError) -> OidcRejection {
    match error {
        OidcError::Rejected(rejection) => rejection,
        other => panic!("{other}"),
    }
}

pub(crate) fn authorization(browser: u8, purpose: Purpose, now: i64) -> NewAuthorization {
    NewAuthorization {
        browser: SecretDigest([browser; 32]),
        purpose,
        network: Network::of([192, 0, 2, 1].into()),
        created_at: at(now),
    }
}

async fn signed_in(store: &Db, secret: &SessionSecret) -> Option<SignedIn> {
    let rules = AccountRules::default();
    let found = sessions::find(store, secret, &rules, at(NOW)).await;
    found.unwrap()
}

async fn a_browser_that_was_sent_comes_back_once_to_whatever_server(site: Site) {
    let world = World::empty(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let ada = open(&stores[0], "ada").await.account;
    let purposes = [Purpose::SignIn, Purpose::StepUp(ada), Purpose::Link(ada)];
    for (n, purpose) in (1..).zip(purposes) {
        let sent = authorization(n, purpose, NOW);
        let browser = sent.browser;
        let begun = console::oidc::store::begin_authorization(&stores[0], sent).await;
        begun.unwrap();
        let take = |n: usize| {
            let store = stores[n % 2].clone();
            tokio::spawn(async move {
                console::oidc::store::take_authorization(&store, browser, at(NOW + 599)).await
            })
        };
        let taken = join_all((0..8).map(take)).await;
        let taken: Vec<_> = taken
            .into_iter()
            .filter_map(|taken| taken.unwrap().unwrap())
            .collect();
        assert_eq!(taken.len(), 1);
        assert_eq!(
            (taken[0].purpose, &*taken[0].network),
            (purpose, "192.0.2.0/24")
        );
    }
}

async fn a_browser_stays_away_for_ten_minutes(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let sent = authorization(1, Purpose::SignIn, NOW);
    let browser = sent.browser;
    console::oidc::store::begin_authorization(store, sent)
        .await
        .unwrap();
    let taken = console::oidc::store::take_authorization(store, browser, at(NOW + 600)).await;
    assert_eq!(taken.unwrap(), None);
    let taken =
        console::oidc::store::take_authorization(store, SecretDigest([9; 32]), at(NOW)).await;
    assert_eq!(taken.unwrap(), None);
}

async fn browsers_that_are_away_are_limited_by_network(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let begin = async |n, network: u8, now| {
        let sent = NewAuthorization {
            network: Network::of([192, 0, network, 1].into()),
            ..authorization(n, Purpose::SignIn, now)
        };
        let begun = console::oidc::store::begin_authorization(store, sent).await;
        begun.map_err(rejection)
    };
    for n in 0..100 {
        begin(n, 2, NOW).await.unwrap();
    }
    let limit = OidcRejection::Waiting(AuthorizationLimit);
    assert_eq!(begin(100, 2, NOW + 599).await, Err(limit));
    begin(101, 3, NOW + 599).await.unwrap();
    let back =
        console::oidc::store::take_authorization(store, SecretDigest([0; 32]), at(NOW + 599));
    assert!(back.await.unwrap().is_some());
    begin(102, 2, NOW + 599).await.unwrap();
    begin(103, 2, NOW + 600).await.unwrap();
}

async fn an_identity_is_an_issuer_and_a_subject_whatever_its_address(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let (first, secret) = arrival("ada");
    let ada = first.new;
    assert_eq!(
        console::oidc::store::sign_in_by_identity(store, first)
            .await
            .unwrap(),
        ada
    );
    assert_eq!(mails(store).await, 1);
    let found = signed_in(store, &secret).await.unwrap();
    assert_eq!(found.account.email.as_str(), "ada@example.org");
    assert!(
        found.is_stepped_up(at(NOW)),
        "nobody else has to do with a new account"
    );
    let eve = open(store, "eve").await.account;
    // Later it has another's address there.
    let (mut later, secret) = arrival("ada");
    later.email = "eve@example.org".parse().ok();
    assert_eq!(
        console::oidc::store::sign_in_by_identity(store, later)
            .await
            .unwrap(),
        ada
    );
    let found = signed_in(store, &secret).await.unwrap();
    assert_eq!(found.account.id, ada);
    assert_eq!(found.session.stepped_up_at, at(0), "as the provider says");
    let own = console::oidc::store::identities_of(store, ada)
        .await
        .unwrap();
    assert_eq!(found.session.proof, SessionProof::Oidc(own[0].id));
    assert_eq!((own.len(), own[0].last_used_at), (1, Some(at(NOW))));
    // Another issuer's of the same name is somebody else, who does not get the account of an address.
    let (mut other, secret) = arrival("ada");
    other.identity.issuer = "https://other.example.org".to_owned();
    let refused = console::oidc::store::sign_in_by_identity(store, other).await;
    assert_eq!(refused.map_err(rejection), Err(OidcRejection::AddressTaken));
    assert_eq!(signed_in(store, &secret).await, None);
    let (mut none, _) = arrival("new");
    none.email = None;
    let refused = console::oidc::store::sign_in_by_identity(store, none).await;
    assert_eq!(refused.map_err(rejection), Err(OidcRejection::NoAddress));
    assert_eq!(
        console::oidc::store::identities_of(store, eve)
            .await
            .unwrap(),
        []
    );
    assert_eq!(mails(store).await, 0);
}

async fn first_sign_ins_at_once_make_one_account(site: Site) {
    let world = World::empty(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let enter = |n: usize| {
        let store = stores[n % 2].clone();
        let (sign_in, _) = arrival("ada");
        tokio::spawn(
            async move { console::oidc::store::sign_in_by_identity(&store, sign_in).await },
        )
    };
    let entered = join_all((0..8).map(enter)).await;
    let mut accounts: Vec<_> = entered
        .into_iter()
        .map(|entered| entered.unwrap().unwrap())
        .collect();
    accounts.dedup();
    assert_eq!(accounts.len(), 1);
    assert_eq!(mails(&stores[0]).await, 1);
}

async fn new_accounts_of_a_network_are_limited_by_whatever_way(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    for n in 0..20 {
        let sent = authorization(n, Purpose::SignIn, NOW);
        let (mut sign_in, _) = arrival(&format!("ada{n}"));
        sign_in.from.0 = sent.browser;
        console::oidc::store::begin_authorization(store, sent)
            .await
            .unwrap();
        console::oidc::store::sign_in_by_identity(store, sign_in)
            .await
            .unwrap();
    }
    let (one_more, _) = arrival("eve");
    let refused = console::oidc::store::sign_in_by_identity(store, one_more).await;
    let limit = OidcRejection::Limit(SignInLimit::NewAccounts);
    assert_eq!(refused.map_err(rejection), Err(limit));
    let (known, _) = arrival("ada0");
    console::oidc::store::sign_in_by_identity(store, known)
        .await
        .unwrap();
}

async fn stepping_up_needs_an_identity_of_the_account(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let (ada, eve) = (
        open(store, "ada").await.account,
        open(store, "eve").await.account,
    );
    let step_up = async |account| {
        let (mut sign_in, _) = arrival("ada");
        sign_in.only = Some(account);
        let signed_in = console::oidc::store::sign_in_by_identity(store, sign_in).await;
        signed_in.map_err(rejection)
    };
    assert_eq!(step_up(ada).await, Err(OidcRejection::NotLinked));
    let linked = console::oidc::store::link_identity(store, ada, identity("ada"), mail()).await;
    linked.unwrap();
    assert_eq!(step_up(eve).await, Err(OidcRejection::NotLinked));
    assert_eq!(step_up(ada).await, Ok(ada));
}

async fn an_identity_belongs_to_one_account(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let (ada, eve) = (
        open(store, "ada").await.account,
        open(store, "eve").await.account,
    );
    let link = async |account, subject: &str| {
        let linked =
            console::oidc::store::link_identity(store, account, identity(subject), mail()).await;
        linked.map_err(rejection)
    };
    assert_eq!(link(ada, "0").await, Ok(()));
    assert_eq!(link(ada, "0").await, Err(OidcRejection::Known));
    assert_eq!(link(eve, "0").await, Err(OidcRejection::OfAnother));
    for n in 1..MAX_IDENTITIES {
        assert_eq!(link(ada, &n.to_string()).await, Ok(()));
    }
    assert_eq!(link(ada, "one more").await, Err(OidcRejection::TooMany));
    assert_eq!(
        console::oidc::store::identities_of(store, ada)
            .await
            .unwrap()
            .len(),
        MAX_IDENTITIES
    );
    assert_eq!(
        mails(store).await,
        MAX_IDENTITIES,
        "a rejected one sends none"
    );
}

async fn an_identity_that_is_unlinked_ends_the_sessions_that_it_signed_in(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let by_mail = open(store, "ada").await;
    let (ada, eve) = (by_mail.account, open(store, "eve").await.account);
    let mut secrets = Vec::new();
    for subject in ["one", "two"] {
        let linked =
            console::oidc::store::link_identity(store, ada, identity(subject), mail()).await;
        linked.unwrap();
        let (sign_in, secret) = arrival(subject);
        assert_eq!(
            console::oidc::store::sign_in_by_identity(store, sign_in)
                .await
                .unwrap(),
            ada
        );
        secrets.push(secret);
    }
    assert_eq!(mails(store).await, 2);
    let first = console::oidc::store::identities_of(store, ada)
        .await
        .unwrap()[0]
        .id;
    let unlink = async |account| {
        let unlinked = console::oidc::store::unlink_identity(store, account, first, mail()).await;
        unlinked.map_err(rejection)
    };
    assert_eq!(unlink(eve).await, Err(OidcRejection::Unknown));
    assert_eq!(unlink(ada).await, Ok(()));
    assert_eq!(unlink(ada).await, Err(OidcRejection::Unknown));
    assert_eq!(mails(store).await, 1);
    let mut live = Vec::new();
    for secret in secrets.iter().chain([&by_mail.secret]) {
        live.push(signed_in(store, secret).await.is_some());
    }
    assert_eq!(live, [false, true, true]);
    assert_eq!(
        console::oidc::store::identities_of(store, ada)
            .await
            .unwrap()
            .len(),
        1
    );
    // Its person is a stranger now, whose address has an account.
    let (mut again, _) = arrival("one");
    again.email = "ada@example.org".parse().ok();
    let refused = console::oidc::store::sign_in_by_identity(store, again).await;
    assert_eq!(refused.map_err(rejection), Err(OidcRejection::AddressTaken));
}

async fn ending_all_sessions_awaits_no_browser_any_more(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let (sign_in, secret) = arrival("ada");
    console::oidc::store::sign_in_by_identity(store, sign_in)
        .await
        .unwrap();
    let sent = authorization(1, Purpose::SignIn, NOW);
    let browser = sent.browser;
    console::oidc::store::begin_authorization(store, sent)
        .await
        .unwrap();
    console::accounts::store::forget_sign_ins(store)
        .await
        .unwrap();
    assert_eq!(signed_in(store, &secret).await, None);
    let taken = console::oidc::store::take_authorization(store, browser, at(NOW)).await;
    assert_eq!(taken.unwrap(), None);
    let (again, _) = arrival("ada");
    let entered = console::oidc::store::sign_in_by_identity(store, again).await;
    assert!(entered.is_ok(), "the identity stays");
}

on_each_database! {
    a_browser_stays_away_for_ten_minutes,
    a_browser_that_was_sent_comes_back_once_to_whatever_server,
    an_identity_belongs_to_one_account,
    an_identity_is_an_issuer_and_a_subject_whatever_its_address,
    an_identity_that_is_unlinked_ends_the_sessions_that_it_signed_in,
    browsers_that_are_away_are_limited_by_network,
    ending_all_sessions_awaits_no_browser_any_more,
    first_sign_ins_at_once_make_one_account,
    new_accounts_of_a_network_are_limited_by_whatever_way,
    stepping_up_needs_an_identity_of_the_account,
}
