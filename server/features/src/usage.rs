//! Usage: how many requests each key of a project made, by operation and status class, over time.
//!
//! A [`Recorder`] counts in memory. [`run`] stores its counts every 800 ms, as absolute numbers of a
//! minute and of one run of one server: storing them again changes nothing, and servers never write the
//! same row. Once in a minute it folds minutes into hours and days, which one server at a time does, and
//! deletes counts that are older than the [`Retention`].
//!
//! | step | kept |
//! |---|---|
//! | minutes | 2 days |
//! | hours | 60 days |
//! | days | 400 days |
//!
//! A server that stops stores everything first; one that is killed loses the counts since it last stored,
//! less than a second ago while the database answers.

mod counters;
mod fold;
mod job;
mod minute;
mod pending;
mod recorder;
mod request_log;
pub mod sql;
mod status_class;
pub mod store;

pub use fold::Retention;
pub use job::maintain;
pub use job::{UsageMetrics, close, run};
pub use minute::Minute;
pub use recorder::Recorder;
pub use request_log::{LoggedRequest, MAX_REQUESTS};
pub use status_class::StatusClass;
pub use store::{Breakdown, LastUses, MinuteCount, RunId, Step, UsageQuery, UsageRow};
