//! The operations that compiled conditions are made of.
//!
//! A schema that no Rust type stands for is a function over the value; these
//! are the words that such functions are written in. A keyword for values of
//! one type accepts all others (2020-12 Core, 7.6.1): [`number`], [`text`],
//! [`items`] and [`members`] see to that.
//!
//! A schema that contains itself is a function that calls itself. It might be asked about one
//! value on many ways, each of which leads on to as many: [`Memo`] lets every question be asked
//! once, so that the time is bounded by the sizes of the schema and the value.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use serde_json::{Map, Number, Value};

use json_schema::equality;
use json_schema::types::Types;
use json_schema::validator::scalar::{self, compare};

/// A bound as the contract writes it.
pub trait Bound {
    /// The number; `None` for one that JSON cannot write.
    fn number(self) -> Option<Number>;
}

impl Bound for i64 {
    fn number(self) -> Option<Number> {
        Some(self.into())
    }
}

impl Bound for u64 {
    fn number(self) -> Option<Number> {
        Some(self.into())
    }
}

impl Bound for f64 {
    fn number(self) -> Option<Number> {
        Number::from_f64(self)
    }
}

impl Bound for &str {
    /// A number that no other type holds exactly.
    fn number(self) -> Option<Number> {
        self.parse().ok()
    }
}

/// The value of a number, for those that are only held as text.
pub fn written(number: impl Bound) -> Value {
    number.number().map_or(Value::Null, Value::Number)
}

/// Whether a number meets `test`; any other value does.
pub fn number(value: &Value, test: impl FnOnce(&Number) -> bool) -> bool {
    value.as_number().is_none_or(test)
}

/// Whether a string meets `test`; any other value does.
pub fn text(value: &Value, test: impl FnOnce(&str) -> bool) -> bool {
    value.as_str().is_none_or(test)
}

/// Whether the items of an array meet `test`; any other value does.
pub fn items<'v>(value: &'v Value, test: impl FnOnce(&'v [Value]) -> bool) -> bool {
    value.as_array().is_none_or(|items| test(items))
}

/// Whether the members of an object meet `test`; any other value does.
pub fn members<'v>(value: &'v Value, test: impl FnOnce(&'v Map<String, Value>) -> bool) -> bool {
    value.as_object().is_none_or(test)
}

/// Whether a value is a number without a fraction, however it is written.
#[must_use]
pub fn is_integer(value: &Value) -> bool {
    scalar::is_of(Types::INTEGER, value)
}

/// Whether two values are equal; `1` and `1.0` are.
#[must_use]
pub fn equals(value: &Value, other: &Value) -> bool {
    equality::equal(value, other)
}

/// Whether a value is the number.
pub fn is_number(value: &Value, number: impl Bound) -> bool {
    let number = number.number();
    number.is_some_and(|number| equality::equal(value, &Value::Number(number)))
}

/// `minimum`.
pub fn at_least(number: &Number, bound: impl Bound) -> bool {
    bound
        .number()
        .is_some_and(|bound| compare(number, &bound).is_ge())
}

/// `maximum`.
pub fn at_most(number: &Number, bound: impl Bound) -> bool {
    bound
        .number()
        .is_some_and(|bound| compare(number, &bound).is_le())
}

/// `exclusiveMinimum`.
pub fn above(number: &Number, bound: impl Bound) -> bool {
    bound
        .number()
        .is_some_and(|bound| compare(number, &bound).is_gt())
}

/// `exclusiveMaximum`.
pub fn below(number: &Number, bound: impl Bound) -> bool {
    bound
        .number()
        .is_some_and(|bound| compare(number, &bound).is_lt())
}

/// `multipleOf`.
pub fn multiple_of(number: &Number, divisor: impl Bound) -> bool {
    let divisor = divisor.number();
    divisor.is_some_and(|divisor| scalar::is_multiple(number, &divisor))
}

/// A `format` that is a range of integers.
#[must_use]
pub fn within_format(number: &Number, format: &str) -> bool {
    scalar::is_within_format(format, number)
}

/// How many items meet `test`.
pub fn count<'v>(items: &'v [Value], test: impl Fn(&'v Value) -> bool) -> usize {
    items.iter().filter(|item| test(item)).count()
}

/// `uniqueItems`.
#[must_use]
pub fn are_distinct(items: &[Value]) -> bool {
    equality::all_distinct(items)
}

/// Whether the name of every member meets `test`, as a string.
pub fn names(members: &Map<String, Value>, test: impl Fn(&Value) -> bool) -> bool {
    members.keys().all(|name| test(&Value::from(name.as_str())))
}

/// Members that are evaluated if it holds: those of such names.
pub type Named = (bool, fn(&str) -> bool);

/// `unevaluatedProperties`: whether every member meets `test` that is in none
/// of the sets that hold, each with the names of its members.
pub fn unevaluated_members<'v>(
    value: &'v Value,
    evaluated: &[Named],
    test: impl Fn(&'v Value) -> bool,
) -> bool {
    let is_evaluated = |name: &str| evaluated.iter().any(|(holds, names)| *holds && names(name));
    members(value, |members| {
        let mut members = members.iter();
        members.all(|(name, member)| is_evaluated(name) || test(member))
    })
}

/// Items that are evaluated if it holds: those that meet the condition.
pub type Such<'a, 'v> = (bool, &'a dyn Fn(&'v Value) -> bool);

/// `unevaluatedItems`: whether every item meets `test` that is not among as
/// many first items as evaluated, nor `such` as is, where that holds.
pub fn unevaluated_items<'v>(
    value: &'v Value,
    first: &[(bool, usize)],
    such: &[Such<'_, 'v>],
    test: impl Fn(&'v Value) -> bool,
) -> bool {
    let counts = first.iter().filter(|(holds, _)| *holds);
    let count = counts.map(|(_, count)| *count).max().unwrap_or_default();
    let is_evaluated = |item| such.iter().any(|(holds, such)| *holds && such(item));
    items(value, |items| {
        let mut rest = items.iter().skip(count);
        rest.all(|item| is_evaluated(item) || test(item))
    })
}

/// `oneOf`: whether exactly one of the verdicts is yes.
#[must_use]
pub fn one<const N: usize>(verdicts: [bool; N]) -> bool {
    verdicts.into_iter().filter(|verdict| *verdict).count() == 1
}

/// `not`.
#[must_use]
pub const fn not(verdict: bool) -> bool {
    !verdict
}

/// The results of conditions about the values inside one value.
#[derive(Debug, Default)]
pub struct Memo<'v> {
    found: RefCell<HashMap<(&'static str, ByPlace<'v>), bool>>,
}

impl<'v> Memo<'v> {
    /// The result of `ask` for `value`, computed at most once for each `condition`.
    pub fn once(
        &self,
        condition: &'static str,
        value: &'v Value,
        ask: impl FnOnce() -> bool,
    ) -> bool {
        let question = (condition, ByPlace(value));
        if let Some(known) = self.found.borrow().get(&question) {
            return *known;
        }
        let found = ask();
        self.found.borrow_mut().insert(question, found);
        found
    }
}

/// A value that equals no other but itself. It is borrowed, so none can take its place.
#[derive(Debug, Clone, Copy)]
struct ByPlace<'v>(&'v Value);

impl PartialEq for ByPlace<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for ByPlace<'_> {}

impl Hash for ByPlace<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}
