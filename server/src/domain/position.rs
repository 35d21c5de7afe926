//! Positions in a total order, and the text that a client holds one as: the cursor.

use alloy_primitives::hex;

/// A position in a list that is ordered by `(ordinal, key)`.
///
/// As text it has `16 + 2 N` lower-case hexadecimal digits: the ordinal with its sign bit flipped, so
/// that texts order as positions do, then the key. Every text of that form is a position, whether or
/// not an element has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position<const N: usize> {
    /// The value that the list is ordered by.
    pub ordinal: i64,
    /// The key that orders elements with equal ordinals.
    pub key: [u8; N],
}

impl<const N: usize> Position<N> {
    /// The text form of this position.
    pub fn encode(&self) -> String {
        let mut text = hex::encode((self.ordinal ^ i64::MIN).to_be_bytes());
        text.push_str(&hex::encode(self.key));
        text
    }

    /// Parses a position; `None` if the text does not have the form.
    pub fn parse(text: &str) -> Option<Self> {
        // The decoder would take upper case and a prefix too, and one position has one text.
        if !text
            .bytes()
            .all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
        {
            return None;
        }
        let (ordinal, key) = text.split_at_checked(16)?;
        let ordinal = u64::from_str_radix(ordinal, 16).ok()?;
        Some(Self {
            ordinal: ordinal.cast_signed() ^ i64::MIN,
            key: hex::decode_to_array(key).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn is_written_as_biased_hex() {
        let position = Position {
            ordinal: 0,
            key: [0xab, 0x01],
        };
        assert_eq!(position.encode(), "8000000000000000ab01");
        assert_eq!(
            Position {
                ordinal: -1,
                key: []
            }
            .encode(),
            "7fffffffffffffff"
        );
    }

    #[test]
    fn refuses_every_other_form() {
        let good = "8000000000000000ab01";
        assert!(Position::<2>::parse(good).is_some());
        for bad in [
            "",
            "0x8000000000000000ab",
            "8000000000000000AB01",
            "8000000000000000ab0",
            "+000000000000000ab01",
        ] {
            assert_eq!(Position::<2>::parse(bad), None, "{bad}");
        }
        assert_eq!(Position::<1>::parse(good), None);
        assert_eq!(Position::<3>::parse(good), None);
        assert_eq!(Position::<2>::parse("800000000000000éab01"), None);
    }

    proptest! {
        #[test]
        fn every_text_of_the_form_is_a_position(text in "[0-9a-f]{80}") {
            prop_assert_eq!(Position::<32>::parse(&text).unwrap().encode(), text);
        }

        #[test]
        fn texts_order_as_positions(a: (i64, [u8; 4]), b: (i64, [u8; 4])) {
            let a = Position { ordinal: a.0, key: a.1 };
            let b = Position { ordinal: b.0, key: b.1 };
            prop_assert_eq!(a.cmp(&b), a.encode().cmp(&b.encode()));
        }
    }
}
