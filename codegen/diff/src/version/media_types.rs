//! Media types: which entries of two `content` objects describe the same bodies, and ranges such as `image/*`
//! (RFC 9110 §12.5.1) or `application/*+json` (RFC 6838 §4.2.8), none of which is ever sent itself.

use codegen::openapi::{Media, canonical};
use std::collections::HashMap;
use std::ptr;

/// The entries of a `content` object by their media types. Of several that match a body, the most specific
/// applies (OpenAPI 3.1.1 §4.8.13.1 and §4.8.17.1).
struct Index {
    same: HashMap<String, usize>,
    /// Those without parameters, or else the first with other parameters.
    alike: HashMap<String, usize>,
}

impl Index {
    fn of(content: &[Media], is_taken: impl Fn(&str) -> bool) -> Index {
        let (mut same, mut alike) = (HashMap::new(), HashMap::new());
        for (place, entry) in content.iter().enumerate() {
            let (name, bare) = (canonical(&entry.media_type), essence(&entry.media_type));
            if !is_taken(&name) {
                let known = *alike.entry(bare.clone()).or_insert(place);
                alike.insert(bare.clone(), if name == bare { place } else { known });
            }
            same.insert(name, place);
        }
        Index { same, alike }
    }

    fn nearest(&self, name: &str) -> Option<usize> {
        let bare = essence(name);
        let group = bare.split('/').next().unwrap_or_default();
        let suffix = bare
            .rsplit_once('+')
            .map(|(_, suffix)| format!("{group}/*+{suffix}"));
        let ranges = [format!("{group}/*"), "*/*".to_owned()];
        let mut ranges = suffix.into_iter().chain(ranges);
        let own = self.same.get(&canonical(name));
        let own = own.or_else(|| self.alike.get(&bare));
        let nearest = own.or_else(|| ranges.find_map(|range| self.same.get(&range)));
        nearest.copied()
    }
}

/// The entries of another version for the bodies of an entry.
pub(crate) struct Counterparts<'m> {
    /// The entry for all of them but those of `parts`.
    pub(crate) whole: Option<&'m Media>,
    /// The entries for some media types of a range.
    pub(crate) parts: Vec<&'m Media>,
    /// Without an entry for all of them, the one with other parameters that they may be taken for.
    pub(crate) fallback: Option<&'m Media>,
}

impl<'m> Counterparts<'m> {
    pub(crate) fn all(&self) -> impl Iterator<Item = &'m Media> {
        self.whole.into_iter().chain(self.parts.iter().copied())
    }

    /// The entries by which their bodies may be read.
    pub(crate) fn readings(&self) -> impl Iterator<Item = &'m Media> {
        self.all().chain(self.fallback)
    }

    pub(crate) fn have(&self, media: &Media) -> bool {
        self.all().any(|one| ptr::eq(one, media))
    }
}

/// Each entry of a version with its counterparts in the other one. An entry with other parameters is no
/// counterpart if it is the same as another entry.
pub(crate) fn paired<'m>(
    own: &'m [Media],
    others: &'m [Media],
) -> Vec<(&'m Media, Counterparts<'m>)> {
    let known = Index::of(own, |_| false);
    let theirs = Index::of(others, |name| known.same.contains_key(name));
    let shared = Index::of(others, |_| false);
    let entry = |index: &Index, media: &Media| others.get(index.nearest(&media.media_type)?);
    let alone = own.iter().map(|media| {
        let whole = entry(&theirs, media);
        let now = Counterparts {
            whole,
            parts: Vec::new(),
            fallback: entry(&shared, media).filter(|_| whole.is_none()),
        };
        (media, now)
    });
    let mut paired: Vec<_> = alone.collect();
    for part in others {
        let nearest = known.nearest(&part.media_type);
        let nearest = nearest.and_then(|place| paired.get_mut(place));
        let of_range = nearest.filter(|(media, _)| covers(&media.media_type, &part.media_type));
        if let Some((_, theirs)) = of_range.filter(|(_, theirs)| !theirs.have(part)) {
            theirs.parts.push(part);
        }
    }
    paired
}

/// The entry that applies to a media type or a whole range.
pub(crate) fn find<'m>(content: &'m [Media], name: &str) -> Option<&'m Media> {
    content.get(Index::of(content, |_| false).nearest(name)?)
}

/// Whether an entry is the one that applies to a media type.
pub(crate) fn applies(entry: &Media, content: &[Media], name: &str) -> bool {
    find(content, name).is_some_and(|found| ptr::eq(found, entry))
}
/// The media types that are shown for a range.
const USUAL: [&str; 5] = [
    "text/plain",
    "application/octet-stream",
    "image/png",
    "audio/mpeg",
    "video/mp4",
];

/// A media type, of a range if it is one, that a `content` object does not have.
pub(crate) fn outside(range: &str, content: &[Media]) -> Option<String> {
    of_range(range, |name| find(content, name).is_none())
}

/// A media type, of a range if it is one, that satisfies a condition.
pub(crate) fn of_range(range: &str, is_one: impl Fn(&str) -> bool) -> Option<String> {
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

/// The entries for media types of a range.
pub(crate) fn within<'m>(range: &str, content: &'m [Media]) -> impl Iterator<Item = &'m Media> {
    content
        .iter()
        .filter(move |media| covers(range, &media.media_type))
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
