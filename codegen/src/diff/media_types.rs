//! Which entries of two contents are of the same bodies.

use super::content::essence;
use super::ranges::{takes_in, within};
use crate::document::{Media, canonical};
use std::ptr;

/// How near an entry is to a media type. Of several, only the nearest applies (OpenAPI 3.1.1 §4.8.13.1
/// and §4.8.17.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    Same,
    /// It has no parameters.
    Bare,
    /// It has other parameters, which tell media types apart and rule none out.
    Parameters,
    /// A range such as `image/*`.
    Range,
    /// `*/*`.
    Any,
}

impl Nearness {
    fn of(entry: &Media, name: &str) -> Option<Nearness> {
        let (own, bare) = (canonical(&entry.media_type), essence(&entry.media_type));
        if own == canonical(name) {
            Some(Nearness::Same)
        } else if bare == essence(name) {
            Some(if own == bare {
                Nearness::Bare
            } else {
                Nearness::Parameters
            })
        } else if bare == "*/*" {
            Some(Nearness::Any)
        } else {
            takes_in(&bare, name).then_some(Nearness::Range)
        }
    }
}

/// What another content says of the bodies of an entry.
pub(super) struct Counterparts<'m> {
    /// The entry for all of them that none of `parts` is of.
    pub(super) whole: Option<&'m Media>,
    /// Those for some of a range.
    pub(super) parts: Vec<&'m Media>,
}

impl<'m> Counterparts<'m> {
    pub(super) fn of(media: &Media, own: &[Media], others: &'m [Media]) -> Counterparts<'m> {
        let is_of_it = |part: &&Media| applies(media, own, &part.media_type);
        let whole = counterpart(media, own, others);
        let is_whole = |part: &Media| whole.is_some_and(|whole| ptr::eq(whole, part));
        let parts = within(&media.media_type, others).filter(is_of_it);
        Counterparts {
            whole,
            parts: parts.filter(|part| !is_whole(part)).collect(),
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &'m Media> {
        self.whole.into_iter().chain(self.parts.iter().copied())
    }

    pub(super) fn have(&self, media: &Media) -> bool {
        self.all().any(|one| ptr::eq(one, media))
    }
}

/// Each entry of a content with what another one says of its bodies.
pub(super) fn paired<'m>(
    own: &'m [Media],
    others: &'m [Media],
) -> impl Iterator<Item = (&'m Media, Counterparts<'m>)> {
    own.iter()
        .map(|media| (media, Counterparts::of(media, own, others)))
}

/// The entry that says what a media type is, or a range as a whole.
pub(super) fn find<'m>(content: &'m [Media], name: &str) -> Option<&'m Media> {
    nearest(content, name, |_| true)
}

/// Whether it is that entry.
pub(super) fn applies(entry: &Media, content: &[Media], name: &str) -> bool {
    find(content, name).is_some_and(|found| ptr::eq(found, entry))
}

/// What stands in another content for an entry as a whole: the nearest, but for one with other
/// parameters where that is what another entry has become.
pub(super) fn counterpart<'m>(
    media: &Media,
    own: &[Media],
    others: &'m [Media],
) -> Option<&'m Media> {
    let is_alike = |other: &Media| essence(&other.media_type) == essence(&media.media_type);
    let is_taken = |other: &Media| {
        let name = &other.media_type;
        let mut rivals = own.iter().filter(|one| !ptr::eq(*one, media));
        rivals.any(|one| Nearness::of(one, name) == Some(Nearness::Same))
    };
    let is_candidate = |other: &Media| !(is_alike(other) && is_taken(other));
    nearest(others, &media.media_type, is_candidate)
}

fn nearest<'m>(
    content: &'m [Media],
    name: &str,
    is_candidate: impl Fn(&Media) -> bool,
) -> Option<&'m Media> {
    let candidates = content.iter().filter(|entry| is_candidate(entry));
    let known = candidates.filter_map(|entry| Some((Nearness::of(entry, name)?, entry)));
    let nearest = known.min_by_key(|(nearness, _)| *nearness);
    nearest.map(|(_, entry)| entry)
}
