//! The log of donations, in PostgreSQL. Rows are added once and never changed.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio::try_join;
use tokio_postgres::Row;

use super::entry::Entry;
use super::listed::DonationPosition;
use super::recording::{self, Identity, Log};
use super::{Donation, DonationFilter, DonationStore, ReceivedDonation, Revision, SplitDonation};
use crate::chains::ChainId;
use crate::charities::CharityId;
use crate::configs::ConfigId;
use crate::configs::postgres::Configs;
use crate::contracts::postgres::Owners;
use crate::database::StoreError;
use crate::database::postgres::column::{self, Bytes, Millis};
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, Postgres, locks, query};
use crate::domain::position::Position;
use crate::import::{OnRejection, Outcome};
use crate::projects::ProjectId;
use crate::rollups::postgres::batch;
use crate::tokens::postgres::Tokens;
use crate::webhooks::audience::postgres as webhooks;

#[async_trait]
impl DonationStore for Postgres {
    async fn donations_of_charity(
        &self,
        charity: CharityId,
        filter: DonationFilter,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<ReceivedDonation>, StoreError> {
        self.query(move |db| of_charity(db, charity, filter, after, limit).boxed())
            .await
    }

    async fn donations_of_config(
        &self,
        project: ProjectId,
        config: ConfigId,
        filter: DonationFilter,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Option<Vec<SplitDonation>>, StoreError> {
        self.query(move |db| of_config(db, (project, config), filter, after, limit).boxed())
            .await
    }
}

const RECEIVED: &str = "SELECT donation.chain, donation.tx, donation.log_index, donation.revision,
      donation.token, donation.config, donation.amount, abs(donation.usd_e6) AS usd, donation.at
    FROM charity_donation AS given
    JOIN standing_donation AS donation USING (chain, tx, log_index, revision)
    WHERE given.charity = $1 AND given.at >= $2 AND";

/// The donations that a charity received parts of, latest first, in the order of an index.
async fn of_charity(
    db: &impl GenericClient,
    charity: CharityId,
    filter: DonationFilter,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<ReceivedDonation>, Failure> {
    let DonationPosition {
        at,
        chain,
        transaction,
        log_index,
    } = DonationPosition::start(after, filter.end());
    let sql = match filter.chain {
        None => format!(
            "{RECEIVED} (given.at, given.chain, given.tx, given.log_index) < ($3, $4, $5, $6)
             ORDER BY given.at DESC, given.chain DESC, given.tx DESC, given.log_index DESC LIMIT $7"
        ),
        Some(_) => format!(
            "{RECEIVED} given.chain = $4 AND (given.at, given.tx, given.log_index) < ($3, $5, $6)
             ORDER BY given.at DESC, given.tx DESC, given.log_index DESC LIMIT $7"
        ),
    };
    let chain = filter.chain.map_or(chain, ChainId::get);
    let (since, limit) = (filter.first_millisecond(), query::limit(limit));
    let params: query::Params<'_> = &[
        &charity,
        &since,
        &at,
        &chain,
        &transaction,
        &log_index,
        &limit,
    ];
    let rows: Vec<_> = query::all(db, &sql, params, read).await?;
    let (tokens, configs) = try_join!(
        Tokens::load(db, rows.iter().map(|(_, entry)| entry.token)),
        Configs::load(db, rows.iter().map(|(_, entry)| entry.config)),
    )?;
    let received = rows.into_iter().map(|(identity, entry)| {
        let (token, _) = tokens.get(entry.token)?;
        let config = configs.get(entry.config)?;
        ReceivedDonation::new(charity, (identity, entry), token, config)
    });
    Ok(received.collect::<Result<_, _>>()?)
}

const THROUGH: &str = "SELECT chain, tx, log_index, revision, token, config, amount,
      abs(usd_e6) AS usd, at
    FROM standing_donation
    WHERE config = $1 AND at >= $2 AND (at, chain, tx, log_index) < ($3, $4, $5, $6)
      AND ($7::bigint IS NULL OR chain = $7)
    ORDER BY at DESC, chain DESC, tx DESC, log_index DESC LIMIT $8";

/// The donations through one of a project's configs, latest first, in the order of an index.
async fn of_config(
    db: &impl GenericClient,
    (project, config): (ProjectId, ConfigId),
    filter: DonationFilter,
    after: Option<Position>,
    limit: usize,
) -> Result<Option<Vec<SplitDonation>>, Failure> {
    let configs = Configs::load(db, [config]).await?;
    let config = configs.find(config);
    let Some(config) = config.filter(|it| it.is_shown_to(project)) else {
        return Ok(None);
    };
    let DonationPosition {
        at,
        chain,
        transaction,
        log_index,
    } = DonationPosition::start(after, filter.end());
    let (since, limit) = (filter.first_millisecond(), query::limit(limit));
    let params: query::Params<'_> = &[
        &config.id,
        &since,
        &at,
        &chain,
        &transaction,
        &log_index,
        &filter.chain,
        &limit,
    ];
    let rows: Vec<_> = query::all(db, THROUGH, params, read).await?;
    let tokens = Tokens::load(db, rows.iter().map(|(_, entry)| entry.token)).await?;
    let split = rows.into_iter().map(|(identity, entry)| {
        let (token, _) = tokens.get(entry.token)?;
        Ok(SplitDonation::new((identity, entry), token, config))
    });
    Ok(Some(split.collect::<Result<_, StoreError>>()?))
}

/// Records donations in order and counts them; a recorded donation with the same identity must be
/// equal. With [`OnRejection::Stop`] the outcomes end with the first rejection. Webhooks are told at
/// `told_at`, if at all.
pub(crate) async fn record(
    tx: &Transaction<'_>,
    donations: &[&Donation],
    on_rejection: OnRejection,
    told_at: Option<Timestamp>,
    changed: &mut Changed,
) -> Result<Vec<Outcome>, Failure> {
    let owners = Owners::load(tx, donations.iter().map(|it| it.token.key())).await?;
    let named: BTreeSet<_> = donations.iter().map(|it| it.config).collect();
    let configs = Configs::load(tx, named).await?;
    let effect = |donation: &&Donation| {
        let owner = owners.find(donation.token.key());
        recording::effect(donation, owner, configs.find(donation.config))
    };
    let effects: Vec<_> = donations.iter().map(effect).collect();
    let counted: Vec<_> = effects.iter().filter_map(|it| it.as_ref().ok()).collect();
    let sums = counted.iter().flat_map(|effect| &effect.sums);
    locks::own_projects(tx, sums.map(|(key, _)| key.project)).await?;

    let mut log = Log::new(load(tx, donations).await?);
    let mut batch = batch::load(tx, &counted).await?;
    let outcomes = recording::record(donations, &effects, &mut log, &mut batch, on_rejection);
    if !log.added.is_empty() {
        insert(tx, &log.added).await?;
        batch::write(tx, &batch, changed).await?;
    }
    if let Some(at) = told_at {
        webhooks::tell_of_donations(tx, &log.added, (&owners, &configs), at).await?;
        webhooks::tell_of_goals(tx, &batch, at).await?;
    }
    Ok(outcomes)
}

/// Loads the donations that are there already, and the revisions before them.
async fn load(
    tx: &Transaction<'_>,
    donations: &[&Donation],
) -> Result<HashMap<Identity, Entry>, Failure> {
    let mut asked = Identities::default();
    for donation in donations {
        asked.push(donation, donation.revision);
        if let Some(previous) = donation.revision.previous() {
            asked.push(donation, previous);
        }
    }
    let sql = "SELECT donation.chain, donation.tx, donation.log_index, donation.revision,
                 donation.token, donation.config, donation.amount,
                 abs(donation.usd_e6) AS usd, donation.at
               FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[])
                 AS asked (chain, tx, log_index, revision)
               JOIN donation USING (chain, tx, log_index, revision)";
    query::all(tx, sql, &asked.columns(), read).await
}

async fn insert(tx: &Transaction<'_>, donations: &[&Donation]) -> Result<u64, Failure> {
    let mut identities = Identities::default();
    for donation in donations {
        identities.push(donation, donation.revision);
    }
    let added = || donations.iter();
    let tokens: Vec<_> = added().map(|it| Bytes(it.token.key())).collect();
    let configs: Vec<_> = added().map(|it| it.config).collect();
    let amounts: Vec<_> = added().map(|it| it.amount).collect();
    let usd: Vec<_> = added().map(|it| it.signed_usd()).collect();
    let times: Vec<_> = added().map(|it| Millis(it.at)).collect();
    let listed: Vec<_> = added().map(|it| !it.revision.takes_back()).collect();
    let sql = "WITH added AS (
                 SELECT chain, tx, log_index, revision, token, config, amount, usd_e6, at, is_listed
                 FROM unnest(
                   $1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bytea[], $6::bytea[],
                   $7::bytea[], $8::bigint[], $9::bigint[], $10::boolean[]
                 ) AS added (
                   chain, tx, log_index, revision, token, config, amount, usd_e6, at, is_listed
                 )
               ), logged AS (
                 INSERT INTO donation (
                   chain, tx, log_index, revision, token, config, amount, usd_e6, at
                 )
                 SELECT chain, tx, log_index, revision, token, config, amount, usd_e6, at FROM added
               )
               INSERT INTO charity_donation (charity, at, chain, tx, log_index, revision)
               SELECT config_charity.charity, added.at, added.chain, added.tx, added.log_index,
                 added.revision
               FROM added JOIN config_charity ON config_charity.config = added.config
               WHERE added.is_listed";
    let rest: query::Params<'_> = &[&tokens, &configs, &amounts, &usd, &times, &listed];
    query::execute(tx, sql, &[&identities.columns(), rest].concat()).await
}

fn read(row: &Row) -> Result<(Identity, Entry), Failure> {
    let identity = (
        row.try_get("chain")?,
        row.try_get("tx")?,
        column::number(row, "log_index")?,
        row.try_get("revision")?,
    );
    let entry = Entry {
        token: row.try_get::<_, Bytes<40>>("token")?.0,
        config: row.try_get("config")?,
        amount: row.try_get("amount")?,
        usd: row.try_get("usd")?,
        at: column::time(row, "at")?,
    };
    Ok((identity, entry))
}

/// Identities as columns.
#[derive(Default)]
struct Identities<'d> {
    chains: Vec<ChainId>,
    transactions: Vec<&'d str>,
    logs: Vec<i64>,
    revisions: Vec<Revision>,
}

impl<'d> Identities<'d> {
    fn push(&mut self, donation: &'d Donation, revision: Revision) {
        self.chains.push(donation.token.chain);
        self.transactions.push(donation.transaction.as_str());
        self.logs.push(donation.log_index.into());
        self.revisions.push(revision);
    }

    fn columns(&self) -> [&(dyn tokio_postgres::types::ToSql + Sync); 4] {
        [
            &self.chains,
            &self.transactions,
            &self.logs,
            &self.revisions,
        ]
    }
}
