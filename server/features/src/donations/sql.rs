//! The log of donations. Rows are added once and never changed.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use db::{Batch, DbError, Row, Tx, params};
use jiff::Timestamp;

use super::entry::Entry;
use super::listed::DonationPosition;
use super::recording::{self, Identity, Log};
use super::{Donation, DonationFilter, ListedDonation, ReceivedDonation, SplitDonation, events};
use crate::campaigns::events as campaign_events;
use crate::chains::ChainId;
use crate::charities::CharityId;
use crate::configs::Config;
use crate::configs::sql::Configs;
use crate::contracts::sql::Owners;
use crate::domain::config_id::ConfigId;
use crate::domain::day::DayRange;
use crate::domain::position::Position;
use crate::domain::recording::{OnRejection, Outcome};
use crate::projects::ProjectId;
use crate::rollups::key::Dimension;
use crate::rollups::sql as rollups;
use crate::tokens::sql::Tokens;

const RECEIVED: &str = "SELECT donation.chain, donation.tx, donation.log_index, donation.revision,
      donation.token, donation.config, donation.amount, abs(donation.usd_e6) AS usd, donation.at
    FROM charity_donation AS given
    JOIN standing_donation AS donation USING (chain, tx, log_index, revision)
    WHERE given.charity = $1 AND given.at >= $2 AND";

/// A page of a charity's donations, in the order of the primary key.
fn page() -> String {
    format!(
        "{RECEIVED} (given.at, given.chain, given.tx, given.log_index) < ($3, $4, $5, $6)
         ORDER BY given.at DESC, given.chain DESC, given.tx DESC, given.log_index DESC LIMIT $7"
    )
}

/// A page of a charity's donations on one chain, in the order of an index.
fn page_of_chain() -> String {
    format!(
        "{RECEIVED} given.chain = $4 AND (given.at, given.tx, given.log_index) < ($3, $5, $6)
         ORDER BY given.at DESC, given.tx DESC, given.log_index DESC LIMIT $7"
    )
}

/// The donations that a charity received parts of, latest first.
pub(crate) fn of_charity(
    tx: &Tx<'_>,
    charity: CharityId,
    filter: DonationFilter,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<ReceivedDonation>, DbError> {
    let DonationPosition {
        at,
        chain,
        transaction,
        log_index,
    } = DonationPosition::start(after, filter.end());
    let sql = match filter.chain {
        None => page(),
        Some(_) => page_of_chain(),
    };
    let chain = filter.chain.map_or(chain, ChainId::get);
    let since = filter.first_millisecond();
    let params = params![charity, since, at, chain, transaction, log_index, limit];
    let rows: Vec<_> = tx.all(&sql, params, read)?;
    let tokens = Tokens::load(tx, rows.iter().map(|(_, entry)| entry.token))?;
    let configs = Configs::load(tx, rows.iter().map(|(_, entry)| entry.config))?;
    let received = rows.into_iter().map(|(identity, entry)| {
        let (token, _) = tokens.get(entry.token)?;
        let config = configs.get(entry.config)?;
        ReceivedDonation::new(charity, (identity, entry), token, config)
    });
    received.collect()
}

/// A page of the donations through a config, in the order of an index. `IS NULL` comes last, because
/// PostgreSQL takes the type of a parameter from its first use.
const THROUGH: &str = "SELECT chain, tx, log_index, revision, token, config, amount,
      abs(usd_e6) AS usd, at
    FROM standing_donation
    WHERE config = $1 AND at >= $2 AND (at, chain, tx, log_index) < ($3, $4, $5, $6)
      AND (chain = $7 OR $7 IS NULL)
    ORDER BY at DESC, chain DESC, tx DESC, log_index DESC LIMIT $8";

/// The donations through one of a project's configs, latest first.
pub(crate) fn of_config(
    tx: &Tx<'_>,
    (project, config): (ProjectId, ConfigId),
    filter: DonationFilter,
    after: Option<Position>,
    limit: usize,
) -> Result<Option<Vec<SplitDonation>>, DbError> {
    let configs = Configs::load(tx, [config])?;
    let config = configs.find(config);
    let Some(config) = config.filter(|it| it.is_shown_to(project)) else {
        return Ok(None);
    };
    through(tx, config, filter, after, limit).map(Some)
}

/// The donations through a config, latest first.
fn through(
    tx: &Tx<'_>,
    config: &Config,
    filter: DonationFilter,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<SplitDonation>, DbError> {
    let DonationPosition {
        at,
        chain,
        transaction,
        log_index,
    } = DonationPosition::start(after, filter.end());
    let since = filter.first_millisecond();
    let params = params![
        config.id,
        since,
        at,
        chain,
        transaction,
        log_index,
        filter.chain,
        limit
    ];
    let rows: Vec<_> = tx.all(THROUGH, params, read)?;
    let tokens = Tokens::load(tx, rows.iter().map(|(_, entry)| entry.token))?;
    let split = rows.into_iter().map(|(identity, entry)| {
        let (token, _) = tokens.get(entry.token)?;
        Ok(SplitDonation::new((identity, entry), token, config))
    });
    split.collect()
}

/// The configs with the latest donations of a project in some days.
const LATEST_CONFIGS: &str = "SELECT member FROM tally_of_day
    WHERE project = $1 AND facet = $2 AND day BETWEEN $3 AND $4
    GROUP BY member ORDER BY max(last_at) DESC LIMIT $5";

/// The latest donations through a project's configs in some days, latest first, with the config of each. The days
/// bound the rows that are read.
pub(crate) fn latest_of_project(
    tx: &Tx<'_>,
    project: ProjectId,
    days: DayRange,
    limit: usize,
) -> Result<Vec<(Config, ListedDonation)>, DbError> {
    let dimension = Dimension::Config.number();
    let params = params![project, dimension, days.first(), days.last(), limit];
    let members: Vec<[u8; 32]> = tx.all(LATEST_CONFIGS, params, |row| row.get("member"))?;
    let ids = members.into_iter().map(ConfigId);
    let configs = Configs::load(tx, ids.clone())?;
    let mut latest = Vec::new();
    for config in ids.filter_map(|id| configs.find(id)) {
        if !config.is_shown_to(project) {
            continue;
        }
        let donations = through(tx, config, DonationFilter::default(), None, limit)?;
        let donations = donations
            .into_iter()
            .map(|it| (config.clone(), it.donation));
        latest.extend(donations);
    }
    latest.sort_by_key(|(_, donation)| Reverse(donation.at));
    latest.truncate(limit);
    Ok(latest)
}

/// Records donations in order and counts them; a recorded donation with the same identity must be
/// equal. With [`OnRejection::Stop`] the outcomes end with the first rejection. Webhooks get events of the
/// time `told_at`, if there is one.
pub(crate) fn record(
    tx: &Tx<'_>,
    donations: &[&Donation],
    on_rejection: OnRejection,
    told_at: Option<Timestamp>,
) -> Result<Vec<Outcome>, DbError> {
    let owners = Owners::load(tx, donations.iter().map(|it| it.token.key()))?;
    let named: BTreeSet<_> = donations.iter().map(|it| it.config).collect();
    let configs = Configs::load(tx, named)?;
    let effect = |donation: &&Donation| {
        let owner = owners.find(donation.token.key());
        recording::effect(donation, owner, configs.find(donation.config))
    };
    let effects: Vec<_> = donations.iter().map(effect).collect();
    let counted: Vec<_> = effects.iter().filter_map(|it| it.as_ref().ok()).collect();
    let sums = counted.iter().flat_map(|effect| &effect.sums);
    tx.lock_ids(sums.map(|(key, _)| key.project.0))?;

    let mut log = Log::new(load(tx, donations)?);
    let mut batch = rollups::load(tx, &counted)?;
    let outcomes = recording::record(donations, &effects, &mut log, &mut batch, on_rejection);
    insert(tx, &log.added)?;
    rollups::write(tx, &batch)?;
    if let Some(at) = told_at {
        events::enqueue(tx, &log.added, (&owners, &configs), at)?;
        for sum in batch.raised().filter(|it| it.has_reached_goal()) {
            let campaign = (sum.campaign, sum.beneficiary);
            campaign_events::enqueue_goal_reached(tx, campaign, sum.raised, at)?;
        }
    }
    Ok(outcomes)
}

/// Loads the donations that are there already, and the revisions before them.
fn load(tx: &Tx<'_>, donations: &[&Donation]) -> Result<HashMap<Identity, Entry>, DbError> {
    let mut rows = Batch::default();
    for donation in donations {
        let (chain, log_index) = (donation.token.chain, donation.log_index);
        let revisions = [Some(donation.revision), donation.revision.previous()];
        for revision in revisions.into_iter().flatten() {
            let transaction = donation.transaction.as_str();
            rows.push(params![chain, transaction, log_index, revision]);
        }
    }
    let sql = "SELECT donation.chain, donation.tx, donation.log_index, donation.revision,
                 donation.token, donation.config, donation.amount,
                 abs(donation.usd_e6) AS usd, donation.at
               FROM batch(chain bigint, tx text, log_index bigint, revision bigint)
               JOIN donation USING (chain, tx, log_index, revision)";
    tx.all_of_batch(sql, &rows, &[], read)
}

fn insert(tx: &Tx<'_>, donations: &[&Donation]) -> Result<(), DbError> {
    let (mut logged, mut listed) = (Batch::default(), Batch::default());
    for donation in donations {
        let Donation {
            ref token,
            ref transaction,
            log_index,
            revision,
            config,
            amount,
            at,
            ..
        } = **donation;
        let (chain, hash, usd) = (token.chain, transaction.as_str(), donation.signed_usd());
        let token = token.key();
        logged.push(params![
            chain, hash, log_index, revision, token, config, amount, usd, at
        ]);
        if !revision.takes_back() {
            listed.push(params![chain, hash, log_index, revision, config, at]);
        }
    }
    let sql = "INSERT INTO donation (
                 chain, tx, log_index, revision, token, config, amount, usd_e6, at
               )
               SELECT chain, tx, log_index, revision, token, config, amount, usd_e6, at
               FROM batch(chain bigint, tx text, log_index bigint, revision bigint, token bytea,
                 config bytea, amount bytea, usd_e6 bigint, at bigint)";
    tx.execute_batch(sql, &logged, &[])?;
    let sql = "INSERT INTO charity_donation (charity, at, chain, tx, log_index, revision)
               SELECT config_charity.charity, batch.at, batch.chain, batch.tx, batch.log_index,
                 batch.revision
               FROM batch(chain bigint, tx text, log_index bigint, revision bigint, config bytea,
                 at bigint)
               JOIN config_charity ON config_charity.config = batch.config";
    tx.execute_batch(sql, &listed, &[])?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<(Identity, Entry), DbError> {
    let identity = (
        row.get("chain")?,
        row.get("tx")?,
        row.get("log_index")?,
        row.get("revision")?,
    );
    let entry = Entry {
        token: row.get("token")?,
        config: row.get("config")?,
        amount: row.get("amount")?,
        usd: row.get("usd")?,
        at: row.get("at")?,
    };
    Ok((identity, entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::{SCHEMA, assert_reads_index};

    #[test]
    fn a_page_reads_its_index_and_sorts_nothing() {
        assert_reads_index(
            &page(),
            "given USING PRIMARY KEY (charity=? AND at>? AND (at,chain,tx,log_index)<(?,?,?,?))",
        );
        assert_reads_index(
            &page_of_chain(),
            "USING COVERING INDEX charity_donation_of_chain \
             (charity=? AND chain=? AND at>? AND (at,tx,log_index)<(?,?,?))",
        );
        assert_reads_index(
            THROUGH,
            "INDEX donation_of_config (config=? AND at>? AND (at,chain,tx,log_index)<(?,?,?,?))",
        );
    }

    #[test]
    fn the_latest_configs_are_read_by_primary_key() {
        let plan = db::sqlite_plan(LATEST_CONFIGS, SCHEMA).unwrap();
        let index = "tally_of_day USING PRIMARY KEY (project=? AND facet=? AND day>? AND day<?)";
        assert!(plan.contains(index), "{plan}");
    }
}
