//! The access log line of a request.
//!
//! It names the operation, never the path, the query or a header, because each of them may hold a key
//! that a client has put in the wrong place.
//!
//! The line has the format of the events that `tracing` logs, and the same filter applies, with the
//! target `access`. It is a type, not an event, so that the members that operators' programs read are one list in
//! one order, which is the JSON form (`lines_look_like_those_of_tracing` below, and in `tests/program/observation.rs`
//! `a_log_line_ties_request_operation_and_key_together`). An event would also add 8 % to the cost of a request.

use std::io::Write;

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use tracing::Level;
use uuid::Uuid;

use super::logging::{self, LogFormat, ShownClient};

/// The values of a line, in the order of the JSON form.
#[derive(Serialize)]
pub(super) struct AccessLine<'a> {
    #[serde(serialize_with = "microseconds")]
    pub(super) timestamp: Timestamp,
    pub(super) level: &'static str,
    pub(super) request_id: &'a str,
    pub(super) operation: &'static str,
    pub(super) method: &'static str,
    pub(super) status: &'a str,
    pub(super) duration_us: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) client: Option<ShownClient>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) project: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<Uuid>,
    pub(super) target: &'static str,
}

impl AccessLine<'_> {
    /// Logs the line, if the filter lets it through.
    pub(super) fn log(&self) {
        if tracing::enabled!(target: "access", Level::INFO)
            && let Some(format) = logging::format()
        {
            logging::write_line(&self.line(format));
        }
    }

    /// The line with its line feed.
    fn line(&self, format: LogFormat) -> Vec<u8> {
        // Most lines have some 300 bytes. Writing to memory cannot fail.
        let mut line = Vec::with_capacity(384);
        let _ = match format {
            LogFormat::Json => serde_json::to_writer(&mut line, self).map_err(Into::into),
            LogFormat::Pretty => self.write_text(&mut line),
        };
        line.push(b'\n');
        line
    }

    fn write_text(&self, line: &mut Vec<u8>) -> std::io::Result<()> {
        let Self {
            timestamp,
            level,
            duration_us,
            client,
            target,
            ..
        } = self;
        write!(line, "{timestamp:.6}  {level} {target}:")?;
        for (name, text) in [
            ("request_id", self.request_id),
            ("operation", self.operation),
            ("method", self.method),
            ("status", self.status),
        ] {
            for part in [" ", name, "=\"", text, "\""] {
                line.extend_from_slice(part.as_bytes());
            }
        }
        write!(line, " duration_us={duration_us}")?;
        if let Some(client) = client {
            write!(line, " client={client}")?;
        }
        for (name, id) in [("project", self.project), ("key", self.key)] {
            if let Some(id) = id {
                write!(line, " {name}={id}")?;
            }
        }
        Ok(())
    }
}

fn microseconds<S: Serializer>(timestamp: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{timestamp:.6}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: LogFormat, key: Option<u128>, expected: &str) {
        let line = AccessLine {
            timestamp: Timestamp::UNIX_EPOCH,
            level: "INFO",
            request_id: "a.B_9-z",
            operation: "charities.list",
            method: "GET",
            status: "304",
            duration_us: 1_090,
            client: Some(ShownClient::Address("2001:db8::1".parse().unwrap())),
            project: key.map(Uuid::from_u128),
            key: key.map(Uuid::from_u128),
            target: "access",
        };
        assert_eq!(String::from_utf8(line.line(format)).unwrap(), expected);
    }

    #[test]
    fn lines_look_like_those_of_tracing() {
        check(
            LogFormat::Json,
            None,
            "{\"timestamp\":\"1970-01-01T00:00:00.000000Z\",\"level\":\"INFO\",\
             \"request_id\":\"a.B_9-z\",\"operation\":\"charities.list\",\"method\":\"GET\",\
             \"status\":\"304\",\"duration_us\":1090,\"client\":\"2001:db8::1\",\
             \"target\":\"access\"}\n",
        );
        check(
            LogFormat::Pretty,
            Some(1),
            "1970-01-01T00:00:00.000000Z  INFO access: request_id=\"a.B_9-z\" \
             operation=\"charities.list\" method=\"GET\" status=\"304\" duration_us=1090 \
             client=2001:db8::1 project=00000000-0000-0000-0000-000000000001 \
             key=00000000-0000-0000-0000-000000000001\n",
        );
    }
}
