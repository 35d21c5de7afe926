//! The configs of a project with the sums of their donations, in an order, searched by name and id.

use std::collections::{BTreeSet, HashMap};

use db::{DbError, Row, Tx, params};

use super::key::RollupKey;
use super::sql::{load_totals, read_stats};
use crate::configs::Config;
use crate::configs::sql::Configs;
use crate::domain::config_id::ConfigId;
use crate::domain::donation_stats::DonationStats;
use crate::domain::position::{Placed, Position};
use crate::projects::ProjectId;

/// The order of a list of configs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ConfigOrder {
    /// By creation, newest first: all configs.
    #[default]
    Newest,
    /// By the sum of donations, largest first: configs that have received donations.
    Received,
    /// By the latest donation, latest first: likewise.
    LastDonation,
}

/// The configs that a list has, and their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfigQuery {
    pub order: ConfigOrder,
    /// A part of the name in upper or lower case, the id, or the beginning of the id. Empty for all configs.
    pub search: String,
}

/// A config in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedConfig {
    pub config: Config,
    pub stats: DonationStats,
    order: ConfigOrder,
}

impl Placed for ListedConfig {
    fn position(&self) -> Position {
        let last = self.stats.last.map_or(0, |last| last.as_millisecond());
        let ordinal = match self.order {
            ConfigOrder::Newest => return self.config.position(),
            ConfigOrder::Received => self.stats.usd.0,
            ConfigOrder::LastDonation => last,
        };
        Position {
            ordinal,
            key: self.config.id.0.to_vec(),
        }
    }
}

/// Whether a config is in the list of a search: `$4` is in its name, or its id is between `$5` and `$6`.
const MATCHES: &str = "($4 = '' OR strpos(lower(config.name), lower($4)) > 0
                 OR config.id BETWEEN $5 AND $6)";

/// A page of all configs, in the order of their index.
fn newest() -> String {
    format!(
        "SELECT config.id FROM config
         WHERE config.project = $1 AND config.deleted_at IS NULL
           AND (config.created_at, config.id) < ($2, $3) AND {MATCHES}
         ORDER BY config.created_at DESC, config.id DESC LIMIT $7"
    )
}

/// A page of the configs with donations, in the order of the index of rollups by `column`. The cross join keeps
/// SQLite from reading the configs first.
fn ranked(column: &str) -> String {
    format!(
        "SELECT ranked.member AS id, ranked.usd_e6, ranked.donations, ranked.first_at, ranked.last_at
         FROM tally AS ranked CROSS JOIN config
         WHERE ranked.project = $1 AND ranked.facet = 3 AND (ranked.{column}, ranked.member) < ($2, $3)
           AND config.id = ranked.member AND config.project = $1 AND config.deleted_at IS NULL
           AND {MATCHES}
         ORDER BY ranked.{column} DESC, ranked.member DESC LIMIT $7"
    )
}

/// A page of a project's configs after a position, deleted ones left out.
pub(super) fn page(
    tx: &Tx<'_>,
    project: ProjectId,
    query: &ConfigQuery,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<ListedConfig>, DbError> {
    let (ordinal, key) = Position::below(after);
    let (first, last) = ids(&query.search).unzip();
    let search = query.search.as_str();
    let params = params![project, ordinal, key, search, first, last, limit];
    let read = |row: &Row<'_>| Ok((row.get("id")?, read_stats(row)?));
    let found: Vec<(ConfigId, DonationStats)> = match query.order {
        ConfigOrder::Newest => {
            let ids: Vec<ConfigId> = tx.all(&newest(), params, |row| row.get("id"))?;
            with_stats(tx, project, ids)?
        }
        ConfigOrder::Received => tx.all(&ranked("usd_e6"), params, read)?,
        ConfigOrder::LastDonation => tx.all(&ranked("last_at"), params, read)?,
    };
    let configs = Configs::load(tx, found.iter().map(|(id, _)| *id))?;
    let listed = |(id, stats)| {
        Ok(ListedConfig {
            config: configs.get(id)?.clone(),
            stats,
            order: query.order,
        })
    };
    found.into_iter().map(listed).collect()
}

fn with_stats(
    tx: &Tx<'_>,
    project: ProjectId,
    ids: Vec<ConfigId>,
) -> Result<Vec<(ConfigId, DonationStats)>, DbError> {
    let keys = ids.iter().map(|id| RollupKey::config(project, *id));
    let keys: Vec<_> = keys.collect();
    let rows = load_totals(tx, &keys.iter().collect::<BTreeSet<_>>())?;
    let stats: HashMap<_, _> = rows
        .into_iter()
        .map(|((key, _), stats)| (key, stats))
        .collect();
    let of_key = |key| stats.get(&key).copied().unwrap_or_default();
    Ok(ids.into_iter().zip(keys.into_iter().map(of_key)).collect())
}

/// The first and last ids that a search may mean: a whole id, or `0x` and its first digits. What follows an ellipsis
/// is ignored: pages shorten ids with it.
fn ids(search: &str) -> Option<(ConfigId, ConfigId)> {
    if let Ok(id) = search.parse() {
        return Some((id, id));
    }
    let digits = search.strip_prefix("0x")?;
    let digits = digits.split('…').next().unwrap_or_default();
    let padded = |filler: &str| {
        let missing = 64_usize.saturating_sub(digits.len());
        format!("0x{digits}{}", filler.repeat(missing)).parse().ok()
    };
    padded("0").zip(padded("f"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::assert_reads_index;

    #[test]
    fn each_order_reads_its_index_and_sorts_nothing() {
        let below = |column: &str| format!("(project=? AND ({column})<(?,?))");
        for (sql, index) in [
            (
                newest(),
                "USING INDEX config_of_project (project=? AND (created_at,id)<(?,?))".to_owned(),
            ),
            (
                ranked("usd_e6"),
                "tally_by_usd (project=? AND facet=? AND (usd_e6,member)<(?,?))".to_owned(),
            ),
            (
                ranked("last_at"),
                format!("tally_of_config_by_time {}", below("last_at,member")),
            ),
        ] {
            assert_reads_index(&sql, &index);
        }
    }

    #[test]
    fn an_id_is_searched_by_its_first_digits() {
        let range = |search: &str| {
            ids(search).map(|(first, last)| (first.0[..3].to_vec(), last.0[..3].to_vec()))
        };
        let within = |first: [u8; 3], last: [u8; 3]| Some((first.to_vec(), last.to_vec()));
        assert_eq!(range("0xab1"), within([0xab, 0x10, 0], [0xab, 0x1f, 0xff]));
        assert_eq!(
            range("0xab12…00ff"),
            within([0xab, 0x12, 0], [0xab, 0x12, 0xff])
        );
        let whole = ConfigId([7; 32]);
        for id in [whole.to_string(), whole.base58()] {
            assert_eq!(ids(&id), Some((whole, whole)));
        }
        for none in ["", "checkout", "0xyz", &format!("0x{}", "0".repeat(65))] {
            assert_eq!(ids(none), None, "{none}");
        }
    }
}
