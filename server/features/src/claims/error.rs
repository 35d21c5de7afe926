//! Errors of claims.

use super::Claim;
use super::claiming::MAX_NOTE;
use super::signature::SignatureError;
use crate::projects::{Actor, ProjectAccess};
use db::DbError;

/// The reason why a claim was not made or changed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    #[error(transparent)]
    Rejected(#[from] ClaimRejection),
    /// The signature proves nothing. Its nonce is used up.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// The note is missing or long, or has control characters.
    #[error("use 1 to {MAX_NOTE} characters, without control characters")]
    Note,
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The reason why a change of a claim is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClaimRejection {
    /// The actor manages no such project, or the project has no such claim.
    #[error("there is no such claim")]
    Unknown,
    /// The account is a member of the project, and only owners may do this.
    #[error("only owners of the project can do this")]
    NotOwner,
    /// Only operators decide.
    #[error("only operators can do this")]
    Forbidden,
    /// The contract is the project's.
    #[error("the contract already belongs to the project")]
    Own,
    #[error("a project can have at most {} undecided claims", Claim::MAX_UNDECIDED)]
    TooMany,
    #[error("the claim has already been decided")]
    Decided,
    /// The claim does not wait for an operator.
    #[error("the claim does not wait for a decision")]
    NotWaiting,
    /// The nonce is not that of the newest message.
    #[error("the message was already used")]
    UsedNonce,
    #[error("the message has expired")]
    Expired,
    /// The contract belongs to another project and has tokens, whose donations count for that project.
    #[error("the contract belongs to another project and has partner tokens, which stay with it")]
    HasTokens,
    /// The contract has tokens, whose donations count for the project.
    #[error("the contract has partner tokens, whose donations count for the project")]
    OwnTokens,
}

impl ClaimRejection {
    /// Rejects an actor that does not own the project, which is `found` if it exists.
    pub(crate) fn unless_owned(actor: Actor, found: Option<ProjectAccess>) -> Result<(), Self> {
        match found {
            Some(found) if actor.owns(found.standing) => Ok(()),
            Some(found) if actor.sees(found.standing) => Err(Self::NotOwner),
            _ => Err(Self::Unknown),
        }
    }
}
