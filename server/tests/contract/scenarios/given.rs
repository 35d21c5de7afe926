//! The facts of the document that this API was ordered by, one test for each section. `spec/choices.md` lists
//! what that document leaves open, and what we chose.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::super::fixture::{self, BARREN, BASE, LAUNCHPAD, NEIGHBOUR, SOLANA};
use super::super::test_request::{Answer, TestRequest};
use super::super::world::Template;
use super::limits::{CALLER, spend, window};
use super::paging;

/// Catalog reads, which need no key.
const CATALOG: [&str; 7] = [
    "/charities",
    "/charities/feed",
    "/charities/feed.atom",
    "/campaigns",
    "/chains",
    "/tokens",
    "/8453/tokens/0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
];

/// Operations of a project, which need a key.
fn keyed() -> Vec<TestRequest> {
    let config = format!("/configs/{}", fixture::config(0));
    vec![
        TestRequest::create(&new_config()),
        TestRequest::get("/configs"),
        TestRequest::new("DELETE", config),
        TestRequest::get("/analytics"),
        leaderboard(BASE, LAUNCHPAD),
    ]
}

fn new_config() -> Value {
    json!({ "charityBeneficiaries": [{ "charityId": fixture::charity(0), "weight": 1 }] })
}

fn leaderboard(chain: i64, contract: &str) -> TestRequest {
    TestRequest::get(format!("/{chain}/contracts/{contract}/tokens/leaderboard"))
}

/// The names of an object's properties.
fn names(value: &Value) -> BTreeSet<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

/// Section 1: what works without a key, and what needs one.
async fn section_1_reads_are_public_and_projects_are_not(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for path in CATALOG {
        TestRequest::get(path).expect(&world, 200).await;
    }
    for request in keyed() {
        request.expect(&world, 400).await;
        let answer = request.key(&world.keys.enterprise).of(&world).await;
        assert!((200..300).contains(&answer.status), "{answer:?}");
    }
}

/// Section 2.1: the Atom feed has the charities of the JSON feed. `feeds::are_atom` compares every element.
async fn section_2_1_the_atom_feed_has_the_same_charities(template: Arc<Template>) {
    let world = template
        .world(|config| {
            config.service.name = "Given".to_owned();
            config.service.domain = "given.example".parse().unwrap();
        })
        .await;
    let feed = TestRequest::get("/charities/feed")
        .expect(&world, 200)
        .await;
    let atom = TestRequest::get("/charities/feed.atom")
        .expect(&world, 200)
        .await;
    assert_eq!(atom.header("content-type"), Some("application/atom+xml"));
    let text = String::from_utf8(atom.body.to_vec()).unwrap();
    assert!(
        text.contains("<author><name>Given</name></author>"),
        "{text}"
    );
    let mut rest = text.as_str();
    for charity in feed.json()["response"].as_array().unwrap() {
        let (id, slug) = (
            charity["id"].as_str().unwrap(),
            charity["slug"].as_str().unwrap(),
        );
        let entry = format!("<id>tag:given.example,2026:charity:{id}</id>");
        let at = rest.find(&entry).unwrap_or_else(|| panic!("{entry}"));
        let end = at + rest[at..].find("</entry>").unwrap();
        let listed = charity["listedAt"].as_str().unwrap();
        assert!(rest[at..end].contains(&format!("<updated>{listed}</updated>")));
        assert!(
            rest[at..end].contains(&format!("/charities/{slug}\"")),
            "{}",
            &rest[at..end]
        );
        rest = &rest[end..];
    }
    assert!(!rest.contains("<entry>"));
}

/// Section 2.2: the shapes of a leaderboard entry. `leaderboard::has_an_entry_for_each_config_of_a_token`
/// has the sums of each pair.
async fn section_2_2_a_leaderboard_entry_is_a_token_and_config_pair(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let key = &world.keys.enterprise;
    let entries = paging::walk(&world, &leaderboard(BASE, LAUNCHPAD).key(key), None).await;
    let configs = TestRequest::get("/configs")
        .key(key)
        .expect(&world, 200)
        .await
        .json();
    let listed = configs["response"].as_array().unwrap();
    let (mut pairs, mut tokens, mut without) = (BTreeSet::new(), BTreeSet::new(), 0);
    for entry in &entries {
        assert_eq!(
            names(entry),
            BTreeSet::from(["config", "partnerToken", "stats"])
        );
        let partner = &entry["partnerToken"];
        assert_eq!(names(partner), BTreeSet::from(["creatorAddress", "token"]));
        let token = &partner["token"];
        let expected = ["address", "chainId", "decimals", "name", "symbol"];
        assert_eq!(names(token), BTreeSet::from(expected));
        assert!(
            token["chainId"].is_u64() && token["decimals"].is_u64(),
            "{token}"
        );
        for name in ["address", "name", "symbol"] {
            assert!(token[name].is_string(), "{token}");
        }
        assert!(partner["creatorAddress"].is_string());
        let config = &entry["config"];
        assert_eq!(names(&config["id"]), BTreeSet::from(["base58", "hex"]));
        assert!(config["users"].is_array());
        for charity in config["charities"].as_array().unwrap() {
            for name in ["id", "slug", "name", "weight"] {
                assert!(charity[name].is_string(), "{charity}");
            }
        }
        // The shape is that of the list of configs, whose own name and metadata only the project sees.
        if let Some(same) = listed.iter().find(|it| it["id"] == config["id"]) {
            for (name, value) in config.as_object().unwrap() {
                assert_eq!(value, &same[name], "{name}");
            }
        }
        let stats = &entry["stats"];
        let expected = [
            "donationCount",
            "firstDonationDate",
            "lastDonationDate",
            "usdDonatedE6",
        ];
        assert_eq!(names(stats), BTreeSet::from(expected));
        for name in ["usdDonatedE6", "donationCount"] {
            stats[name].as_str().unwrap().parse::<u64>().unwrap();
        }
        for name in ["firstDonationDate", "lastDonationDate"] {
            match stats[name].as_str() {
                Some(date) => drop(date.parse::<Timestamp>().unwrap()),
                None => assert_eq!(stats["donationCount"], "0"),
            }
        }
        without += usize::from(stats["firstDonationDate"].is_null());
        let (address, id) = (
            token["address"].to_string(),
            config["id"]["hex"].to_string(),
        );
        tokens.insert(address.clone());
        assert!(pairs.insert((address, id)), "a pair has two entries");
    }
    assert!(pairs.len() > tokens.len(), "no token has two configs");
    assert!(without > 0, "no entry is without donations");
}

/// Section 4.1: `charities.feedAtom` has no parameters, and its 400 is reachable.
async fn section_4_1_the_atom_feed_has_a_400(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let operation = world.document().operation("charities.feedAtom");
    assert_eq!(
        (operation.method.as_str(), operation.path.as_str()),
        ("GET", "/charities/feed.atom")
    );
    assert_eq!(
        operation.names("query").count() + operation.names("path").count(),
        0
    );
    let feed = TestRequest::get("/charities/feed.atom");
    validation_error(&feed.clone().query("a", "%FF").expect(&world, 400).await);
    let tags = format!("\"{}\"", "a".repeat(2000));
    validation_error(
        &feed
            .header("if-none-match", &tags)
            .expect(&world, 400)
            .await,
    );
}

/// Section 4.2: the leaderboard's address, pages and errors.
async fn section_4_2_the_leaderboard_pages_and_rejects(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let key = &world.keys.enterprise;
    let board = leaderboard(BASE, LAUNCHPAD).key(key);
    let page = board.expect(&world, 200).await.json();
    assert_eq!(names(&page), BTreeSet::from(["pageKey", "response"]));
    let first = board
        .clone()
        .query("limit", "1")
        .expect(&world, 200)
        .await
        .json();
    let cursor = first["pageKey"].as_str().unwrap().to_owned();
    let second = board.clone().query("limit", "1").query("cursor", &cursor);
    let second = second.expect(&world, 200).await.json();
    let both = [&first["response"][0], &second["response"][0]];
    assert_eq!(both, [&page["response"][0], &page["response"][1]]);
    for (limit, status) in [("200", 200), ("201", 400), ("0", 400)] {
        board
            .clone()
            .query("limit", limit)
            .expect(&world, status)
            .await;
    }
    // The default of 50 is in the contract; the fixture has fewer entries.
    let limit = world.document().operation("contracts.tokenLeaderboard");
    let limit = limit
        .parameters
        .iter()
        .find(|it| it.name == "limit")
        .unwrap();
    assert_eq!(limit.schema["default"], 50);
    let empty = leaderboard(SOLANA, BARREN)
        .key(key)
        .expect(&world, 200)
        .await;
    assert_eq!(empty.json(), json!({ "pageKey": null, "response": [] }));
    for wrong in [
        leaderboard(7, LAUNCHPAD),
        leaderboard(BASE, "0x12"),
        leaderboard(SOLANA, LAUNCHPAD),
    ] {
        validation_error(&wrong.key(key).expect(&world, 400).await);
    }
    let text = TestRequest::get(format!("/base/contracts/{LAUNCHPAD}/tokens/leaderboard"));
    validation_error(&text.key(key).expect(&world, 400).await);
    for absent in [
        leaderboard(BASE, NEIGHBOUR),
        leaderboard(BASE, fixture::USDC),
    ] {
        assert_eq!(
            absent.key(key).expect(&world, 404).await.code(),
            "NOT_FOUND"
        );
    }
    leaderboard(BASE, NEIGHBOUR)
        .key(&world.keys.pro)
        .expect(&world, 200)
        .await;
}

/// Section 4.3 and section 8, item 4: the contract and the collection are public and not metered.
async fn section_4_3_the_contract_and_the_collection_are_not_metered(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for target in ["/openapi", "/postman"] {
        let request = TestRequest::get(target).from(CALLER);
        for _ in 0..25 {
            let answer = request.expect(&world, 200).await;
            assert_eq!(answer.header("content-type"), Some("application/json"));
            assert_eq!(answer.header("x-ratelimit-limit"), None);
        }
    }
    let chains = TestRequest::get("/chains")
        .from(CALLER)
        .expect(&world, 200)
        .await;
    assert_eq!(window(&chains).1, 19);
    let contract = TestRequest::get("/openapi")
        .expect(&world, 200)
        .await
        .json();
    assert_eq!(
        (&contract["openapi"], &contract["info"]["version"]),
        (&json!("3.1.1"), &json!("1.0.0"))
    );
    let server = contract["servers"][0]["url"].as_str().unwrap();
    assert!(server.ends_with("/api/v1"), "{server}");
    let collection = TestRequest::get("/postman")
        .expect(&world, 200)
        .await
        .json();
    assert!(
        collection["info"]["schema"]
            .as_str()
            .unwrap()
            .contains("/v2.1.0/")
    );
}

/// Section 4.4: HEAD is accepted on catalog routes.
async fn section_4_4_catalog_routes_accept_head(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for path in CATALOG {
        let head = TestRequest::new("HEAD", path).expect(&world, 200).await;
        let get = TestRequest::get(path).expect(&world, 200).await;
        assert!(head.body.is_empty() && !get.body.is_empty());
        assert_eq!(head.header("content-type"), get.header("content-type"));
    }
}

/// Section 5 and section 7.2: errors of keys are `{ error, code }`.
async fn section_5_keys_are_required_checked_and_shared(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for request in keyed() {
        let missing = request.expect(&world, 400).await;
        simple_error(&missing, "MISSING_API_KEY");
        for key in [
            &world.keys.unknown,
            &world.keys.revoked,
            &world.keys.expired,
        ] {
            let invalid = request.clone().key(key).expect(&world, 403).await;
            simple_error(&invalid, "INVALID_API_KEY");
        }
    }
    for path in CATALOG {
        let invalid = TestRequest::get(path).key(&world.keys.unknown);
        simple_error(&invalid.expect(&world, 403).await, "INVALID_API_KEY");
    }
    // Another header is no key, and the documents need none.
    let other = TestRequest::get("/configs").header("x-api-key", &world.keys.pro);
    simple_error(&other.expect(&world, 400).await, "MISSING_API_KEY");
    let contract = TestRequest::get("/openapi").key(&world.keys.unknown);
    contract.expect(&world, 200).await;
    // All keys of a project share one window.
    let one = TestRequest::get("/chains")
        .key(&world.keys.pro)
        .expect(&world, 200)
        .await;
    let other = TestRequest::get("/configs").key(&world.keys.second_pro);
    let other = other.expect(&world, 200).await;
    assert_eq!((window(&one).1, window(&other).1), (199, 198));
}

/// Section 7.3: both shapes of errors that are not about keys or limits.
async fn section_7_3_errors_are_defined_or_undefined(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    validation_error(
        &TestRequest::get("/charities")
            .query("limit", "0")
            .expect(&world, 400)
            .await,
    );
    for (request, status) in [
        (TestRequest::get("/nowhere"), 404),
        (TestRequest::new("PUT", "/charities"), 405),
        (TestRequest::get("/charities").accept("image/png"), 406),
    ] {
        let error = request.expect(&world, status).await.json();
        assert_eq!(error["defined"], false);
        assert_eq!(error["status"], status);
        assert!(error["code"].is_string() && error["message"].is_string());
    }
    for invalid in ["CONTRACT", "0"] {
        let target = format!("/charities/{invalid}-{invalid}");
        let error = TestRequest::get(target.to_lowercase())
            .expect(&world, 404)
            .await
            .json();
        assert_eq!(
            (&error["defined"], &error["code"]),
            (&json!(true), &json!("NOT_FOUND"))
        );
    }
}

/// Section 8: every call counts in one sliding window of a project, by its tier; others are limited by address.
async fn section_8_windows_slide_and_count_every_call(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let keys = &world.keys;
    for (key, limit) in [(&keys.free, 50), (&keys.pro, 200), (&keys.enterprise, 1000)] {
        let answer = TestRequest::get("/chains")
            .key(key)
            .expect(&world, 200)
            .await;
        let now = world.clock.wall().as_second();
        assert_eq!(window(&answer), (limit, limit - 1, now + 60));
    }
    let stranger = TestRequest::get("/chains")
        .from(CALLER)
        .expect(&world, 200)
        .await;
    assert_eq!(window(&stranger).0, 20);
    let head = TestRequest::new("HEAD", "/tokens").from(CALLER);
    assert_eq!(window(&head.expect(&world, 200).await).1, 18);

    // 49 more calls of any kind; then neither another operation nor an effect.
    let free = |request: TestRequest| request.key(&keys.free);
    let mut left = 49;
    for request in [
        free(TestRequest::get("/analytics")),
        free(TestRequest::get("/nowhere")),
        free(TestRequest::get("/charities").query("limit", "0")),
    ] {
        left -= 1;
        assert_eq!(window(&request.of(&world).await).1, left);
    }
    spend(&world, &free(TestRequest::get("/configs")), left).await;
    let create = free(TestRequest::create(&new_config()));
    let rejected = create.expect(&world, 429).await;
    simple_error(&rejected, "RATE_LIMIT_EXCEEDED");
    let (limit, remaining, reset) = window(&rejected);
    assert_eq!((limit, remaining), (50, 0));
    let wait = rejected.number("retry-after");
    assert_eq!(reset - world.clock.wall().as_second(), wait);
    // The window slides: all calls of the first second leave it together.
    world.clock.advance_secs(wait.try_into().unwrap());
    let configs = free(TestRequest::get("/configs")).expect(&world, 200).await;
    assert_eq!(
        configs.json()["response"],
        json!([]),
        "a rejected request had an effect"
    );
}

/// Section 9: the path and the versions; section 4.3 has the description's own.
async fn section_9_the_base_path_ends_in_v1(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    assert_eq!(world.document().base, "/api/v1");
    assert_eq!(world.document().root["openapi"], "3.1.1");
    assert_eq!(world.document().root["info"]["version"], "1.0.0");
}

/// Checks section 7.2: exactly `error` and `code`.
fn simple_error(answer: &Answer, code: &str) {
    let body = answer.json();
    assert_eq!(names(&body), BTreeSet::from(["code", "error"]));
    assert!(body["error"].is_string());
    assert_eq!(body["code"], code);
}

/// Checks section 7.3: a defined error, with `data` of `error`, `code` and `issues` alone.
fn validation_error(answer: &Answer) {
    let body = answer.json();
    assert_eq!(
        (&body["defined"], &body["status"]),
        (&json!(true), &json!(400))
    );
    assert_eq!(body["code"], "VALIDATION_ERROR");
    assert!(body["message"].is_string());
    let data = &body["data"];
    assert_eq!(names(data), BTreeSet::from(["code", "error", "issues"]));
    assert!(data["error"].is_string() && data["issues"].is_array());
    assert_eq!(data["code"], "VALIDATION_ERROR");
}

super::theme! {
    section_1_reads_are_public_and_projects_are_not,
    section_2_1_the_atom_feed_has_the_same_charities,
    section_2_2_a_leaderboard_entry_is_a_token_and_config_pair,
    section_4_1_the_atom_feed_has_a_400,
    section_4_2_the_leaderboard_pages_and_rejects,
    section_4_3_the_contract_and_the_collection_are_not_metered,
    section_4_4_catalog_routes_accept_head,
    section_5_keys_are_required_checked_and_shared,
    section_7_3_errors_are_defined_or_undefined,
    section_8_windows_slide_and_count_every_call,
    section_9_the_base_path_ends_in_v1,
}
