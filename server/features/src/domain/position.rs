//! Positions in a total order.

/// A position in a list that is ordered by `(ordinal, key)`, whether or not an element has it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The value that the list is ordered by.
    pub ordinal: i64,
    /// The key that orders elements with equal ordinals, by its bytes.
    pub key: Vec<u8>,
}

impl Position {
    /// The length of the longest key, in bytes: a cursor with it has the most characters that the
    /// contract allows.
    pub const MAX_KEY: usize = 176;

    /// The bounds of a descending list: the elements below a position, or all of them without one.
    pub(crate) fn below(after: Option<Position>) -> (i64, Vec<u8>) {
        match after {
            Some(Position { ordinal, key }) => (ordinal, key),
            // The key is longer, and so larger, than any real key.
            None => (i64::MAX, vec![u8::MAX; Self::MAX_KEY + 1]),
        }
    }
}

/// An element of a list in a total order.
pub trait Placed {
    /// The position; unique in its list.
    fn position(&self) -> Position;
}

impl<T: Placed> Placed for &T {
    fn position(&self) -> Position {
        (**self).position()
    }
}
