//! The content security policies of pages (Content Security Policy Level 3).

/// A file that is no page: nothing.
pub(super) const FILE: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// A guide: its own style and icon.
pub(super) const GUIDE: &str = "default-src 'none'; style-src 'self'; img-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The reference: scripts of this server, none that a text could smuggle in, and requests to this
/// server alone. Styles may be inline, because the viewer's editor writes its own as it is used; with
/// nothing to load from elsewhere they have nowhere to tell anything to.
pub(super) const REFERENCE: &str = "default-src 'none'; script-src 'self'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
