//! Bodies that do not come, to take the places of requests in flight, and one that pretends to be another.

use std::thread::sleep;
use std::time::Duration;

use super::others::{Memory, Others};
use crate::faults::fault::Fault;
use crate::faults::requests::{config, get, key, keyed, post};
use crate::serving::serve;
use crate::world::CHARITY;

/// The places that there are, and the requests that are held open.
const PLACES: usize = 20;

pub(super) fn bodies_that_do_not_come(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let other = folder.ask(&["project", "create", "Other", "--tier", "pro"]);
    let other = folder.ask(&["key", "issue", "--project", &other]);
    let serving = serve(&folder, &["--max-in-flight", &PLACES.to_string()]);
    let memory = Memory::before(&serving);
    let whole = post(&key(&secret), &config());
    let held: Vec<_> = (0..PLACES)
        .map(|_| {
            let mut wire = serving.connect();
            wire.send(&whole.as_bytes()[..whole.len() - 9]);
            wire
        })
        .collect();
    sleep(Duration::from_millis(300));
    let others = Others::read_and_write(&serving, &other, CHARITY);
    sleep(Duration::from_secs(2));
    others.were_served();
    memory.is_bounded(&serving);
    fault.request("another project", &serving, get("/configs", &key(&other)));
    fault.request("the same project", &serving, get("/configs", &key(&secret)));
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    drop(held);
}

pub(super) fn an_object_that_is_taken_for_a_number(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = serve(&folder, &[]);
    for name in ["Number", "RawValue"] {
        let disguised = format!(r#""weight":{{"$serde_json::private::{name}":"1"}}"#);
        let body = config().replace(r#""weight":1"#, &disguised);
        fault.request("a body with one", &serving, post(&key(&secret), &body));
    }
}
