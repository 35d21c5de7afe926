//! Lines about money: configs, campaigns, donations.

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use super::{Chains, Line, at, chain_id, parse};
use crate::campaigns::{Campaign, CampaignBeneficiary, CampaignId};
use crate::chains::{Address, ChainAddress, TransactionId};
use crate::charities::CharityId;
use crate::configs::{Beneficiary, Config, ConfigLabels};
use crate::domain::amount::Weight;
use crate::donations::{Donation, Revision};
use crate::import::{LineError, Record};
use crate::projects::ProjectId;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConfigLine {
    id: String,
    project: Uuid,
    charity_beneficiaries: Vec<BeneficiaryPart>,
    #[serde(default)]
    users: Vec<UserPart>,
    created_at: Timestamp,
    deleted_at: Option<Timestamp>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BeneficiaryPart {
    charity_id: Uuid,
    weight: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UserPart {
    chain_id: i64,
    address: String,
}

impl Line for ConfigLine {
    fn into_record(self, chains: &Chains) -> Result<Record, LineError> {
        let users = self
            .users
            .iter()
            .enumerate()
            .map(|(index, user)| user.place(chains, index));
        Ok(Record::Config(Config {
            id: parse(&self.id, "/id")?,
            project: ProjectId(self.project),
            beneficiaries: beneficiaries(&self.charity_beneficiaries)?,
            labels: ConfigLabels::default(),
            users: users.collect::<Result<_, _>>()?,
            created_at: self.created_at,
            deleted_at: self.deleted_at,
        }))
    }
}

fn beneficiaries(parts: &[BeneficiaryPart]) -> Result<Vec<Beneficiary>, LineError> {
    let mut beneficiaries: Vec<Beneficiary> = Vec::new();
    for (index, BeneficiaryPart { charity_id, weight }) in parts.iter().enumerate() {
        let pointer = format!("/charityBeneficiaries/{index}");
        let charity = CharityId(*charity_id);
        if beneficiaries
            .iter()
            .any(|earlier| earlier.charity == charity)
        {
            return Err(LineError::new(
                format!("{pointer}/charityId"),
                "is named before",
            ));
        }
        let weight = Weight::new(*weight)
            .ok_or_else(|| LineError::new(format!("{pointer}/weight"), "is out of range"))?;
        beneficiaries.push(Beneficiary { charity, weight });
    }
    Ok(beneficiaries)
}

impl UserPart {
    fn place(&self, chains: &Chains, index: usize) -> Result<ChainAddress, LineError> {
        let pointer = format!("/users/{index}/chainId");
        let chain = chain_id(self.chain_id, &pointer)?;
        let kind = chains.kind(chain, &pointer)?;
        let address = Address::parse(kind, &self.address);
        Ok(ChainAddress {
            chain,
            address: address.map_err(at(format!("/users/{index}/address")))?,
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CampaignLine {
    id: Uuid,
    title: String,
    description: String,
    charity: Option<Uuid>,
    config: Option<String>,
    goal_usd_e6: String,
    starts_at: Timestamp,
    ends_at: Option<Timestamp>,
}

impl Line for CampaignLine {
    fn into_record(self, _: &Chains) -> Result<Record, LineError> {
        let beneficiary = match (self.charity, self.config) {
            (Some(charity), None) => CampaignBeneficiary::Charity(CharityId(charity)),
            (None, Some(config)) => CampaignBeneficiary::Config(parse(&config, "/config")?),
            _ => {
                return Err(LineError::of_line(
                    "serves a charity or a config, one of both",
                ));
            }
        };
        if self.ends_at.is_some_and(|end| end <= self.starts_at) {
            return Err(LineError::new("/endsAt", "is not after /startsAt"));
        }
        Ok(Record::Campaign(Campaign {
            id: CampaignId(self.id),
            title: self.title,
            description: self.description,
            beneficiary,
            goal: parse(&self.goal_usd_e6, "/goalUsdE6")?,
            starts_at: self.starts_at,
            ends_at: self.ends_at,
        }))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DonationLine {
    chain_id: i64,
    transaction: String,
    log_index: u32,
    #[serde(default)]
    revision: u32,
    token: String,
    config: String,
    amount: String,
    usd_e6: String,
    at: Timestamp,
}

impl Line for DonationLine {
    fn into_record(self, chains: &Chains) -> Result<Record, LineError> {
        let token = chains.place(self.chain_id, &self.token, "/token")?;
        let kind = chains.kind(token.chain, "/chainId")?;
        Ok(Record::Donation(Donation {
            transaction: TransactionId::parse(kind, &self.transaction)
                .map_err(at("/transaction"))?,
            log_index: self.log_index,
            revision: Revision(self.revision),
            config: parse(&self.config, "/config")?,
            amount: parse(&self.amount, "/amount")?,
            usd: parse(&self.usd_e6, "/usdE6")?,
            at: self.at,
            token,
        }))
    }
}
