//! The log of donations. Rows are added once and never changed.

use jiff::Timestamp;
use rusqlite::{Connection, named_params};

use super::column::{self, Millis};
use super::{configs, posting, query, tokens};
use crate::domain::amount::{TokenAmount, UsdE6};
use crate::domain::config::ConfigId;
use crate::domain::donation::{Donation, Revision};
use crate::store::Change;
use crate::store::error::{Rule, WriteError};

/// What a row holds beside its identity. Its sum has no sign.
#[derive(Debug, PartialEq)]
struct Entry {
    token: [u8; 40],
    config: ConfigId,
    amount: TokenAmount,
    usd: UsdE6,
    at: Timestamp,
}

/// Records a donation and counts it; one that is there must be the same.
pub(super) fn write(db: &Connection, donation: &Donation) -> Result<Change, WriteError> {
    if let Some(stored) = find(db, donation, donation.revision)? {
        return match stored.first_difference(&Entry::of(donation)) {
            None => Ok(Change::Unchanged),
            Some(member) => Err(WriteError::rejected(member, Rule::Immutable)),
        };
    }
    if !tokens::exists(db, donation.token.key())? {
        return Err(WriteError::rejected("/token", Rule::Unknown));
    }
    if !configs::exists(db, donation.config)? {
        return Err(WriteError::rejected("/config", Rule::Unknown));
    }
    check_revision(db, donation)?;
    insert(db, donation)?;
    posting::post(db, donation)?;
    Ok(Change::Inserted)
}

/// Checks that the revision before is there and, where it is taken back, the same.
fn check_revision(db: &Connection, donation: &Donation) -> Result<(), WriteError> {
    let Some(previous) = donation.revision.previous() else {
        return Ok(());
    };
    let Some(previous) = find(db, donation, previous)? else {
        return Err(WriteError::rejected("/revision", Rule::RevisionMissing));
    };
    if !donation.revision.takes_back() {
        return Ok(());
    }
    match previous.first_difference(&Entry::of(donation)) {
        None => Ok(()),
        Some(member) => Err(WriteError::rejected(member, Rule::RevisionDiffers)),
    }
}

impl Entry {
    fn of(donation: &Donation) -> Entry {
        let Donation {
            config,
            amount,
            usd,
            at,
            ..
        } = *donation;
        Entry {
            token: donation.token.key(),
            config,
            amount,
            usd,
            at,
        }
    }

    /// The first member that differs, as a pointer into the import line.
    fn first_difference(&self, other: &Entry) -> Option<&'static str> {
        let same = [
            ("/token", self.token == other.token),
            ("/config", self.config == other.config),
            ("/amount", self.amount == other.amount),
            ("/usdE6", self.usd == other.usd),
            ("/at", self.at == other.at),
        ];
        same.into_iter()
            .find(|(_, same)| !same)
            .map(|(member, _)| member)
    }
}

fn find(
    db: &Connection,
    donation: &Donation,
    revision: Revision,
) -> rusqlite::Result<Option<Entry>> {
    query::first(
        db,
        "SELECT token, config, amount, abs(usd_e6) AS usd, at FROM donation
         WHERE chain = ?1 AND tx = ?2 AND log_index = ?3 AND revision = ?4",
        (
            donation.token.chain,
            donation.transaction.as_str(),
            donation.log_index,
            revision,
        ),
        |row| {
            Ok(Entry {
                token: row.get("token")?,
                config: row.get("config")?,
                amount: row.get("amount")?,
                usd: row.get("usd")?,
                at: column::time(row, "at")?,
            })
        },
    )
}

fn insert(db: &Connection, donation: &Donation) -> rusqlite::Result<usize> {
    query::execute(
        db,
        "INSERT INTO donation VALUES (
           :chain, :tx, :log_index, :revision, :token, :config, :amount, :usd_e6, :at
         )",
        named_params! {
            ":chain": donation.token.chain,
            ":tx": donation.transaction.as_str(),
            ":log_index": donation.log_index,
            ":revision": donation.revision,
            ":token": donation.token.key(),
            ":config": donation.config,
            ":amount": donation.amount,
            ":usd_e6": donation.signed_usd(),
            ":at": Millis(donation.at),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fixture::{World, at, donation, partner_token, project_id, revised};
    use crate::store::{OnRejection, Record};

    #[tokio::test]
    async fn the_same_donation_counts_once() {
        let world = World::new().await;
        let given = donation(1, 1, 1, 10);
        assert_eq!(
            world.record(Record::Donation(given.clone())).await,
            Ok(Change::Inserted)
        );
        assert_eq!(
            world.record(Record::Donation(given.clone())).await,
            Ok(Change::Unchanged)
        );
        let other = Donation {
            usd: UsdE6(11),
            ..given.clone()
        };
        let refused = world.record(Record::Donation(other)).await.unwrap_err();
        assert_eq!(
            (refused.member.as_str(), refused.rule),
            ("/usdE6", Rule::Immutable)
        );
        let other_log = Donation {
            log_index: 1,
            ..given
        };
        assert_eq!(
            world.record(Record::Donation(other_log)).await,
            Ok(Change::Inserted)
        );
        let totals = world
            .store
            .project_totals(project_id(1), None)
            .await
            .unwrap();
        assert_eq!(totals.stats.usd, UsdE6(20));
    }

    #[tokio::test]
    async fn unknown_tokens_and_configs_are_refused() {
        let world = World::new().await;
        for (given, member) in [
            (donation(1, 9, 1, 1), "/token"),
            (donation(1, 1, 9, 1), "/config"),
        ] {
            let refused = world.record(Record::Donation(given)).await.unwrap_err();
            assert_eq!(
                (refused.member.as_str(), refused.rule),
                (member, Rule::Unknown)
            );
        }
    }

    #[tokio::test]
    async fn a_revision_takes_back_and_a_further_one_gives_again() {
        let world = World::new().await;
        let stats = async || {
            world
                .store
                .project_totals(project_id(1), None)
                .await
                .unwrap()
                .stats
        };
        let (early, late) = (donation(1, 1, 1, 5), donation(2, 1, 1, 10));
        let back = revised(&late);
        let refused = world
            .record(Record::Donation(back.clone()))
            .await
            .unwrap_err();
        assert_eq!(refused.rule, Rule::RevisionMissing);

        world
            .record_all(vec![Record::Donation(early), Record::Donation(late)])
            .await;
        let wrong = Donation {
            usd: UsdE6(9),
            ..back.clone()
        };
        let refused = world.record(Record::Donation(wrong)).await.unwrap_err();
        assert_eq!(
            (refused.member.as_str(), refused.rule),
            ("/usdE6", Rule::RevisionDiffers)
        );
        assert_eq!(
            (stats().await.usd, stats().await.last),
            (UsdE6(15), Some(at(2)))
        );

        assert_eq!(
            world.record(Record::Donation(back.clone())).await,
            Ok(Change::Inserted)
        );
        assert_eq!(
            world.record(Record::Donation(back.clone())).await,
            Ok(Change::Unchanged)
        );
        assert_eq!(
            (stats().await.usd, stats().await.last),
            (UsdE6(5), Some(at(1)))
        );
        world.verify().await;

        let again = Donation {
            at: at(3),
            ..revised(&back)
        };
        assert_eq!(
            world.record(Record::Donation(again)).await,
            Ok(Change::Inserted)
        );
        assert_eq!(
            (stats().await.usd, stats().await.last),
            (UsdE6(15), Some(at(3)))
        );
        world.verify().await;
    }

    #[tokio::test]
    async fn a_sum_that_does_not_fit_is_refused_whole() {
        let world = World::new().await;
        world
            .record_all(vec![Record::PartnerToken(partner_token(2, 1, 1))])
            .await;
        // The donation would fit project 2's sums and overflows project 1's, which owns the token.
        let batch = vec![
            Record::Donation(donation(1, 1, 1, i64::MAX)),
            Record::Donation(donation(2, 2, 2, 1)),
            Record::Donation(donation(3, 3, 2, 1)),
        ];
        let outcomes = world
            .store
            .record(batch, OnRejection::Continue)
            .await
            .unwrap();
        assert_eq!(outcomes[0], Ok(Change::Inserted));
        assert_eq!(outcomes[1].as_ref().unwrap_err().rule, Rule::Overflow);
        assert_eq!(outcomes[2], Ok(Change::Inserted));
        world.verify().await;
        let totals = world
            .store
            .project_totals(project_id(2), None)
            .await
            .unwrap();
        assert_eq!(totals.stats.usd, UsdE6(1));
    }
}
