//! The keys of projects: their text, their records, and the lookup of a request's key.

mod change;
mod checksum;
pub mod demo;
mod events;
pub mod expiry;
mod key;
pub mod leak;
pub mod lifecycle;
mod named_key;
mod record;
pub mod sql;
pub mod store;
mod switch;
mod table;

pub use crate::domain::ids::KeyId;
pub use change::{KeyOfProject, KeyRejection};
pub use key::{Key, KeyError};
pub use record::{InvalidLabel, KeyDigest, KeyEnd, KeyLabels, KeyRecord, NewKey};
pub use switch::KeySwitch;
pub use table::KeyTable;
pub(crate) use table::KnownKey;

use named_key::NamedKey;
