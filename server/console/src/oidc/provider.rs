//! The provider: where it signs in, and its claims about who came back.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use bytes::Bytes;
use http_body_util::Full;
use jiff::Timestamp;
use openidconnect::core::{
    CoreAuthPrompt, CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreIdToken,
    CoreIdTokenClaims, CoreJwsSigningAlgorithm, CoreProviderMetadata,
};
use openidconnect::{
    AuthType, AuthorizationCode, ClaimsVerificationError, CsrfToken, EndpointMaybeSet,
    EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, Nonce, PkceCodeChallenge,
    PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope, SignatureVerificationError,
    TokenResponse as _,
};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::{ProviderSettings, VerifiedIdentity};
use crate::accounts::AuthorizationSecret;
use edge::clock::is_within;
use edge::http_client::{HttpClient, HttpClientError};
use features::domain::printable::is_unprintable;
use tls::TlsError;

/// How long the provider may take, all requests together.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long its metadata and keys hold.
const FRESH: Duration = Duration::from_secs(3600);
/// How often they are asked for again, at most, because a key is unknown.
const RENEWAL: Duration = Duration::from_secs(60);
/// How long ago an ID token may have been issued: it is asked for when the browser is back.
const ISSUED: Duration = Duration::from_secs(600);
/// The most characters of a subject (OpenID Connect Core 1.0, section 2).
const MAX_SUBJECT: usize = 255;
/// The most characters of the label of an identity.
const MAX_LABEL: usize = 254;

/// The signatures of ID tokens that are accepted: those by keys that the provider alone has.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// The reason why a provider says nothing of use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// It does not answer, or its metadata cannot be used.
    #[error("the request to the OpenID Connect provider failed: {0}")]
    Unavailable(String),
    /// Its claims about the person are not accepted.
    #[error("invalid response of the OpenID Connect provider: {0}")]
    Invalid(String),
}

/// A provider of OpenID Connect. It is contacted at the first sign-in, not before.
#[derive(Debug)]
pub struct Provider {
    settings: ProviderSettings,
    client: HttpClient,
    metadata: Mutex<Option<CachedMetadata>>,
}

/// A provider's metadata, with its keys.
#[derive(Debug, Clone)]
struct CachedMetadata {
    metadata: Arc<CoreProviderMetadata>,
    at: Timestamp,
    /// When it was last asked for again because a key was unknown.
    renewed_at: Option<Timestamp>,
}

impl Provider {
    /// A provider of these settings. Asks nothing.
    ///
    /// # Errors
    /// When it is asked by TLS, and the system has no certificates.
    pub fn new(settings: ProviderSettings) -> Result<Self, TlsError> {
        Ok(Self {
            client: HttpClient::new(settings.is_secure())?,
            settings,
            metadata: Mutex::default(),
        })
    }

    /// Its name on pages.
    pub fn name(&self) -> &str {
        &self.settings.name
    }

    /// Whether it is the provider with this issuer.
    pub(super) fn is_issuer(&self, issuer: &str) -> bool {
        self.settings.issuer.as_str() == issuer
    }

    /// The URL at which a browser with this secret signs in, to be sent back to `redirect`; `again` even if
    /// it is signed in there.
    pub(super) async fn sign_in_url(
        &self,
        secret: &AuthorizationSecret,
        redirect: RedirectUrl,
        again: bool,
        now: Timestamp,
    ) -> Result<String, ProviderError> {
        let metadata = in_time(self.metadata(now)).await?;
        let client = self.client_of(&metadata);
        let (state, nonce) = (CsrfToken::new(state(secret)), nonce(secret));
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&verifier(secret));
        let mut request = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || state,
                move || nonce,
            )
            .add_scope(Scope::new("email".to_owned()))
            .set_pkce_challenge(challenge)
            .set_redirect_uri(std::borrow::Cow::Owned(redirect));
        if again {
            request = request
                .add_prompt(CoreAuthPrompt::Login)
                .set_max_age(Duration::ZERO);
        } else if metadata.claims_parameter_supported() == Some(true) {
            // Whether the person proved just now who it is.
            let claims = r#"{"id_token":{"auth_time":{"essential":true}}}"#;
            request = request.add_extra_param("claims", claims);
        }
        let (url, _, _) = request.url();
        Ok(url.into())
    }

    /// The identity of the person who came back with a code, in the browser with this secret.
    pub(super) async fn identify(
        &self,
        code: String,
        secret: &AuthorizationSecret,
        redirect: RedirectUrl,
        now: Timestamp,
    ) -> Result<VerifiedIdentity, ProviderError> {
        in_time(async {
            let metadata = self.metadata(now).await?;
            let token = self.exchange(&metadata, code, secret, redirect).await?;
            let nonce = nonce(secret);
            match self.verify(&token, &metadata, &nonce, now) {
                Err(Unverified::UnknownKey) => {
                    let metadata = self.renewed(now).await?;
                    let verified = self.verify(&token, &metadata, &nonce, now);
                    verified.map_err(Unverified::into)
                }
                verified => verified.map_err(Unverified::into),
            }
        })
        .await
    }

    /// The ID token for a code.
    async fn exchange(
        &self,
        metadata: &CoreProviderMetadata,
        code: String,
        secret: &AuthorizationSecret,
        redirect: RedirectUrl,
    ) -> Result<CoreIdToken, ProviderError> {
        let client = self.client_of(metadata).set_redirect_uri(redirect);
        let request = client.exchange_code(AuthorizationCode::new(code));
        let request = request.map_err(|error| unavailable(&error))?;
        let answer = request
            .set_pkce_verifier(verifier(secret))
            .request_async(&|request| send(self.client.clone(), request))
            .await;
        let answer = answer.map_err(|error| match error {
            RequestTokenError::Request(_) => unavailable(&error),
            _ => ProviderError::Invalid(with_causes(&error)),
        })?;
        let none = || ProviderError::Invalid("there is no ID token".to_owned());
        answer.id_token().cloned().ok_or_else(none)
    }

    /// The identity in an ID token, if the token is valid.
    fn verify(
        &self,
        token: &CoreIdToken,
        metadata: &CoreProviderMetadata,
        nonce: &Nonce,
        now: Timestamp,
    ) -> Result<VerifiedIdentity, Unverified> {
        let client = self.client_of(metadata);
        let verifier = client
            .id_token_verifier()
            .set_allowed_algs(ALGORITHMS)
            .set_time_fn(move || SystemTime::from(now).into())
            .set_issue_time_verifier_fn(move |issued| {
                let issued = Timestamp::from_second(issued.timestamp());
                let is_fresh = issued.is_ok_and(|issued| is_within(issued, ISSUED, now));
                let wrong = || "it was not issued just now".to_owned();
                is_fresh.then_some(()).ok_or_else(wrong)
            });
        let claims = token
            .claims(&verifier, nonce)
            .map_err(|error| match error {
                ClaimsVerificationError::SignatureVerification(
                    SignatureVerificationError::NoMatchingKey,
                ) => Unverified::UnknownKey,
                error => Unverified::Wrong(with_causes(&error)),
            })?;
        identity(claims, is_email_verified(token))
    }

    /// The provider's metadata, at most [`FRESH`] old. Of concurrent callers one asks.
    async fn metadata(&self, now: Timestamp) -> Result<Arc<CoreProviderMetadata>, ProviderError> {
        let mut known = self.metadata.lock().await;
        if let Some(known) = &*known
            && is_within(known.at, FRESH, now)
        {
            return Ok(Arc::clone(&known.metadata));
        }
        self.discover(&mut known, now, None).await
    }

    /// The provider's metadata, asked for now unless it was in the last minute.
    async fn renewed(&self, now: Timestamp) -> Result<Arc<CoreProviderMetadata>, ProviderError> {
        let mut known = self.metadata.lock().await;
        if let Some(known) = &*known
            && known
                .renewed_at
                .is_some_and(|at| is_within(at, RENEWAL, now))
        {
            return Ok(Arc::clone(&known.metadata));
        }
        self.discover(&mut known, now, Some(now)).await
    }

    async fn discover(
        &self,
        known: &mut Option<CachedMetadata>,
        now: Timestamp,
        renewed_at: Option<Timestamp>,
    ) -> Result<Arc<CoreProviderMetadata>, ProviderError> {
        let issuer = self.settings.issuer.clone();
        let asker = |request| send(self.client.clone(), request);
        let found = CoreProviderMetadata::discover_async(issuer, &asker).await;
        let found = Arc::new(found.map_err(|error| unavailable(&error))?);
        // A browser is sent there; everything else is asked by the client, which checks for itself.
        let sign_in = found.authorization_endpoint().as_str().parse();
        if !sign_in.is_ok_and(|url| self.client.asks(&url)) {
            let why = "its authorization endpoint has another scheme than its issuer";
            return Err(ProviderError::Unavailable(why.to_owned()));
        }
        *known = Some(CachedMetadata {
            metadata: Arc::clone(&found),
            at: now,
            renewed_at,
        });
        Ok(found)
    }

    fn client_of(&self, metadata: &CoreProviderMetadata) -> Client {
        let ProviderSettings {
            client_id, secret, ..
        } = self.settings.clone();
        let client = CoreClient::from_provider_metadata(metadata.clone(), client_id, Some(secret));
        // Without a word about it, it is the header `Authorization` (OpenID Connect Discovery 1.0, section 3).
        let methods = metadata.token_endpoint_auth_methods_supported();
        let in_body = methods.is_some_and(|methods| {
            !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
                && methods.contains(&CoreClientAuthMethod::ClientSecretPost)
        });
        client.set_auth_type(match in_body {
            true => AuthType::RequestBody,
            false => AuthType::BasicAuth,
        })
    }
}

/// Sends a request of the library.
async fn send(client: HttpClient, request: HttpRequest) -> Result<HttpResponse, HttpClientError> {
    let request = request.map(|body| Full::from(Bytes::from(body)));
    Ok(client.send(request).await?.map(|body| body.to_vec()))
}

/// The reason why an ID token is not believed.
enum Unverified {
    /// The key of its signature is not known.
    UnknownKey,
    Wrong(String),
}

impl From<Unverified> for ProviderError {
    fn from(error: Unverified) -> Self {
        Self::Invalid(match error {
            Unverified::UnknownKey => "the key of its signature is unknown".to_owned(),
            Unverified::Wrong(why) => why,
        })
    }
}

/// Whether the claim `email_verified` is the boolean `true`, which the library reads from strings as well.
fn is_email_verified(token: &CoreIdToken) -> bool {
    #[derive(serde::Deserialize)]
    struct Claims {
        email_verified: bool,
    }
    let token = token.to_string();
    let payload = token.split('.').nth(1).unwrap_or_default();
    let payload = BASE64_URL_SAFE_NO_PAD.decode(payload).unwrap_or_default();
    serde_json::from_slice(&payload).is_ok_and(|Claims { email_verified }| email_verified)
}

fn identity(
    claims: &CoreIdTokenClaims,
    is_email_verified: bool,
) -> Result<VerifiedIdentity, Unverified> {
    let subject = claims.subject().as_str();
    if subject.is_empty() || subject.len() > MAX_SUBJECT {
        return Err(Unverified::Wrong(
            "its subject is empty or too long".to_owned(),
        ));
    }
    let address = claims.email().map(|email| email.as_str());
    let label = address
        .unwrap_or(subject)
        .chars()
        .filter(|c| !is_unprintable(*c));
    Ok(VerifiedIdentity {
        issuer: claims.issuer().as_str().to_owned(),
        subject: subject.to_owned(),
        email: address
            .filter(|_| is_email_verified)
            .and_then(|address| address.parse().ok()),
        label: label.take(MAX_LABEL).collect(),
        authenticated_at: claims
            .auth_time()
            .and_then(|at| Timestamp::from_second(at.timestamp()).ok()),
    })
}

/// The `state` that the provider sends back unchanged, so that the answer is for this browser.
pub(super) fn state(secret: &AuthorizationSecret) -> String {
    secret.derive("state")
}

/// The `nonce` that the ID token must have, so that it is for this browser.
fn nonce(secret: &AuthorizationSecret) -> Nonce {
    Nonce::new(secret.derive("nonce"))
}

/// The verifier without which the code is worth nothing (PKCE, RFC 7636).
fn verifier(secret: &AuthorizationSecret) -> PkceCodeVerifier {
    PkceCodeVerifier::new(secret.derive("verifier"))
}

async fn in_time<T>(
    asking: impl Future<Output = Result<T, ProviderError>>,
) -> Result<T, ProviderError> {
    let slow = |_| ProviderError::Unavailable("no response in time".to_owned());
    timeout(TIMEOUT, asking).await.map_err(slow)?
}

fn unavailable(error: &dyn Error) -> ProviderError {
    ProviderError::Unavailable(with_causes(error))
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
