//! Lines about money: configs, campaigns, donations.

use import_lines::models as lines;

use super::{Chains, Line, at, chain_id, narrow, parse};
use crate::campaigns::{Campaign, CampaignBeneficiary, CampaignId};
use crate::chains::{Address, ChainAddress, TransactionId};
use crate::charities::CharityId;
use crate::configs::{Beneficiary, Config, ConfigLabels};
use crate::domain::amount::Weight;
use crate::donations::{Donation, Revision};
use crate::import::{LineError, Record};
use crate::projects::ProjectId;

impl Line for lines::Config {
    fn into_record(self, chains: &Chains) -> Result<Record, LineError> {
        let users = self.users.unwrap_or_default();
        let users = users.iter().enumerate();
        let users = users.map(|(index, user)| user_account(user, chains, index));
        Ok(Record::Config(Config {
            id: parse(&self.id, "/id")?,
            project: ProjectId(self.project.0),
            beneficiaries: beneficiaries(&self.charity_beneficiaries)?,
            labels: ConfigLabels::default(),
            users: users.collect::<Result<_, _>>()?,
            created_at: self.created_at.into_value().0,
            deleted_at: self.deleted_at.flatten().map(|time| time.into_value().0),
        }))
    }
}

fn beneficiaries(
    items: &[lines::ConfigCharityBeneficiariesItem],
) -> Result<Vec<Beneficiary>, LineError> {
    let mut beneficiaries: Vec<Beneficiary> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let pointer = format!("/charityBeneficiaries/{index}");
        let charity = CharityId(item.charity_id.0);
        if beneficiaries
            .iter()
            .any(|earlier| earlier.charity == charity)
        {
            return Err(LineError::new(
                format!("{pointer}/charityId"),
                "is named before",
            ));
        }
        let pointer = format!("{pointer}/weight");
        let weight = Weight::new(narrow(item.weight, &pointer)?)
            .ok_or_else(|| LineError::new(pointer, "is out of range"))?;
        beneficiaries.push(Beneficiary { charity, weight });
    }
    Ok(beneficiaries)
}

fn user_account(
    user: &lines::ConfigUsersItem,
    chains: &Chains,
    index: usize,
) -> Result<ChainAddress, LineError> {
    let pointer = format!("/users/{index}/chainId");
    let chain = chain_id(user.chain_id, &pointer)?;
    let kind = chains.kind(chain, &pointer)?;
    let address = Address::parse(kind, &user.address);
    Ok(ChainAddress {
        chain,
        address: address.map_err(at(format!("/users/{index}/address")))?,
    })
}

impl Line for lines::Campaign {
    fn into_record(self, _: &Chains) -> Result<Record, LineError> {
        let beneficiary = match (self.charity, self.config) {
            (Some(charity), None) => CampaignBeneficiary::Charity(CharityId(charity.0)),
            (None, Some(config)) => CampaignBeneficiary::Config(parse(&config, "/config")?),
            _ => {
                return Err(LineError::of_line(
                    "must have exactly one of charity, config",
                ));
            }
        };
        let starts_at = self.starts_at.into_value().0;
        let ends_at = self.ends_at.flatten().map(|time| time.into_value().0);
        if ends_at.is_some_and(|end| end <= starts_at) {
            return Err(LineError::new("/endsAt", "is not after /startsAt"));
        }
        Ok(Record::Campaign(Campaign {
            id: CampaignId(self.id.0),
            title: self.title,
            description: self.description,
            beneficiary,
            goal: parse(&self.goal_usd_e6, "/goalUsdE6")?,
            starts_at,
            ends_at,
        }))
    }
}

impl Line for lines::Donation {
    fn into_record(self, chains: &Chains) -> Result<Record, LineError> {
        let token = chains.place(self.chain_id, &self.token, "/token")?;
        let kind = chains.kind(token.chain, "/chainId")?;
        Ok(Record::Donation(Donation {
            transaction: TransactionId::parse(kind, &self.transaction)
                .map_err(at("/transaction"))?,
            log_index: narrow(self.log_index, "/logIndex")?,
            revision: Revision(narrow(self.revision.unwrap_or(0), "/revision")?),
            config: parse(&self.config, "/config")?,
            amount: parse(&self.amount, "/amount")?,
            usd: parse(&self.usd_e6, "/usdE6")?,
            at: self.at.into_value().0,
            token,
        }))
    }
}
