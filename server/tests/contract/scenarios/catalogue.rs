//! Catalogue reads, through the typed client.

use std::sync::Arc;

use super::super::donations;
use super::super::fixture::{self, ACTIVE, BASE, CAMPAIGNS, LAUNCHPAD, USDC, charity};
use super::super::test_request::TestRequest;
use super::super::world::{Template, World};
use super::attribution::figures;
use super::paging;
use super::parameters::assert_issue;
use generated::api::campaigns::{
    CampaignsCharitiesResponse, CampaignsGetResponse, CampaignsListParams, CampaignsListResponse,
};
use generated::api::chains::{ChainsListParams, ChainsListResponse};
use generated::api::charities::{CharitiesGetResponse, CharitiesListParams, CharitiesListResponse};
use generated::api::tokens::{TokensGetResponse, TokensListParams, TokensListResponse};
use generated::models::{self, CampaignBeneficiary, CampaignStatus, CharityCategory, CharitySort};

const EVERYTHING: CharitiesListParams = CharitiesListParams {
    limit: 200,
    cursor: None,
    q: None,
    country: None,
    category: None,
    ids: None,
    tax_id: None,
    city: None,
    verified: None,
    sort: CharitySort::ListedAt,
};

const ALL_CAMPAIGNS: CampaignsListParams = CampaignsListParams {
    limit: 200,
    cursor: None,
    status: None,
    charity_id: None,
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

async fn charities_are_found_by_what_names_them(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let special = ACTIVE - 1;
    let ids = |numbers: &[usize]| CharitiesListParams {
        ids: Some(
            numbers
                .iter()
                .map(|n| charity(*n).parse().unwrap())
                .collect(),
        ),
        ..EVERYTHING
    };
    // Not one that is no longer active, nor one that nobody knows.
    let some = names(&world, ids(&[3, special, 3, ACTIVE, 999, 7])).await;
    let expected = [
        "Lakes & \"Friends\" <of> Ünïcode ☃",
        "Charity 7",
        "Charity 3",
    ];
    assert_eq!(some, expected);
    let hundred: Vec<_> = (0..100).collect();
    assert_eq!(names(&world, ids(&hundred)).await.len(), ACTIVE);
    let too_many: Vec<_> = (0..101).map(charity).collect();
    let request = TestRequest::get("/charities").query("ids", &too_many.join(","));
    let issues = request.expect(&world, 400).await.issues();
    assert_issue(&issues, "query", "ids", "maxItems");

    // Many HTTP libraries encode the commas too.
    let encoded = format!("{}%2C{}", charity(3), charity(7));
    let request = TestRequest::get("/charities").query("ids", &encoded);
    let found = request.expect(&world, 200).await.json();
    assert_eq!(found["response"].as_array().unwrap().len(), 2);

    let by_tax_id = CharitiesListParams {
        tax_id: Some("NL000000000B01".to_owned()),
        ..EVERYTHING
    };
    assert_eq!(names(&world, by_tax_id).await, expected[..1]);
    let city = |city: &str| CharitiesListParams {
        city: Some(city.to_owned()),
        ..EVERYTHING
    };
    for name in ["Zwolle", "zWOLLE"] {
        assert_eq!(names(&world, city(name)).await, expected[..1]);
    }
    assert_eq!(names(&world, city("Zwoll")).await, [""; 0]);
    let verified = |verified: bool| CharitiesListParams {
        verified: Some(verified),
        ..EVERYTHING
    };
    assert_eq!(names(&world, verified(true)).await, expected[..1]);
    assert_eq!(names(&world, verified(false)).await.len(), ACTIVE - 1);
}

/// The sum of donations to a charity, as its totals show it.
async fn received(world: &World, n: usize) -> i64 {
    let totals = TestRequest::get(format!("/charities/{}/totals", charity(n)));
    // Without a key the limit would be reached.
    let totals = totals.key(&world.keys.enterprise).expect(world, 200).await;
    figures(&totals.json()).0
}

async fn charities_are_sorted(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let sorted = |sort| CharitiesListParams { sort, ..EVERYTHING };
    let newest = names(&world, EVERYTHING).await;
    let by_name = names(&world, sorted(CharitySort::Name)).await;
    let mut expected = newest.clone();
    expected.sort_by_key(|name| name.to_lowercase());
    assert_eq!(by_name, expected);
    assert_ne!(by_name, newest);
    let filtered = CharitiesListParams {
        country: Some("KE".to_owned()),
        ..sorted(CharitySort::Name)
    };
    let of_kenya = names(&world, filtered).await;
    assert!(of_kenya.len() > 10 && of_kenya.is_sorted_by_key(|name| name.to_lowercase()));
    // By what the donations give, ties by id, whatever is on a page.
    let mut ranked = Vec::new();
    for n in 0..ACTIVE {
        ranked.push((received(&world, n).await, charity(n)));
    }
    ranked.sort_unstable_by(|a, b| b.cmp(a));
    assert!(ranked[0].0 > ranked[1].0 && ranked.last().unwrap().0 == 0);
    let listed = TestRequest::get("/charities?sort=donated");
    let listed = paging::walk(&world, &listed, Some(7)).await;
    let listed: Vec<_> = listed.iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert!(listed.iter().eq(ranked.iter().map(|(_, id)| id)));
    // The default is an order like any other: its cursors are the same without it.
    let first = TestRequest::get("/charities?limit=1");
    let first = first.expect(&world, 200).await.json();
    let next = TestRequest::get("/charities?limit=1&sort=listedAt");
    let next = next.query("cursor", first["pageKey"].as_str().unwrap());
    next.expect(&world, 200).await;
}

/// Everybody sees whom a campaign serves, also where only its config's owner could read the config.
async fn campaigns_name_their_charities(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let client = world.client();
    for n in 0..CAMPAIGNS {
        let answer = client.campaigns_charities(fixture::campaign(n).parse().unwrap());
        let CampaignsCharitiesResponse::Ok { body } = answer.await.unwrap() else {
            panic!("campaign {n}");
        };
        let shown = body.body.decode().unwrap().response;
        let shown: Vec<_> = shown
            .iter()
            .map(|it| (it.id.to_string(), it.weight.parse().unwrap()))
            .collect();
        let expected = match n % 2 {
            0 => fixture::weights(0),
            _ => vec![(0, 1)],
        };
        let expected = expected.into_iter().map(|(n, weight)| (charity(n), weight));
        assert_eq!(shown, expected.collect::<Vec<(String, i64)>>(), "{n}");
    }
    let unknown = client.campaigns_charities(fixture::campaign(99).parse().unwrap());
    let unknown = unknown.await.unwrap();
    assert!(matches!(
        unknown,
        CampaignsCharitiesResponse::NotFound { .. }
    ));

    let of = async |charity: String| {
        let params = CampaignsListParams {
            charity_id: Some(charity.parse().unwrap()),
            ..ALL_CAMPAIGNS
        };
        let ids = list_campaigns(&world, params).await;
        ids.into_iter()
            .map(|it| it.id.to_string())
            .collect::<Vec<_>>()
    };
    // Config 0 serves the charities 0 to 2.
    let all = list_campaigns(&world, ALL_CAMPAIGNS).await;
    assert_eq!(of(charity(0)).await.len(), all.len());
    let for_configs: Vec<_> = all
        .iter()
        .filter(|it| matches!(it.beneficiary, CampaignBeneficiary::ConfigBeneficiary(_)))
        .map(|it| it.id.to_string())
        .collect();
    assert!(!for_configs.is_empty());
    assert_eq!(of(charity(2)).await, for_configs);
    assert_eq!(of(charity(3)).await, [""; 0]);
}

async fn tokens_are_found_by_symbol(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let chains = async |symbol: &str, chain_id: Option<i64>| {
        let params = TokensListParams {
            limit: 200,
            cursor: None,
            chain_id,
            symbol: Some(symbol.to_owned()),
        };
        let TokensListResponse::Ok { body } = world.client().tokens_list(params).await.unwrap();
        let tokens = body.body.decode().unwrap().response;
        tokens.iter().map(|it| it.chain_id).collect::<Vec<_>>()
    };
    for symbol in ["USDC", "usdc"] {
        let expected = [fixture::ETHEREUM, BASE, fixture::SOLANA];
        assert_eq!(chains(symbol, None).await, expected);
        assert_eq!(chains(symbol, Some(BASE)).await, [BASE]);
    }
    assert_eq!(chains("USD", None).await, [0; 0]);
}

async fn charities_are_found_by_id_and_slug(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let full = ACTIVE - 1;
    let by_id = get_charity(&world, &charity(full)).await;
    assert_eq!(get_charity(&world, &format!("charity-{full}")).await, by_id);
    let upper = charity(full).to_uppercase();
    assert_eq!(get_charity(&world, &upper).await, by_id);
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
        campaign.usd_raised_e6,
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
    let params = ChainsListParams {
        limit: 50,
        cursor: None,
    };
    let ChainsListResponse::Ok { body: chains } = world.client().chains_list(params).await.unwrap();
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
        status,
        ..ALL_CAMPAIGNS
    };
    list_campaigns(world, params).await
}

async fn list_campaigns(world: &World, params: CampaignsListParams) -> Vec<models::Campaign> {
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
    charities_are_found_by_what_names_them,
    charities_are_sorted,
    campaigns_name_their_charities,
    tokens_are_found_by_symbol,
    campaigns_say_where_they_stand,
    chains_and_tokens,
}
