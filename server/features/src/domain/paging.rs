//! Lists that are read page by page, and the cursors that lead from one page to the next.
//!
//! A cursor is base64url, without padding, of 8 bytes that bind it to its list, the ordinal of a
//! [`Position`] with its sign bit flipped, and the key of the position. It is no secret and no
//! signature: it keeps callers from mixing up cursors, and not from making one.

use std::fmt::Display;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use sha2::{Digest, Sha256};

use super::position::{Placed, Position};

/// A list, restricted by the filters of a request: the texts that name it, each after its length, so that
/// different texts are never the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct List(Vec<u8>);

impl List {
    /// The whole list that an operation returns.
    pub fn of(operation: &str) -> List {
        List(Vec::new()).with(operation)
    }

    /// The list restricted by a filter; unchanged if the request does not have it.
    #[must_use]
    pub fn filtered(self, name: &str, value: Option<impl Display>) -> List {
        match value {
            Some(value) => self.with(name).with(&value.to_string()),
            None => self,
        }
    }

    fn with(mut self, text: &str) -> List {
        self.0.extend((text.len() as u64).to_be_bytes());
        self.0.extend(text.as_bytes());
        self
    }
}

/// A request for one page: at most `limit` elements of a list, after a position.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PageRequest {
    list: List,
    /// The position that the page begins after; `None` for the first page.
    pub after: Option<Position>,
    /// The maximum number of elements.
    pub limit: usize,
}

impl PageRequest {
    /// The page that begins at a cursor, or the first one.
    ///
    /// # Errors
    /// When the cursor was not made by [`PageRequest::cursor`] for the same list with the same filters.
    pub fn new(
        list: List,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<PageRequest, InvalidCursor> {
        let mut page = PageRequest {
            list,
            after: None,
            limit,
        };
        page.after = cursor.map(|cursor| page.parse(cursor)).transpose()?;
        Ok(page)
    }

    /// The page that begins at a cursor, or the first one where the cursor is no cursor of the list.
    pub fn or_first(list: List, cursor: Option<&str>, limit: usize) -> PageRequest {
        let mut page = PageRequest {
            list,
            after: None,
            limit,
        };
        page.after = cursor.and_then(|cursor| page.parse(cursor).ok());
        page
    }

    /// The number of rows to read: one more than the page has, which shows whether another follows.
    pub fn rows(&self) -> usize {
        self.limit + 1
    }

    /// Cuts the rows that were read down to the page; the cursor of the next page, if there is one.
    pub fn cut<T: Placed>(&self, rows: &mut Vec<T>) -> Option<String> {
        if rows.len() <= self.limit {
            return None;
        }
        rows.truncate(self.limit);
        rows.last().map(|row| self.cursor(&row.position()))
    }

    /// The cursor of the page of the same list that begins after a position.
    pub fn cursor(&self, after: &Position) -> String {
        let ordinal = (after.ordinal ^ i64::MIN).to_be_bytes();
        let tag = self.tag(ordinal, &after.key);
        BASE64.encode([&tag, &ordinal, after.key.as_slice()].concat())
    }

    fn parse(&self, cursor: &str) -> Result<Position, InvalidCursor> {
        let bytes = BASE64.decode(cursor).map_err(|_| InvalidCursor)?;
        let (tag, rest) = bytes.split_first_chunk::<8>().ok_or(InvalidCursor)?;
        let (ordinal, key) = rest.split_first_chunk::<8>().ok_or(InvalidCursor)?;
        if *tag != self.tag(*ordinal, key) {
            return Err(InvalidCursor);
        }
        Ok(Position {
            ordinal: i64::from_be_bytes(*ordinal) ^ i64::MIN,
            key: key.to_vec(),
        })
    }

    /// The bytes that bind a position to this list and its filters, and show a changed character.
    fn tag(&self, ordinal: [u8; 8], key: &[u8]) -> [u8; 8] {
        let digest = Sha256::new()
            .chain_update(Sha256::digest(&self.list.0))
            .chain_update(ordinal)
            .chain_update(key)
            .finalize();
        let [a, b, c, d, e, f, g, h, ..]: [u8; 32] = digest.into();
        [a, b, c, d, e, f, g, h]
    }
}

/// The text is no cursor of the list with these filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the `pageKey` of a page of this list with the same filters")]
pub struct InvalidCursor;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn page(list: List, cursor: Option<&str>) -> Result<PageRequest, InvalidCursor> {
        PageRequest::new(list, cursor, 2)
    }

    fn dogs(breed: Option<&str>) -> List {
        List::of("dogs").filtered("breed", breed)
    }

    impl Placed for i64 {
        fn position(&self) -> Position {
            Position {
                ordinal: *self,
                key: Vec::new(),
            }
        }
    }

    #[test]
    fn a_cursor_belongs_to_its_list_and_filters() {
        let lists = [
            dogs(None),
            dogs(Some("pug")),
            dogs(Some("")),
            List::of("cats"),
            List::of("dogs").filtered("name", Some("pug")),
            List::of("dogs").filtered("bree", Some("dpug")),
        ];
        for (n, list) in lists.iter().enumerate() {
            let cursor = page(list.clone(), None).unwrap().cursor(&7.position());
            for (m, other) in lists.iter().enumerate() {
                let read = page(other.clone(), Some(&cursor));
                assert_eq!(read.is_ok(), n == m, "{n} {m}");
            }
        }
    }

    #[test]
    fn only_a_page_that_others_follow_has_a_cursor() {
        let page = page(dogs(None), None).unwrap();
        assert_eq!(page.rows(), 3);
        let (mut all, mut some) = (vec![1, 2], vec![1, 2, 3]);
        assert_eq!(page.cut(&mut all), None);
        assert_eq!(page.cut(&mut some), Some(page.cursor(&2.position())));
        assert_eq!((all, some), (vec![1, 2], vec![1, 2]));
    }

    #[test]
    fn the_longest_cursor_is_as_the_contract_says() {
        let longest = Position {
            ordinal: i64::MIN,
            key: vec![u8::MAX; Position::MAX_KEY],
        };
        let page = page(dogs(None), None).unwrap();
        assert_eq!(page.cursor(&longest).len(), 256);
        assert_eq!(page.cursor(&0.position()).len(), 22);
    }

    proptest! {
        #[test]
        fn every_position_reads_back(ordinal: i64, key in prop::collection::vec(any::<u8>(), 0..50)) {
            let position = Position { ordinal, key };
            let cursor = page(dogs(None), None).unwrap().cursor(&position);
            prop_assert_eq!(page(dogs(None), Some(&cursor)).unwrap().after, Some(position));
        }

        #[test]
        fn a_changed_cursor_is_refused(place: prop::sample::Index, other in "[A-Za-z0-9_-]") {
            let position = Position { ordinal: 5, key: vec![7; 16] };
            let mut cursor = page(dogs(None), None).unwrap().cursor(&position);
            let place = place.index(cursor.len());
            prop_assume!(cursor[place..=place] != other);
            cursor.replace_range(place..=place, &other);
            prop_assert_eq!(page(dogs(None), Some(&cursor)), Err(InvalidCursor));
        }

        #[test]
        fn no_text_panics(text: String) {
            prop_assert_eq!(page(dogs(None), Some(&text)), Err(InvalidCursor));
        }
    }
}
