//! How the work of a comparison grows with the size of the documents.

use std::fs;
use std::time::{Duration, Instant};

/// The factor by which the work grows when the size is four times as large: about 4 where it is in proportion,
/// 16 where each part is held against each other. The least of a few runs is of the least noise.
pub(crate) fn growth<T>(size: usize, prepare: impl Fn(usize) -> T, run: impl Fn(&T)) -> f64 {
    let least = |size: usize| {
        let prepared = prepare(size);
        let runs = (0..4).map(|_| {
            let start = spent();
            run(&prepared);
            spent() - start
        });
        runs.min().unwrap()
    };
    least(4 * size).as_secs_f64() / least(size).as_secs_f64()
}

/// The processor time of this thread, or the time of day where no one tells it: other tests are at
/// work too.
fn spent() -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanos.map_or_else(of_day, Duration::from_nanos)
}

fn of_day() -> Duration {
    thread_local!(static START: Instant = Instant::now());
    START.with(Instant::elapsed)
}
