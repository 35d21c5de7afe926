//! The requests that count, and the subjects that they are charged to.

use std::sync::Arc;

use edge::http::TrustedProxies;

use super::super::test_request::TestRequest;
use super::super::world::Template;
use super::limits::{CALLER, spend, window};

async fn networks_have_windows_of_their_own(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let from = |address: &str| TestRequest::get("/chains").from(address);
    spend(&world, &from(CALLER), 20).await;
    from(CALLER).expect(&world, 429).await;
    from("::ffff:203.0.113.7").expect(&world, 429).await;
    from("203.0.113.8").expect(&world, 200).await;
    // A /64 is one caller.
    spend(&world, &from("2001:db8:ffff:1::1"), 10).await;
    spend(&world, &from("2001:db8:ffff:1:ffff:ffff:ffff:ffff"), 10).await;
    from("2001:db8:ffff:1:2::2").expect(&world, 429).await;
    from("2001:db8:ffff:2::1").expect(&world, 200).await;
    // Entries of the client come before the proxy's own.
    from(&format!("198.51.100.1, {CALLER}"))
        .expect(&world, 429)
        .await;
    from(&format!("{CALLER}, 198.51.100.1"))
        .expect(&world, 200)
        .await;
}

async fn only_trusted_proxies_are_believed(template: Arc<Template>) {
    let world = template
        .world(|config| config.trusted_proxies = TrustedProxies::default())
        .await;
    for n in 0..20 {
        TestRequest::get("/chains")
            .from(&format!("203.0.113.{n}"))
            .expect(&world, 200)
            .await;
    }
    TestRequest::get("/chains")
        .from("198.51.100.1")
        .expect(&world, 429)
        .await;
}

/// Unknown routes, other methods, 304, HEAD, errors, missing and wrong keys: to the project where
/// there is one, else to the address.
async fn everything_else_counts(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let tag = TestRequest::get("/chains").expect(&world, 200).await;
    let tag = tag.header("etag").unwrap().to_owned();
    let asks = [
        (TestRequest::get("/nowhere"), 404),
        (TestRequest::new("PUT", "/chains"), 405),
        (
            TestRequest::get("/chains").header("if-none-match", &tag),
            304,
        ),
        (TestRequest::new("HEAD", "/chains"), 200),
        (TestRequest::get("/chains?limit=0"), 400),
        (TestRequest::get("/chains").accept("image/png"), 406),
        (TestRequest::get("/charities/nobody"), 404),
    ];
    let mut left = (19, 999);
    for (request, status) in &asks {
        let answer = request.clone().from(CALLER).expect(&world, *status).await;
        assert_eq!((window(&answer).0, window(&answer).1), (20, left.0));
        let answer = request
            .clone()
            .key(&world.keys.enterprise)
            .expect(&world, *status)
            .await;
        assert_eq!((window(&answer).0, window(&answer).1), (1000, left.1));
        left = (left.0 - 1, left.1 - 1);
    }
    let keyless = [
        (TestRequest::get("/configs"), 400),
        (TestRequest::new("POST", "/configs"), 400),
        (TestRequest::get("/configs").key(&world.keys.unknown), 403),
        (TestRequest::get("/configs").key(&world.keys.revoked), 403),
        (TestRequest::get("/chains").key("garbage"), 403),
        (TestRequest::get("/nowhere").key(&world.keys.expired), 404),
        (TestRequest::new("PUT", "/chains").key("garbage"), 405),
    ];
    for (request, status) in keyless {
        let answer = request.from(CALLER).expect(&world, status).await;
        assert_eq!((window(&answer).0, window(&answer).1), (20, left.0));
        left.0 -= 1;
    }
}

async fn public_operations_do_not_count(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for _ in 0..4 {
        for target in ["/openapi", "/postman"] {
            let request = TestRequest::get(target).from(CALLER);
            request.expect(&world, 200).await;
            request.clone().method("HEAD").expect(&world, 200).await;
            request
                .clone()
                .key(&world.keys.free)
                .expect(&world, 200)
                .await;
            request.query("a", "%FF").expect(&world, 400).await;
        }
    }
    let answer = TestRequest::get("/chains")
        .from(CALLER)
        .expect(&world, 200)
        .await;
    assert_eq!(window(&answer).1, 19);
    let answer = TestRequest::get("/chains")
        .key(&world.keys.free)
        .expect(&world, 200)
        .await;
    assert_eq!(window(&answer).1, 49);
}

super::theme! {
    networks_have_windows_of_their_own,
    only_trusted_proxies_are_believed,
    everything_else_counts,
    public_operations_do_not_count,
}
