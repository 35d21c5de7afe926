//! The guides: Markdown in `server/docs/guides`, pages here.

use askama::Template;

use super::markdown;
use super::sidebar::Sidebar;
use crate::site::{Page, PageError, Shell, SiteInfo, policy};
use features::keys::demo;

/// Guides of one subject.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) guides: &'static [Guide],
}

#[derive(Debug)]
pub(super) struct Guide {
    /// Its path below `guides/`.
    pub(super) slug: &'static str,
    /// The subject, in a sentence.
    pub(super) summary: &'static str,
    markdown: &'static str,
}

/// Embeds the guides of these names.
macro_rules! guides {
    ($($title:literal: { $($slug:literal: $summary:literal,)* })*) => {
        &[$(Group {
            title: $title,
            guides: &[$(Guide {
                slug: $slug,
                summary: $summary,
                markdown: include_str!(concat!("../../../docs/guides/", $slug, ".md")),
            }),*],
        }),*]
    };
}

/// The guides, in the order of the navigation.
pub(super) const GUIDES: &[Group] = guides! {
    "Get started": {
        "quick-start": "Create a config and read its statistics, in five requests.",
        "first-donation": "Follow a donation from a config to your webhook, the dashboard and the API.",
        "concepts": "Projects, configs, partner contracts, tiers, and how donations come in.",
        "dashboard": "Sign in, and manage projects, members, keys, contracts and webhooks.",
        "authentication": "Get a key, send it, and keep it safe.",
    }
    "Requests": {
        "paging": "Read long lists page by page.",
        "limits": "How many requests you can make, and how to stay within the limits.",
        "errors": "Every error code, and what to do about it.",
        "conditional-requests": "Download only what has changed.",
    }
    "Recipes": {
        "charity-picker": "A form for your page in which donors choose a charity.",
        "leaderboard-page": "A page that ranks your tokens, with the key on your server.",
        "nightly-export": "Export what your configs received as CSV, within the rate limit.",
        "key-rotation": "Replace a key without downtime.",
    }
    "Topics": {
        "donations": "Donations to a charity and through a config, also as CSV.",
        "webhooks": "Receive your project's events on your server.",
        "feed": "New charities in a feed reader, or as JSON.",
    }
    "Compatibility": {
        "versioning": "What can change within a version, and what never does.",
    }
};

#[derive(Template)]
#[template(path = "docs/guide.html")]
struct GuidePage<'a> {
    shell: Shell<'a>,
    title: &'a str,
    summary: &'a str,
    sidebar: Sidebar<'a>,
    content: &'a str,
}

impl Guide {
    /// Its title: the heading that its text begins with.
    pub(super) fn title(&self) -> &'static str {
        let heading = self.markdown.lines().next().unwrap_or_default();
        heading.trim_start_matches("# ")
    }

    /// Its text for a server. The demo's key is that of the project that the
    /// contract's examples belong to.
    pub(super) fn text(&self, info: &SiteInfo) -> String {
        let text = self.markdown.replace("{base}", &info.api);
        text.replace("{demo_key}", demo::ENTERPRISE)
    }

    /// The guide as a page of a server.
    pub(super) fn page(&self, info: &SiteInfo, path: &str) -> Result<Page, PageError> {
        let page = GuidePage {
            shell: Shell::public(info, path),
            title: self.title(),
            summary: self.summary,
            sidebar: Sidebar::of(self.slug),
            content: &markdown::html(&self.text(info)),
        };
        Ok(Page::html(policy::DOCS, page.render()?))
    }
}
