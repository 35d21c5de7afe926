//! The events of donations.

use std::collections::BTreeSet;

use db::{DbError, Tx};
use generated::Encoded;
use jiff::Timestamp;

use super::{Donation, ListedDonation, Revision, SplitDonation, mapping};
use crate::charities::{Charity, sql as stored_charities};
use crate::configs::Config;
use crate::configs::sql::Configs;
use crate::contracts::sql::Owners;
use crate::events::{Event, EventType, sql as events};
use crate::tokens::Token;
use crate::tokens::sql::Tokens;

/// Enqueues the events of donations that were recorded or taken back: for the project of the config, and for the
/// project whose contract owns the token.
pub(super) fn enqueue(
    tx: &Tx<'_>,
    donations: &[&Donation],
    (owners, configs): (&Owners, &Configs),
    at: Timestamp,
) -> Result<(), DbError> {
    let projects_of = |donation: &Donation| {
        let owner = owners.find(donation.token.key()).flatten();
        let config = configs.find(donation.config).map(|it| it.project);
        BTreeSet::from_iter([owner, config].into_iter().flatten())
    };
    let projects: BTreeSet<_> = donations.iter().flat_map(|it| projects_of(it)).collect();
    let audience = events::audience(tx, projects)?;
    if audience.is_empty() {
        return Ok(());
    }
    let charities = donations.iter().filter_map(|it| configs.find(it.config));
    let charities = charities.flat_map(|it| it.beneficiaries.iter().map(|it| it.charity));
    let charities: Vec<_> = BTreeSet::from_iter(charities).into_iter().collect();
    let charities = stored_charities::some(tx, &charities)?;
    let tokens = Tokens::load(tx, donations.iter().map(|it| it.token.key()))?;
    let mut occurred = Vec::new();
    for donation in donations {
        let event_type = type_of(donation.revision);
        for project in projects_of(donation) {
            if !audience.subscribes(project, event_type) {
                continue;
            }
            let (token, _) = tokens.get(donation.token.key())?;
            let config = configs.get(donation.config)?;
            occurred.push(Event {
                project,
                event_type,
                at,
                config: Some(donation.config),
                data: data(donation, token, config, &charities)?,
            });
        }
    }
    events::enqueue(tx, &audience, &occurred)
}

/// The type of the event of a donation with a revision.
fn type_of(revision: Revision) -> EventType {
    match revision.takes_back() {
        false => EventType::DonationRecorded,
        true => EventType::DonationReverted,
    }
}

/// A donation as the API would return it, in JSON.
fn data(
    donation: &Donation,
    token: Token,
    config: &Config,
    charities: &[Charity],
) -> Result<Vec<u8>, DbError> {
    let unfit = || DbError::Corrupt("a donation cannot be encoded as an event".to_owned());
    let listed = ListedDonation {
        token,
        transaction: donation.transaction.as_str().to_owned(),
        log_index: donation.log_index,
        amount: donation.amount,
        usd: donation.usd,
        at: donation.at,
    };
    let charity = |id| charities.iter().find(|charity| charity.id == id);
    let shown = mapping::split(&SplitDonation::of(listed, config), charity);
    let shown = Encoded::from(shown.ok_or_else(unfit)?);
    Ok(shown.bytes().map_err(|_| unfit())?.to_vec())
}
