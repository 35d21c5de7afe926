//! Projects that have as many configs as they may.

use std::thread;

use super::fault::Fault;
use super::postgres;
use super::requests::{config, get, key, keyed, post};
use crate::folder::Folder;
use crate::serving::{Serving, serve};
use crate::wire::Answer;

/// The quota of the world's project, which has one config at first.
const QUOTA: [&str; 2] = ["--quota-pro", "3"];

/// The path of a config that was created, below `/api/v1`.
fn path(created: &Answer) -> String {
    let location = created.header("location").unwrap();
    location[location.find("/configs").unwrap()..].to_owned()
}

/// A key of another project of the same tier.
fn another(folder: &Folder) -> String {
    let project = folder.ask(&["project", "create", "Another", "--tier", "pro"]);
    folder.ask(&["key", "issue", "--project", &project])
}

pub(super) fn a_quota_of_configs_that_is_used_up(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let others = post(&key(&another(&folder)), &config());
    let key = key(&secret);
    let serving = fault.serve(&folder, &QUOTA);
    let replayed = post(&format!("{key}idempotency-key: once\r\n"), &config());
    let further = post(&key, &config());
    fault.request("configs up to the quota", &serving, &replayed);
    let last = fault.request("configs up to the quota", &serving, &further);
    fault.request("one more", &serving, &further);
    fault.request(
        "the same one as before, with its `Idempotency-Key`",
        &serving,
        &replayed,
    );
    fault.request(
        "a read of the project's configs",
        &serving,
        get("/configs", &key),
    );
    fault.request("a config of another project", &serving, &others);
    let delete = get(&path(&last), &key).replacen("GET", "DELETE", 1);
    assert_eq!(serving.connect().ask(delete.as_bytes()).status, 204);
    fault.request("one more, after one was deleted", &serving, &further);
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    serving.kill();
    let serving = fault.serve(&folder, &QUOTA);
    fault.request(
        "one more, after a kill -9 and a restart",
        &serving,
        &further,
    );
}

/// Several servers are asked for the last place at once, one of them is killed, and another comes.
pub(super) fn the_last_place_of_a_quota(fault: &mut Fault) {
    let Some((_instance, folder, secret)) = postgres::keyed() else {
        return fault.skip();
    };
    let key = key(&secret);
    let further = post(&key, &config());
    let replicas = [(); 2].map(|()| serve(&folder, &QUOTA));
    assert_eq!(replicas[0].connect().ask(further.as_bytes()).status, 201);
    let ask = |replica: &Serving| replica.connect().ask(further.as_bytes());
    let answers: Vec<Answer> = thread::scope(|scope| {
        let ask = |replica| scope.spawn(move || ask(replica));
        let asked: Vec<_> = replicas.iter().cycle().take(8).map(ask).collect();
        asked.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let created = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(created, 1, "{answers:?}");
    for answer in answers {
        let mut answer = Some(answer);
        fault.becomes("each of eight who ask two servers at once", || {
            answer.take()
        });
    }
    let [killed, stays] = replicas;
    killed.kill();
    fault.request("one more, when one server was killed", &stays, &further);
    let comes = fault.serve(&folder, &QUOTA);
    fault.request(
        "one more, of a server that has just started",
        &comes,
        &further,
    );
    let list = comes.get("/configs", Some(&secret)).json();
    assert_eq!(list["response"].as_array().unwrap().len(), 3, "{list}");
}
