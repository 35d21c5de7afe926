//! Every list that is read page by page, to its end.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::super::ask::TestRequest;
use super::super::document::{Document, Operation};
use super::super::sample_request;
use super::super::world::{Template, World};

/// Pages of every size join to the same list.
pub async fn no_item_is_lost_or_repeated(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in paged(world.document()) {
        let mut lengths = Vec::new();
        for request in variants(operation, &world) {
            let whole = walk(&world, &request, Some(200)).await;
            lengths.push(whole.len());
            let distinct: BTreeSet<_> = whole.iter().map(Value::to_string).collect();
            assert_eq!(distinct.len(), whole.len(), "{} repeats", request.target);
            for limit in [Some(1), Some(2), Some(3), Some(7), None] {
                assert_eq!(
                    walk(&world, &request, limit).await,
                    whole,
                    "{} {limit:?}",
                    request.target
                );
            }
        }
        let pages = |length: &usize| *length > 2;
        let (whole, filtered) = lengths.split_first().unwrap();
        assert!(
            pages(whole) && (filtered.is_empty() || filtered.iter().any(pages)),
            "{} has too little to page through: {lengths:?}",
            operation.id
        );
    }
}

/// Items are in the documented order (`x-order`); items with equal order are ordered by their unique
/// member (`x-unique`).
pub async fn orders_are_as_documented(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in paged(world.document()) {
        let list = world.document().list(operation);
        let request = sample_request::admitted(operation, &world);
        let items = walk(&world, &request, Some(200)).await;
        for pair in items.windows(2) {
            let order = compare(list, &pair[0], &pair[1]);
            assert_eq!(order, Ordering::Less, "{}: {pair:?}", operation.id);
        }
    }
}

fn paged(document: &Document) -> impl Iterator<Item = &Operation> {
    document.operations.iter().filter(|it| it.is_paged())
}

/// The list as a whole, and cut down by the example of each filter that it has.
fn variants(operation: &Operation, world: &World) -> Vec<TestRequest> {
    let request = sample_request::admitted(operation, world);
    let query = operation.parameters.iter().filter(|it| it.place == "query");
    let filters = query.filter(|it| !["limit", "cursor"].contains(&it.name.as_str()));
    let filtered = filters.map(|it| {
        let value = sample_request::text(&it.example);
        request.clone().query(&it.name, &value)
    });
    [request.clone()].into_iter().chain(filtered).collect()
}

/// All items of a list, read in pages of `limit`.
pub async fn walk(world: &World, request: &TestRequest, limit: Option<usize>) -> Vec<Value> {
    let mut items = Vec::new();
    let mut cursor: Option<String> = None;
    let mut followed = BTreeSet::new();
    loop {
        let mut page = request.clone();
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

/// Compares two items by the order that the contract declares for their list.
fn compare(list: &Value, one: &Value, other: &Value) -> Ordering {
    let steps = list["x-order"]
        .as_array()
        .expect("a list that is paged has an order");
    let by = |pointer: &Value, numeric: bool| {
        let of = |item: &Value| key(item.pointer(pointer.as_str().unwrap()), numeric);
        of(one).cmp(&of(other))
    };
    let mut direction = false;
    for step in steps {
        direction = step["descending"] == true;
        match by(&step["by"], step["numeric"] == true) {
            Ordering::Equal => {}
            order if direction => return order.reverse(),
            order => return order,
        }
    }
    let unique = list["x-unique"].as_array().into_iter().flatten();
    let order = unique.fold(Ordering::Equal, |order, it| order.then(by(it, false)));
    if direction { order.reverse() } else { order }
}

/// The sort key of a member: its number, or its text without regard to case.
fn key(member: Option<&Value>, numeric: bool) -> (Option<i128>, String) {
    match member {
        Some(Value::String(text)) if numeric => (text.parse().ok(), String::new()),
        Some(Value::String(text)) => (None, text.to_lowercase()),
        Some(Value::Number(number)) => (number.as_i64().map(Into::into), String::new()),
        other => panic!("{other:?} is nothing to order by"),
    }
}
