//! The changelog page: the version of the contract that this server implements, and what `CHANGELOG.md` says of the
//! API.

use askama::Template;

use super::contract::CONTRACT;
use super::markdown;
use super::sidebar::Sidebar;
use crate::site::{Page, PageError, Shell, SiteInfo, policy};

const CHANGELOG: &str = include_str!("../../../../CHANGELOG.md");

#[derive(Template)]
#[template(path = "docs/changelog.html")]
struct ChangelogPage<'a> {
    shell: Shell<'a>,
    sidebar: Sidebar<'a>,
    version: &'a str,
    is_released: bool,
    content: &'a str,
}

pub(super) fn page(info: &SiteInfo, path: &str) -> Result<Page, PageError> {
    let page = ChangelogPage {
        shell: Shell::public(info, path),
        sidebar: Sidebar::of("changelog"),
        version: &CONTRACT.version,
        is_released: !CHANGELOG.contains(UNRELEASED),
        content: &markdown::html(&of_api(CHANGELOG)),
    };
    Ok(Page::html(policy::DOCS, page.render()?))
}

/// What follows the version in the heading of one that is not released.
const UNRELEASED: &str = ", unreleased";

/// The section of each release that callers need; the others are for those who run a server.
const API: &str = "API";

/// The headings of the releases, each with its section about the API.
fn of_api(changelog: &str) -> String {
    let releases = changelog.split("\n## ").skip(1);
    let told = releases.filter_map(|release| {
        let mut sections = release.split("\n### ");
        let heading = sections.next()?.trim().trim_end_matches(UNRELEASED);
        let api = sections.find_map(|section| section.strip_prefix(API))?;
        Some(format!("## {heading}\n\n{}\n\n", api.trim()))
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_told_by_its_section_about_the_api() {
        let changelog = "# Changelog\n\n## 2.0.0\n\n### API\n\n- a\n\n### Added\n\n- b\n\n## 1.0.0\n\n### Added\n\n- c\n";
        assert_eq!(of_api(changelog), "## 2.0.0\n\n- a\n\n");
    }

    #[test]
    fn the_newest_release_is_the_version_of_the_contract() {
        let newest = of_api(CHANGELOG);
        assert!(newest.starts_with(&format!("## {}\n", CONTRACT.version)));
        assert!(newest.contains("CONFIG_QUOTA_EXCEEDED"));
    }
}
