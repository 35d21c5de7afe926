//! Passkeys (Web Authentication, Level 3): keys in people's devices, by which accounts sign in and step up.
//!
//! A device makes or uses a passkey in a *ceremony*: the server gives a challenge, the device signs it.
//! The state of a ceremony is in the database, so that any replica can finish it; it is used once, within
//! five minutes.

mod ceremony;
mod error;
mod message;
pub mod passkey;
mod registration;
mod relying_party;
mod sign_in;
pub(crate) mod sql;
pub mod store;

pub use ceremony::{Ceremony, CeremonyId, CeremonyLimit, NewCeremony};
pub use error::{PasskeyError, PasskeyRejection};
pub use passkey::{CredentialChange, NewPasskey, PasskeyOwner, PasskeyRecord};
pub use registration::{Registration, begin_registration, list, register, remove};
pub use relying_party::RelyingParty;
pub use sign_in::{begin_sign_in, sign_in};
