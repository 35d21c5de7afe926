//! Records a batch of donations in memory, by the same rules for every database.

use std::collections::HashMap;

use super::entry::{self, Entry};
use super::{Donation, Revision};
use crate::chains::ChainId;
use crate::configs::Config;
use crate::domain::recording::{Change, OnRejection, Outcome, Rejection, Rule};
use crate::projects::ProjectId;
use crate::rollups::batch::{Direction, RollupBatch};
use crate::rollups::effect::DonationEffect;

/// The effect of a donation, or the reason why it cannot be recorded.
pub(crate) type Effect = Result<DonationEffect, Rejection>;

/// The effect of a donation. `owner` is the project whose contract owns its token, if any; config and
/// owner are `None` if they are not recorded.
pub(crate) fn effect(
    donation: &Donation,
    owner: Option<Option<ProjectId>>,
    config: Option<&Config>,
) -> Effect {
    let unknown = |member| Rejection::new(member, Rule::Unknown);
    let owner = owner.ok_or_else(|| unknown("/token"))?;
    let config = config.ok_or_else(|| unknown("/config"))?;
    Ok(DonationEffect::new(
        config,
        donation.token.key(),
        owner,
        donation.usd,
        donation.at,
    ))
}

/// Records donations in order and counts them; a recorded donation with the same identity must be
/// equal. With [`OnRejection::Stop`] the outcomes end with the first rejection.
pub(crate) fn record<'d>(
    donations: &[&'d Donation],
    effects: &[Effect],
    log: &mut Log<'d>,
    batch: &mut RollupBatch,
    on_rejection: OnRejection,
) -> Vec<Outcome> {
    let mut outcomes = Vec::with_capacity(donations.len());
    for (donation, effect) in donations.iter().zip(effects) {
        let outcome = record_one(log, batch, donation, effect);
        let stop = outcome.is_err() && on_rejection == OnRejection::Stop;
        outcomes.push(outcome);
        if stop {
            break;
        }
    }
    outcomes
}

fn record_one<'d>(
    log: &mut Log<'d>,
    batch: &mut RollupBatch,
    donation: &'d Donation,
    effect: &Effect,
) -> Outcome {
    if let Some(stored) = log.find(donation, donation.revision) {
        return stored.repeated_by(donation);
    }
    let effect = effect.as_ref().map_err(Clone::clone)?;
    let previous = donation.revision.previous();
    let previous = previous.and_then(|revision| log.find(donation, revision));
    entry::check_revision(donation, previous)?;
    let direction = match donation.revision.takes_back() {
        false => Direction::Given,
        true => Direction::TakenBack,
    };
    let counted = batch.count(effect, direction);
    counted.map_err(|_| Rejection::new("/usdE6", Rule::Overflow))?;
    log.add(donation);
    Ok(Change::Inserted)
}

/// Chain, transaction, log index and revision.
pub(crate) type Identity = (ChainId, String, u32, Revision);

/// The identity of one of a donation's revisions.
pub(crate) fn identity(donation: &Donation, revision: Revision) -> Identity {
    let transaction = donation.transaction.as_str().to_owned();
    (
        donation.token.chain,
        transaction,
        donation.log_index,
        revision,
    )
}

/// The rows of the log that a batch concerns, and those that it adds.
pub(crate) struct Log<'d> {
    entries: HashMap<Identity, Entry>,
    /// The new donations.
    pub(crate) added: Vec<&'d Donation>,
}

impl<'d> Log<'d> {
    /// A log with these loaded rows.
    pub(crate) fn new(entries: HashMap<Identity, Entry>) -> Log<'d> {
        Log {
            entries,
            added: Vec::new(),
        }
    }

    fn find(&self, donation: &Donation, revision: Revision) -> Option<&Entry> {
        self.entries.get(&identity(donation, revision))
    }

    fn add(&mut self, donation: &'d Donation) {
        let identity = identity(donation, donation.revision);
        self.entries.insert(identity, Entry::of(donation));
        self.added.push(donation);
    }
}
