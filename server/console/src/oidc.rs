//! Signing in by OpenID Connect, with a provider that the operator configures.
//!
//! A browser is sent to the provider and comes back with a code, which the server exchanges for an ID token
//! (OpenID Connect Core 1.0, authorization code flow, with PKCE). Who came back is an *identity*: an issuer
//! and a subject, never an address. An identity belongs to one account; a first one makes an account of an
//! address that the provider has verified, unless there is one: that account links the identity itself.

mod authorization;
mod error;
mod flow;
pub mod identity;
mod linking;
mod message;
mod provider;
mod settings;
pub(crate) mod sql;
pub mod store;

pub use authorization::{AuthorizationLimit, NewAuthorization, PendingAuthorization, Purpose};
pub use error::{OidcError, OidcRejection};
pub use flow::{AuthorizationUrl, Callback, Failure, Outcome, begin, finish};
pub use identity::{IdentityRecord, IdentitySignIn, NewIdentity, VerifiedIdentity};
pub use linking::{list, unlink};
pub use provider::{Provider, ProviderError};
pub use settings::{OidcSetupError, ProviderSettings};
