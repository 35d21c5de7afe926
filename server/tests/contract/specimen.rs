//! One request for each operation that the fixture answers with success, and where there is such a
//! thing, one for something that is not there.

use serde_json::json;

use super::ask::Ask;
use super::document::{KeyUse, Operation};
use super::fixture::{self, BASE, LAUNCHPAD, NEIGHBOUR, USDC};
use super::world::World;

/// A request that succeeds. A new operation has to be entered here.
pub fn success(operation: &Operation) -> Ask {
    let target = match operation.id.as_str() {
        "charities.get" => "/charities/charity-0".to_owned(),
        "campaigns.get" => format!("/campaigns/{}", fixture::campaign(0)),
        "tokens.get" => format!("/{BASE}/tokens/{USDC}"),
        "contracts.tokenLeaderboard" => {
            format!("/{BASE}/contracts/{LAUNCHPAD}/tokens/leaderboard")
        }
        "configs.get" | "configs.delete" => format!("/configs/{}", fixture::config(0)),
        "configs.create" => {
            let beneficiary = json!({ "charityId": fixture::charity(0), "weight": 1 });
            return Ask::create(&json!({ "charityBeneficiaries": [beneficiary] }));
        }
        _ => {
            let id = &operation.id;
            assert!(!operation.path.contains('{'), "{id} has no specimen");
            operation.path.clone()
        }
    };
    Ask::new(&operation.method, target)
}

/// The same with a key where one is needed.
pub fn admitted(operation: &Operation, world: &World) -> Ask {
    let ask = success(operation);
    match operation.key {
        KeyUse::Required => ask.key(&world.keys.enterprise),
        KeyUse::Optional | KeyUse::Ignored => ask,
    }
}

/// Requests for what is not there, for each operation that documents 404.
pub fn absent(operation: &Operation) -> Vec<Ask> {
    let unknown = fixture::config(200);
    let targets = match operation.id.as_str() {
        "charities.get" => vec![
            "/charities/no-such-charity".to_owned(),
            format!("/charities/{}", fixture::charity(999)),
            format!("/charities/{}", fixture::charity(fixture::ACTIVE)),
            format!("/charities/charity-{}", fixture::ACTIVE),
        ],
        "campaigns.get" => vec![format!("/campaigns/{}", fixture::charity(0))],
        "tokens.get" => vec![
            format!("/{BASE}/tokens/{LAUNCHPAD}"),
            format!("/1/tokens/{USDC}"),
        ],
        "contracts.tokenLeaderboard" => [LAUNCHPAD, NEIGHBOUR, USDC]
            .iter()
            .zip([fixture::ETHEREUM, BASE, BASE])
            .map(|(address, chain)| format!("/{chain}/contracts/{address}/tokens/leaderboard"))
            .collect(),
        "configs.get" | "configs.delete" => [unknown, fixture::config(5), fixture::config(10)]
            .iter()
            .map(|config| format!("/configs/{config}"))
            .collect(),
        "configs.create" => {
            let unknown = [999, fixture::ACTIVE];
            let ask = |n| {
                let beneficiary = json!({ "charityId": fixture::charity(n), "weight": 1 });
                Ask::create(&json!({ "charityBeneficiaries": [beneficiary] }))
            };
            return unknown.map(ask).to_vec();
        }
        id => panic!("{id} documents 404 and has no specimen of it"),
    };
    let asks = targets.into_iter();
    asks.map(|target| Ask::new(&operation.method, target))
        .collect()
}
