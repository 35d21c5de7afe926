//! A request after its routing, with all that its response depends on.

use axum_core::body::Body;
use http::request::Parts;
use http::{Method, Request};

use crate::http::operation::Operation;
use crate::service::answer;
use crate::service::body::{UnreadBody, track};
use crate::service::matched::Matched;
use crate::service::router::{Routed, Router};

/// A request that was routed and not yet admitted.
///
/// It is large, and passes through several futures. Each of these would have
/// room for it twice, as an argument and as a variable; so it
/// stands in a box of its own, and the futures stay small enough to be
/// allocated and moved at little cost.
pub(crate) struct RoutedRequest<Id> {
    pub(crate) matched: Matched,
    pub(crate) routed: Routed<Id>,
    pub(crate) parts: Parts,
    /// TrackedBody, where it is not empty.
    pub(crate) body: Body,
}

/// The facts about a request that its response depends on, kept while the
/// request itself is with the handler.
pub(crate) struct ResponseContext {
    pub(crate) is_head: bool,
    /// Whether the client waits to be asked for the body, if there is one.
    pub(crate) expects_continue: bool,
    /// The rest that the handler leaves of the body; `None` for an empty body.
    pub(crate) unread: Option<UnreadBody>,
}

/// Routes a request.
pub(crate) fn receive<Id: Copy + Into<&'static Operation>>(
    request: Request<Body>,
    router: &Router<Id>,
) -> (Box<RoutedRequest<Id>>, ResponseContext) {
    let (parts, body) = request.into_parts();
    let (body, unread) = track(body);
    let context = ResponseContext {
        is_head: parts.method == Method::HEAD,
        expects_continue: unread.is_some() && answer::expects_continue(&parts.headers),
        unread,
    };
    let routed = router.find(&parts.method, &parts.uri, &parts.headers);
    let request = Box::new(RoutedRequest {
        matched: Matched::new(routed.operation(), &parts.method),
        routed,
        parts,
        body,
    });
    (request, context)
}
