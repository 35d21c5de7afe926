//! The order of the checks: route, key, limit, 413, 415, 406, parameters and body together, rules
//! that need data, precondition.

use std::sync::Arc;

use super::super::fixture::BASE;
use super::super::test_request::TestRequest;
use super::super::world::Template;
use super::limits::{CALLER, spend};
use super::negotiation::MAX_BODY;
use super::parameters::assert_issue;

async fn routes_come_first(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for key in ["garbage", &world.keys.revoked] {
        TestRequest::get("/nowhere?limit=x")
            .key(key)
            .expect(&world, 404)
            .await;
        TestRequest::new("PUT", "/configs")
            .key(key)
            .expect(&world, 405)
            .await;
    }
    TestRequest::new("PUT", "/configs")
        .json(vec![b'x'; MAX_BODY + 1])
        .expect(&world, 405)
        .await;
}

async fn keys_come_before_parameters(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let invalid = [
        TestRequest::get("/charities?limit=x"),
        TestRequest::get("/charities").accept("image/png"),
        TestRequest::get("/configs?contry=1"),
        TestRequest::new("POST", "/configs").json("{"),
        TestRequest::new("POST", "/configs").json(vec![b'x'; MAX_BODY + 1]),
        TestRequest::new("POST", "/configs").body("text/plain", "x"),
        TestRequest::get("/configs/nonsense"),
    ];
    for request in invalid {
        request.clone().key("garbage").expect(&world, 403).await;
        if request.target.starts_with("/configs") {
            assert_eq!(request.expect(&world, 400).await.code(), "MISSING_API_KEY");
        }
    }
}

async fn limits_come_before_parameters(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let free = &world.keys.free;
    spend(&world, &TestRequest::get("/chains").from(CALLER), 20).await;
    spend(&world, &TestRequest::get("/chains").key(free), 50).await;
    let refused = [
        TestRequest::get("/charities?limit=x").from(CALLER),
        TestRequest::get("/charities")
            .accept("image/png")
            .from(CALLER),
        TestRequest::get("/configs?limit=x").key(free),
        TestRequest::new("POST", "/configs").json("{").key(free),
        TestRequest::new("POST", "/configs")
            .json(vec![b'x'; MAX_BODY + 1])
            .key(free),
        TestRequest::new("POST", "/configs")
            .body("text/plain", "x")
            .key(free),
        // Guessing keys is limited too.
        TestRequest::get("/configs").key("garbage").from(CALLER),
        TestRequest::get("/configs").from(CALLER),
    ];
    for request in refused {
        request.expect(&world, 429).await;
    }
}

async fn sizes_types_and_acceptance_come_in_order(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let post = |media: &str, length: usize| {
        let request = TestRequest::new("POST", "/configs").query("a", "b");
        let request = request
            .header("idempotency-key", "not valid")
            .key(&world.keys.pro);
        request.body(media, vec![b'x'; length]).accept("image/png")
    };
    post("text/plain", MAX_BODY + 1).expect(&world, 413).await;
    post("application/json", MAX_BODY + 1)
        .expect(&world, 413)
        .await;
    post("text/plain", 10).expect(&world, 415).await;
    post("application/json", 10).expect(&world, 406).await;
    TestRequest::get("/charities?limit=x")
        .accept("image/png")
        .expect(&world, 406)
        .await;
}

async fn parameters_and_body_are_checked_together(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let request = TestRequest::new("POST", "/configs").json("{\"charityBeneficiaries\":[]}");
    let request = request
        .header("idempotency-key", "not valid")
        .query("a", "b");
    let issues = request
        .key(&world.keys.pro)
        .expect(&world, 400)
        .await
        .issues();
    assert_issue(&issues, "query", "a", "undeclared");
    assert_issue(&issues, "header", "Idempotency-Key", "pattern");
    assert_issue(&issues, "body", "/charityBeneficiaries", "minItems");
    // Rules that need data come later: an address is not looked up while a parameter is invalid.
    let target = format!("/{BASE}/contracts/0x0/tokens/leaderboard?limit=0");
    let issues = TestRequest::get(target)
        .key(&world.keys.pro)
        .expect(&world, 400)
        .await
        .issues();
    assert_issue(&issues, "query", "limit", "minimum");
    // And the precondition last.
    for (target, status) in [
        ("/charities/nobody", 404),
        ("/7/tokens/0x0", 400),
        ("/chains", 304),
    ] {
        TestRequest::get(target)
            .header("if-none-match", "*")
            .expect(&world, status)
            .await;
    }
}

super::theme! {
    routes_come_first,
    keys_come_before_parameters,
    limits_come_before_parameters,
    sizes_types_and_acceptance_come_in_order,
    parameters_and_body_are_checked_together,
}
