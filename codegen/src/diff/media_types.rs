//! Which entries of two contents are of the same bodies.

use super::content::essence;
use super::ranges::takes_in;
use crate::openapi::{Media, canonical};
use std::collections::HashMap;
use std::ptr;

/// The entries of a content by their media types. Of several that a body is of, only the nearest
/// applies (OpenAPI 3.1.1 §4.8.13.1 and §4.8.17.1).
struct Index {
    same: HashMap<String, usize>,
    /// Those without parameters, or else the first of other parameters, which tell media types apart
    /// and rule none out.
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

/// What another content says of the bodies of an entry.
pub(super) struct Counterparts<'m> {
    /// The entry for all of them that none of `parts` is of.
    pub(super) whole: Option<&'m Media>,
    /// Those for some of a range.
    pub(super) parts: Vec<&'m Media>,
    /// Where no entry is for all of them, the one of other parameters that they are taken for, if they
    /// are taken at all. It is of the bodies of another entry, too.
    pub(super) instead: Option<&'m Media>,
}

impl<'m> Counterparts<'m> {
    pub(super) fn all(&self) -> impl Iterator<Item = &'m Media> {
        self.whole.into_iter().chain(self.parts.iter().copied())
    }

    /// All that their bodies may be read by.
    pub(super) fn readings(&self) -> impl Iterator<Item = &'m Media> {
        self.all().chain(self.instead)
    }

    pub(super) fn have(&self, media: &Media) -> bool {
        self.all().any(|one| ptr::eq(one, media))
    }
}

/// Each entry of a content with what another one says of its bodies. One with other parameters is not
/// said of it where it is what another entry has become.
pub(super) fn paired<'m>(
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
            instead: entry(&shared, media).filter(|_| whole.is_none()),
        };
        (media, now)
    });
    let mut paired: Vec<_> = alone.collect();
    for part in others {
        let nearest = known.nearest(&part.media_type);
        let nearest = nearest.and_then(|place| paired.get_mut(place));
        let of_range = nearest.filter(|(media, _)| takes_in(&media.media_type, &part.media_type));
        if let Some((_, theirs)) = of_range.filter(|(_, theirs)| !theirs.have(part)) {
            theirs.parts.push(part);
        }
    }
    paired
}

/// The entry that says what a media type is, or a range as a whole.
pub(super) fn find<'m>(content: &'m [Media], name: &str) -> Option<&'m Media> {
    content.get(Index::of(content, |_| false).nearest(name)?)
}

/// Whether it is that entry.
pub(super) fn applies(entry: &Media, content: &[Media], name: &str) -> bool {
    find(content, name).is_some_and(|found| ptr::eq(found, entry))
}
