//! The quota of configs when it is used up.

use std::thread;

use super::fault::Fault;
use super::postgres;
use super::requests::{config, get, key, keyed, post, request};
use crate::folder::Folder;
use crate::serving::{Serving, serve};
use crate::wire::Answer;

/// Three configs: the project of the sample data has one at first, so two can be made.
const QUOTA: [&str; 2] = ["--quota-pro", "3"];

/// The path of a config that was created, below `/api/v1`.
fn path(created: &Answer) -> String {
    let location = created.header("location").unwrap();
    location[location.find("/configs").unwrap()..].to_owned()
}

/// A key of another project of the same tier.
fn key_of_another(folder: &Folder) -> String {
    let project = folder.ask(&["project", "create", "Another", "--tier", "pro"]);
    folder.ask(&["key", "issue", "--project", &project])
}

pub(super) fn a_quota_of_configs_that_is_used_up(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let of_another = post(&key(&key_of_another(&folder)), &config());
    let key = key(&secret);
    let serving = fault.serve(&folder, &QUOTA);
    let idempotent = post(&format!("{key}idempotency-key: once\r\n"), &config());
    let create = post(&key, &config());
    fault.request("configs up to the quota", &serving, &idempotent);
    let last = fault.request("configs up to the quota", &serving, &create);
    fault.request("one more", &serving, &create);
    fault.request(
        "the same one as before, with its `Idempotency-Key`",
        &serving,
        &idempotent,
    );
    fault.request(
        "a read of the project's configs",
        &serving,
        get("/configs", &key),
    );
    fault.request("a config of another project", &serving, &of_another);
    let delete = request("DELETE", &path(&last), &key);
    assert_eq!(serving.connect().ask(delete.as_bytes()).status, 204);
    fault.request("one more, after one was deleted", &serving, &create);
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    serving.kill();
    let serving = fault.serve(&folder, &QUOTA);
    fault.request("one more, after a kill -9 and a restart", &serving, &create);
}

/// Two replicas get eight requests at once for the last config of the quota; then one is killed, and a new one started.
pub(super) fn the_last_place_of_a_quota(fault: &mut Fault) {
    let Some((_instance, folder, secret)) = postgres::keyed() else {
        return fault.skip();
    };
    let key = key(&secret);
    let create = post(&key, &config());
    let replicas = [serve(&folder, &QUOTA), serve(&folder, &QUOTA)];
    assert_eq!(replicas[0].connect().ask(create.as_bytes()).status, 201);
    let ask = |replica: &Serving| replica.connect().ask(create.as_bytes());
    let answers: Vec<Answer> = thread::scope(|scope| {
        let ask = |replica| scope.spawn(move || ask(replica));
        let asked: Vec<_> = replicas.iter().cycle().take(8).map(ask).collect();
        asked.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let created = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(created, 1, "{answers:?}");
    for answer in answers {
        fault.observe("each of eight who ask two servers at once", &answer);
    }
    let [killed, survivor] = replicas;
    killed.kill();
    fault.request("one more, when one server was killed", &survivor, &create);
    let new_replica = fault.serve(&folder, &QUOTA);
    fault.request(
        "one more, of a server that has just started",
        &new_replica,
        &create,
    );
    let list = new_replica.get("/configs", Some(&secret)).json();
    assert_eq!(list["response"].as_array().unwrap().len(), 3, "{list}");
}
