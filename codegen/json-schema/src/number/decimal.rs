//! Exact arithmetic on the decimal numbers that JSON text writes.
//!
//! JSON numbers are decimals of any length, `f64` is neither: `0.3` is a
//! multiple of `0.1` although no division of the two `f64` says so. A
//! [`Decimal`] is the number as it was written; that of an `f64` is the
//! shortest decimal that reads as the same `f64`: the client's own number, if
//! that had at most 17 digits.

use std::cmp::Ordering;
use std::fmt;

use serde_json::Number;

use crate::number::division::divides;

/// `± digits × 10^exponent`, of which there is one for each number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Decimal {
    negative: bool,
    /// In ASCII, without zeros at either end; none for zero.
    digits: String,
    exponent: i64,
}

/// Above every exponent that is read.
const FAR: i64 = 1_000_000_000_000_000_000;

/// How many zeros are written out at the end of a whole number.
const ZEROS: i64 = 64;

impl Decimal {
    /// The decimal of a JSON number; `None` as for [`Decimal::parse`].
    #[must_use]
    pub fn of(number: &Number) -> Option<Self> {
        Self::parse(&number.to_string())
    }

    /// The shortest decimal that reads as `value`; `None` where `value` is
    /// infinite or not a number.
    #[must_use]
    pub fn of_f64(value: f64) -> Option<Self> {
        Self::parse(&format!("{value:e}"))
    }

    /// The decimal of a JSON number's text (RFC 8259, section 6); `None` where
    /// it is none, or its exponent has more than 18 digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let written = format!("{whole}{fraction}");
        if written.is_empty() || !written.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let negative = mantissa.len() > unsigned.len();
        if written.bytes().all(|byte| byte == b'0') {
            return Some(Self::new(negative, &written, 0));
        }
        let exponent = exponent.parse::<i64>().ok().filter(|own| own.abs() < FAR)?;
        let places = i64::try_from(fraction.len()).ok()?;
        Some(Self::new(negative, &written, exponent - places))
    }

    /// `± written × 10^exponent`, of digits in ASCII.
    fn new(negative: bool, written: &str, exponent: i64) -> Self {
        let digits = written.trim_end_matches('0');
        let zeros = i64::try_from(written.len() - digits.len()).unwrap_or(FAR);
        let digits = digits.trim_start_matches('0').to_owned();
        if digits.is_empty() {
            return Self {
                negative: false,
                digits,
                exponent: 0,
            };
        }
        Self {
            negative,
            digits,
            exponent: exponent.saturating_add(zeros),
        }
    }

    /// Whether the number has no fraction, as `1.0` and `1e3` have none.
    #[must_use]
    pub const fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// The number, where it is whole and 128 bits hold it.
    #[must_use]
    pub fn to_i128(&self) -> Option<i128> {
        let exponent = u32::try_from(self.exponent).ok()?;
        if self.digits.is_empty() {
            return Some(0);
        }
        let scale = 10_i128.checked_pow(exponent)?;
        let magnitude = self.digits.parse::<i128>().ok()?.checked_mul(scale)?;
        Some(if self.negative { -magnitude } else { magnitude })
    }

    /// The greatest whole number that is not above this one, as near as 128
    /// bits come to it.
    #[must_use]
    pub fn floor(&self) -> i128 {
        let least = if self.negative { i128::MIN } else { i128::MAX };
        if self.is_integer() {
            return self.to_i128().unwrap_or(least);
        }
        let places = usize::try_from(self.exponent.unsigned_abs()).unwrap_or(usize::MAX);
        let whole = self.digits.len().saturating_sub(places);
        let whole = self.digits.get(..whole).filter(|whole| !whole.is_empty());
        let whole = whole.map_or(Ok(0), str::parse::<i128>);
        match (whole, self.negative) {
            (Err(_), _) => least,
            (Ok(whole), false) => whole,
            (Ok(whole), true) => -whole - 1,
        }
    }

    /// Whether `self = n × divisor` for a whole `n`, exactly. Nothing is a
    /// multiple of zero.
    #[must_use]
    pub fn is_multiple_of(&self, divisor: &Self) -> bool {
        if divisor.digits.is_empty() || self.digits.is_empty() {
            return !divisor.digits.is_empty();
        }
        match usize::try_from(self.exponent.saturating_sub(divisor.exponent)) {
            Ok(shift) => divides(&divisor.digits, &self.digits, shift),
            // No digits that do not end in zero are those of a multiple of ten.
            Err(_) => false,
        }
    }

    /// The power of ten just above the magnitude: 3 for 123 and for 999.
    fn magnitude(&self) -> i64 {
        let digits = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        self.exponent.saturating_add(digits)
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        match (self.digits.as_str(), other.digits.as_str()) {
            ("", _) | (_, "") => self.digits.len().cmp(&other.digits.len()),
            // No digits end in zero, so those that begin alike are in order of length.
            (own, others) => self
                .magnitude()
                .cmp(&other.magnitude())
                .then_with(|| own.cmp(others)),
        }
    }
}

impl From<i128> for Decimal {
    fn from(value: i128) -> Self {
        Self::new(value < 0, &value.unsigned_abs().to_string(), 0)
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

impl fmt::Display for Decimal {
    /// As JSON writes it; a whole number without an exponent, unless it ends
    /// in very many zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        let digits = self.digits.as_str();
        match (digits, self.exponent) {
            ("", _) => f.write_str("0"),
            (_, 0..=ZEROS) => {
                let width = digits.len() + usize::try_from(self.exponent).unwrap_or_default();
                write!(f, "{sign}{digits:0<width$}")
            }
            (_, exponent) => write!(f, "{sign}{digits}e{exponent}"),
        }
    }
}
