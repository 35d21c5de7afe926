//! Passkeys: making, removing, and signing in or stepping up by them.
//!
//! A script asks for a challenge, has the browser answer it, and sends the answer with a form.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::context::{Context, Shared};
use super::extract::{Form, PasskeyPath};
use super::notice::Notice;
use super::page::{PageResult, page, refused, sentence};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::time::Time;
use super::{account, sign_in as pages};
use crate::accounts::{AccountId, EnrolmentCode, SessionProof, SignedIn};
use crate::passkeys::{
    self, Ceremony, CeremonyId, PasskeyError, PasskeyRecord, PasskeyRefusal, Registration,
    RelyingParty,
};
use crate::site::Shell;

const PATH: &str = "/dashboard/passkeys";

#[derive(Template)]
#[template(path = "dashboard/passkeys.html")]
struct PasskeysPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    passkeys: Vec<PasskeyView>,
    /// The origin on whose pages passkeys work.
    origin: &'a str,
    /// Whether the account is an operator whose session began without a passkey: the code of the command
    /// line is needed, or a passkey.
    needs_code: bool,
    /// Whether the sign-in is recent enough to change them.
    is_recent: bool,
    name: &'a str,
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/remove_passkey.html")]
struct RemovalPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    passkey: PasskeyView,
}

/// A passkey in the list.
struct PasskeyView {
    id: Uuid,
    name: String,
    created: Time,
    last_used: Option<Time>,
    /// Whether this session was begun with it.
    is_this: bool,
}

/// The answer of a device to a challenge.
#[derive(Deserialize)]
pub(super) struct Answer {
    ceremony: Uuid,
    credential: String,
}

#[derive(Deserialize)]
pub(super) struct NewPasskeyForm {
    ceremony: Uuid,
    credential: String,
    name: String,
    /// The code of the command line, for an operator without a passkey.
    #[serde(default)]
    code: String,
}

/// `GET /dashboard/passkeys`
pub(super) async fn list(State(context): State<Context>, session: Session) -> PageResult {
    page(&passkeys_page(&context, &session, "", None).await?)
}

/// `POST /dashboard/passkeys/challenge`
pub(super) async fn challenge(State(context): State<Context>, session: Session) -> PageResult {
    session.require_recent(&context)?;
    let (store, party) = (context.store(), party(&context)?);
    let account = &session.signed_in.account;
    let network = pages::network();
    let begun = passkeys::begin_registration(store, party, account, network, context.now()).await;
    challenged(begun)
}

/// `POST /dashboard/passkeys`
pub(super) async fn register(
    State(context): State<Context>,
    session: Session,
    Form(form): Form<NewPasskeyForm>,
) -> PageResult {
    session.require_recent(&context)?;
    let (store, party) = (context.store(), party(&context)?);
    let (service, owner) = (&context.setup.identity, &session.signed_in);
    let code = EnrolmentCode::parse(form.code.trim()).ok();
    let made = Registration {
        ceremony: CeremonyId(form.ceremony),
        answer: &form.credential,
        name: &form.name,
        code: code.as_ref(),
    };
    match passkeys::register(store, party, service, owner, made, context.now()).await {
        Ok(()) => Ok(Notice::PasskeyAdded.see_other(PATH)),
        Err(PasskeyError::Refused(refusal)) => {
            let error = Some(sentence(&refusal));
            refused(&passkeys_page(&context, &session, &form.name, error).await?)
        }
        Err(error) => Err(error.into()),
    }
}

/// `GET /dashboard/passkeys/{passkey}/remove`
pub(super) async fn removal(
    State(context): State<Context>,
    session: Session,
    PasskeyPath(id): PasskeyPath,
) -> PageResult {
    let own = passkeys::list(context.store(), session.signed_in.account.id).await?;
    let found = own.into_iter().find(|passkey| passkey.id == id);
    let found = found.ok_or(PageError::NotFound)?;
    session.require_recent(&context)?;
    require_passkey(&session)?;
    page(&RemovalPage {
        shell: session.shell(&context),
        side: session.side(),
        passkey: PasskeyView::of(found, &session, &context),
    })
}

/// Refuses an operator whose session began without a passkey.
fn require_passkey(session: &Session) -> Result<(), PageError> {
    let SignedIn {
        session: begun,
        is_operator,
        ..
    } = &session.signed_in;
    match *is_operator && !begun.proof.is_passkey() {
        true => Err(PageError::NoPasskey),
        false => Ok(()),
    }
}

/// `POST /dashboard/passkeys/{passkey}/remove`
pub(super) async fn remove(
    State(context): State<Context>,
    session: Session,
    PasskeyPath(id): PasskeyPath,
) -> PageResult {
    session.require_recent(&context)?;
    let (store, service) = (context.store(), &context.setup.identity);
    let owner = &session.signed_in;
    match passkeys::remove(store, service, owner, id, context.now()).await {
        Ok(()) => Ok(Notice::PasskeyRemoved.see_other(PATH)),
        Err(PasskeyError::Refused(PasskeyRefusal::Unknown)) => Err(PageError::NotFound),
        Err(PasskeyError::Refused(PasskeyRefusal::NoPasskey)) => Err(PageError::NoPasskey),
        Err(error) => Err(error.into()),
    }
}

/// `POST /dashboard/sign-in/passkey/challenge`: the same for signing in and for stepping up.
pub(super) async fn sign_in_challenge(State(context): State<Context>) -> PageResult {
    let (store, party) = (context.store(), party(&context)?);
    let network = pages::network();
    challenged(passkeys::begin_sign_in(store, party, network, context.now()).await)
}

/// `POST /dashboard/sign-in/passkey`
pub(super) async fn sign_in(
    State(context): State<Context>,
    headers: HeaderMap,
    Form(answer): Form<Answer>,
) -> PageResult {
    match begin_session(&context, &headers, &answer, None).await {
        Ok(response) => Ok(response),
        Err(PasskeyError::Refused(refusal)) => pages::refused_passkey(&context, &refusal),
        Err(error) => Err(error.into()),
    }
}

/// `POST /dashboard/step-up/passkey`
pub(super) async fn step_up(
    State(context): State<Context>,
    session: Session,
    headers: HeaderMap,
    Form(answer): Form<Answer>,
) -> PageResult {
    let account = session.signed_in.account.id;
    match begin_session(&context, &headers, &answer, Some(account)).await {
        Ok(response) => Ok(response),
        Err(PasskeyError::Refused(refusal)) => {
            account::refused_passkey(&context, &session, &refusal).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Begins a session by a passkey, of the account `only` if there is one.
async fn begin_session(
    context: &Shared,
    headers: &HeaderMap,
    answer: &Answer,
    only: Option<AccountId>,
) -> Result<Response, PasskeyError> {
    let store = context.store();
    let party = context.relying_party.as_ref();
    let party = party.ok_or(PasskeyRefusal::Invalid)?;
    let answer = (CeremonyId(answer.ceremony), &*answer.credential);
    let replaced = context.session(headers);
    let browser = pages::session_browser(headers, replaced.as_ref());
    let begun = passkeys::sign_in(store, party, answer, only, browser, context.now()).await?;
    Ok(pages::signed_in(context, headers, &begun))
}

/// The challenge of a ceremony that has begun, for the script.
fn challenged(begun: Result<Ceremony, PasskeyError>) -> PageResult {
    let Ceremony { id, options } = begun?;
    let body = json!({ "ceremony": id.0, "options": options }).to_string();
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}

fn party(context: &Shared) -> Result<&RelyingParty, PageError> {
    context.relying_party.as_ref().ok_or(PageError::NotFound)
}

async fn passkeys_page<'a>(
    context: &'a Shared,
    session: &'a Session,
    name: &'a str,
    error: Option<String>,
) -> Result<PasskeysPage<'a>, PageError> {
    let own = passkeys::list(context.store(), session.signed_in.account.id).await?;
    let (views, proof) = (own.into_iter(), session.signed_in.session.proof);
    Ok(PasskeysPage {
        shell: session.shell(context),
        side: session.side(),
        passkeys: views
            .map(|passkey| PasskeyView::of(passkey, session, context))
            .collect(),
        origin: context.public.origin(),
        needs_code: session.signed_in.is_operator && !proof.is_passkey(),
        is_recent: session.is_recent(context),
        name,
        error,
    })
}

impl PasskeyView {
    fn of(passkey: PasskeyRecord, session: &Session, context: &Shared) -> Self {
        let time = |at| Time {
            at,
            now: context.now(),
        };
        Self {
            id: passkey.id.0,
            name: passkey.name,
            created: time(passkey.created_at),
            last_used: passkey.last_used_at.map(time),
            is_this: session.signed_in.session.proof == SessionProof::Passkey(passkey.id),
        }
    }
}
