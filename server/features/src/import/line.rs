//! The conversion of lines to records, with the checks that a schema cannot express.
//!
//! The types of lines are generated from `import-schemas/`.

mod catalogue;
mod money;
mod partner;

use std::collections::HashMap;
use std::fmt::Display;

use import_lines::runtime::{self, DecodeError};
use import_lines::{SCHEMAS, models};

use super::{LineError, Record, strict_json};
use crate::chains::{Address, Chain, ChainAddress, ChainId, ChainKind};

/// The maximum number of errors that are reported for one line.
const MAX_ERRORS: usize = 20;

/// Turns lines into records.
pub(super) struct Decoder {
    chains: Chains,
}

/// The kinds of the chains that are recorded or were on an earlier line. The format of an address
/// depends on them.
pub(super) struct Chains(HashMap<ChainId, ChainKind>);

/// A line of one kind, which is valid by its schema.
trait Line {
    fn into_record(self, chains: &Chains) -> Result<Record, LineError>;
}

impl Decoder {
    /// A decoder that knows the recorded chains.
    pub(super) fn new(chains: &[Chain]) -> Decoder {
        let chains = chains.iter().map(|chain| (chain.id, chain.kind)).collect();
        Decoder {
            chains: Chains(chains),
        }
    }

    /// The record of a line, or the line's errors.
    pub(super) fn decode(&mut self, line: &[u8]) -> Result<Record, Vec<LineError>> {
        if let Some(found) = encoding(line) {
            return Err(vec![LineError::of_line(found)]);
        }
        let mut errors = strict_json::check(line);
        if !errors.is_empty() {
            errors.truncate(MAX_ERRORS);
            return Err(errors);
        }
        let line = runtime::decode_json(&SCHEMAS, "Line", line).map_err(line_errors)?;
        let record = self.record(line).map_err(|error| vec![error])?;
        if let Record::Chain(chain) = &record {
            // A chain's kind cannot change: a line that says otherwise is going to be refused.
            self.chains.0.entry(chain.id).or_insert(chain.kind);
        }
        Ok(record)
    }

    fn record(&self, line: models::Line) -> Result<Record, LineError> {
        let chains = &self.chains;
        match line {
            models::Line::Chain(line) => line.into_record(chains),
            models::Line::Charity(line) => line.into_record(chains),
            models::Line::Token(line) => line.into_record(chains),
            models::Line::Project(line) => line.into_record(chains),
            models::Line::Contract(line) => line.into_record(chains),
            models::Line::Config(line) => line.into_record(chains),
            models::Line::PartnerToken(line) => line.into_record(chains),
            models::Line::Campaign(line) => line.into_record(chains),
            models::Line::Donation(line) => line.into_record(chains),
        }
    }
}

/// The encoding of a line that is no JSON in UTF-8, if its first bytes name one.
fn encoding(line: &[u8]) -> Option<&'static str> {
    match line {
        [0x1f, 0x8b, ..] => Some("is compressed by gzip: import the output of `gzip -dc FILE`"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            Some("is compressed by zstd: import the output of `zstd -dc FILE`")
        }
        [0xfe, 0xff, ..] | [0xff, 0xfe, ..] | [0, b'{', ..] | [b'{', 0, ..] => {
            Some("is UTF-16: import the output of `iconv -f UTF-16 -t UTF-8 FILE`")
        }
        _ => None,
    }
}

fn line_errors(error: DecodeError) -> Vec<LineError> {
    match error {
        DecodeError::NotJson(error) => vec![LineError::of_line(match error.column {
            0 => error.reason.to_owned(),
            column => format!("{} at column {column}", error.reason),
        })],
        DecodeError::Invalid(issues) => issues
            .into_iter()
            .take(MAX_ERRORS)
            .map(|issue| LineError::new(issue.at, issue.message))
            .collect(),
    }
}

impl Chains {
    fn kind(&self, chain: ChainId, pointer: &str) -> Result<ChainKind, LineError> {
        let unknown = || LineError::new(pointer, "names no chain that is recorded");
        self.0.get(&chain).copied().ok_or_else(unknown)
    }

    /// An address on a chain that `chainId` named.
    fn address(&self, chain: ChainId, text: &str, pointer: &str) -> Result<Address, LineError> {
        Address::parse(self.kind(chain, "/chainId")?, text).map_err(at(pointer))
    }

    fn place(&self, chain: i64, text: &str, pointer: &str) -> Result<ChainAddress, LineError> {
        let chain = chain_id(chain, "/chainId")?;
        Ok(ChainAddress {
            chain,
            address: self.address(chain, text, pointer)?,
        })
    }
}

fn chain_id(number: i64, pointer: &str) -> Result<ChainId, LineError> {
    ChainId::new(number).ok_or_else(|| LineError::new(pointer, "is no chain id"))
}

/// Makes a [`LineError`] of an error in the value at `pointer`.
fn at<E: Display>(pointer: impl Into<String>) -> impl FnOnce(E) -> LineError {
    |error| LineError::new(pointer, error.to_string())
}

fn parse<T: std::str::FromStr<Err: Display>>(text: &str, pointer: &str) -> Result<T, LineError> {
    text.parse().map_err(at(pointer))
}

/// Converts a number to the type of its range in the schema.
fn narrow<T: TryFrom<i64, Error: Display>>(number: i64, pointer: &str) -> Result<T, LineError> {
    number.try_into().map_err(at(pointer))
}

#[cfg(test)]
mod tests;
