//! Identities: the accounts of users at a provider.

use jiff::Timestamp;

use super::OidcRejection;
use crate::accounts::{NewSession, SecretDigest};
use features::domain::email::Email;
use features::domain::ids::{AccountId, IdentityId};
use features::mail::NewMail;

/// The most identities of an account.
pub const MAX_IDENTITIES: usize = 5;

/// The verified claims of a provider about a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedIdentity {
    pub issuer: String,
    /// The provider's id of the person, which stays when the address changes.
    pub subject: String,
    /// The address, if the provider has verified it.
    pub email: Option<Email>,
    /// The person's name for this identity: the address, verified or not, else the subject.
    pub label: String,
    /// When the user authenticated to the provider, if it reports that.
    pub authenticated_at: Option<Timestamp>,
}

/// An identity to be stored.
#[derive(Debug, Clone)]
pub struct NewIdentity {
    pub id: IdentityId,
    pub issuer: String,
    /// The provider's id of the person.
    pub subject: String,
    /// The person's name for it.
    pub label: String,
    pub created_at: Timestamp,
}

/// An identity as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityRecord {
    pub id: IdentityId,
    pub account: AccountId,
    pub issuer: String,
    /// The provider's id of the person.
    pub subject: String,
    /// The person's name for it when it was linked.
    pub label: String,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
}

/// A sign-in with an identity.
#[derive(Debug, Clone)]
pub struct IdentitySignIn {
    /// The identity, to be stored if it is new.
    pub identity: NewIdentity,
    /// The address that a new account gets.
    pub email: Option<Email>,
    pub new: AccountId,
    /// The account that it must be; `None` where any is signed in.
    pub only: Option<AccountId>,
    /// The browser that was awaited, and its network: new accounts are counted by networks.
    pub from: (SecretDigest, String),
    /// The mail to the address of a new account.
    pub mail: Option<NewMail>,
    pub session: NewSession,
}

/// The account that an identity signs in to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignInTarget<'a> {
    /// The account that it belongs to.
    Known(IdentityId, AccountId),
    /// A new account of this address, if no account has it.
    New(&'a Email),
}

impl IdentitySignIn {
    /// The account that it signs in to, where the identity is known as `found`.
    pub(crate) fn target(
        &self,
        found: Option<(IdentityId, AccountId)>,
    ) -> Result<SignInTarget<'_>, OidcRejection> {
        match (found, self.only) {
            (Some((id, account)), None) => Ok(SignInTarget::Known(id, account)),
            (Some((id, account)), Some(only)) if account == only => {
                Ok(SignInTarget::Known(id, account))
            }
            (_, Some(_)) => Err(OidcRejection::NotLinked),
            (None, None) => {
                let email = self.email.as_ref().ok_or(OidcRejection::NoAddress)?;
                Ok(SignInTarget::New(email))
            }
        }
    }
}
