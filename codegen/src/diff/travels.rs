//! How bodies travel, by the media types that describe them.

use super::arriving::{Lists, Travels};
use super::content::{essence, is_bytes};
use super::judge::Judge;
use super::ranges::takes_in;
use super::view::Direction;
use crate::openapi::{Media, is_text};

impl<'a> Judge<'a> {
    /// How what is described by two media types travels: as forms, texts or bytes, where they are such.
    pub(super) fn travels(&self, direction: Direction, old: &Media, new: &Media) -> Travels<'a> {
        match (direction, self.before.fields(old), self.after.fields(new)) {
            (Direction::Request, Some(old), Some(new)) => Travels::Form(old, new),
            (Direction::Response, Some(old), Some(new)) => Travels::Form(new, old),
            _ if is_one_text(old) && is_one_text(new) => Travels::Text(Lists::Apart),
            _ if self.is_taken_as_bytes(direction, old, new) => Travels::Bytes,
            _ => Travels::Json,
        }
    }

    /// Whether who reads a body asks no more of it than that it is bytes, as any of a range is.
    fn is_taken_as_bytes(&self, direction: Direction, old: &Media, new: &Media) -> bool {
        let before = (&self.before.view, old);
        let after = (&self.after.view, new);
        let (sent, read) = match direction {
            Direction::Request => (before, after),
            Direction::Response => (after, before),
        };
        let is_in_range = takes_in(&read.1.media_type, &sent.1.media_type);
        is_bytes(read.0, read.1) && (is_in_range || is_bytes(sent.0, sent.1))
    }
}

/// Whether a body is one text; the data of events are JSON.
fn is_one_text(media: &Media) -> bool {
    is_text(&media.media_type) && essence(&media.media_type) != "text/event-stream"
}
