//! Adding, recovering and removing operators: use cases for the command line.

use jiff::Timestamp;
use uuid::Uuid;

use super::{Enrolment, OperatorError, sql};
use crate::accounts::EnrolmentCode;
use db::Db;
use features::domain::email::Email;
use features::domain::ids::AccountId;

/// The code with which an operator makes its first passkey. It is stored nowhere else.
#[derive(Debug)]
pub struct IssuedEnrolment {
    pub code: EnrolmentCode,
    /// From when on it is refused.
    pub ends_at: Timestamp,
}

/// Makes the account of an address an operator; there need not be an account yet. Its passkeys, which
/// its mailbox may have been enough for, are removed, and its sessions end.
///
/// # Errors
/// When it is an operator already, or the database fails.
pub async fn add(
    store: &Db,
    email: Email,
    now: Timestamp,
) -> Result<IssuedEnrolment, OperatorError> {
    let (issued, enrolment) = issue(now)?;
    let new = AccountId(Uuid::now_v7());
    let (writer, limits) = sql::COMMAND;
    let add = store.write(writer, limits, move |tx| {
        sql::add(tx, &email, new, enrolment, now)
    });
    add.await?;
    Ok(issued)
}

/// Gives an operator that has lost its passkeys a new code. The passkeys are removed, and its sessions
/// end.
///
/// # Errors
/// When no operator has the address, or the database fails.
pub async fn recover(
    store: &Db,
    email: Email,
    now: Timestamp,
) -> Result<IssuedEnrolment, OperatorError> {
    let (issued, enrolment) = issue(now)?;
    let (writer, limits) = sql::COMMAND;
    let recover = store.write(writer, limits, move |tx| {
        sql::recover(tx, &email, enrolment, now)
    });
    recover.await?;
    Ok(issued)
}

/// Makes an operator a mere account, and ends its sessions.
///
/// # Errors
/// When no operator has the address, or the database fails.
pub async fn remove(store: &Db, email: Email, now: Timestamp) -> Result<(), OperatorError> {
    let (writer, limits) = sql::COMMAND;
    let remove = store.write(writer, limits, move |tx| sql::remove(tx, &email, now));
    remove.await
}

fn issue(now: Timestamp) -> Result<(IssuedEnrolment, Enrolment), getrandom::Error> {
    let code = EnrolmentCode::generate()?;
    let ends_at = now
        .saturating_add(EnrolmentCode::LIFE)
        .unwrap_or(Timestamp::MAX);
    let enrolment = Enrolment {
        code: code.digest(),
        ends_at,
    };
    Ok((IssuedEnrolment { code, ends_at }, enrolment))
}
