//! Generated donations of the last 120 days.

use jiff::Timestamp;
use ruint::aliases::U256;
use serde_json::{Value, json};

use super::customers::{
    CONFIG_COUNT, CONTRACT_CHAIN, PARTNER_DECIMALS, PARTNER_TOKEN_COUNT, active_config, config_id,
    earlier_configs, partner_address,
};
use super::random::Random;
use super::tokens::{TOKENS, transaction};
use super::{digest, milliseconds_before, with};

const DAYS: u64 = 120;
const DAY: u64 = 86_400_000;

/// The number of donations in tokens without a partner.
const ORDINARY: u64 = 2200;

/// The number of donations to each partner token. Tokens with equal numbers and seeds tie.
const PARTNER_DONATIONS: [u64; PARTNER_TOKEN_COUNT] = [
    110, 95, 90, 80, 80, 70, 60, 55, 50, 40, 40, 40, 30, 20, 10, 1, 0, 0,
];

/// The partner tokens that received donations through their earlier configs too. The others changed their
/// configs before [`DAYS`], if at all. None of these ties with another token.
const SWITCHED: [usize; 4] = [1, 2, 5, 7];

/// The price of a whole partner token, in millionths of a US dollar.
const PARTNER_PRICE: u64 = 10_000;

/// The lines of all donations, and of the taking back of one.
pub(super) fn lines(now: Timestamp) -> Vec<Value> {
    let mut lines = ordinary(now);
    // A reorganisation dropped the block of the first.
    lines.extend(
        lines
            .first()
            .map(|first| with(first.clone(), "revision", 1)),
    );
    for (partner, count) in PARTNER_DONATIONS.into_iter().enumerate() {
        // The seed is the number of donations, so that equal numbers make equal sums.
        let mut random = Random::new(count);
        lines.extend((0..count).map(|number| to_partner(now, partner, number, &mut random)));
    }
    lines
}

fn ordinary(now: Timestamp) -> Vec<Value> {
    let mut random = Random::new(2026);
    let configs: Vec<_> = (0..CONFIG_COUNT).map(config_id).collect();
    (0..ORDINARY)
        .filter_map(|number| {
            let token = random.pick(TOKENS)?;
            let config = random.pick(&configs)?;
            let usd = dollars(&mut random);
            Some(json!({
                "kind": "donation",
                "chainId": token.chain,
                "transaction": transaction(token.chain, digest(&format!("donation {number}"))),
                "logIndex": random.below(400),
                "token": token.address,
                "config": config,
                "amount": amount(usd, token.price, token.decimals),
                "usdE6": usd.to_string(),
                "at": moment(now, time_before(&mut random)),
            }))
        })
        .collect()
}

fn to_partner(now: Timestamp, partner: usize, number: u64, random: &mut Random) -> Value {
    let usd = dollars(random);
    let log_index = random.below(400);
    let before = time_before(random);
    let name = format!("partner {partner} donation {number}");
    json!({
        "kind": "donation",
        "chainId": CONTRACT_CHAIN,
        "transaction": transaction(CONTRACT_CHAIN, digest(&name)),
        "logIndex": log_index,
        "token": partner_address(partner),
        "config": config_id(config_at(partner, before)),
        "amount": amount(usd, PARTNER_PRICE, PARTNER_DECIMALS),
        "usdE6": usd.to_string(),
        "at": moment(now, before),
    })
}

/// The number of the config that was active for a partner token, so many milliseconds ago: each of the
/// configs of a token that switched was active for the same time.
fn config_at(partner: usize, before: u64) -> usize {
    let active = active_config(partner);
    if !SWITCHED.contains(&partner) {
        return active;
    }
    let mut configs: Vec<_> = earlier_configs(partner).collect();
    configs.insert(0, active);
    let count = u64::try_from(configs.len()).unwrap_or(u64::MAX);
    let period = usize::try_from(before * count / (DAYS * DAY + 1)).unwrap_or_default();
    configs.get(period).copied().unwrap_or(active)
}

/// A sum in millionths of a dollar: mostly small, now and then large.
fn dollars(random: &mut Random) -> u64 {
    let most = match random.below(20) {
        0 => 2_000_000_000,
        1..5 => 200_000_000,
        _ => 25_000_000,
    };
    500_000 + random.below(most)
}

/// A number of milliseconds of the last 120 days.
fn time_before(random: &mut Random) -> u64 {
    random.below(DAYS * DAY) + 1
}

fn moment(now: Timestamp, before: u64) -> String {
    milliseconds_before(now, i64::try_from(before).unwrap_or_default())
}

/// The amount in a token's smallest unit that is worth `usd`.
fn amount(usd: u64, price: u64, decimals: u8) -> String {
    let whole = U256::from(10).pow(U256::from(decimals));
    (U256::from(usd) * whole / U256::from(price.max(1))).to_string()
}
