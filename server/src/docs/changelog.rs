//! The changelog page: the version of the contract that this server implements, and `CHANGELOG.md`.

use askama::Template;

use super::contract::CONTRACT;
use super::markdown;
use super::sidebar::Sidebar;
use crate::site::{Page, PageError, Shell, SiteInfo, policy};

const CHANGELOG: &str = include_str!("../../../CHANGELOG.md");

#[derive(Template)]
#[template(path = "docs/changelog.html")]
struct ChangelogPage<'a> {
    shell: Shell<'a>,
    sidebar: Sidebar<'a>,
    version: &'a str,
    content: &'a str,
}

/// The changelog of a server.
pub(super) fn page(info: &SiteInfo, path: &str) -> Result<Page, PageError> {
    let page = ChangelogPage {
        shell: Shell::public(info, path),
        sidebar: Sidebar::of("changelog"),
        version: &CONTRACT.version,
        content: &markdown::html(releases(CHANGELOG)),
    };
    Ok(Page::html(policy::DOCS, page.render()?))
}

/// The releases, without the head of the file.
fn releases(changelog: &str) -> &str {
    let start = changelog.find("\n## ").unwrap_or_default();
    changelog.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_release_is_the_version_of_the_contract() {
        let newest = releases(CHANGELOG).trim_start();
        assert!(newest.starts_with(&format!("## {}", CONTRACT.version)));
    }
}
