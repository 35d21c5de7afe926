//! A program that tries a generated crate out: it takes every documented example through its type,
//! and calls every operation through the crate's own client and service.
//!
//! What is sent, answered and expected is decided here, in terms of the intermediate
//! representation; `render::trial` prints it.

mod example;
mod exchange;
mod pool;

pub(crate) use example::Shown;
pub(crate) use exchange::{Answer, Exchange, Held, Piece, Sent, Side};
pub(crate) use pool::Pool;

use crate::diagnostic::Diagnostics;
use crate::ir::Operation;
use crate::source::Source;
use crate::tree::FileTree;
use crate::{Options, Reading, lowered, render};

/// A program beside a generated crate, and what it tries.
#[derive(Debug)]
pub struct Trial {
    /// The files of a package that lies in a folder of the generated crate, which it knows as
    /// `subject`. Run, it prints one object of JSON with the failures, `examples` and `operations`,
    /// each a list of texts; it exits with 1 where there are any.
    pub files: FileTree,
    /// How many examples are taken through their types.
    pub examples: usize,
    /// Examples that are not valid by their own schemas, which is the document's fault: where, and
    /// what is wrong.
    pub invalid: Vec<String>,
    /// How many operations are called, those of webhooks and callbacks among them.
    pub operations: usize,
    /// Operations that are not, because no valid request or answer is known.
    pub unsampled: Vec<String>,
    /// Operations that nobody can call or answer, because the schema of something that they need has
    /// no values; that is the document's fault.
    pub impossible: Vec<String>,
}

/// Makes the program for the crate that [`generate_with`](crate::generate_with) makes of the same
/// arguments.
///
/// # Errors
/// As [`generate`](crate::generate).
pub fn trial(source: &Source, reading: &Reading, options: &Options) -> Result<Trial, Diagnostics> {
    let api = lowered(source, reading, options)?.api;
    let mut pool = Pool::new(&api.schemas);
    let (shown, invalid) = example::all(&api, &mut pool);
    let mut exchanges = Vec::new();
    let (mut unsampled, mut impossible) = (Vec::new(), Vec::new());
    let callbacks = api.callbacks.iter().map(|callback| &callback.operation);
    let served = api.operations.iter().map(|one| (Side::Served, one));
    let webhooks = api.webhooks.iter().map(|one| (Side::Webhook, one));
    let callbacks = callbacks.map(|one| (Side::Callback, one));
    // Of a raw operation nobody knows what it takes and gives, one without a documented answer has
    // none to give, and one that is not served gets no request.
    let answered = |operation: &Operation| {
        let mut responses = operation.responses.iter();
        !operation.raw
            && operation.served
            && responses.any(|response| !response.statuses.is_empty())
    };
    let all = served.chain(webhooks).chain(callbacks);
    for (side, operation) in all.filter(|(_, operation)| answered(operation)) {
        match exchange::of(&mut pool, side, operation) {
            Ok(exchange) => exchanges.push(exchange),
            Err(what) => {
                let possible = !exchange::is_impossible(&pool, operation);
                let list = if possible {
                    &mut unsampled
                } else {
                    &mut impossible
                };
                list.push(format!("{}: no value of {what}", operation.id));
            }
        }
    }
    Ok(Trial {
        examples: shown.len(),
        invalid,
        operations: exchanges.len(),
        unsampled,
        impossible,
        files: render::trial(&api, options, &shown, &exchanges, &pool),
    })
}
