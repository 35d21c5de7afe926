//! A project reads about itself.

use std::sync::Arc;

use generated::api::contracts::{ContractsListParams, ContractsListResponse};
use generated::api::project::ProjectGetResponse;
use generated::models::{OpenTier, Project, Tier};
use serde_json::json;

use super::super::fixture::{
    BARREN, BASE, ENTERPRISE, ETHEREUM, FREE, LAUNCHPAD, NEIGHBOUR, PRO, SOLANA, UNUSED, charity,
};
use super::super::test_request::TestRequest;
use super::super::world::{Template, World};

async fn see_their_limits(template: Arc<Template>) {
    let world = template.world(|config| config.quotas.pro = 7).await;
    for (key, id, tier, requests, configs, used) in [
        (&world.keys.free, FREE, Tier::Free, "50", "100", "0"),
        (&world.keys.pro, PRO, Tier::Pro, "200", "7", "2"),
        (
            &world.keys.enterprise,
            ENTERPRISE,
            Tier::Enterprise,
            "1000",
            "10000",
            // One of its six is not counted: it was deleted a day ago.
            "5",
        ),
    ] {
        let project = project(&world, key).await;
        assert_eq!(
            (project.id.to_string().as_str(), &project.tier),
            (id, &OpenTier::Tier(tier))
        );
        assert_eq!(project.name, tier.as_str());
        assert_eq!(project.limits.requests_per_minute, requests);
        assert_eq!(project.limits.configs, configs);
        assert_eq!(project.config_count, used, "{id}");
    }
}

/// A config counts from its creation until a day after its deletion.
async fn see_what_counts_towards_the_quota(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let count = async || project(&world, &world.keys.free).await.config_count;
    let body = json!({ "charityBeneficiaries": [{ "charityId": charity(0), "weight": 1 }] });
    let made = TestRequest::create(&body).key(&world.keys.free);
    let made = made.expect(&world, 201).await;
    assert_eq!(count().await, "1");
    let path = made.header("location").unwrap();
    let path = path.trim_start_matches("/api/v1").to_owned();
    let delete = TestRequest::new("DELETE", path).key(&world.keys.free);
    delete.expect(&world, 204).await;
    assert_eq!(count().await, "1");
    world.clock.advance_secs(24 * 3600);
    assert_eq!(count().await, "0");
}

async fn see_their_contracts(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let own = [(ETHEREUM, UNUSED), (BASE, LAUNCHPAD), (SOLANA, BARREN)];
    assert_eq!(contracts(&world, &world.keys.enterprise).await, own);
    assert_eq!(
        contracts(&world, &world.keys.pro).await,
        [(BASE, NEIGHBOUR)]
    );
    assert_eq!(contracts(&world, &world.keys.free).await, []);
}

async fn project(world: &World, key: &str) -> Project {
    let ProjectGetResponse::Ok { body } = world.client_with(key).project_get().await.unwrap();
    body.decode().unwrap()
}

async fn contracts(world: &World, key: &str) -> Vec<(i64, &'static str)> {
    let params = ContractsListParams {
        limit: 50,
        cursor: None,
    };
    let answer = world.client_with(key).contracts_list(params).await;
    let ContractsListResponse::Ok { body } = answer.unwrap();
    let listed = body.decode().unwrap().response;
    let known = [UNUSED, LAUNCHPAD, BARREN, NEIGHBOUR];
    let known = |address: &str| known.into_iter().find(|it| *it == address).expect(address);
    let named = listed.iter().map(|it| (it.chain_id, known(&it.address)));
    named.collect()
}

super::theme! {
    see_their_limits,
    see_what_counts_towards_the_quota,
    see_their_contracts,
}
