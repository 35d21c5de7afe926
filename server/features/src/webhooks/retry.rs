//! The waits after requests that failed: of one delivery, and of a webhook without any success.

use std::time::Duration;

use edge::clock::after;
use jiff::Timestamp;
use jiff::fmt::rfc2822;

/// The wait after the first attempt.
const FIRST: Duration = Duration::from_secs(5);

/// The longest wait between attempts of a delivery.
pub(super) const MAX_WAIT: Duration = Duration::from_secs(12 * 3600);

/// The most attempts of a delivery. Three days have fewer, unless the clock was ahead when the event happened.
const MAX_ATTEMPTS: u32 = 20;

/// The longest time for which nothing is sent to a webhook at the request of its server.
pub(super) const MAX_LEASE: Duration = Duration::from_secs(3600);

const MIN_PAUSE: Duration = Duration::from_secs(1);

/// The longest time for which a webhook is left alone, which is longer than a lease.
pub(super) const MAX_PAUSE: Duration = Duration::from_secs(300);

/// When a delivery is attempted again after so many attempts; `None` if it is given up before. The wait
/// grows fourfold up to half a day, and is shortened at random by up to a half, so that deliveries which
/// failed together are not sent together. It is not before the time that the receiver requested.
pub(super) fn next_attempt(
    attempts: u32,
    now: Timestamp,
    requested: Option<Timestamp>,
    give_up_at: Timestamp,
) -> Option<Timestamp> {
    let growth = 4_u32.saturating_pow(attempts.saturating_sub(1));
    let whole = FIRST.saturating_mul(growth).min(MAX_WAIT);
    let next = after(now, shortened(whole)).max(requested.unwrap_or(now));
    (attempts < MAX_ATTEMPTS && next < give_up_at).then_some(next)
}

/// The time that `Retry-After` requests: seconds from now, or an HTTP date (RFC 9110, section 10.2.3). Half a day
/// from now at the latest.
pub(super) fn requested(retry_after: &str, now: Timestamp) -> Option<Timestamp> {
    let value = retry_after.trim();
    let at = match value.parse::<u64>() {
        Ok(seconds) => after(now, Duration::from_secs(seconds.min(MAX_WAIT.as_secs()))),
        Err(_) => rfc2822::parse(value).ok()?.timestamp(),
    };
    (at > now).then(|| at.min(after(now, MAX_WAIT)))
}

/// Until when a webhook of which no request arrives is left alone: a quarter of the time that it has failed
/// for, so that one that is back is found soon and one that is not costs little.
pub(super) fn pause_until(failing_since: Timestamp, now: Timestamp) -> Timestamp {
    let failing = Duration::try_from(now.duration_since(failing_since)).unwrap_or_default();
    after(now, shortened((failing / 4).clamp(MIN_PAUSE, MAX_PAUSE)))
}

/// The time, shortened at random by up to a half.
fn shortened(time: Duration) -> Duration {
    // Without random bytes the times are whole.
    let random = getrandom::u32().map_or(0.0, |number| f64::from(number) / f64::from(u32::MAX));
    time.mul_f64(1.0 - random / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhooks::Delivery;

    #[test]
    fn a_delivery_is_attempted_for_three_days() {
        let start: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        let give_up_at = after(start, Delivery::TRIED_FOR);
        let (mut attempts, mut now, mut waits) = (1, start, Vec::new());
        while let Some(next) = next_attempt(attempts, now, None, give_up_at) {
            waits.push(next.duration_since(now).as_secs_f64());
            (attempts, now) = (attempts + 1, next);
        }
        assert!((2.5..=5.0).contains(&waits[0]), "{waits:?}");
        assert!((10.0..=20.0).contains(&waits[1]), "{waits:?}");
        assert!(waits.iter().all(|wait| *wait <= 12.0 * 3600.0));
        assert!(
            (11..MAX_ATTEMPTS).contains(&attempts),
            "{attempts} attempts"
        );
        let tried = now.duration_since(start).as_secs_f64() / 3600.0;
        assert!((60.0..72.0).contains(&tried), "for {tried} hours");
        assert!(next_attempt(MAX_ATTEMPTS - 1, start, None, give_up_at).is_some());
        let last = next_attempt(MAX_ATTEMPTS, start, None, Timestamp::MAX);
        assert_eq!(last, None);
    }

    #[test]
    fn a_receiver_requests_a_later_attempt() {
        let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        let time = |text: &str| Some(text.parse::<Timestamp>().unwrap());
        for (value, expected) in [
            ("120", time("2026-11-20T12:02:00Z")),
            (
                "Fri, 20 Nov 2026 12:02:00 GMT",
                time("2026-11-20T12:02:00Z"),
            ),
            ("99999999999", time("2026-11-21T00:00:00Z")),
            (
                "Fri, 20 Nov 2099 12:02:00 GMT",
                time("2026-11-21T00:00:00Z"),
            ),
            ("Fri, 20 Nov 2020 12:02:00 GMT", None),
            ("0", None),
            ("soon", None),
        ] {
            assert_eq!(requested(value, now), expected, "{value}");
        }
        let requested = time("2026-11-20T12:02:00Z");
        assert_eq!(next_attempt(1, now, requested, Timestamp::MAX), requested);
        assert_eq!(next_attempt(1, now, requested, requested.unwrap()), None);
        let later = next_attempt(9, now, requested, Timestamp::MAX);
        assert!(later > requested, "the wait is longer anyway");
    }

    #[test]
    fn waits_differ() {
        let start = Timestamp::UNIX_EPOCH;
        let waits = [(); 50].map(|()| next_attempt(4, start, None, Timestamp::MAX));
        assert!(waits.iter().any(|wait| *wait != waits[0]));
    }

    #[test]
    fn a_webhook_is_left_alone_for_longer_the_longer_it_fails() {
        let start = Timestamp::UNIX_EPOCH;
        for (failing, whole) in [(0, 1), (4, 1), (400, 100), (86_400, 300)] {
            let now = after(start, Duration::from_secs(failing));
            let pause = pause_until(start, now).duration_since(now).as_secs_f64();
            let whole = f64::from(whole);
            assert!((whole / 2.0..=whole).contains(&pause), "{failing}: {pause}");
        }
    }
}
