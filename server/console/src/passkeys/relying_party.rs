//! The relying party: the site that passkeys are made for, and the checks of the answers of devices.

use serde_json::Value;
use webauthn_rs::prelude::{
    CredentialID, DiscoverableAuthentication, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Url, Webauthn, WebauthnBuilder, WebauthnError,
};

use super::{PasskeyError, PasskeyRejection};
use crate::accounts::Account;

/// The site that passkeys are made for. Clones share it.
#[derive(Debug, Clone)]
pub struct RelyingParty(Webauthn);

/// A ceremony's options for the browser, and the state that its answer is checked against.
pub(super) struct Challenge {
    pub(super) options: Value,
    pub(super) state: String,
}

/// A passkey that a device has made.
pub(super) struct MadePasskey {
    pub(super) credential_id: Vec<u8>,
    pub(super) credential: String,
}

impl RelyingParty {
    /// The site of a host name, such as `catalog.example.org`, whose pages are at `origin`. `None` unless
    /// the origin is of that host.
    pub fn new(host: &str, origin: &str, service: &str) -> Option<Self> {
        let origin = Url::parse(origin).ok()?;
        let builder = WebauthnBuilder::new(host, &origin).ok()?;
        Some(Self(builder.rp_name(service).build().ok()?))
    }

    /// The challenge for a new passkey of an account that may have others. It must be discoverable (a resident
    /// key): the user types no address to sign in with it.
    pub(super) fn begin_registration(
        &self,
        account: &Account,
        others: &[String],
    ) -> Result<Challenge, PasskeyError> {
        let others = others.iter().map(|stored| credential_id(stored));
        let others = others.collect::<Result<Vec<_>, _>>()?;
        let (name, id) = (account.email.as_str(), account.id.0);
        let (options, state) = self
            .0
            .start_passkey_registration(id, name, name, Some(others))
            .map_err(PasskeyError::Begin)?;
        let mut options = serde_json::to_value(options)?;
        if let Some(Value::Object(selection)) =
            options.pointer_mut("/publicKey/authenticatorSelection")
        {
            selection.insert("residentKey".to_owned(), "required".into());
            selection.insert("requireResidentKey".to_owned(), true.into());
        }
        Challenge::of(options, serde_json::to_string(&state)?)
    }

    /// Verifies the passkey that a browser has made.
    pub(super) fn finish_registration(
        &self,
        state: &str,
        answer: &str,
    ) -> Result<MadePasskey, PasskeyError> {
        let state: PasskeyRegistration = serde_json::from_str(state)?;
        let answer: RegisterPublicKeyCredential =
            serde_json::from_str(answer).map_err(|_| PasskeyRejection::Invalid)?;
        let made = self.0.finish_passkey_registration(&answer, &state);
        let made = made.map_err(rejection)?;
        Ok(MadePasskey {
            credential_id: made.cred_id().to_vec(),
            credential: serde_json::to_string(&made)?,
        })
    }

    /// The challenge for a passkey of any account.
    pub(super) fn begin_sign_in(&self) -> Result<Challenge, PasskeyError> {
        let begun = self.0.start_discoverable_authentication();
        let (options, state) = begun.map_err(PasskeyError::Begin)?;
        Challenge::of(
            serde_json::to_value(options)?,
            serde_json::to_string(&state)?,
        )
    }

    /// Verifies the use of the credential `stored`, and returns the credential after it.
    pub(super) fn finish_sign_in(
        &self,
        state: &str,
        answer: &Assertion,
        stored: &str,
    ) -> Result<String, PasskeyError> {
        let state: DiscoverableAuthentication = serde_json::from_str(state)?;
        let mut passkey: Passkey = serde_json::from_str(stored)?;
        let verified = self
            .0
            .finish_discoverable_authentication_v2(&answer.0, state, &passkey);
        passkey.update_credential(&verified.map_err(rejection)?);
        Ok(serde_json::to_string(&passkey)?)
    }
}

/// The answer of a browser in which a passkey was used.
pub(super) struct Assertion(PublicKeyCredential);

impl Assertion {
    pub(super) fn parse(text: &str) -> Result<Self, PasskeyRejection> {
        let answer = serde_json::from_str(text);
        answer.map(Self).map_err(|_| PasskeyRejection::Invalid)
    }

    pub(super) fn credential_id(&self) -> Vec<u8> {
        self.0.get_credential_id().to_vec()
    }
}

impl Challenge {
    fn of(mut options: Value, state: String) -> Result<Self, PasskeyError> {
        let options = options
            .get_mut("publicKey")
            .map(Value::take)
            .unwrap_or_default();
        Ok(Self { options, state })
    }
}

fn credential_id(stored: &str) -> Result<CredentialID, serde_json::Error> {
    let passkey: Passkey = serde_json::from_str(stored)?;
    Ok(passkey.cred_id().clone())
}

fn rejection(error: WebauthnError) -> PasskeyRejection {
    tracing::info!(%error, "rejected a passkey");
    match error {
        WebauthnError::CredentialPossibleCompromise => PasskeyRejection::CounterBack,
        _ => PasskeyRejection::Invalid,
    }
}
