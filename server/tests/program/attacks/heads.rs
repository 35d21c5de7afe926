//! Heads that a proxy in front could read in another way than the server.

use crate::answer::{has, is_safe};
use crate::faults::fault::Fault;
use crate::serving::serve;
use crate::wire::Wire;
use crate::world::furnished;

/// A request that follows another one, or is a part of its body.
const SMUGGLED: &str = "GET /livez HTTP/1.1\r\nhost: test\r\n\r\n";

pub(super) fn heads_that_can_be_read_in_two_ways(fault: &mut Fault) {
    let serving = serve(&furnished(), &[]);
    for (asked, fields) in [
        ("without `Host`", ""),
        ("with two", "host: test\r\nhost: test\r\n"),
        ("with two", "host: test\r\nhost: other\r\n"),
        ("with an invalid one", "host: te st\r\n"),
        ("with an invalid one", "host: user@test\r\n"),
        (
            "with an unknown `Transfer-Encoding`",
            "host: test\r\ntransfer-encoding: gzip, chunked\r\n",
        ),
        (
            "with an unknown `Transfer-Encoding`",
            "host: test\r\ntransfer-encoding: identity, chunked\r\n",
        ),
        (
            "with two `Transfer-Encoding`s",
            "host: test\r\ntransfer-encoding: chunked, chunked\r\n",
        ),
        (
            "with two `Transfer-Encoding`s",
            "host: test\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n",
        ),
    ] {
        for to in [serving.api, serving.admin] {
            let head = format!("GET /livez HTTP/1.1\r\n{fields}\r\n0\r\n\r\n{SMUGGLED}");
            let answer = fault.ask(asked, &mut Wire::connect(to), head).unwrap();
            is_safe(&answer);
            assert!(has(&answer, "vary", "service-api-key"), "{answer:?}");
        }
    }
    for (version, fields) in [
        ("1.1", "host: test\r\ntransfer-encoding: chunked\r\n"),
        ("1.1", "host: [::1]:8080\r\ntransfer-encoding: chunked\r\n"),
        ("1.1", "host:\r\ntransfer-encoding: chunked\r\n"),
        ("1.1", "host: test\r\ntransfer-encoding: Chunked\r\n"),
        ("1.0", ""),
    ] {
        let head = format!("GET /api/v1/chains HTTP/{version}\r\n{fields}\r\n0\r\n\r\n");
        fault.request("valid heads", &serving, head);
    }
}
