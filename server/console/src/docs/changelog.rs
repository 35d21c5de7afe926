//! The changelog page: the version of the contract that this server implements, and what `CHANGELOG.md` says of the
//! API.

use askama::Template;
use jiff::civil::Date;

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
        is_released: !CHANGELOG.contains(&format!("## {}, {UNRELEASED}", CONTRACT.version)),
        content: &markdown::html(&of_api(CHANGELOG)),
    };
    Ok(Page::html(policy::DOCS, page.render()?))
}

/// The section of each release that callers need; the others are for those who run a server.
const API: &str = "API";

/// The date of a release that is not published yet.
const UNRELEASED: &str = "unreleased";

/// The headings of the releases, which are a version and a date, each with the parts of its section about the API.
fn of_api(changelog: &str) -> String {
    let releases = changelog.split("\n## ").skip(1);
    let releases = releases.filter_map(|release| {
        let mut sections = release.split("\n### ");
        let (version, date) = sections.next()?.trim().split_once(", ")?;
        let api = sections.find_map(|section| section.strip_prefix(API))?;
        // Its parts, such as *Added*, are sections of the release here.
        let parts = api.trim().replace("#### ", "### ");
        Some(format!("## {version}\n\n*{}*\n\n{parts}\n\n", day(date)))
    });
    releases.collect()
}

/// The date of a release in words.
fn day(date: &str) -> String {
    match date.parse::<Date>() {
        Ok(date) => date.strftime("%-d %B %Y").to_string(),
        Err(_) => "Not released yet".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_has_its_date_and_the_parts_of_its_section_about_the_api() {
        let changelog = "# Changelog\n\n## 2.0.0, 2027-03-01\n\n### API\n\n#### Added\n\n- a\n\n#### Fixed\n\n- f\n\n\
                         ### Added\n\n- b\n\n## 1.0.0, 2027-01-01\n\n### Added\n\n- c\n";
        assert_eq!(
            of_api(changelog),
            "## 2.0.0\n\n*1 March 2027*\n\n### Added\n\n- a\n\n### Fixed\n\n- f\n\n"
        );
    }

    #[test]
    fn the_newest_release_is_the_version_of_the_contract() {
        let newest = of_api(CHANGELOG);
        assert!(newest.starts_with(&format!("## {}\n", CONTRACT.version)));
        assert!(newest.contains("CONFIG_QUOTA_EXCEEDED"));
        assert!(newest.contains("### Added\n"));
    }
}
