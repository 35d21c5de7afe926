//! Signing in by mail: use cases for the dashboard.
//!
//! A browser asks with a secret of its own. The mail has a link, which works in that browser alone, and
//! a code, which is typed there when the mail is read elsewhere. Either works once, for 10 minutes. An
//! address that has no account gets one when it is confirmed, so that a request reveals nothing about it.

mod message;
pub(crate) mod sql;

use jiff::Timestamp;
use uuid::Uuid;

use super::sessions::sql as sessions;
use super::sql::DASHBOARD;
use super::{
    Account, AccountRules, BrowserName, BrowserSecret, Network, NewSession, NewSignIn,
    PendingSignIn, SessionId, SessionProof, SessionSecret, SignInCode, SignInId, SignInLimit,
    SignInProof, SignInRejection, SignInToken, store,
};
use db::{Db, DbError};
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::domain::service_identity::ServiceIdentity;
use features::mail::{Message, NewMail};

#[derive(Debug)]
pub struct SignInRequest<'a> {
    /// The address that the person has.
    pub email: Email,
    /// The secret of the browser: a new one, or that of an earlier request.
    pub browser: &'a BrowserSecret,
    pub network: Network,
    pub purpose: SignInPurpose<'a>,
}

/// The purpose of a confirmation by mail.
#[derive(Debug, Clone, Copy)]
pub enum SignInPurpose<'a> {
    SignIn,
    /// To confirm that the person of this account is still there.
    StepUp(&'a Account),
    /// To give this account the address in the place of its own.
    NewAddress(&'a Account),
}

impl SignInPurpose<'_> {
    /// The mails of a sign-in: one to its address, and one to the address that it replaces.
    fn messages(
        self,
        service: &ServiceIdentity,
        email: &Email,
        token: &SignInToken,
        code: &SignInCode,
    ) -> Result<Vec<Message>, askama::Error> {
        let email = email.clone();
        Ok(match self {
            Self::SignIn | Self::StepUp(_) => {
                vec![message::sign_in(service, email, token, code)?]
            }
            Self::NewAddress(account) => vec![
                message::new_address(service, email, token, code)?,
                message::former_address(service, account.email.clone())?,
            ],
        })
    }

    /// The account whose person confirms to be there.
    fn step_up(self) -> Option<AccountId> {
        match self {
            Self::StepUp(account) => Some(account.id),
            Self::SignIn | Self::NewAddress(_) => None,
        }
    }

    /// The account that gets the address.
    fn changed_account(self) -> Option<AccountId> {
        match self {
            Self::NewAddress(account) => Some(account.id),
            Self::SignIn | Self::StepUp(_) => None,
        }
    }
}

/// The browser in which a session begins.
#[derive(Debug)]
pub struct SessionBrowser<'a> {
    pub name: BrowserName,
    /// The session that it has, which ends.
    pub session: Option<&'a SessionSecret>,
}

#[derive(Debug)]
pub struct BegunSession {
    pub account: AccountId,
    /// The session's secret, for the browser's cookie. It is stored nowhere else.
    pub secret: SessionSecret,
}

#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    #[error(transparent)]
    Limit(#[from] SignInLimit),
    #[error(transparent)]
    Rejected(#[from] SignInRejection),
    #[error(transparent)]
    Random(#[from] getrandom::Error),
    #[error(transparent)]
    Template(#[from] askama::Error),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Begins a sign-in: a mail is put into the outbox, whether the address has an account or not. An account
/// that changes its address gets an email at its present one.
///
/// # Errors
/// When a limit of mails is reached, or the mail cannot be made or stored.
pub async fn begin(
    store: &Db,
    service: &ServiceIdentity,
    rules: &AccountRules,
    request: SignInRequest<'_>,
    now: Timestamp,
) -> Result<(), SignInError> {
    let SignInRequest {
        email,
        browser,
        network,
        purpose,
    } = request;
    let (token, code) = (SignInToken::generate()?, SignInCode::generate()?);
    let mails = purpose
        .messages(service, &email, &token, &code)?
        .into_iter()
        .map(|message| NewMail::new(message, now).expiring_after(PendingSignIn::LIFE));
    let sign_in = NewSignIn {
        id: SignInId(Uuid::now_v7()),
        token: token.digest(),
        browser: browser.digest(),
        code: browser.digest_with(code.reveal()),
        email,
        network,
        created_at: now,
        step_up: purpose.step_up(),
        account: purpose.changed_account(),
    };
    store::begin_sign_in(store, sign_in, mails.collect(), *rules).await
}

/// The pending sign-in of a link, for a page that asks whether to confirm it. Changes nothing.
///
/// # Errors
/// When the link does not work any more, does not work in this browser, or the database fails.
pub async fn pending(
    store: &Db,
    token: &SignInToken,
    browser: Option<&BrowserSecret>,
    now: Timestamp,
) -> Result<PendingSignIn, SignInError> {
    let found: Vec<_> = store::sign_in(store, token.digest())
        .await?
        .into_iter()
        .collect();
    let Some(browser) = browser else {
        // A browser forgets its secret when it signs out.
        let waits = found.iter().any(|it| it.is_live(now));
        return Err(match waits {
            true => SignInRejection::OtherBrowser.into(),
            false => SignInRejection::Ended.into(),
        });
    };
    Ok(link(token, browser).confirms(&found, now)?.clone())
}

/// Confirms a sign-in by the link of the mail, in the browser that asked for it.
///
/// # Errors
/// When the link does not work any more, does not work in this browser, or the database fails.
pub async fn confirm_link(
    store: &Db,
    token: &SignInToken,
    browser: &BrowserSecret,
    session: SessionBrowser<'_>,
    now: Timestamp,
) -> Result<BegunSession, SignInError> {
    confirm(store, link(token, browser), session, now).await
}

/// Confirms a sign-in by the code of the mail, in the browser that asked for it.
///
/// # Errors
/// When the code is wrong, does not work any more, or the database fails.
pub async fn confirm_code(
    store: &Db,
    browser: &BrowserSecret,
    code: &SignInCode,
    session: SessionBrowser<'_>,
    now: Timestamp,
) -> Result<BegunSession, SignInError> {
    let proof = SignInProof::Code {
        browser: browser.digest(),
        code: browser.digest_with(code.reveal()),
    };
    confirm(store, proof, session, now).await
}

/// Signs in without a proof, in a demonstration.
///
/// # Errors
/// When the session cannot be made or stored.
pub async fn without_proof(
    store: &Db,
    email: Email,
    session: SessionBrowser<'_>,
    now: Timestamp,
) -> Result<BegunSession, SignInError> {
    let (secret, session) = new_session(session, SessionProof::Demo, now)?;
    let new = AccountId(Uuid::now_v7());
    let (writer, limits) = DASHBOARD;
    let opened = store.write(writer, limits, move |tx| {
        sessions::open(tx, &email, new, &session)
    });
    let account = opened.await?;
    Ok(BegunSession { account, secret })
}

async fn confirm(
    store: &Db,
    proof: SignInProof,
    session: SessionBrowser<'_>,
    now: Timestamp,
) -> Result<BegunSession, SignInError> {
    let (secret, session) = new_session(session, SessionProof::Mail, now)?;
    let new = AccountId(Uuid::now_v7());
    let account = store::confirm_sign_in(store, proof, new, session).await?;
    Ok(BegunSession { account, secret })
}

fn link(token: &SignInToken, browser: &BrowserSecret) -> SignInProof {
    SignInProof::Link {
        token: token.digest(),
        browser: browser.digest(),
    }
}

/// A session that begins in a browser, and its secret.
pub fn new_session(
    browser: SessionBrowser<'_>,
    proof: SessionProof,
    now: Timestamp,
) -> Result<(SessionSecret, NewSession), getrandom::Error> {
    let secret = SessionSecret::generate()?;
    let session = NewSession {
        id: SessionId(Uuid::now_v7()),
        secret: secret.digest(),
        browser_name: browser.name,
        proof,
        created_at: now,
        stepped_up_at: now,
        replaces: browser.session.map(SessionSecret::digest),
    };
    Ok((secret, session))
}
