//! The files that pages are made of.

use super::page::Page;
use super::policy;

/// The viewer of the reference; the name holds its version, so that no cache mixes two of them.
pub(super) const VIEWER: &str = "scalar-api-reference-1.72.1.js";

static VIEWER_GZIP: &[u8] = include_bytes!("../../docs/viewer/scalar-api-reference-1.72.1.js.gz");

const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// Every file with its name.
pub(super) fn all() -> [(&'static str, Page); 5] {
    let text = |kind, text: &'static str| Page::new(kind, policy::FILE, text);
    [
        (
            VIEWER,
            Page::compressed(JAVASCRIPT, policy::FILE, VIEWER_GZIP),
        ),
        (
            "reference.js",
            text(JAVASCRIPT, include_str!("../../docs/site/reference.js")),
        ),
        (
            "reference.css",
            text(CSS, include_str!("../../docs/site/reference.css")),
        ),
        (
            "site.css",
            text(CSS, include_str!("../../docs/site/site.css")),
        ),
        (
            "icon.svg",
            text("image/svg+xml", include_str!("../../docs/site/icon.svg")),
        ),
    ]
}
