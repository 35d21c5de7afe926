//! The contract, by which the server's own tests judge an answer.

#[allow(dead_code, reason = "the tests also ask about requests")]
mod document;
mod closed;
mod table;
#[allow(dead_code, reason = "the tests also ask about requests")]
mod validator;

use std::sync::LazyLock;

pub use document::{Operation, Parameter};
pub use validator::AnswerValidator;

/// The contract of the server.
pub static CONTRACT: LazyLock<AnswerValidator> =
    LazyLock::new(|| AnswerValidator::new(document::Document::read(include_str!("openapi.yaml"))));
