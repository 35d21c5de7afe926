//! Tests on both databases: the catalogue.

use crate::records::{
    at, campaign, chain, charity, charity_id, config, config_id, partner_token, token,
};
use crate::world::{Site, World};
use features::campaigns::CampaignBeneficiary;
use features::chains::{Chain, ChainKind};
use features::charities::{Category, Charity, PostalAddress, SocialLink};
use features::domain::recording::{Change, Rule};
use features::import::Record;
use features::tokens::PartnerToken;

async fn contains_the_recorded_items(site: Site) {
    let world = World::new(&site).await;
    let link = |network: &str| SocialLink {
        network: network.to_owned(),
        url: format!("https://{network}.example/charity"),
    };
    // All fields are set here, so that the compiler asks for a new one: nothing else tests that an update stores it.
    let full = Charity {
        id: charity_id(2),
        slug: "another-slug".to_owned(),
        name: "Another name".to_owned(),
        description: "Another description.".to_owned(),
        website: Some("https://a.example".to_owned()),
        country: "BE".to_owned(),
        category: Category::Animals,
        logo: Some("https://a.example/logo".to_owned()),
        address: PostalAddress {
            line1: Some("1 High Street".to_owned()),
            line2: Some("Back door".to_owned()),
            city: Some("Town".to_owned()),
            region: Some("County".to_owned()),
            postal_code: Some("AB1".to_owned()),
        },
        tax_id: Some("12-345".to_owned()),
        social_links: ["x", "youtube"].map(link).into(),
        active: false,
        verified: false,
        listed_at: at(-5),
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

    let campaigns = [
        CampaignBeneficiary::Config(config_id(2)),
        CampaignBeneficiary::Charity(charity_id(1)),
    ];
    let campaigns = (1..)
        .zip(campaigns)
        .map(|(n, it)| Record::Campaign(campaign(n, it, 1, 2)));
    world.record_all(campaigns.collect()).await;

    let catalogue = features::catalogue::store::catalogue(&world.store)
        .await
        .unwrap();
    assert_eq!(catalogue.campaigns.len(), 2);
    assert_eq!(catalogue.campaign_configs, [config(2, 2, &[(2, 7)])]);
    assert_eq!(catalogue.charities, [charity(1), full, charity(3)]);
    assert_eq!(catalogue.chains, [chain()]);
    assert_eq!(catalogue.tokens, [token(1), token(2), token(3), token(4)]);
    assert_eq!(
        catalogue.versions,
        features::database::versions(&world.store).await.unwrap()
    );
    let [detail] = &catalogue.partners[..] else {
        panic!("one partner token")
    };
    assert_eq!(detail.partner, partner);
    assert_eq!(detail.active_config.id, config_id(1));
    assert_eq!(detail.previous_configs[0].id, config_id(2));
}

async fn only_changes_are_counted(site: Site) {
    let world = World::new(&site).await;
    let before = features::database::versions(&world.store).await.unwrap();
    for record in [
        Record::Chain(chain()),
        Record::Charity(Box::new(charity(1))),
        Record::Token(token(1)),
    ] {
        assert_eq!(world.record(record).await, Ok(Change::Unchanged));
    }
    assert_eq!(
        features::database::versions(&world.store).await.unwrap(),
        before
    );
    let renamed = Charity {
        name: "Another".to_owned(),
        ..charity(1)
    };
    world
        .record_all(vec![Record::Charity(Box::new(renamed))])
        .await;
    assert_eq!(
        features::database::versions(&world.store)
            .await
            .unwrap()
            .catalogue,
        before.catalogue + 1
    );
}

async fn slugs_are_unique_and_kinds_stay(site: Site) {
    let world = World::new(&site).await;
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

on_each_database! {
    contains_the_recorded_items,
    only_changes_are_counted,
    slugs_are_unique_and_kinds_stay,
}
