//! Catalogue reads, through the typed client.

use std::sync::Arc;

use super::super::donations;
use super::super::fixture::{self, ACTIVE, BASE, CAMPAIGNS, LAUNCHPAD, USDC, charity};
use super::super::world::{Template, World};
use generated::api::campaigns::{CampaignsGetResponse, CampaignsListParams, CampaignsListResponse};
use generated::api::chains::ChainsListResponse;
use generated::api::charities::{CharitiesGetResponse, CharitiesListParams, CharitiesListResponse};
use generated::api::tokens::TokensGetResponse;
use generated::models::{self, CampaignBeneficiary, CampaignStatus, CharityCategory};

const EVERYTHING: CharitiesListParams = CharitiesListParams {
    limit: 200,
    cursor: None,
    q: None,
    country: None,
    category: None,
};

async fn charities_are_filtered(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let count = async |params: CharitiesListParams| names(&world, params).await.len();
    assert_eq!(count(EVERYTHING).await, ACTIVE);
    let country = |country: &str| CharitiesListParams {
        country: Some(country.to_owned()),
        ..EVERYTHING
    };
    assert_eq!(count(country("NL")).await, ACTIVE.div_ceil(3));
    assert_eq!(count(country("FR")).await, 0);
    let category = |category| CharitiesListParams {
        category: Some(category),
        ..EVERYTHING
    };
    assert_eq!(
        count(category(CharityCategory::Food)).await,
        (0..ACTIVE).filter(|n| n % 5 == 1).count()
    );
    assert_eq!(count(category(CharityCategory::Animals)).await, 0);
    let both = CharitiesListParams {
        country: Some("KE".into()),
        ..category(CharityCategory::Food)
    };
    assert_eq!(
        count(both).await,
        (0..ACTIVE).filter(|n| n % 15 == 1).count()
    );

    let search = |q: &str| CharitiesListParams {
        q: Some(q.to_owned()),
        ..EVERYTHING
    };
    let special = vec!["Lakes & \"Friends\" <of> Ünïcode ☃".to_owned()];
    for words in [
        "lakes",
        "LAKES litter",
        "  ünïcode  ☃ ",
        "<of>",
        "]]>",
        "& \"friends\"",
    ] {
        assert_eq!(names(&world, search(words)).await, special, "{words}");
    }
    assert_eq!(count(search("charity fictional number")).await, ACTIVE - 1);
    assert_eq!(names(&world, search("charity-17")).await, ["Charity 17"]);
    assert_eq!(count(search("lakes absent")).await, 0);
    assert_eq!(
        count(search("%")).await,
        0,
        "nothing in a search is a wild card"
    );
    assert_eq!(count(search("_")).await, 0);
}

async fn charities_are_found_by_id_and_slug(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let full = ACTIVE - 1;
    let by_id = get_charity(&world, &charity(full)).await;
    assert_eq!(get_charity(&world, &format!("charity-{full}")).await, by_id);
    assert_eq!((by_id.country.as_str(), by_id.verified), ("KE", true));
    assert_eq!(by_id.postal_address.city.as_deref(), Some("Zwolle"));
    assert_eq!(by_id.social_links.len(), 1);
    let plain = get_charity(&world, &fixture::slug(0)).await;
    assert_eq!(
        (plain.logo, plain.website, plain.tax_id),
        (None, None, None)
    );
}

async fn campaigns_say_where_they_stand(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let all = campaigns(&world, None).await;
    assert_eq!(all.len(), CAMPAIGNS);
    for status in [
        CampaignStatus::Upcoming,
        CampaignStatus::Active,
        CampaignStatus::Ended,
    ] {
        let some = campaigns(&world, Some(status)).await;
        let of_all: Vec<_> = all
            .iter()
            .filter(|it| it.status == status)
            .cloned()
            .collect();
        assert!(!some.is_empty() && some == of_all, "{status:?}");
    }
    // The one that ended at the start of the clock has ended; the one that begins then is active.
    let status = |n: usize| {
        all.iter()
            .find(|it| it.id.to_string() == fixture::campaign(n))
            .unwrap()
            .status
    };
    assert_eq!(status(3), CampaignStatus::Ended);
    assert_eq!(status(4), CampaignStatus::Active);

    // Campaign 2 serves config 0 and has run since long before its first donation but one.
    let campaign = get_campaign(&world, 2).await;
    let CampaignBeneficiary::ConfigBeneficiary(beneficiary) = &campaign.beneficiary else {
        panic!("{campaign:?}");
    };
    assert_eq!(beneficiary.config_id.hex, fixture::config(0));
    let donations = donations::all();
    let starts: jiff::Timestamp = campaign.starts_at.value().0;
    let counted = donations
        .iter()
        .filter(|donation| donation.config == 0 && donation.at >= starts);
    assert_eq!(
        campaign.raised_usd_e6,
        donations::sum(counted).usd.to_string()
    );
    let CampaignBeneficiary::CharityBeneficiary(beneficiary) =
        get_campaign(&world, 1).await.beneficiary
    else {
        panic!("campaign 1 serves a charity");
    };
    assert_eq!(beneficiary.charity.id.to_string(), charity(0));

    // Time passes, and the status with it.
    world.clock.advance_secs(24 * 3600);
    assert_eq!(get_campaign(&world, 4).await.status, CampaignStatus::Ended);
}

async fn chains_and_tokens(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let ChainsListResponse::Ok { body: chains } = world.client().chains_list().await.unwrap();
    let ids: Vec<_> = chains
        .body
        .decode()
        .unwrap()
        .response
        .iter()
        .map(|chain| chain.id)
        .collect();
    assert_eq!(
        ids,
        [fixture::ETHEREUM, BASE, fixture::BITCOIN, fixture::SOLANA]
    );

    let plain = get_token(&world, USDC).await;
    assert_eq!((plain.symbol.as_str(), plain.partner), ("USDC", None));
    let partner = get_token(&world, &fixture::partner(0))
        .await
        .partner
        .unwrap();
    assert_eq!(partner.contract_address, LAUNCHPAD);
    assert_eq!(partner.creator_address.to_lowercase(), fixture::partner(90));
    assert_eq!(partner.active_config.id.hex, fixture::config(0));
    let previous: Vec<_> = partner
        .previous_configs
        .iter()
        .map(|it| it.id.hex.clone())
        .collect();
    assert_eq!(previous, [fixture::config(10), fixture::config(5)]);
    assert!(partner.previous_configs[1].deleted_at.is_some());
}

async fn names(world: &World, params: CharitiesListParams) -> Vec<String> {
    let CharitiesListResponse::Ok { body: page } =
        world.client().charities_list(params).await.unwrap();
    let page = page.body.decode().unwrap();
    let charities = page.response.into_iter();
    charities.map(|charity| charity.name).collect()
}

async fn get_charity(world: &World, id: &str) -> models::Charity {
    match world.client().charities_get(id.to_owned()).await.unwrap() {
        CharitiesGetResponse::Ok { body: answer } => answer.body.decode().unwrap(),
        other => panic!("{other:?}"),
    }
}

async fn campaigns(world: &World, status: Option<CampaignStatus>) -> Vec<models::Campaign> {
    let params = CampaignsListParams {
        limit: 200,
        cursor: None,
        status,
    };
    let CampaignsListResponse::Ok { body: page } =
        world.client().campaigns_list(params).await.unwrap();
    page.body.decode().unwrap().response
}

async fn get_campaign(world: &World, n: usize) -> models::Campaign {
    match world
        .client()
        .campaigns_get(fixture::campaign(n).parse().unwrap())
        .await
        .unwrap()
    {
        CampaignsGetResponse::Ok { body: answer } => answer.body.decode().unwrap(),
        other => panic!("{other:?}"),
    }
}

async fn get_token(world: &World, address: &str) -> models::TokenDetail {
    match world
        .client()
        .tokens_get(BASE, address.to_owned())
        .await
        .unwrap()
    {
        TokensGetResponse::Ok { body: answer } => answer.body.decode().unwrap(),
        other => panic!("{other:?}"),
    }
}

super::theme! {
    charities_are_filtered,
    charities_are_found_by_id_and_slug,
    campaigns_say_where_they_stand,
    chains_and_tokens,
}
