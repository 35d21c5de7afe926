//! Every list that is read page by page, to its end.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::super::ask::Ask;
use super::super::document::{Document, Operation};
use super::super::specimen;
use super::super::world::{Template, World};

/// Whatever the size of the pages, they join to the same list.
pub async fn loses_and_repeats_nothing(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in paged(world.document()) {
        for ask in variants(operation, &world) {
            let whole = walk(&world, &ask, Some(200)).await;
            assert!(
                whole.len() > 2,
                "{} has too little to page through",
                ask.target
            );
            let distinct: BTreeSet<_> = whole.iter().map(Value::to_string).collect();
            assert_eq!(distinct.len(), whole.len(), "{} repeats", ask.target);
            for limit in [Some(1), Some(2), Some(3), Some(7), None] {
                assert_eq!(
                    walk(&world, &ask, limit).await,
                    whole,
                    "{} {limit:?}",
                    ask.target
                );
            }
        }
    }
}

pub async fn orders_are_as_documented(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in paged(world.document()) {
        let ask = specimen::admitted(operation, &world);
        let items = walk(&world, &ask, Some(200)).await;
        let places: Vec<_> = items
            .iter()
            .map(|item| place(&operation.id, item))
            .collect();
        let ascends = operation.id == "tokens.list";
        let in_order =
            |pair: &[(i128, String)]| (pair[0] < pair[1]) == ascends && pair[0] != pair[1];
        assert!(
            places.windows(2).all(in_order),
            "{}: {places:?}",
            operation.id
        );
    }
}

fn paged(document: &Document) -> impl Iterator<Item = &Operation> {
    document.operations.iter().filter(|it| it.is_paged())
}

/// The list as a whole, and cut down by a filter where it has one.
fn variants(operation: &Operation, world: &World) -> Vec<Ask> {
    let ask = specimen::admitted(operation, world);
    let filter = match operation.id.as_str() {
        "charities.list" => Some(("country", "NL")),
        "campaigns.list" => Some(("status", "active")),
        "tokens.list" => Some(("chainId", "8453")),
        id if id.starts_with("analytics.") => Some(("from", "2026-10-01")),
        _ => None,
    };
    let filtered = filter.map(|(name, value)| ask.clone().query(name, value));
    [Some(ask), filtered].into_iter().flatten().collect()
}

/// All items of a list, read in pages of `limit`.
pub async fn walk(world: &World, ask: &Ask, limit: Option<usize>) -> Vec<Value> {
    let mut items = Vec::new();
    let mut cursor: Option<String> = None;
    let mut followed = BTreeSet::new();
    loop {
        let mut page = ask.clone();
        if let Some(limit) = limit {
            page = page.query("limit", &limit.to_string());
        }
        if let Some(cursor) = &cursor {
            page = page.query("cursor", cursor);
        }
        let body = page.expect(world, 200).await.json();
        let on_page = body["response"].as_array().unwrap();
        assert!(on_page.len() <= limit.unwrap_or(50));
        items.extend(on_page.iter().cloned());
        let Some(next) = body["pageKey"].as_str() else {
            return items;
        };
        assert_eq!(
            on_page.len(),
            limit.unwrap_or(50),
            "only the last page may be short"
        );
        assert!(followed.insert(next.to_owned()), "{next} leads to itself");
        cursor = Some(next.to_owned());
    }
}

/// What an item is ordered by: a number, and then a text of one length.
fn place(operation: &str, item: &Value) -> (i128, String) {
    let text = |value: &Value| value.as_str().unwrap().to_lowercase();
    let time = |value: &Value| {
        let at: jiff::Timestamp = value.as_str().unwrap().parse().unwrap();
        i128::from(at.as_millisecond())
    };
    let usd = || {
        item["stats"]["usdDonatedE6"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap()
    };
    match operation {
        "charities.list" => (time(&item["listedAt"]), text(&item["id"])),
        "campaigns.list" => (time(&item["startsAt"]), text(&item["id"])),
        "tokens.list" => (
            item["chainId"].as_i64().unwrap().into(),
            text(&item["address"]),
        ),
        "configs.list" => (time(&item["createdAt"]), text(&item["id"]["hex"])),
        "contracts.tokenLeaderboard" => (usd(), text(&item["partnerToken"]["token"]["address"])),
        "analytics.charities" => (usd(), text(&item["charity"]["id"])),
        "analytics.tokens" => {
            let token = &item["token"];
            let chain = token["chainId"].as_i64().unwrap();
            (usd(), format!("{chain:020}{}", text(&token["address"])))
        }
        "analytics.configs" => (usd(), text(&item["config"]["id"]["hex"])),
        id => panic!("{id} is paged and its order is not said here"),
    }
}
