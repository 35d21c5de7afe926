//! Usage as comma-separated values.

use std::fmt::Write as _;

use super::period::Period;
use crate::csv::field;
use crate::keys::KeyRecord;
use crate::usage::UsageRow;

const HEADER: &str = "start,key,key label,operation,status,requests\r\n";

/// The rows with their header, by RFC 4180. Times have the offset of the period's zone.
pub(super) fn text(rows: &[UsageRow], period: &Period, keys: &[KeyRecord]) -> String {
    let mut text = HEADER.to_owned();
    for row in rows {
        let key = keys.iter().find(|key| Some(key.id) == row.key);
        let start = period.at(row.minute).strftime("%Y-%m-%dT%H:%M:%S%:z");
        let id = row.key.map(|key| key.0.to_string()).unwrap_or_default();
        let label = key.and_then(|key| key.label.as_deref()).unwrap_or_default();
        let operation = row.operation.as_deref().unwrap_or_default();
        // Writing to memory cannot fail.
        let _ = write!(
            text,
            "{start},{id},{},{},{},{}\r\n",
            field(label),
            field(operation),
            row.class.as_str(),
            row.requests,
        );
    }
    text
}
