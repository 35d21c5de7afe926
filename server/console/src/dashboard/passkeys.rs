//! Passkeys: making, removing, and signing in or stepping up by them.
//!
//! A script asks for a challenge, has the browser answer it, and sends the answer with a form.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Uri};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::confirmation::{Confirmation, prose};
use super::context::{Context, Shared};
use super::extract::{Form, PasskeyPath};
use super::notice::Notice;
use super::page::{PageResult, sentence};
use super::page_error::PageError;
use super::session::Session;
use super::time::Time;
use super::{account, sign_in as pages};
use crate::accounts::{EnrolmentCode, SessionProof};
use crate::passkeys::{
    self, Ceremony, CeremonyId, PasskeyError, PasskeyRecord, PasskeyRejection, Registration,
    RelyingParty,
};
use features::domain::ids::AccountId;

const PATH: &str = "/dashboard/passkeys";

#[derive(Template)]
#[template(path = "dashboard/passkeys.html")]
struct PasskeysPage<'a> {
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
pub(super) async fn list(session: Session) -> PageResult {
    passkeys_page(&session, "", None).await
}

/// `POST /dashboard/passkeys/challenge`
pub(super) async fn challenge(session: Session) -> PageResult {
    session.require_recent()?;
    let (store, party) = (session.store(), party(&session.context)?);
    let (account, network) = (&session.signed_in.account, pages::network());
    challenged(passkeys::begin_registration(store, party, account, network, session.now()).await)
}

/// `POST /dashboard/passkeys`
pub(super) async fn register(session: Session, Form(form): Form<NewPasskeyForm>) -> PageResult {
    session.require_recent()?;
    let (store, party) = (session.store(), party(&session.context)?);
    let (service, owner) = (&session.context.setup.identity, &session.signed_in);
    let code = EnrolmentCode::parse(form.code.trim()).ok();
    let made = Registration {
        ceremony: CeremonyId(form.ceremony),
        answer: &form.credential,
        name: &form.name,
        code: code.as_ref(),
    };
    match passkeys::register(store, party, service, owner, made, session.now()).await {
        Ok(()) => Ok(Notice::PasskeyAdded.see_other(PATH)),
        Err(PasskeyError::Rejected(rejection)) => {
            passkeys_page(&session, &form.name, Some(sentence(&rejection))).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn passkeys_page(session: &Session, name: &str, error: Option<String>) -> PageResult {
    let own = passkeys::list(session.store(), session.account()).await?;
    let frame = account::frame_below(session).script("passkeys.js");
    let frame = frame.rejected_if(error.is_some());
    let view = |passkey| PasskeyView::of(passkey, session);
    let page = PasskeysPage {
        passkeys: own.into_iter().map(view).collect(),
        origin: session.context.public.origin(),
        needs_code: lacks_passkey(session),
        is_recent: session.is_recent(),
        name,
        error,
    };
    frame.page("Passkeys", &page)
}

/// `GET /dashboard/passkeys/{passkey}/remove`
pub(super) async fn removal(session: Session, PasskeyPath(id): PasskeyPath) -> PageResult {
    let own = passkeys::list(session.store(), session.account()).await?;
    let found = own.into_iter().find(|passkey| passkey.id == id);
    let PasskeyView { name, is_this, .. } = match found {
        Some(passkey) => PasskeyView::of(passkey, &session),
        None => return Err(PageError::NotFound),
    };
    session.require_recent()?;
    if lacks_passkey(&session) {
        return Err(PageError::NoPasskey);
    }
    let page = Confirmation {
        question: prose![format!("Remove “{name}”?")],
        lead: prose![
            "It can no longer sign in, and browsers that signed in with it are signed out",
            if is_this { ", this one included" } else { "" },
            ". Your device may still offer it until you delete it there too.",
        ],
        action: format!("{PATH}/{}/remove", id.0),
        button: "Remove passkey",
        cancel: PATH.to_owned(),
        ..Confirmation::default()
    };
    let frame = account::frame_below(&session).below("Passkeys", PATH);
    frame.page("Remove a passkey", &page)
}

/// Whether the account is an operator whose session began without a passkey.
fn lacks_passkey(session: &Session) -> bool {
    let signed_in = &session.signed_in;
    signed_in.is_operator && !signed_in.session.proof.is_passkey()
}

/// `POST /dashboard/passkeys/{passkey}/remove`
pub(super) async fn remove(session: Session, PasskeyPath(id): PasskeyPath) -> PageResult {
    session.require_recent()?;
    let (store, service) = (session.store(), &session.context.setup.identity);
    match passkeys::remove(store, service, &session.signed_in, id, session.now()).await {
        Ok(()) => Ok(Notice::PasskeyRemoved.see_other(PATH)),
        Err(PasskeyError::Rejected(PasskeyRejection::Unknown)) => Err(PageError::NotFound),
        Err(PasskeyError::Rejected(PasskeyRejection::NoPasskey)) => Err(PageError::NoPasskey),
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
    uri: Uri,
    headers: HeaderMap,
    Form(answer): Form<Answer>,
) -> PageResult {
    match begin_session(&context, &headers, &answer, None).await {
        Ok(response) => Ok(response),
        Err(PasskeyError::Rejected(rejection)) => {
            pages::rejected_passkey(&context, &uri, &rejection)
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /dashboard/step-up/passkey`
pub(super) async fn step_up(
    session: Session,
    headers: HeaderMap,
    Form(answer): Form<Answer>,
) -> PageResult {
    let account = session.account();
    match begin_session(&session.context, &headers, &answer, Some(account)).await {
        Ok(response) => Ok(response),
        Err(PasskeyError::Rejected(rejection)) => {
            account::rejected_passkey(&session, &rejection).await
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
    let party = context.relying_party.as_ref();
    let party = party.ok_or(PasskeyRejection::Invalid)?;
    let answer = (CeremonyId(answer.ceremony), &*answer.credential);
    let replaced = context.session(headers);
    let browser = pages::session_browser(headers, replaced.as_ref());
    let (store, now) = (context.store(), context.now());
    let begun = passkeys::sign_in(store, party, answer, only, browser, now).await?;
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

impl PasskeyView {
    fn of(passkey: PasskeyRecord, session: &Session) -> Self {
        let time = |at| Time::new(at, session.now());
        Self {
            id: passkey.id.0,
            name: passkey.name,
            created: time(passkey.created_at),
            last_used: passkey.last_used_at.map(time),
            is_this: session.signed_in.session.proof == SessionProof::Passkey(passkey.id),
        }
    }
}
