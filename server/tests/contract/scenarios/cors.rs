//! The responses that pages of other sites may read.

use std::sync::Arc;

use http::StatusCode;

use super::super::document::KeyUse;
use super::super::sample_request;
use super::super::test_request::TestRequest;
use super::super::world::Template;

const ORIGIN: &str = "https://elsewhere.example";
const ALLOWED: &str = "access-control-allow-origin";

async fn reads_without_a_key_are_shared(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in &world.document().operations {
        let request = sample_request::success(operation).header("origin", ORIGIN);
        let answer = request.of(&world).await;
        let shared = operation.key != KeyUse::Required;
        assert_eq!(
            answer.header(ALLOWED),
            shared.then_some("*"),
            "{}",
            operation.id
        );
        let keyed = request.key(&world.keys.enterprise).of(&world).await;
        assert_eq!(keyed.header(ALLOWED), None, "{}", operation.id);
        if shared {
            for answer in [&answer, &keyed] {
                let vary = answer.header("vary").unwrap().to_lowercase();
                assert!(vary.contains("service-api-key"), "{vary}");
            }
            let exposed = answer.header("access-control-expose-headers").unwrap();
            for name in answer
                .headers
                .keys()
                .filter(|name| name.as_str().starts_with("x-"))
            {
                assert!(
                    exposed.contains(name.as_str()),
                    "{name} is not in {exposed}"
                );
            }
        }
    }
}

async fn preflights_never_allow_keys(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in &world.document().operations {
        let target = sample_request::success(operation).target;
        for method in ["GET", "HEAD", "POST", "DELETE"] {
            let request = TestRequest::new("OPTIONS", target.clone())
                .header("origin", ORIGIN)
                .header("access-control-request-method", method)
                .header(
                    "access-control-request-headers",
                    "service-api-key, if-none-match",
                );
            let answer = world
                .sender
                .send_unchecked(request.request(&world.base))
                .await;
            let header = |name: &str| answer.headers().get(name).map(|it| it.to_str().unwrap());
            let reads = operation.is_get() && matches!(method, "GET" | "HEAD");
            if reads && operation.key != KeyUse::Required {
                assert_eq!(answer.status(), StatusCode::NO_CONTENT, "{target}");
                assert_eq!(header(ALLOWED), Some("*"));
                let allowed = header("access-control-allow-headers").unwrap();
                assert!(
                    !allowed.contains("service-api-key") && !allowed.contains('*'),
                    "{allowed}"
                );
                assert!(answer.body().is_empty());
            } else {
                // An ordinary request for a method that no path has.
                request.expect(&world, 405).await;
                assert_eq!(header(ALLOWED), None, "{target}");
            }
        }
    }
}

super::theme! {
    reads_without_a_key_are_shared,
    preflights_never_allow_keys,
}
