//! `sitemap.xml`: the addresses of the public pages, for search engines (<https://www.sitemaps.org/protocol.html>).

use std::fmt::Write as _;

use crate::site::{Page, SiteInfo, policy};
use features::catalogue::Snapshot;

/// The most addresses: the protocol allows 50,000. Charities beyond it are found through `/charities`.
const MAX: usize = 50_000;

const XML: &str = "application/xml; charset=utf-8";

/// The pages that are not in `documentation`.
const PAGES: [&str; 3] = ["/", "/charities", "/status"];

/// The sitemap of a catalog. Slugs and paths have no characters that XML reserves.
pub(super) fn page(info: &SiteInfo, documentation: &[String], snapshot: &Snapshot) -> Page {
    let pages = PAGES
        .into_iter()
        .chain(documentation.iter().map(String::as_str));
    let charities = snapshot.charities.slugs();
    let charities = charities.map(|slug| format!("/charities/{slug}"));
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                   <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
        .to_owned();
    for path in pages.map(str::to_owned).chain(charities).take(MAX) {
        let _ = writeln!(xml, "<url><loc>{}{path}</loc></url>", info.site());
    }
    xml.push_str("</urlset>\n");
    Page::new(XML, policy::FILE, xml)
}
