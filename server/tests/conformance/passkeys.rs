//! Tests on both databases: passkeys and their ceremonies, which are registrations and sign-ins that have begun and are not
//! finished (WebAuthn).

use futures_util::future::join_all;
use jiff::Timestamp;
use uuid::Uuid;

use crate::records::at;
use crate::world::{Site, World};
use console::accounts::sign_in::{self, BegunSession, SessionBrowser};
use console::accounts::{
    AccountRules, BrowserName, Network, SessionProof, SessionSecret, sessions,
};
use console::passkeys::passkey::MAX_PASSKEYS;
use console::passkeys::{
    CeremonyId, CeremonyLimit, CredentialChange, NewCeremony, NewPasskey, PasskeyError,
    PasskeyOwner, PasskeyRejection,
};
use db::Db;
use features::domain::ids::{AccountId, PasskeyId};
use features::mail::{Message, NewMail};

const NOW: i64 = 1_000_000;

fn browser(session: Option<&SessionSecret>) -> SessionBrowser<'_> {
    SessionBrowser {
        name: BrowserName::of_user_agent("Firefox/1 Linux"),
        session,
    }
}

/// Signs in as `NAME@example.org`.
async fn open(store: &Db, name: &str) -> BegunSession {
    let email = format!("{name}@example.org").parse().unwrap();
    sign_in::without_proof(store, email, browser(None), at(NOW))
        .await
        .unwrap()
}

fn owner(account: AccountId) -> PasskeyOwner {
    PasskeyOwner {
        account,
        proof: SessionProof::Mail,
    }
}

fn passkey(n: u8) -> NewPasskey {
    NewPasskey {
        id: PasskeyId(Uuid::from_bytes([n; 16])),
        name: format!("key {n}"),
        credential_id: vec![n; 16],
        credential: format!("{{\"counter\":{n}}}"),
        enrolment: None,
        created_at: at(NOW + i64::from(n)),
    }
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

/// Empties the outbox; returns how many mails it had.
async fn drain_outbox(store: &Db) -> usize {
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

/// The reason of a rejection.
pub(crate) fn rejection(error: PasskeyError) -> PasskeyRejection {
    match error {
        PasskeyError::Rejected(rejection) => rejection,
        other => panic!("{other}"),
    }
}

pub(crate) fn ceremony(account: Option<AccountId>, network: u8, now: Timestamp) -> NewCeremony {
    NewCeremony {
        id: CeremonyId(Uuid::new_v4()),
        account,
        network: Network::of([10, 0, network, 1].into()),
        state: "{}".to_owned(),
        created_at: now,
    }
}

async fn a_ceremony_is_finished_once_across_replicas(site: Site) {
    let world = World::empty(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let ada = open(&stores[0], "ada").await.account;
    for account in [None, Some(ada)] {
        let begun = ceremony(account, 1, at(NOW));
        let id = begun.id;
        console::passkeys::store::begin_ceremony(&stores[0], begun)
            .await
            .unwrap();
        let other = if account.is_none() { Some(ada) } else { None };
        let taken = console::passkeys::store::take_ceremony(&stores[1], id, other, at(NOW))
            .await
            .unwrap();
        assert_eq!(
            taken, None,
            "a sign-in finishes no registration, nor the reverse"
        );
        let take = |n: usize| {
            let store = stores[n % 2].clone();
            tokio::spawn(async move {
                console::passkeys::store::take_ceremony(&store, id, account, at(NOW + 299)).await
            })
        };
        let taken = join_all((0..8).map(take)).await;
        let states: Vec<_> = taken
            .into_iter()
            .filter_map(|taken| taken.unwrap().unwrap())
            .collect();
        assert_eq!(states, ["{}"]);
    }
}

async fn a_ceremony_ends_after_five_minutes(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let begun = ceremony(None, 1, at(NOW));
    let id = begun.id;
    console::passkeys::store::begin_ceremony(store, begun)
        .await
        .unwrap();
    let taken = console::passkeys::store::take_ceremony(store, id, None, at(NOW + 300)).await;
    assert_eq!(taken.unwrap(), None);
}

async fn ceremonies_that_wait_are_limited_by_network(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let begin = async |network, now| {
        let begun =
            console::passkeys::store::begin_ceremony(store, ceremony(None, network, at(now)));
        begun.await
    };
    begin(2, NOW - 1).await.unwrap();
    for _ in 0..100 {
        begin(1, NOW).await.unwrap();
    }
    let more = begin(1, NOW + 299).await;
    assert!(
        matches!(more, Err(PasskeyError::Limit(CeremonyLimit))),
        "{more:?}"
    );
    let rows = world.dump().await;
    let stored = rows
        .iter()
        .filter(|row| row.starts_with("passkey_ceremony "));
    assert_eq!(
        stored.count(),
        100,
        "a rejection deletes the expired ones too"
    );
    begin(2, NOW + 299).await.unwrap();
    begin(1, NOW + 300).await.unwrap();
}

async fn a_passkey_signs_in_with_the_counter_that_was_verified(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let db = store;
    let former = open(store, "ada").await;
    let ada = former.account;
    let added = console::passkeys::store::add_passkey(store, owner(ada), passkey(1), mail()).await;
    added.unwrap();
    assert_eq!(drain_outbox(store).await, 1);
    let found = console::passkeys::store::passkey(store, vec![1; 16])
        .await
        .unwrap()
        .unwrap();
    assert_eq!((found.account, &*found.name), (ada, "key 1"));
    assert_eq!(found.last_used_at, None);
    assert_eq!(
        console::passkeys::store::passkey(store, vec![2; 16])
            .await
            .unwrap(),
        None
    );

    let change = |from: &str| CredentialChange {
        id: found.id,
        from: from.to_owned(),
        to: "{\"counter\":7}".to_owned(),
    };
    let sign_in = async |from: &str| {
        let proof = SessionProof::Passkey(found.id);
        let browser = browser(Some(&former.secret));
        let (secret, session) = sign_in::new_session(browser, proof, at(NOW + 9)).unwrap();
        let begun =
            console::passkeys::store::sign_in_by_passkey(store, change(from), session).await;
        (begun.map_err(rejection), secret)
    };
    let (begun, secret) = sign_in(&found.credential).await;
    assert_eq!(begun, Ok(ada));
    let rules = AccountRules::default();
    let signed_in = sessions::find(db, &secret, &rules, at(NOW + 9)).await;
    let session = signed_in.unwrap().unwrap().session;
    assert_eq!(session.proof, SessionProof::Passkey(found.id));
    let replaced = sessions::find(db, &former.secret, &rules, at(NOW + 9)).await;
    assert_eq!(replaced.unwrap(), None);
    // A sign-in that was verified against the former counter comes too late: the passkey may have been copied.
    let (late, secret) = sign_in(&found.credential).await;
    assert_eq!(late, Err(PasskeyRejection::Ended));
    let none = sessions::find(db, &secret, &rules, at(NOW + 9)).await;
    assert_eq!(none.unwrap(), None);
    let found = console::passkeys::store::passkeys_of(store, ada)
        .await
        .unwrap()
        .remove(0);
    assert_eq!(found.credential, "{\"counter\":7}");
    assert_eq!(found.last_used_at, Some(at(NOW + 9)));
}

async fn a_removed_passkey_ends_the_sessions_that_it_signed_in(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let db = store;
    let by_mail = open(store, "ada").await;
    let (ada, eve) = (by_mail.account, open(store, "eve").await.account);
    let mut secrets = Vec::new();
    for n in [1, 2] {
        let new = passkey(n);
        let (id, from) = (new.id, new.credential.clone());
        console::passkeys::store::add_passkey(store, owner(ada), new, mail())
            .await
            .unwrap();
        let proof = SessionProof::Passkey(id);
        let (secret, session) = sign_in::new_session(browser(None), proof, at(NOW)).unwrap();
        let to = from.clone();
        let change = CredentialChange { id, from, to };
        console::passkeys::store::sign_in_by_passkey(store, change, session)
            .await
            .unwrap();
        secrets.push(secret);
    }
    assert_eq!(drain_outbox(store).await, 2);
    let first = passkey(1).id;
    let foreign = console::passkeys::store::remove_passkey(store, owner(eve), first, mail()).await;
    assert_eq!(foreign.map_err(rejection), Err(PasskeyRejection::Unknown));
    let removed = console::passkeys::store::remove_passkey(store, owner(ada), first, mail()).await;
    removed.unwrap();
    let again = console::passkeys::store::remove_passkey(store, owner(ada), first, mail()).await;
    assert_eq!(again.map_err(rejection), Err(PasskeyRejection::Unknown));
    assert_eq!(drain_outbox(store).await, 1);
    let rules = AccountRules::default();
    let mut live = Vec::new();
    for secret in secrets.iter().chain([&by_mail.secret]) {
        let found = sessions::find(db, secret, &rules, at(NOW)).await.unwrap();
        live.push(found.is_some());
    }
    assert_eq!(live, [false, true, true]);
    assert_eq!(
        console::passkeys::store::passkey(store, vec![1; 16])
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        console::passkeys::store::passkeys_of(store, ada)
            .await
            .unwrap()
            .len(),
        1
    );
}

async fn an_account_has_twenty_passkeys_each_once(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let (ada, eve) = (
        open(store, "ada").await.account,
        open(store, "eve").await.account,
    );
    let add = async |account, n| {
        let added =
            console::passkeys::store::add_passkey(store, owner(account), passkey(n), mail()).await;
        added.map_err(rejection)
    };
    add(ada, 0).await.unwrap();
    let same = NewPasskey {
        id: PasskeyId(Uuid::now_v7()),
        ..passkey(0)
    };
    let known = console::passkeys::store::add_passkey(store, owner(eve), same, mail()).await;
    assert_eq!(known.map_err(rejection), Err(PasskeyRejection::Known));
    for n in 1..20 {
        add(ada, n).await.unwrap();
    }
    assert_eq!(add(ada, 20).await, Err(PasskeyRejection::TooMany));
    assert_eq!(
        console::passkeys::store::passkeys_of(store, ada)
            .await
            .unwrap()
            .len(),
        MAX_PASSKEYS
    );
    add(eve, 20).await.unwrap();
    assert_eq!(
        drain_outbox(store).await,
        MAX_PASSKEYS + 1,
        "a rejected one sends none"
    );
}

on_each_database! {
    a_ceremony_ends_after_five_minutes,
    a_ceremony_is_finished_once_across_replicas,
    a_passkey_signs_in_with_the_counter_that_was_verified,
    a_removed_passkey_ends_the_sessions_that_it_signed_in,
    an_account_has_twenty_passkeys_each_once,
    ceremonies_that_wait_are_limited_by_network,
}
