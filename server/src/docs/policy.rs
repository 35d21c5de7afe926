//! What pages may do in a browser (Content Security Policy Level 3).

/// A file that is no page: nothing.
pub(super) const FILE: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// A guide: its own style and icon.
pub(super) const GUIDE: &str = "default-src 'none'; style-src 'self'; img-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The styles that the viewer puts into its page without the nonce. They are constant for its
/// version; the browser test names those that are missing here.
const VIEWER_STYLES: [&str; 4] = [
    "'sha256-DLlkYCuDYGe6ME23YkUFB7Tc36rGDeo4mVBFbZX3uaU='",
    "'sha256-rO+6k1mDRASa9Q8IQu9I3bF+bjRdxDreAZCyGSaxzeI='",
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
    "'sha256-ZW1GSuo0pKyEx5Ar7ZC5Dflb/mjatjeTW9aVx0iZAzE='",
];

/// The reference: scripts of this server, styles that carry the nonce, and requests to this server.
/// Attributes of style cannot be told apart from each other, but can load nothing either.
pub(super) fn reference(nonce: &str) -> String {
    let styles = VIEWER_STYLES.join(" ");
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}' {styles}; \
         style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}
