//! A small world for the store's tests: two projects, three charities, four tokens.

use std::sync::Arc;

use jiff::Timestamp;
use tempfile::TempDir;
use uuid::Uuid;

use super::sqlite::Sqlite;
use super::{Database, OnRejection, Outcome, Record, Store};
use crate::domain::address::{Address, ChainAddress};
use crate::domain::amount::{TokenAmount, UsdE6, Weight};
use crate::domain::chain::{Chain, ChainId, ChainKind, NativeCurrency};
use crate::domain::charity::{Category, Charity, CharityId, PostalAddress};
use crate::domain::config::{Beneficiary, Config, ConfigId};
use crate::domain::donation::{Donation, Revision};
use crate::domain::partner::{PartnerContract, PartnerToken};
use crate::domain::project::{Project, ProjectId, Tier};
use crate::domain::token::Token;
use crate::domain::transaction::TransactionId;

/// A store in a directory that goes with it.
pub(super) struct World {
    pub(super) store: Store,
    pub(super) sqlite: Arc<Sqlite>,
    pub(super) directory: TempDir,
}

impl World {
    /// A store without anything.
    pub(super) fn empty() -> World {
        let directory = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(&directory.path().join("catalogue.db")).unwrap();
        let sqlite = Arc::new(sqlite);
        World {
            store: Store(Arc::clone(&sqlite) as Arc<dyn Database>),
            sqlite,
            directory,
        }
    }

    /// A store with projects 1 and 2, charities 1 to 3, tokens 1 to 4, configs 1 (project 1:
    /// charities 1 and 2, by 1 to 2) and 2 (project 2: charity 2), and contract 1 of project 1.
    pub(super) async fn new() -> World {
        let world = World::empty();
        let mut records = vec![Record::Chain(chain())];
        records.extend([1, 2].map(|n| Record::Project(project(n))));
        records.extend([1, 2, 3].map(|n| Record::Charity(Box::new(charity(n)))));
        records.extend([1, 2, 3, 4].map(|n| Record::Token(token(n))));
        records.push(Record::Config(config(1, 1, &[(1, 1), (2, 2)])));
        records.push(Record::Config(config(2, 2, &[(2, 7)])));
        records.push(Record::Contract(contract(1, 1)));
        world.record_all(records).await;
        world
    }

    /// Records one record.
    pub(super) async fn record(&self, record: Record) -> Outcome {
        self.store
            .record(vec![record], OnRejection::Stop)
            .await
            .unwrap()
            .remove(0)
    }

    /// Records what must be taken.
    pub(super) async fn record_all(&self, records: Vec<Record>) {
        for outcome in self.store.record(records, OnRejection::Stop).await.unwrap() {
            outcome.unwrap();
        }
    }

    /// Checks that the roll-ups are what the donations add up to.
    pub(super) async fn verify(&self) {
        assert_eq!(self.store.verify_rollups().await.unwrap(), []);
    }
}

pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

pub(super) fn chain_id() -> ChainId {
    ChainId::new(1).unwrap()
}

pub(super) fn project_id(n: u8) -> ProjectId {
    ProjectId(Uuid::from_bytes([n; 16]))
}

pub(super) fn charity_id(n: u8) -> CharityId {
    CharityId(Uuid::from_bytes([n; 16]))
}

pub(super) fn config_id(n: u8) -> ConfigId {
    ConfigId([n; 32])
}

pub(super) fn address(n: u8) -> Address {
    Address::parse(ChainKind::Evm, &format!("0x{n:040x}")).unwrap()
}

pub(super) fn place(n: u8) -> ChainAddress {
    ChainAddress {
        chain: chain_id(),
        address: address(n),
    }
}

pub(super) fn chain() -> Chain {
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

pub(super) fn project(n: u8) -> Project {
    Project {
        id: project_id(n),
        name: format!("Project {n}"),
        tier: Tier::Free,
    }
}

pub(super) fn charity(n: u8) -> Charity {
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

pub(super) fn token(n: u8) -> Token {
    Token {
        id: place(n),
        name: format!("Token {n}"),
        symbol: format!("T{n}"),
        decimals: 18,
        logo: None,
    }
}

pub(super) fn config(n: u8, project: u8, beneficiaries: &[(u8, u32)]) -> Config {
    let beneficiary = |(charity, weight): &(u8, u32)| Beneficiary {
        charity: charity_id(*charity),
        weight: Weight::new(*weight).unwrap(),
    };
    Config {
        id: config_id(n),
        project: project_id(project),
        beneficiaries: beneficiaries.iter().map(beneficiary).collect(),
        users: Vec::new(),
        created_at: at(i64::from(n)),
        deleted_at: None,
    }
}

pub(super) fn contract(n: u8, project: u8) -> PartnerContract {
    PartnerContract {
        id: place(100 + n),
        project: project_id(project),
    }
}

pub(super) fn partner_token(token: u8, contract: u8, config: u8) -> PartnerToken {
    PartnerToken {
        token: place(token),
        contract: address(100 + contract),
        creator: address(200),
        active_config: config_id(config),
        previous_configs: Vec::new(),
    }
}

/// A donation in transaction `n`, of `usd` millionths, at second `n`.
pub(super) fn donation(n: u32, token: u8, config: u8, usd: i64) -> Donation {
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
pub(super) fn revised(donation: &Donation) -> Donation {
    Donation {
        revision: Revision(donation.revision.0 + 1),
        ..donation.clone()
    }
}
