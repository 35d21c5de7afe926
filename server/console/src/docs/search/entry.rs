//! An entry of the search index: its names and its text, the terms of a query in them, and an excerpt.

use super::words::{Word, stem, subject, words};

/// The most bytes of an excerpt before its word, and after it.
pub(super) const BEFORE: usize = 100;
pub(super) const AFTER: usize = 120;

/// An entry of the index.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) title: String,
    /// Below the root of the site.
    path: String,
    text: String,
    /// The words of the title that say something of its subject.
    title_words: Vec<String>,
    /// The words of its other name: an operation's id, a guide's file.
    name_words: Vec<String>,
    text_words: Vec<Word>,
}

/// The kinds of entries; of two that are as good, the earlier kind is shown first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Guide,
    Operation,
    ErrorCode,
    Dashboard,
    Schema,
}

#[derive(Debug)]
pub(crate) struct SearchResult<'a> {
    pub(crate) kind: &'static str,
    pub(crate) title: &'a str,
    /// Below the root of the site.
    pub(crate) path: &'a str,
    /// The text around the first word: the text before it, the word, and the text after it.
    pub(crate) excerpt: (&'a str, &'a str, String),
}

/// An entry with the terms of a query that it has.
pub(super) struct Matched<'a> {
    pub(super) entry: &'a Entry,
    /// How many it has.
    pub(super) terms: usize,
    pub(super) score: usize,
}

impl Kind {
    /// The name of the kind, to people.
    fn name(self) -> &'static str {
        match self {
            Self::Guide => "Guide",
            Self::Operation => "Operation",
            Self::ErrorCode => "Error code",
            Self::Dashboard => "Dashboard",
            Self::Schema => "Schema",
        }
    }
}

impl Entry {
    pub(super) fn new(kind: Kind, title: String, path: String, text: &str) -> Entry {
        let text = text.replace('`', "");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Entry {
            kind,
            title_words: subject(&title),
            name_words: Vec::new(),
            text_words: words(&text),
            title,
            path,
            text,
        }
    }

    /// The entry, found by another name too.
    pub(super) fn named(mut self, name: &str) -> Entry {
        self.name_words = subject(name);
        self
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let names = self.title_words.iter().chain(&self.name_words);
        let texts = self.text_words.iter().map(|word| &word.lowercase);
        names.chain(texts).map(String::as_str)
    }

    /// The terms that it has: one in a name counts more, and most if it has the whole name.
    pub(super) fn matched(&self, terms: &[&str]) -> Matched<'_> {
        let mut matched = Matched {
            entry: self,
            terms: 0,
            score: 0,
        };
        for term in terms {
            let mut names = self.title_words.iter().chain(&self.name_words);
            let score = match names.any(|word| word.starts_with(term)) {
                true => 10,
                false if self.place(term).is_some() => 1,
                false => continue,
            };
            matched.terms += 1;
            matched.score += score;
        }
        // Guides and operations explain what a schema only lists.
        if self.kind == Kind::Schema {
            matched.score = matched.score.div_ceil(2);
        }
        if [&self.title_words, &self.name_words]
            .iter()
            .any(|it| are_of(it, terms))
        {
            matched.score += 50;
        }
        matched
    }

    /// The first word of the text that begins with a term.
    fn place(&self, term: &str) -> Option<&Word> {
        let mut words = self.text_words.iter();
        words.find(|word| word.lowercase.starts_with(term))
    }

    pub(super) fn result(&self, terms: &[&str]) -> SearchResult<'_> {
        SearchResult {
            kind: self.kind.name(),
            title: &self.title,
            path: &self.path,
            excerpt: self.excerpt(terms),
        }
    }

    /// The text around the first of the terms that it has: from the start of its sentence, or else in whole words.
    fn excerpt(&self, terms: &[&str]) -> (&str, &str, String) {
        let place = terms.iter().find_map(|term| self.place(term));
        let (at, end) = place.map_or((0, 0), |word| (word.at, word.at + word.length));
        let sentence = self.text.get(..at).and_then(|before| before.rfind(". "));
        let sentence = sentence.map_or(0, |end| end + 2);
        let mut starts = self.text_words.iter().map(|word| word.at);
        let start = match at - sentence <= BEFORE {
            true => sentence,
            false => starts.find(|start| start + BEFORE >= at).unwrap_or(at),
        };
        let ends = self.text_words.iter().map(|word| word.at + word.length);
        let last = ends.take_while(|last| *last <= end + AFTER).last();
        let part = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
        let (before, word) = (part(start, at), part(at, end));
        match last {
            Some(last) if self.text_words.last().is_some_and(|it| it.at > last) => {
                (before, word, format!("{} …", part(end, last)))
            }
            _ => (before, word, part(end, self.text.len()).to_owned()),
        }
    }
}

/// Whether words are those of the terms, one for one.
fn are_of(words: &[String], terms: &[&str]) -> bool {
    words.len() == terms.len()
        && words
            .iter()
            .zip(terms)
            .all(|(word, term)| word == term || stem(word) == *term)
}
