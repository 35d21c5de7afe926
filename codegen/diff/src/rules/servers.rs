//! Servers: the URLs of the API, and the paths that operations are below.

use super::operations::refusal;
use crate::comparison::Comparison;
use crate::pairing::OperationPair;
use crate::report::{Scope, Severity};
use crate::version::ServerUrls;
use std::borrow::Cow;

/// Compares the servers of an operation that has its own in either version.
pub(super) fn of_operation(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    let (before, after) = (&pair.before.servers, &pair.after.servers);
    if before.is_empty() && after.is_empty() {
        return;
    }
    let before = own(before).unwrap_or(Cow::Borrowed(&comparison.before.servers));
    let after = own(after).unwrap_or(Cow::Borrowed(&comparison.after.servers));
    compare(comparison, Some(&pair.name), &before, &after);
}

fn own(servers: &[openapiv3::Server]) -> Option<Cow<'static, ServerUrls>> {
    (!servers.is_empty()).then(|| Cow::Owned(ServerUrls::of(servers)))
}

/// Reports an operation whose base path was changed. A server, or a value of a variable, may still lead to it.
pub(super) fn moved(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    let old = comparison.before.base(pair.before);
    let new = comparison.after.base(pair.after);
    let shown = |base: &str| match base {
        "" => "`/`".to_owned(),
        base => format!("`{base}`"),
    };
    let message = format!("was below {} and is now below {}", shown(&old), shown(&new));
    let urls = own(&pair.after.servers).unwrap_or(Cow::Borrowed(&comparison.after.servers));
    let (kind, scope) = ("operation-moved", Scope::new(&pair.name, "path"));
    let changes = &mut comparison.changes;
    if urls.paths.contains(&old) {
        return changes.add_unproven(&scope, Severity::Possible, kind, message);
    }
    let line = pair.line();
    let witness = (line.text(), refusal(comparison.after, &line.path()));
    changes.add_proven(&scope, kind, message, witness);
}

/// Compares the servers of a document, or of one of its operations. It is not known whether a machine
/// that is no longer named still answers.
pub(super) fn compare(
    comparison: &mut Comparison<'_>,
    of: Option<&str>,
    before: &ServerUrls,
    after: &ServerUrls,
) {
    let scope = Scope {
        operation: of.map(str::to_owned),
        place: "servers".to_owned(),
    };
    for url in before.but_for(after) {
        let message = format!("the server `{url}` was removed");
        comparison
            .changes
            .add_unproven(&scope, Severity::Possible, "server-removed", message);
    }
    for url in after.but_for(before) {
        let message = format!("the server `{url}` was added");
        comparison
            .changes
            .add_unproven(&scope, Severity::Compatible, "server-added", message);
    }
}
