//! The database operations of usage.

use std::collections::BTreeMap;

use db::{Db, DbError, Timeouts, Writer};
use jiff::Timestamp;
use uuid::Uuid;

use super::{Minute, Retention, StatusClass};
use crate::keys::KeyId;
use crate::projects::{Actor, ProjectId};
use crate::usage::sql;

/// One run of one server, from its start to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(pub Uuid);

db::uuid_column!(RunId);

/// A count of alike requests in a minute, as one run of one server has it so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinuteCount {
    pub minute: Minute,
    pub project: ProjectId,
    pub key: KeyId,
    /// The contract's name of the operation.
    pub operation: &'static str,
    pub class: StatusClass,
    pub requests: u64,
    /// Whether requests of later minutes are among them, because the database was away.
    pub is_coarse: bool,
}

/// The length of time that a row covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Minute,
    /// Hours of UTC.
    Hour,
    /// Days of UTC.
    Day,
}

/// The columns that rows are grouped by, besides the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breakdown {
    /// Status class alone.
    Status,
    /// Key and status class.
    Key,
    /// Operation and status class.
    Operation,
    /// All three.
    All,
}

impl Breakdown {
    pub(super) fn has_key(self) -> bool {
        matches!(self, Self::Key | Self::All)
    }

    pub(super) fn has_operation(self) -> bool {
        matches!(self, Self::Operation | Self::All)
    }
}

/// A question about the requests of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageQuery {
    pub project: ProjectId,
    /// The length of time that a row covers.
    pub step: Step,
    pub breakdown: Breakdown,
    /// The first minute.
    pub from: Minute,
    /// The minute after the last.
    pub to: Minute,
}

/// The count of a group of requests in one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageRow {
    /// The first minute of the step.
    pub minute: Minute,
    /// The key, if rows are grouped by it.
    pub key: Option<KeyId>,
    /// The operation, if rows are grouped by it.
    pub operation: Option<String>,
    pub class: StatusClass,
    pub requests: u64,
    /// Whether requests of later steps may be among them, because the database was away.
    pub is_coarse: bool,
}

/// When the keys of a project were last used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastUses {
    /// The last minute of each key that was used.
    pub minutes: BTreeMap<KeyId, Minute>,
    /// When recording began; earlier uses are unknown.
    pub recorded_since: Timestamp,
}

/// Stores the counts of a run. A stored count never gets smaller, so that storing one again, or an
/// earlier one late, changes nothing.
pub async fn put_usage(db: &Db, run: RunId, counts: Vec<MinuteCount>) -> Result<(), DbError> {
    let limits = Timeouts::Request;
    db.write(Writer::Unlimited, limits, move |tx| {
        sql::put(tx, run, &counts)
    })
    .await
}

/// Adds the counts of minutes before `before` to hours and days, as far as they are not in them yet. Of
/// servers that call this at the same time, one does it. Returns whether there may be more to fold.
pub async fn fold_usage(db: &Db, before: Minute) -> Result<bool, DbError> {
    let limits = Timeouts::Bulk;
    db.write(Writer::Unlimited, limits, move |tx| sql::fold(tx, before))
        .await
}

/// Deletes the minutes, hours and days that are older than `retention`. Minutes that are not folded stay.
pub async fn forget_usage(db: &Db, now: Minute, retention: Retention) -> Result<(), DbError> {
    let limits = Timeouts::Bulk;
    db.write(Writer::Unlimited, limits, move |tx| {
        sql::forget(tx, now, retention)
    })
    .await
}

/// The requests of a project, in the order of time, key, operation and class. `None` if the actor
/// manages no such project.
pub async fn usage(
    db: &Db,
    actor: Actor,
    query: UsageQuery,
) -> Result<Option<Vec<UsageRow>>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| sql::usage(tx, actor, query))
        .await
}

/// When the keys of a project were last used; `None` if the actor manages no such project.
pub async fn last_uses(
    db: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<LastUses>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| {
        sql::last_uses(tx, actor, project)
    })
    .await
}
