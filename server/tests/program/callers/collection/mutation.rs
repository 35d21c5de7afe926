//! Tests whether the collection notices faults that a proxy puts into the server's responses.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;

use bytes::Bytes;
use http::Response;

use super::items::Items;
use super::lane::Lane;
use crate::callers::tool;
use crate::document::Document;
use crate::mutants::{self, Fault, Proxy, Table};

/// The number of servers that are used at once.
const LANES: usize = 2;

/// One fault of so many is tried: all of them take ten minutes.
const SHARE: usize = 8;

/// The kinds of faults that no check derived from the contract can notice in each list: only the server
/// knows which items it has, in which order, where the contract states none, and whether there are more.
const OF_ITEMS: [&str; 7] = [
    "cursor broken",
    "cursor lost",
    "cursor moved",
    "first item lost",
    "item repeated",
    "last item lost",
    "list reversed",
];

/// The least share of the faults of a list's items that is noticed, in percent.
const NOTICED: usize = 40;

#[test]
fn the_collection_notices_faults_of_the_server() {
    if !tool::present(&["node"], &["node:newman"]) {
        return;
    }
    let document = Arc::new(Document::read());
    let mut lane = Lane::open(&document);
    let proxy = Arc::new(Proxy::default());
    let failed = lane.run(vec![Arc::clone(&proxy)], &[]);
    assert_eq!(failed, [false], "the collection fails without a fault");
    let faults = derived(&document, &proxy.good()).into_iter();
    let tasks = tasks(&document, faults.step_by(SHARE).collect());

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
    tried.sort_by_key(|(fault, _)| fault.to_string());
    let (of_items, others): (Vec<_>, Vec<_>) = tried
        .into_iter()
        .partition(|(fault, _)| OF_ITEMS.contains(&fault.kind));
    let (of_items, others) = (table(&of_items), table(&others));
    println!("{others}\n{of_items}");
    assert_eq!(others.survivors, [""; 0]);
    let (noticed, tried) = of_items.counts();
    assert!(noticed * 100 >= NOTICED * tried);
}

fn table(tried: &[(Arc<Fault>, bool)]) -> Table {
    let mut table = Table::default();
    for (fault, noticed) in tried {
        table.note(fault, *noticed);
    }
    table
}

/// Faults that the same requests meet, in turn.
struct Task {
    items: Vec<String>,
    faults: Vec<Arc<Fault>>,
}

impl Task {
    /// Each fault, and whether it was noticed.
    fn run(self, lane: &mut Lane) -> Vec<(Arc<Fault>, bool)> {
        let with = |fault: &Arc<Fault>| Arc::new(Proxy::with(Arc::clone(fault)));
        let proxies: Vec<_> = self.faults.iter().map(with).collect();
        let failed = lane.run(proxies.clone(), &self.items).into_iter();
        let noticed = failed
            .zip(&proxies)
            .map(|(failed, proxy)| failed && proxy.is_put());
        self.faults.into_iter().zip(noticed).collect()
    }
}

fn tasks(document: &Document, faults: Vec<Fault>) -> Vec<Task> {
    let items = Items::read();
    let mut met: BTreeMap<Vec<String>, Vec<Arc<Fault>>> = BTreeMap::new();
    for fault in faults {
        let about = items.about(document.operation(&fault.operation), fault.status);
        met.entry(about).or_default().push(Arc::new(fault));
    }
    let task = |(items, faults)| Task { items, faults };
    met.into_iter().map(task).collect()
}

/// The faults of each operation's success, and one of each kind for its errors.
fn derived(document: &Document, good: &BTreeMap<(String, u16), Response<Bytes>>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for operation in &document.operations {
        let mut others = Vec::new();
        let answers = good.iter().filter(|((id, _), _)| *id == operation.id);
        for ((_, status), answer) in answers {
            let of_status = mutants::derive(document, operation, answer);
            match status {
                200..300 => faults.extend(of_status),
                _ => others.push(of_status),
            }
        }
        faults.extend(mutants::one_of_each_kind(others));
    }
    faults
}
