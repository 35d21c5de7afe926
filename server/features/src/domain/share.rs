//! Divides a donation among the beneficiaries of its config.

use std::cmp::Reverse;

use crate::domain::amount::{UsdE6, Weight};

/// Divides `amount` in proportion to `weights` by the largest remainder method: each share is the exact
/// one rounded up or down, and the sum of the shares is exactly `amount`.
///
/// Of equal remainders the first gets the unit, so that the same call always gives the same shares. A
/// negative amount divides into the negatives of its opposite's shares, so that taking back undoes
/// giving. Without weights there are no shares.
pub fn split(amount: UsdE6, weights: &[Weight]) -> Vec<UsdE6> {
    let total: i128 = weights.iter().map(|weight| i128::from(weight.get())).sum();
    if total == 0 {
        return Vec::new();
    }
    let magnitude = i128::from(amount.0.unsigned_abs());
    let exact = |weight: &Weight| magnitude * i128::from(weight.get());
    let mut shares: Vec<i128> = weights.iter().map(|weight| exact(weight) / total).collect();
    let mut by_remainder: Vec<_> = weights
        .iter()
        .map(|weight| exact(weight) % total)
        .zip(&mut shares)
        .collect();
    by_remainder.sort_by_key(|(remainder, _)| Reverse(*remainder));
    let given: i128 = by_remainder.iter().map(|(_, share)| **share).sum();
    let missing = usize::try_from(magnitude - given).unwrap_or_default();
    for (_, share) in by_remainder.into_iter().take(missing) {
        *share += 1;
    }
    let sign = i128::from(amount.0.signum());
    // No share is larger than the amount, so each fits.
    shares
        .into_iter()
        .map(|share| UsdE6(i64::try_from(share * sign).unwrap_or(amount.0)))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shares(amount: i64, weights: &[u32]) -> Vec<i64> {
        let weights: Vec<_> = weights
            .iter()
            .map(|weight| Weight::new(*weight).unwrap())
            .collect();
        split(UsdE6(amount), &weights)
            .into_iter()
            .map(|share| share.0)
            .collect()
    }

    #[test]
    fn largest_remainder_wins_and_ties_go_to_the_first() {
        assert_eq!(shares(100, &[1, 1, 1]), [34, 33, 33]);
        assert_eq!(shares(101, &[1, 1, 1]), [34, 34, 33]);
        assert_eq!(shares(10, &[1, 6, 3]), [1, 6, 3]);
        assert_eq!(shares(1, &[1, 2]), [0, 1]);
        assert_eq!(shares(0, &[5]), [0]);
        assert_eq!(shares(7, &[]), [0_i64; 0]);
    }

    proptest! {
        #[test]
        fn shares_are_exact(amount: i64, weights in prop::collection::vec(1_u32..=Weight::MAX, 1..=5)) {
            let given = shares(amount, &weights);
            prop_assert_eq!(given.iter().map(|share| i128::from(*share)).sum::<i128>(), i128::from(amount));
            let total: i128 = weights.iter().map(|weight| i128::from(*weight)).sum();
            for (share, weight) in given.iter().zip(&weights) {
                let error = i128::from(*share) * total - i128::from(amount) * i128::from(*weight);
                prop_assert!(error.abs() < total, "off by a unit or more");
            }
        }

        #[test]
        fn taking_back_undoes_giving(amount in 0..=i64::MAX, weights in prop::collection::vec(1_u32..=Weight::MAX, 1..=5)) {
            let undone: Vec<i64> = shares(-amount, &weights).into_iter().map(|share| -share).collect();
            prop_assert_eq!(shares(amount, &weights), undone);
        }
    }
}
