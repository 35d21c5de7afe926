//! Integers: the bounds from rules, and the size that holds them.

use super::Rules;
use json_schema::format::integer_range;
use json_schema::number::decimal::Decimal;
use serde_json::Value;

/// The smallest kind of integer that holds every value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegerType {
    /// 32 bits with a sign, where the format says so.
    Short,
    /// 64 bits with a sign.
    Signed,
    /// 64 bits without a sign.
    Unsigned,
    /// Any number of digits.
    Any,
}

impl Rules {
    /// The least and the greatest integer that the keywords and the format allow, within 128 bits;
    /// `None` where there is no bound.
    pub(crate) fn integer_bounds(&self) -> (Option<i128>, Option<i128>) {
        let format = self.format.as_deref().and_then(integer_range);
        let low = [
            above(&self.minimum, false),
            above(&self.exclusive_minimum, true),
            format.map(|(low, _)| low),
        ];
        let high = [
            below(&self.maximum, false),
            below(&self.exclusive_maximum, true),
            format.map(|(_, high)| high),
        ];
        (
            low.into_iter().flatten().max(),
            high.into_iter().flatten().min(),
        )
    }

    /// Whether a bound is so large that neighbouring integers are the same `f64`.
    pub(crate) fn is_beyond_doubles(&self) -> bool {
        let bounds = [
            &self.minimum,
            &self.maximum,
            &self.exclusive_minimum,
            &self.exclusive_maximum,
        ];
        let mut bounds = bounds.into_iter().flatten();
        bounds.any(|bound| !is_exact_in_f64(bound))
    }

    /// The smallest type that holds every integer under these rules.
    pub(crate) fn integer_type(&self) -> IntegerType {
        let (Some(low), Some(high)) = self.integer_bounds() else {
            return IntegerType::Any;
        };
        let format = self.format.as_deref();
        if matches!(format, Some("int8" | "int16" | "int32")) {
            IntegerType::Short
        } else if low >= i64::MIN.into() && high <= i64::MAX.into() {
            IntegerType::Signed
        } else if low >= 0 && high <= u64::MAX.into() {
            IntegerType::Unsigned
        } else {
            IntegerType::Any
        }
    }
}

/// The exact value of a number in the document.
pub(crate) fn decimal(number: &Value) -> Option<Decimal> {
    Decimal::of(number.as_number()?)
}

/// Whether a number is small enough that `f64` tells neighbouring integers apart.
pub(crate) fn is_exact_in_f64(number: &Value) -> bool {
    const COUNTED: f64 = 9_007_199_254_740_992.0;
    number.as_f64().is_some_and(|own| own.abs() < COUNTED)
}

fn below(bound: &Option<Value>, exclusive: bool) -> Option<i128> {
    let bound = decimal(bound.as_ref()?)?;
    let step = i128::from(exclusive && bound.is_integer());
    Some(bound.floor().saturating_sub(step))
}

fn above(bound: &Option<Value>, exclusive: bool) -> Option<i128> {
    let bound = decimal(bound.as_ref()?)?;
    let step = i128::from(exclusive || !bound.is_integer());
    Some(bound.floor().saturating_add(step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rules(minimum: Value, maximum: Value) -> Rules {
        Rules {
            minimum: Some(minimum),
            maximum: Some(maximum),
            ..Rules::default()
        }
    }

    #[test]
    fn bounds_round_inwards() {
        let rounded = |low, high| rules(json!(low), json!(high)).integer_bounds();
        assert_eq!(rounded(-1.5, 1.5), (Some(-1), Some(1)));
        assert_eq!(rounded(0.5, 1e3), (Some(1), Some(1000)));
        let open = Rules {
            exclusive_minimum: Some(json!(-2)),
            exclusive_maximum: Some(json!(2.5)),
            ..Rules::default()
        };
        assert_eq!(open.integer_bounds(), (Some(-1), Some(2)));
    }

    #[test]
    fn the_type_holds_every_value() {
        let width = |low: &str, high: &str| {
            let read = |text| serde_json::from_str(text).unwrap_or_default();
            rules(read(low), read(high)).integer_type()
        };
        assert_eq!(width("0", "10"), IntegerType::Signed);
        assert_eq!(width("-9223372036854775808", "1e18"), IntegerType::Signed);
        assert_eq!(width("0", "9223372036854775808"), IntegerType::Unsigned);
        assert_eq!(width("-1", "9223372036854775808"), IntegerType::Any);
        assert_eq!(width("0", "18446744073709551616"), IntegerType::Any);
        assert_eq!(Rules::default().integer_type(), IntegerType::Any);
        let short = Rules {
            format: Some("int32".into()),
            ..rules(json!(0), json!(1e12))
        };
        assert_eq!(short.integer_type(), IntegerType::Short);
    }
}
