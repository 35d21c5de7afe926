//! The records of a database that has grown: import lines that are the same in every run.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// The project with half of the donations.
pub(super) const LARGEST: &str = "00000000-0000-4000-8000-000000000000";

const PROJECTS: usize = 100;

/// The configs of each project.
const CONFIGS: usize = 100;

/// The tokens that most donations are made in.
const COMMON: usize = 20;

/// The milliseconds of the year 2026, and of its days.
const START: i64 = 1_767_225_600_000;
const YEAR: i64 = 365 * 86_400_000;

pub(super) struct Dataset {
    pub(super) charities: usize,
    pub(super) tokens: usize,
    pub(super) donations: usize,
}

impl Dataset {
    /// Writes the catalog and the donations into two files.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn write(&self, folder: &Path) -> io::Result<[PathBuf; 2]> {
        let files = ["catalog.ndjson", "donations.ndjson"].map(|name| folder.join(name));
        let [catalog, donations] = &files;
        let chain = json!({
            "kind": "chain", "id": 1, "name": "Chain", "type": "EVM", "explorerUrl": null,
            "nativeCurrency": { "name": "Ether", "symbol": "ETH", "decimals": 18 },
        });
        let charities = (0..self.charities).map(charity);
        let tokens = (0..self.tokens).map(token);
        let projects = (0..PROJECTS).map(|number| {
            json!({ "kind": "project", "id": project(number), "name": "Project", "tier": "enterprise" })
        });
        let configs = (0..PROJECTS * CONFIGS).map(|number| self.config(number));
        let lines = std::iter::once(chain).chain(charities).chain(tokens);
        write(catalog, lines.chain(projects).chain(configs))?;
        write(
            donations,
            (0..self.donations).map(|number| self.donation(number)),
        )?;
        Ok(files)
    }

    fn config(&self, number: usize) -> Value {
        let charities = (0..1 + number % 3).map(|place| {
            let charity = (number * 7 + place * 13) % self.charities;
            json!({ "charityId": charity_id(charity), "weight": 1 + place })
        });
        json!({
            "kind": "config", "id": config_id(number), "project": project(number / CONFIGS),
            "charityBeneficiaries": charities.collect::<Vec<_>>(), "users": [],
            "createdAt": at(START), "deletedAt": null,
        })
    }

    /// Half of the donations are the largest project's, and a tenth of all are in one of many tokens.
    fn donation(&self, number: usize) -> Value {
        let mixed = mixed(number as u64);
        let project = match mixed % 2 {
            0 => 0,
            _ => (mixed >> 8) as usize % PROJECTS,
        };
        let config = project * CONFIGS + (mixed >> 20) as usize % CONFIGS;
        let token = match (mixed >> 32) % 10 {
            0 => (mixed >> 36) as usize % self.tokens,
            _ => (mixed >> 36) as usize % COMMON.min(self.tokens),
        };
        let time = START + YEAR / self.donations as i64 * number as i64;
        json!({
            "kind": "donation", "chainId": 1, "transaction": format!("0x{number:064x}"), "logIndex": 0,
            "revision": 0, "token": address(token), "config": config_id(config),
            "amount": "1000000000000000000", "usdE6": (1_000_000 + mixed % 50_000_000).to_string(),
            "at": at(time),
        })
    }

    /// Rows that are imported one by one, each with a path that responds with 200 from then on.
    pub(super) fn changes(&self) -> [(String, String); 2] {
        let token = token(self.tokens);
        let charity = charity(self.charities);
        [
            (
                format!("/1/tokens/{}", address(self.tokens)),
                format!("{token}\n"),
            ),
            (
                format!("/charities/charity-{}", self.charities),
                format!("{charity}\n"),
            ),
        ]
    }

    /// The paths of each kind of request.
    pub(super) fn requests(&self) -> Vec<(&'static str, Vec<String>)> {
        let of = |path: fn(&Dataset, usize) -> String| -> Vec<String> {
            (0..50).map(|number| path(self, number)).collect()
        };
        vec![
            (
                "search charities",
                of(|_, n| format!("/charities?limit=20&q={n}7")),
            ),
            (
                "a page of tokens",
                of(|_, n| format!("/tokens?limit=100&symbol=t{n}")),
            ),
            (
                "a token",
                of(|it, n| format!("/1/tokens/{}", address(n * 7919 % it.tokens))),
            ),
            ("totals of all time", of(|_, _| "/analytics".to_owned())),
            (
                "totals of a config",
                of(|_, n| format!("/analytics?configId={}", config_id(n))),
            ),
            (
                "totals of 30 days",
                of(|_, n| format!("/analytics?{}", days(n, 30))),
            ),
            (
                "a series of a charity",
                of(|_, n| format!("/analytics/series?charityId={}", charity_id(n * 7))),
            ),
            (
                "tokens in 90 days",
                of(|_, n| format!("/analytics/tokens?{}", days(n, 90))),
            ),
            (
                "tokens of a config in 90 days",
                of(|_, n| {
                    format!(
                        "/analytics/tokens?configId={}&{}",
                        config_id(n),
                        days(n, 90)
                    )
                }),
            ),
            (
                "charities of a token in 30 days",
                of(|_, n| {
                    format!(
                        "/analytics/charities?token={}&chainId=1&{}",
                        address(n % COMMON),
                        days(n, 30)
                    )
                }),
            ),
            (
                "configs of a chain in 30 days",
                of(|_, n| format!("/analytics/configs?chainId=1&{}", days(n, 30))),
            ),
            (
                "donations of a config",
                of(|_, n| format!("/configs/{}/donations?limit=50", config_id(n))),
            ),
        ]
    }
}

/// Numbers in no order (SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn days(number: usize, count: i64) -> String {
    let last = START + YEAR - 86_400_000 * (1 + number as i64 % 200);
    let first = last - 86_400_000 * (count - 1);
    let day = |time: i64| at(time).chars().take(10).collect::<String>();
    format!("from={}&to={}", day(first), day(last))
}

fn at(milliseconds: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(milliseconds).unwrap_or_default();
    format!("{time:.3}")
}

fn project(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012x}")
}

fn charity_id(number: usize) -> String {
    format!("00000000-0000-4000-9000-{number:012x}")
}

fn config_id(number: usize) -> String {
    format!("0x{:064x}", number + 1)
}

fn address(number: usize) -> String {
    format!("0x{number:040x}")
}

fn charity(number: usize) -> Value {
    json!({
        "kind": "charity", "id": charity_id(number), "slug": format!("charity-{number}"),
        "name": format!("Fictional Charity {number}"),
        "description": "A fictional charity, which does many good things for many people in many places.",
        "logo": format!("https://charity-{number}.example/logo.svg"),
        "website": format!("https://charity-{number}.example"),
        "postalAddress": { "line1": "1 Weir Lane", "line2": null, "city": "Utrecht", "region": null,
            "postalCode": "3511 AA" },
        "country": "NL", "taxId": format!("NL{number:09}"), "category": "environment",
        "socialLinks": [{ "network": "mastodon", "url": "https://social.example/@charity" }],
        "verified": true, "active": true, "listedAt": at(START + number as i64),
    })
}

fn token(number: usize) -> Value {
    json!({
        "kind": "token", "chainId": 1, "address": address(number), "name": format!("Token {number}"),
        "symbol": format!("T{}", number % 1000), "decimals": 18,
        "logo": format!("https://tokens.example/{number}.svg"),
    })
}

fn write(file: &Path, lines: impl Iterator<Item = Value>) -> io::Result<()> {
    let mut writer = BufWriter::new(File::create(file)?);
    for line in lines {
        serde_json::to_writer(&mut writer, &line)?;
        writer.write_all(b"\n")?;
    }
    writer.flush()
}
