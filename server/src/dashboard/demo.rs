//! What a demo has in the place of mail: a mailbox on a page, and a sign-in by one click.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use askama::Template;
use axum::extract::State;
use http::HeaderMap;
use jiff::Timestamp;

use super::context::Context;
use super::page::{PageResult, page};
use super::page_error::PageError;
use super::sign_in as pages;
use crate::accounts::{Email, sign_in};
use crate::database::{Database, StoreError};
use crate::demo::{ENTERPRISE, FREE, PRO};
use crate::mail::Message;
use crate::projects::{Actor, Role};
use crate::site::Shell;

/// The address of the demo's developer, who owns its projects.
const DEVELOPER: &str = "developer@demo.example";

/// The mails that are shown.
const SHOWN: usize = 50;

/// How long the taking of a mail may last.
const TAKING: Duration = Duration::from_secs(60);

/// The mails of a demo, the newest first: they leave the outbox when somebody looks.
#[derive(Default)]
pub(super) struct Mailbox(Mutex<VecDeque<Message>>);

impl Mailbox {
    /// The mails, those included that are still in the outbox.
    async fn read(&self, store: &dyn Database, now: Timestamp) -> Result<Vec<Message>, StoreError> {
        let until = now.saturating_add(TAKING).unwrap_or(Timestamp::MAX);
        while let Some(mail) = store.take_mail(now, until).await? {
            store.delete_mail(mail.id).await?;
            let mut mails = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            mails.push_front(mail.message);
            mails.truncate(SHOWN);
        }
        let mails = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(mails.iter().cloned().collect())
    }
}

#[derive(Template)]
#[template(path = "dashboard/mail.html")]
struct MailPage<'a> {
    shell: Shell<'a>,
    mails: Vec<Message>,
}

/// `GET /dashboard/demo/mail`
pub(super) async fn mail(State(context): State<Context>) -> PageResult {
    let mails = context.mailbox.read(context.store(), context.now()).await?;
    page(&MailPage {
        shell: Shell::new(&context.facts, "/dashboard/demo/mail"),
        mails,
    })
}

/// The link that stands in the text of a mail, on a line of its own.
fn link(mail: &Message) -> Option<&str> {
    mail.text.lines().find(|line| line.starts_with("http"))
}

/// `POST /dashboard/sign-in/demo`
pub(super) async fn sign_in(State(context): State<Context>, headers: HeaderMap) -> PageResult {
    let email: Email = DEVELOPER.parse().map_err(|_| PageError::Internal)?;
    let (store, now) = (context.store(), context.now());
    let replaced = context.session(&headers);
    let browser = pages::session_browser(&headers, replaced.as_ref());
    let begun = sign_in::without_proof(store, email, browser, now).await;
    let begun = begun.map_err(PageError::from_sign_in)?;
    for project in [FREE, PRO, ENTERPRISE] {
        let member = (begun.account, Role::Owner);
        let added = store.add_member(Actor::Operator, project, member, now);
        added.await?.map_err(|_| PageError::Internal)?;
    }
    Ok(pages::signed_in(&context, &begun))
}
