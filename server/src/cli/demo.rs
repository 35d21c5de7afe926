//! The texts that `serve` and `serve --demo` print at the start.

use std::net::SocketAddr;

use generated::operations::BASE_PATH;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::demo::DemoKeys;
use crate::startup::Server;
use features::keys::{Key, KeyError, KeyId, NewKey, demo};

/// The addresses of a server, one per line.
pub fn addresses(server: &Server) -> String {
    let Server { api, admin, .. } = server;
    let dashboard = match &server.dashboard {
        Some(url) => format!("Its dashboard is at {url}\n"),
        None => String::new(),
    };
    let documentation = match cfg!(feature = "console") {
        true => format!("Its documentation is at http://{api}/docs/\n"),
        false => String::new(),
    };
    format!(
        "The API is at http://{api}{BASE_PATH}\n\
         {documentation}\
         {dashboard}\
         Liveness, readiness and metrics are at http://{admin}"
    )
}

/// The greeting of the demo: its address and three commands to paste, which are a read without a key,
/// one with a key, and the leaderboard of the partner contract at `contract` on `chain`, which belongs
/// to the Enterprise project.
pub fn greeting(api: SocketAddr, chain: i64, contract: &str) -> String {
    let base = format!("http://{api}{BASE_PATH}");
    format!(
        "The demo listens at {base}\n\
         Its data is fictional and is deleted when it stops.\n\
         \n\
         curl '{base}/charities?limit=3'\n\
         curl -H 'service-api-key: {pro}' '{base}/configs'\n\
         curl -H 'service-api-key: {enterprise}' '{base}/{chain}/contracts/{contract}/tokens/leaderboard?limit=3'\n",
        pro = demo::PRO,
        enterprise = demo::ENTERPRISE,
    )
}

/// The three keys that are printed in the documentation.
///
/// # Errors
/// Never, as the keys are constants; a test reads them too.
pub fn keys(now: Timestamp) -> Result<DemoKeys, KeyError> {
    // Their projects have made requests for a month.
    let issued = now.saturating_sub(SignedDuration::from_hours(32 * 24));
    let issued = issued.unwrap_or(now);
    let key = |id, text: &str| {
        Key::parse(text).map(|key| {
            NewKey::issued(
                KeyId(Uuid::from_u128(id)),
                key.digest(),
                key.display_prefix(),
                issued,
            )
        })
    };
    Ok(DemoKeys {
        free: key(1, demo::FREE)?,
        pro: key(2, demo::PRO)?,
        enterprise: key(3, demo::ENTERPRISE)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_three_lines_to_paste() {
        let greeting = greeting("127.0.0.1:8080".parse().unwrap(), 1, "0xabc");
        let lines: Vec<&str> = greeting
            .lines()
            .filter(|line| line.starts_with("curl "))
            .collect();
        assert_eq!(lines.len(), 3);
        assert!(
            lines
                .iter()
                .all(|line| line.contains("'http://127.0.0.1:8080/api/v1/"))
        );
        assert!(
            lines[2].ends_with("/1/contracts/0xabc/tokens/leaderboard?limit=3'"),
            "{}",
            lines[2]
        );
    }
}
