//! Errors of signing in with a provider, and of linking an identity.

use super::identity::MAX_IDENTITIES;
use super::{AuthorizationLimit, ProviderError};
use crate::accounts::SignInLimit;
use db::DbError;

/// The error of a sign-in by a provider.
#[derive(Debug, thiserror::Error)]
pub enum OidcError {
    #[error(transparent)]
    Rejected(#[from] OidcRejection),
    /// The provider says nothing, or nothing that can be verified.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    #[error(transparent)]
    Template(#[from] askama::Error),
    #[error(transparent)]
    Random(#[from] getrandom::Error),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The reason why it was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OidcRejection {
    /// Too many browsers are awaited.
    #[error(transparent)]
    Waiting(#[from] AuthorizationLimit),
    /// The account would be one too many.
    #[error(transparent)]
    Limit(#[from] SignInLimit),
    /// The answer is for another browser, or for an earlier attempt of this one.
    #[error("this was started in another browser or tab; start again here")]
    OtherBrowser,
    /// It was finished before, or took too long.
    #[error("this was already used, or took longer than ten minutes; start again")]
    Ended,
    /// The person said no at the provider.
    #[error("you did not allow it there, so nothing was changed; try again, or sign in by email")]
    Denied,
    /// The provider says that it does not sign in.
    #[error("the provider rejected the sign-in; try again, or sign in by email")]
    ProviderRejected,
    /// There is no address to make an account of.
    #[error(
        "the provider has not verified your email address, so no account can be created; sign in by email, \
         and link the provider on your account page"
    )]
    NoAddress,
    /// An account has the address, and has not linked the identity.
    #[error(
        "your email address has an account here that is not linked with this provider; sign in by email, and \
         link it on your account page"
    )]
    AddressTaken,
    /// The identity is not one of the account's that is signed in.
    #[error("your account is linked with a different account there; confirm by email")]
    NotLinked,
    /// The provider does not say that the person proved who it is just now.
    #[error("the provider did not ask you to sign in again; confirm by email, or with a passkey")]
    NotRecent,
    /// No account is signed in, or another than the one to link to.
    #[error("the account that started this is no longer signed in here; sign in and link again")]
    SignedOut,
    /// It is linked with the account already.
    #[error("this is already linked with your account")]
    Known,
    /// It is linked with another account.
    #[error(
        "this is linked with another account; sign in to that account and unlink it there first"
    )]
    OfAnother,
    #[error("an account is linked with at most {MAX_IDENTITIES} others; unlink one first")]
    TooMany,
    #[error("your account is not linked with this any more")]
    Unknown,
}
