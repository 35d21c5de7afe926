//! Patterns of schemas, each compiled once.

use json_schema::pattern::{Compiled, compile};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// How many are kept.
const MAX_KEPT: usize = 1_000;

thread_local! {
    /// A pattern means the same everywhere, and compiling it takes far longer than matching it.
    static COMPILED: RefCell<HashMap<String, Option<Rc<Compiled>>>> = RefCell::default();
}

/// Whether a pattern occurs in a text; `None` if the pattern does not compile.
#[must_use]
pub fn matches(pattern: &str, text: &str) -> Option<bool> {
    let compiled = COMPILED.with_borrow_mut(|known| {
        if let Some(compiled) = known.get(pattern) {
            return compiled.clone();
        }
        if known.len() >= MAX_KEPT {
            known.clear();
        }
        let compiled = compile(pattern).ok().map(Rc::new);
        known.insert(pattern.to_owned(), compiled.clone());
        compiled
    });
    compiled.map(|compiled| compiled.is_match(text))
}
