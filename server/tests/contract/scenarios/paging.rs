//! Every list that is read page by page, to its end.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::super::document::{Document, Operation, Parameter};
use super::super::sample_request;
use super::super::test_request::TestRequest;
use super::super::world::{Template, World};
use super::parameters::assert_issue;

/// Pages of every size join to the same list.
async fn no_item_is_lost_or_repeated(template: Arc<Template>) {
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
async fn orders_are_as_documented(template: Arc<Template>) {
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

/// No list takes a cursor of another one.
async fn cursors_belong_to_their_list(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let mut cursors = Vec::new();
    for operation in paged(world.document()) {
        let request = sample_request::admitted(operation, &world);
        cursors.push((operation, first_cursor(&world, &request).await.unwrap()));
    }
    for (operation, _) in &cursors {
        for (other, cursor) in &cursors {
            let request = sample_request::admitted(operation, &world);
            let taken = takes(&world, &request, cursor).await;
            let (id, from) = (&operation.id, &other.id);
            assert_eq!(taken, id == from, "{id} and a cursor of {from}");
        }
    }
    let example = paged(world.document()).next().unwrap();
    let shown = example.parameters.iter().find(|it| it.name == "cursor");
    let shown = shown.unwrap().example.as_str().unwrap();
    let request = sample_request::admitted(example, &world);
    assert!(takes(&world, &request, shown).await, "the example");
}

/// No list takes a cursor that it returned for other filters, or for none.
async fn cursors_belong_to_their_filters(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in paged(world.document()) {
        let requests = variants(operation, &world);
        for from in &requests {
            let Some(cursor) = first_cursor(&world, from).await else {
                continue;
            };
            for to in &requests {
                let taken = takes(&world, to, &cursor).await;
                assert_eq!(
                    taken,
                    from.target == to.target,
                    "{cursor} of {} in {}",
                    from.target,
                    to.target
                );
            }
        }
    }
}

/// Texts that no page has returned, although some have the form of a cursor.
async fn changed_cursors_are_refused(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in paged(world.document()) {
        let request = sample_request::admitted(operation, &world);
        let good = first_cursor(&world, &request).await.unwrap();
        let other = |character: &str| if character == "A" { "B" } else { "A" };
        for place in [0, good.len() / 2, good.len() - 1] {
            let mut changed = good.clone();
            let character = good[place..=place].to_owned();
            changed.replace_range(place..=place, other(&character));
            assert!(!takes(&world, &request, &changed).await, "{changed}");
        }
        for text in [
            format!("A{good}"),
            format!("{good}A"),
            good.to_lowercase(),
            "0".repeat(48),
        ] {
            assert!(!takes(&world, &request, &text).await, "{text}");
        }
        // A shorter text may be too short for any cursor.
        for text in [&good[1..], &good[..good.len() - 1]] {
            let cut = request.clone().query("cursor", text);
            let issues = cut.expect(&world, 400).await.issues();
            assert!(issues.iter().all(|it| it.at == "cursor"), "{issues:?}");
        }
        let malformed = [
            "",
            "%20",
            &good[..21],
            &"0".repeat(257),
            &format!("{good}%0A"),
            &format!("{good}="),
        ];
        for text in malformed {
            let issues = request
                .clone()
                .query("cursor", text)
                .expect(&world, 400)
                .await
                .issues();
            assert_issue(&issues, "query", "cursor", "pattern");
        }
    }
}

/// The cursor of the second page, if there is one.
async fn first_cursor(world: &World, request: &TestRequest) -> Option<String> {
    let page = request.clone().query("limit", "1").expect(world, 200).await;
    page.json()["pageKey"].as_str().map(str::to_owned)
}

/// Whether a list takes a text of the form of a cursor; it must refuse all others by naming the parameter.
async fn takes(world: &World, request: &TestRequest, cursor: &str) -> bool {
    let answer = request.clone().query("cursor", cursor).of(world).await;
    if answer.status == 400 {
        assert_issue(&answer.issues(), "query", "cursor", "invalidCursor");
    }
    answer.status == 200
}

fn paged(document: &Document) -> impl Iterator<Item = &Operation> {
    document.operations.iter().filter(|it| it.is_paged())
}

/// The list as a whole, and cut down by the example of each filter that it has.
pub fn variants(operation: &Operation, world: &World) -> Vec<TestRequest> {
    let request = sample_request::admitted(operation, world);
    let query = operation.parameters.iter().filter(|it| it.place == "query");
    let filters = query.filter(|it| !["limit", "cursor"].contains(&it.name.as_str()));
    // Filters of analytics need a first day.
    let is_analytics = operation.id.starts_with("analytics.");
    let first_day = filters.clone().find(|it| is_analytics && it.name == "from");
    let filtered = filters.map(|it| {
        let with = |request: TestRequest, parameter: &Parameter| {
            let value = sample_request::text(&parameter.example);
            request.query(&parameter.name, &value)
        };
        let filtered = with(request.clone(), it);
        let first_day = first_day.filter(|first_day| first_day.name != it.name);
        first_day.into_iter().fold(filtered, with)
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

super::theme! {
    no_item_is_lost_or_repeated,
    orders_are_as_documented,
    cursors_belong_to_their_list,
    cursors_belong_to_their_filters,
    changed_cursors_are_refused,
}
