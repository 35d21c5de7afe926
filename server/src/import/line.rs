//! Typed lines and their conversion to records, with the checks that a schema cannot express.

mod catalogue;
mod money;
mod partner;

use std::collections::HashMap;
use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::schema::{Kind, Schemas};
use super::{LineError, Record};
use crate::chains::{Address, Chain, ChainAddress, ChainId, ChainKind};
use crate::database::StoreError;

/// Turns lines into records.
pub(super) struct Decoder {
    schemas: Schemas,
    chains: Chains,
}

/// The kinds of the chains that are recorded or were on an earlier line. The format of an address
/// depends on them.
pub(super) struct Chains(HashMap<ChainId, ChainKind>);

/// A typed line.
trait Line: DeserializeOwned {
    /// The record of the line.
    fn into_record(self, chains: &Chains) -> Result<Record, LineError>;
}

impl Decoder {
    /// A decoder that knows the recorded chains.
    pub(super) fn new(chains: &[Chain]) -> Result<Decoder, StoreError> {
        let chains = chains.iter().map(|chain| (chain.id, chain.kind)).collect();
        Ok(Decoder {
            schemas: Schemas::compile()?,
            chains: Chains(chains),
        })
    }

    /// The record of a line, or the line's errors.
    pub(super) fn decode(&mut self, text: &[u8]) -> Result<Record, Vec<LineError>> {
        let line = serde_json::from_slice(text)
            .map_err(|error| vec![LineError::of_line(format!("is not JSON: {error}"))])?;
        let kind = self.schemas.check(&line)?;
        let record = self.record(kind, line).map_err(|error| vec![error])?;
        if let Record::Chain(chain) = &record {
            // A chain's kind cannot change: a line that says otherwise is going to be refused.
            self.chains.0.entry(chain.id).or_insert(chain.kind);
        }
        Ok(record)
    }

    fn record(&self, kind: Kind, line: Value) -> Result<Record, LineError> {
        match kind {
            Kind::Chain => self.typed::<catalogue::ChainLine>(line),
            Kind::Charity => self.typed::<catalogue::CharityLine>(line),
            Kind::Token => self.typed::<catalogue::TokenLine>(line),
            Kind::Project => self.typed::<partner::ProjectLine>(line),
            Kind::Contract => self.typed::<partner::ContractLine>(line),
            Kind::Config => self.typed::<money::ConfigLine>(line),
            Kind::PartnerToken => self.typed::<partner::PartnerTokenLine>(line),
            Kind::Campaign => self.typed::<money::CampaignLine>(line),
            Kind::Donation => self.typed::<money::DonationLine>(line),
        }
    }

    fn typed<T: Line>(&self, line: Value) -> Result<Record, LineError> {
        let line: T =
            serde_json::from_value(line).map_err(|error| LineError::of_line(error.to_string()))?;
        line.into_record(&self.chains)
    }
}

impl Chains {
    /// The chain's kind.
    fn kind(&self, chain: ChainId, pointer: &str) -> Result<ChainKind, LineError> {
        let unknown = || LineError::new(pointer, "names no chain that is recorded");
        self.0.get(&chain).copied().ok_or_else(unknown)
    }

    /// An address on a chain that `chainId` named.
    fn address(&self, chain: ChainId, text: &str, pointer: &str) -> Result<Address, LineError> {
        Address::parse(self.kind(chain, "/chainId")?, text).map_err(at(pointer))
    }

    /// An address with its chain.
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

/// Reads a value that is written as text.
fn parse<T: std::str::FromStr<Err: Display>>(text: &str, pointer: &str) -> Result<T, LineError> {
    text.parse().map_err(at(pointer))
}

#[cfg(test)]
mod tests;
