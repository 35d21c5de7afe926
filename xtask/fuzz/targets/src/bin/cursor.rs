//! Cursors. A text that is one is the cursor of its position, and so of no other list. The cursor of
//! any position leads back to it, and not with a changed character.

#![no_main]

use features::domain::paging::{List, PageRequest};
use features::domain::position::Position;

fn page(list: &str, cursor: Option<&str>) -> Option<PageRequest> {
    PageRequest::new(List::of(list), cursor, 2).ok()
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let first = page("charities", None).expect("the first page");
    if let Ok(text) = str::from_utf8(bytes) {
        if let Some(position) = page("charities", Some(text)).and_then(|page| page.after) {
            assert_eq!(first.cursor(&position), text);
            assert_eq!(page("tokens", Some(text)), None);
        }
    }
    let Some((ordinal, rest)) = bytes.split_first_chunk() else {
        return;
    };
    let Some((place, key)) = rest.split_first() else {
        return;
    };
    let position = Position {
        ordinal: i64::from_be_bytes(*ordinal),
        key: key.to_vec(),
    };
    let cursor = first.cursor(&position);
    let read = page("charities", Some(&cursor)).and_then(|page| page.after);
    assert_eq!(read, Some(position));
    let mut changed = cursor.into_bytes();
    let place = usize::from(*place) % changed.len();
    changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
    let changed = String::from_utf8(changed).expect("ASCII");
    assert_eq!(page("charities", Some(&changed)), None);
});
