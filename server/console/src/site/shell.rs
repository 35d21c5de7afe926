//! The shell of every page around its content: the name of the service, navigation, footer.

use generated::operations::BASE_PATH;

use super::asset;
use features::domain::service_identity::ServiceIdentity;

/// Facts about the server that pages show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteInfo {
    pub service: String,
    /// The absolute URL of the API, for programs.
    pub api: String,
    /// Whether there is a dashboard to link to.
    pub has_dashboard: bool,
}

impl SiteInfo {
    /// The info about a server with this identity.
    pub fn new(identity: &ServiceIdentity, has_dashboard: bool) -> SiteInfo {
        SiteInfo {
            service: identity.name.clone(),
            api: format!("{}{BASE_PATH}", identity.public_base_url),
            has_dashboard,
        }
    }

    /// The absolute URL of the site, without a slash at its end.
    pub fn site(&self) -> &str {
        self.api.strip_suffix(BASE_PATH).unwrap_or(&self.api)
    }
}

/// The frame of a page. A template that extends `layout.html` has it as its field `shell`.
///
/// Its links are relative, so that a page also works below a path that a proxy takes away.
#[derive(Debug, Clone)]
pub struct Shell<'a> {
    pub info: &'a SiteInfo,
    /// The path from the page to the root of the site, such as `../../`.
    pub root: String,
    pub navigation: Vec<NavLink>,
    /// The absolute address of the page, if search engines may know it.
    pub canonical: Option<String>,
    /// The mail address of the account that is signed in.
    pub signed_in: Option<&'a str>,
    /// The notice above the content.
    pub notice: Option<Notice>,
}

/// A notice of what the form that led to a page has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notice {
    /// What happened, as a sentence.
    pub what: &'static str,
    /// What follows from it, or nothing.
    pub then: &'static str,
    /// Whether the form did its work.
    pub is_good: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NavLink {
    /// Its path, relative to the root of the site.
    pub path: &'static str,
    pub text: &'static str,
    /// Whether it leads to the part of the site that the page is in.
    pub is_current: bool,
}

impl NavLink {
    /// Whether narrow headers omit it; the documentation leads to these pages too.
    pub(crate) fn is_minor(&self) -> bool {
        matches!(self.text, "Reference" | "Search")
    }
}

impl<'a> Shell<'a> {
    /// The frame of the page at `path`, such as `/docs/guides/limits`.
    pub fn new(info: &'a SiteInfo, path: &str) -> Shell<'a> {
        Shell {
            info,
            root: path_to_root(path),
            navigation: navigation(info, path),
            canonical: None,
            signed_in: None,
            notice: None,
        }
    }

    /// The frame of a page that everybody may read at this path, and at others.
    pub fn public(info: &'a SiteInfo, path: &str) -> Shell<'a> {
        Shell {
            canonical: Some(format!("{}{path}", info.site())),
            ..Shell::new(info, path)
        }
    }

    /// The same, for an account that is signed in, whose search finds its own data too.
    #[must_use]
    pub fn signed_in(mut self, email: &'a str) -> Shell<'a> {
        self.signed_in = Some(email);
        for link in &mut self.navigation {
            if link.path == "docs/search" {
                link.path = "dashboard/search";
            }
        }
        self
    }

    /// The same, with a notice above the content.
    #[must_use]
    pub fn telling(mut self, notice: Option<Notice>) -> Shell<'a> {
        self.notice = notice;
        self
    }

    /// The address of a file in `server/console/assets`. It changes when the file does, so that browsers keep the
    /// file for long.
    pub fn asset(&self, name: &str) -> String {
        format!("{}assets/{name}?v={}", self.root, asset::version(name))
    }
}

/// The path from a page to the root of the site. It is relative, except for paths deeper than any page: their
/// error pages would be as long as callers like.
fn path_to_root(path: &str) -> String {
    match path.matches('/').count() {
        0 | 1 => "./".to_owned(),
        depth @ 2..=9 => "../".repeat(depth - 1),
        _ => "/".to_owned(),
    }
}

fn navigation(info: &SiteInfo, path: &str) -> Vec<NavLink> {
    let links = [
        ("charities", "Charities"),
        ("docs/", "Docs"),
        ("docs/reference", "Reference"),
        ("docs/search", "Search"),
        ("status", "Status"),
        ("dashboard", "Dashboard"),
    ];
    let below = path.trim_start_matches('/');
    let current = links.iter().rev().find(|(path, _)| below.starts_with(path));
    let shown = links
        .iter()
        .filter(|(path, _)| *path != "dashboard" || info.has_dashboard);
    shown
        .map(|link| NavLink {
            path: link.0,
            text: link.1,
            is_current: Some(link) == current,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(has_dashboard: bool) -> SiteInfo {
        SiteInfo {
            service: "Test".to_owned(),
            api: "http://test/api/v1".to_owned(),
            has_dashboard,
        }
    }

    #[test]
    fn the_path_to_the_root_is_relative() {
        for (path, up) in [
            ("/", "./"),
            ("/status", "./"),
            ("/docs/", "../"),
            ("/docs/guides/x", "../../"),
            ("/1/2/3/4/5/6/7/8/9/10", "/"),
        ] {
            assert_eq!(Shell::new(&info(false), path).root, up, "{path}");
        }
    }

    #[test]
    fn a_public_page_has_one_address() {
        let info = info(false);
        let address = |shell: Shell<'_>| shell.canonical;
        let status = address(Shell::public(&info, "/status"));
        assert_eq!(status.as_deref(), Some("http://test/status"));
        assert_eq!(address(Shell::new(&info, "/dashboard")), None);
    }

    #[test]
    fn the_part_of_a_page_is_marked() {
        let current = |path: &str| {
            let info = info(true);
            let links = Shell::new(&info, path).navigation;
            links
                .iter()
                .find(|link| link.is_current)
                .map(|link| link.text)
        };
        assert_eq!(current("/docs/guides/paging"), Some("Docs"));
        assert_eq!(current("/docs/reference"), Some("Reference"));
        assert_eq!(current("/docs/search"), Some("Search"));
        assert_eq!(current("/dashboard/keys"), Some("Dashboard"));
        assert_eq!(current("/status"), Some("Status"));
        assert_eq!(current("/charities/river-trust"), Some("Charities"));
        assert_eq!(current("/"), None);
    }

    #[test]
    fn a_dashboard_that_is_not_there_is_not_linked() {
        for (has_dashboard, links) in [(false, 5), (true, 6)] {
            let info = info(has_dashboard);
            assert_eq!(Shell::new(&info, "/").navigation.len(), links);
        }
    }
}
