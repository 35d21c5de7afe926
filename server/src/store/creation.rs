//! Making a config on request, once for each idempotency key.

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use super::column::Millis;
use super::{Store, StoreError, charities, configs, query};
use crate::domain::charity::Charity;
use crate::domain::config::{Config, ConfigId};

/// How long the answer to an idempotency key is kept.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// What makes a request the same as an earlier one of its project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The caller's key.
    pub key: String,
    /// A digest of the parsed body.
    pub fingerprint: [u8; 32],
}

/// What a request to make a config led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Creation {
    /// The config was made; this is the answer.
    Created(Vec<u8>),
    /// It was made by an earlier request with the same key and body.
    Replayed {
        /// The config that was made then.
        config: ConfigId,
        /// The answer that was given then.
        answer: Vec<u8>,
    },
    /// The key came with another body in the last 24 hours.
    KeyReused,
    /// Charities that are unknown or inactive, by their places among the beneficiaries.
    UnknownCharities(Vec<usize>),
}

impl Store {
    /// Makes a config, with the answer kept in the same transaction when there is a key. Twins in
    /// flight wait for each other.
    ///
    /// The config's own time is what keys expire by. `encode` makes the answer from the config and
    /// its charities, in the order of the beneficiaries. The project must exist, and no charity be
    /// named twice.
    pub async fn create_config(
        &self,
        config: Config,
        idempotency: Option<Idempotency>,
        encode: impl FnOnce(&Config, &[Charity]) -> Vec<u8> + Send + 'static,
    ) -> Result<Creation, StoreError> {
        self.write(move |tx| {
            if let Some(idempotency) = &idempotency
                && let Some(earlier) = recall(tx, &config, idempotency)?
            {
                return Ok(earlier);
            }
            let charities = match active_charities(tx, &config)? {
                Ok(charities) => charities,
                Err(unknown) => return Ok(Creation::UnknownCharities(unknown)),
            };
            configs::insert(tx, &config)?;
            let answer = encode(&config, &charities);
            if let Some(idempotency) = &idempotency {
                remember(tx, &config, idempotency, &answer)?;
            }
            Ok(Creation::Created(answer))
        })
        .await
    }
}

/// The charities in order, or the places of those that are unknown or inactive.
fn active_charities(
    db: &Connection,
    config: &Config,
) -> Result<Result<Vec<Charity>, Vec<usize>>, StoreError> {
    let mut charities = Vec::new();
    let mut unknown = Vec::new();
    for (place, beneficiary) in config.beneficiaries.iter().enumerate() {
        match charities::find(db, beneficiary.charity)? {
            Some(charity) if charity.active => charities.push(charity),
            _ => unknown.push(place),
        }
    }
    Ok(if unknown.is_empty() {
        Ok(charities)
    } else {
        Err(unknown)
    })
}

fn recall(
    db: &Connection,
    config: &Config,
    idempotency: &Idempotency,
) -> Result<Option<Creation>, StoreError> {
    let expired = oldest_kept(config.created_at);
    query::execute(
        db,
        "DELETE FROM idempotency WHERE created_at <= ?1",
        [Millis(expired)],
    )?;
    let sql = "SELECT fingerprint, config, answer FROM idempotency WHERE project = ?1 AND key = ?2";
    let earlier = query::first(db, sql, (config.project, &idempotency.key), |row| {
        Ok((row.get::<_, [u8; 32]>(0)?, row.get(1)?, row.get(2)?))
    })?;
    Ok(earlier.map(
        |(fingerprint, config, answer)| match fingerprint == idempotency.fingerprint {
            true => Creation::Replayed { config, answer },
            false => Creation::KeyReused,
        },
    ))
}

fn oldest_kept(now: Timestamp) -> Timestamp {
    now.checked_sub(KEPT).unwrap_or(Timestamp::MIN)
}

fn remember(
    db: &Connection,
    config: &Config,
    idempotency: &Idempotency,
    answer: &[u8],
) -> Result<(), StoreError> {
    let Idempotency { key, fingerprint } = idempotency;
    let Config {
        id,
        project,
        created_at,
        ..
    } = config;
    query::execute(
        db,
        "INSERT INTO idempotency VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (project, key, fingerprint, id, answer, Millis(*created_at)),
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Record;
    use super::super::fixture::{World, at, charity, config, config_id, project_id};
    use super::*;

    const DAY: i64 = 86_400;

    /// Asks project `project` for config `n`, made at second `second`.
    async fn create(
        world: &World,
        n: u8,
        project: u8,
        second: i64,
        key: Option<(&str, u8)>,
    ) -> Creation {
        let config = Config {
            created_at: at(second),
            ..config(n, project, &[(2, 1), (1, 3)])
        };
        let idempotency = key.map(|(key, body)| Idempotency {
            key: key.to_owned(),
            fingerprint: [body; 32],
        });
        let encode = |config: &Config, charities: &[Charity]| {
            format!("{} {} {}", config.id, charities[0].slug, charities[1].slug).into_bytes()
        };
        world
            .store
            .create_config(config, idempotency, encode)
            .await
            .unwrap()
    }

    fn answer(n: u8) -> Vec<u8> {
        format!("{} charity-2 charity-1", config_id(n)).into_bytes()
    }

    #[tokio::test]
    async fn a_key_makes_one_config() {
        let world = World::new().await;
        let key = Some(("k", 1));
        assert_eq!(
            create(&world, 10, 1, DAY, key).await,
            Creation::Created(answer(10))
        );
        let replayed = Creation::Replayed {
            config: config_id(10),
            answer: answer(10),
        };
        assert_eq!(create(&world, 11, 1, DAY + 1, key).await, replayed);
        assert_eq!(
            create(&world, 12, 1, DAY + 1, Some(("k", 2))).await,
            Creation::KeyReused
        );
        // Keys are a project's own, and no key is no key.
        assert_eq!(
            create(&world, 13, 2, DAY, key).await,
            Creation::Created(answer(13))
        );
        assert_eq!(
            create(&world, 14, 1, DAY, None).await,
            Creation::Created(answer(14))
        );
        let configs = world.store.configs(project_id(1), None, 10).await.unwrap();
        assert_eq!(
            configs
                .iter()
                .map(|config| config.id.0[0])
                .collect::<Vec<_>>(),
            [14, 10, 1]
        );
    }

    #[tokio::test]
    async fn an_answer_is_kept_for_24_hours() {
        let world = World::new().await;
        create(&world, 10, 1, 0, Some(("k", 1))).await;
        let late = create(&world, 11, 1, DAY - 1, Some(("k", 1))).await;
        assert!(matches!(late, Creation::Replayed { .. }));
        assert_eq!(
            create(&world, 12, 1, DAY, Some(("k", 2))).await,
            Creation::Created(answer(12))
        );
    }

    #[tokio::test]
    async fn refusals_are_not_kept() {
        let world = World::new().await;
        let inactive = Charity {
            active: false,
            ..charity(1)
        };
        world
            .record_all(vec![Record::Charity(Box::new(inactive))])
            .await;
        let refused = create(&world, 10, 1, 0, Some(("k", 1))).await;
        assert_eq!(refused, Creation::UnknownCharities(vec![1]));
        world
            .record_all(vec![Record::Charity(Box::new(charity(1)))])
            .await;
        assert_eq!(
            create(&world, 11, 1, 1, Some(("k", 2))).await,
            Creation::Created(answer(11))
        );
    }

    #[tokio::test]
    async fn twins_in_flight_make_one_config() {
        let world = World::new().await;
        let key = Some(("k", 1));
        let twins = tokio::join!(create(&world, 10, 1, 5, key), create(&world, 11, 1, 5, key));
        let made = |creation: &Creation| matches!(creation, Creation::Created(_));
        assert!(made(&twins.0) ^ made(&twins.1), "{twins:?}");
    }
}
