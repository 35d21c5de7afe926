//! Tests on both databases: times that a clock has stored which was ahead.

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::records::{BY_KEY, at, place, project_id};
use crate::world::{Site, World};
use crate::{
    accounts, claims, config_creation, members, oidc, operators, passkeys, webhook_queue, webhooks,
};
use console::accounts::sign_in::{self, SignInError};
use console::accounts::{
    Account, AccountRules, BrowserSecret, InvitationToken, Network, SecretDigest, SignInCode,
    SignInToken, sessions,
};
use console::members::InvitationAnswer;
use console::members::invitations::{self, InvitationRequest};
use console::oidc::Purpose;
use features::claims::{ClaimNonce, ClaimOfProject, claiming};
use features::domain::service_identity::ServiceIdentity;
use features::keys::KeyOfProject;
use features::keys::lifecycle::{self, KeyRequest};
use features::mail::QueuedMail;
use features::project_lifecycle;
use features::projects::{Actor, ProjectId, Role};
use features::webhooks::{Delivery, DueWebhook};
use server::config::{Config, Settings};

const NOW: i64 = 1_000_000;
const DAY: i64 = 24 * 3600;
/// How far the clock was ahead.
const JUMP: i64 = 30 * DAY;
/// When effects are observed, after what was stored at [`NOW`].
const SOON: i64 = NOW + 30;

fn service() -> ServiceIdentity {
    Config::of(Settings::default()).service
}

/// Whether what is stored at `stored` has its effect at [`SOON`].
type Effect = for<'a> fn(&'a World, i64) -> BoxFuture<'a, bool>;

/// Everything that a stored time opens or shuts.
const EFFECTS: [(&str, Effect); 22] = [
    ("a session is signed in", |world, stored| {
        async move {
            let email = "ada@example.org".parse().unwrap();
            let browser = accounts::firefox();
            let begun = sign_in::without_proof(&world.store, email, browser, at(stored)).await;
            let rules = AccountRules::default();
            let secret = begun.unwrap().secret;
            let found = sessions::find(&world.store, &secret, &rules, at(SOON)).await;
            found.unwrap().is_some_and(|it| it.is_stepped_up(at(SOON)))
        }
        .boxed()
    }),
    ("the link of a sign-in works", |world, stored| {
        async move {
            let (browser, token, _) = begin(world, "ada", 1, stored).await.unwrap();
            let session = accounts::firefox();
            let store = &world.store;
            let confirmed = sign_in::confirm_link(store, &token, &browser, session, at(SOON)).await;
            confirmed.is_ok()
        }
        .boxed()
    }),
    ("the code of a sign-in works", |world, stored| {
        async move {
            let (browser, _, code) = begin(world, "ada", 1, stored).await.unwrap();
            let session = accounts::firefox();
            let store = &world.store;
            let confirmed = sign_in::confirm_code(store, &browser, &code, session, at(SOON)).await;
            confirmed.is_ok()
        }
        .boxed()
    }),
    ("an address is at its limit of emails", |world, stored| {
        async move {
            for _ in 0..10 {
                begin(world, "ada", 1, stored).await.unwrap();
            }
            let more = begin(world, "ada", 1, SOON).await;
            matches!(more, Err(SignInError::Limit(_)))
        }
        .boxed()
    }),
    (
        "a project is at its quota of test events",
        |world, stored| {
            async move {
                let of = (project_id(1), webhooks::id(1));
                webhooks::create(&world.store, webhooks::webhook(1, 1))
                    .await
                    .unwrap();
                for _ in 0..Delivery::MAX_TESTS_PER_HOUR {
                    webhooks::deliver(&world.store, of, at(stored))
                        .await
                        .unwrap();
                }
                webhooks::deliver(&world.store, of, at(SOON)).await.is_err()
            }
            .boxed()
        },
    ),
    ("a network is at its limit of emails", |world, stored| {
        async move {
            for n in 0..30 {
                begin(world, &format!("n{n}"), 1, stored).await.unwrap();
            }
            let more = begin(world, "more", 1, SOON).await;
            matches!(more, Err(SignInError::Limit(_)))
        }
        .boxed()
    }),
    ("a network is at its limit of accounts", |world, stored| {
        async move {
            for n in 0..20 {
                begin(world, &format!("n{n}"), 1, stored).await.unwrap();
            }
            world.tamper("UPDATE sign_in SET made_account = true").await;
            let (browser, token, _) = begin(world, "more", 1, SOON).await.unwrap();
            let (store, session) = (&world.store, accounts::firefox());
            let confirmed = sign_in::confirm_link(store, &token, &browser, session, at(SOON)).await;
            confirmed.is_err()
        }
        .boxed()
    }),
    ("an invitation is accepted", |world, stored| {
        async move {
            let store = &world.store;
            let ada = members::account(store, "ada").await;
            let project = members::project_of(store, &ada).await;
            invite(world, &ada, project, "bob", stored).await.unwrap();
            let mail = take_mail(world, stored).await.unwrap();
            let (_, token) = mail.message.text.split_once("?token=").unwrap();
            let token = InvitationToken::parse(token.lines().next().unwrap()).unwrap();
            let bob = members::account(store, "bob").await;
            let accept = InvitationAnswer::Accept;
            members::answer(store, &bob, &token, accept, SOON)
                .await
                .is_ok()
        }
        .boxed()
    }),
    (
        "an address is at its limit of invitations",
        |world, stored| {
            async move {
                let ada = members::account(&world.store, "ada").await;
                let project = members::project_of(&world.store, &ada).await;
                for _ in 0..5 {
                    invite(world, &ada, project, "bob", stored).await.unwrap();
                }
                invite(world, &ada, project, "bob", SOON).await.is_err()
            }
            .boxed()
        },
    ),
    ("a passkey is awaited", |world, stored| {
        async move {
            let begun = passkeys::ceremony(None, 1, at(stored));
            let id = begun.id;
            let store = &world.store;
            console::passkeys::store::begin_ceremony(store, begun)
                .await
                .unwrap();
            let taken = console::passkeys::store::take_ceremony(store, id, None, at(SOON)).await;
            taken.unwrap().is_some()
        }
        .boxed()
    }),
    ("a network is at its limit of passkeys", |world, stored| {
        async move {
            let begin = async |second| {
                let begun = passkeys::ceremony(None, 1, at(second));
                console::passkeys::store::begin_ceremony(&world.store, begun).await
            };
            for _ in 0..100 {
                begin(stored).await.unwrap();
            }
            begin(SOON).await.is_err()
        }
        .boxed()
    }),
    ("a browser is awaited from the provider", |world, stored| {
        async move {
            let sent = oidc::authorization(1, Purpose::SignIn, stored);
            let store = &world.store;
            console::oidc::store::begin_authorization(store, sent)
                .await
                .unwrap();
            let browser = SecretDigest([1; 32]);
            let taken = console::oidc::store::take_authorization(store, browser, at(SOON)).await;
            taken.unwrap().is_some()
        }
        .boxed()
    }),
    ("a network is at its limit of browsers", |world, stored| {
        async move {
            let begin = async |n, second| {
                let sent = oidc::authorization(n, Purpose::SignIn, second);
                console::oidc::store::begin_authorization(&world.store, sent).await
            };
            for n in 0..100 {
                begin(n, stored).await.unwrap();
            }
            begin(100, SOON).await.is_err()
        }
        .boxed()
    }),
    ("the code of an operator works", |world, stored| {
        async move {
            let store = &world.store;
            let email = operators::email("ada");
            let issued = console::operators::add(store, email, at(stored))
                .await
                .unwrap();
            let ada = members::account(store, "ada").await;
            let code = Some(&issued.code);
            operators::add_passkey(store, ada.id, 1, code, at(SOON))
                .await
                .is_ok()
        }
        .boxed()
    }),
    ("the nonce of a claim works", |world, stored| {
        async move {
            let store = &world.store;
            let actor = Actor::Account(claims::owner(store, 1).await);
            let project = project_id(1);
            let claim = claiming::begin(store, actor, project, place(150), at(stored)).await;
            let of = ClaimOfProject {
                actor,
                project,
                claim: claim.unwrap(),
            };
            let found = features::claims::store::claim(store, of)
                .await
                .unwrap()
                .unwrap();
            let fresh = ClaimNonce::random();
            let burn = features::claims::store::burn_claim_nonce;
            burn(store, of, found.nonce, fresh, at(SOON)).await.is_ok()
        }
        .boxed()
    }),
    ("a project is at its quota of keys", |world, stored| {
        async move {
            let issue = async |second| {
                let request = KeyRequest {
                    quota: Some(1),
                    ..KeyRequest::lasting(None)
                };
                lifecycle::issue(
                    &world.store,
                    Actor::Operator,
                    project_id(1),
                    request,
                    at(second),
                )
                .await
            };
            let key = issue(stored).await.unwrap().id;
            let (actor, project) = (Actor::Operator, project_id(1));
            let key = KeyOfProject {
                actor,
                project,
                key,
            };
            lifecycle::revoke(&world.store, key, at(stored))
                .await
                .unwrap();
            issue(SOON).await.is_err()
        }
        .boxed()
    }),
    ("a project is at its quota of configs", |world, stored| {
        async move {
            let create = async |n, second| {
                config_creation::create_within(2, world, n, 1, second, None).await
            };
            create(10, stored).await.unwrap();
            let id = crate::records::config_id(10);
            let delete = features::configs::store::delete_config;
            let deleted = delete(&world.store, BY_KEY, project_id(1), id, None, at(stored)).await;
            assert!(deleted.unwrap());
            create(11, SOON).await.is_err()
        }
        .boxed()
    }),
    ("an account is at its quota of projects", |world, stored| {
        async move {
            let store = &world.store;
            let ada = members::account(store, "ada").await;
            let create = async |second| {
                let new = (ProjectId(Uuid::now_v7()), "Mine");
                let rules = AccountRules::default();
                project_lifecycle::create_own(store, ada.id, new, &rules, at(second)).await
            };
            for _ in 0..3 {
                let (id, actor) = (create(stored).await.unwrap(), Actor::Account(ada.id));
                project_lifecycle::delete(store, actor, id, at(stored))
                    .await
                    .unwrap();
            }
            create(SOON).await.is_err()
        }
        .boxed()
    }),
    ("an Idempotency-Key is used", |world, stored| {
        async move {
            let create = async |n, second| {
                let key = Some(("k", n));
                config_creation::create_within(9, world, n, 1, second, key).await
            };
            create(10, stored).await.unwrap();
            create(11, SOON).await.is_err()
        }
        .boxed()
    }),
    ("a webhook is leased", |world, stored| {
        async move {
            let store = &world.store;
            webhooks::create(store, webhooks::webhook(1, 1))
                .await
                .unwrap();
            webhook_queue::send_test(store, 1, NOW).await;
            assert!(take(world, stored).await.is_some());
            take(world, SOON).await.is_none()
        }
        .boxed()
    }),
    ("the secret before signs", |world, stored| {
        async move {
            let store = &world.store;
            webhooks::create(store, webhooks::webhook(1, 1))
                .await
                .unwrap();
            let new = webhooks::secret(stored, None);
            let of = (project_id(1), webhooks::id(1));
            let replace = features::webhooks::store::replace_secret;
            replace(store, BY_KEY, of, new, Vec::new()).await.unwrap();
            webhook_queue::send_test(store, 1, NOW).await;
            take(world, SOON).await.unwrap().secrets.previous.is_some()
        }
        .boxed()
    }),
    ("an email is leased", |world, stored| {
        async move {
            enqueue_mail(world, stored).await;
            assert!(take_mail(world, stored).await.is_some());
            take_mail(world, SOON).await.is_none()
        }
        .boxed()
    }),
];

/// A sign-in of `NAME@example.org` that has begun in a network, and the token and the code of its email.
async fn begin(
    world: &World,
    name: &str,
    network: u8,
    second: i64,
) -> Result<(BrowserSecret, SignInToken, SignInCode), SignInError> {
    let browser = BrowserSecret::generate().unwrap();
    accounts::begin(&world.store, name, &browser, network, at(second)).await?;
    let (token, code) = accounts::receive(&world.store, at(second)).await.unwrap();
    Ok((browser, token, code))
}

async fn enqueue_mail(world: &World, second: i64) {
    let browser = BrowserSecret::generate().unwrap();
    let begun = accounts::begin(&world.store, "ada", &browser, 1, at(second)).await;
    begun.unwrap();
}

/// Takes the email that is due, for a minute.
async fn take_mail(world: &World, second: i64) -> Option<QueuedMail> {
    let taken = features::mail::store::take_mail(&world.store, at(second), at(second + 60)).await;
    taken.unwrap()
}

/// Leases the webhook that is due, for a minute.
async fn take(world: &World, second: i64) -> Option<DueWebhook> {
    webhook_queue::take(&world.store, second, second + 60).await
}

async fn invite(
    world: &World,
    by: &Account,
    project: ProjectId,
    name: &str,
    second: i64,
) -> Result<(), ()> {
    let request = InvitationRequest {
        by,
        network: Network::of([10, 0, 0, 1].into()),
        project,
        email: operators::email(name),
        role: Role::Member,
    };
    let invited = invitations::invite(&world.store, &service(), request, at(second)).await;
    invited.map(drop).map_err(drop)
}

async fn a_clock_that_was_ahead_leaves_nothing_open_or_shut(site: Site) {
    let mut wrong = Vec::new();
    for (effect, has_effect) in EFFECTS {
        for (stored, expected) in [(NOW, true), (NOW + JUMP, false)] {
            let world = World::new(&site).await;
            if has_effect(&world, stored).await != expected {
                wrong.push((effect, stored, expected));
            }
        }
    }
    assert_eq!(wrong, []);
}

async fn what_a_clock_that_was_ahead_stored_is_sent_and_stays_revoked(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    enqueue_mail(&world, NOW + JUMP).await;
    let mail = take_mail(&world, SOON).await.unwrap();
    assert_eq!(mail.send_until, at(SOON + 3 * DAY));

    webhooks::create(store, webhooks::webhook(1, 1))
        .await
        .unwrap();
    let delivery = webhook_queue::send_test(store, 1, NOW + JUMP).await;
    take(&world, SOON).await.unwrap();
    let due = features::webhooks::queue::due_deliveries(store, webhooks::id(1), at(SOON), 9).await;
    assert_eq!(due.unwrap()[0].id, delivery.id);

    let (actor, project) = (Actor::Operator, project_id(1));
    let request = KeyRequest::lasting(None);
    let key = lifecycle::issue(store, actor, project, request, at(NOW)).await;
    let key = key.unwrap().id;
    let of = KeyOfProject {
        actor,
        project,
        key,
    };
    lifecycle::revoke(store, of, at(NOW + JUMP)).await.unwrap();
    let key = features::keys::store::key(store, key)
        .await
        .unwrap()
        .unwrap();
    assert!(!key.is_live(at(SOON)));
    assert!(key.refused_from().is_some_and(|from| from <= at(SOON)));
}

on_each_database! {
    a_clock_that_was_ahead_leaves_nothing_open_or_shut,
    what_a_clock_that_was_ahead_stored_is_sent_and_stays_revoked,
}
