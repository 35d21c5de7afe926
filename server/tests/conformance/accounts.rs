//! Tests on both databases: sign-ins, their limits, and sessions.

use std::net::Ipv6Addr;

use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::records::at;
use crate::world::{Site, World};
use console::accounts::sign_in::{self, BegunSession, SessionBrowser, SignInError, SignInPurpose};
use console::accounts::{
    AccountRules, BrowserName, BrowserSecret, Network, NewSession, NewSignIn, SecretDigest,
    SessionId, SessionProof, SignInCode, SignInId, SignInLimit, SignInProof, SignInRejection,
    SignInToken, sessions,
};
use db::Db;
use features::domain::ids::AccountId;
use features::domain::service_identity::ServiceIdentity;
use features::mail::{Message, NewMail};
use server::config::{Config, Settings};

const NOW: i64 = 1_000_000;

fn service() -> ServiceIdentity {
    Config::of(Settings::default()).service
}

/// Asks to sign in as `NAME@example.org` from network `network`.
pub(crate) async fn begin(
    store: &Db,
    name: &str,
    browser: &BrowserSecret,
    network: u8,
    now: Timestamp,
) -> Result<(), SignInError> {
    let network = Network::of([10, 0, network, 1].into());
    let purpose = SignInPurpose::SignIn;
    begin_from(store, name, browser, (network, purpose), now).await
}

/// Asks for a mail to `NAME@example.org` from a network, for a purpose.
async fn begin_from(
    store: &Db,
    name: &str,
    browser: &BrowserSecret,
    (network, purpose): (Network, SignInPurpose<'_>),
    now: Timestamp,
) -> Result<(), SignInError> {
    let request = sign_in::SignInRequest {
        email: format!("{name}@Example.org").parse().unwrap(),
        browser,
        network,
        purpose,
    };
    let rules = AccountRules::default();
    sign_in::begin(store, &service(), &rules, request, now).await
}

/// The limit that a sign-in was above, if it was above one.
fn limit(result: Result<(), SignInError>) -> Option<SignInLimit> {
    match result {
        Ok(()) => None,
        Err(SignInError::Limit(limit)) => Some(limit),
        Err(other) => panic!("{other}"),
    }
}

/// The token and the code of the mail that is due, which is taken out of the outbox.
pub(crate) async fn receive(store: &Db, now: Timestamp) -> Option<(SignInToken, SignInCode)> {
    let mail = features::mail::store::take_mail(store, now, now)
        .await
        .unwrap()?;
    features::mail::store::delete_mail(store, mail.id)
        .await
        .unwrap();
    let text = &mail.message.text;
    let (_, token) = text.split_once("?token=").unwrap();
    let token = SignInToken::parse(token.lines().next().unwrap()).unwrap();
    let code = text.lines().find_map(SignInCode::parse).unwrap();
    assert!(mail.message.html.contains(&token.reveal()));
    Some((token, code))
}

pub(crate) fn firefox() -> SessionBrowser<'static> {
    SessionBrowser {
        name: BrowserName::of_user_agent("Firefox/1 Linux"),
        session: None,
    }
}

fn rejection<T: std::fmt::Debug>(result: Result<T, SignInError>) -> SignInRejection {
    match result.unwrap_err() {
        SignInError::Rejected(rejection) => rejection,
        other => panic!("{other}"),
    }
}

async fn a_link_signs_in_once_in_its_browser(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let db = &store;
    let (mine, other) = (
        BrowserSecret::generate().unwrap(),
        BrowserSecret::generate().unwrap(),
    );
    begin(store, "Ada", &mine, 1, at(NOW)).await.unwrap();
    let (token, _) = receive(store, at(NOW)).await.unwrap();

    for _ in 0..3 {
        let shown = sign_in::pending(db, &token, Some(&mine), at(NOW))
            .await
            .unwrap();
        assert_eq!(shown.email.as_str(), "Ada@example.org");
    }
    let elsewhere = sign_in::pending(db, &token, Some(&other), at(NOW)).await;
    assert_eq!(rejection(elsewhere), SignInRejection::OtherBrowser);
    let elsewhere = sign_in::confirm_link(db, &token, &other, firefox(), at(NOW)).await;
    assert_eq!(rejection(elsewhere), SignInRejection::OtherBrowser);
    let late = sign_in::confirm_link(db, &token, &mine, firefox(), at(NOW + 600)).await;
    assert_eq!(rejection(late), SignInRejection::Ended);
    let begun = sign_in::confirm_link(db, &token, &mine, firefox(), at(NOW + 599)).await;
    let begun = begun.unwrap();
    let again = sign_in::confirm_link(db, &token, &mine, firefox(), at(NOW + 599)).await;
    assert_eq!(rejection(again), SignInRejection::Ended);
    let unknown = SignInToken::generate().unwrap();
    let unknown = sign_in::confirm_link(db, &unknown, &mine, firefox(), at(NOW)).await;
    assert_eq!(rejection(unknown), SignInRejection::Ended);

    let rules = AccountRules::default();
    let signed_in = sessions::find(db, &begun.secret, &rules, at(NOW + 600)).await;
    let signed_in = signed_in.unwrap().unwrap();
    assert_eq!(signed_in.account.id, begun.account);
    assert_eq!(signed_in.account.email.as_str(), "Ada@example.org");
    assert_eq!(signed_in.session.browser_name.as_str(), "Firefox on Linux");
    assert!(signed_in.is_stepped_up(at(NOW + 1198)) && !signed_in.is_stepped_up(at(NOW + 1199)));
}

async fn a_code_is_typed_in_its_browser_and_dies_after_five_wrong_ones(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let db = &store;
    let (mine, other) = (
        BrowserSecret::generate().unwrap(),
        BrowserSecret::generate().unwrap(),
    );
    begin(store, "ada", &mine, 1, at(NOW)).await.unwrap();
    let (_, code) = receive(store, at(NOW)).await.unwrap();
    let elsewhere = sign_in::confirm_code(db, &other, &code, firefox(), at(NOW)).await;
    assert_eq!(rejection(elsewhere), SignInRejection::Ended);
    let wrong = SignInCode::parse("00000000").unwrap();
    for _ in 0..4 {
        let refused = sign_in::confirm_code(db, &mine, &wrong, firefox(), at(NOW)).await;
        assert_eq!(rejection(refused), SignInRejection::WrongCode);
    }
    let first = sign_in::confirm_code(db, &mine, &code, firefox(), at(NOW))
        .await
        .unwrap();

    // The same address in another spelling is the same account.
    begin(store, "ADA", &other, 1, at(NOW)).await.unwrap();
    let (token, code) = receive(store, at(NOW)).await.unwrap();
    for _ in 0..5 {
        let refused = sign_in::confirm_code(db, &other, &wrong, firefox(), at(NOW)).await;
        assert_eq!(rejection(refused), SignInRejection::WrongCode);
    }
    let dead = sign_in::confirm_code(db, &other, &code, firefox(), at(NOW)).await;
    assert_eq!(rejection(dead), SignInRejection::Ended);
    let dead = sign_in::confirm_link(db, &token, &other, firefox(), at(NOW)).await;
    assert_eq!(rejection(dead), SignInRejection::Ended);
    begin(store, "ADA", &other, 1, at(NOW)).await.unwrap();
    let (_, code) = receive(store, at(NOW)).await.unwrap();
    let second = sign_in::confirm_code(db, &other, &code, firefox(), at(NOW))
        .await
        .unwrap();
    assert_eq!(first.account, second.account);
}

async fn of_concurrent_confirmations_one_succeeds(site: Site) {
    let world = World::empty(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let browser = BrowserSecret::generate().unwrap();
    for round in 0..5 {
        begin(&stores[0], "ada", &browser, 1, at(NOW + round))
            .await
            .unwrap();
        let (token, code) = receive(&stores[0], at(NOW + round)).await.unwrap();
        let confirm = |n: usize| {
            let (store, token, code) = (stores[n % 2].clone(), token.clone(), code.clone());
            let browser = browser.clone();
            let now = at(NOW + round);
            tokio::spawn(async move {
                let db = &store;
                match n % 4 {
                    0 | 1 => sign_in::confirm_link(db, &token, &browser, firefox(), now).await,
                    _ => sign_in::confirm_code(db, &browser, &code, firefox(), now).await,
                }
            })
        };
        let confirmed: Vec<_> = join_all((0..8).map(confirm)).await;
        let confirmed: Vec<_> = confirmed.into_iter().map(Result::unwrap).collect();
        let begun: Vec<_> = confirmed.iter().flatten().collect();
        assert_eq!(begun.len(), 1, "{confirmed:?}");
        let sessions = console::accounts::store::sessions_of(&stores[1], begun[0].account)
            .await
            .unwrap();
        assert_eq!(sessions.len() as i64, round + 1);
        for refused in confirmed.into_iter().filter(Result::is_err) {
            assert_eq!(rejection(refused), SignInRejection::Ended);
        }
    }
}

async fn sign_ins_are_limited_by_address_and_network(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let browser = BrowserSecret::generate().unwrap();
    for n in 0..10 {
        let spelling = ["ada", "ADA"][n % 2];
        let network = u8::try_from(n).unwrap();
        begin(store, spelling, &browser, network, at(NOW))
            .await
            .unwrap();
    }
    let eleventh = begin(store, "ada", &browser, 99, at(NOW)).await;
    assert_eq!(limit(eleventh), Some(SignInLimit::Address));
    begin(store, "ada", &browser, 99, at(NOW + 3600))
        .await
        .unwrap();
    for n in 0..30 {
        begin(store, &format!("n{n}"), &browser, 50, at(NOW + 3600))
            .await
            .unwrap();
    }
    let more = begin(store, "other", &browser, 50, at(NOW + 3600)).await;
    assert_eq!(limit(more), Some(SignInLimit::Network));
    begin(store, "other", &browser, 51, at(NOW + 3600))
        .await
        .unwrap();
    let mut mails = 0;
    while receive(store, at(NOW + 3600)).await.is_some() {
        mails += 1;
    }
    assert_eq!(mails, 10 + 1 + 30 + 1, "a refused sign-in sends none");
}

async fn strangers_do_not_lock_an_owner_out(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let [mine, theirs] = [(); 2].map(|()| BrowserSecret::generate().unwrap());
    for (name, browser) in [("ada", &mine), ("eve", &theirs)] {
        begin(store, name, browser, 1, at(NOW)).await.unwrap();
        let (_, code) = receive(store, at(NOW)).await.unwrap();
        sign_in::confirm_code(store, browser, &code, firefox(), at(NOW))
            .await
            .unwrap();
    }
    let later = NOW + 30 * 24 * 3600;
    let ask = async |browser: &BrowserSecret, network| {
        limit(begin(store, "ada", browser, network, at(later)).await)
    };
    for n in 0..10 {
        assert_eq!(ask(&theirs, n).await, None);
    }
    assert_eq!(ask(&theirs, 90).await, Some(SignInLimit::Address));
    let unknown = BrowserSecret::generate().unwrap();
    assert_eq!(ask(&unknown, 91).await, Some(SignInLimit::Address));
    for _ in 0..5 {
        assert_eq!(ask(&mine, 92).await, None);
    }
    assert_eq!(ask(&mine, 92).await, Some(SignInLimit::Address));
    // What a known browser requests above the limits counts for no one else.
    for n in 0..30 {
        let name = format!("neighbor{n}");
        begin(store, &name, &unknown, 92, at(later)).await.unwrap();
    }
    let expired = at(NOW + 400 * 24 * 3600);
    for n in 0..10 {
        begin(store, "ada", &theirs, n, expired).await.unwrap();
    }
    let again = begin(store, "ada", &mine, 92, expired).await;
    assert_eq!(limit(again), Some(SignInLimit::Address));
}

/// A sign-in of address and token `n`, as the store takes it.
async fn stored(store: &Db, n: u8, now: Timestamp) {
    let id = Uuid::from_bytes([n; 16]);
    let email: features::domain::email::Email = format!("new{n}@example.org").parse().unwrap();
    let sign_in = NewSignIn {
        id: SignInId(id),
        token: SecretDigest([n; 32]),
        browser: SecretDigest([0; 32]),
        code: SecretDigest([n; 32]),
        email: email.clone(),
        network: Network::of([10, 0, 0, n].into()),
        created_at: now,
        step_up: None,
        account: None,
    };
    let message = Message {
        to: email,
        subject: String::new(),
        text: String::new(),
        html: String::new(),
    };
    let mail = NewMail::new(message, now);
    let begun = console::accounts::store::begin_sign_in(
        store,
        sign_in,
        vec![mail],
        AccountRules::default(),
    )
    .await;
    begun.unwrap();
}

async fn new_accounts_are_limited_by_network_and_day(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let confirm = async |n: u8, now| {
        stored(store, n, now).await;
        let proof = SignInProof::Link {
            token: SecretDigest([n; 32]),
            browser: SecretDigest([0; 32]),
        };
        let session = NewSession {
            id: SessionId(Uuid::from_bytes([n; 16])),
            secret: SecretDigest([n; 32]),
            browser_name: BrowserName::of_user_agent(""),
            proof: SessionProof::Mail,
            created_at: now,
            stepped_up_at: now,
            replaces: None,
        };
        let account = AccountId(Uuid::from_bytes([n; 16]));
        console::accounts::store::confirm_sign_in(store, proof, account, session).await
    };
    for n in 0..20 {
        confirm(n, at(NOW)).await.unwrap();
    }
    let more = confirm(20, at(NOW + 3600)).await;
    let limit = SignInRejection::Limit(SignInLimit::NewAccounts);
    assert_eq!(rejection(more), limit);
    confirm(21, at(NOW + 24 * 3600)).await.unwrap();
}

async fn sessions_end(site: Site) {
    let world = World::empty(&site).await;
    let db = &world.store;
    let replica = world.another().await;
    let rules = AccountRules::default();
    let open = async |name: &str, session, now| {
        let email = format!("{name}@example.org").parse().unwrap();
        let browser = SessionBrowser {
            session,
            ..firefox()
        };
        let begun = sign_in::without_proof(db, email, browser, at(now)).await;
        begun.unwrap()
    };
    let found = async |begun: &BegunSession, now| {
        let found = sessions::find(&replica, &begun.secret, &rules, at(now)).await;
        found.unwrap()
    };
    let day = SignedDuration::from_hours(24).as_secs();
    let (one, two) = (
        open("ada", None, NOW).await,
        open("ada", None, NOW + 1).await,
    );
    let three = open("bob", None, NOW).await;
    assert_eq!(one.account, two.account);
    let listed = sessions::list(db, one.account, &rules, at(NOW))
        .await
        .unwrap();
    assert_eq!(listed.len(), 2);
    let (first, second) = (listed[1].id, listed[0].id);
    // Another's session is unknown.
    assert!(!sessions::end(db, three.account, first).await.unwrap());
    assert!(found(&one, NOW).await.is_some());
    assert!(sessions::end(db, one.account, first).await.unwrap());
    assert!(!sessions::end(db, one.account, first).await.unwrap());
    assert_eq!(found(&one, NOW).await, None);

    // Its use keeps a session alive, but not for ever.
    assert_eq!(found(&two, NOW + 14 * day + 1).await, None);
    let mut now = NOW;
    while now + 10 * day < NOW + 90 * day {
        now += 10 * day;
        assert_eq!(found(&two, now).await.unwrap().session.id, second, "{now}");
    }
    let seen = found(&two, now + 1).await.unwrap().session.last_seen_at;
    assert_eq!(seen, at(now), "to the minute");
    assert_eq!(found(&two, NOW + 90 * day + 1).await, None);

    // A new session of a browser replaces its former one.
    let four = open("bob", Some(&three.secret), NOW).await;
    assert_eq!(found(&three, NOW).await, None);
    let five = open("bob", None, NOW).await;
    sessions::end_all(db, four.account).await.unwrap();
    assert_eq!(
        (found(&four, NOW).await, found(&five, NOW).await),
        (None, None)
    );
    assert!(found(&two, now + 2).await.is_some());
}

/// The `n`-th /64 of the /48 `of` of a provider.
fn ipv6(provider: u16, of: u16, n: u16) -> Network {
    let [a, b, c, d] = [0x2001, provider, of, n];
    Network::of(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 1).into())
}

async fn the_networks_of_a_provider_leave_room_for_others(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let browser = BrowserSecret::generate().unwrap();
    let ask = async |name: String, network| {
        let of = (network, SignInPurpose::SignIn);
        limit(begin_from(store, &name, &browser, of, at(NOW)).await)
    };
    for n in 0..250 {
        let asked = ask(format!("n{n}"), ipv6(1, n % 7, n)).await;
        assert_eq!(asked, None, "{n}");
    }
    let more = ask("more".to_owned(), ipv6(1, 9, 999)).await;
    assert_eq!(more, Some(SignInLimit::Network));
    assert_eq!(ask("other".to_owned(), ipv6(2, 0, 0)).await, None);
    let ipv4 = Network::of([192, 0, 2, 1].into());
    assert_eq!(ask("other".to_owned(), ipv4).await, None);
}

async fn an_address_that_strangers_ask_for_is_confirmed_by_its_owner(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let browser = BrowserSecret::generate().unwrap();
    let home = ipv6(9, 0, 0);
    begin_from(
        store,
        "ada",
        &browser,
        (home, SignInPurpose::SignIn),
        at(NOW),
    )
    .await
    .unwrap();
    let (token, _) = receive(store, at(NOW)).await.unwrap();
    let db = &store;
    let begun = sign_in::confirm_link(db, &token, &browser, firefox(), at(NOW));
    let secret = begun.await.unwrap().secret;
    let rules = AccountRules::default();
    let signed_in = sessions::find(db, &secret, &rules, at(NOW)).await;
    let ada = signed_in.unwrap().unwrap().account;

    let elsewhere = BrowserSecret::generate().unwrap();
    // Strangers use up what one provider may send to the address, and not what others may.
    let strange = |provider| (ipv6(provider, 0, 0), SignInPurpose::SignIn);
    for _ in 0..10 {
        begin_from(store, "ada", &elsewhere, strange(1), at(NOW))
            .await
            .unwrap();
    }
    let asked = begin_from(store, "ada", &elsewhere, strange(1), at(NOW)).await;
    assert_eq!(limit(asked), Some(SignInLimit::Address));
    let asked = begin_from(
        store,
        "ada",
        &elsewhere,
        (home, SignInPurpose::SignIn),
        at(NOW),
    )
    .await;
    assert_eq!(limit(asked), None);
    // Nothing that they do keeps a session from confirming who it is.
    for _ in 0..18 {
        let of = strange(2);
        let _ = begin_from(store, "ada", &elsewhere, of, at(NOW)).await;
        let _ = begin_from(store, "ada", &elsewhere, strange(3), at(NOW)).await;
    }
    let asked = begin_from(
        store,
        "ada",
        &elsewhere,
        (home, SignInPurpose::SignIn),
        at(NOW),
    )
    .await;
    assert_eq!(limit(asked), Some(SignInLimit::Address), "30 mails in all");
    let step_up = (home, SignInPurpose::StepUp(&ada));
    for _ in 0..10 {
        begin_from(store, "ada", &browser, step_up, at(NOW))
            .await
            .unwrap();
    }
    let asked = begin_from(store, "ada", &browser, step_up, at(NOW)).await;
    assert_eq!(limit(asked), Some(SignInLimit::Address));
}

/// Networks and addresses are not kept because nobody signs in any more.
async fn sign_ins_are_deleted_after_a_day_whether_others_follow_or_not(site: Site) {
    let world = World::empty(&site).await;
    let store = &world.store;
    let browser = BrowserSecret::generate().unwrap();
    begin(store, "ada", &browser, 1, at(NOW)).await.unwrap();
    let (token, _) = receive(store, at(NOW)).await.unwrap();
    let is_kept = async || {
        console::accounts::store::sign_in(store, token.digest())
            .await
            .unwrap()
            .is_some()
    };
    let rules = AccountRules::default();
    let day = 24 * 3600;
    console::personal_data::store::forget_expired(store, rules, at(NOW + day))
        .await
        .unwrap();
    assert!(is_kept().await);
    console::personal_data::store::forget_expired(store, rules, at(NOW + day + 1))
        .await
        .unwrap();
    assert!(!is_kept().await);
}

on_each_database! {
    an_address_that_strangers_ask_for_is_confirmed_by_its_owner,
    sign_ins_are_deleted_after_a_day_whether_others_follow_or_not,
    the_networks_of_a_provider_leave_room_for_others,
    a_code_is_typed_in_its_browser_and_dies_after_five_wrong_ones,
    a_link_signs_in_once_in_its_browser,
    new_accounts_are_limited_by_network_and_day,
    of_concurrent_confirmations_one_succeeds,
    sessions_end,
    sign_ins_are_limited_by_address_and_network,
    strangers_do_not_lock_an_owner_out,
}
