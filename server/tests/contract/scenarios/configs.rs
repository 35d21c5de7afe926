//! The life of a config.

use std::sync::Arc;

use generated::api::configs::{
    ConfigsCreateParams, ConfigsCreateResponse, ConfigsDeleteParams, ConfigsDeleteResponse,
    ConfigsGetResponse, ConfigsListParams, ConfigsListResponse,
};
use generated::formats;
use generated::models::{self, ConfigConflictError, NewBeneficiary, NewConfig};

use serde_json::json;

use super::super::fixture::{self, ACTIVE, charity};
use super::super::test_request::TestRequest;
use super::super::world::{Template, World};
use super::parameters::assert_issue;

const ANY: ConfigsDeleteParams = ConfigsDeleteParams { if_match: None };

fn id(charity: usize) -> formats::Uuid {
    fixture::charity(charity).parse().unwrap()
}

fn new_config(beneficiaries: &[(usize, i32)]) -> NewConfig {
    let beneficiary = |(n, weight): &(usize, i32)| NewBeneficiary {
        charity_id: id(*n),
        weight: *weight,
    };
    NewConfig::new(beneficiaries.iter().map(beneficiary).collect())
}

async fn create(world: &World, beneficiaries: &[(usize, i32)]) -> ConfigsCreateResponse {
    let params = ConfigsCreateParams {
        idempotency_key: None,
    };
    let client = world.client_with(&world.keys.pro);
    client
        .configs_create(params, new_config(beneficiaries))
        .await
        .unwrap()
}

async fn get(world: &World, id: &str) -> Option<models::ConfigDetail> {
    let client = world.client_with(&world.keys.pro);
    match client.configs_get(id.to_owned()).await.unwrap() {
        ConfigsGetResponse::Ok { body, .. } => Some(body.decode().unwrap()),
        ConfigsGetResponse::NotFound { .. } => None,
    }
}

async fn list(world: &World) -> Vec<models::OwnConfig> {
    let params = ConfigsListParams {
        limit: 200,
        cursor: None,
        metadata: None,
    };
    let client = world.client_with(&world.keys.pro);
    let ConfigsListResponse::Ok { body } = client.configs_list(params).await.unwrap();
    body.decode().unwrap().response
}

async fn live_once(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let before = list(&world).await;
    let created = create(&world, &[(ACTIVE - 1, 3), (0, 1)]).await;
    let ConfigsCreateResponse::Created {
        body,
        location,
        idempotent_replayed,
        ..
    } = created
    else {
        panic!("{created:?}");
    };
    let config = body.decode().unwrap();
    assert!(!idempotent_replayed);
    assert_eq!(location, format!("/api/v1/configs/{}", config.id.hex));
    let weights: Vec<_> = config
        .charities
        .iter()
        .map(|it| (it.id.to_string(), it.weight.clone()))
        .collect();
    assert_eq!(
        weights,
        [
            (charity(ACTIVE - 1), "3".to_owned()),
            (charity(0), "1".to_owned())
        ]
    );
    assert_eq!((config.users.len(), &config.deleted_at), (0, &None));
    let bytes: Vec<u8> = bs58::decode(&config.id.base58).into_vec().unwrap();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(config.id.hex, format!("0x{hex}"));
    assert_eq!(bytes.len(), 32);

    // It is there at once, under both spellings, first in the list.
    for id in [
        &config.id.hex,
        &config.id.base58,
        &config.id.hex.to_uppercase().replacen("0X", "0x", 1),
    ] {
        let detail = get(&world, id).await.unwrap();
        assert_eq!(
            (&detail.id, &detail.charities),
            (&config.id, &config.charities)
        );
        assert_eq!(detail.stats.donation_count, "0");
        assert_eq!(detail.stats.first_donation_date, None);
    }
    let listed = list(&world).await;
    assert_eq!((&listed[0], &listed[1..]), (&config, &before[..]));

    let client = world.client_with(&world.keys.pro);
    let delete = async || {
        client
            .configs_delete(config.id.base58.clone(), ANY)
            .await
            .unwrap()
    };
    assert!(matches!(delete().await, ConfigsDeleteResponse::NoContent));
    assert!(matches!(
        delete().await,
        ConfigsDeleteResponse::NotFound { .. }
    ));
    assert_eq!(get(&world, &config.id.hex).await, None);
    assert_eq!(list(&world).await, before);
    for id in ["0x00", "nonsense", &"1".repeat(44), &"z".repeat(44)] {
        for method in ["GET", "PATCH", "DELETE"] {
            let request = TestRequest::new(method, format!("/configs/{id}")).key(&world.keys.pro);
            let request = match method {
                "PATCH" => request.body("application/merge-patch+json", "{}"),
                _ => request,
            };
            let issues = request.expect(&world, 400).await.issues();
            assert_eq!(
                (issues[0].place.as_str(), issues[0].at.as_str()),
                ("path", "configId")
            );
        }
    }
    let request = TestRequest::get(format!("/configs/{}", "1".repeat(33))).key(&world.keys.pro);
    assert_issue(
        &request.expect(&world, 400).await.issues(),
        "path",
        "configId",
        "invalidId",
    );
}

async fn belong_to_their_project(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let theirs = fixture::config(0);
    assert_eq!(get(&world, &theirs).await, None);
    let client = world.client_with(&world.keys.pro);
    let deleted = client.configs_delete(theirs.clone(), ANY).await.unwrap();
    assert!(matches!(deleted, ConfigsDeleteResponse::NotFound { .. }));
    let request = TestRequest::get(format!("/configs/{theirs}")).key(&world.keys.enterprise);
    let detail = request.expect(&world, 200).await.json();
    assert_eq!(detail["users"][0]["address"], fixture::USDC);
    let ids: Vec<_> = list(&world).await.into_iter().map(|it| it.id.hex).collect();
    assert_eq!(ids, [fixture::config(11), fixture::config(10)]);
}

async fn are_limited_by_the_tier(template: Arc<Template>) {
    // The project has two.
    let world = template.world(|config| config.quotas.pro = 3).await;
    let body = json!({ "charityBeneficiaries": [{ "charityId": charity(0), "weight": 1 }] });
    let request = TestRequest::create(&body).key(&world.keys.pro);
    let keyed = request.clone().header("idempotency-key", "a");
    let made = keyed.expect(&world, 201).await;
    let refused = request.expect(&world, 409).await;
    assert_eq!(refused.code(), "CONFIG_QUOTA_EXCEEDED");
    assert!(
        refused.json()["message"]
            .as_str()
            .unwrap()
            .contains("limit of 3,")
    );
    assert_eq!(keyed.expect(&world, 201).await.body, made.body);
    let other = request.clone().key(&world.keys.enterprise);
    other.expect(&world, 201).await;
    let location = made
        .header("location")
        .unwrap()
        .trim_start_matches("/api/v1")
        .to_owned();
    let delete = TestRequest::new("DELETE", location).key(&world.keys.pro);
    delete.expect(&world, 204).await;
    request.expect(&world, 409).await;
    world.clock.advance_secs(24 * 3600);
    request.expect(&world, 201).await;
}

async fn name_active_charities(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let before = list(&world).await;
    let unknown = create(&world, &[(0, 1), (900, 1), (ACTIVE, 2), (1, 1)]).await;
    let ConfigsCreateResponse::NotFound { body } = unknown else {
        panic!("{unknown:?}");
    };
    assert_eq!(
        body.decode().unwrap().data.charity_ids,
        [id(900), id(ACTIVE)]
    );
    for beneficiaries in [
        [(0, 1), (1, 2), (0, 1), (1, 9)],
        [(0, 1), (0, 1), (1, 1), (1, 1)],
    ] {
        let twice = create(&world, &beneficiaries).await;
        let ConfigsCreateResponse::Conflict { body } = twice else {
            panic!("{twice:?}");
        };
        let ConfigConflictError::DuplicateCharityError(error) = body.decode().unwrap() else {
            panic!("{body:?}");
        };
        assert_eq!(error.data.charity_ids, [id(0), id(1)]);
    }
    assert_eq!(list(&world).await, before);
}

super::theme! {
    live_once,
    belong_to_their_project,
    name_active_charities,
    are_limited_by_the_tier,
}
