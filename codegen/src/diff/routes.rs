//! Which path of a contract a request is for. Templates are matched, and go before each other, as they do in
//! generated servers (OpenAPI 3.1.1 §4.8.8.2 leaves it to them where more than one has parameters).

#[path = "../../runtime/src/route_segment.rs"]
mod route_segment;

use percent_encoding::percent_decode_str;
use route_segment::Segment;
use std::collections::{BTreeMap, HashMap};

/// A path as servers look for it. The lesser of those that take a request is the one that it is for:
/// from the left, a literal segment goes before one with parameters.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Route(Vec<(IsPattern, Segment)>);

type IsPattern = bool;

/// The routes of a contract's operations, in their order.
#[derive(Default)]
pub(super) struct Routes {
    all: Vec<Route>,
    /// The places of those with the same segments literal, by the texts of these.
    alike: BTreeMap<Vec<IsPattern>, HashMap<String, Vec<usize>>>,
}

impl Routes {
    /// The routes of templates.
    pub(super) fn of(templates: impl Iterator<Item = String>) -> Routes {
        let mut routes = Routes::default();
        for (place, template) in templates.enumerate() {
            let route = Route::of(&template);
            let shape: Vec<IsPattern> = route.0.iter().map(|(is_pattern, _)| *is_pattern).collect();
            let texts = route
                .0
                .iter()
                .map(|(_, own)| own.literal().unwrap_or_default());
            let of_texts = literals(&shape, texts);
            let known = routes.alike.entry(shape).or_default();
            known.entry(of_texts).or_default().push(place);
            routes.all.push(route);
        }
        routes
    }

    /// The places of the operations of the path that a request is for.
    pub(super) fn asked(&self, path: &str) -> Vec<usize> {
        let sent: Vec<&str> = path.split('/').collect();
        let texts = sent
            .iter()
            .map(|text| percent_decode_str(text).decode_utf8_lossy());
        let texts: Vec<_> = texts.collect();
        let of_length = self
            .alike
            .iter()
            .filter(|(shape, _)| shape.len() == sent.len());
        let likely = of_length.filter_map(|(shape, known)| {
            known.get(&literals(shape, texts.iter().map(|text| &**text)))
        });
        let likely = likely
            .flatten()
            .filter_map(|place| Some((self.all.get(*place)?, *place)));
        let taking: Vec<_> = likely.filter(|(route, _)| route.takes(&sent)).collect();
        let first = taking.iter().map(|(route, _)| *route).min();
        let of_it = taking.iter().filter(|(route, _)| Some(*route) == first);
        of_it.map(|(_, place)| *place).collect()
    }
}

/// The texts of the segments that are literal.
fn literals<'t>(shape: &[IsPattern], texts: impl Iterator<Item = &'t str>) -> String {
    let own = shape
        .iter()
        .zip(texts)
        .filter(|(is_pattern, _)| !**is_pattern);
    own.map(|(_, text)| text).collect::<Vec<_>>().join("/")
}

impl Route {
    /// The route of a template.
    fn of(template: &str) -> Route {
        let segments = template.split('/').map(|segment| {
            let (segment, _) = Segment::parse(segment);
            (segment.literal().is_none(), segment)
        });
        Route(segments.collect())
    }

    /// Whether the segments of a path as it is sent are one of its.
    fn takes(&self, sent: &[&str]) -> bool {
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
