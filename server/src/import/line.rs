//! Lines as typed values, and the records that they stand for: what a schema cannot say is checked
//! here.

mod catalogue;
mod money;
mod partner;

use std::collections::HashMap;
use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Fault;
use super::schema::{Kind, Schemas};
use crate::domain::address::{Address, ChainAddress};
use crate::domain::chain::{Chain, ChainId, ChainKind};
use crate::store::{Record, StoreError};

/// Turns lines into records.
pub(super) struct Decoder {
    schemas: Schemas,
    chains: Chains,
}

/// The kinds of the chains that are recorded or were on an earlier line: what an address is depends
/// on them.
pub(super) struct Chains(HashMap<ChainId, ChainKind>);

/// A typed line.
trait Line: DeserializeOwned {
    /// The record that it stands for.
    fn into_record(self, chains: &Chains) -> Result<Record, Fault>;
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

    /// The record that a line stands for, or what is wrong with the line.
    pub(super) fn decode(&mut self, text: &[u8]) -> Result<Record, Vec<Fault>> {
        let line = serde_json::from_slice(text)
            .map_err(|error| vec![Fault::of_line(format!("is not JSON: {error}"))])?;
        let kind = self.schemas.check(&line)?;
        let record = self.record(kind, line).map_err(|fault| vec![fault])?;
        if let Record::Chain(chain) = &record {
            // A chain's kind cannot change: a line that says otherwise is going to be refused.
            self.chains.0.entry(chain.id).or_insert(chain.kind);
        }
        Ok(record)
    }

    fn record(&self, kind: Kind, line: Value) -> Result<Record, Fault> {
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

    fn typed<T: Line>(&self, line: Value) -> Result<Record, Fault> {
        let line: T =
            serde_json::from_value(line).map_err(|error| Fault::of_line(error.to_string()))?;
        line.into_record(&self.chains)
    }
}

impl Chains {
    /// The chain's kind.
    fn kind(&self, chain: ChainId, pointer: &str) -> Result<ChainKind, Fault> {
        let unknown = || Fault::new(pointer, "names no chain that is recorded");
        self.0.get(&chain).copied().ok_or_else(unknown)
    }

    /// An address on a chain that `chainId` named.
    fn address(&self, chain: ChainId, text: &str, pointer: &str) -> Result<Address, Fault> {
        Address::parse(self.kind(chain, "/chainId")?, text).map_err(at(pointer))
    }

    /// An address with its chain.
    fn place(&self, chain: i64, text: &str, pointer: &str) -> Result<ChainAddress, Fault> {
        let chain = chain_id(chain, "/chainId")?;
        Ok(ChainAddress {
            chain,
            address: self.address(chain, text, pointer)?,
        })
    }
}

fn chain_id(number: i64, pointer: &str) -> Result<ChainId, Fault> {
    ChainId::new(number).ok_or_else(|| Fault::new(pointer, "is no chain id"))
}

/// Makes a fault of an error in the value at `pointer`.
fn at<E: Display>(pointer: impl Into<String>) -> impl FnOnce(E) -> Fault {
    |error| Fault::new(pointer, error.to_string())
}

/// Reads a value that is written as text.
fn parse<T: std::str::FromStr<Err: Display>>(text: &str, pointer: &str) -> Result<T, Fault> {
    text.parse().map_err(at(pointer))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A decoder that knows the chain of the examples.
    fn decoder() -> Decoder {
        let mut decoder = Decoder::new(&[]).unwrap();
        decoder
            .decode(schema(Kind::Chain)["examples"][0].to_string().as_bytes())
            .unwrap();
        decoder
    }

    fn schema(kind: Kind) -> Value {
        serde_json::from_str(kind.schema()).unwrap()
    }

    fn examples(kind: Kind) -> Vec<Value> {
        schema(kind)["examples"].as_array().unwrap().clone()
    }

    fn members(object: &Value) -> Vec<String> {
        object.as_object().unwrap().keys().cloned().collect()
    }

    /// An example with each of its members in turn.
    fn with_members(example: &Value) -> Vec<(&Value, String)> {
        members(example)
            .into_iter()
            .map(|member| (example, member))
            .collect()
    }

    fn pointers(outcome: Result<Record, Vec<Fault>>) -> Vec<String> {
        outcome
            .unwrap_err()
            .into_iter()
            .map(|fault| fault.pointer)
            .collect()
    }

    #[test]
    fn the_examples_show_every_member() {
        for kind in Kind::ALL {
            let shown: Vec<_> = examples(kind).iter().flat_map(members).collect();
            for member in members(&schema(kind)["properties"]) {
                assert!(shown.contains(&member), "{member} of {}", kind.as_str());
            }
        }
    }

    #[test]
    fn what_is_optional_may_be_left_out_and_nothing_else() {
        let mut decoder = decoder();
        for kind in Kind::ALL {
            let required = schema(kind)["required"].clone();
            for (example, member) in examples(kind).iter().flat_map(with_members) {
                let mut line = example.clone();
                line.as_object_mut().unwrap().shift_remove(&member);
                let decoded = decoder.decode(line.to_string().as_bytes());
                // One of both is required, which is not said by `required` of the object itself.
                let either =
                    kind == Kind::Campaign && ["charity", "config"].contains(&member.as_str());
                let needed = either || required.as_array().unwrap().contains(&json!(member));
                assert_eq!(
                    decoded.is_err(),
                    needed,
                    "{} without {member}",
                    kind.as_str()
                );
            }
        }
    }

    #[test]
    fn a_value_of_another_type_is_told_by_its_place() {
        let mut decoder = decoder();
        for kind in Kind::ALL {
            for (example, member) in examples(kind).iter().flat_map(with_members) {
                // No member is a number with a fraction, a nested array or a control character.
                for wrong in [json!(1.5), json!([[]]), json!("\u{0}")] {
                    let mut line = example.clone();
                    line[&member] = wrong;
                    let pointers = pointers(decoder.decode(line.to_string().as_bytes()));
                    let expected = format!("/{member}");
                    assert!(
                        pointers
                            .iter()
                            .all(|pointer| pointer.starts_with(&expected)),
                        "{expected}: {pointers:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_member_that_is_not_in_the_schema_is_refused() {
        let mut decoder = decoder();
        for mut line in Kind::ALL.into_iter().flat_map(examples) {
            line["unheardOf"] = json!(1);
            let faults = decoder.decode(line.to_string().as_bytes()).unwrap_err();
            assert!(faults[0].message.contains("unheardOf"), "{faults:?}");
        }
    }

    #[test]
    fn every_fault_of_a_line_is_told() {
        let mut line = examples(Kind::Token).remove(0);
        line["name"] = json!("");
        line["decimals"] = json!(256);
        let mut pointers = pointers(decoder().decode(line.to_string().as_bytes()));
        pointers.sort();
        assert_eq!(pointers, ["/decimals", "/name"]);
    }

    #[test]
    fn rules_beyond_the_schemas() {
        let mut decoder = decoder();
        let mut check = |kind: Kind, member: &str, value: Value, pointer: &str| {
            let mut line = examples(kind).remove(0);
            line[member] = value;
            assert_eq!(
                pointers(decoder.decode(line.to_string().as_bytes())),
                [pointer]
            );
        };
        let config = &examples(Kind::Config)[0];
        let beneficiary = &config["charityBeneficiaries"][0];
        let base58 = config["id"]
            .as_str()
            .unwrap()
            .parse::<crate::domain::config::ConfigId>()
            .unwrap()
            .base58();
        let second = "/charityBeneficiaries/1/charityId";
        check(
            Kind::Config,
            "charityBeneficiaries",
            json!([beneficiary, beneficiary]),
            second,
        );
        check(
            Kind::Config,
            "users",
            json!([{"chainId": 5, "address": "x"}]),
            "/users/0/chainId",
        );
        check(
            Kind::Config,
            "users",
            json!([{"chainId": 1, "address": "x"}]),
            "/users/0/address",
        );
        check(
            Kind::PartnerToken,
            "previousConfigs",
            json!([base58]),
            "/previousConfigs/0",
        );
        check(
            Kind::Campaign,
            "endsAt",
            json!("2026-03-01T00:00:00Z"),
            "/endsAt",
        );
        check(
            Kind::Campaign,
            "endsAt",
            json!("2026-02-30T00:00:00Z"),
            "/endsAt",
        );
        check(
            Kind::Donation,
            "usdE6",
            json!("9223372036854775808"),
            "/usdE6",
        );
        check(Kind::Donation, "amount", json!("9".repeat(78)), "/amount");
        check(Kind::Donation, "transaction", json!("0x00"), "/transaction");
        check(
            Kind::Donation,
            "at",
            json!("2026-03-01T00:00:00.0001Z"),
            "/at",
        );
    }
}
