//! Tests on both databases: the outbox gives each mail to one process at a time.

use std::collections::HashSet;

use futures_util::future::join_all;
use jiff::Timestamp;

use crate::records::at;
use crate::world::{Site, World};
use console::accounts::sign_in::{self, SignInRequest};
use console::accounts::{AccountRules, BrowserSecret, Network};
use db::Db;
use features::mail::QueuedMail;
use server::config::{Config, Settings};

const NOW: i64 = 1_000_000;

/// Puts a mail to `nN@example.org` into the outbox, which is of use for 600 s.
async fn enqueue(store: &Db, number: u8, now: Timestamp) {
    let service = Config::of(Settings::default()).service;
    let browser = BrowserSecret::generate().unwrap();
    let request = SignInRequest {
        email: format!("n{number}@example.org").parse().unwrap(),
        browser: &browser,
        network: Network::of([10, 0, number, 1].into()),
        purpose: sign_in::SignInPurpose::SignIn,
    };
    let rules = AccountRules::default();
    let begun = sign_in::begin(store, &service, &rules, request, now);
    begun.await.unwrap();
}

async fn take(store: &Db, now: i64, until: i64) -> Option<QueuedMail> {
    features::mail::store::take_mail(store, at(now), at(until))
        .await
        .unwrap()
}

fn address(mail: &Option<QueuedMail>) -> Option<&str> {
    mail.as_ref().map(|mail| mail.message.to.as_str())
}

async fn a_mail_is_taken_until_its_time_is_over(site: Site) {
    let world = World::empty(&site).await;
    let (store, other) = (&world.store, &world.another().await);
    assert_eq!(take(store, NOW, NOW).await, None);
    enqueue(store, 2, at(NOW + 2)).await;
    enqueue(store, 1, at(NOW + 1)).await;
    let state = features::mail::store::outbox(other).await.unwrap();
    assert_eq!((state.waiting, state.oldest), (2, Some(at(NOW + 1))));
    assert_eq!(take(store, NOW, NOW + 100).await, None, "none is due");

    // The one that is soonest of no use is first.
    let first = take(store, NOW + 10, NOW + 110).await;
    assert_eq!(address(&first), Some("n1@example.org"));
    let mail = first.unwrap();
    assert_eq!((mail.attempts, mail.send_until), (1, at(NOW + 601)));
    let second = take(other, NOW + 10, NOW + 110).await;
    assert_eq!(address(&second), Some("n2@example.org"));
    assert_eq!(take(other, NOW + 109, NOW + 209).await, None);

    // A process that was killed does not say what became of its mail.
    let again = take(other, NOW + 110, NOW + 210).await.unwrap();
    assert_eq!((again.id, again.attempts), (mail.id, 2));
    features::mail::store::postpone_mail(store, mail.id, at(NOW + 300))
        .await
        .unwrap();
    features::mail::store::delete_mail(store, second.unwrap().id)
        .await
        .unwrap();
    assert_eq!(take(store, NOW + 299, NOW + 400).await, None);
    let last = take(store, NOW + 300, NOW + 400).await.unwrap();
    assert_eq!((last.id, last.attempts), (mail.id, 3));
    features::mail::store::delete_mail(store, mail.id)
        .await
        .unwrap();
    assert_eq!(
        features::mail::store::outbox(other).await.unwrap(),
        Default::default()
    );
}

async fn processes_that_take_at_once_take_different_mails(site: Site) {
    let world = World::empty(&site).await;
    let stores = [world.store.clone(), world.another().await];
    for number in 0..12 {
        enqueue(&stores[0], number, at(NOW)).await;
    }
    let taking = (0..16).map(|number| {
        let store = stores[number % 2].clone();
        tokio::spawn(async move { take(&store, NOW, NOW + 100).await })
    });
    let taken: Vec<_> = join_all(taking).await;
    let mut taken: Vec<_> = taken.into_iter().filter_map(Result::unwrap).collect();
    // Those that found nothing may have met others at the same rows.
    while let Some(mail) = take(&stores[0], NOW, NOW + 100).await {
        taken.push(mail);
    }
    let ids: HashSet<_> = taken.iter().map(|mail| mail.id.0).collect();
    assert_eq!((taken.len(), ids.len()), (12, 12));
}

on_each_database! {
    a_mail_is_taken_until_its_time_is_over,
    processes_that_take_at_once_take_different_mails,
}
