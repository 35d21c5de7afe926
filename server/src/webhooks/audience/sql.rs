//! Queues events for webhooks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use db::{Batch, DbError, Row, Tx, params};
use jiff::Timestamp;

use crate::campaigns::{CampaignBeneficiary, CampaignProgress, sql as campaigns};
use crate::charities::sql as charities;
use crate::configs::ConfigId;
use crate::configs::sql::Configs;
use crate::contracts::sql::Owners;
use crate::donations::Donation;
use crate::keys::KeyRecord;
use crate::projects::ProjectId;
use crate::rollups::batch::RollupBatch;
use crate::tokens::sql::Tokens;
use crate::webhooks::audience::{self, Audience, Happening};
use crate::webhooks::delivery::sql as deliveries;
use crate::webhooks::{EventType, EventTypes, WebhookId, mapping};

const AUDIENCE: &str = "SELECT webhook.project, webhook.id, webhook.events
    FROM batch(project uuid) JOIN webhook ON webhook.project = batch.project
    WHERE webhook.enabled";

/// The webhooks of some projects that are enabled.
pub(crate) fn audience(
    tx: &Tx<'_>,
    projects: impl IntoIterator<Item = ProjectId>,
) -> Result<Audience, DbError> {
    let projects = Batch::of_column(projects);
    let webhooks: Vec<_> = tx.all_of_batch(AUDIENCE, &projects, &[], read_webhook)?;
    Ok(Audience::new(webhooks))
}

/// Queues the events of happenings for the webhooks of their audience.
pub(crate) fn tell(
    tx: &Tx<'_>,
    audience: &Audience,
    happenings: &[Happening],
) -> Result<(), DbError> {
    // In one order, which prevents deadlocks.
    let mut counts = Batch::default();
    for (config, count) in BTreeMap::from_iter(audience::counts(happenings)) {
        counts.push(params![config, count]);
    }
    let sql = "INSERT INTO config_event (config, latest)
               SELECT config, latest FROM batch(config bytea, latest bigint) WHERE true
               ON CONFLICT (config) DO UPDATE SET latest = config_event.latest + excluded.latest
               RETURNING config, latest";
    let latest: HashMap<ConfigId, i64> = tx.all_of_batch(sql, &counts, &[], |row| {
        Ok((row.get("config")?, row.get("latest")?))
    })?;
    let told = audience.told(happenings, &latest)?;
    deliveries::insert_events(tx, &told.events)?;
    let deliveries = told.deliveries.iter();
    let deliveries = deliveries.filter_map(|(webhook, id, place)| {
        let event = told.events.get(*place)?;
        Some((*webhook, *id, event))
    });
    deliveries::insert_deliveries(tx, &deliveries.collect::<Vec<_>>())
}

/// Tells projects of donations that were recorded or taken back: that of the config, and that whose contract
/// owns the token.
pub(crate) fn tell_of_donations(
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
    let audience = audience(tx, projects)?;
    if audience.is_empty() {
        return Ok(());
    }
    let charities = donations.iter().filter_map(|it| configs.find(it.config));
    let charities = charities.flat_map(|it| it.beneficiaries.iter().map(|it| it.charity));
    let charities: Vec<_> = BTreeSet::from_iter(charities).into_iter().collect();
    let charities = charities::some(tx, &charities)?;
    let tokens = Tokens::load(tx, donations.iter().map(|it| it.token.key()))?;
    let mut happenings = Vec::new();
    for donation in donations {
        let event_type = EventType::of_donation(donation.revision);
        for project in projects_of(donation) {
            if !audience.is_told(project, event_type) {
                continue;
            }
            let (token, _) = tokens.get(donation.token.key())?;
            let config = configs.get(donation.config)?;
            happenings.push(Happening {
                project,
                event_type,
                at,
                config: Some(donation.config),
                data: mapping::donation(donation, token, config, &charities)?,
            });
        }
    }
    tell(tx, &audience, &happenings)
}

/// Tells of campaigns that have reached their goal: the project of the config that one is for, or every project
/// that wants to know of one for a charity.
pub(crate) fn tell_of_goals(
    tx: &Tx<'_>,
    batch: &RollupBatch,
    at: Timestamp,
) -> Result<(), DbError> {
    for sum in batch.raised().filter(|it| it.has_reached_goal()) {
        let (audience, charity) = match sum.beneficiary {
            CampaignBeneficiary::Config(config) => {
                let configs = Configs::load(tx, [config])?;
                (audience(tx, [configs.get(config)?.project])?, None)
            }
            CampaignBeneficiary::Charity(charity) => {
                let sql = "SELECT project, id, events FROM webhook WHERE enabled";
                let all: Vec<_> = tx.all(sql, &[], read_webhook)?;
                (Audience::new(all), charities::find(tx, charity)?)
            }
        };
        let Some(campaign) = campaigns::find(tx, sum.campaign)? else {
            continue;
        };
        let raised = sum.raised;
        let data = mapping::campaign(CampaignProgress { campaign, raised }, charity.as_ref(), at)?;
        let happenings = audience.happenings(EventType::CampaignGoalReached, at, &data);
        tell(tx, &audience, &happenings)?;
    }
    Ok(())
}

fn read_webhook(row: &Row<'_>) -> Result<(ProjectId, WebhookId, EventTypes), DbError> {
    Ok((row.get("project")?, row.get("id")?, row.get("events")?))
}

/// Tells the project of a key that it is about to expire.
pub(crate) fn tell_of_key(tx: &Tx<'_>, key: &KeyRecord, at: Timestamp) -> Result<(), DbError> {
    let audience = audience(tx, [key.project])?;
    let happening = |data| Happening {
        project: key.project,
        event_type: EventType::KeyExpiring,
        at,
        config: None,
        data,
    };
    match audience.is_told(key.project, EventType::KeyExpiring) {
        true => tell(tx, &audience, &[happening(mapping::expiring_key(key)?)]),
        false => Ok(()),
    }
}

/// Tells the project of a config that it was created or deleted.
pub(crate) fn tell_of_config(
    tx: &Tx<'_>,
    event_type: EventType,
    (project, id): (ProjectId, ConfigId),
    at: Timestamp,
) -> Result<(), DbError> {
    let audience = audience(tx, [project])?;
    if !audience.is_told(project, event_type) {
        return Ok(());
    }
    let configs = Configs::load(tx, [id])?;
    let config = configs.get(id)?;
    let charities: Vec<_> = config.beneficiaries.iter().map(|it| it.charity).collect();
    let charities = charities::some(tx, &charities)?;
    let happening = Happening {
        project,
        event_type,
        at,
        config: Some(id),
        data: mapping::config(config, &charities)?,
    };
    tell(tx, &audience, &[happening])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::assert_reads_index;

    #[test]
    fn a_project_without_webhooks_costs_a_look_into_an_index() {
        let index = "SEARCH webhook USING INDEX webhook_of_project (project=?)";
        assert_reads_index(AUDIENCE, index);
    }
}
