//! The documentation for programs that read text: each guide as Markdown, and `llms.txt`, which lists them.

use generated::operations::BASE_PATH;

use super::contract::CONTRACT;
use super::guide::{GUIDES, Guide};
use super::page_at;
use crate::site::{Content, Page, PageError, SiteInfo, policy};

const MARKDOWN: &str = "text/markdown; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

/// The files by their paths.
pub(super) fn pages(info: &SiteInfo) -> impl Iterator<Item = (String, Content)> {
    let guides = GUIDES.iter().flat_map(|group| group.guides);
    let guides = guides.map(|guide| {
        let path = format!("/docs/guides/{}.md", guide.slug);
        page_at(info, path, |info, _| markdown(info, guide))
    });
    guides.chain([page_at(info, "/llms.txt".to_owned(), list)])
}

fn markdown(info: &SiteInfo, guide: &Guide) -> Result<Page, PageError> {
    Ok(Page::new(MARKDOWN, policy::FILE, guide.text(info)))
}

fn list(info: &SiteInfo, _: &str) -> Result<Page, PageError> {
    let (site, api) = (info.site(), &info.api);
    let mut text = format!(
        "# {}\n\n> {}\n\nAll paths of the API start with {BASE_PATH}. Send your key in the header `service-api-key`.\n",
        info.service, CONTRACT.summary
    );
    for group in GUIDES {
        text += &format!("\n## {}\n\n", group.title);
        for guide in group.guides {
            let (title, slug, summary) = (guide.title(), guide.slug, guide.summary);
            text += &format!("- [{title}]({site}/docs/guides/{slug}.md): {summary}\n");
        }
    }
    text += &format!(
        "\n## Reference\n\n- [OpenAPI 3.1 document]({api}/openapi): every operation and schema\n"
    );
    for operation in CONTRACT.operations() {
        let (summary, id) = (&operation.summary, &operation.id);
        let (method, path) = (&operation.method, &operation.path);
        text += &format!("- [{summary}]({site}/docs/reference/{id}): `{method} {path}`\n");
    }
    Ok(Page::new(TEXT, policy::FILE, text))
}
