//! The documents about the service itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::super::test_request::TestRequest;
use super::super::world::Template;

async fn the_contract_is_served_as_written_with_the_host_of_its_server(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let served = TestRequest::get("/openapi")
        .expect(&world, 200)
        .await
        .json();
    let mut written = world.document().root.clone();
    written["servers"][0]["url"] = "http://127.0.0.1:8080/api/v1".into();
    assert_eq!(served, written);
}

async fn the_collection_is_served_as_generated(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let served = TestRequest::get("/postman")
        .expect(&world, 200)
        .await
        .json();
    assert!(
        served == generated(),
        "the collection is not what was generated"
    );
}

async fn the_collection_has_every_operation(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let collection = generated();
    let format = collection["info"]["schema"].as_str().unwrap();
    assert_eq!(
        format,
        "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
    );
    let mut requests = BTreeSet::new();
    collect(&collection["item"], &mut requests);
    for operation in &world.document().operations {
        let path = operation.path.replace('{', ":").replace('}', "");
        let request = (operation.method.clone(), path);
        assert!(
            requests.contains(&request),
            "{request:?} is not in {requests:?}"
        );
    }
}

fn generated() -> Value {
    let text = include_str!("../../../../generated/postman/collection.json");
    serde_json::from_str(text).unwrap()
}

/// Method and path of every request, in folders too.
fn collect(items: &Value, requests: &mut BTreeSet<(String, String)>) {
    for item in items.as_array().into_iter().flatten() {
        collect(&item["item"], requests);
        let request = &item["request"];
        if let (Some(method), Some(path)) = (
            request["method"].as_str(),
            request["url"]["path"].as_array(),
        ) {
            let segments = path.iter().filter_map(Value::as_str);
            let path: String = segments.map(|segment| format!("/{segment}")).collect();
            requests.insert((method.to_owned(), path));
        }
    }
}

super::theme! {
    the_contract_is_served_as_written_with_the_host_of_its_server,
    the_collection_is_served_as_generated,
    the_collection_has_every_operation,
}
