//! The telling of events to webhooks, in PostgreSQL.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use crate::campaigns::{CampaignBeneficiary, CampaignProgress, postgres as campaigns};
use crate::charities::postgres as charities;
use crate::configs::ConfigId;
use crate::configs::postgres::Configs;
use crate::contracts::postgres::Owners;
use crate::database::postgres::{Failure, query};
use crate::donations::Donation;
use crate::keys::KeyRecord;
use crate::projects::ProjectId;
use crate::rollups::batch::RollupBatch;
use crate::tokens::postgres::Tokens;
use crate::webhooks::audience::{self, Audience, Happening};
use crate::webhooks::delivery::postgres as deliveries;
use crate::webhooks::{EventType, EventTypes, WebhookId, mapping};

/// The webhooks of some projects that are on.
pub(crate) async fn audience(
    db: &impl GenericClient,
    projects: &[ProjectId],
) -> Result<Audience, Failure> {
    let sql = "SELECT project, id, events FROM webhook WHERE project = ANY ($1) AND enabled";
    let rows: Vec<_> = query::all(db, sql, &[&projects], read_told).await?;
    Ok(Audience::new(rows))
}

/// Queues the events of happenings for the webhooks of their audience.
pub(crate) async fn tell(
    tx: &Transaction<'_>,
    audience: &Audience,
    happenings: &[Happening],
) -> Result<(), Failure> {
    if happenings.is_empty() {
        return Ok(());
    }
    // In one order, so that no two transactions wait for each other.
    let counts = BTreeMap::from_iter(audience::counts(happenings));
    let (configs, counts): (Vec<_>, Vec<_>) = counts.into_iter().unzip();
    let sql = "INSERT INTO config_event (config, latest)
               SELECT config, latest FROM unnest($1::bytea[], $2::bigint[]) AS event (config, latest)
               ON CONFLICT (config) DO UPDATE SET latest = config_event.latest + excluded.latest
               RETURNING config, latest";
    let latest: HashMap<ConfigId, i64> = query::all(tx, sql, &[&configs, &counts], |row| {
        Ok((row.try_get("config")?, row.try_get("latest")?))
    })
    .await?;
    let told = audience.told(happenings, &latest)?;
    deliveries::insert_events(tx, &told.events).await?;
    let deliveries = told.deliveries.iter();
    let deliveries = deliveries.filter_map(|(webhook, id, place)| {
        let event = told.events.get(*place)?;
        Some((*webhook, *id, event))
    });
    deliveries::insert_deliveries(tx, &deliveries.collect::<Vec<_>>()).await
}

/// Tells projects of donations that were recorded or taken back: that of the config, and that whose contract
/// owns the token.
pub(crate) async fn tell_of_donations(
    tx: &Transaction<'_>,
    donations: &[&Donation],
    (owners, configs): (&Owners, &Configs),
    at: Timestamp,
) -> Result<(), Failure> {
    let projects_of = |donation: &Donation| {
        let owner = owners.find(donation.token.key()).flatten();
        let config = configs.find(donation.config).map(|it| it.project);
        BTreeSet::from_iter([owner, config].into_iter().flatten())
    };
    let projects: BTreeSet<_> = donations.iter().flat_map(|it| projects_of(it)).collect();
    let projects: Vec<_> = projects.into_iter().collect();
    let audience = audience(tx, &projects).await?;
    if audience.is_empty() {
        return Ok(());
    }
    let charities = donations.iter().filter_map(|it| configs.find(it.config));
    let charities = charities.flat_map(|it| it.beneficiaries.iter().map(|it| it.charity));
    let charities: Vec<_> = BTreeSet::from_iter(charities).into_iter().collect();
    let charities = charities::some(tx, &charities).await?;
    let tokens = Tokens::load(tx, donations.iter().map(|it| it.token.key())).await?;
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
    tell(tx, &audience, &happenings).await
}

/// Tells of campaigns that have reached their goal: the project of the config that one is for, or every project
/// that wants to know of one for a charity.
pub(crate) async fn tell_of_goals(
    tx: &Transaction<'_>,
    batch: &RollupBatch,
    at: Timestamp,
) -> Result<(), Failure> {
    for sum in batch.raised().filter(|it| it.has_reached_goal()) {
        let (audience, charity) = match sum.beneficiary {
            CampaignBeneficiary::Config(config) => {
                let configs = Configs::load(tx, [config]).await?;
                (audience(tx, &[configs.get(config)?.project]).await?, None)
            }
            CampaignBeneficiary::Charity(charity) => {
                let sql = "SELECT project, id, events FROM webhook WHERE enabled";
                let all: Vec<_> = query::all(tx, sql, &[], read_told).await?;
                (Audience::new(all), charities::find(tx, charity).await?)
            }
        };
        let Some(campaign) = campaigns::find(tx, sum.campaign).await? else {
            continue;
        };
        let raised = sum.raised;
        let data = mapping::campaign(CampaignProgress { campaign, raised }, charity.as_ref(), at)?;
        let happenings = audience.happenings(EventType::CampaignGoalReached, at, &data);
        tell(tx, &audience, &happenings).await?;
    }
    Ok(())
}

fn read_told(row: &Row) -> Result<(ProjectId, WebhookId, EventTypes), Failure> {
    Ok((
        row.try_get("project")?,
        row.try_get("id")?,
        row.try_get("events")?,
    ))
}

/// Tells the project of a key that it is about to expire.
pub(crate) async fn tell_of_key(
    tx: &Transaction<'_>,
    key: &KeyRecord,
    at: Timestamp,
) -> Result<(), Failure> {
    let audience = audience(tx, &[key.project]).await?;
    let happening = |data| Happening {
        project: key.project,
        event_type: EventType::KeyExpiring,
        at,
        config: None,
        data,
    };
    match audience.is_told(key.project, EventType::KeyExpiring) {
        true => tell(tx, &audience, &[happening(mapping::expiring_key(key)?)]).await,
        false => Ok(()),
    }
}

/// Tells the project of a config that it was created or deleted.
pub(crate) async fn tell_of_config(
    tx: &Transaction<'_>,
    event_type: EventType,
    (project, id): (ProjectId, ConfigId),
    at: Timestamp,
) -> Result<(), Failure> {
    let audience = audience(tx, &[project]).await?;
    if !audience.is_told(project, event_type) {
        return Ok(());
    }
    let configs = Configs::load(tx, [id]).await?;
    let config = configs.get(id)?;
    let charities: Vec<_> = config.beneficiaries.iter().map(|it| it.charity).collect();
    let charities = charities::some(tx, &charities).await?;
    let happening = Happening {
        project,
        event_type,
        at,
        config: Some(id),
        data: mapping::config(config, &charities)?,
    };
    tell(tx, &audience, &[happening]).await
}
