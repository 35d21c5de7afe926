//! Records of a small world: two projects, three charities, four tokens.

#![allow(dead_code, reason = "no test needs all of it")]

use features::campaigns::{Campaign, CampaignBeneficiary, CampaignId};
use features::chains::{
    Address, Chain, ChainAddress, ChainId, ChainKind, NativeCurrency, TransactionId,
};
use features::charities::{Category, Charity, CharityId, PostalAddress};
use features::configs::{Beneficiary, Config, ConfigLabels};
use features::contracts::PartnerContract;
use features::domain::amount::{TokenAmount, UsdE6, Weight};
use features::domain::config_id::ConfigId;
use features::donations::{Donation, Revision};
use features::import::Record;
use features::keys::KeyId;
use features::projects::{Project, ProjectId, Requester, Tier};
use features::tokens::{PartnerToken, Token};
use jiff::Timestamp;
use uuid::Uuid;

/// A program with some key of the project.
pub(crate) const BY_KEY: Requester = Requester::Key(KeyId(Uuid::from_u128(1)));

/// The chain, projects 1 and 2, charities 1 to 3, tokens 1 to 4, configs 1 (project 1: charities 1 and 2, by 1
/// to 2) and 2 (project 2: charity 2), and contract 1 of project 1.
pub(crate) fn basic_records() -> Vec<Record> {
    let mut records = vec![Record::Chain(chain())];
    records.extend([1, 2].map(|n| Record::Project(project(n))));
    records.extend([1, 2, 3].map(|n| Record::Charity(Box::new(charity(n)))));
    records.extend([1, 2, 3, 4].map(|n| Record::Token(token(n))));
    records.push(Record::Config(config(1, 1, &[(1, 1), (2, 2)])));
    records.push(Record::Config(config(2, 2, &[(2, 7)])));
    records.push(Record::Contract(contract(1, 1)));
    records
}

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

pub(crate) fn chain_id() -> ChainId {
    ChainId::new(1).unwrap()
}

pub(crate) fn project_id(n: u8) -> ProjectId {
    ProjectId(Uuid::from_bytes([n; 16]))
}

pub(crate) fn charity_id(n: u8) -> CharityId {
    CharityId(Uuid::from_bytes([n; 16]))
}

pub(crate) fn config_id(n: u8) -> ConfigId {
    ConfigId([n; 32])
}

pub(crate) fn address(n: u8) -> Address {
    Address::parse(ChainKind::Evm, &format!("0x{n:040x}")).unwrap()
}

pub(crate) fn place(n: u8) -> ChainAddress {
    ChainAddress {
        chain: chain_id(),
        address: address(n),
    }
}

pub(crate) fn chain() -> Chain {
    Chain {
        id: chain_id(),
        name: "Ethereum".to_owned(),
        kind: ChainKind::Evm,
        native_currency: NativeCurrency {
            name: "Ether".to_owned(),
            symbol: "ETH".to_owned(),
            decimals: 18,
        },
        explorer: None,
    }
}

pub(crate) fn project(n: u8) -> Project {
    Project {
        id: project_id(n),
        name: format!("Project {n}"),
        tier: Tier::Free,
    }
}

pub(crate) fn charity(n: u8) -> Charity {
    Charity {
        id: charity_id(n),
        slug: format!("charity-{n}"),
        name: format!("Charity {n}"),
        description: "A charity.".to_owned(),
        logo: None,
        website: Some("https://charity.example".to_owned()),
        address: PostalAddress::default(),
        country: "NL".to_owned(),
        tax_id: None,
        category: Category::DisasterRelief,
        social_links: Vec::new(),
        verified: true,
        active: true,
        listed_at: at(i64::from(n)),
    }
}

pub(crate) fn token(n: u8) -> Token {
    Token {
        id: place(n),
        name: format!("Token {n}"),
        symbol: format!("T{n}"),
        decimals: 18,
        logo: None,
    }
}

pub(crate) fn config(n: u8, project: u8, beneficiaries: &[(u8, u32)]) -> Config {
    let beneficiary = |(charity, weight): &(u8, u32)| Beneficiary {
        charity: charity_id(*charity),
        weight: Weight::new(*weight).unwrap(),
    };
    Config {
        id: config_id(n),
        project: project_id(project),
        beneficiaries: beneficiaries.iter().map(beneficiary).collect(),
        labels: ConfigLabels::default(),
        users: Vec::new(),
        created_at: at(i64::from(n)),
        deleted_at: None,
    }
}

pub(crate) fn contract(n: u8, project: u8) -> PartnerContract {
    PartnerContract {
        id: place(100 + n),
        project: project_id(project),
    }
}

pub(crate) fn partner_token(token: u8, contract: u8, config: u8) -> PartnerToken {
    PartnerToken {
        token: place(token),
        contract: address(100 + contract),
        creator: address(200),
        active_config: config_id(config),
        previous_configs: Vec::new(),
    }
}

/// A donation in transaction `n`, of `usd` millionths, at second `n`.
pub(crate) fn donation(n: u32, token: u8, config: u8, usd: i64) -> Donation {
    Donation {
        token: place(token),
        transaction: TransactionId::parse(ChainKind::Evm, &format!("0x{n:064x}")).unwrap(),
        log_index: 0,
        revision: Revision(0),
        config: config_id(config),
        amount: TokenAmount(ruint::aliases::U256::MAX),
        usd: UsdE6(usd),
        at: at(i64::from(n)),
    }
}

/// The donation's next revision.
pub(crate) fn revised(donation: &Donation) -> Donation {
    Donation {
        revision: Revision(donation.revision.0 + 1),
        ..donation.clone()
    }
}

pub(crate) fn campaign(n: u8, beneficiary: CampaignBeneficiary, from: i64, to: i64) -> Campaign {
    Campaign {
        id: CampaignId(Uuid::from_bytes([n; 16])),
        title: "A campaign".to_owned(),
        description: "For a good cause.".to_owned(),
        beneficiary,
        goal: UsdE6(1),
        starts_at: at(from),
        ends_at: Some(at(to)),
    }
}
