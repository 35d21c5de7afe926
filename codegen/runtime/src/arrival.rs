//! A request from its arrival to the call of its operation.

use axum::body::Body;
use http::request::Parts;
use http::{Method, Request};

use super::answer;
use super::body::{Lender, lend};
use super::matched::Matched;
use super::route::{Routed, Router};

/// A request that was routed and not yet admitted.
///
/// It is large, and passes through several futures. Each of these would have
/// room for it twice, as what it was called with and as a variable; so it
/// stands in a box of its own, and the futures stay small enough to be
/// allocated and moved at little cost.
pub(super) struct Arrival {
    pub(super) matched: Matched,
    pub(super) routed: Routed,
    pub(super) parts: Parts,
    /// Lent, where it is not empty.
    pub(super) body: Body,
}

/// What is remembered of a request to end its answer, when the request itself
/// has gone to the handler.
pub(super) struct Remembered {
    pub(super) is_head: bool,
    pub(super) expects_continue: bool,
    /// Of whom the body was lent; `None` where it was empty.
    pub(super) lender: Option<Lender>,
}

/// Routes a request.
pub(super) fn arrive(request: Request<Body>, router: &Router) -> (Box<Arrival>, Remembered) {
    let (parts, body) = request.into_parts();
    let (body, lender) = lend(body);
    let remembered = Remembered {
        is_head: parts.method == Method::HEAD,
        expects_continue: answer::expects_continue(&parts.headers),
        lender,
    };
    let routed = router.find(&parts.method, &parts.uri, &parts.headers);
    let arrival = Box::new(Arrival {
        matched: Matched::new(routed.operation(), &parts.method),
        routed,
        parts,
        body,
    });
    (arrival, remembered)
}
