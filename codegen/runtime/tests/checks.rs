//! The checks that generated code calls.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use runtime::__private::{
    check::distinct, check::length_between, check::multiple_of, check::unique,
};

#[test]
fn lengths_are_in_code_points() {
    assert!(length_between("😀😀", 2, 2));
    assert!(!length_between("😀😀", 3, 8));
    assert!(!length_between("aaa", 0, 2));
    assert!(length_between("", 0, 0));
    for text in ["", "a", "é", "😀é", "aaaaaaaa", "😀😀😀😀"] {
        let length = text.chars().count();
        for min in 0..10 {
            for max in min..10 {
                let expected = (min..=max).contains(&length);
                assert_eq!(
                    length_between(text, min, max),
                    expected,
                    "{text} {min} {max}"
                );
            }
        }
    }
}

#[test]
fn multiples_are_decimal() {
    assert!(multiple_of(0.3, 0.1));
    assert!(multiple_of(-4.5, 1.5));
    assert!(multiple_of(0.0, 7.0));
    assert!(multiple_of(1e308, 0.5));
    assert!(!multiple_of(0.35, 0.1));
    assert!(!multiple_of(1e-300, 1e300));
    assert!(!multiple_of(1.0, 0.0));
    assert!(!multiple_of(f64::NAN, 1.0));
}

#[test]
fn items_are_unique_by_their_json() {
    assert!(unique(&["a", "b"]));
    assert!(!unique(&[1.0, 2.0, 1.0]));
    assert!(unique::<u8>(&[]));
}

#[test]
fn distinct_items_are_found_in_short_lists_and_long_ones() {
    for length in [0, 1, 2, 8, 9, 100] {
        let mut items: Vec<String> = (0..length).map(|n| format!("{}", n * 7 % 101)).collect();
        assert!(distinct(&items), "{length}");
        if let Some(first) = items.first().cloned() {
            items.push(first);
            assert!(!distinct(&items), "{length}");
        }
    }
}
