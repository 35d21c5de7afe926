//! The search index: its entries, and the ranking of results.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use strsim::osa_distance;

use super::super::contract::CONTRACT;
use super::super::guide::GUIDES;
use super::super::markdown::{self, Section};
use crate::site::SiteInfo;

/// All entries: of the documentation, and of the dashboard where there is one.
#[derive(Debug)]
pub(super) struct Index {
    entries: Vec<Entry>,
    /// All words of the entries.
    words: BTreeSet<String>,
}

/// An entry of the index.
#[derive(Debug)]
struct Entry {
    kind: &'static str,
    title: String,
    /// Below the root of the site.
    path: String,
    text: String,
    /// Title and text in lower case.
    lowercase: (String, String),
}

/// A search result.
#[derive(Debug)]
pub(super) struct SearchResult<'a> {
    pub(super) kind: &'static str,
    pub(super) title: &'a str,
    /// Below the root of the site.
    pub(super) path: &'a str,
    /// The text around the first word: what is before it, the word, and what follows.
    pub(super) excerpt: (&'a str, &'a str, &'a str),
}

/// The pages of the dashboard: title, path, and what is done there.
const DASHBOARD: &[(&str, &str, &str)] = &[
    (
        "Your projects",
        "dashboard/projects",
        "Make a project. Issue, rotate, rename, disable and revoke its keys; see its usage and last requests; make and \
         delete configs; claim contracts; create, test and disable webhooks; invite members; read the audit log; ask for another tier; rename or delete it.",
    ),
    (
        "Your account",
        "dashboard/account",
        "Change your mail address, download your data, erase the account.",
    ),
    (
        "Your passkeys",
        "dashboard/passkeys",
        "Add a passkey, with which you sign in without a mail, or remove one.",
    ),
    (
        "Your sessions",
        "dashboard/sessions",
        "See the browsers that are signed in, and sign out or end one or all others.",
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
                "{} {} {} {} {}",
                operation.method,
                operation.path,
                operation.markdown,
                operation.id,
                parameters.join(" ")
            );
            let path = format!("docs/reference/{}", operation.id);
            entries.push(Entry::new(
                "Operation",
                operation.summary.clone(),
                path,
                text,
            ));
        }
        for schema in &CONTRACT.schemas {
            let members = schema.members.iter();
            let members: Vec<_> = members.map(|member| member.name.as_str()).collect();
            let text = format!("{} {}", schema.markdown, members.join(" "));
            let path = format!("docs/reference/schemas#{}", schema.name);
            entries.push(Entry::new("Schema", schema.name.clone(), path, text));
        }
        for (title, path, text) in DASHBOARD.iter().filter(|_| info.has_dashboard) {
            let (title, path) = ((*title).to_owned(), (*path).to_owned());
            entries.push(Entry::new("Dashboard", title, path, (*text).to_owned()));
        }
        let texts = entries
            .iter()
            .flat_map(|it| [&it.lowercase.0, &it.lowercase.1]);
        let words = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        let words = words.map(str::to_owned).collect();
        Index { entries, words }
    }

    /// The entries that have all words: those whose titles have more of them first, then shorter titles.
    pub(super) fn find(&self, query: &str, most: usize) -> Vec<SearchResult<'_>> {
        let query = query.to_lowercase();
        let words: Vec<_> = query.split_whitespace().collect();
        if words.is_empty() {
            return Vec::new();
        }
        let found = self.with(&words, most);
        if !found.is_empty() {
            return found;
        }
        let corrected: Vec<_> = words.iter().map(|word| self.corrected(word)).collect();
        self.with(&corrected, most)
    }

    /// The best entries that have all words.
    fn with(&self, words: &[&str], most: usize) -> Vec<SearchResult<'_>> {
        let scored = self.entries.iter().filter_map(|entry| {
            let score = entry.score(words)?;
            Some((score, entry))
        });
        let mut scored: Vec<_> = scored.collect();
        scored.sort_by_key(|(score, entry)| (Reverse(*score), entry.title.len()));
        let best = scored.into_iter().take(most);
        best.map(|(_, entry)| entry.result(words)).collect()
    }

    /// A word of the documentation that differs from a mistyped one by a letter, or by two neighbours that
    /// changed places; the same word if there is none.
    fn corrected<'a>(&'a self, word: &'a str) -> &'a str {
        let is_known = self.words.iter().any(|known| known.contains(word));
        if is_known || word.chars().count() < 4 {
            return word;
        }
        let mut near = self
            .words
            .iter()
            .filter(|known| osa_distance(known, word) == 1);
        near.next().map_or(word, String::as_str)
    }
}

fn of_section(slug: &str, guide: &str, section: Section) -> Entry {
    let kind = match slug {
        "errors" if section.title.contains('_') => "Error code",
        _ => "Guide",
    };
    let (title, path) = match section.anchor.is_empty() {
        true => (guide.to_owned(), format!("docs/guides/{slug}")),
        false if kind == "Error code" => {
            let path = format!("docs/guides/{slug}#{}", section.anchor);
            (section.title, path)
        }
        false => (
            format!("{guide}: {}", section.title),
            format!("docs/guides/{slug}#{}", section.anchor),
        ),
    };
    Entry::new(kind, title, path, section.text)
}

impl Entry {
    fn new(kind: &'static str, title: String, path: String, text: String) -> Entry {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Entry {
            lowercase: (title.to_lowercase(), text.to_lowercase()),
            kind,
            title,
            path,
            text,
        }
    }

    /// The score of the entry for some words; `None` if one is missing.
    fn score(&self, words: &[&str]) -> Option<usize> {
        let (title, text) = &self.lowercase;
        let mut score = usize::from(*title == words.join(" ")) * 50;
        for word in words {
            score += match place(title, word) {
                Some(at) if starts_word(title, at) => 10,
                Some(_) => 6,
                None if text.contains(word) => 1,
                None => return None,
            };
        }
        Some(score)
    }

    fn result(&self, words: &[&str]) -> SearchResult<'_> {
        SearchResult {
            kind: self.kind,
            title: &self.title,
            path: &self.path,
            excerpt: self.excerpt(words),
        }
    }

    /// The text around the first of the words that it has.
    fn excerpt(&self, words: &[&str]) -> (&str, &str, &str) {
        // Lower case may have another length, in few languages; the excerpt is then cut elsewhere.
        let at = words
            .iter()
            .find_map(|word| Some((place(&self.lowercase.1, word)?, word.len())));
        let (at, length) = at.unwrap_or((0, 0));
        let start = boundary(&self.text, at.saturating_sub(60));
        let start = match start {
            0 => 0,
            start => self
                .text
                .get(start..at)
                .and_then(|it| it.find(' '))
                .map_or(start, |it| start + it + 1),
        };
        let (word, end) = (boundary(&self.text, at), boundary(&self.text, at + length));
        let last = boundary(&self.text, end + 120);
        let part = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
        (part(start, word), part(word, end), part(end, last))
    }
}

/// Where a text has a word: best at the start of one of its own.
fn place(text: &str, word: &str) -> Option<usize> {
    let mut places = text.match_indices(word).map(|(at, _)| at);
    let start = places.find(|at| starts_word(text, *at));
    start.or_else(|| text.find(word))
}

fn starts_word(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().last());
    before.is_none_or(|c| !c.is_alphanumeric())
}

/// The last place at or before `at` where a character begins.
fn boundary(text: &str, at: usize) -> usize {
    let mut before = (0..=at.min(text.len())).rev();
    before
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Settings};

    fn index() -> Index {
        let config = Config::resolve(Settings::default(), Settings::default());
        Index::of_docs(&SiteInfo::new(&config.service, true))
    }

    /// The kind and path of the best result.
    fn best(query: &str) -> Option<(&'static str, String)> {
        let index = index();
        let found = index.find(query, 1);
        found.first().map(|best| (best.kind, best.path.to_owned()))
    }

    #[test]
    fn everything_is_found_by_its_name() {
        for (query, kind, path) in [
            ("limits", "Guide", "docs/guides/limits"),
            (
                "list charities",
                "Operation",
                "docs/reference/charities.list",
            ),
            (
                "configs.create",
                "Operation",
                "docs/reference/configs.create",
            ),
            ("your projects", "Dashboard", "dashboard/projects"),
            ("your sessions", "Dashboard", "dashboard/sessions"),
            ("NewConfig", "Schema", "docs/reference/schemas#NewConfig"),
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
    fn a_mistyped_word_finds_what_was_meant() {
        for query in ["confg", "lmits", "charitise", "leaderbord"] {
            assert!(best(query).is_some(), "{query}");
        }
    }

    #[test]
    fn a_word_is_marked_where_it_begins_one() {
        assert_eq!(place("shown how", "how"), Some(6));
        assert_eq!(place("shown", "how"), Some(1));
        assert_eq!(place("shown", "x"), None);
    }

    #[test]
    fn all_words_must_be_there() {
        assert_eq!(best("charities xyzzy"), None);
        assert_eq!(best("  "), None);
    }

    #[test]
    fn an_excerpt_shows_the_word() {
        let index = index();
        let found = index.find("sliding window", 5);
        let (_, word, _) = found.first().unwrap().excerpt;
        assert_eq!(word.to_lowercase(), "sliding");
        // Whatever is asked, nothing is cut inside a character.
        for query in ["é", "…", "a", "s", "\u{130}"] {
            index.find(query, 1000);
        }
    }
}
