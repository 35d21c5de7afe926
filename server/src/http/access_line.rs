//! The line of the access log that tells of one request.
//!
//! It names the operation, never the path, the query or a header: each of them may hold a key that was
//! put in the wrong place.

use std::net::IpAddr;

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;
use uuid::fmt::Hyphenated;

use super::logging::{self, LogFormat};
use crate::access::Principal;

/// What is said of a request.
pub(super) struct AccessLine<'a> {
    /// Of characters that need no escape.
    pub(super) request_id: &'a str,
    pub(super) operation: &'static str,
    pub(super) method: &'static str,
    pub(super) status: &'a str,
    /// When it was answered.
    pub(super) at: Timestamp,
    pub(super) duration_us: u64,
    pub(super) client: IpAddr,
    pub(super) principal: Option<Principal>,
}

impl AccessLine<'_> {
    /// Logs it.
    ///
    /// There is one for every request, so that it is written by hand where it can be: as an event it
    /// costs ten times as much.
    pub(super) fn log(&self) {
        match logging::plain_format() {
            Some(format) if logging::wants_access_lines() => {
                logging::log_line(self.written(format).as_bytes());
            }
            Some(_) => {}
            None => self.event(),
        }
    }

    fn event(&self) {
        tracing::info!(
            target: "access",
            request_id = self.request_id,
            operation = self.operation,
            method = self.method,
            status = self.status,
            duration_us = self.duration_us,
            client = %self.client,
            project = self.principal.map(|principal| tracing::field::display(principal.project.0)),
            key = self.principal.map(|principal| tracing::field::display(principal.key.0)),
        );
    }

    /// The line as `tracing-subscriber` writes the event.
    fn written(&self, format: LogFormat) -> String {
        let form = match format {
            LogFormat::Json => &JSON,
            LogFormat::Pretty => &TEXT,
        };
        // Most lines have some 300 bytes.
        let mut line = String::with_capacity(384);
        line.push_str(form.begin);
        // Writing to a string cannot fail.
        let _ = STAMP.print_timestamp(&self.at, &mut line);
        for (before, value) in [
            (form.request_id, self.request_id),
            (form.operation, self.operation),
            (form.method, self.method),
            (form.status, self.status),
        ] {
            line.push_str(before);
            line.push_str(value);
        }
        line.push_str(form.duration);
        line.push_str(itoa::Buffer::new().format(self.duration_us));
        line.push_str(form.client);
        push_address(self.client, &mut line);
        if let Some(Principal { project, key, .. }) = self.principal {
            for (before, id) in [(form.project, project.0), (form.key, key.0)] {
                let mut text = [0; Hyphenated::LENGTH];
                line.push_str(before);
                line.push_str(id.hyphenated().encode_lower(&mut text));
            }
        }
        line.push_str(form.end);
        line
    }
}

/// With microseconds, always.
const STAMP: DateTimePrinter = DateTimePrinter::new().precision(Some(6));

/// What stands before each value of a line, and at its end.
struct Form {
    begin: &'static str,
    request_id: &'static str,
    operation: &'static str,
    method: &'static str,
    status: &'static str,
    duration: &'static str,
    client: &'static str,
    project: &'static str,
    key: &'static str,
    end: &'static str,
}

const JSON: Form = Form {
    begin: r#"{"timestamp":""#,
    request_id: r#"","level":"INFO","request_id":""#,
    operation: r#"","operation":""#,
    method: r#"","method":""#,
    status: r#"","status":""#,
    duration: r#"","duration_us":"#,
    client: r#","client":""#,
    project: r#"","project":""#,
    key: r#"","key":""#,
    end: "\",\"target\":\"access\"}\n",
};

const TEXT: Form = Form {
    begin: "",
    request_id: r#"  INFO access: request_id=""#,
    operation: r#"" operation=""#,
    method: r#"" method=""#,
    status: r#"" status=""#,
    duration: r#"" duration_us="#,
    client: " client=",
    project: " project=",
    key: " key=",
    end: "\n",
};

/// An address as it shows itself, which it does by way of a formatter.
fn push_address(address: IpAddr, line: &mut String) {
    let IpAddr::V4(address) = address else {
        line.push_str(&address.to_string());
        return;
    };
    for (index, octet) in address.octets().into_iter().enumerate() {
        if index > 0 {
            line.push('.');
        }
        line.push_str(itoa::Buffer::new().format(octet));
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tracing::subscriber::with_default;
    use tracing_subscriber::fmt::MakeWriter;
    use tracing_subscriber::layer::SubscriberExt;
    use tracing_subscriber::{fmt, registry};
    use uuid::Uuid;

    use super::*;
    use crate::keys::KeyId;
    use crate::projects::{ProjectId, Tier};

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl<'a> MakeWriter<'a> for Written {
        type Writer = Self;

        fn make_writer(&'a self) -> Self {
            self.clone()
        }
    }

    /// What `tracing-subscriber` makes of the event, with the settings of the program.
    fn of_event(line: &AccessLine<'_>, format: LogFormat) -> String {
        let written = Written::default();
        let lines = fmt::layer().with_ansi(false).with_writer(written.clone());
        let log = || line.event();
        match format {
            LogFormat::Json => with_default(registry().with(logging::json(lines)), log),
            LogFormat::Pretty => with_default(registry().with(lines), log),
        }
        let bytes = written.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn is_written_by_hand_as_the_event_is() {
        let principal = Principal {
            project: ProjectId(Uuid::from_u128(1)),
            tier: Tier::Pro,
            key: KeyId(Uuid::from_u128(2)),
        };
        for (client, principal) in [("192.0.2.1", Some(principal)), ("2001:db8::1", None)] {
            let mut line = AccessLine {
                request_id: "a.B_9-z",
                operation: "charities.list",
                method: "GET",
                status: "304",
                at: Timestamp::UNIX_EPOCH,
                duration_us: 1_090,
                client: client.parse().unwrap(),
                principal,
            };
            for format in [LogFormat::Json, LogFormat::Pretty] {
                let event = of_event(&line, format);
                let stamp = event.trim_start_matches("{\"timestamp\":\"");
                let (stamp, _) = stamp.split_once('Z').unwrap();
                line.at = format!("{stamp}Z").parse().unwrap();
                assert_eq!(line.written(format), event);
            }
        }
    }
}
