//! The callers of a deployment who keep to the rules, and one who ignores that it is refused.

use super::answer::Seen;
use super::caller::Caller;
use super::contract::Contract;
use super::deployment::Deployment;
use super::repeat;
use std::io;
use std::time::{Duration, Instant, SystemTime};

/// The contract of the demonstration's partner.
const LEADERBOARD: &str =
    "/8453/contracts/0xcA7a106000000000000000000000000000DEcaDE/tokens/leaderboard?limit=18";

/// Operations that read, with their paths. `{charity}` stands for the id of one.
const READS: [(&str, &str); 19] = [
    ("charities.list", "/charities?limit=20"),
    ("charities.get", "/charities/{charity}"),
    ("charities.totals", "/charities/{charity}/totals"),
    ("charities.donations", "/charities/{charity}/donations"),
    ("charities.feed", "/charities/feed"),
    ("charities.feedAtom", "/charities/feed.atom"),
    ("campaigns.list", "/campaigns"),
    ("chains.list", "/chains"),
    ("tokens.list", "/tokens?limit=20"),
    ("configs.list", "/configs"),
    ("contracts.list", "/contracts"),
    ("project.get", "/project"),
    ("contracts.tokenLeaderboard", LEADERBOARD),
    ("analytics.totals", "/analytics"),
    ("analytics.series", "/analytics/series?interval=week"),
    ("analytics.charities", "/analytics/charities"),
    ("analytics.tokens", "/analytics/tokens"),
    ("analytics.configs", "/analytics/configs"),
    ("meta.openapi", "/openapi"),
];

/// Reads everything that can be read, every fourth time only if it has changed.
///
/// # Errors
/// Never; the type is that of all who act on a deployment.
pub(super) fn read(to: &Deployment, contract: &Contract, end: Instant) -> io::Result<Seen> {
    let mut caller = Caller::of(to, contract);
    let mut reads = READS.iter().cycle();
    repeat(end, Duration::from_millis(30), |turn| {
        let Some((operation, path)) = reads.next() else {
            return Ok(());
        };
        let key = match *operation {
            "contracts.tokenLeaderboard" => &to.owner,
            _ => key(to, turn),
        };
        let path = path.replace("{charity}", &to.charity);
        let condition = match turn / READS.len() % 4 {
            3 => "if-none-match: *\r\n",
            _ => "",
        };
        let fields = format!("service-api-key: {key}\r\n{condition}");
        caller.ask(operation, &request("GET", &path, &fields, ""));
        Ok(())
    })?;
    Ok(caller.seen)
}

/// Creates configs, twice with the same idempotency key, reads them and deletes them.
///
/// # Errors
/// Never; the type is that of all who act on a deployment.
pub(super) fn write(to: &Deployment, contract: &Contract, end: Instant) -> io::Result<Seen> {
    let mut caller = Caller::of(to, contract);
    let since_1970 = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    let body = format!(
        r#"{{"charityBeneficiaries":[{{"charityId":"{}","weight":1}}]}}"#,
        to.charity
    );
    repeat(end, Duration::from_millis(100), |turn| {
        let key = format!("service-api-key: {}\r\n", key(to, turn));
        let json = "content-type: application/json\r\n";
        let unique = format!("idempotency-key: {}-{turn}\r\n", since_1970.as_nanos());
        let create = request("POST", "/configs", &format!("{key}{json}{unique}"), &body);
        let created = caller.ask("configs.create", &create);
        let Some(created) = created.filter(|answer| answer.status == 201) else {
            return Ok(());
        };
        let again = caller.ask("configs.create", &create);
        if again.is_some_and(|again| again.status == 201 && again.body != created.body) {
            caller
                .seen
                .failures
                .push("a replay has made another config".to_owned());
        }
        let config: serde_json::Value = serde_json::from_slice(&created.body)?;
        let id = config
            .pointer("/id/hex")
            .and_then(serde_json::Value::as_str);
        let path = format!("/configs/{}", id.unwrap_or_default());
        let found = caller.ask("configs.get", &request("GET", &path, &key, ""));
        if found.is_some_and(|answer| answer.status == 404) {
            caller
                .seen
                .failures
                .push("a config that was created is not found".to_owned());
        }
        caller.ask("configs.delete", &request("DELETE", &path, &key, ""));
        Ok(())
    })?;
    Ok(caller.seen)
}

/// Reads without a key, far more often than that may be.
///
/// # Errors
/// Never; the type is that of all who act on a deployment.
pub(super) fn flood(to: &Deployment, contract: &Contract, end: Instant) -> io::Result<Seen> {
    let mut caller = Caller::of(to, contract);
    repeat(end, Duration::from_millis(100), |_| {
        caller.ask("charities.list", &request("GET", "/charities", "", ""));
        Ok(())
    })?;
    Ok(caller.seen)
}

/// The key of the customer whose turn it is.
fn key(of: &Deployment, turn: usize) -> &str {
    let key = of.keys.get(turn % of.keys.len().max(1));
    key.map_or("", String::as_str)
}

/// A request with these header fields and this body.
pub(super) fn request(method: &str, path: &str, fields: &str, body: &str) -> String {
    let length = match body.len() {
        0 => String::new(),
        length => format!("content-length: {length}\r\n"),
    };
    format!("{method} /api/v1{path} HTTP/1.1\r\nhost: localhost\r\n{fields}{length}\r\n{body}")
}
