//! Rules for every operation, derived from the contract.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use super::super::fixture::{self, BASE, ETHEREUM, LAUNCHPAD, NEIGHBOUR, USDC};
use super::super::sample_request;
use super::super::test_request::TestRequest;
use super::super::world::Template;

async fn every_operation_succeeds(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let operations = world.document().operations.iter();
    // The others need what these delete.
    let (last, first): (Vec<_>, Vec<_>) = operations.partition(|it| it.method == "DELETE");
    for operation in first.into_iter().chain(last) {
        let answer = sample_request::admitted(operation, &world).of(&world).await;
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(
            matches!(answer.status, 200..300),
            "{}: {text}",
            operation.id
        );
    }
}

/// The same headers as `GET`, its length included, and no body.
async fn every_read_answers_head(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let varies =
        |name: &str| matches!(name, "date" | "x-request-id") || name.starts_with("x-ratelimit-");
    let reads = world.document().operations.iter().filter(|it| it.is_get());
    for operation in reads {
        let request = sample_request::admitted(operation, &world);
        let get = request.expect(&world, 200).await;
        let head = request.method("HEAD").expect(&world, 200).await;
        assert_eq!(
            head.number("content-length"),
            i64::try_from(get.body.len()).unwrap(),
            "{}",
            operation.id
        );
        let names = |answer: &super::super::test_request::Answer| -> BTreeSet<String> {
            answer.headers.keys().map(ToString::to_string).collect()
        };
        assert_eq!(names(&head), names(&get), "{}", operation.id);
        for name in names(&get).iter().filter(|name| !varies(name)) {
            assert_eq!(
                head.header(name),
                get.header(name),
                "{}: {name}",
                operation.id
            );
        }
    }
    // Errors too have their length and no body.
    let absent = TestRequest::new("HEAD", "/charities/no-such-charity");
    assert!(absent.expect(&world, 404).await.number("content-length") > 0);
}

/// Each response has an id of its own, or the one that a trusted proxy gave the request.
async fn every_answer_has_its_id(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let mut seen = BTreeSet::new();
    for operation in &world.document().operations {
        let request = sample_request::admitted(operation, &world);
        let answer = request.of(&world).await;
        assert!(seen.insert(answer.header("x-request-id").unwrap().to_owned()));
        let named = request
            .header("x-request-id", "from-a.proxy_1")
            .of(&world)
            .await;
        assert_eq!(named.header("x-request-id"), Some("from-a.proxy_1"));
    }
}

/// `Link` leads to the section of the guide about the code, and each code has one.
async fn every_error_leads_to_its_code(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for (request, status) in [
        (TestRequest::get("/nowhere"), 404),
        (TestRequest::new("PUT", "/charities"), 405),
        (TestRequest::get("/charities/no-such-charity"), 404),
        (TestRequest::get("/charities?limit=0"), 400),
        (TestRequest::get("/charities").accept("image/png"), 406),
        (TestRequest::get("/configs"), 400),
        (TestRequest::get("/configs").key("sk_wrong"), 403),
    ] {
        let answer = request.expect(&world, status).await;
        let link = answer.header("link").unwrap();
        let end = format!("/docs/guides/errors#{}>; rel=\"help\"", answer.code());
        assert!(link.starts_with("<http") && link.ends_with(&end), "{link}");
        let head = request.method("HEAD").of(&world).await;
        assert!(
            status == 405 || head.header("link") == Some(link),
            "{head:?}"
        );
    }
    let found = TestRequest::get("/charities").expect(&world, 200).await;
    assert_eq!(found.header("link"), None);
}

async fn missing_objects(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in &world.document().operations {
        if operation.answers.contains_key(&404) && operation.path.contains('{') {
            let request = sample_request::absent(operation).key(&world.keys.enterprise);
            assert_eq!(request.expect(&world, 404).await.code(), "NOT_FOUND");
        }
    }
}

/// Inactive charities, deleted configs and other projects' objects get the same response as missing
/// ones.
async fn hidden_objects(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let mut targets = vec![
        format!("/charities/{}", fixture::charity(fixture::ACTIVE)),
        format!("/charities/{}", fixture::slug(fixture::ACTIVE)),
        format!("/campaigns/{}", fixture::charity(0)),
        format!("/{BASE}/tokens/{LAUNCHPAD}"),
        format!("/1/tokens/{USDC}"),
    ];
    for (chain, address) in [(ETHEREUM, LAUNCHPAD), (BASE, NEIGHBOUR), (BASE, USDC)] {
        targets.push(format!("/{chain}/contracts/{address}/tokens/leaderboard"));
    }
    for target in targets {
        let request = TestRequest::get(target).key(&world.keys.enterprise);
        assert_eq!(request.expect(&world, 404).await.code(), "NOT_FOUND");
    }
    for (config, method) in [(5, "GET"), (10, "GET"), (5, "DELETE"), (10, "DELETE")] {
        let request = TestRequest::new(method, format!("/configs/{}", fixture::config(config)));
        let answer = request
            .key(&world.keys.enterprise)
            .expect(&world, 404)
            .await;
        assert_eq!(answer.code(), "NOT_FOUND");
    }
    for charity in [999, fixture::ACTIVE] {
        let beneficiary = json!({ "charityId": fixture::charity(charity), "weight": 1 });
        let request = TestRequest::create(&json!({ "charityBeneficiaries": [beneficiary] }));
        let answer = request
            .key(&world.keys.enterprise)
            .expect(&world, 404)
            .await;
        assert_eq!(answer.code(), "CHARITY_NOT_FOUND");
    }
}

async fn unknown_routes(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let targets = [
        "",
        "/",
        "/charitie",
        "/charities/",
        "/charities//",
        "/charities/a/b",
        "//charities",
        "/Charities",
        "/1/tokens",
        "/1/tokens/",
        "/1/contracts/0x0/tokens",
        "/analytics/none?limit=x",
        "/configs/",
    ];
    for target in targets {
        for method in ["GET", "HEAD", "POST", "DELETE", "OPTIONS"] {
            TestRequest::new(method, target).expect(&world, 404).await;
        }
    }
}

/// Every method that a path does not have; `Allow` names those that it has.
async fn other_methods(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let document = world.document();
    let paths: BTreeSet<_> = document.operations.iter().map(|it| &it.path).collect();
    for path in paths {
        let on_path = document.operations.iter().filter(|it| it.path == *path);
        let mut allowed: BTreeSet<&str> = on_path.clone().map(|it| it.method.as_str()).collect();
        if allowed.contains("GET") {
            allowed.insert("HEAD");
        }
        let target = sample_request::success(on_path.clone().next().unwrap()).target;
        let methods = [
            "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY",
        ];
        for method in methods.iter().filter(|method| !allowed.contains(**method)) {
            let answer = TestRequest::new(method, target.clone())
                .expect(&world, 405)
                .await;
            let listed: BTreeSet<&str> = answer.header("allow").unwrap().split(", ").collect();
            assert_eq!(listed, allowed, "{path}");
        }
    }
}

super::theme! {
    every_operation_succeeds,
    every_read_answers_head,
    every_answer_has_its_id,
    every_error_leads_to_its_code,
    missing_objects,
    hidden_objects,
    unknown_routes,
    other_methods,
}
