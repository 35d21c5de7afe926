//! The part of clients' addresses that access lines show.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU8, Ordering};

use ipnet::IpNet;

/// The choice of this process, as the number of the variant.
static CHOSEN: AtomicU8 = AtomicU8::new(LoggedClients::Whole as u8);

/// The part of clients' addresses that access lines show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoggedClients {
    /// The whole address.
    Whole,
    /// The /24 of an IPv4 address, or the /48 of an IPv6 address.
    Network,
    /// Nothing.
    None,
}

/// A client as an access line shows it.
#[derive(Debug, Clone, Copy)]
pub(in crate::http) enum ShownClient {
    Address(IpAddr),
    Network(IpNet),
}

/// Chooses the part of an address that later lines show.
pub fn set_logged_clients(clients: LoggedClients) {
    CHOSEN.store(clients as u8, Ordering::Relaxed);
}

/// The part of a client's address that a line shows; `None` for no part.
pub(in crate::http) fn shown(client: IpAddr) -> Option<ShownClient> {
    let chosen = CHOSEN.load(Ordering::Relaxed);
    if chosen == LoggedClients::Whole as u8 {
        return Some(ShownClient::Address(client));
    }
    if chosen == LoggedClients::None as u8 {
        return None;
    }
    let prefix = if client.is_ipv4() { 24 } else { 48 };
    let network = IpNet::new(client, prefix).ok()?;
    Some(ShownClient::Network(network.trunc()))
}

impl ShownClient {
    /// Appends the text to a line. The usual one, a whole IPv4 address, is not formatted, which would cost
    /// as much as the rest of the line.
    pub(in crate::http) fn write_to(self, line: &mut String) {
        match self {
            Self::Address(IpAddr::V4(address)) => {
                for (octet, dot) in address.octets().into_iter().zip(["", ".", ".", "."]) {
                    line.extend([dot, itoa::Buffer::new().format(octet)]);
                }
            }
            Self::Address(address) => line.push_str(&address.to_string()),
            Self::Network(network) => line.push_str(&network.to_string()),
        }
    }
}
