//! Checks of integers, for each of their types.

use super::Access;
use crate::ir::integer::decimal;
use crate::ir::{IntegerType, Rules};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use serde_json::Value;

/// Adds the checks of the keywords and the format, beyond those of the type.
pub(super) fn check(width: IntegerType, rules: &Rules, at: Access<'_>, all: &mut Vec<TokenStream>) {
    match width {
        IntegerType::Short => native((i32::MIN.into(), i32::MAX.into()), rules, at, all),
        IntegerType::Signed => native((i64::MIN.into(), i64::MAX.into()), rules, at, all),
        IntegerType::Unsigned => native((0, u64::MAX.into()), rules, at, all),
        IntegerType::Any => {
            unbounded(rules, at, all);
            multiple(rules, &at.reference(), all);
        }
    }
}

/// The tightest bounds that the keywords and the format leave, where the type's own are wider.
fn native((least, most): (i128, i128), rules: &Rules, at: Access<'_>, all: &mut Vec<TokenStream>) {
    let (reference, place) = (at.reference(), at.place());
    let (low, high) = rules.integer_bounds();
    // A type is as wide as its bounds, unless they cross.
    if low.zip(high).is_some_and(|(low, high)| low > high) {
        all.push(quote!(false));
        return;
    }
    let low = low.filter(|n| *n > least).map(Literal::i128_unsuffixed);
    let high = high.filter(|n| *n < most).map(Literal::i128_unsuffixed);
    match (low, high) {
        (Some(low), Some(high)) => all.push(quote!((#low..=#high).contains(#reference))),
        (Some(low), None) => all.push(quote!(#place >= #low)),
        (None, Some(high)) => all.push(quote!(#place <= #high)),
        (None, None) => {}
    }
    match rules.multiple_of.as_ref().and_then(small) {
        Some(of) if of > 0 && i128::from(of) <= most => {
            let of = Literal::i64_unsuffixed(of);
            all.push(quote!(#place % #of == 0));
        }
        _ => multiple(rules, &quote!(&runtime::Integer::from(#place)), all),
    }
}

/// The bounds of a type that has none itself.
fn unbounded(rules: &Rules, at: Access<'_>, all: &mut Vec<TokenStream>) {
    let bounds = [
        (&rules.minimum, quote!(>=), quote!(is_ge)),
        (&rules.exclusive_minimum, quote!(>), quote!(is_gt)),
        (&rules.maximum, quote!(<=), quote!(is_le)),
        (&rules.exclusive_maximum, quote!(<), quote!(is_lt)),
    ];
    let (reference, place) = (at.reference(), at.place());
    for (bound, operator, holds) in bounds {
        let Some(bound) = bound else { continue };
        all.push(match small(bound) {
            Some(bound) => {
                let bound = Literal::i64_unsuffixed(bound);
                quote!(#place #operator #bound)
            }
            None => {
                let bound = bound.to_string();
                quote!(rt::check::compare(#reference, #bound).#holds())
            }
        });
    }
}

/// `multipleOf`, of a divisor that is no integer or of a value that has no bounds.
fn multiple(rules: &Rules, value: &impl ToTokens, all: &mut Vec<TokenStream>) {
    if let Some(of) = &rules.multiple_of {
        let of = of.to_string();
        all.push(quote!(rt::check::divides(#of, #value)));
    }
}

/// A number that is an integer of 64 bits, however it is written.
fn small(number: &Value) -> Option<i64> {
    decimal(number)?.to_i128()?.try_into().ok()
}
