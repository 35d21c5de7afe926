//! Entity tags, for every operation that documents 304.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::sample_request;
use super::super::test_request::TestRequest;
use super::super::world::Template;

async fn every_tag_is_honoured(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let operations = world.document().operations.iter();
    for operation in operations.filter(|it| it.answers.contains_key(&304)) {
        let request = sample_request::admitted(operation, &world);
        let answer = request.expect(&world, 200).await;
        let (tag, cache) = (
            answer.header("etag").unwrap(),
            answer.header("cache-control"),
        );
        let holding = |tags: &str| request.clone().header("if-none-match", tags);
        for tags in ["*", tag, &format!("W/{tag}"), &format!("\"other\" ,{tag}")] {
            for request in [holding(tags), holding(tags).method("HEAD")] {
                let current = request.expect(&world, 304).await;
                assert_eq!(current.header("etag"), Some(tag), "{}", operation.id);
                assert_eq!(current.header("cache-control"), cache, "{}", operation.id);
            }
        }
        for tags in ["\"other\"", tag.trim_matches('"'), "W/\"*\""] {
            holding(tags).expect(&world, 200).await;
        }
    }
    // Different answers have different tags.
    let mut tags = BTreeSet::new();
    let targets = [
        "/charities",
        "/charities?limit=1",
        "/charities?limit=2",
        "/charities?country=KE",
        "/charities?q=nothing",
        "/campaigns",
        "/campaigns?limit=1",
        "/campaigns?status=ended",
        "/tokens",
        "/tokens?chainId=1",
        "/tokens?limit=1",
    ];
    for target in targets {
        let answer = TestRequest::get(target).expect(&world, 200).await;
        assert!(
            tags.insert(answer.header("etag").unwrap().to_owned()),
            "{target}"
        );
    }
}

/// A precondition is the last thing that is looked at (RFC 9110, section 13.2.1).
async fn errors_come_first(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for (target, status) in [
        ("/charities/nobody", 404),
        ("/charities?limit=0", 400),
        ("/8453/tokens/0x0", 400),
    ] {
        TestRequest::get(target)
            .header("if-none-match", "*")
            .expect(&world, status)
            .await;
    }
}

super::theme! {
    every_tag_is_honoured,
    errors_come_first,
}
