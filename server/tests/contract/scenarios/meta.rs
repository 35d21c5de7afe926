//! The documents about the service itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::super::test_request::TestRequest;
use super::super::world::Template;

async fn the_contract_is_served_without_extensions(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let served = TestRequest::get("/openapi")
        .expect(&world, 200)
        .await
        .json();
    for operation in served["paths"].as_object().unwrap().values() {
        let samples = operation.as_object().unwrap().values();
        assert!(samples.into_iter().all(|it| it["x-codeSamples"].is_array()));
    }
    let mut plain = served.clone();
    let removed = remove_extensions(&mut plain);
    assert_eq!(removed, BTreeSet::from(["x-codeSamples".to_owned()]));
    let mut written = world.document().root.clone();
    written["servers"][0]["url"] = "http://127.0.0.1:8080/api/v1".into();
    remove_extensions(&mut written);
    assert!(plain == written, "not the contract without its extensions");
}

/// Removes all specification extensions, and returns their names. No property and no header of the contract
/// has such a name.
fn remove_extensions(value: &mut Value) -> BTreeSet<String> {
    let mut removed = BTreeSet::new();
    match value {
        Value::Object(fields) => {
            let names = fields.keys().filter(|name| name.starts_with("x-"));
            removed.extend(names.cloned());
            fields.retain(|name, _| !name.starts_with("x-"));
            removed.extend(fields.values_mut().flat_map(remove_extensions));
        }
        Value::Array(items) => removed.extend(items.iter_mut().flat_map(remove_extensions)),
        _ => {}
    }
    removed
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
    the_contract_is_served_without_extensions,
    the_collection_is_served_as_generated,
    the_collection_has_every_operation,
}
