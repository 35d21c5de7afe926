//! The content security policies of pages (Content Security Policy Level 3).

/// A file that is not a page loads nothing.
pub(crate) const FILE: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// A page: style, icon and scripts of this server, none inline.
pub(crate) const PAGE: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A page with a form that asks this server, and as any page.
pub(crate) const FORM: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// A page of the documentation: as any page, with search, whose form and script ask this server.
pub(crate) const DOCS: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The explorer loads scripts of this server only, none inline, and sends requests to this server
/// alone. Inline styles are allowed, because the viewer's editor writes its own; they cannot leak data,
/// because nothing loads from elsewhere.
pub(crate) const EXPLORER: &str = "default-src 'none'; script-src 'self'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
