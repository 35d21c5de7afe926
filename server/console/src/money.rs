//! Amounts of money, formatted for people.

use features::domain::amount::{TokenAmount, UsdE6};

/// The most digits of a token's amount after the point.
const DIGITS: usize = 6;

/// Dollars and cents, such as `$1,234.50`; an amount of less than a cent is named as such.
pub(crate) fn dollars(amount: UsdE6) -> String {
    let cents = amount.0 / 10_000;
    match (amount.0, cents) {
        (1.., 0) => "less than $0.01".to_owned(),
        _ => format!(
            "${}.{:02}",
            grouped(&(cents / 100).to_string()),
            cents % 100
        ),
    }
}

/// Dollars without cents, such as `$1,234`; below 1,000 dollars as [`dollars`].
pub(crate) fn whole_dollars(amount: UsdE6) -> String {
    match amount.0 {
        1_000_000_000.. => format!("${}", grouped(&(amount.0 / 1_000_000).to_string())),
        _ => dollars(amount),
    }
}

/// An amount of a token with this many decimal digits, cut after the sixth; a smaller amount is named as
/// such.
pub(crate) fn tokens(amount: TokenAmount, decimals: u8) -> String {
    let decimals = usize::from(decimals);
    let text = format!("{:0>width$}", amount.to_string(), width = decimals + 1);
    let (whole, part) = text.split_at(text.len() - decimals);
    let shown = part.get(..DIGITS).unwrap_or(part).trim_end_matches('0');
    match shown {
        "" if whole == "0" && part.contains(|digit| digit != '0') => {
            "less than 0.000001".to_owned()
        }
        "" => grouped(whole),
        part => format!("{}.{part}", grouped(whole)),
    }
}

/// Digits in groups of three, such as `1,234`.
pub(crate) fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_have_cents() {
        for (amount, text) in [
            (0, "$0.00"),
            (9_999, "less than $0.01"),
            (1_234_567_890, "$1,234.56"),
            (1_000_000_000_000, "$1,000,000.00"),
        ] {
            assert_eq!(dollars(UsdE6(amount)), text);
        }
        assert_eq!(whole_dollars(UsdE6(1_234_567_890)), "$1,234");
        assert_eq!(whole_dollars(UsdE6(999_990_000)), "$999.99");
    }

    #[test]
    fn tokens_have_their_decimals() {
        for (amount, decimals, text) in [
            ("0", 18, "0"),
            ("1500000000000000000", 18, "1.5"),
            ("1234567", 0, "1,234,567"),
            ("1", 2, "0.01"),
            ("123456789", 8, "1.234567"),
            ("1000000000001", 18, "0.000001"),
            ("999999999999", 18, "less than 0.000001"),
            ("1000000000000000001", 18, "1"),
        ] {
            assert_eq!(tokens(amount.parse().unwrap(), decimals), text);
        }
    }
}
