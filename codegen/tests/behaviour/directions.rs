//! Read-only members are not in requests, write-only ones not in responses, and each is required
//! where it is.

use directions_api::api::pets::*;
use directions_api::runtime::Limits;
use directions_api::{HandlerError, Host, SCHEMAS, models, service};
use behaviour::{Answer, request};
use serde_json::{Value, json};
use std::sync::Arc;

struct Shop;

impl Host for Shop {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Shop {}

/// A pet with the members that the shop gives it.
fn given(pet: models::PetWrite) -> models::Pet {
    let kind = match pet.kind {
        models::KindWrite::Cat(cat) => models::Kind::Cat(models::Cat {
            kind: cat.kind,
            lives: 9,
        }),
        models::KindWrite::Dog(dog) => models::Kind::Dog(dog),
    };
    models::Pet {
        id: 1,
        rank: 2,
        kind,
        name: pet.name,
        friends: pet.friends.map(|all| all.into_iter().map(given).collect()),
        by_name: (pet.by_name).map(|all| {
            all.into_iter()
                .map(|(name, pet)| (name, given(pet)))
                .collect()
        }),
        best: pet.best.map(|best| best.map(|pet| Box::new(given(*pet)))),
    }
}

impl PetsApi for Shop {
    async fn create_pet(
        &self,
        params: CreatePetParams,
        body: models::PetWrite,
    ) -> Result<CreatePetResponse, HandlerError> {
        let CreatePetParams { filter } = params;
        let name = filter.and_then(|models::FilterWrite { name }| name);
        let mut pet = given(body);
        pet.name.push_str(&name.unwrap_or_default());
        Ok(CreatePetResponse::Ok { body: pet.into() })
    }

    async fn put_account(&self, body: models::Account) -> Result<PutAccountResponse, HandlerError> {
        let models::Account { name, password: _ } = body;
        Ok(PutAccountResponse::Ok {
            body: models::AccountRead { name }.into(),
        })
    }

    async fn put_closed(&self, body: models::ClosedWrite) -> Result<PutClosedResponse, HandlerError> {
        let body = models::Closed { at: "now".into(), name: body.name };
        Ok(PutClosedResponse::Ok { body: body.into() })
    }
}

async fn send(method: &str, target: &str, body: &Value) -> Answer {
    let service = service::service(Arc::new(Shop), Limits::default());
    let headers = [("content-type", "application/json")];
    request(&service, method, target, &headers, body.to_string()).await
}

#[tokio::test]
async fn requests_do_without_what_is_read_only() {
    let dog = json!({ "kind": "Dog" });
    let pet = json!({
        "name": "Rex", "kind": dog, "friends": [{ "name": "Tom", "kind": { "kind": "Cat" } }],
        "byName": { "a": { "name": "A", "kind": dog } }, "best": null,
    });
    let answer = send("POST", "/pets?filter[name]=!", &pet).await;
    let expected = json!({
        "id": 1, "rank": 2, "name": "Rex!", "kind": dog,
        "friends": [{ "id": 1, "rank": 2, "name": "Tom", "kind": { "kind": "Cat", "lives": 9 } }],
        "byName": { "a": { "id": 1, "rank": 2, "name": "A", "kind": dog } }, "best": null,
    });
    assert_eq!(answer.json(), expected);
    // What is sent all the same is as any other member that is not known.
    let answer = send("POST", "/pets", &expected).await;
    assert_eq!(answer.json(), expected);
    let odd = json!({ "name": "Rex", "kind": dog, "id": "x", "rank": -1 });
    assert_eq!(send("POST", "/pets", &odd).await.status, 200);
    let wrong = json!({ "name": "", "kind": dog, "friends": [{ "name": "", "kind": {} }] });
    let expected = [
        "body /friends/0/kind/kind discriminator",
        "body /friends/0/name minLength",
        "body /name minLength",
    ];
    assert_eq!(send("POST", "/pets", &wrong).await.issues(), expected);
}

#[tokio::test]
async fn responses_do_without_what_is_write_only() {
    let account = json!({ "name": "a", "password": "long enough" });
    let answer = send("PUT", "/accounts", &account).await;
    assert_eq!(answer.json(), json!({ "name": "a" }));
    assert_eq!(
        send("PUT", "/accounts", &json!({ "name": "a" }))
            .await
            .issues(),
        ["body /password required"]
    );
    let short = json!({ "name": "a", "password": "short" });
    assert_eq!(
        send("PUT", "/accounts", &short).await.issues(),
        ["body /password minLength"]
    );
}

#[tokio::test]
async fn a_closed_object_refuses_what_is_read_only() {
    let answer = send("PUT", "/closed", &json!({ "name": "a" })).await;
    assert_eq!(answer.json(), json!({ "name": "a", "at": "now" }));
    let sent = json!({ "at": "now" });
    assert_eq!(
        send("PUT", "/closed", &sent).await.issues(),
        ["body /at additionalProperties"]
    );
}

#[test]
fn the_checker_knows_both_forms() {
    let bare = json!({ "name": "a" });
    assert!(SCHEMAS.is_valid("AccountRead", &bare) && !SCHEMAS.is_valid("Account", &bare));
    let pet = json!({ "name": "a", "kind": { "kind": "Cat" } });
    assert!(SCHEMAS.is_valid("PetWrite", &pet) && !SCHEMAS.is_valid("Pet", &pet));
}

#[test]
fn what_was_read_becomes_what_is_written() {
    let cat = json!({ "kind": "Cat", "lives": 9 });
    let tom = json!({ "id": 2, "rank": 1, "name": "Tom", "kind": cat });
    let pet = json!({
        "id": 1, "rank": 2, "name": "Rex", "kind": { "kind": "Dog", "loud": true },
        "friends": [tom], "byName": { "Tom": tom }, "best": tom,
    });
    let pet: models::Pet = serde_json::from_value(pet).expect("a pet");
    let tom = json!({ "name": "Tom", "kind": { "kind": "Cat" } });
    let written = json!({
        "name": "Rex", "kind": { "kind": "Dog", "loud": true },
        "friends": [tom], "byName": { "Tom": tom }, "best": tom,
    });
    let write = models::PetWrite::from(pet);
    assert_eq!(serde_json::to_value(write).expect("JSON"), written);
}
