//! A CRC-32 written as six base62 digits, most significant first.

/// The digits of base 62 in the order of their values.
pub(super) const ALPHABET: &[u8; 62] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// 62⁶ exceeds 2³², so that six digits hold any CRC-32.
pub(super) const CHECKSUM_LEN: usize = 6;

pub(super) fn of(text: &[u8]) -> [u8; CHECKSUM_LEN] {
    let mut rest = crc32fast::hash(text) as usize;
    let mut digits = [b'0'; CHECKSUM_LEN];
    for digit in digits.iter_mut().rev() {
        if let Some(byte) = ALPHABET.get(rest % ALPHABET.len()) {
            *digit = *byte;
        }
        rest /= ALPHABET.len();
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_the_crc_in_base_62() {
        // The CRC-32 check value 0xCBF43926 = 3 421 780 262 = 3·62⁵ + 45·62⁴ + … .
        let value = of(b"123456789").iter().fold(0_u64, |value, byte| {
            let digit = ALPHABET.iter().position(|other| other == byte).unwrap();
            value * 62 + digit as u64
        });
        assert_eq!(value, 0xCBF4_3926);
        assert_eq!(of(b""), *b"000000");
    }
}
