//! The search index: all entries, and the ranking of those that a query finds.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use strsim::osa_distance;

use super::super::contract::CONTRACT;
use super::super::guide::GUIDES;
use super::super::markdown::{self, Section};
use super::entry::{Entry, Kind, SearchResult};
use super::words::{stem, subject, synonym};
use crate::site::SiteInfo;

/// All entries: of the documentation, and of the dashboard where there is one.
#[derive(Debug)]
pub(super) struct Index {
    entries: Vec<Entry>,
    /// All words of the entries.
    words: BTreeSet<String>,
}

/// The results of a search, the best first.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    pub(crate) results: Vec<SearchResult<'a>>,
    /// Whether each has all words of the query; otherwise no entry has, and these have the most of them.
    pub(crate) have_all: bool,
    /// Whether a word of the query was replaced by a similar one.
    pub(crate) is_corrected: bool,
}

/// The pages of the dashboard: title, path, and the tasks there.
const DASHBOARD: &[(&str, &str, &str)] = &[
    (
        "Your projects",
        "dashboard/projects",
        "Create a project. Create, rotate, rename, disable and revoke keys; view usage and requests; create and delete \
         configs; claim contracts; create, test and disable webhooks; invite members; read the audit log; request a \
         tier; rename or delete the project.",
    ),
    (
        "Your account",
        "dashboard/account",
        "Change your email address, download your data, delete your account.",
    ),
    (
        "Your passkeys",
        "dashboard/passkeys",
        "Add or remove passkeys, to sign in without an email.",
    ),
    (
        "Your sessions",
        "dashboard/sessions",
        "See which browsers are signed in, and sign them out.",
    ),
];

impl Index {
    /// The index of the documentation of a server.
    pub(super) fn of_docs(info: &SiteInfo) -> Index {
        let mut entries = Vec::new();
        for guide in GUIDES.iter().flat_map(|group| group.guides) {
            for section in markdown::sections(&guide.text(info)) {
                entries.push(of_section(guide.slug, guide.title(), section));
            }
        }
        for operation in CONTRACT.operations() {
            let parameters = operation.parameters.iter();
            let parameters: Vec<_> = parameters.map(|it| it.name.as_str()).collect();
            let text = format!(
                "{} {}. {} {}",
                operation.method,
                operation.path,
                operation.markdown,
                parameters.join(", ")
            );
            let path = format!("docs/reference/{}", operation.id);
            let summary = operation.summary.clone();
            let entry = Entry::new(Kind::Operation, summary, path, &text);
            entries.push(entry.named(&operation.id));
        }
        for schema in &CONTRACT.schemas {
            let members = schema.members.iter();
            let members: Vec<_> = members.map(|member| member.name.as_str()).collect();
            let text = format!("{} {}", schema.markdown, members.join(", "));
            let path = format!("docs/reference/schemas/{}", schema.name);
            entries.push(Entry::new(Kind::Schema, schema.name.clone(), path, &text));
        }
        for (title, path, text) in DASHBOARD.iter().filter(|_| info.has_dashboard) {
            let (title, path) = ((*title).to_owned(), (*path).to_owned());
            entries.push(Entry::new(Kind::Dashboard, title, path, text));
        }
        let words = entries.iter().flat_map(Entry::words);
        let words = words.map(str::to_owned).collect();
        Index { entries, words }
    }

    /// The entries that have all words of a query, or else those that have the most of them.
    pub(super) fn find(&self, query: &str, most: usize) -> Found<'_> {
        let subject = subject(query);
        let (terms, corrected): (Vec<_>, Vec<_>) =
            subject.iter().map(|word| self.term(word)).unzip();
        let matches = self.entries.iter().map(|entry| entry.matched(&terms));
        let mut found: Vec<_> = matches.filter(|it| it.terms > 0).collect();
        let most_terms = found.iter().map(|it| it.terms).max().unwrap_or_default();
        found.retain(|it| it.terms == most_terms);
        found.sort_by_key(|it| (Reverse(it.score), it.entry.kind, it.entry.title.len()));
        found.truncate(most);
        Found {
            results: found.iter().map(|it| it.entry.result(&terms)).collect(),
            have_all: most_terms == terms.len(),
            is_corrected: corrected.contains(&true),
        }
    }

    /// The stem that a word of a query is looked for by: the word's own, that of the documentation's word for
    /// it, or of one that differs by a letter, or by two neighbors that changed places; and whether it is the last.
    fn term<'a>(&'a self, word: &'a str) -> (&'a str, bool) {
        let own = synonym(word).map_or(stem(word), stem);
        let is_known = self.words.iter().any(|known| known.starts_with(own));
        if is_known || word.chars().count() < 4 {
            return (own, false);
        }
        let mut known = self.words.iter();
        let near = known.find(|known| osa_distance(known, word) == 1);
        near.map_or((own, false), |near| (stem(near), true))
    }
}

fn of_section(slug: &str, guide: &str, section: Section) -> Entry {
    let kind = match slug {
        "errors" if section.title.contains('_') => Kind::ErrorCode,
        _ => Kind::Guide,
    };
    let (title, path) = match section.anchor.is_empty() {
        true => (guide.to_owned(), format!("docs/guides/{slug}")),
        false if kind == Kind::ErrorCode => {
            let path = format!("docs/guides/{slug}#{}", section.anchor);
            (section.title, path)
        }
        false => (
            format!("{guide}: {}", section.title),
            format!("docs/guides/{slug}#{}", section.anchor),
        ),
    };
    let entry = Entry::new(kind, title, path, &section.text);
    match section.anchor.is_empty() {
        true => entry.named(slug),
        false => entry,
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{AFTER, BEFORE};
    use super::*;
    use features::domain::service_identity::{BaseUrl, ServiceIdentity};

    fn index() -> Index {
        let service = ServiceIdentity::at(BaseUrl::at(([127, 0, 0, 1], 8080).into()));
        Index::of_docs(&SiteInfo::new(&service, true))
    }

    /// The kind and path of the best result.
    fn best(query: &str) -> Option<(&'static str, String)> {
        let index = index();
        let found = index.find(query, 1).results;
        found.first().map(|best| (best.kind, best.path.to_owned()))
    }

    #[test]
    fn everything_is_found_by_its_name() {
        for (query, kind, path) in [
            ("limits", "Guide", "docs/guides/limits"),
            ("webhook", "Guide", "docs/guides/webhooks"),
            (
                "list charities",
                "Operation",
                "docs/reference/charities.list",
            ),
            (
                "create config",
                "Operation",
                "docs/reference/configs.create",
            ),
            (
                "configs.create",
                "Operation",
                "docs/reference/configs.create",
            ),
            ("your projects", "Dashboard", "dashboard/projects"),
            ("your sessions", "Dashboard", "dashboard/sessions"),
            ("NewConfig", "Schema", "docs/reference/schemas/NewConfig"),
            (
                "rate_limit_exceeded",
                "Error code",
                "docs/guides/errors#RATE_LIMIT_EXCEEDED",
            ),
        ] {
            assert_eq!(best(query), Some((kind, path.to_owned())), "{query}");
        }
    }

    #[test]
    fn questions_in_other_words_find_their_guides() {
        for (query, path) in [
            ("pagination", "docs/guides/paging"),
            ("how do I rotate a key?", "docs/guides/key-rotation"),
            ("rotating", "docs/guides/key-rotation"),
            (
                "verify signature",
                "docs/guides/webhooks#check-the-signature",
            ),
            ("conditional request", "docs/guides/conditional-requests"),
            ("rate limit", "docs/guides/limits"),
            ("429", "docs/guides/limits"),
        ] {
            assert_eq!(best(query), Some(("Guide", path.to_owned())), "{query}");
        }
        for query in ["idempotent", "webhook retry", "CORS", "sandbox", "timeout"] {
            assert!(index().find(query, 1).have_all, "{query}");
        }
    }

    #[test]
    fn a_mistyped_word_finds_what_was_meant() {
        for query in ["confg", "lmits", "charitise", "leaderbord"] {
            assert!(best(query).is_some(), "{query}");
            assert!(index().find(query, 1).is_corrected, "{query}");
        }
        assert!(!index().find("config", 1).is_corrected);
    }

    #[test]
    fn where_no_entry_has_all_words_the_best_have_most() {
        let index = index();
        let found = index.find("list charities xyzzy", 1);
        assert!(!found.have_all);
        assert_eq!(found.results[0].path, "docs/reference/charities.list");
        for nothing in ["xyzzy", "  ", "…"] {
            assert!(index.find(nothing, 1).results.is_empty(), "{nothing}");
        }
    }

    #[test]
    fn an_excerpt_shows_the_word_among_whole_words() {
        let index = index();
        for query in ["sliding window", "transactions", "from", "\u{130}"] {
            for result in index.find(query, 1000).results {
                let (before, word, after) = result.excerpt;
                assert!(!before.contains('`') && before.len() <= BEFORE, "{before}");
                assert!(after.len() <= AFTER + 4 || after.ends_with('.'), "{after}");
                assert!(query != "sliding window" || !word.is_empty(), "{word}");
            }
        }
    }
}
