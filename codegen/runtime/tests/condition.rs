//! The operations of compiled conditions: the values of its own type that each
//! accepts, and that it accepts every other type.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::cell::Cell;

use runtime::__private::condition;
use serde_json::{Value, json};

#[track_caller]
fn check(test: impl Fn(&Value) -> bool, accepted: &[Value], refused: &[Value]) {
    for value in accepted {
        assert!(test(value), "{value} is refused");
    }
    for value in refused {
        assert!(!test(value), "{value} is accepted");
    }
}

#[test]
fn numbers_are_compared_as_decimals() {
    check(
        |value| condition::number(value, |number| condition::at_least(number, 1.1)),
        &[
            json!(1.1),
            json!(2),
            json!(u64::MAX),
            json!("x"),
            json!(null),
        ],
        &[json!(1), json!(1.09), json!(i64::MIN)],
    );
    check(
        |value| condition::number(value, |number| condition::multiple_of(number, 0.01)),
        &[json!(0.07), json!(4.02), json!([])],
        &[json!(0.075)],
    );
    check(
        |value| condition::number(value, |number| condition::below(number, u64::MAX)),
        &[json!(u64::MAX - 1)],
        &[json!(u64::MAX)],
    );
}

#[test]
fn a_whole_number_is_one_however_it_is_written() {
    check(
        condition::is_integer,
        &[json!(1), json!(1.0), json!(1e20)],
        &[json!(1.5), json!("1")],
    );
    check(
        |value| condition::is_number(value, 1.0),
        &[json!(1), json!(1.0)],
        &[json!(true)],
    );
    check(
        |value| condition::equals(value, &json!({ "a": [1.0] })),
        &[json!({ "a": [1] })],
        &[json!({ "a": [true] }), json!({})],
    );
}

#[test]
fn items_are_counted_and_told_apart() {
    let strings = |items: &[Value]| condition::count(items, Value::is_string);
    check(
        |value| condition::items(value, |items| strings(items) == 1),
        &[json!(["a", 1]), json!({}), json!("ab")],
        &[json!([]), json!(["a", "b"])],
    );
    check(
        |value| condition::items(value, condition::are_distinct),
        &[json!([1, true, "1"])],
        &[
            json!([1, 1.0]),
            json!([{ "a": 1, "b": 2 }, { "b": 2, "a": 1 }]),
        ],
    );
}

#[test]
fn names_are_strings_to_their_condition() {
    let short = |name: &Value| condition::text(name, |text| text.len() < 3);
    check(
        |value| condition::members(value, |members| condition::names(members, short)),
        &[json!({ "ab": 1 }), json!({}), json!(["abc"])],
        &[json!({ "abc": 1 })],
    );
}

#[test]
fn exactly_one_verdict_counts() {
    assert!(condition::one([false, true, false]));
    assert!(!condition::one([true, true]));
    assert!(!condition::one([false]));
}

#[test]
fn formats_of_numbers_are_ranges() {
    check(
        |value| condition::number(value, |number| condition::within_format(number, "int32")),
        &[json!(1), json!(1.0), json!("x")],
        &[json!(1.5), json!(3_000_000_000_i64)],
    );
}

/// A schema that leads to itself on two ways: `anyOf` of two lists of itself.
fn twice<'v>(value: &'v Value, memo: &condition::Memo<'v>, asked: &Cell<usize>) -> bool {
    memo.once("twice", value, || {
        asked.set(asked.get() + 1);
        let within = |value| twice(value, memo, asked);
        let list = || value.is_array() && condition::items(value, |items| items.iter().all(within));
        list() || list()
    })
}

#[test]
fn what_leads_to_itself_twice_is_asked_once() {
    let deep = (0..60).fold(json!(1), |inner, _| json!([inner]));
    let asked = Cell::new(0);
    assert!(!twice(&deep, &condition::Memo::default(), &asked));
    assert_eq!(asked.get(), 61);
    assert!(twice(
        &json!([[], [[]]]),
        &condition::Memo::default(),
        &asked
    ));
}
