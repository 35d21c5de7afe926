//! Leaked keys, which were found in public places: they are revoked, and the owners of their projects get a
//! mail.
//!
//! A reporter has the key, so there is nothing to prove. The answer is the same for a key and for any other
//! text.

mod message;

use std::collections::HashSet;

use jiff::Timestamp;

use super::expiry::NoticeError;
use super::{Key, KeyDigest, KeyRecord, NamedKey, sql, store as keys};
use crate::domain::service_identity::ServiceIdentity;
use crate::mail::NewMail;
use crate::projects;
use db::Db;

/// Revokes the live keys among some texts; returns their number.
///
/// # Errors
/// When a mail cannot be written, or the database fails. The report has to be repeated then.
pub async fn report(
    store: &Db,
    service: &ServiceIdentity,
    texts: impl Iterator<Item = &str> + Send,
    now: Timestamp,
) -> Result<usize, NoticeError> {
    let digests: HashSet<KeyDigest> = texts
        .filter_map(|text| Key::parse(text.trim()).ok())
        .map(|key| key.digest())
        .collect();
    if digests.is_empty() {
        return Ok(0);
    }
    let digests = digests.into_iter().collect();
    let found = store.read(move |tx| sql::with(tx, digests)).await?;
    let mut count = 0;
    for key in found.iter().filter(|key| key.is_live(now)) {
        count += usize::from(revoke(store, service, key, now).await?);
    }
    Ok(count)
}

async fn revoke(
    store: &Db,
    service: &ServiceIdentity,
    key: &KeyRecord,
    now: Timestamp,
) -> Result<bool, NoticeError> {
    let named = NamedKey::of(store, key).await?;
    let mut mails = Vec::new();
    for owner in projects::store::owners(store, key.project).await? {
        let message = message::leaked_key(service, owner, &named, now)?;
        mails.push(NewMail::new(message, now));
    }
    let is_revoked = keys::revoke_leaked_key(store, key.id, mails, now).await?;
    if is_revoked {
        tracing::warn!(key = %key.id.0, project = %key.project.0, "revoked a leaked key");
    }
    Ok(is_revoked)
}
