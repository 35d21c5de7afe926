//! Markdown as HTML: headings that can be linked to, tables that become cards on narrow screens, and blocks of
//! code. Blocks that follow one another are tabs, one for each language; a block that is marked `answer`, as in
//! ` ```json answer `, is what the code above it prints.

mod code;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use self::code::Block;

pub(super) fn html(markdown: &str) -> String {
    let mut content = String::with_capacity(markdown.len() * 2);
    let rewritten = Rewriter::default().rewritten(&events(markdown));
    html::push_html(&mut content, rewritten.into_iter());
    content
}

/// A part of a text: a heading and the text after it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) title: String,
    /// Empty for the title of the whole text.
    pub(super) anchor: String,
    /// Without code.
    pub(super) text: String,
}

pub(super) fn sections(markdown: &str) -> Vec<Section> {
    let events = events(markdown);
    let mut sections = vec![Section::default()];
    let (mut in_heading, mut in_code) = (false, false);
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::Heading { level, id, .. }) => {
                in_heading = true;
                let title = text(events.get(at + 1..).unwrap_or_default());
                let anchor = match id {
                    _ if *level == pulldown_cmark::HeadingLevel::H1 => String::new(),
                    Some(id) => id.to_string(),
                    None => anchor(&title),
                };
                sections.push(Section {
                    title,
                    anchor,
                    text: String::new(),
                });
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(words) | Event::Code(words) if !in_heading && !in_code => {
                if let Some(section) = sections.last_mut() {
                    section.text.push_str(words);
                }
            }
            Event::SoftBreak | Event::End(_) => {
                if let Some(section) = sections.last_mut() {
                    section.text.push(' ');
                }
            }
            _ => {}
        }
    }
    sections.retain(|section| !section.title.is_empty());
    sections
}

fn events(markdown: &str) -> Vec<Event<'_>> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES;
    Parser::new_ext(markdown, options).collect()
}

/// A rewriter of the events of a Markdown document.
#[derive(Default)]
struct Rewriter {
    /// The column headings of the current table.
    head: Vec<String>,
    is_in_head: bool,
    column: usize,
    /// The anchor of the heading that is open.
    anchor: Option<String>,
    /// How many groups of tabs there are.
    tabs: usize,
}

impl Rewriter {
    fn rewritten<'a>(mut self, events: &[Event<'a>]) -> Vec<Event<'a>> {
        let mut rewritten = Vec::with_capacity(events.len());
        let mut rest = events;
        while let Some((event, after)) = rest.split_first() {
            let (blocks, after_blocks) = Block::leading(rest);
            if blocks.is_empty() {
                self.rewrite(event.clone(), after, &mut rewritten);
                rest = after;
            } else {
                self.tabs += 1;
                rewritten.push(Event::Html(code::html(&blocks, self.tabs).into()));
                rest = after_blocks;
            }
        }
        rewritten
    }

    fn rewrite<'a>(&mut self, event: Event<'a>, rest: &[Event<'a>], into: &mut Vec<Event<'a>>) {
        match event {
            Event::Start(Tag::Heading {
                level,
                id,
                classes,
                attrs,
            }) => {
                let id = id.unwrap_or_else(|| anchor(&text(rest)).into());
                self.anchor = Some(id.to_string());
                into.push(Event::Start(Tag::Heading {
                    level,
                    id: Some(id),
                    classes,
                    attrs,
                }));
            }
            Event::End(TagEnd::Heading(level)) => {
                if let Some(anchor) = self.anchor.take() {
                    let link = format!(
                        " <a class=\"anchor\" href=\"#{anchor}\" aria-label=\"Link to this section\">#</a>"
                    );
                    into.push(Event::InlineHtml(link.into()));
                }
                into.push(Event::End(TagEnd::Heading(level)));
            }
            Event::Start(Tag::Table(_)) => {
                self.head.clear();
                into.push(markup("<table class=\"cards\">"));
            }
            Event::End(TagEnd::Table) => into.push(markup("</tbody></table>\n")),
            Event::Start(Tag::TableHead) => {
                self.is_in_head = true;
                into.push(markup("<thead><tr>"));
            }
            Event::End(TagEnd::TableHead) => {
                self.is_in_head = false;
                into.push(markup("</tr></thead><tbody>\n"));
            }
            Event::Start(Tag::TableRow) => {
                self.column = 0;
                into.push(markup("<tr>"));
            }
            Event::End(TagEnd::TableRow) => into.push(markup("</tr>\n")),
            Event::Start(Tag::TableCell) => into.push(self.cell(rest)),
            Event::End(TagEnd::TableCell) => {
                into.push(markup(if self.is_in_head { "</th>" } else { "</td>" }));
            }
            event => into.push(event),
        }
    }

    /// The start of a cell; below the head it names its column, which a card shows beside it.
    fn cell<'a>(&mut self, rest: &[Event<'_>]) -> Event<'a> {
        if self.is_in_head {
            self.head.push(text(rest));
            return markup("<th scope=\"col\">");
        }
        let label = self.head.get(self.column).map_or("", String::as_str);
        self.column += 1;
        let label = label.replace('&', "&amp;").replace('"', "&quot;");
        Event::Html(format!("<td data-label=\"{label}\">").into())
    }
}

fn markup<'a>(text: &'static str) -> Event<'a> {
    Event::Html(CowStr::Borrowed(text))
}

/// The text of the element whose content `events` begin with.
fn text(events: &[Event<'_>]) -> String {
    let within = events
        .iter()
        .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_) | TagEnd::TableCell)));
    let texts = within.filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
        _ => None,
    });
    texts.collect()
}

/// The anchor of a heading: its words in lower case, joined by hyphens.
fn anchor(heading: &str) -> String {
    let words = heading.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_anchors_of_their_own_or_of_their_words() {
        let link = |anchor: &str| {
            format!(
                "<a class=\"anchor\" href=\"#{anchor}\" aria-label=\"Link to this section\">#</a>"
            )
        };
        assert_eq!(
            html("## 1. Read `it` now\n\n## Other {#OTHER}"),
            format!(
                "<h2 id=\"1-read-it-now\">1. Read <code>it</code> now {}</h2>\n<h2 id=\"OTHER\">Other {}</h2>\n",
                link("1-read-it-now"),
                link("OTHER")
            )
        );
    }

    #[test]
    fn cells_name_their_columns() {
        let table = html("| a | \"b\" |\n|---|---|\n| 1 | `2` |");
        assert_eq!(
            table,
            "<table class=\"cards\"><thead><tr><th scope=\"col\">a</th><th scope=\"col\">\"b\"</th></tr></thead><tbody>\n\
             <tr><td data-label=\"a\">1</td><td data-label=\"&quot;b&quot;\"><code>2</code></td></tr>\n</tbody></table>\n"
        );
    }

    #[test]
    fn a_text_is_its_sections() {
        let section = |title: &str, anchor: &str, text: &str| Section {
            title: title.to_owned(),
            anchor: anchor.to_owned(),
            text: text.to_owned(),
        };
        assert_eq!(
            sections("# A\n\nb `c`\n\n## D e\n\n```sh\nf\n```\ng"),
            [section("A", "", "b c "), section("D e", "d-e", "g ")]
        );
    }
}
