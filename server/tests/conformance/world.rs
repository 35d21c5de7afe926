//! A small world for the cases: two projects, three charities, four tokens.

use std::collections::HashMap;
use std::sync::Arc;

use db::{Db, DbError, Location, Timeouts, Tx, Writer};
use features::campaigns::CampaignId;
use features::catalogue::CatalogueUpdate;
use features::chains::ChainAddress;
use features::charities::CharityId;
use features::database;
use features::domain::amount::UsdE6;
use features::domain::donation_stats::DonationStats;
use features::domain::recording::{OnRejection, Outcome};
use features::import::Record;
use features::keys::KeyRecord;
use features::tokens::PartnerDetail;
use tempfile::TempDir;

use crate::instances::{self, Instance, MIGRATED, SharedInstance};
use crate::records::basic_records;

/// Where databases for cases are made.
#[derive(Clone)]
pub(crate) enum Site {
    /// In folders.
    Files,
    /// In the server of all tests, as copies of a migrated one.
    Shared(Arc<SharedInstance>),
    /// In a server of the case's own, as copies of a migrated one.
    Instance(Arc<Instance>),
}

/// A database of a case's own, which goes with it.
pub(crate) struct World {
    pub(crate) store: Db,
    location: Location,
    text: String,
    _folder: Option<TempDir>,
    /// Keeps the server.
    _site: Site,
}

impl World {
    /// A store without anything.
    pub(crate) async fn empty(site: &Site) -> World {
        let (text, folder) = match site {
            Site::Files => {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("catalogue.db");
                (path.to_str().unwrap().to_owned(), Some(folder))
            }
            Site::Shared(server) => (server.database().await, None),
            Site::Instance(instance) => (instance.copy(MIGRATED).await, None),
        };
        let location: Location = text.parse().unwrap();
        World {
            store: database::connect(&location).await.unwrap(),
            location,
            text,
            _folder: folder,
            _site: site.clone(),
        }
    }

    /// Its location, in the form of `--database`.
    pub(crate) fn url(&self) -> String {
        self.text.clone()
    }

    /// A store of another process on the same database.
    pub(crate) async fn another(&self) -> Db {
        database::connect(&self.location).await.unwrap()
    }

    /// Runs SQL behind the store's back.
    pub(crate) async fn tamper(&self, sql: &str) {
        match &self.location {
            Location::File(path) => {
                let file = rusqlite::Connection::open(path).unwrap();
                file.execute_batch(sql).unwrap();
            }
            Location::Postgres(_) => instances::execute(&self.text, sql).await,
        }
    }

    /// Every row of every table, as text.
    pub(crate) async fn dump(&self) -> Vec<String> {
        match &self.location {
            Location::File(path) => {
                let file = rusqlite::Connection::open(path).unwrap();
                let tables = "SELECT name FROM sqlite_schema WHERE type = 'table'";
                let rows = strings(&file, tables).into_iter().flat_map(|table| {
                    let columns = format!("SELECT name FROM pragma_table_info('{table}')");
                    let columns = strings(&file, &columns).join("), quote(");
                    let sql =
                        format!("SELECT concat_ws(' ', '{table}', quote({columns})) FROM {table}");
                    strings(&file, &sql)
                });
                rows.collect()
            }
            Location::Postgres(_) => instances::dump(&self.text).await,
        }
    }

    /// A database with [`basic_records`](crate::records::basic_records).
    pub(crate) async fn new(site: &Site) -> World {
        let world = World::empty(site).await;
        world.record_all(basic_records()).await;
        world
    }

    /// Records one record.
    pub(crate) async fn record(&self, record: Record) -> Outcome {
        features::import::store::record(&self.store, vec![record], OnRejection::Stop)
            .await
            .unwrap()
            .remove(0)
    }

    /// Records a batch that must not be refused.
    pub(crate) async fn record_all(&self, records: Vec<Record>) {
        for outcome in features::import::store::record(&self.store, records, OnRejection::Stop)
            .await
            .unwrap()
        {
            outcome.unwrap();
        }
    }

    /// Checks that the roll-ups are equal to the sums of the donations.
    pub(crate) async fn verify(&self) {
        assert_eq!(
            features::rollups::verification::verify_rollups(&self.store)
                .await
                .unwrap(),
            []
        );
    }
}

/// The first column of a query.
fn strings(file: &rusqlite::Connection, sql: &str) -> Vec<String> {
    let mut statement = file.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

impl World {
    /// Empties the change log.
    pub(crate) async fn forget_changes(&self) {
        let forget =
            |tx: &Tx<'_>| -> Result<u64, DbError> { tx.execute("DELETE FROM change", &[]) };
        let limits = Timeouts::Request;
        self.store
            .write(Writer::Unlimited, limits, forget)
            .await
            .unwrap();
    }
}

/// Everything that servers have in memory.
pub(crate) async fn catalogue(store: &Db) -> CatalogueUpdate {
    features::catalogue::store::update(store, None)
        .await
        .unwrap()
}

/// What charities have received.
pub(crate) async fn received(store: &Db) -> HashMap<CharityId, DonationStats> {
    catalogue(store)
        .await
        .received
        .rows()
        .iter()
        .copied()
        .collect()
}

/// What campaigns have raised.
pub(crate) async fn raised(store: &Db) -> HashMap<CampaignId, UsdE6> {
    let catalogue = catalogue(store).await;
    let campaigns = catalogue.campaigns.rows().iter();
    campaigns.map(|it| (it.campaign.id, it.raised)).collect()
}

/// The keys of all projects.
pub(crate) async fn all_keys(store: &Db) -> Vec<KeyRecord> {
    let (_, keys) = features::keys::store::update(store, None).await.unwrap();
    keys.rows().to_vec()
}

/// A partner token.
pub(crate) async fn partner_of(store: &Db, token: ChainAddress) -> PartnerDetail {
    let found = features::contracts::store::token(store, token).await;
    found.unwrap().unwrap().1.unwrap()
}
