//! The access log line of a request.
//!
//! It names the operation, never the path, the query or a header, because each of them may hold a key
//! that a client has put in the wrong place.
//!
//! The line has the format of the events that `tracing` logs, and the same filter applies, with the
//! target `access`. It is no event, which would add 8 % to the cost of a request; its members and their order are
//! held by `lines_look_like_those_of_tracing` below, and in `tests/program/observation.rs` by
//! `a_log_line_ties_request_operation_and_key_together`.

use std::fmt::Write as _;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU8, Ordering};

use ipnet::IpNet;
use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;
use tracing::Level;
use uuid::Uuid;
use uuid::fmt::Hyphenated;

use super::logging::{self, LogFormat};

const TIME: DateTimePrinter = DateTimePrinter::new().precision(Some(6));

/// The values of a line. Their texts need no escapes.
pub(super) struct AccessLine<'a> {
    pub(super) timestamp: Timestamp,
    pub(super) request_id: &'a str,
    pub(super) operation: &'static str,
    pub(super) method: &'static str,
    pub(super) status: &'a str,
    pub(super) duration_us: u64,
    pub(super) client: Option<ShownClient>,
    pub(super) project: Option<Uuid>,
    pub(super) key: Option<Uuid>,
}

impl AccessLine<'_> {
    /// Logs the line, if the filter lets it through.
    pub(super) fn log(&self) {
        if tracing::enabled!(target: "access", Level::INFO)
            && let Some(format) = logging::format()
        {
            logging::write_line(self.line(format).as_bytes());
        }
    }

    /// The line with its line feed. It is put together from texts, which costs half of formatting it.
    fn line(&self, format: LogFormat) -> String {
        // Most lines have some 300 bytes.
        let mut line = String::with_capacity(384);
        match format {
            LogFormat::Json => self.write_json(&mut line),
            LogFormat::Pretty => self.write_text(&mut line),
        }
        line
    }

    fn write_json(&self, line: &mut String) {
        line.push_str("{\"timestamp\":\"");
        self.write_time(line);
        line.extend([
            "\",\"level\":\"INFO\",\"request_id\":\"",
            self.request_id,
            "\",\"operation\":\"",
            self.operation,
            "\",\"method\":\"",
            self.method,
            "\",\"status\":\"",
            self.status,
            "\",\"duration_us\":",
            itoa::Buffer::new().format(self.duration_us),
        ]);
        self.write_caller(line, [",\"", "\":\"", "\""]);
        line.push_str(",\"target\":\"access\"}\n");
    }

    fn write_text(&self, line: &mut String) {
        self.write_time(line);
        line.extend([
            "  INFO access: request_id=\"",
            self.request_id,
            "\" operation=\"",
            self.operation,
            "\" method=\"",
            self.method,
            "\" status=\"",
            self.status,
            "\" duration_us=",
            itoa::Buffer::new().format(self.duration_us),
        ]);
        self.write_caller(line, [" ", "=", ""]);
        line.push('\n');
    }

    /// Writing to memory cannot fail, and no timestamp has a year that cannot be written.
    fn write_time(&self, line: &mut String) {
        let _ = TIME.print_timestamp(&self.timestamp, line);
    }

    /// Writes the known members of the caller, between these marks before, within and after each.
    fn write_caller(&self, line: &mut String, [before, within, after]: [&str; 3]) {
        if let Some(client) = self.client {
            line.extend([before, "client", within]);
            client.write_to(line);
            line.push_str(after);
        }
        for (name, id) in [("project", self.project), ("key", self.key)] {
            if let Some(id) = id {
                let mut text = [0; Hyphenated::LENGTH];
                let id = id.hyphenated().encode_lower(&mut text);
                line.extend([before, name, within, id, after]);
            }
        }
    }
}

/// What access lines of this process show of clients, as the number of the variant.
static CHOSEN: AtomicU8 = AtomicU8::new(LoggedClients::Whole as u8);

/// The part of clients' addresses that access lines show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoggedClients {
    /// The full address.
    Whole,
    /// Its network: the /24 of an IPv4 address, or the /48 of an IPv6 address.
    Network,
    /// No address.
    None,
}

/// A client as an access line shows it.
#[derive(Debug, Clone, Copy)]
pub(super) enum ShownClient {
    Address(IpAddr),
    Network(IpNet),
}

/// Chooses the part of an address that later lines show.
pub fn set_logged_clients(clients: LoggedClients) {
    CHOSEN.store(clients as u8, Ordering::Relaxed);
}

/// The part of a client's address that a line shows; `None` for no part.
pub(super) fn shown_client(client: IpAddr) -> Option<ShownClient> {
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
    /// Appends the text to a line. Writing to memory cannot fail.
    fn write_to(self, line: &mut String) {
        let _ = match self {
            Self::Address(address) => write!(line, "{address}"),
            Self::Network(network) => write!(line, "{network}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: LogFormat, client: &str, key: Option<u128>, expected: &str) {
        let line = AccessLine {
            timestamp: Timestamp::UNIX_EPOCH,
            request_id: "a.B_9-z",
            operation: "charities.list",
            method: "GET",
            status: "304",
            duration_us: 1_090,
            client: Some(ShownClient::Address(client.parse().unwrap())),
            project: key.map(Uuid::from_u128),
            key: key.map(Uuid::from_u128),
        };
        assert_eq!(line.line(format), expected);
    }

    #[test]
    fn lines_look_like_those_of_tracing() {
        check(
            LogFormat::Json,
            "2001:db8::1",
            None,
            "{\"timestamp\":\"1970-01-01T00:00:00.000000Z\",\"level\":\"INFO\",\
             \"request_id\":\"a.B_9-z\",\"operation\":\"charities.list\",\"method\":\"GET\",\
             \"status\":\"304\",\"duration_us\":1090,\"client\":\"2001:db8::1\",\
             \"target\":\"access\"}\n",
        );
        check(
            LogFormat::Pretty,
            "192.0.2.100",
            Some(1),
            "1970-01-01T00:00:00.000000Z  INFO access: request_id=\"a.B_9-z\" \
             operation=\"charities.list\" method=\"GET\" status=\"304\" duration_us=1090 \
             client=192.0.2.100 project=00000000-0000-0000-0000-000000000001 \
             key=00000000-0000-0000-0000-000000000001\n",
        );
    }
}
