//! Faults of Redis, in which several servers share their limits. Effects on several servers, and under
//! load, are tested in `sharing`.

use std::time::Duration;

use super::fault::Fault;
use super::requests::get;
use crate::folder::Folder;
use crate::serving::{Serving, eventually};
use crate::sharing::proxy::Proxy;
use crate::sharing::redis::RedisServer;
use crate::world::furnished;

/// A server that shares its limits in the Redis at `url`, and has admitted ten requests of the test.
fn sharing(fault: &mut Fault, url: &str) -> (Folder, Serving) {
    let folder = furnished();
    let serving = fault.serve(&folder, &["--redis", url]);
    eventually("the limits are shared", || {
        let metrics = serving.operators("/metrics").body;
        metrics.contains("rate_limit_degraded 0\n").then_some(())
    });
    for _ in 0..10 {
        assert_eq!(serving.get("/chains", None).status, 200);
    }
    (folder, serving)
}

/// The same caller's responses while Redis does not decide.
pub(super) fn degraded(fault: &mut Fault, serving: &Serving) {
    let request = get("/chains", "");
    for _ in 0..10 {
        fault.request("each request up to the limit", serving, &request);
    }
    fault.request("one more", serving, &request);
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    fault.becomes("the operators' `/readyz`", || serving.operators("/readyz"));
}

pub(super) fn a_paused_redis(fault: &mut Fault) {
    let Some(redis) = RedisServer::start() else {
        return fault.skip();
    };
    let (_folder, serving) = sharing(fault, &redis.url());
    redis.signal("STOP");
    degraded(fault, &serving);
    redis.signal("CONT");
    fault.becomes("the operators' `/metrics`, once it goes on", || {
        serving.operators("/metrics")
    });
}

pub(super) fn a_slow_redis(fault: &mut Fault) {
    let Some(redis) = RedisServer::start() else {
        return fault.skip();
    };
    let proxy = Proxy::to(redis.port);
    let (_folder, serving) = sharing(fault, &proxy.url());
    proxy.delay(Duration::from_millis(500));
    degraded(fault, &serving);
    proxy.delay(Duration::ZERO);
    fault.becomes("the operators' `/metrics`, once it is fast", || {
        serving.operators("/metrics")
    });
}

pub(super) fn a_stopped_redis(fault: &mut Fault) {
    let Some(mut redis) = RedisServer::start() else {
        return fault.skip();
    };
    let (_folder, serving) = sharing(fault, &redis.url());
    redis.kill();
    degraded(fault, &serving);
}

pub(super) fn a_flushed_redis(fault: &mut Fault) {
    let Some(redis) = RedisServer::start() else {
        return fault.skip();
    };
    let (_folder, serving) = sharing(fault, &redis.url());
    redis.ask::<()>(&["FLUSHALL"]);
    degraded(fault, &serving);
}
