//! Which path of a contract a request is for. Templates are matched, and go before each other, as they do in
//! generated servers (OpenAPI 3.1.1 §4.8.8.2 leaves it to them where more than one has parameters).

#[path = "../../runtime/src/route_segment.rs"]
mod route_segment;

use percent_encoding::percent_decode_str;
use route_segment::Segment;

/// A path as servers look for it. The lesser of those that take a request is the one that it is for:
/// from the left, a literal segment goes before one with parameters.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Route(Vec<(IsPattern, Segment)>);

type IsPattern = bool;

impl Route {
    /// The route of a template.
    pub(super) fn of(template: &str) -> Route {
        let segments = template.split('/').map(|segment| {
            let (segment, _) = Segment::parse(segment);
            (segment.literal().is_none(), segment)
        });
        Route(segments.collect())
    }

    /// Whether the segments of a path as it is sent are one of its.
    pub(super) fn takes(&self, sent: &[&str]) -> bool {
        let mut pairs = self.0.iter().zip(sent);
        self.0.len() == sent.len() && pairs.all(|((_, own), sent)| is_taken(own, sent))
    }
}

fn is_taken(segment: &Segment, sent: &str) -> bool {
    match segment.literal() {
        Some(text) => percent_decode_str(sent).decode_utf8_lossy() == text,
        None => segment.captures(sent).is_some(),
    }
}

/// The names of a template's segment, each with the text that it stands for where the segment is that one.
pub(super) fn captures<'t>(template: &'t str, sent: &str) -> Vec<(&'t str, String)> {
    let (segment, names) = Segment::parse(template);
    let ranges = segment.captures(sent).unwrap_or_default();
    let texts = ranges.into_iter().filter_map(|range| sent.get(range));
    let decoded = |text| percent_decode_str(text).decode_utf8_lossy().into_owned();
    names.into_iter().zip(texts.map(decoded)).collect()
}
