//! Types of a team's own: handlers get their values, and requests are held to the schemas all the same.

use behaviour::{Answer, request};
use own_types_api::api::peers::{AddPeerParams, AddPeerResponse, PeersApi};
use own_types_api::models::Peer;
use own_types_api::runtime::Limits;
use own_types_api::service::{Faults, service};
use own_types_api::{HandlerError, Host};
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;

struct Peers;

impl Host for Peers {
    type Context = ();
    type Error = HandlerError;
}

impl Faults for Peers {}

impl PeersApi for Peers {
    async fn add_peer(&self, params: AddPeerParams, mut body: Peer) -> Result<AddPeerResponse, HandlerError> {
        let via = params.via.map(|via| via.value().0);
        assert_eq!(via, "[::1]:8080".parse::<SocketAddr>().ok());
        body.labels.insert(body.address.0.port().to_string());
        body.weight = body.weight.saturating_add(1);
        Ok(AddPeerResponse::Ok { body: body.into() })
    }
}

async fn add(via: &str, body: serde_json::Value) -> Answer {
    let service = service(Arc::new(Peers), Limits::default());
    let headers = [("content-type", "application/json")];
    let target = format!("/peers?via={via}");
    request(&service, "POST", &target, &headers, body.to_string()).await
}

#[tokio::test]
async fn values_are_read_and_written_by_their_types() {
    let peer = json!({ "address": "127.0.0.1:80", "labels": ["b", "b"], "weight": 3 });
    let answer = add("[::1]:8080", peer).await;
    let peer = json!({ "address": "127.0.0.1:80", "labels": ["80", "b"], "weight": 4 });
    assert_eq!((answer.status, answer.json()), (200, peer));
}

#[tokio::test]
async fn what_the_schema_or_the_type_refuses_is_a_violation() {
    let answer = add("nowhere", json!({ "address": "127.0.0.1", "labels": ["a", "b", "c"], "weight": 10 })).await;
    assert_eq!(
        answer.issues(),
        ["body /address format", "body /labels maxItems", "body /weight maximum", "query via format"]
    );
    let long = add("[::1]:8080", json!({ "address": "127.0.0.1:80", "labels": ["long"], "weight": 1 })).await;
    assert_eq!(long.issues(), ["body /labels/0 maxLength"]);
}
