//! The order of the checks: route, key, limit, 413, 415, 406, parameters and body together, rules
//! that need data, precondition.

use std::sync::Arc;

use super::super::ask::Ask;
use super::super::fixture::BASE;
use super::super::world::Template;
use super::limits::{CALLER, spend};
use super::negotiation::MAX_BODY;
use super::parameters::assert_issue;

pub async fn routes_come_first(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for key in ["garbage", &world.keys.revoked] {
        Ask::get("/nowhere?limit=x")
            .key(key)
            .expect(&world, 404)
            .await;
        Ask::new("PUT", "/configs")
            .key(key)
            .expect(&world, 405)
            .await;
    }
    Ask::new("PUT", "/configs")
        .json(vec![b'x'; MAX_BODY + 1])
        .expect(&world, 405)
        .await;
}

pub async fn keys_come_before_parameters(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let bad = [
        Ask::get("/charities?limit=x"),
        Ask::get("/charities").accept("image/png"),
        Ask::get("/configs?contry=1"),
        Ask::new("POST", "/configs").json("{"),
        Ask::new("POST", "/configs").json(vec![b'x'; MAX_BODY + 1]),
        Ask::new("POST", "/configs").body("text/plain", "x"),
        Ask::get("/configs/nonsense"),
    ];
    for ask in bad {
        ask.clone().key("garbage").expect(&world, 403).await;
        if ask.target.starts_with("/configs") {
            assert_eq!(ask.expect(&world, 400).await.code(), "MISSING_API_KEY");
        }
    }
}

pub async fn limits_come_before_parameters(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let free = &world.keys.free;
    spend(&world, &Ask::get("/chains").from(CALLER), 20).await;
    spend(&world, &Ask::get("/chains").key(free), 50).await;
    let refused = [
        Ask::get("/charities?limit=x").from(CALLER),
        Ask::get("/charities").accept("image/png").from(CALLER),
        Ask::get("/configs?limit=x").key(free),
        Ask::new("POST", "/configs").json("{").key(free),
        Ask::new("POST", "/configs")
            .json(vec![b'x'; MAX_BODY + 1])
            .key(free),
        Ask::new("POST", "/configs")
            .body("text/plain", "x")
            .key(free),
        // Guessing keys is limited too.
        Ask::get("/configs").key("garbage").from(CALLER),
        Ask::get("/configs").from(CALLER),
    ];
    for ask in refused {
        ask.expect(&world, 429).await;
    }
}

pub async fn sizes_types_and_acceptance_come_in_order(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let post = |media: &str, length: usize| {
        let ask = Ask::new("POST", "/configs").query("a", "b");
        let ask = ask
            .header("idempotency-key", "not valid")
            .key(&world.keys.pro);
        ask.body(media, vec![b'x'; length]).accept("image/png")
    };
    post("text/plain", MAX_BODY + 1).expect(&world, 413).await;
    post("application/json", MAX_BODY + 1)
        .expect(&world, 413)
        .await;
    post("text/plain", 10).expect(&world, 415).await;
    post("application/json", 10).expect(&world, 406).await;
    Ask::get("/charities?limit=x")
        .accept("image/png")
        .expect(&world, 406)
        .await;
}

pub async fn parameters_and_body_are_checked_together(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let ask = Ask::new("POST", "/configs").json("{\"charityBeneficiaries\":[]}");
    let ask = ask.header("idempotency-key", "not valid").query("a", "b");
    let issues = ask.key(&world.keys.pro).expect(&world, 400).await.issues();
    assert_issue(&issues, "query", "a", "undeclared");
    assert_issue(&issues, "header", "Idempotency-Key", "pattern");
    assert_issue(&issues, "body", "/charityBeneficiaries", "minItems");
    // Rules that need data come later: an address is not looked at while a parameter is wrong.
    let target = format!("/{BASE}/contracts/0x0/tokens/leaderboard?limit=0");
    let issues = Ask::get(target)
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
        Ask::get(target)
            .header("if-none-match", "*")
            .expect(&world, status)
            .await;
    }
}
