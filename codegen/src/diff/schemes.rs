//! Security schemes of both contracts: which stands for which, and where their tokens come from.

use super::judge::Judge;
use super::operations::Both;
use super::report::Severity;
use super::side::Side;
use crate::openapi::SecurityScheme;
use openapiv3::{APIKeyLocation, SecurityScheme as Known};
use std::collections::BTreeSet;

/// What a request shows for a scheme. Where a token comes from is not seen in it.
pub(super) fn credential(side: &Side, name: &str) -> String {
    let scheme = match side.scheme(name) {
        Some(SecurityScheme::MutualTls) => return "by a certificate".to_owned(),
        Some(scheme @ SecurityScheme::Known(_)) => scheme,
        Some(SecurityScheme::Unknown) | None => return format!("as `{name}`"),
    };
    if let Some(authentication) = scheme.authentication() {
        return format!("as {authentication}");
    }
    let SecurityScheme::Known(known) = scheme else {
        return String::new();
    };
    match known.as_ref() {
        // The names of headers have no case.
        Known::APIKey {
            location: APIKeyLocation::Header,
            name,
            ..
        } => format!("in header `{}`", name.to_ascii_lowercase()),
        Known::APIKey { location, name, .. } => {
            let place = format!("{location:?}").to_ascii_lowercase();
            format!("in {place} `{name}`")
        }
        _ => String::new(),
    }
}

/// The scheme of the contract before that one of the contract after is, if any: that of its name, where
/// requests show the same, or one that was renamed.
pub(super) fn former(before: &Side, after: &Side, name: &str) -> Option<String> {
    let shown = credential(after, name);
    if credential(before, name) == shown {
        return Some(name.to_owned());
    }
    let text = after.scheme_text(name);
    let same = |known: &&str| before.scheme_text(known) == text;
    let is_new = before.scheme(name).is_none();
    let renamed = |known: &&str| {
        is_new && after.scheme(known).is_none() && credential(before, known) == shown
    };
    if let Some(found) = before.scheme_names().find(same) {
        return Some(found.to_owned());
    }
    let mut renamed = before.scheme_names().filter(renamed);
    let only = renamed.next().filter(|_| renamed.next().is_none());
    only.map(str::to_owned)
}

/// Tells where tokens come from, if that has changed. The requests that show them stay as they are.
pub(super) fn sources(judge: &mut Judge<'_>, both: &Both<'_>) {
    let asked = both.after.security.iter().flatten();
    let names: BTreeSet<&String> = asked.map(|(name, _)| name).collect();
    for name in names {
        let Some(old) = former(judge.before, judge.after, name) else {
            continue;
        };
        if judge.before.scheme_text(&old) == judge.after.scheme_text(name) {
            continue;
        }
        let mut note = |severity, kind: &str, message: String| {
            let operation = Some(both.name.clone());
            let changes = &mut judge.changes;
            changes.note(severity, kind, operation, "security", message);
        };
        let before = flows(judge.before, &old).unwrap_or_default();
        let after = flows(judge.after, name).unwrap_or_default();
        if before == after || before.is_empty() || after.is_empty() {
            let message = format!("where the token of `{name}` comes from was changed");
            note(Severity::Docs, "security-scheme-docs", message);
            continue;
        }
        // Whoever gets tokens by it may be unable to get another.
        for gone in before.difference(&after) {
            let message = format!("`{name}` no longer has the flow `{gone}`");
            note(Severity::Possible, "security-flow-removed", message);
        }
        for new in after.difference(&before) {
            let message = format!("`{name}` now has the flow `{new}`");
            note(Severity::Compatible, "security-flow-added", message);
        }
    }
}

/// The flows of OAuth 2.0 that lead to a token.
fn flows(side: &Side, name: &str) -> Option<BTreeSet<&'static str>> {
    let Some(SecurityScheme::Known(known)) = side.scheme(name) else {
        return None;
    };
    let Known::OAuth2 { flows, .. } = known.as_ref() else {
        return None;
    };
    let all = [
        ("implicit", flows.implicit.is_some()),
        ("password", flows.password.is_some()),
        ("clientCredentials", flows.client_credentials.is_some()),
        ("authorizationCode", flows.authorization_code.is_some()),
    ];
    let there = all.into_iter().filter(|(_, there)| *there);
    Some(there.map(|(name, _)| name).collect())
}
