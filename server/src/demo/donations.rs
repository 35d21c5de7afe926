//! Generated donations of the last 120 days.

use alloy_primitives::hex;
use jiff::Timestamp;
use ruint::aliases::U256;
use serde::Deserialize;
use serde_json::{Value, json};

use super::random::Random;
use super::{CONTRACT_CHAIN, digest, milliseconds_before};

const DAYS: u64 = 120;
const DAY: u64 = 86_400_000;

/// The number of donations in tokens without a partner.
const ORDINARY: u64 = 2200;

/// The number of donations to each partner token. Tokens with equal numbers and seeds tie.
const PARTNER_DONATIONS: [u64; 18] = [
    110, 95, 90, 80, 80, 70, 60, 55, 50, 40, 40, 40, 30, 20, 10, 1, 0, 0,
];

/// The partner tokens that received donations through their earlier configs too. The others changed their
/// configs before [`DAYS`], if at all. None of these ties with another token.
const SWITCHED: [usize; 4] = [1, 2, 5, 7];

/// The decimals of every partner token.
const PARTNER_DECIMALS: u8 = 18;

const DOLLAR: u64 = 1_000_000;

/// The price of a whole partner token, in millionths of a US dollar.
const PARTNER_PRICE: u64 = DOLLAR / 100;

/// The platform's ids for chains that have none in EIP-155.
const SOLANA: i64 = 1_151_111_081_099_710;
const BITCOIN: i64 = 20_000_000_000_001;

/// A record that donations refer to.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Record {
    Token(Token),
    PartnerToken(PartnerToken),
    Config {
        id: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Token {
    chain_id: i64,
    address: String,
    symbol: String,
    decimals: u8,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PartnerToken {
    token: String,
    active_config: String,
    /// Latest first.
    previous_configs: Vec<String>,
}

/// The lines of all donations to these records, and of the reversal of one.
///
/// # Errors
/// When a record lacks a property.
pub(super) fn lines(now: Timestamp, records: &[Value]) -> Result<Vec<Value>, serde_json::Error> {
    let (mut tokens, mut partners, mut configs) = (Vec::new(), Vec::new(), Vec::new());
    for record in records {
        match Record::deserialize(record)? {
            Record::Token(token) => tokens.push(token),
            Record::PartnerToken(partner) => partners.push(partner),
            Record::Config { id } => configs.push(id),
            Record::Other => {}
        }
    }
    tokens.retain(|token| {
        partners
            .iter()
            .all(|partner| partner.token != token.address)
    });
    let mut lines = ordinary(now, &tokens, &configs);
    // A reorganization dropped the block of the first.
    if let Some(mut reverted) = lines.first().cloned()
        && let Some(properties) = reverted.as_object_mut()
    {
        properties.insert("revision".to_owned(), 1.into());
        lines.push(reverted);
    }
    for (number, (partner, count)) in partners.iter().zip(PARTNER_DONATIONS).enumerate() {
        // The seed is the number of donations, so that equal numbers make equal sums.
        let mut random = Random::new(count);
        let donate = |donation| to_partner(now, (number, partner), donation, &mut random);
        lines.extend((0..count).map(donate));
    }
    Ok(lines)
}

fn ordinary(now: Timestamp, tokens: &[Token], configs: &[String]) -> Vec<Value> {
    let mut random = Random::new(2026);
    (0..ORDINARY)
        .filter_map(|number| {
            let token = random.pick(tokens)?;
            let config = random.pick(configs)?;
            let usd = dollars(&mut random);
            Some(json!({
                "kind": "donation",
                "chainId": token.chain_id,
                "transaction": transaction(token.chain_id, digest(&format!("donation {number}"))),
                "logIndex": random.below(400),
                "token": token.address,
                "config": config,
                "amount": amount(usd, price(&token.symbol), token.decimals),
                "usdE6": usd.to_string(),
                "at": moment(now, time_before(&mut random)),
            }))
        })
        .collect()
}

fn to_partner(
    now: Timestamp,
    (number, partner): (usize, &PartnerToken),
    donation: u64,
    random: &mut Random,
) -> Value {
    let usd = dollars(random);
    let log_index = random.below(400);
    let before = time_before(random);
    let name = format!("partner {number} donation {donation}");
    json!({
        "kind": "donation",
        "chainId": CONTRACT_CHAIN,
        "transaction": transaction(CONTRACT_CHAIN, digest(&name)),
        "logIndex": log_index,
        "token": partner.token,
        "config": config_at(number, partner, before),
        "amount": amount(usd, PARTNER_PRICE, PARTNER_DECIMALS),
        "usdE6": usd.to_string(),
        "at": moment(now, before),
    })
}

/// The config that was active for a partner token, so many milliseconds ago: each of the configs of a token that
/// switched was active for the same time.
fn config_at(number: usize, partner: &PartnerToken, before: u64) -> &str {
    let active = &partner.active_config;
    if !SWITCHED.contains(&number) {
        return active;
    }
    let count = u64::try_from(partner.previous_configs.len() + 1).unwrap_or(u64::MAX);
    let period = usize::try_from(before * count / (DAYS * DAY + 1)).unwrap_or_default();
    let previous = period
        .checked_sub(1)
        .and_then(|it| partner.previous_configs.get(it));
    previous.unwrap_or(active)
}

/// The price of a whole token, in millionths of a US dollar. The tokens without a price here are stablecoins.
fn price(symbol: &str) -> u64 {
    match symbol {
        "BTC" | "WBTC" | "cbBTC" => 90_000 * DOLLAR,
        "ETH" | "WETH" => 3_000 * DOLLAR,
        "SOL" | "WSOL" => 150 * DOLLAR,
        "LINK" => 15 * DOLLAR,
        "UNI" => 8 * DOLLAR,
        "ARB" | "JUP" | "POL" => DOLLAR / 2,
        "BONK" => 20,
        _ => DOLLAR,
    }
}

/// The transaction id of a donation, in the format of its chain.
fn transaction(chain: i64, digest: [u8; 32]) -> String {
    let hash = hex::encode(digest);
    match chain {
        SOLANA => bs58::encode([digest, digest].concat()).into_string(),
        BITCOIN => hash,
        _ => format!("0x{hash}"),
    }
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
