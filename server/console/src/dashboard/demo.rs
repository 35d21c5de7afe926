//! Replacements of mail in a demo: a mailbox on a page, and a sign-in by one click.

use std::cmp::Reverse;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use askama::Template;
use axum::extract::State;
use http::{HeaderMap, Uri};
use jiff::Timestamp;
use serde::Deserialize;

use super::context::Context;
use super::extract::Form;
use super::page::{Frame, PageResult};
use super::page_error::PageError;
use super::time::Time;
use super::{ROOT, sign_in as pages};
use crate::accounts::{Account, sessions, sign_in};
use crate::members::invitations::{self, InvitationRequest};
use crate::operators::{self, OperatorError, OperatorRejection};
use db::{Db, DbError};
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::mail::{self, Message, QueuedMail};
use features::project_lifecycle::{self, ProjectChangeError};
use features::projects::demo::{ENTERPRISE, FREE, PRO};
use features::projects::{self, Actor, Role};

/// The address of the demo's developer, who owns its projects.
const DEVELOPER: &str = "developer@demo.example";

/// The address of a member of the demo's project of tier Pro.
const COLLEAGUE: &str = "colleague@demo.example";

/// An address that is invited there.
const INVITED: &str = "newcomer@demo.example";

/// The address of the demo's operator.
const OPERATOR: &str = "operator@demo.example";

/// The person whom a click signs in.
#[derive(Deserialize)]
pub(super) struct Part {
    #[serde(default)]
    part: PartName,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PartName {
    #[default]
    Developer,
    Operator,
}

/// The mails that are shown.
const SHOWN: usize = 50;

/// How long the taking of a mail may last.
const TAKING: Duration = Duration::from_secs(60);

/// The emails of a demo, newest first: reading them empties the outbox.
#[derive(Default)]
pub(super) struct Mailbox(Mutex<Vec<QueuedMail>>);

impl Mailbox {
    /// The mails, those included that are still in the outbox.
    async fn read(&self, store: &Db, now: Timestamp) -> Result<Vec<QueuedMail>, DbError> {
        let until = now.saturating_add(TAKING).unwrap_or(Timestamp::MAX);
        while let Some(mail) = mail::store::take_mail(store, now, until).await? {
            mail::store::delete_mail(store, mail.id).await?;
            let mut mails = self.mails();
            // The outbox gives first what expires first. Ids have the order in which they were made.
            mails.push(mail);
            mails.sort_by_key(|mail| Reverse((mail.created_at, mail.id.0)));
            mails.truncate(SHOWN);
        }
        Ok(self.mails().clone())
    }

    fn mails(&self) -> MutexGuard<'_, Vec<QueuedMail>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Template)]
#[template(path = "dashboard/mail.html")]
struct MailPage {
    mails: Vec<MailView>,
}

struct MailView {
    message: Message,
    written: Time,
    link: Option<String>,
}

/// `GET /dashboard/demo/mail`
pub(super) async fn mailbox(State(context): State<Context>, uri: Uri) -> PageResult {
    let now = context.now();
    let mails = context.mailbox.read(context.store(), now).await?;
    let view = |mail: QueuedMail| MailView {
        link: link(&mail.message),
        message: mail.message,
        written: Time::new(mail.created_at, now),
    };
    let mails = mails.into_iter().map(view).collect();
    let frame = Frame::public(&context, &uri);
    frame.page("The demo’s mailbox", &MailPage { mails })
}

/// The link that stands in the text of a mail, on a line of its own. It stays at the host at which the
/// mailbox is open, as the browser's cookies do.
fn link(mail: &Message) -> Option<String> {
    let line = mail.text.lines().find(|line| line.starts_with("http"))?;
    let (_, path) = line.split_once(ROOT)?;
    Some(format!("{ROOT}{path}"))
}

/// `POST /dashboard/sign-in/demo`
pub(super) async fn sign_in(
    State(context): State<Context>,
    headers: HeaderMap,
    Form(Part { part }): Form<Part>,
) -> PageResult {
    let email = match part {
        PartName::Developer => DEVELOPER,
        PartName::Operator => OPERATOR,
    };
    let email: Email = email.parse().map_err(|_| PageError::Internal)?;
    let (store, now) = (context.store(), context.now());
    if part == PartName::Operator {
        match operators::add(store, email.clone(), now).await {
            Ok(_) | Err(OperatorError::Rejected(OperatorRejection::Already)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let replaced = context.session(&headers);
    let browser = pages::session_browser(&headers, replaced.as_ref());
    let begun = sign_in::without_proof(store, email, browser, now).await;
    let begun = begun.map_err(PageError::from_sign_in)?;
    if part == PartName::Developer
        && projects::store::projects_of(store, begun.account)
            .await?
            .is_empty()
    {
        join(&context, begun.account).await?;
    }
    Ok(pages::signed_in(&context, &headers, &begun))
}

/// Makes the developer the owner of the demo's projects, of which one has a colleague and has invited
/// somebody.
async fn join(context: &Context, developer: AccountId) -> Result<(), PageError> {
    let (store, now) = (context.store(), context.now());
    let colleague: Email = COLLEAGUE.parse().map_err(|_| PageError::Internal)?;
    let browser = pages::session_browser(&HeaderMap::new(), None);
    let colleague = sign_in::without_proof(store, colleague, browser, now).await;
    let colleague = colleague.map_err(PageError::from_sign_in)?.account;
    sessions::end_all(store, colleague).await?;
    let members = [FREE, PRO, ENTERPRISE].map(|project| (project, developer, Role::Owner));
    for (project, account, role) in members.into_iter().chain([(PRO, colleague, Role::Member)]) {
        let added = project_lifecycle::store::add_member(
            store,
            Actor::Operator,
            project,
            (account, role),
            now,
        );
        added.await.map_err(|error| match error {
            ProjectChangeError::Db(error) => error.into(),
            _ => PageError::Internal,
        })?;
    }
    let by = Account {
        id: developer,
        email: DEVELOPER.parse().map_err(|_| PageError::Internal)?,
        created_at: now,
    };
    let request = InvitationRequest {
        by: &by,
        network: pages::network(),
        project: PRO,
        email: INVITED.parse().map_err(|_| PageError::Internal)?,
        role: Role::Member,
    };
    invitations::invite(store, &context.setup.identity, request, now).await?;
    Ok(())
}
