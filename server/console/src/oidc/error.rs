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
    #[error("this was begun in another browser or tab; begin again here")]
    OtherBrowser,
    /// It was finished before, or took too long.
    #[error("this was finished before, or took longer than ten minutes; begin again")]
    Ended,
    /// The person said no at the provider.
    #[error("you did not allow it there, so nothing was changed; try again, or sign in by mail")]
    Denied,
    /// The provider says that it does not sign in.
    #[error("the provider refused; try again, or sign in by mail")]
    ProviderRejected,
    /// There is no address to make an account of.
    #[error(
        "the provider has not verified your mail address, so no account can be made of it; sign in by mail, \
         and link the provider on the page of your account"
    )]
    NoAddress,
    /// An account has the address, and has not linked the identity.
    #[error(
        "your mail address has an account here, which is not linked with this provider; sign in by mail, and \
         link it on the page of your account"
    )]
    AddressTaken,
    /// The identity is not one of the account's that is signed in.
    #[error("you are somebody else there than your account is linked with; confirm it by mail")]
    NotLinked,
    /// The provider does not say that the person proved who it is just now.
    #[error("the provider did not ask you to sign in again; confirm by mail, or with a passkey")]
    NotRecent,
    /// No account is signed in, or another than the one to link to.
    #[error("the account that asked for it is not signed in here any more; sign in and link again")]
    SignedOut,
    /// It is linked with the account already.
    #[error("this is linked with your account already")]
    Known,
    /// It is linked with another account.
    #[error("this is linked with another account; sign in to that one, and unlink it there first")]
    OfAnother,
    #[error("an account is linked with at most {MAX_IDENTITIES} others; unlink one first")]
    TooMany,
    #[error("your account is not linked with this any more")]
    Unknown,
}
