//! The fixture's donations, and a plain model of their sums with which statistics are compared.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::fixture::{self, BASE, BITCOIN, BITCOIN_COIN, ENTERPRISE, PARTNERS, PRO, USDC};

/// A standing donation.
#[derive(Debug, Clone)]
pub struct Donation {
    pub chain: i64,
    pub token: String,
    pub config: usize,
    /// In millionths of a US dollar.
    pub usd: i64,
    pub at: Timestamp,
    /// The number of the partner token, if it is one.
    pub partner: Option<usize>,
}

/// The sum of some donations.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub usd: i64,
    pub count: usize,
    pub first: Option<Timestamp>,
    pub last: Option<Timestamp>,
}

/// Every standing donation.
pub fn all() -> Vec<Donation> {
    let mut donations = Vec::new();
    // Sums of 500 four times, of 100 twice, and none from the ninth token on.
    let of_partners: [&[i64]; 9] = [
        &[500],
        &[500],
        &[500],
        &[300, 200],
        &[900],
        &[100],
        &[99, 1],
        &[50],
        &[7, 13],
    ];
    for (n, amounts) in of_partners.iter().enumerate() {
        let config = if n == 5 { 10 } else { n % 4 };
        donations.extend(amounts.iter().map(|usd| {
            donation(
                Some(n),
                config,
                usd * 1_000_000 + 1,
                "2026-10-05T10:00:00.5Z",
            )
        }));
    }
    // Through earlier configs: two donations, a deleted config, and a sum of 500 again. The earlier config of
    // the third token received none.
    for (partner, config, usd, at) in [
        (0, 10, 12_500_000, "2026-09-10T10:00:00Z"),
        (0, 10, 12_500_000, "2026-09-11T10:00:00Z"),
        (0, 5, 40_000_000, "2026-09-02T10:00:00Z"),
        (1, 2, 500_000_001, "2026-09-12T10:00:00Z"),
    ] {
        donations.push(donation(Some(partner), config, usd, at));
    }
    donations.push(donation(
        Some(PARTNERS),
        10,
        77_000_000,
        "2026-09-30T23:59:59.999Z",
    ));
    donations.push(donation(None, 0, 100, "2026-09-01T00:00:00Z"));
    donations.push(donation(None, 0, 1_000_000, "2026-11-19T23:59:59.999Z"));
    donations.push(donation(None, 1, 2_000_003, "2026-11-20T00:00:00Z"));
    donations.push(donation(None, 5, 3_000_000, "2026-11-10T08:00:00Z"));
    donations.push(donation(None, 10, 4_000_001, "2026-11-01T08:00:00Z"));
    donations.push(Donation {
        chain: BITCOIN,
        token: BITCOIN_COIN.to_owned(),
        ..donation(None, 2, 5_000_000, "2026-11-02T08:00:00Z")
    });
    donations
}

/// The donations of a project: to its configs and in its contracts' tokens, each once.
pub fn of_project(project: &str) -> Vec<Donation> {
    let owner = |config: usize| if config < 10 { ENTERPRISE } else { PRO };
    let contract = |donation: &Donation| match donation.partner {
        Some(PARTNERS) => Some(PRO),
        Some(_) => Some(ENTERPRISE),
        None => None,
    };
    let mut donations = all();
    donations.retain(|donation| {
        owner(donation.config) == project || contract(donation) == Some(project)
    });
    donations
}

/// Sums donations.
pub fn sum<'g>(donations: impl IntoIterator<Item = &'g Donation>) -> Sum {
    let mut sum = Sum::default();
    for donation in donations {
        sum.usd += donation.usd;
        sum.count += 1;
        sum.first = Some(
            sum.first
                .map_or(donation.at, |first| first.min(donation.at)),
        );
        sum.last = sum.last.max(Some(donation.at));
    }
    sum
}

/// The sum for each group of donations.
pub fn by<K: Ord>(donations: &[Donation], key: impl Fn(&Donation) -> K) -> BTreeMap<K, Sum> {
    let mut groups: BTreeMap<K, Vec<&Donation>> = BTreeMap::new();
    for donation in donations {
        groups.entry(key(donation)).or_default().push(donation);
    }
    let sums = groups.into_iter();
    sums.map(|(key, donations)| (key, sum(donations))).collect()
}

/// The import lines; one more donation among them is taken back.
pub fn lines() -> Vec<Value> {
    let mut lines: Vec<_> = all()
        .iter()
        .enumerate()
        .map(|(n, donation)| line(n, donation))
        .collect();
    let mut taken_back = line(999, &donation(None, 0, 123_000_000, "2026-08-01T00:00:00Z"));
    lines.push(taken_back.clone());
    taken_back["revision"] = json!(1);
    lines.push(taken_back);
    lines
}

fn line(n: usize, donation: &Donation) -> Value {
    let transaction = match donation.chain {
        BITCOIN => format!("{:064x}", n + 1),
        _ => format!("0x{:064x}", n + 1),
    };
    json!({
        "kind": "donation",
        "chainId": donation.chain,
        "transaction": transaction,
        "logIndex": n,
        "token": donation.token,
        "config": fixture::config(donation.config),
        "amount": "115792089237316195423570985008687907853269984665640564039457584007913129639935",
        "usdE6": donation.usd.to_string(),
        "at": format!("{:.3}", donation.at),
    })
}

fn donation(partner: Option<usize>, config: usize, usd: i64, at: &str) -> Donation {
    Donation {
        chain: BASE,
        token: partner.map_or_else(|| USDC.to_owned(), fixture::partner),
        config,
        usd,
        at: at.parse().unwrap(),
        partner,
    }
}
