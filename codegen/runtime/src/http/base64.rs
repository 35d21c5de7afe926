//! Base64 as HTTP Basic writes it (RFC 4648, section 4).
//!
//! A library would be one more dependency of every generated crate, for these
//! two functions.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The octets of a text; `None` where it is not the one text that stands for
/// them: another alphabet, no padding, bits that say nothing.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::with_capacity(text.len() / 4 * 3);
    let data = text.trim_end_matches('=').as_bytes();
    let padding = text.len() - data.len();
    if !text.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    for group in data.chunks(4) {
        let mut bits = 0u32;
        for byte in group {
            bits = bits << 6 | sextet(*byte)?;
        }
        // A last group of two or three letters has four or two bits too many.
        let spare = match group.len() {
            4 => 0,
            3 => 2,
            2 => 4,
            _ => return None,
        };
        if bits & ((1 << spare) - 1) != 0 {
            return None;
        }
        let whole = (bits >> spare).to_be_bytes();
        octets.extend_from_slice(whole.get(whole.len() - (group.len() - 1)..)?);
    }
    Some(octets)
}

/// The text of some octets.
pub(crate) fn encode(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len().div_ceil(3) * 4);
    for group in octets.chunks(3) {
        let bits = group
            .iter()
            .fold(0u32, |bits, octet| bits << 8 | u32::from(*octet));
        let bits = bits << (8 * (3 - group.len()));
        for place in 0..4 {
            let index = usize::try_from(bits >> (18 - 6 * place) & 63).unwrap_or_default();
            let letter = ALPHABET.get(index).filter(|_| place <= group.len());
            text.push(letter.map_or('=', |letter| char::from(*letter)));
        }
    }
    text
}

fn sextet(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn the_texts_of_the_standard_go_both_ways() {
        for (octets, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(octets.as_bytes()), text);
            assert_eq!(decode(text), Some(octets.as_bytes().to_vec()));
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)), Some(all));
    }

    #[test]
    fn one_text_stands_for_some_octets_and_no_other() {
        for text in [
            "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Z===", "====", "Zm9v\n", "Zm 9", "Zm-_",
        ] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
