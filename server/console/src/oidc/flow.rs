//! Sending a browser to the provider, and its return: use cases for the dashboard.

use jiff::Timestamp;
use openidconnect::RedirectUrl;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::message::{Change, identity_changed};
use super::provider::state;
use super::{
    IdentitySignIn, NewAuthorization, NewIdentity, OidcError, OidcRejection, PendingAuthorization,
    Provider, ProviderError, Purpose, VerifiedIdentity, store,
};
use crate::accounts::sign_in::{self, BegunSession, SessionBrowser};
use crate::accounts::{AuthorizationSecret, Network, SessionProof, SignedIn};
use db::Db;
use features::domain::ids::{AccountId, IdentityId};
use features::domain::service_identity::ServiceIdentity;

/// The URL of the provider at which a browser signs in.
#[derive(Debug)]
pub struct AuthorizationUrl {
    pub url: String,
    /// The secret of the browser, for its cookie. It is stored nowhere else.
    pub secret: AuthorizationSecret,
}

/// The query of the URL at which a browser comes back from the provider.
#[derive(Debug, Default, serde::Deserialize)]
pub struct Callback {
    state: Option<String>,
    code: Option<String>,
    error: Option<String>,
    /// The issuer that the response is from (RFC 9207).
    iss: Option<String>,
}

/// The outcome of an authorization.
#[derive(Debug)]
pub enum Outcome {
    /// A user signed in or stepped up.
    SignedIn(BegunSession),
    Linked,
}

/// The failure of an authorization.
#[derive(Debug)]
pub struct Failure {
    pub purpose: Option<Purpose>,
    pub error: OidcError,
}

/// Sends a browser to the provider. It is asked for its metadata first, if these are not known.
///
/// # Errors
/// When the provider does not answer, too many browsers are awaited, or the database fails.
pub async fn begin(
    store: &Db,
    provider: &Provider,
    service: &ServiceIdentity,
    (purpose, network): (Purpose, Network),
    now: Timestamp,
) -> Result<AuthorizationUrl, OidcError> {
    let secret = AuthorizationSecret::generate()?;
    let again = matches!(purpose, Purpose::StepUp(_));
    let redirect = redirect(service)?;
    let url = provider.sign_in_url(&secret, redirect, again, now).await?;
    let authorization = NewAuthorization {
        browser: secret.digest(),
        purpose,
        network,
        created_at: now,
    };
    store::begin_authorization(store, authorization).await?;
    Ok(AuthorizationUrl { url, secret })
}

/// Finishes, once, the purpose for which a browser was sent to the provider.
///
/// # Errors
/// When the browser is not the one that was sent, the provider does not say who came back, the identity may
/// not do this, or the database fails.
pub async fn finish(
    store: &Db,
    provider: &Provider,
    service: &ServiceIdentity,
    (callback, secret): (Callback, Option<&AuthorizationSecret>),
    (signed_in, browser): (Option<&SignedIn>, SessionBrowser<'_>),
    now: Timestamp,
) -> Result<Outcome, Failure> {
    let mut purpose = None;
    let finished = async {
        let secret = secret.ok_or(OidcRejection::OtherBrowser)?;
        let sent_back = callback.state.unwrap_or_default();
        if !bool::from(state(secret).as_bytes().ct_eq(sent_back.as_bytes())) {
            return Err(OidcRejection::OtherBrowser.into());
        }
        let pending = store::take_authorization(store, secret.digest(), now).await?;
        let pending = pending.ok_or(OidcRejection::Ended)?;
        purpose = Some(pending.purpose);
        if callback
            .iss
            .is_some_and(|issuer| !provider.is_issuer(&issuer))
        {
            return Err(OidcRejection::OtherBrowser.into());
        }
        let code = match (callback.code, callback.error.as_deref()) {
            (Some(code), None) => code,
            (_, Some("access_denied")) => return Err(OidcRejection::Denied.into()),
            _ => return Err(OidcRejection::ProviderRejected.into()),
        };
        let redirect = redirect(service)?;
        let identity = provider.identify(code, secret, redirect, now).await?;
        match pending.purpose {
            Purpose::Link(account) => {
                let owner = signed_in.filter(|it| it.account.id == account);
                let owner = owner.ok_or(OidcRejection::SignedOut)?;
                link(store, provider, service, owner, identity, now).await
            }
            Purpose::SignIn | Purpose::StepUp(_) => {
                let came = (pending, secret, identity);
                sign_in(store, provider, service, came, browser, now).await
            }
        }
    };
    let result: Result<Outcome, OidcError> = finished.await;
    result.map_err(|error| Failure { purpose, error })
}

async fn sign_in(
    store: &Db,
    provider: &Provider,
    service: &ServiceIdentity,
    (pending, secret, identity): (PendingAuthorization, &AuthorizationSecret, VerifiedIdentity),
    browser: SessionBrowser<'_>,
    now: Timestamp,
) -> Result<Outcome, OidcError> {
    let only = pending.purpose.account();
    let id = IdentityId(Uuid::now_v7());
    let (session_secret, mut session) = sign_in::new_session(browser, SessionProof::Oidc(id), now)?;
    session.stepped_up_at = match identity.authenticated_at {
        Some(at) => at.min(now),
        None => Timestamp::UNIX_EPOCH,
    };
    if only.is_some() && !session.is_stepped_up() {
        return Err(OidcRejection::NotRecent.into());
    }
    let email = identity.email.clone();
    let mail = email.as_ref().map(|to| {
        let linked = (Change::Linked, provider.name(), &*identity.label);
        identity_changed(service, to, linked, now)
    });
    let sign_in = IdentitySignIn {
        identity: new(id, identity, now),
        mail: mail.transpose()?,
        email,
        new: AccountId(Uuid::now_v7()),
        only,
        from: (secret.digest(), pending.network),
        session,
    };
    let account = store::sign_in_by_identity(store, sign_in).await?;
    Ok(Outcome::SignedIn(BegunSession {
        account,
        secret: session_secret,
    }))
}

async fn link(
    store: &Db,
    provider: &Provider,
    service: &ServiceIdentity,
    owner: &SignedIn,
    identity: VerifiedIdentity,
    now: Timestamp,
) -> Result<Outcome, OidcError> {
    let linked = (Change::Linked, provider.name(), &*identity.label);
    let mail = identity_changed(service, &owner.account.email, linked, now)?;
    let identity = new(IdentityId(Uuid::now_v7()), identity, now);
    store::link_identity(store, owner.account.id, identity, mail).await?;
    Ok(Outcome::Linked)
}

fn new(id: IdentityId, identity: VerifiedIdentity, now: Timestamp) -> NewIdentity {
    NewIdentity {
        id,
        issuer: identity.issuer,
        subject: identity.subject,
        label: identity.label,
        created_at: now,
    }
}

/// Where the provider sends browsers back to.
fn redirect(service: &ServiceIdentity) -> Result<RedirectUrl, ProviderError> {
    let url = format!(
        "{}/dashboard/sign-in/oidc/callback",
        service.public_base_url
    );
    RedirectUrl::new(url).map_err(|error| ProviderError::Unavailable(error.to_string()))
}
