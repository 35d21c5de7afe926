//! Answers that a cache could give to others, or a browser take for a script or a page.

use super::others::PAGE;
use crate::answer::{has, is_safe};
use crate::faults::fault::Fault;
use crate::faults::requests::{config, get, key, keyed, post};
use crate::serving::{Serving, serve};
use crate::wire::Wire;

pub(super) fn answers_that_are_taken_for_others(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let flags = ["--limit-anonymous", "12", "--request-timeout", "300ms"];
    let serving = serve(&folder, &flags);
    fault.request("any answer", &serving, PAGE);
    for (status, request) in requests(&serving, &key(&secret)) {
        let mut wire = serving.connect();
        let mut answer = wire.ask(request.as_bytes());
        while answer.status == 200 && status == 429 {
            answer = wire.answer();
        }
        assert_eq!(answer.status, status, "{request}: {answer:?}");
        is_safe(&answer);
        assert!(has(&answer, "vary", "service-api-key"), "{answer:?}");
        assert!(has(&answer, "vary", "accept"), "{answer:?}");
    }
    for (to, path, status) in [
        (serving.api, "/docs/", 200),
        (serving.api, "/assets/site.css", 200),
        (serving.api, "/docs", 308),
        (serving.api, "/docs/nowhere", 404),
        (serving.admin, "/livez", 200),
        (serving.admin, "/metrics", 200),
        (serving.admin, "/nowhere", 404),
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nhost: test\r\n\r\n");
        let answer = Wire::connect(to).ask(request.as_bytes());
        assert_eq!(answer.status, status, "{path}");
        is_safe(&answer);
        assert!(to == serving.api || has(&answer, "cache-control", "no-store"));
    }
}

/// Requests to the API, by the status of their answers.
fn requests(serving: &Serving, key: &str) -> Vec<(u16, String)> {
    let whole = post(key, &config());
    let first = serving.get("/chains", None);
    let tag = first.header("etag").unwrap();
    vec![
        (200, get("/chains", "")),
        (200, get("/configs", key)),
        (200, get("/openapi", "")),
        (201, whole.clone()),
        (304, get("/chains", &format!("if-none-match: {tag}\r\n"))),
        (400, get("/chains?a=b", "")),
        (400, get("/configs", "")),
        (400, get("/configs?limit=0", key)),
        (400, post(key, "nonsense")),
        (403, get("/configs", "service-api-key: made up\r\n")),
        (404, get("/charities/nobody", "")),
        (404, get(&format!("/configs/0x{}", "0".repeat(64)), key)),
        (404, get("/nowhere", "")),
        (405, get("/chains", "").replace("GET", "PUT")),
        (406, get("/chains", "accept: image/png\r\n")),
        (413, post(key, &" ".repeat(70_000))),
        (415, whole.replace("application/json", "text/plain")),
        (503, whole.replace("content-length: ", "content-length: 1")),
        (429, get("/chains", "").repeat(15)),
    ]
}
