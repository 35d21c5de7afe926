//! The requests that the tests make.

use crate::folder::Folder;
use crate::serving::{Serving, eventually};
use crate::wire::Wire;
use crate::world::{CHARITY, PROJECT, furnished};

/// A GET below `/api/v1`. Further fields come with their line ends.
pub(crate) fn get(path: &str, fields: &str) -> String {
    request("GET", path, fields)
}

/// A request without a body, below `/api/v1`.
pub(crate) fn request(method: &str, path: &str, fields: &str) -> String {
    format!("{method} /api/v1{path} HTTP/1.1\r\nhost: test\r\n{fields}\r\n")
}

/// The field that carries a key.
pub(crate) fn key(key: &str) -> String {
    format!("service-api-key: {key}\r\n")
}

/// Creates a config with this body.
pub(crate) fn post(fields: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST /api/v1/configs HTTP/1.1\r\nhost: test\r\n{fields}\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

/// The body of a config that may be created.
pub(crate) fn config() -> String {
    format!(r#"{{"charityBeneficiaries":[{{"charityId":"{CHARITY}","weight":1}}]}}"#)
}

/// A request that is under way: its head and a part of its body have come in. Gives the rest.
pub(crate) fn under_way(serving: &Serving, secret: &str) -> (Wire, String) {
    let whole = post(&key(secret), &config());
    let (begun, rest) = whole.split_at(whole.len() - 9);
    let mut wire = serving.connect();
    wire.send(begun.as_bytes());
    eventually("the request is under way", || {
        let metrics = serving.operators("/metrics").body;
        metrics
            .contains("\nhttp_requests_in_flight 1\n")
            .then_some(())
    });
    (wire, rest.to_owned())
}

/// The small world, and a key of its project.
pub(crate) fn keyed() -> (Folder, String) {
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    (folder, key)
}
