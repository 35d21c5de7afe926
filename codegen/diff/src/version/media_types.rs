//! Media types: the entries of two `content` objects that describe the same bodies, and ranges such as `image/*`
//! (RFC 9110 §12.5.1) or `application/*+json` (RFC 6838 §4.2.8).

use codegen::openapi::{Media, canonical};
use std::collections::{BTreeSet, HashMap};

/// The media types that are shown for a range.
const USUAL: [&str; 5] = [
    "text/plain",
    "application/octet-stream",
    "image/png",
    "audio/mpeg",
    "video/mp4",
];

/// The entries of a `content` object by their media types. Of several that match a body, the most specific
/// applies (OpenAPI 3.1.1 §4.8.13.1 and §4.8.17.1).
pub(crate) struct Content<'m> {
    entries: &'m [Media],
    /// By the media type with its parameters.
    exact: HashMap<String, usize>,
    /// By the media type without: those that have none, or else the first.
    plain: HashMap<String, usize>,
}

impl<'m> Content<'m> {
    pub(crate) fn of(entries: &'m [Media]) -> Content<'m> {
        let (mut exact, mut plain) = (HashMap::new(), HashMap::new());
        for (index, entry) in entries.iter().enumerate() {
            let (name, bare) = (canonical(&entry.media_type), essence(&entry.media_type));
            let known = *plain.entry(bare.clone()).or_insert(index);
            plain.insert(bare.clone(), if name == bare { index } else { known });
            exact.insert(name, index);
        }
        Content {
            entries,
            exact,
            plain,
        }
    }

    /// The index of the entry that applies to a media type or a whole range.
    fn index(&self, name: &str) -> Option<usize> {
        let bare = essence(name);
        let group = bare.split('/').next().unwrap_or_default();
        let suffix = bare.rsplit_once('+');
        let suffix = suffix.map(|(_, suffix)| format!("{group}/*+{suffix}"));
        let ranges = [format!("{group}/*"), "*/*".to_owned()];
        let mut ranges = suffix.into_iter().chain(ranges);
        let own = self.exact.get(&canonical(name));
        let own = own.or_else(|| self.plain.get(&bare));
        own.or_else(|| ranges.find_map(|range| self.exact.get(&range)))
            .copied()
    }

    /// Whether an entry applies to a media type.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// Whether an entry has a media type with other parameters.
    pub(crate) fn has_alike(&self, name: &str) -> bool {
        self.plain.contains_key(&essence(name))
    }

    /// A media type, of a range if it is one, to which no entry applies.
    pub(crate) fn lacks(&self, range: &str) -> Option<String> {
        of_range(range, |name| !self.has(name))
    }
}

/// The entries of two versions, brought together.
pub(crate) struct MediaPairs<'m> {
    /// Entries that may describe the same body.
    pub(crate) both: Vec<(&'m Media, &'m Media)>,
    /// Entries before of which some body has no entry after, and the reverse.
    pub(crate) removed: Vec<&'m Media>,
    pub(crate) added: Vec<&'m Media>,
}

impl<'m> MediaPairs<'m> {
    /// Brings each entry together with the one that applies to it. One with other parameters applies only
    /// if it has no equal of its own.
    pub(crate) fn of(before: &'m [Media], after: &'m [Media]) -> MediaPairs<'m> {
        let [old, new] = [before, after].map(Content::of);
        let counterpart = |own: &Content<'m>, other: &Content<'m>, media: &Media| {
            let name = canonical(&media.media_type);
            let index = other.index(&name)?;
            let found = canonical(&other.entries.get(index)?.media_type);
            let is_alike = found != name && essence(&found) == essence(&name);
            let is_of_another = is_alike && own.exact.contains_key(&found);
            (!is_of_another).then_some(index)
        };
        let (mut both, mut removed, mut added) = (BTreeSet::new(), Vec::new(), Vec::new());
        for (index, media) in before.iter().enumerate() {
            match counterpart(&old, &new, media) {
                Some(found) => _ = both.insert((index, found)),
                None => removed.push(media),
            }
        }
        for (index, media) in after.iter().enumerate() {
            match counterpart(&new, &old, media) {
                Some(found) => _ = both.insert((found, index)),
                None => added.push(media),
            }
        }
        let both = both.into_iter();
        let both = both.filter_map(|(old, new)| Some((before.get(old)?, after.get(new)?)));
        MediaPairs {
            both: both.collect(),
            removed,
            added,
        }
    }
}

/// A media type, of a range if it is one, that satisfies a condition.
fn of_range(range: &str, is_one: impl Fn(&str) -> bool) -> Option<String> {
    let whole = essence(range);
    let Some((group, end)) = whole.split_once("/*") else {
        return Some(range.to_owned()).filter(|name| is_one(name));
    };
    let usual = USUAL.iter().filter(|usual| covers(range, usual));
    let example = (group != "*").then(|| format!("{group}/example{end}"));
    let mut all = usual.map(|usual| (*usual).to_owned()).chain(example);
    all.find(|name| is_one(name))
}

/// A media type of a range, to show it.
pub(crate) fn concrete(range: &str) -> String {
    of_range(range, |_| true).unwrap_or_else(|| range.to_owned())
}

/// Whether a range includes a media type, or another range.
pub(crate) fn covers(range: &str, name: &str) -> bool {
    let (range, name) = (essence(range), essence(name));
    let (Some((group, end)), Some((own, subtype))) = (range.split_once("/*"), name.split_once('/'))
    else {
        return false;
    };
    group == "*" || (group == own && subtype.ends_with(end))
}

/// A media type without its parameters, in lower case (RFC 9110 §8.3.1).
pub(crate) fn essence(media_type: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or(media_type);
    essence.trim().to_ascii_lowercase()
}
