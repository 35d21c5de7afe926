//! The database operations of operators.

use db::{Db, DbError};
use jiff::Timestamp;

use super::{AccountDetails, AccountSummary, Enrolment, Operator, OperatorRefusal, ProjectSummary};
use crate::domain::email::Email;
use crate::domain::ids::AccountId;
use crate::operators::sql;
use crate::projects::{Actor, ProjectId};

/// Makes the account of an address an operator. The account is made with the id `new` if there is
/// none. Its passkeys are removed and its sessions end: the code of the enrolment allows one new passkey.
pub async fn add_operator(
    db: &Db,
    email: Email,
    new: AccountId,
    enrolment: Enrolment,
    now: Timestamp,
) -> Result<Result<(), OperatorRefusal>, DbError> {
    let (writer, limits) = sql::COMMAND;
    db.write(writer, limits, move |tx| {
        sql::add(tx, &email, new, enrolment, now)
    })
    .await
}

/// Gives an operator a new enrolment. Its passkeys are removed and its sessions end.
pub async fn recover_operator(
    db: &Db,
    email: Email,
    enrolment: Enrolment,
    now: Timestamp,
) -> Result<Result<(), OperatorRefusal>, DbError> {
    let (writer, limits) = sql::COMMAND;
    db.write(writer, limits, move |tx| {
        sql::recover(tx, &email, enrolment, now)
    })
    .await
}

/// Makes an operator a mere account, and ends its sessions.
pub async fn remove_operator(
    db: &Db,
    email: Email,
    now: Timestamp,
) -> Result<Result<(), OperatorRefusal>, DbError> {
    let (writer, limits) = sql::COMMAND;
    db.write(writer, limits, move |tx| sql::remove(tx, &email, now))
        .await
}

/// All operators, by address.
pub async fn operators(db: &Db) -> Result<Vec<Operator>, DbError> {
    db.read(sql::all).await
}

/// Searches the projects that are not deleted, and sorts them by name. A project is found by its id, or the id
/// of one of its keys; by a part of its name, of an owner's address or of a key's label; or by the beginning of
/// a key. Upper and lower case are the same.
pub async fn find_projects(
    db: &Db,
    actor: Actor,
    text: String,
    limit: usize,
) -> Result<Result<Vec<ProjectSummary>, OperatorRefusal>, DbError> {
    db.read(move |tx| sql::find_projects(tx, actor, text, limit))
        .await
}

/// Searches accounts by id or by a part of the address, sorted by address.
pub async fn find_accounts(
    db: &Db,
    actor: Actor,
    text: String,
    limit: usize,
) -> Result<Result<Vec<AccountSummary>, OperatorRefusal>, DbError> {
    db.read(move |tx| sql::find_accounts(tx, actor, text, limit))
        .await
}

/// A project with its owners.
pub async fn project_summary(
    db: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<Result<Option<ProjectSummary>, OperatorRefusal>, DbError> {
    db.read(move |tx| sql::summary(tx, actor, project)).await
}

/// An account with its projects, and the numbers of its sessions and passkeys.
pub async fn account_details(
    db: &Db,
    actor: Actor,
    account: AccountId,
) -> Result<Result<Option<AccountDetails>, OperatorRefusal>, DbError> {
    db.read(move |tx| sql::details(tx, actor, account)).await
}
