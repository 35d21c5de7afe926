//! Exact arithmetic on the decimal numbers that JSON text writes.
//!
//! JSON numbers are decimals, `f64` is not: `0.3` is a multiple of `0.1`
//! although no division of the two `f64` says so. A [`Decimal`] is the
//! shortest decimal that reads as the same `f64`, which is what the client
//! wrote whenever it wrote at most 17 digits.

use std::cmp::Ordering;

use serde_json::Number;

/// `± digits × 10^exponent`, with no trailing zero in `digits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    digits: u64,
    exponent: i32,
}

impl Decimal {
    /// The decimal of a JSON number, or `None` where it has more than 19
    /// significant digits.
    #[must_use]
    pub fn of(number: &Number) -> Option<Self> {
        match (number.as_i64(), number.as_u64()) {
            (Some(value), _) => Some(Self::new(value < 0, value.unsigned_abs(), 0)),
            (None, Some(value)) => Some(Self::new(false, value, 0)),
            (None, None) => number.as_f64().and_then(Self::of_f64),
        }
    }

    /// The shortest decimal that reads as `value`; `None` where `value` is
    /// infinite or not a number.
    #[must_use]
    pub fn of_f64(value: f64) -> Option<Self> {
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e')?;
        let exponent: i32 = exponent.parse().ok()?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: u64 = format!("{}{fraction}", whole.trim_start_matches('-'))
            .parse()
            .ok()?;
        let places = i32::try_from(fraction.len()).ok()?;
        Some(Self::new(whole.starts_with('-'), digits, exponent - places))
    }

    const fn new(negative: bool, mut digits: u64, mut exponent: i32) -> Self {
        if digits == 0 {
            return Self {
                negative: false,
                digits: 0,
                exponent: 0,
            };
        }
        while digits.is_multiple_of(10) {
            digits /= 10;
            exponent += 1;
        }
        Self {
            negative,
            digits,
            exponent,
        }
    }

    /// Whether the number has no fraction, as `1.0` and `1e3` have none.
    #[must_use]
    pub const fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// Whether `self = n × divisor` for a whole `n`, exactly. Nothing is a
    /// multiple of zero.
    #[must_use]
    pub fn is_multiple_of(&self, divisor: &Self) -> bool {
        let (value, unit) = (u128::from(self.digits), u128::from(divisor.digits));
        if unit == 0 {
            return false;
        }
        let shift = self.exponent - divisor.exponent;
        if shift >= 0 {
            return (value * power_of_ten_modulo(shift.unsigned_abs(), unit)).is_multiple_of(unit);
        }
        // Where the scaled unit leaves 128 bits it is greater than any value.
        match 10u128
            .checked_pow(shift.unsigned_abs())
            .and_then(|scale| unit.checked_mul(scale))
        {
            Some(scaled) => value.is_multiple_of(scaled),
            None => value == 0,
        }
    }

    /// The power of ten just above the magnitude: 3 for 123 and for 999.
    fn magnitude(&self) -> i32 {
        let digits = self.digits.checked_ilog10().map_or(0, |log| log + 1);
        self.exponent + i32::try_from(digits).unwrap_or(0)
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        if self.digits == 0 || other.digits == 0 {
            return self.digits.cmp(&other.digits);
        }
        self.magnitude().cmp(&other.magnitude()).then_with(|| {
            // With equal magnitudes the exponents differ by less than 20.
            let shift = self.exponent - other.exponent;
            let scale = 10u128.saturating_pow(shift.unsigned_abs());
            let (mine, theirs) = (u128::from(self.digits), u128::from(other.digits));
            if shift >= 0 {
                (mine * scale).cmp(&theirs)
            } else {
                mine.cmp(&(theirs * scale))
            }
        })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.compare_magnitude(other),
            (true, true) => other.compare_magnitude(self),
        }
    }
}

/// `10^exponent mod modulus`; the modulus is below 2^64, so products fit.
const fn power_of_ten_modulo(mut exponent: u32, modulus: u128) -> u128 {
    let (mut result, mut base) = (1 % modulus, 10 % modulus);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        exponent /= 2;
    }
    result
}
