//! The guides: Markdown in `server/docs/guides`, pages here.

use askama::Template;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html};

use super::page::Page;
use super::{Facts, policy};
use crate::keys::demo;

/// A guide.
#[derive(Debug)]
pub(super) struct Guide {
    /// Its path below `guides/`.
    pub(super) slug: &'static str,
    markdown: &'static str,
}

/// Embeds the guides of these names.
macro_rules! guides {
    ($($slug:literal,)*) => {
        &[$(Guide {
            slug: $slug,
            markdown: include_str!(concat!("../../docs/guides/", $slug, ".md")),
        }),*]
    };
}

/// The guides, in the order of the navigation.
pub(super) const GUIDES: &[Guide] = guides! {
    "quick-start",
    "authentication",
    "paging",
    "limits",
    "errors",
    "conditional-requests",
    "donations",
    "feed",
    "faults",
    "versioning",
};

#[derive(Template)]
#[template(path = "guide.html")]
struct GuidePage<'a> {
    title: &'a str,
    service: &'a str,
    base: &'a str,
    slug: &'a str,
    guides: &'a [Guide],
    content: &'a str,
}

impl Guide {
    /// Its title: the heading that its text begins with.
    pub(super) fn title(&self) -> &'static str {
        let heading = self.markdown.lines().next().unwrap_or_default();
        heading.trim_start_matches("# ")
    }

    /// The guide as a page of the server that `facts` are about.
    pub(super) fn page(&self, facts: &Facts) -> Result<Page, askama::Error> {
        let page = GuidePage {
            title: self.title(),
            service: &facts.service,
            base: &facts.api,
            slug: self.slug,
            guides: GUIDES,
            content: &self.content(facts),
        };
        let html = page.render()?;
        Ok(Page::new("text/html; charset=utf-8", policy::GUIDE, html))
    }

    fn content(&self, facts: &Facts) -> String {
        let markdown = self
            .markdown
            .replace("{base}", &facts.api)
            .replace("{demo_key}", demo::PRO);
        let options = Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES;
        let events = Parser::new_ext(&markdown, options).flat_map(reachable);
        let mut content = String::with_capacity(markdown.len() * 2);
        html::push_html(&mut content, events);
        content
    }
}

/// Makes wide tables and long lines scrollable, also by keyboard.
fn reachable(event: Event<'_>) -> impl Iterator<Item = Event<'_>> {
    const TABLE: &str = r#"<div class="table" tabindex="0" role="region" aria-label="Table">"#;
    let markup = |text: &'static str| Some(Event::Html(CowStr::Borrowed(text)));
    let parts = match event {
        Event::Start(Tag::Table(_)) => [markup(TABLE), Some(event)],
        Event::End(TagEnd::Table) => [Some(event), markup("</div>\n")],
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
            let open = format!(r#"<pre tabindex="0"><code class="language-{language}">"#);
            [Some(Event::Html(open.into())), None]
        }
        Event::End(TagEnd::CodeBlock) => [markup("</code></pre>\n"), None],
        event => [Some(event), None],
    };
    parts.into_iter().flatten()
}
