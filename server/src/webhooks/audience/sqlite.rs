//! The telling of events to webhooks, in SQLite.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use rusqlite::{Connection, Row};

use crate::campaigns::{CampaignBeneficiary, CampaignProgress, sqlite as campaigns};
use crate::charities::{Charity, sqlite as charities};
use crate::configs::{Config, ConfigId, sqlite as configs};
use crate::database::StoreError;
use crate::database::sqlite::query;
use crate::donations::Donation;
use crate::donations::sqlite::Named;
use crate::keys::KeyRecord;
use crate::projects::ProjectId;
use crate::rollups::batch::RollupBatch;
use crate::tokens::sqlite as tokens;
use crate::webhooks::audience::{self, Audience, Happening};
use crate::webhooks::delivery::sqlite as deliveries;
use crate::webhooks::{EventType, EventTypes, WebhookId, mapping};

/// The webhooks of a project that are on.
pub(crate) fn audience(db: &Connection, project: ProjectId) -> rusqlite::Result<Audience> {
    Ok(Audience::new(query::all(
        db,
        AUDIENCE,
        [project],
        read_told,
    )?))
}

const AUDIENCE: &str = "SELECT project, id, events FROM webhook WHERE project = ?1 AND enabled = 1";

/// Queues the events of happenings for the webhooks of their audience.
pub(crate) fn tell(
    db: &Connection,
    audience: &Audience,
    happenings: &[Happening],
) -> Result<(), StoreError> {
    let mut latest = HashMap::new();
    for (config, count) in audience::counts(happenings) {
        let sql = "INSERT INTO config_event (config, latest) VALUES (?1, ?2)
                   ON CONFLICT (config) DO UPDATE SET latest = latest + excluded.latest
                   RETURNING latest";
        let number = query::first(db, sql, (config, count), |row| row.get(0))?;
        latest.extend(number.map(|number: i64| (config, number)));
    }
    let told = audience.told(happenings, &latest)?;
    for event in &told.events {
        deliveries::insert_event(db, event)?;
    }
    for (webhook, id, place) in told.deliveries {
        if let Some(event) = told.events.get(place) {
            deliveries::insert_delivery(db, webhook, id, event)?;
        }
    }
    Ok(())
}

/// Tells projects of donations that were recorded or taken back: that of the config, and that whose contract
/// owns the token.
pub(crate) fn tell_of_donations(
    db: &Connection,
    donations: &[&Donation],
    named: &mut Named,
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut audiences = HashMap::new();
    for donation in donations {
        for project in projects_of(db, donation, named)? {
            if let Entry::Vacant(entry) = audiences.entry(project) {
                entry.insert(audience(db, project)?);
            }
        }
    }
    let (mut charities, mut tokens) = (Vec::new(), HashMap::new());
    let mut happenings = Vec::new();
    for donation in donations {
        let event_type = EventType::of_donation(donation.revision);
        for project in projects_of(db, donation, named)? {
            let is_told = |it: &Audience| it.is_told(project, event_type);
            let config = named.config(db, donation.config)?;
            let Some(config) = config.filter(|_| audiences.get(&project).is_some_and(is_told))
            else {
                continue;
            };
            add_charities(db, config, &mut charities)?;
            let token = match tokens.entry(donation.token.key()) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(tokens::get(db, donation.token.key())?),
            };
            happenings.push(Happening {
                project,
                event_type,
                at,
                config: Some(donation.config),
                data: mapping::donation(donation, token.clone(), config, &charities)?,
            });
        }
    }
    let audience = audiences
        .into_values()
        .fold(Audience::default(), Audience::with);
    tell(db, &audience, &happenings)
}

/// Adds the charities of a config, unless they are there.
fn add_charities(
    db: &Connection,
    config: &Config,
    charities: &mut Vec<Charity>,
) -> Result<(), StoreError> {
    for beneficiary in &config.beneficiaries {
        if !charities.iter().any(|it| it.id == beneficiary.charity) {
            charities.extend(charities::find(db, beneficiary.charity)?);
        }
    }
    Ok(())
}

/// The projects that a donation counts for.
fn projects_of(
    db: &Connection,
    donation: &Donation,
    named: &mut Named,
) -> Result<BTreeSet<ProjectId>, StoreError> {
    let owner = named.owner(db, donation.token.key())?.flatten();
    let config = named.config(db, donation.config)?.map(|it| it.project);
    Ok([owner, config].into_iter().flatten().collect())
}

/// Tells of campaigns that have reached their goal: the project of the config that one is for, or every project
/// that wants to know of one for a charity.
pub(crate) fn tell_of_goals(
    db: &Connection,
    batch: &RollupBatch,
    at: Timestamp,
) -> Result<(), StoreError> {
    for sum in batch.raised().filter(|it| it.has_reached_goal()) {
        let (audience, charities) = match sum.beneficiary {
            CampaignBeneficiary::Config(config) => {
                (audience(db, configs::get(db, config)?.project)?, None)
            }
            CampaignBeneficiary::Charity(charity) => {
                let all = query::all(db, EVERYBODY, [], read_told)?;
                (Audience::new(all), charities::find(db, charity)?)
            }
        };
        let Some(campaign) = campaigns::find(db, sum.campaign)? else {
            continue;
        };
        let raised = sum.raised;
        let data = mapping::campaign(
            CampaignProgress { campaign, raised },
            charities.as_ref(),
            at,
        )?;
        tell(
            db,
            &audience,
            &audience.happenings(EventType::CampaignGoalReached, at, &data),
        )?;
    }
    Ok(())
}

const EVERYBODY: &str = "SELECT project, id, events FROM webhook WHERE enabled = 1";

fn read_told(row: &Row<'_>) -> rusqlite::Result<(ProjectId, WebhookId, EventTypes)> {
    Ok((row.get("project")?, row.get("id")?, row.get("events")?))
}

/// Tells the project of a key that it is about to expire.
pub(crate) fn tell_of_key(
    db: &Connection,
    key: &KeyRecord,
    at: Timestamp,
) -> Result<(), StoreError> {
    let audience = audience(db, key.project)?;
    let happening = |data| Happening {
        project: key.project,
        event_type: EventType::KeyExpiring,
        at,
        config: None,
        data,
    };
    match audience.is_told(key.project, EventType::KeyExpiring) {
        true => tell(db, &audience, &[happening(mapping::expiring_key(key)?)]),
        false => Ok(()),
    }
}

/// Tells the project of a config that it was created or deleted.
pub(crate) fn tell_of_config(
    db: &Connection,
    event_type: EventType,
    (project, id): (ProjectId, ConfigId),
    at: Timestamp,
) -> Result<(), StoreError> {
    let audience = audience(db, project)?;
    if !audience.is_told(project, event_type) {
        return Ok(());
    }
    let config = configs::get(db, id)?;
    let mut charities = Vec::new();
    add_charities(db, &config, &mut charities)?;
    let happening = Happening {
        project,
        event_type,
        at,
        config: Some(id),
        data: mapping::config(&config, &charities)?,
    };
    tell(db, &audience, &[happening])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_without_webhooks_costs_a_look_into_an_index() {
        let index = "SEARCH webhook USING INDEX webhook_of_project (project=?)";
        query::assert_reads_index(AUDIENCE, [[0; 16]], index);
    }
}
