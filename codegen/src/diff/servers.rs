//! Where an API is: the URLs that its servers may have (OpenAPI 3.1.1 §4.8.5).

use super::judge::Judge;
use super::operations::Both;
use super::replaced::unanswered;
use super::report::Severity;
use crate::lower;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// How many URLs a message names.
const SHOWN: usize = 8;

/// The URLs of a list of servers, without a slash at their ends, which the paths of operations begin
/// with.
#[derive(Debug, Clone, Default)]
pub(super) struct Addresses {
    /// The path of the first, which the paths of operations are below.
    base: String,
    /// The paths of all of them.
    paths: BTreeSet<String>,
    /// What is before that of the first in those that end with it.
    sites: BTreeSet<String>,
    /// Those with the defaults of all variables.
    usual: BTreeSet<String>,
    /// Those with another value that is listed for one of the variables.
    chosen: BTreeSet<String>,
}

impl Addresses {
    /// Those of no servers are those of one at `/` (OpenAPI 3.1.1 §4.8.1.1).
    pub(super) fn of(servers: &[openapiv3::Server]) -> Addresses {
        let usual = [openapiv3::Server {
            url: "/".to_owned(),
            ..openapiv3::Server::default()
        }];
        let servers = if servers.is_empty() { &usual } else { servers };
        let mut all = Addresses {
            base: lower::base_path(servers.first()),
            ..Addresses::default()
        };
        for server in servers {
            let server = lower::server(server);
            all.usual.insert(trimmed(server.written()));
            all.paths.insert(server.path());
            for variable in &server.variables {
                for value in &variable.allowed {
                    let url = server.written_with(&variable.name, value);
                    all.chosen.insert(trimmed(url));
                    all.paths.insert(server.path_with(&variable.name, value));
                }
            }
        }
        let urls = all.usual.iter().chain(&all.chosen);
        all.sites = urls.filter_map(|url| all.site(url)).collect();
        all
    }

    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// What is before the path that operations are below.
    fn site(&self, url: &str) -> Option<String> {
        let site = url.strip_suffix(&self.base)?;
        Some(site.trim_end_matches('/').to_owned())
    }

    /// The usual ones that others have not.
    fn usual_but_for<'u>(&'u self, others: &'u Addresses) -> impl Iterator<Item = &'u String> {
        let usual = self.usual.iter();
        usual.filter(|url| !self.is_known(url, others))
    }

    /// Those beside the usual ones that others have not.
    fn chosen_but_for<'u>(&'u self, others: &'u Addresses) -> impl Iterator<Item = &'u String> {
        let chosen = self.chosen.difference(&self.usual);
        chosen.filter(|url| !self.is_known(url, others))
    }

    /// Whether others have one of these URLs. What is below it has moved where they have it with their
    /// own path alone, and the paths of the operations tell that.
    fn is_known(&self, url: &str, others: &Addresses) -> bool {
        let site = self.site(url);
        others.have(url) || site.is_some_and(|site| others.sites.contains(&site))
    }

    fn have(&self, url: &str) -> bool {
        self.usual.contains(url) || self.chosen.contains(url)
    }
}

fn trimmed(written: String) -> String {
    match written.trim_end_matches('/') {
        "" => written,
        address => address.to_owned(),
    }
}

/// Compares the servers of an operation that has its own on either side.
pub(super) fn of_operation(judge: &mut Judge<'_>, both: &Both<'_>) {
    let (before, after) = (&both.before.servers, &both.after.servers);
    if before.is_empty() && after.is_empty() {
        return;
    }
    let before = own(before).unwrap_or(Cow::Borrowed(&judge.before.servers));
    let after = own(after).unwrap_or(Cow::Borrowed(&judge.after.servers));
    compare(judge, Some(&both.name), &before, &after);
}

fn own(servers: &[openapiv3::Server]) -> Option<Cow<'static, Addresses>> {
    let some = !servers.is_empty();
    some.then(|| Cow::Owned(Addresses::of(servers)))
}

/// An operation that is below another path. Its old one may still lead to it where a server has that,
/// or a variable leads there.
pub(super) fn moved(judge: &mut Judge<'_>, both: &Both<'_>) {
    let old = judge.before.base(both.before);
    let new = judge.after.base(both.after);
    let shown = |base: &str| match base {
        "" => "`/`".to_owned(),
        base => format!("`{base}`"),
    };
    let message = format!("was below {} and is now below {}", shown(&old), shown(&new));
    let after = own(&both.after.servers).unwrap_or(Cow::Borrowed(&judge.after.servers));
    let (kind, place, changes) = ("operation-moved", "path", &mut judge.changes);
    if after.paths.contains(&old) {
        let name = Some(both.name.clone());
        changes.note(Severity::Possible, kind, name, place, message);
    } else {
        let line = both.line();
        let witness = (line.text(), unanswered(judge.after, &line.path()));
        changes.prove(kind, &both.name, place, message, witness);
    }
}

/// Compares the servers of a document, or of one of its operations. Nobody knows whether a machine
/// that is no longer named still answers.
pub(super) fn compare(
    judge: &mut Judge<'_>,
    of: Option<&str>,
    before: &Addresses,
    after: &Addresses,
) {
    let mut note = |severity: Severity, kind: &str, message: String| {
        let operation = of.map(str::to_owned);
        let changes = &mut judge.changes;
        changes.note(severity, kind, operation, "servers", message);
    };
    for url in before.usual_but_for(after) {
        let message = format!("the server `{url}` was removed");
        note(Severity::Possible, "server-removed", message);
    }
    if let Some(urls) = listed(before.chosen_but_for(after)) {
        let message = format!("variables no longer lead to {urls}");
        note(Severity::Possible, "server-variable-narrowed", message);
    }
    for url in after.usual_but_for(before) {
        let message = format!("the server `{url}` was added");
        note(Severity::Compatible, "server-added", message);
    }
    let moved = |url: &&String| after.chosen.contains(*url) && !after.usual.contains(*url);
    if let Some(urls) = listed(before.usual.iter().filter(moved)) {
        let message = format!("{urls} is no longer what the defaults of variables lead to");
        note(Severity::Compatible, "server-default-changed", message);
    }
    if let Some(urls) = listed(after.chosen_but_for(before)) {
        let message = format!("variables now lead to {urls} as well");
        note(Severity::Compatible, "server-variable-widened", message);
    }
}

fn listed<'u>(urls: impl Iterator<Item = &'u String>) -> Option<String> {
    let urls: Vec<String> = urls.map(|url| format!("`{url}`")).collect();
    let shown = urls.get(..SHOWN.min(urls.len()))?.join(", ");
    match urls.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        Some(more) => Some(format!("{shown} and {more} more")),
        None => Some(shown).filter(|shown| !shown.is_empty()),
    }
}
