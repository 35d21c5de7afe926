//! The whole catalogue, as a server's snapshot is built from.

use rusqlite::Connection;

use super::{
    CampaignProgress, Store, StoreError, Versions, campaigns, chains, charities, configs, partners,
    tokens, versions,
};
use crate::domain::chain::Chain;
use crate::domain::charity::Charity;
use crate::domain::config::{Config, ConfigId};
use crate::domain::partner::PartnerToken;
use crate::domain::token::Token;

/// Everything that catalogue reads answer from, in one state of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalogue {
    /// The counters of that state.
    pub versions: Versions,
    /// All charities, active or not, by id.
    pub charities: Vec<Charity>,
    /// All campaigns, by id.
    pub campaigns: Vec<CampaignProgress>,
    /// All chains, by id.
    pub chains: Vec<Chain>,
    /// All tokens, by chain id and then by address.
    pub tokens: Vec<Token>,
    /// What makes some of them partner tokens, in the same order.
    pub partners: Vec<PartnerDetail>,
}

/// A partner token with its configs. A config that its project deleted is still here: what the
/// chain says does not change by that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerDetail {
    /// The token, its contract and its creator.
    pub partner: PartnerToken,
    /// The active config.
    pub active_config: Config,
    /// The previous ones, latest first.
    pub previous_configs: Vec<Config>,
}

impl Store {
    /// Loads the catalogue.
    pub async fn catalogue(&self) -> Result<Catalogue, StoreError> {
        self.read(|db| {
            Ok(Catalogue {
                versions: versions::current(db)?,
                charities: charities::all(db)?,
                campaigns: campaigns::all(db)?,
                chains: chains::all(db)?,
                tokens: tokens::all(db)?,
                partners: partners::all(db)?
                    .into_iter()
                    .map(|partner| detail(db, partner))
                    .collect::<Result<_, _>>()?,
            })
        })
        .await
    }
}

fn detail(db: &Connection, partner: PartnerToken) -> Result<PartnerDetail, StoreError> {
    let get = |id: &ConfigId| configs::get(db, *id);
    Ok(PartnerDetail {
        active_config: get(&partner.active_config)?,
        previous_configs: partner
            .previous_configs
            .iter()
            .map(get)
            .collect::<Result<_, _>>()?,
        partner,
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{World, at, chain, charity, config_id, partner_token, token};
    use super::super::{Change, Record, Rule};
    use crate::domain::chain::{Chain, ChainKind};
    use crate::domain::charity::{Charity, PostalAddress, SocialLinks};
    use crate::domain::partner::PartnerToken;

    #[tokio::test]
    async fn holds_what_was_recorded() {
        let world = World::new().await;
        let full = Charity {
            logo: Some("https://a.example/logo".to_owned()),
            address: PostalAddress {
                street: Some("1 High Street".to_owned()),
                city: Some("Town".to_owned()),
                region: Some("County".to_owned()),
                postal_code: Some("AB1".to_owned()),
            },
            tax_id: Some("12-345".to_owned()),
            social: SocialLinks {
                x: Some("x".to_owned()),
                facebook: Some("f".to_owned()),
                instagram: Some("i".to_owned()),
                linkedin: Some("l".to_owned()),
                youtube: Some("y".to_owned()),
            },
            active: false,
            verified: false,
            listed_at: at(-5),
            ..charity(2)
        };
        assert_eq!(
            world.record(Record::Charity(Box::new(full.clone()))).await,
            Ok(Change::Updated)
        );
        let partner = PartnerToken {
            previous_configs: vec![config_id(2)],
            ..partner_token(3, 1, 1)
        };
        world
            .record_all(vec![Record::PartnerToken(partner.clone())])
            .await;

        let catalogue = world.store.catalogue().await.unwrap();
        assert_eq!(catalogue.charities, [charity(1), full, charity(3)]);
        assert_eq!(catalogue.chains, [chain()]);
        assert_eq!(catalogue.tokens, [token(1), token(2), token(3), token(4)]);
        assert_eq!(catalogue.versions, world.store.versions().await.unwrap());
        let [detail] = &catalogue.partners[..] else {
            panic!("one partner token")
        };
        assert_eq!(detail.partner, partner);
        assert_eq!(detail.active_config.id, config_id(1));
        assert_eq!(detail.previous_configs[0].id, config_id(2));
    }

    #[tokio::test]
    async fn only_changes_are_counted() {
        let world = World::new().await;
        let before = world.store.versions().await.unwrap();
        for record in [
            Record::Chain(chain()),
            Record::Charity(Box::new(charity(1))),
            Record::Token(token(1)),
        ] {
            assert_eq!(world.record(record).await, Ok(Change::Unchanged));
        }
        assert_eq!(world.store.versions().await.unwrap(), before);
        let renamed = Charity {
            name: "Another".to_owned(),
            ..charity(1)
        };
        world
            .record_all(vec![Record::Charity(Box::new(renamed))])
            .await;
        assert_eq!(
            world.store.versions().await.unwrap().catalogue,
            before.catalogue + 1
        );
    }

    #[tokio::test]
    async fn slugs_are_unique_and_kinds_stay() {
        let world = World::new().await;
        let namesake = Charity {
            slug: "charity-1".to_owned(),
            ..charity(2)
        };
        let refused = world
            .record(Record::Charity(Box::new(namesake)))
            .await
            .unwrap_err();
        assert_eq!(
            (refused.member.as_str(), refused.rule),
            ("/slug", Rule::Taken)
        );
        let other_kind = Chain {
            kind: ChainKind::Svm,
            ..chain()
        };
        let refused = world.record(Record::Chain(other_kind)).await.unwrap_err();
        assert_eq!(
            (refused.member.as_str(), refused.rule),
            ("/type", Rule::Immutable)
        );
    }
}
