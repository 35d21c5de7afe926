//! Makes the limiter that the configuration selects.

use std::sync::Arc;

use edge::clock::Moment;
use edge::http::Metrics;
use edge::limits::shared::{Instruments, Options, Redis, RedisError};
use edge::limits::{Journal, Limiter, Shared, WINDOW, Windows};

use crate::config::Config;

/// The limiter that `config` asks for, with the windows that an earlier process left.
pub(super) fn limiter(
    config: &Config,
    metrics: &Metrics,
    now: Moment,
) -> Result<Limiter, RedisError> {
    if config.lift_limits {
        return Ok(Limiter::Lifted);
    }
    let Some(url) = &config.redis else {
        return Ok(match &config.journal {
            Some(path) => Limiter::Kept(Arc::new(Journal::open(path, config.capacity, now))),
            None => Limiter::Memory(Box::new(Windows::new(config.capacity))),
        });
    };
    let options = Options {
        timeout: config.redis_timeout,
        replicas: config.replicas,
        capacity: config.capacity,
    };
    let redis = Redis::new(
        url,
        config.redis_ca.as_deref(),
        WINDOW,
        config.redis_timeout,
    )?;
    let instruments = metrics.record(Instruments::register);
    let shared = Shared::new(redis, options, instruments);
    Ok(Limiter::Shared(Arc::new(shared)))
}
