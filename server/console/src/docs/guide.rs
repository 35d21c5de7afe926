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
    "Start": {
        "quick-start": "From nothing to a config with its statistics, in five requests.",
        "first-donation": "From a config to a donation at your webhook, on the dashboard and in the API.",
        "concepts": "Projects, configs, partner contracts, tiers, and how a donation comes in.",
        "dashboard": "Signing in, projects and their members, keys, usage, proof of a contract.",
        "authentication": "Where a key belongs, which operations need one, and how to change it.",
    }
    "Requests": {
        "paging": "Reading long lists to their end.",
        "limits": "How many requests you may make, and how to stay within.",
        "errors": "Every error code, with its remedy.",
        "conditional-requests": "Asking only for what has changed.",
    }
    "Recipes": {
        "charity-picker": "A form in a page that lets donors choose a charity.",
        "leaderboard-page": "A page that ranks your tokens, with the key on your server.",
        "nightly-export": "Everything that your configs received as CSV, within the limits.",
        "key-rotation": "A new key in place of an old one, without a refused request.",
    }
    "Subjects": {
        "donations": "What a charity received and what came through a config, also as CSV.",
        "webhooks": "What happens to your project, told to your own server.",
        "feed": "New charities in a feed reader, or as JSON.",
    }
    "Promises": {
        "versioning": "What may change, and what never does within a version.",
    }
};

#[derive(Template)]
#[template(path = "docs/guide.html")]
struct GuidePage<'a> {
    shell: Shell<'a>,
    title: &'a str,
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
            sidebar: Sidebar::of(self.slug),
            content: &markdown::html(&self.text(info)),
        };
        Ok(Page::html(policy::DOCS, page.render()?))
    }
}
