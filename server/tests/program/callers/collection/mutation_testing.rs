//! Tests whether the conformance collection notices mutations of the server's responses, which a proxy makes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;

use bytes::Bytes;
use http::Response;

use super::items::Items;
use super::lane::Lane;
use crate::document::Document;
use crate::mutations::{self, Mutation, Proxy, Table};

/// The source of the contract.
const CONTRACT: &str = include_str!("../../../../../spec/openapi.yaml");

/// The number of servers that are used at once.
const LANES: usize = 2;

/// One mutation of so many is tried, unless the variable `MUTATIONS` is `all`: that takes ten minutes.
const SHARE: usize = 8;

/// The least share of the mutations that is noticed.
const NOTICED: f64 = 0.9;

const UNCOUNTED: &str = "only the server knows how many there are";
const INTERVALS: &str = "no schema says which intervals lie between two days";
const GIVEN: &str = "they stand as they were given, which an answer does not tell";
const BROKEN: &str = "no script knows how many rules a value breaks, nor which comes first";
const OPEN: &str = "the contract leaves open what is in the document";
const ONE_PAGE: &str = "the demo has one page of them, after which nobody asks for the next";

/// Mutations that no check derived from the contract can notice, with the reason. One of the list that is
/// tried and noticed fails the build, so that the list stays true.
#[rustfmt::skip]
const SURVIVORS: [(&str, &str); 60] = [
    ("analytics.series 200: first item lost at /response", INTERVALS),
    ("analytics.series 200: last item lost at /response", INTERVALS),
    ("analytics.totals 400: first item lost at /data/issues", BROKEN),
    ("analytics.totals 400: item repeated at /data/issues", BROKEN),
    ("analytics.totals 400: last item lost at /data/issues", BROKEN),
    ("analytics.totals 400: list reversed at /data/issues", BROKEN),
    ("charities.feed 200: first item lost at /response", UNCOUNTED),
    ("charities.feed 200: last item lost at /response", UNCOUNTED),
    ("configs.update 200: first item lost at /charities", GIVEN),
    ("configs.update 200: last item lost at /charities", GIVEN),
    ("configs.update 200: list reversed at /charities", GIVEN),
    ("configs.create 201: first item lost at /charities", GIVEN),
    ("configs.create 201: last item lost at /charities", GIVEN),
    ("configs.create 201: list reversed at /charities", GIVEN),
    ("configs.donations 200: first item lost at /response/*/shares", GIVEN),
    ("configs.donations 200: last item lost at /response/*/shares", GIVEN),
    ("configs.donations 200: list reversed at /response/*/shares", GIVEN),
    ("configs.get 200: first item lost at /charities", GIVEN),
    ("configs.get 200: last item lost at /charities", GIVEN),
    ("configs.get 200: list reversed at /charities", GIVEN),
    ("configs.list 200: first item lost at /response/*/charities", GIVEN),
    ("configs.list 200: last item lost at /response/*/charities", GIVEN),
    ("configs.list 200: list reversed at /response/*/charities", GIVEN),
    ("contracts.list 200: cursor broken at /pageKey", ONE_PAGE),
    ("contracts.list 200: cursor lost at /pageKey", ONE_PAGE),
    ("contracts.list 200: cursor moved at /pageKey", ONE_PAGE),
    ("contracts.tokenLeaderboard 200: first item lost at /response/*/config/charities", GIVEN),
    ("contracts.tokenLeaderboard 200: last item lost at /response/*/config/charities", GIVEN),
    ("contracts.tokenLeaderboard 200: list reversed at /response/*/config/charities", GIVEN),
    ("meta.openapi 200: first item lost at /tags", OPEN),
    ("meta.openapi 200: item repeated at /tags", OPEN),
    ("meta.openapi 200: last item lost at /tags", OPEN),
    ("meta.openapi 200: list reversed at /tags", OPEN),
    ("meta.postman 200: first item lost at /item", OPEN),
    ("meta.postman 200: item repeated at /item", OPEN),
    ("meta.postman 200: last item lost at /item", OPEN),
    ("meta.postman 200: list reversed at /item", OPEN),
    ("webhooks.update 200: first item lost at /events", GIVEN),
    ("webhooks.update 200: item repeated at /events", GIVEN),
    ("webhooks.update 200: last item lost at /events", GIVEN),
    ("webhooks.update 200: list reversed at /events", GIVEN),
    ("webhooks.create 201: first item lost at /events", GIVEN),
    ("webhooks.create 201: item repeated at /events", GIVEN),
    ("webhooks.create 201: last item lost at /events", GIVEN),
    ("webhooks.create 201: list reversed at /events", GIVEN),
    ("webhooks.deliveries 200: cursor broken at /pageKey", ONE_PAGE),
    ("webhooks.deliveries 200: cursor lost at /pageKey", ONE_PAGE),
    ("webhooks.deliveries 200: cursor moved at /pageKey", ONE_PAGE),
    ("webhooks.get 200: first item lost at /events", GIVEN),
    ("webhooks.get 200: item repeated at /events", GIVEN),
    ("webhooks.get 200: last item lost at /events", GIVEN),
    ("webhooks.get 200: list reversed at /events", GIVEN),
    ("webhooks.list 200: first item lost at /response/*/events", GIVEN),
    ("webhooks.list 200: item repeated at /response/*/events", GIVEN),
    ("webhooks.list 200: last item lost at /response/*/events", GIVEN),
    ("webhooks.list 200: list reversed at /response/*/events", GIVEN),
    ("webhooks.rotateSecret 200: first item lost at /events", GIVEN),
    ("webhooks.rotateSecret 200: item repeated at /events", GIVEN),
    ("webhooks.rotateSecret 200: last item lost at /events", GIVEN),
    ("webhooks.rotateSecret 200: list reversed at /events", GIVEN),
];

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn the_collection_notices_mutations_of_responses() {
    if !installed::present(&["node"], &["node:newman"]) {
        return;
    }
    let document = Arc::new(Document::read(CONTRACT));
    let mut lane = Lane::open(&document);
    let proxy = Arc::new(Proxy::default());
    let failed = lane.run(vec![Arc::clone(&proxy)], &[]);
    assert_eq!(failed, [false], "the collection fails without a mutation");
    let derived = derived(&document, &proxy.good()).into_iter();
    let all = std::env::var("MUTATIONS").is_ok_and(|which| which == "all");
    let step = if all { 1 } else { SHARE };
    let tasks = tasks(&document, derived.step_by(step).collect());

    let waiting = Mutex::new(tasks.into_iter());
    let tried = Mutex::new(Vec::new());
    let work = |lane: &mut Lane| {
        while let Some(task) = { waiting.lock().unwrap().next() } {
            let outcomes = task.run(lane);
            tried.lock().unwrap().extend(outcomes);
        }
    };
    thread::scope(|scope| {
        for _ in 1..LANES {
            scope.spawn(|| work(&mut Lane::open(&document)));
        }
        work(&mut lane);
    });

    let mut tried = tried.into_inner().unwrap();
    tried.sort_by_key(|(mutation, _)| mutation.to_string());
    let mut table = Table::default();
    let mut expected = Vec::new();
    for (mutation, noticed) in tried {
        let text = mutation.to_string();
        let known = SURVIVORS.iter().find(|(survivor, _)| *survivor == text);
        if let Some((survivor, reason)) = known {
            println!("survives: {survivor}, because {reason}");
            expected.push(text);
        }
        table.note(&mutation, noticed);
    }
    println!("{table}");
    assert_eq!(table.survivors, expected, "not those that are listed");
    let (noticed, tried) = table.counts();
    assert!(noticed as f64 >= NOTICED * tried as f64);
}

/// Mutations that the same requests meet, in turn.
struct Task {
    items: Vec<String>,
    mutations: Vec<Arc<Mutation>>,
}

impl Task {
    /// Each mutation, and whether it was noticed.
    fn run(self, lane: &mut Lane) -> Vec<(Arc<Mutation>, bool)> {
        let with = |mutation: &Arc<Mutation>| Arc::new(Proxy::with(Arc::clone(mutation)));
        let proxies: Vec<_> = self.mutations.iter().map(with).collect();
        let failed = lane.run(proxies.clone(), &self.items).into_iter();
        let noticed = failed
            .zip(&proxies)
            .map(|(failed, proxy)| failed && proxy.is_applied());
        self.mutations.into_iter().zip(noticed).collect()
    }
}

fn tasks(document: &Document, mutations: Vec<Mutation>) -> Vec<Task> {
    let items = Items::read();
    let mut met: BTreeMap<Vec<String>, Vec<Arc<Mutation>>> = BTreeMap::new();
    for mutation in mutations {
        let about = items.about(document.operation(&mutation.operation), mutation.status);
        met.entry(about).or_default().push(Arc::new(mutation));
    }
    let task = |(items, mutations)| Task { items, mutations };
    met.into_iter().map(task).collect()
}

/// The mutations of each operation's success, and one of each kind for its errors.
fn derived(document: &Document, good: &BTreeMap<(String, u16), Response<Bytes>>) -> Vec<Mutation> {
    let mut found = Vec::new();
    for operation in &document.operations {
        let mut others = Vec::new();
        let answers = good.iter().filter(|((id, _), _)| *id == operation.id);
        for ((_, status), answer) in answers {
            let of_status = mutations::derive(document, operation, answer);
            match status {
                200..300 => found.extend(of_status),
                _ => others.push(of_status),
            }
        }
        found.extend(mutations::one_of_each_kind(others));
    }
    found
}
