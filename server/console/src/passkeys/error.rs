//! The errors of passkeys.

use webauthn_rs::prelude::WebauthnError;

use super::CeremonyLimit;
use super::passkey::MAX_PASSKEYS;
use db::DbError;

/// The reason why a passkey could not be made, used or removed.
#[derive(Debug, thiserror::Error)]
pub enum PasskeyError {
    /// Too many are waiting.
    #[error(transparent)]
    Limit(#[from] CeremonyLimit),
    #[error(transparent)]
    Rejected(#[from] PasskeyRejection),
    #[error(transparent)]
    Template(#[from] askama::Error),
    #[error(transparent)]
    Random(#[from] getrandom::Error),
    /// The state of a ceremony, or a stored passkey, cannot be read or written.
    #[error("a stored passkey or ceremony cannot be read")]
    Stored(#[from] serde_json::Error),
    /// No ceremony can be begun.
    #[error("a ceremony cannot be begun")]
    Begin(#[source] WebauthnError),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The reason why a passkey or its ceremony was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyRejection {
    /// It is over: finished, or older than five minutes.
    #[error("this took longer than five minutes, or was already used; try again")]
    Ended,
    /// The answer of the browser does not fit the challenge.
    #[error("the passkey could not be verified; try again, or sign in by email")]
    Invalid,
    /// The passkey's counter went back: there may be a copy of it.
    #[error(
        "this passkey was used elsewhere with a later counter, so there may be a copy of it; sign in by \
         email and remove it"
    )]
    CounterBack,
    /// No account has such a passkey, or it was removed.
    #[error("this passkey is unknown here; it may have been removed from its account")]
    Unknown,
    /// The passkey belongs to another account than the one that is signed in.
    #[error("this passkey belongs to another account")]
    OtherAccount,
    /// The passkey is registered already.
    #[error("this passkey is registered already")]
    Known,
    #[error("an account has at most {MAX_PASSKEYS} passkeys; remove one first")]
    TooMany,
    /// The account is an operator, the session began without a passkey, and the code is not right.
    #[error(
        "an operator who has no passkey yet adds the first with the code of the command line, which works \
         once, within 24 hours; this is not it"
    )]
    Code,
    /// The account is an operator, and the session began without a passkey.
    #[error("an operator removes passkeys in a session that began with one")]
    NoPasskey,
    /// The name is missing, long, or acts on the page that shows it.
    #[error("a passkey has a name of at most 60 characters, without control characters")]
    Name,
}
