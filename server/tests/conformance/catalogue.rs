//! Tests on both databases: the catalogue.

use crate::records::{
    at, campaign, chain, charity, charity_id, config, config_id, donation, partner_token, revised,
    token,
};
use crate::world::{Site, World, catalogue, partner_of};
use features::campaigns::CampaignBeneficiary;
use features::catalogue::Snapshot;
use features::chains::{Chain, ChainKind};
use features::charities::{Category, Charity, CharityFilter, PostalAddress, SocialLink};
use features::database::{Update, Versions};
use features::domain::paging::{List, PageRequest};
use features::domain::recording::{Change, Rule};
use features::import::Record;
use features::tokens::{PartnerToken, TokenFilter};

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

    let catalogue = crate::world::catalogue(&world.store).await;
    assert_eq!(catalogue.campaigns.rows().len(), 2);
    assert_eq!(catalogue.campaign_configs, [config(2, 2, &[(2, 7)])]);
    assert_eq!(catalogue.charities.rows(), [charity(1), full, charity(3)]);
    assert_eq!(catalogue.chains.rows(), [chain()]);
    let tokens = features::tokens::store::tokens(&world.store, TokenFilter::default(), None, 9);
    assert_eq!(
        tokens.await.unwrap(),
        [token(1), token(2), token(3), token(4)]
    );
    assert_eq!(
        catalogue.versions,
        features::database::versions(&world.store).await.unwrap()
    );
    let detail = partner_of(&world.store, partner.token.clone()).await;
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
            .charities,
        before.charities + 1
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

/// A copy that is updated by what has changed shows what a new copy shows.
async fn a_copy_is_updated_by_what_has_changed(site: Site) {
    let world = World::new(&site).await;
    let mut copy = Snapshot::build(catalogue(&world.store).await);
    let charity = |n, name: &str, active| Charity {
        name: name.to_owned(),
        active,
        ..charity(n)
    };
    let swapped = |n, slug: &str| Charity {
        slug: slug.to_owned(),
        ..charity(n, "Swapped", true)
    };
    let of_charity = CampaignBeneficiary::Charity(charity_id(1));
    let of_config = CampaignBeneficiary::Config(config_id(2));
    let given = [donation(1, 1, 1, 30), donation(2, 1, 2, 7)];
    let steps = [
        vec![Record::Charity(Box::new(charity(4, "Zebra", true)))],
        vec![Record::Campaign(campaign(1, of_charity, 1, 2))],
        vec![Record::Charity(Box::new(charity(1, "aardvark", true)))],
        given.clone().map(Record::Donation).into(),
        vec![Record::Charity(Box::new(charity(4, "Zebra", false)))],
        vec![Record::Campaign(campaign(2, of_config, 1, 9))],
        vec![Record::Donation(revised(&given[0]))],
        vec![Record::Charity(Box::new(charity(4, "Zebra", true)))],
        vec![Record::Charity(Box::new(swapped(2, "free")))],
        vec![
            Record::Charity(Box::new(swapped(3, "charity-2"))),
            Record::Charity(Box::new(swapped(2, "charity-3"))),
        ],
        vec![Record::Campaign(campaign(1, of_config, 5, 9))],
        vec![Record::Chain(Chain {
            name: "Renamed".to_owned(),
            ..chain()
        })],
    ];
    for step in steps {
        world.record_all(step).await;
        let store = &world.store;
        let update = features::catalogue::store::update(store, Some(copy.versions)).await;
        let update = update.unwrap();
        assert!(
            !matches!(update.charities, Update::All(_)),
            "only what has changed is read"
        );
        copy = copy.updated(update);
        let new = Snapshot::build(catalogue(store).await);
        assert_eq!(shown(&copy), shown(&new));
        assert_eq!(copy.versions, new.versions);
    }
    // A copy that is older than the log is replaced.
    let old = Versions {
        charities: 0,
        ..copy.versions
    };
    world.forget_changes().await;
    let update = features::catalogue::store::update(&world.store, Some(old)).await;
    assert!(matches!(update.unwrap().charities, Update::All(_)));
}

/// All lists of a snapshot.
fn shown(snapshot: &Snapshot) -> Vec<String> {
    let page = |list| PageRequest::new(List::of(list), None, 100).unwrap();
    let (charities, filter) = (&snapshot.charities, CharityFilter::default());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut lists = vec![
        text(charities.page(&filter, page("a")).body.bytes().unwrap()),
        text(
            charities
                .page_by_name(&filter, &page("a"))
                .body
                .bytes()
                .unwrap(),
        ),
        text(
            charities
                .page_by_received(&snapshot.charity_totals, &filter, &page("a"))
                .body
                .bytes()
                .unwrap(),
        ),
        text(charities.feed().body.bytes().unwrap()),
        text(snapshot.chains.page(page("a")).body.bytes().unwrap()),
        text(
            snapshot
                .campaigns
                .page(None, None, at(3), &page("a"))
                .body
                .bytes()
                .unwrap(),
        ),
    ];
    let found = ["charity-1", "charity-2", "charity-3", "free"].map(|slug| {
        let id = charities.find_id(slug);
        format!("{id:?} {:?}", id.map(|id| snapshot.charity_totals.of(id)))
    });
    lists.extend(found);
    lists
}

on_each_database! {
    a_copy_is_updated_by_what_has_changed,
    contains_the_recorded_items,
    only_changes_are_counted,
    slugs_are_unique_and_kinds_stay,
}
