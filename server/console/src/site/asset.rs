//! The files that pages are made of, below `/assets/`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::page::Page;
use super::policy;

/// The viewer of the explorer.
pub(crate) const VIEWER: &str = "scalar-api-reference-1.72.1.js";

static VIEWER_GZIP: &[u8] = include_bytes!("../../assets/viewer/scalar-api-reference-1.72.1.js.gz");

const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";

/// A file of `server/console/assets` with its name.
macro_rules! file {
    ($name:literal, $kind:expr) => {
        (
            $name,
            Page::new(
                $kind,
                policy::FILE,
                &include_bytes!(concat!("../../assets/", $name))[..],
            ),
        )
    };
}

static ASSETS: LazyLock<BTreeMap<&str, Page>> = LazyLock::new(|| {
    BTreeMap::from([
        (
            VIEWER,
            Page::compressed(JAVASCRIPT, policy::FILE, VIEWER_GZIP),
        ),
        file!("explorer.js", JAVASCRIPT),
        file!("explorer.css", CSS),
        file!("search.js", JAVASCRIPT),
        file!("docs.css", CSS),
        file!("copy.js", JAVASCRIPT),
        file!("once.js", JAVASCRIPT),
        file!("passkeys.js", JAVASCRIPT),
        file!("refresh.js", JAVASCRIPT),
        file!("tabs.js", JAVASCRIPT),
        file!("theme.js", JAVASCRIPT),
        file!("time.js", JAVASCRIPT),
        file!("zone.js", JAVASCRIPT),
        file!("usage.css", CSS),
        file!("sidebar.js", JAVASCRIPT),
        file!("shares.js", JAVASCRIPT),
        file!("chart.css", CSS),
        file!("shell.css", CSS),
        file!("site.css", CSS),
        file!("dashboard.css", CSS),
        file!("icon.svg", SVG),
        file!("apple-touch-icon.png", PNG),
        file!("favicon.ico", "image/x-icon"),
    ])
});

/// The file of this name.
pub(crate) fn find(name: &str) -> Option<&'static Page> {
    ASSETS.get(name)
}

/// The version of a file, which changes with its content; that of an unknown file is empty.
pub(super) fn version(name: &str) -> &'static str {
    find(name).map_or("", Page::version)
}
