//! Three projects, one for each tier, their configs, and a partner contract with its tokens.

use alloy_primitives::hex;
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::{Uuid, uuid};

use super::catalogue::{CHARITY_COUNT, charity_id, is_active};
use super::random::Random;
use super::{digest, hours_before};
use crate::configs::ConfigId;
use crate::projects::{ProjectId, Tier};

/// The project of tier Free.
pub const FREE: ProjectId = ProjectId(uuid!("d3000000-0000-4000-8000-000000000001"));

/// The project of tier Pro.
pub const PRO: ProjectId = ProjectId(uuid!("d3000000-0000-4000-8000-000000000002"));

/// The project of tier Enterprise, which owns [`CONTRACT`].
pub const ENTERPRISE: ProjectId = ProjectId(uuid!("d3000000-0000-4000-8000-000000000003"));

/// The invented address of the Enterprise project's partner contract, with its EIP-55 checksum.
pub const CONTRACT: &str = "0xcA7a106000000000000000000000000000DEcaDE";

/// The chain of [`CONTRACT`]: Base.
pub const CONTRACT_CHAIN: i64 = 8453;

/// Name and ticker of each partner token.
const PARTNER_TOKENS: [(&str, &str); 18] = [
    ("Fictional Otter Coin", "OTTER"),
    ("Fictional Moss Token", "MOSS"),
    ("Fictional Kettle", "KETTLE"),
    ("Fictional Lantern", "LANTRN"),
    ("Fictional Orchard", "ORCH"),
    ("Fictional Harbour", "HARBR"),
    ("Fictional Bicycle", "BIKE"),
    ("Fictional Glacier", "GLCR"),
    ("Fictional Hedgehog", "HEDGE"),
    ("Fictional Telescope", "SCOPE"),
    ("Fictional Seagrass", "GRASS"),
    ("Fictional Bread", "BREAD"),
    ("Fictional Kite", "KITE"),
    ("Fictional Chalk", "CHALK"),
    ("Fictional Brook", "BROOK"),
    ("Fictional Ballot", "BALLOT"),
    ("Fictional Hearth", "HEARTH"),
    ("Fictional Bee", "BEE"),
];

/// The decimals of every partner token.
pub(super) const PARTNER_DECIMALS: u8 = 18;

/// The number of partner tokens.
pub(super) const PARTNER_TOKEN_COUNT: usize = PARTNER_TOKENS.len();

/// The number of configs.
pub(super) const CONFIG_COUNT: usize = 30;

/// The first config of the Enterprise project, and of all after it.
const FIRST_OF_ENTERPRISE: usize = 10;

/// The id of a config, by its number.
pub(super) fn config_id(number: usize) -> String {
    ConfigId(digest(&format!("config {number}"))).to_string()
}

/// The number of a partner token's active config.
pub(super) fn active_config(partner: usize) -> usize {
    FIRST_OF_ENTERPRISE + 2 + partner
}

/// The numbers of a partner token's earlier configs, latest first.
pub(super) fn earlier_configs(partner: usize) -> impl Iterator<Item = usize> {
    (0..partner % 3).map(|earlier| FIRST_OF_ENTERPRISE + earlier)
}

/// The address of a partner token, by its number.
pub(super) fn partner_address(number: usize) -> String {
    address(&format!("partner token {number}"))
}

/// An invented EVM address, in the spelling without a checksum.
fn address(name: &str) -> String {
    let digits = hex::encode(digest(name));
    format!("0x{}", digits.get(..40).unwrap_or_default())
}

/// The lines of projects, configs, contract and partner tokens.
pub(super) fn lines(now: Timestamp) -> Vec<Value> {
    let mut lines = projects();
    lines.extend((0..CONFIG_COUNT).map(|number| config(now, number)));
    lines.push(json!({
        "kind": "contract",
        "project": ENTERPRISE.0.to_string(),
        "chainId": CONTRACT_CHAIN,
        "address": CONTRACT,
    }));
    lines.extend(
        PARTNER_TOKENS
            .iter()
            .enumerate()
            .flat_map(|(number, token)| partner(number, token)),
    );
    lines
}

fn projects() -> Vec<Value> {
    let project = |id: Uuid, name: &str, tier: Tier| json!({ "kind": "project", "id": id.to_string(), "name": name, "tier": tier.as_str() });
    vec![
        project(FREE.0, "Demo: a hobby project", Tier::Free),
        project(PRO.0, "Demo: a wallet", Tier::Pro),
        project(ENTERPRISE.0, "Demo: a token launchpad", Tier::Enterprise),
    ]
}

/// A config of one to five active charities.
fn config(now: Timestamp, number: usize) -> Value {
    let project = match number {
        0..3 => FREE,
        3..FIRST_OF_ENTERPRISE => PRO,
        _ => ENTERPRISE,
    };
    let charities = (0..CHARITY_COUNT)
        .cycle()
        .skip(number * 7)
        .filter(|charity| is_active(*charity));
    let mut random = Random::new(u64::try_from(number).unwrap_or_default());
    let beneficiaries: Vec<_> = charities
        .take(number % 5 + 1)
        .map(|charity| json!({ "charityId": charity_id(charity), "weight": random.below(20) + 1 }))
        .collect();
    let age = 24 * 150 - i64::try_from(number).unwrap_or_default();
    json!({
        "kind": "config",
        "id": config_id(number),
        "project": project.0.to_string(),
        "charityBeneficiaries": beneficiaries,
        "users": [{ "chainId": CONTRACT_CHAIN, "address": address(&format!("user {number}")) }],
        "createdAt": hours_before(now, age),
    })
}

fn partner(number: usize, (name, symbol): &(&str, &str)) -> [Value; 2] {
    let token = partner_address(number);
    let previous: Vec<_> = earlier_configs(number).map(config_id).collect();
    [
        json!({
            "kind": "token",
            "chainId": CONTRACT_CHAIN,
            "address": token,
            "name": name,
            "symbol": symbol,
            "decimals": PARTNER_DECIMALS,
        }),
        json!({
            "kind": "partner-token",
            "chainId": CONTRACT_CHAIN,
            "token": token,
            "contract": CONTRACT,
            "creator": address(&format!("creator {}", number % 7)),
            "activeConfig": config_id(active_config(number)),
            "previousConfigs": previous,
        }),
    ]
}
