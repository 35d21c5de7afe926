//! Authentication: the security requirements of an operation, and the choice
//! among its alternatives.
//!
//! Of several alternatives the first that holds is the answer, and no later
//! one is looked at. Where none holds, the most telling error is reported: a
//! lack of scopes before a wrong credential, and that before a missing one.

use std::fmt;

use http::request::Parts;

use crate::http::operation::Operation;
use crate::http::rejection::AuthError;

/// A request whose caller is asked for.
pub struct AuthRequest<'a, C> {
    /// The operation that it is for.
    pub operation: &'static Operation,
    /// The host's context of the request.
    pub context: &'a C,
    /// The head of the request.
    pub parts: &'a Parts,
}

/// The requirement that the credential of one security scheme is checked for.
pub struct Demand<'a, C> {
    /// The operation that asks for it.
    pub operation: &'static Operation,
    /// The scopes (or roles) that its holder must have.
    pub scopes: &'static [&'static str],
    /// The host's context of the request.
    pub context: &'a C,
    /// The head of the request.
    pub parts: &'a Parts,
}

impl<C> Clone for AuthRequest<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for AuthRequest<'_, C> {}

impl<'a, C> AuthRequest<'a, C> {
    /// The operation's requirement on a scheme, by the indexes of the
    /// alternative and of the scheme in it.
    #[must_use]
    pub fn demand(self, alternative: usize, scheme: usize) -> Demand<'a, C> {
        let all = self.operation.security.get(alternative);
        Demand {
            operation: self.operation,
            scopes: all
                .and_then(|all| all.get(scheme))
                .map_or(&[], |used| used.scopes),
            context: self.context,
            parts: self.parts,
        }
    }
}

/// Shows no part of the request: each may hold a credential.
impl<C> fmt::Debug for Demand<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Demand")
            .field("operation", &self.operation.id)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// Why the alternatives looked at so far do not hold.
#[derive(Debug)]
pub struct AuthErrors(AuthError);

impl Default for AuthErrors {
    fn default() -> Self {
        Self(AuthError::CredentialMissing)
    }
}

impl AuthErrors {
    /// Takes note of an alternative that does not hold.
    ///
    /// # Errors
    /// Returns `error` if no other alternative can help, because the caller is
    /// over a limit or something failed.
    pub fn note(&mut self, error: AuthError) -> Result<(), AuthError> {
        if matches!(error, AuthError::RateLimited | AuthError::Failed(_)) {
            return Err(error);
        }
        if telling(&error) > telling(&self.0) {
            self.0 = error;
        }
        Ok(())
    }

    /// The most telling one.
    #[must_use]
    pub fn into_error(self) -> AuthError {
        self.0
    }
}

const fn telling(error: &AuthError) -> u8 {
    match error {
        AuthError::CredentialMissing => 0,
        AuthError::CredentialInvalid => 1,
        AuthError::ScopeInsufficient => 2,
        AuthError::RateLimited => 3,
        AuthError::Failed(_) => 4,
    }
}
