//! Every replica shows the effects of a change through any of them.

use std::fmt::Debug;
use std::sync::Barrier;
use std::thread;

use serde_json::Value;
use server::demo::{CONTRACT, CONTRACT_CHAIN, ENTERPRISE};

use super::{Fleet, issue};
use crate::faults::requests::{key, post};
use crate::serving::{Serving, followed};
use crate::wire::Answer;
use crate::world::{demonstration, text};

/// Holds the replicas against each other. They go on serving others meanwhile.
pub(super) fn check(fleet: &Fleet) {
    let secret = &fleet.secret;
    let charity = a_charity(fleet, secret);
    let body = format!(r#"{{"charityBeneficiaries":[{{"charityId":"{charity}","weight":1}}]}}"#);
    a_config_is_read_everywhere_at_once(fleet, secret, &body);
    one_key_makes_one_config(fleet, secret, &body);
    leaderboards_are_walked_across(fleet, secret);
    an_import_is_seen_everywhere(fleet, secret);
    keys_come_and_go_everywhere(fleet);
}

/// The responses of the replicas to simultaneous requests.
fn at_once<T: Send>(fleet: &Fleet, ask: impl Fn(&Serving) -> T + Sync) -> Vec<T> {
    let ready = Barrier::new(fleet.replicas.len());
    thread::scope(|scope| {
        let ask = |replica| {
            let (ready, ask) = (&ready, &ask);
            scope.spawn(move || {
                ready.wait();
                ask(replica)
            })
        };
        let asked: Vec<_> = fleet.replicas.iter().map(ask).collect();
        asked.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

/// The response that all of them give.
#[track_caller]
fn agreed<T: PartialEq + Debug>(said: Vec<T>) -> T {
    let mut said = said.into_iter();
    let first = said.next().unwrap();
    for other in said {
        assert_eq!(other, first);
    }
    first
}

#[track_caller]
fn ok(answer: Answer) -> Answer {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer
}

/// The body and the entity tag of something that is there.
#[track_caller]
fn tagged(replica: &Serving, target: &str, secret: &str) -> (String, String) {
    let answer = ok(replica.get(target, Some(secret)));
    let tag = answer.header("etag").unwrap().to_owned();
    (answer.body, tag)
}

/// One of the charities to which configs may give.
fn a_charity(fleet: &Fleet, secret: &str) -> String {
    let target = "/charities?limit=1";
    let (body, _) = agreed(at_once(fleet, |replica| tagged(replica, target, secret)));
    let page: Value = serde_json::from_str(&body).unwrap();
    page["response"][0]["id"].as_str().unwrap().to_owned()
}

/// The path of a config that was made, below `/api/v1`.
#[track_caller]
fn made(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{answer:?}");
    let location = answer.header("location").unwrap();
    location.strip_prefix("/api/v1").unwrap().to_owned()
}

fn a_config_is_read_everywhere_at_once(fleet: &Fleet, secret: &str, body: &str) {
    for maker in &fleet.replicas {
        let create = post(&key(secret), body);
        let path = made(&maker.connect().ask(create.as_bytes()));
        let read = |replica: &Serving| ok(replica.get(&path, Some(secret))).body;
        agreed(at_once(fleet, read));
    }
}

fn one_key_makes_one_config(fleet: &Fleet, secret: &str, body: &str) {
    let configs = |replica: &Serving| {
        let page = ok(replica.get("/configs?limit=100", Some(secret))).json();
        page["response"].as_array().unwrap().len()
    };
    let before = agreed(at_once(fleet, configs));
    let rounds = 5;
    for round in 0..rounds {
        let fields = format!("{}idempotency-key: fleet-{round}\r\n", key(secret));
        let create = post(&fields, body);
        let answers = at_once(fleet, |it| it.connect().ask(create.as_bytes()));
        let replayed = |it: &&Answer| it.header("idempotent-replayed") == Some("true");
        assert_eq!(answers.iter().filter(replayed).count(), 3, "{answers:?}");
        let same = |answer: Answer| (made(&answer), answer.body);
        agreed(answers.into_iter().map(same).collect());
    }
    assert_eq!(agreed(at_once(fleet, configs)), before + rounds);
}

/// Each page comes from another replica, and each walk begins at another one.
fn leaderboards_are_walked_across(fleet: &Fleet, secret: &str) {
    let path = format!("/{CONTRACT_CHAIN}/contracts/{CONTRACT}/tokens/leaderboard?limit=4");
    let starts = 0..fleet.replicas.len();
    let walk = |start: usize| {
        let mut pages = Vec::new();
        let mut target = path.clone();
        for replica in fleet.replicas.iter().cycle().skip(start) {
            let page = ok(replica.get(&target, Some(secret))).json();
            let next = page["pageKey"].as_str().map(str::to_owned);
            pages.push(page);
            match next {
                Some(cursor) => target = format!("{path}&cursor={cursor}"),
                None => break,
            }
        }
        pages
    };
    let pages = agreed(starts.map(walk).collect());
    let entries = pages
        .iter()
        .flat_map(|it| it["response"].as_array().unwrap());
    assert_eq!((pages.len(), entries.count()), (6, 24));
}

fn an_import_is_seen_everywhere(fleet: &Fleet, secret: &str) {
    let catalogue = |replica: &Serving| tagged(replica, "/charities?limit=100", secret);
    let (_, before) = agreed(at_once(fleet, catalogue));
    let lines = demonstration();
    let line = lines
        .lines()
        .find(|line| line.contains(r#""kind":"charity""#));
    let mut charity: Value = serde_json::from_str(line.unwrap()).unwrap();
    charity["name"] = "Renamed".into();
    let file = fleet
        .folder
        .write("charity.ndjson", &text(&[charity.clone()]));
    fleet.folder.ask(&["import", file]);
    let path = format!("/charities/{}", charity["id"].as_str().unwrap());
    let follow = |replica: &Serving| {
        followed("the catalogue is shown", || {
            let (body, _) = tagged(replica, &path, secret);
            body.contains(r#""Renamed""#).then_some(())
        });
        (tagged(replica, &path, secret), catalogue(replica))
    };
    let (_, (_, after)) = agreed(at_once(fleet, follow));
    assert_ne!(after, before);
}

fn keys_come_and_go_everywhere(fleet: &Fleet) {
    let project = ENTERPRISE.0.to_string();
    let secret = issue(&fleet.folder, &project);
    let answers = |replica: &Serving, status| {
        let answer = replica.get("/configs", Some(&secret));
        (answer.status == status).then_some(())
    };
    // A request waits for the lookup of its key, which takes longer with a busy database.
    at_once(fleet, |replica| {
        followed("a new key works", || answers(replica, 200));
    });
    let listed = fleet.folder.ask(&["key", "list", "--project", &project]);
    let row = listed.lines().find(|row| row.contains(&secret[..11]));
    fleet.folder.ask(&["key", "revoke", &row.unwrap()[..36]]);
    at_once(fleet, |replica| {
        followed("a revoked key is refused", || answers(replica, 403));
    });
}
