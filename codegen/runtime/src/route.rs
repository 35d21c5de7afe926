//! Which operation a request is for.
//!
//! Templates form a tree by segment. A literal segment goes before one with
//! parameters; where the rest of the path then leads nowhere, the next is
//! tried. Each node of the tree is visited at most once for a path, so the
//! time is bounded by the size of the contract. There is no magic of slashes:
//! `/cats/` and `/cats` are different paths.

use std::collections::BTreeMap;
use std::ops::Range;

use http::{Method, Uri};

use super::captures::{Captures, decode};
use super::operation::Operation;
use super::route_segment::Segment;

/// Where a request leads.
#[derive(Debug)]
pub enum Routed {
    /// To an operation.
    Found {
        /// The operation; that of `GET` for a `HEAD` without an operation of
        /// its own.
        operation: &'static Operation,
        /// What the path gave to its parameters.
        captures: Captures,
    },
    /// To a path that has no operation with the method.
    NoMethod {
        /// The methods that it has, as the `Allow` header lists them.
        allow: String,
    },
    /// Nowhere.
    NoRoute,
}

impl Routed {
    /// The operation that was found.
    #[must_use]
    pub const fn operation(&self) -> Option<&'static Operation> {
        match self {
            Self::Found { operation, .. } => Some(operation),
            Self::NoMethod { .. } | Self::NoRoute => None,
        }
    }
}

/// The routes of a contract.
#[derive(Debug)]
pub struct Router {
    root: Node,
}

#[derive(Debug, Default)]
struct Node {
    literals: BTreeMap<String, Node>,
    /// The most specific first.
    patterns: Vec<(Segment, Node)>,
    endpoints: Vec<Endpoint>,
}

#[derive(Debug)]
struct Endpoint {
    operation: &'static Operation,
    /// The names of the parameters, in the order of capture. Two templates
    /// may share a node and name their parameters differently.
    names: Vec<&'static str>,
}

impl Router {
    /// The routes of `operations`, whose paths are below `base_path`.
    #[must_use]
    pub fn new(base_path: &'static str, operations: &'static [Operation]) -> Self {
        let mut root = Node::default();
        for operation in operations {
            let mut names = Vec::new();
            let mut node = &mut root;
            for template in segments(base_path).chain(segments(operation.path)) {
                let (segment, captured) = Segment::parse(template);
                names.extend(captured);
                node = node.child(segment);
            }
            node.endpoints.push(Endpoint { operation, names });
        }
        Self { root }
    }

    /// Finds the operation for a request line.
    #[must_use]
    pub fn find(&self, method: &Method, uri: &Uri) -> Routed {
        let path = uri.path();
        let mut ranges = Vec::new();
        let Some(node) = path
            .strip_prefix('/')
            .and_then(|rest| self.root.find(path, rest, &mut ranges))
        else {
            return Routed::NoRoute;
        };
        let Some(endpoint) = node.endpoint(method) else {
            return Routed::NoMethod {
                allow: node.allow(),
            };
        };
        let captures = match uri.path_and_query() {
            Some(path) if !ranges.is_empty() => Captures::new(
                path.clone(),
                endpoint.names.iter().copied().zip(ranges).collect(),
            ),
            _ => Captures::default(),
        };
        Routed::Found {
            operation: endpoint.operation,
            captures,
        }
    }
}

impl Node {
    fn child(&mut self, segment: Segment) -> &mut Self {
        if let Some(text) = segment.literal() {
            return self.literals.entry(text.to_owned()).or_default();
        }
        let weight = segment.weight();
        let index = match self
            .patterns
            .iter()
            .position(|(other, _)| *other == segment)
        {
            Some(index) => index,
            None => {
                let index = self
                    .patterns
                    .partition_point(|(other, _)| other.weight() >= weight);
                self.patterns.insert(index, (segment, Self::default()));
                index
            }
        };
        #[expect(
            clippy::indexing_slicing,
            reason = "the index was found or inserted just above"
        )]
        &mut self.patterns[index].1
    }

    /// The node that the rest of a path leads to; `path` is the whole path,
    /// which captures are ranges of.
    fn find<'n>(
        &'n self,
        path: &str,
        rest: &str,
        ranges: &mut Vec<Range<usize>>,
    ) -> Option<&'n Self> {
        let (segment, rest) = match rest.split_once('/') {
            Some((segment, rest)) => (segment, Some(rest)),
            None => (rest, None),
        };
        let follow = |node: &'n Self, ranges: &mut Vec<_>| match rest {
            Some(rest) => node.find(path, rest, ranges),
            None => (!node.endpoints.is_empty()).then_some(node),
        };
        let literal = decode(segment)
            .ok()
            .and_then(|text| self.literals.get(text.as_ref()));
        if let Some(found) = literal.and_then(|node| follow(node, ranges)) {
            return Some(found);
        }
        let start = path.len() - rest.map_or(0, |rest| rest.len() + 1) - segment.len();
        let kept = ranges.len();
        for (pattern, node) in &self.patterns {
            let Some(captured) = pattern.captures(segment) else {
                continue;
            };
            ranges.extend(
                captured
                    .into_iter()
                    .map(|range| start + range.start..start + range.end),
            );
            if let Some(found) = follow(node, ranges) {
                return Some(found);
            }
            ranges.truncate(kept);
        }
        None
    }

    fn endpoint(&self, method: &Method) -> Option<&Endpoint> {
        let by = |method: &Method| {
            self.endpoints
                .iter()
                .find(|e| e.operation.method == *method)
        };
        by(method).or_else(|| {
            if method == Method::HEAD {
                by(&Method::GET)
            } else {
                None
            }
        })
    }

    fn allow(&self) -> String {
        let mut methods: Vec<_> = self
            .endpoints
            .iter()
            .map(|e| e.operation.method.as_str())
            .collect();
        if methods.contains(&"GET") && !methods.contains(&"HEAD") {
            methods.push("HEAD");
        }
        methods.sort_unstable();
        methods.dedup();
        methods.join(", ")
    }
}

/// The segments of a template; none for the empty one.
fn segments(template: &'static str) -> impl Iterator<Item = &'static str> {
    let below = template.strip_prefix('/').unwrap_or(template);
    template
        .strip_prefix('/')
        .map(|_| below.split('/'))
        .into_iter()
        .flatten()
}
