//! Keys. A text is a key exactly if it is 32 letters or digits between `sk_` and their checksum;
//! otherwise the first broken rule is named. A key is never shown whole.

#![no_main]

use features::keys::{Key, KeyError};

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

libfuzzer_sys::fuzz_target!(|text: &str| {
    check(text);
    // No mutation finds a checksum; the text as the secret of a key has the right one.
    let secret: String = text
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(32)
        .collect();
    let body = format!("sk_{secret}");
    check(&format!("{body}{}", checksum(&body)));
});

fn check(text: &str) {
    match Key::parse(text) {
        Ok(key) => {
            assert_eq!(broken_rule(text), None);
            assert_eq!(key.reveal(), text);
            assert!(
                !format!("{key:?}").contains(&text[11..]),
                "the key is shown"
            );
        }
        Err(error) => assert_eq!(Some(error), broken_rule(text), "{text:?}"),
    }
}

fn broken_rule(text: &str) -> Option<KeyError> {
    if !text.starts_with("sk_") {
        return Some(KeyError::Prefix);
    }
    if text.len() != 41 {
        return Some(KeyError::Length);
    }
    if !text[3..].bytes().all(|byte| DIGITS.contains(&byte)) {
        return Some(KeyError::Character);
    }
    let (body, sum) = text.split_at(35);
    (sum != checksum(body)).then_some(KeyError::Checksum)
}

/// The CRC-32 of a text as six digits of base 62.
fn checksum(text: &str) -> String {
    let value = u64::from(crc32fast::hash(text.as_bytes()));
    let digit = |place| char::from(DIGITS[(value / 62_u64.pow(place) % 62) as usize]);
    (0..6).rev().map(digit).collect()
}
