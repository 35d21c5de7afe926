//! The back-off between attempts to send a mail.

use std::time::Duration;

use features::mail::QueuedMail;

/// The wait after the first attempt.
const FIRST: Duration = Duration::from_secs(8);

/// The time between an attempt and the next one: it doubles up to an hour (exponential back-off), and is
/// shortened at random by up to a half (jitter), so that mails which failed together are not sent together.
pub(super) fn wait(attempts: u32) -> Duration {
    let doublings = attempts.saturating_sub(1).min(16);
    let whole = FIRST
        .saturating_mul(1 << doublings)
        .min(QueuedMail::MAX_WAIT);
    whole.mul_f64(1.0 - random() / 2.0)
}

/// A number from 0 to 1.
fn random() -> f64 {
    // Without random bytes the waits are whole.
    getrandom::u32().map_or(0.0, |number| f64::from(number) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_an_hour_and_differ() {
        for (attempts, whole) in [
            (0, 8),
            (1, 8),
            (2, 16),
            (5, 128),
            (10, 3600),
            (u32::MAX, 3600),
        ] {
            let whole = Duration::from_secs(whole);
            let waits = [(); 50].map(|()| wait(attempts));
            assert!(
                waits.iter().all(|wait| (whole / 2..=whole).contains(wait)),
                "{waits:?}"
            );
            assert!(waits.iter().any(|wait| *wait != waits[0]), "{waits:?}");
        }
    }
}
