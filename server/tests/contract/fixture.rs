//! The data that every scenario starts from.
//!
//! It is small, but has an example of everything: ties, an inactive charity, a deleted config, a
//! donation that was taken back, chains of every kind, tokens without donations. The ids in the
//! contract's examples exist here, so that the contract's sample requests succeed.

use db::Db;
use features::configs::LabelsUpdate;
use features::events::{DeliveryId, EventId, EventType, NewEvent, WebhookId};
use features::keys::KeyId;
use features::projects::{ProjectId, Requester};
use features::webhooks::secret::SealedSecret;
use features::webhooks::{Webhook, WebhookCreation};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use uuid::Uuid;

use super::donations;
use super::world::import_lines;

/// The time at the start: a Friday.
pub const NOW: &str = "2026-11-20T12:00:00Z";

pub const ETHEREUM: i64 = 1;
pub const BASE: i64 = 8453;
pub const SOLANA: i64 = 1_151_111_081_099_710;
pub const BITCOIN: i64 = 20_000_000_000_001;

pub const FREE: &str = "f0000000-0000-4000-8000-000000000001";
pub const PRO: &str = "f0000000-0000-4000-8000-000000000002";
pub const ENTERPRISE: &str = "f0000000-0000-4000-8000-000000000003";

/// The contract of the Enterprise project on Base, with [`PARTNERS`] tokens; an example of the API's contract.
pub const LAUNCHPAD: &str = "0xcA7a106000000000000000000000000000DEcaDE";
/// The contract of the Pro project on Base, with one token.
pub const NEIGHBOUR: &str = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
/// The contract of the Enterprise project on Solana, without tokens.
pub const BARREN: &str = "So11111111111111111111111111111111111111112";

/// The contract of the Enterprise project on Ethereum, without tokens.
pub const UNUSED: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

pub const USDC: &str = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
pub const SOLANA_USDC: &str = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
pub const BITCOIN_COIN: &str = "1111111111111111111114oLvT2";

/// The number of active charities; more than a feed has. The next one is not active.
pub const ACTIVE: usize = 62;
/// The number of partner tokens of the launchpad.
pub const PARTNERS: usize = 12;
/// The number of campaigns.
pub const CAMPAIGNS: usize = 7;

/// The configs of the Enterprise project that have metadata.
pub const LABELLED: std::ops::Range<usize> = 0..4;
/// The number of webhooks of the Enterprise project. They are off, so that nothing is ever sent.
pub const WEBHOOKS: u128 = 3;
/// The oldest webhook of the Enterprise project. It has [`DELIVERIES`]; the others have none.
pub const WEBHOOK: &str = "01a1968d-3900-7b1d-8e52-6f0a94c7d318";
/// The first of its deliveries.
pub const DELIVERY: &str = "01a19b9f-ce80-7d52-a6c4-1b3e8f705c29";
/// The number of its deliveries, two of each time.
pub const DELIVERIES: u128 = 8;

/// The start of the clock.
pub fn now() -> Timestamp {
    NOW.parse().unwrap()
}

pub fn charity(n: usize) -> String {
    match n {
        0 => "242b8046-9386-57e3-965b-cb0d53bada2a".to_owned(),
        1 => "40a95354-2596-5d02-83b8-4eeaa81dfc8d".to_owned(),
        _ => format!("c0000000-0000-4000-8000-{n:012x}"),
    }
}

/// A charity's slug.
pub fn slug(n: usize) -> String {
    match n {
        0 => "fictional-rivers-trust".to_owned(),
        _ => format!("charity-{n}"),
    }
}

pub fn campaign(n: usize) -> String {
    match n {
        0 => "6fa75a04-65e3-5896-a94f-1f982f44c64d".to_owned(),
        _ => format!("ca000000-0000-4000-8000-{n:012x}"),
    }
}

/// A config's id in hex. Below 10 they are the Enterprise project's, from 10 on the Pro project's;
/// config 5 is deleted.
pub fn config(n: usize) -> String {
    match n {
        0 => "0x093a0fc70a93bbda1686c1dfa15512fdff8ca8edb6a13301352967f4c4cd8ee2".to_owned(),
        _ => format!("0x{}", format!("{:02x}", n + 16).repeat(32)),
    }
}

/// A partner token's address, without its checksum.
pub fn partner(n: usize) -> String {
    format!("0xabcdef00000000000000000000000000000000{n:02x}")
}

/// Fills an empty database.
pub async fn fill(store: &Db) {
    import_lines(store, &lines()).await;
    add_metadata(store).await;
    add_webhooks(store).await;
}

/// Gives the configs of [`LABELLED`] the metadata of the contract's example.
async fn add_metadata(store: &Db) {
    let project = ProjectId(ENTERPRISE.parse().unwrap());
    for n in LABELLED {
        let metadata = [("campaign".to_owned(), Some("spring".to_owned()))];
        let change = LabelsUpdate {
            metadata: Some(Some(metadata.into())),
            ..LabelsUpdate::default()
        };
        let id = config(n).parse().unwrap();
        let changed = features::configs::store::update_labels(store, project, id, change);
        changed.await.unwrap();
    }
}

/// Adds the webhooks, with deliveries that wait. All webhooks but the first were created at the same time.
async fn add_webhooks(store: &Db) {
    let id = |text: &str| text.parse::<Uuid>().unwrap();
    let of = (ProjectId(id(ENTERPRISE)), WebhookId(id(WEBHOOK)));
    let created_at: Timestamp = "2026-11-01T10:00:00Z".parse().unwrap();
    for n in (0..WEBHOOKS).rev() {
        let webhook = Webhook {
            id: WebhookId(Uuid::from_u128(of.1.0.as_u128() + n)),
            project: of.0,
            url: "https://partner.example/hooks/donations".to_owned(),
            description: Some("The ledger".to_owned()),
            events: [EventType::DonationRecorded, EventType::DonationReverted]
                .into_iter()
                .collect(),
            is_enabled: false,
            failing_since: None,
            previous_secret_until: None,
            created_at: created_at + SignedDuration::from_secs((n > 0).into()),
        };
        // Nobody opens it.
        let secret = SealedSecret(vec![0; 60]);
        let created = features::webhooks::store::create_webhook(
            store,
            Requester::Key(KeyId(Uuid::from_u128(1))),
            webhook,
            secret,
            None,
        );
        assert_eq!(created.await.unwrap(), WebhookCreation::Created);
    }
    let first: Timestamp = "2026-11-02T09:38:24Z".parse().unwrap();
    for n in 0..DELIVERIES {
        let at = first + SignedDuration::from_millis((n / 2) as i64);
        let numbered = Uuid::from_u128(id(DELIVERY).as_u128() + ((n / 2) << 80) + n);
        let event = NewEvent {
            id: EventId(numbered),
            event_type: EventType::DonationRecorded,
            at,
            body: b"{}".to_vec(),
        };
        let delivered = features::webhooks::store::deliver(
            store,
            Requester::Key(KeyId(Uuid::from_u128(1))),
            of,
            DeliveryId(numbered),
            event,
        );
        delivered.await.unwrap();
    }
}

/// The import lines.
fn lines() -> Vec<Value> {
    let mut lines = chains();
    lines.extend((0..=ACTIVE).map(charity_line));
    lines.extend(tokens());
    lines.extend(projects());
    lines.extend([0, 1, 2, 3, 4, 5, 10, 11].map(config_line));
    lines.extend((0..PARTNERS).map(|n| partner_line(n, LAUNCHPAD)));
    lines.push(partner_line(PARTNERS, NEIGHBOUR));
    lines.extend((0..CAMPAIGNS).map(campaign_line));
    lines.extend(donations::lines());
    lines
}

fn days_before(days: i64) -> String {
    let at = now() - SignedDuration::from_hours(24 * days);
    format!("{at:.3}")
}

fn chains() -> Vec<Value> {
    let chain = |id: i64, name: &str, kind: &str, symbol: &str, explorer: Option<&str>| {
        let currency = json!({ "name": name, "symbol": symbol, "decimals": 18 });
        json!({ "kind": "chain", "id": id, "name": name, "type": kind,
                "nativeCurrency": currency, "explorerUrl": explorer })
    };
    vec![
        chain(
            ETHEREUM,
            "Ethereum",
            "EVM",
            "ETH",
            Some("https://etherscan.io"),
        ),
        chain(BASE, "Base", "EVM", "ETH", None),
        chain(
            SOLANA,
            "Solana",
            "SVM",
            "SOL",
            Some("https://explorer.solana.com"),
        ),
        chain(
            BITCOIN,
            "Bitcoin",
            "UTXO",
            "BTC",
            Some("https://mempool.space"),
        ),
    ]
}

/// Groups of three charities were listed at the same time.
fn charity_line(n: usize) -> Value {
    let countries = ["NL", "KE", "DE"];
    let categories = [
        "environment",
        "food",
        "health",
        "science",
        "arts-and-culture",
    ];
    let mut line = json!({
        "kind": "charity",
        "id": charity(n),
        "slug": slug(n),
        "name": format!("Charity {n}"),
        "description": format!("A fictional charity, number {n}."),
        "country": countries[n % countries.len()],
        "category": categories[n % categories.len()],
        "active": n < ACTIVE,
        "listedAt": days_before(300 - n as i64 / 3),
    });
    if n == ACTIVE - 1 {
        line["name"] = json!("Lakes & \"Friends\" <of> Ünïcode ☃");
        line["description"] = json!("Clears LAKES ]]> of litter & more.");
        line["logo"] = json!("https://assets.example/logo.svg");
        line["website"] = json!("https://lakes.example/?a=b&c=d");
        line["postalAddress"] = json!({ "line1": "Sluiskade 12", "city": "Zwolle" });
        line["taxId"] = json!("NL000000000B01");
        line["verified"] = json!(true);
        let link = json!({ "network": "mastodon", "url": "https://social.example/@lakes" });
        line["socialLinks"] = json!([link]);
    }
    line
}

fn tokens() -> Vec<Value> {
    let token = |chain: i64, address: &str, symbol: &str, logo: Option<&str>| {
        json!({ "kind": "token", "chainId": chain, "address": address, "name": symbol,
                "symbol": symbol, "decimals": 6, "logo": logo })
    };
    let logo = Some("https://assets.example/usdc.svg");
    let mut tokens = vec![
        token(
            ETHEREUM,
            "0x0000000000000000000000000000000000000000",
            "ETH",
            None,
        ),
        token(
            ETHEREUM,
            "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
            "USDC",
            logo,
        ),
        token(BASE, USDC, "USDC", logo),
        token(SOLANA, SOLANA_USDC, "USDC", logo),
        token(BITCOIN, BITCOIN_COIN, "BTC", None),
    ];
    let partners = (0..=PARTNERS).map(|n| token(BASE, &partner(n), &format!("T{n}"), None));
    tokens.extend(partners);
    tokens
}

fn projects() -> Vec<Value> {
    let project =
        |id: &str, tier: &str| json!({ "kind": "project", "id": id, "name": tier, "tier": tier });
    let contract = |project: &str, chain: i64, address: &str| json!({ "kind": "contract", "project": project, "chainId": chain, "address": address });
    vec![
        project(FREE, "free"),
        project(PRO, "pro"),
        project(ENTERPRISE, "enterprise"),
        contract(ENTERPRISE, BASE, LAUNCHPAD),
        contract(PRO, BASE, NEIGHBOUR),
        contract(ENTERPRISE, SOLANA, BARREN),
        contract(ENTERPRISE, ETHEREUM, UNUSED),
    ]
}

/// The weights of a config's charities.
pub fn weights(n: usize) -> Vec<(usize, i64)> {
    match n {
        0 => vec![(0, 1), (1, 1), (2, 1)],
        1 => vec![(0, 3), (3, 1)],
        2 => vec![(4, 1_000_000), (5, 1)],
        10 => vec![(1, 2), (6, 5)],
        _ => vec![(7, 1)],
    }
}

/// Configs 1 and 2 were created at the same time.
fn config_line(n: usize) -> Value {
    let beneficiary = |(charity_number, weight): (usize, i64)| json!({ "charityId": charity(charity_number), "weight": weight });
    let beneficiaries: Vec<_> = weights(n).into_iter().map(beneficiary).collect();
    json!({
        "kind": "config",
        "id": config(n),
        "project": if n < 10 { ENTERPRISE } else { PRO },
        "charityBeneficiaries": beneficiaries,
        "users": [{ "chainId": BASE, "address": USDC }],
        "createdAt": days_before(if n == 2 { 199 } else { 200 - n as i64 }),
        "deletedAt": (n == 5).then(|| days_before(1)),
    })
}

/// The number of a partner token's active config. The last token of the launchpad uses a config of another
/// project.
pub fn active_config(partner: usize) -> usize {
    match partner {
        11 => 11,
        _ => partner % 4,
    }
}

fn partner_line(n: usize, contract: &str) -> Value {
    let previous = match n {
        0 => vec![config(10), config(5)],
        1 => vec![config(2)],
        2 => vec![config(3)],
        _ => Vec::new(),
    };
    json!({
        "kind": "partner-token",
        "chainId": BASE,
        "token": partner(n),
        "contract": contract,
        "creator": partner(90 + n % 3),
        "activeConfig": config(active_config(n)),
        "previousConfigs": previous,
    })
}

/// Two begin at the same time; they are ended, active and upcoming.
fn campaign_line(n: usize) -> Value {
    let (starts, ends) = [
        (100, Some(50)),
        (90, Some(-10)),
        (90, None),
        (60, Some(0)),
        (0, Some(-1)),
        (-5, Some(-50)),
        (-6, None),
    ][n];
    let mut line = json!({
        "kind": "campaign",
        "id": campaign(n),
        "title": format!("Campaign {n}"),
        "description": "A fictional campaign.",
        "goalUsdE6": "1000000000",
        "startsAt": days_before(starts),
        "endsAt": ends.map(days_before),
    });
    match n % 2 {
        0 => line["config"] = json!(config(0)),
        _ => line["charity"] = json!(charity(0)),
    }
    line
}
