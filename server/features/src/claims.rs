//! Claims of partner contracts: a project claims a contract as its own, and proves it by a signature or asks
//! an operator to decide.

mod claim;
pub mod claiming;
pub mod decision;
mod error;
mod message;
pub mod signature;
pub(crate) mod sql;
pub mod store;

pub use claim::{Claim, ClaimId, ClaimNonce, ClaimOfProject, NewClaim, Proof, WaitingClaim};
pub use decision::Decision;
pub use error::{ClaimError, ClaimRejection};
pub use message::message;
