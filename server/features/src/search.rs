//! Search over the projects of an account, their keys, configs and webhooks.

use db::{Db, DbError, Row, Tx, params};

use crate::domain::config_id::ConfigId;
use crate::domain::ids::{AccountId, KeyId};
use crate::events::WebhookId;
use crate::projects::ProjectId;

/// An item that a search found, with its project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundItem {
    pub kind: ItemKind,
    /// The label of a key, the name of a config, the description of a webhook.
    pub name: Option<String>,
    /// The display prefix of a key, the ID of a config, the URL of a webhook.
    pub detail: String,
    pub project: ProjectId,
    pub project_name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    Project,
    Key(KeyId),
    Config(ConfigId),
    Webhook(WebhookId),
}

/// The items of an account's projects whose names, display prefixes or URLs contain a query, in upper or
/// lower case; configs are also found by their ID, its first digits, or its shortened form. At most `limit` items of each kind, newest first.
///
/// # Errors
/// When the database fails.
pub async fn search_projects(
    db: &Db,
    account: AccountId,
    query: &str,
    limit: usize,
) -> Result<Vec<FoundItem>, DbError> {
    let query = query.to_owned();
    db.read(move |tx| find(tx, account, &query, limit)).await
}

fn find(
    tx: &Tx<'_>,
    account: AccountId,
    query: &str,
    limit: usize,
) -> Result<Vec<FoundItem>, DbError> {
    let projects = "FROM membership JOIN project ON project.id = membership.project";
    let mine = "WHERE membership.account = $1 AND project.deleted_at IS NULL";
    let columns = "project.id AS project, project.name AS project_name";

    let sql = format!(
        "SELECT {columns}, NULL AS name, '' AS detail {projects}
         {mine} AND strpos(lower(project.name), lower($2)) > 0
         ORDER BY membership.created_at DESC LIMIT $3"
    );
    let mut found: Vec<_> = tx.all(&sql, params![account, query, limit], |row| {
        item(row, ItemKind::Project)
    })?;

    let sql = format!(
        "SELECT {columns}, api_key.id, api_key.label AS name, api_key.display_prefix AS detail
         {projects} JOIN api_key ON api_key.project = project.id
         {mine} AND api_key.revoked_at IS NULL
           AND (strpos(lower(api_key.label), lower($2)) > 0 OR strpos(lower(api_key.display_prefix), lower($2)) > 0)
         ORDER BY api_key.created_at DESC LIMIT $3"
    );
    found.extend::<Vec<_>>(tx.all(&sql, params![account, query, limit], |row| {
        item(row, ItemKind::Key(row.get("id")?))
    })?);

    let sql = format!(
        "SELECT {columns}, config.id, config.name
         {projects} JOIN config ON config.project = project.id
         {mine} AND config.deleted_at IS NULL
           AND (strpos(lower(config.name), lower($2)) > 0 OR config.id BETWEEN $4 AND $5)
         ORDER BY config.created_at DESC LIMIT $3"
    );
    let (first, last) = config_ids(query).unzip();
    let params = params![account, query, limit, first, last];
    found.extend::<Vec<_>>(tx.all(&sql, params, |row| {
        let id: ConfigId = row.get("id")?;
        Ok(FoundItem {
            kind: ItemKind::Config(id),
            name: row.get("name")?,
            detail: id.to_string(),
            project: row.get("project")?,
            project_name: row.get("project_name")?,
        })
    })?);

    let sql = format!(
        "SELECT {columns}, webhook.id, webhook.description AS name, webhook.url AS detail
         {projects} JOIN webhook ON webhook.project = project.id
         {mine} AND (strpos(lower(webhook.description), lower($2)) > 0 OR strpos(lower(webhook.url), lower($2)) > 0)
         ORDER BY webhook.created_at DESC LIMIT $3"
    );
    found.extend::<Vec<_>>(tx.all(&sql, params![account, query, limit], |row| {
        item(row, ItemKind::Webhook(row.get("id")?))
    })?);
    Ok(found)
}

/// The first and the last of the config IDs that a query can mean: one in full, or those that begin with its
/// hexadecimal digits. A shortened ID, such as `0x12345678…abcd`, has enough digits before its ellipsis.
fn config_ids(query: &str) -> Option<(ConfigId, ConfigId)> {
    /// Fewer digits without `0x` are more likely a word.
    const MIN_DIGITS: usize = 6;

    if let Ok(id) = query.parse() {
        return Some((id, id));
    }
    let query = query.to_lowercase();
    let (digits, min_digits) = match query.strip_prefix("0x") {
        Some(digits) => (digits, 1),
        None => (&*query, MIN_DIGITS),
    };
    let start = digits.split('…').next().unwrap_or_default();
    if start.len() < min_digits {
        return None;
    }
    let first = format!("0x{start:0<64}").parse().ok()?;
    let last = format!("0x{start:f<64}").parse().ok()?;
    Some((first, last))
}

fn item(row: &Row<'_>, kind: ItemKind) -> Result<FoundItem, DbError> {
    Ok(FoundItem {
        kind,
        name: row.get("name")?,
        detail: row.get("detail")?,
        project: row.get("project")?,
        project_name: row.get("project_name")?,
    })
}
