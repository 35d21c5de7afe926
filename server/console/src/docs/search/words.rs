//! The words of texts and of queries: a word of a query finds the words that begin with its stem.

/// Words of questions that say nothing of their subject.
const STOP_WORDS: [&str; 26] = [
    "a", "an", "and", "are", "can", "do", "does", "for", "how", "i", "in", "is", "it", "my", "of",
    "on", "or", "the", "to", "we", "what", "when", "where", "which", "with", "you",
];

/// Stems of words that other APIs use, with the words of this one.
const SYNONYMS: [(&str, &str); 11] = [
    ("429", "limits"),
    ("authoriz", "authentication"),
    ("bearer", "key"),
    ("cors", "browser"),
    ("paginat", "paging"),
    ("retr", "again"),
    ("sandbox", "demo"),
    ("sdk", "samples"),
    ("throttl", "limits"),
    ("timeout", "unavailable"),
    ("verif", "check"),
];

/// The endings that a stem lacks, each before those that it ends in.
const ENDINGS: [&str; 21] = [
    "ations", "ation", "ating", "ated", "ates", "encies", "ency", "ents", "ent", "ings", "ing",
    "ions", "ion", "ies", "ied", "ate", "ed", "es", "e", "y", "s",
];

/// The least length of a stem, in characters.
const MIN_STEM: usize = 4;

/// A word of a text.
#[derive(Debug)]
pub(super) struct Word {
    /// The byte of the text at which it begins.
    pub(super) at: usize,
    /// Its length in bytes.
    pub(super) length: usize,
    /// The word in lower case.
    pub(super) lowercase: String,
}

/// The words of a text: its runs of letters and digits.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(char::is_alphanumeric) {
        rest = rest.split_at(start).1;
        let length = rest.find(|c: char| !c.is_alphanumeric());
        let (word, after) = rest.split_at(length.unwrap_or(rest.len()));
        words.push(Word {
            at: text.len() - rest.len(),
            length: word.len(),
            lowercase: word.to_lowercase(),
        });
        rest = after;
    }
    words
}

/// The words of a query that say something of its subject, or all if none does.
pub(super) fn subject(query: &str) -> Vec<String> {
    let all: Vec<_> = words(query).into_iter().map(|it| it.lowercase).collect();
    let says_something = |word: &&String| !STOP_WORDS.contains(&word.as_str());
    let subject: Vec<_> = all.iter().filter(says_something).cloned().collect();
    if subject.is_empty() { all } else { subject }
}

/// The documentation's word for one of a query.
pub(super) fn synonym(word: &str) -> Option<&'static str> {
    let known = SYNONYMS.iter().find(|(stem, _)| word.starts_with(stem));
    known.map(|(_, own)| *own)
}

/// The beginning that a word has in common with its other forms.
pub(super) fn stem(word: &str) -> &str {
    let is_long = |stem: &&str, least| stem.chars().count() >= least;
    let mut stems = ENDINGS
        .iter()
        .filter_map(|ending| word.strip_suffix(ending))
        .filter(|stem| is_long(stem, MIN_STEM));
    let singular = || {
        word.strip_suffix('s')
            .filter(|stem| is_long(stem, MIN_STEM - 1))
    };
    stems.next().or_else(singular).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            ["rotate", "rotation", "rotating"],
            ["charity", "charities", "charity"],
            ["key", "keys", "key"],
            ["idempotent", "idempotency", "idempotent"],
        ] {
            let stems = forms.map(stem);
            assert!(stems.iter().all(|it| it == &stems[0]), "{stems:?}");
        }
        assert_eq!(stem("time"), "time");
    }

    #[test]
    fn words_are_found_where_they_are() {
        let text = "é `configs.create`, RATE_LIMIT";
        for word in words(text) {
            let found = &text[word.at..word.at + word.length];
            assert_eq!(found.to_lowercase(), word.lowercase);
        }
        assert_eq!(words(text).len(), 5);
        assert!(words(" -…").is_empty());
    }

    #[test]
    fn questions_are_about_their_subject() {
        assert_eq!(subject("How do I rotate a key?"), ["rotate", "key"]);
        assert_eq!(subject("\"weight\""), ["weight"]);
        assert_eq!(subject("how to"), ["how", "to"]);
    }
}
