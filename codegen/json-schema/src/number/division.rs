//! Division of decimal digits, of any number of them.

/// How many digits a divisor has at the most for 128 bits to hold ten times as much.
const FEW: usize = 37;

/// Whether `digits × 10^zeros` is a multiple of `divisor`. Both are digits in
/// ASCII that do not begin with zero. The time is bounded by the product of
/// their lengths.
pub(crate) fn divides(divisor: &str, digits: &str, zeros: usize) -> bool {
    // A number of n digits has fewer than 4n factors of 2 or 5; more zeros change nothing.
    let zeros = zeros.min(divisor.len().saturating_mul(4));
    let digits = digits.bytes().chain(std::iter::repeat_n(b'0', zeros));
    let digits = digits.map(|digit| digit - b'0');
    match divisor.parse::<u128>() {
        Ok(divisor) if divisor_is_short(divisor) => {
            digits.fold(0, |rest, digit| (rest * 10 + u128::from(digit)) % divisor) == 0
        }
        _ => {
            let divisor: Vec<u8> = divisor.bytes().map(|digit| digit - b'0').collect();
            let mut rest = Vec::new();
            digits.for_each(|digit| next(&mut rest, digit, &divisor));
            rest.is_empty()
        }
    }
}

fn divisor_is_short(divisor: u128) -> bool {
    divisor > 0 && divisor.ilog10() < u32::try_from(FEW).unwrap_or_default()
}

/// Appends a digit to the remainder, and subtracts the divisor as often as it goes.
fn next(rest: &mut Vec<u8>, digit: u8, divisor: &[u8]) {
    if !(rest.is_empty() && digit == 0) {
        rest.push(digit);
    }
    while (rest.len(), rest.as_slice()) >= (divisor.len(), divisor) {
        let mut borrow = 0;
        let mut places = divisor.iter().rev();
        for place in rest.iter_mut().rev() {
            let taken = places.next().copied().unwrap_or_default() + borrow;
            borrow = u8::from(*place < taken);
            *place = *place + 10 * borrow - taken;
        }
        let zeros = rest.iter().take_while(|place| **place == 0).count();
        rest.drain(..zeros);
    }
}
