//! Routing: finds the operation of a request.
//!
//! Templates form a tree by segment. A literal segment goes before one with
//! parameters; where the rest of the path then leads to no operation with the
//! method, the next is tried. A search visits each node of the tree at most
//! once, so the time is bounded by the size of the contract. There is no magic of slashes:
//! `/cats/` and `/cats` are different paths. Operations of the same method and
//! path are told apart by their conditions on the query and the headers, and by
//! the media types that they take.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, Method, Uri};

use crate::http::captures::Captures;
use crate::http::media;
use crate::http::operation::Operation;
use crate::http::segment::{Segment, canonical, segments};

/// Where a request leads, among operations that are named by an `Id`.
#[derive(Debug)]
pub enum Routed<Id = &'static Operation> {
    /// To an operation.
    Found {
        /// The operation; that of `GET` for a `HEAD` without an operation of
        /// its own.
        operation: Id,
        /// The values of the path parameters.
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

impl<Id: Copy + Into<&'static Operation>> Routed<Id> {
    /// The operation that was found.
    #[must_use]
    pub fn operation(&self) -> Option<&'static Operation> {
        match self {
            Self::Found { operation, .. } => Some((*operation).into()),
            Self::NoMethod { .. } | Self::NoRoute => None,
        }
    }
}

/// The routes of operations that are named by an `Id`: of a contract, its
/// enum of operations, or the entries of its table themselves.
#[derive(Debug)]
pub struct Router<Id = &'static Operation> {
    root: Node<Id>,
}

#[derive(Debug)]
struct Node<Id> {
    literals: BTreeMap<String, Node<Id>>,
    /// The most specific first.
    patterns: BTreeMap<Segment, Node<Id>>,
    endpoints: Vec<Endpoint<Id>>,
}

#[derive(Debug)]
struct Endpoint<Id> {
    id: Id,
    operation: &'static Operation,
    /// The names of the parameters, in the order of capture. Two templates
    /// may share a node and name their parameters differently.
    names: Vec<&'static str>,
    /// Whether several of them are in one segment.
    is_shared: bool,
}

impl<Id: Copy + Into<&'static Operation>> Router<Id> {
    /// The routes of `operations`.
    #[must_use]
    pub fn new(operations: impl IntoIterator<Item = Id>) -> Self {
        let mut root = Node::default();
        for id in operations {
            let operation: &'static Operation = id.into();
            if !operation.served {
                continue;
            }
            let mut names = Vec::new();
            let mut is_shared = false;
            let mut node = &mut root;
            for template in segments(operation.base_path).chain(segments(operation.path)) {
                let (segment, captured) = Segment::parse(template);
                is_shared |= captured.len() > 1;
                names.extend(captured);
                node = node.child(segment);
            }
            node.endpoints.push(Endpoint {
                id,
                operation,
                names,
                is_shared,
            });
        }
        Self { root }
    }

    /// Finds the operation for a request line and headers.
    #[must_use]
    pub fn find(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Routed<Id> {
        let path = uri.path();
        let mut ranges = Vec::new();
        let Some(rest) = path.strip_prefix('/') else {
            return Routed::NoRoute;
        };
        let has_method = &mut |node: &Node<Id>| node.has(method);
        let Some(node) = self.root.find(path, rest, &mut ranges, has_method) else {
            return self.without_method(path, rest);
        };
        let Some(endpoint) = node.endpoint(method, uri.query(), headers) else {
            return Routed::NoRoute;
        };
        let captures = match uri.path_and_query() {
            Some(path) if !ranges.is_empty() => Captures::new(
                path.clone(),
                endpoint.names.iter().copied().zip(ranges).collect(),
                endpoint.is_shared.then_some(endpoint.operation),
            ),
            _ => Some(Captures::default()),
        };
        let found = |captures| Routed::Found {
            operation: endpoint.id,
            captures,
        };
        captures.map_or(Routed::NoRoute, found)
    }

    /// The routing of a path that has no operation with the method: the methods of all its templates are allowed.
    fn without_method(&self, path: &str, rest: &str) -> Routed<Id> {
        let mut methods = BTreeSet::new();
        let none = &mut |node: &Node<Id>| {
            methods.extend(node.methods());
            false
        };
        self.root.find(path, rest, &mut Vec::new(), none);
        if methods.is_empty() {
            return Routed::NoRoute;
        }
        if methods.contains("GET") {
            methods.insert("HEAD");
        }
        let methods: Vec<&str> = methods.into_iter().collect();
        Routed::NoMethod {
            allow: methods.join(", "),
        }
    }
}

impl<Id> Default for Node<Id> {
    fn default() -> Self {
        Self {
            literals: BTreeMap::new(),
            patterns: BTreeMap::new(),
            endpoints: Vec::new(),
        }
    }
}

impl<Id> Node<Id> {
    fn child(&mut self, segment: Segment) -> &mut Self {
        match segment.literal() {
            Some(text) => self.literals.entry(text.to_owned()).or_default(),
            None => self.patterns.entry(segment).or_default(),
        }
    }

    /// The first node that the rest of a path leads to and that is taken;
    /// `path` is the whole path, which captures are ranges of.
    fn find<'n>(
        &'n self,
        path: &str,
        rest: &str,
        ranges: &mut Vec<Range<usize>>,
        takes: &mut impl FnMut(&Self) -> bool,
    ) -> Option<&'n Self> {
        // Segments are short: looking at their bytes one by one is the quickest.
        let end = rest.bytes().position(|byte| byte == b'/');
        let cut = end.and_then(|end| Some((rest.get(..end)?, rest.get(end + 1..)?)));
        let (segment, rest) = match cut {
            Some((segment, rest)) => (segment, Some(rest)),
            None => (rest, None),
        };
        let mut follow = |node: &'n Self, ranges: &mut Vec<_>| match rest {
            Some(rest) => node.find(path, rest, ranges, takes),
            None => takes(node).then_some(node),
        };
        let literal = self.literals.get(canonical(segment).as_ref());
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

    /// The operations with a method; those of `GET` for a `HEAD` without one
    /// of its own.
    fn with(&self, method: &Method) -> impl Iterator<Item = &Endpoint<Id>> {
        let own = |method: &Method| self.endpoints.iter().any(|e| e.operation.method == *method);
        let instead = *method == Method::HEAD && !own(method);
        let wanted = if instead { Method::GET } else { method.clone() };
        self.endpoints
            .iter()
            .filter(move |endpoint| endpoint.operation.method == wanted)
    }

    fn has(&self, method: &Method) -> bool {
        self.with(method).next().is_some()
    }

    /// Of the operations whose requirements are met, the one with the
    /// most; of several, the one that the body suits best.
    fn endpoint(
        &self,
        method: &Method,
        query: Option<&str>,
        headers: &HeaderMap,
    ) -> Option<&Endpoint<Id>> {
        let mut asked = self.with(method).filter(|endpoint| {
            let mut required = endpoint.operation.matchers.iter();
            required.all(|matcher| matcher.is_met(query, headers))
        });
        let first = asked.next()?;
        let rank = |endpoint: &Endpoint<Id>| {
            let operation = endpoint.operation;
            (operation.matchers.len(), suits(operation, headers))
        };
        Some(asked.fold(
            first,
            |best, next| {
                if rank(next) > rank(best) { next } else { best }
            },
        ))
    }

    fn methods(&self) -> impl Iterator<Item = &'static str> {
        let endpoints = self.endpoints.iter();
        endpoints.map(|endpoint| endpoint.operation.method.as_str())
    }
}

/// How well an operation and the body of a request suit each other, to compare.
fn suits(operation: &Operation, headers: &HeaderMap) -> u8 {
    let consumes = operation.consumes;
    match headers.contains_key(CONTENT_TYPE) {
        true if media::consumed(headers, consumes).is_some() => 2,
        true => u8::from(consumes.is_empty()),
        false if consumes.is_empty() => 2,
        false => u8::from(!operation.body_required),
    }
}
