//! Credentials: a person has a token, the camera has a key.

use gallery_api::AuthError;
use gallery_api::runtime::Demand;
use gallery_api::runtime::credential::{ApiKey, Bearer};
use gallery_api::security::{Security, TokenOrUploadKey};

use crate::App;

impl Security for App {
    type Token = &'static str;
    type UploadKey = &'static str;

    async fn token(&self, token: Bearer<'_>, _: Demand<'_, ()>) -> Result<Self::Token, AuthError> {
        holder("ada", token.secret(), &self.credentials.token)
    }

    async fn upload_key(
        &self,
        key: ApiKey<'_>,
        _: Demand<'_, ()>,
    ) -> Result<Self::UploadKey, AuthError> {
        holder("camera", key.secret(), &self.credentials.upload_key)
    }
}

/// The name of the caller that shows a secret. A service for strangers compares digests of secrets, in constant
/// time.
fn holder(name: &'static str, shown: &str, secret: &str) -> Result<&'static str, AuthError> {
    match shown == secret {
        true => Ok(name),
        false => Err(AuthError::CredentialInvalid),
    }
}

/// The name of the caller, from either credential.
pub(crate) fn name(caller: TokenOrUploadKey<&'static str, &'static str>) -> &'static str {
    match caller {
        TokenOrUploadKey::Token(name) | TokenOrUploadKey::UploadKey(name) => name,
    }
}
