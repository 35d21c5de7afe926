//! Markdown as HTML: headings that can be linked to, tables that become cards on narrow screens.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// The text as HTML.
pub(super) fn html(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES;
    let events: Vec<_> = Parser::new_ext(markdown, options).collect();
    let mut content = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut content, Pages::default().rewritten(events).into_iter());
    content
}

/// The place in a document that is rewritten.
#[derive(Default)]
struct Pages {
    /// The texts of the head of the current table.
    head: Vec<String>,
    is_in_head: bool,
    column: usize,
}

impl Pages {
    fn rewritten<'a>(mut self, events: Vec<Event<'a>>) -> Vec<Event<'a>> {
        let mut rewritten = Vec::with_capacity(events.len());
        for (at, event) in events.iter().enumerate() {
            let rest = events.get(at + 1..).unwrap_or_default();
            self.rewrite(event.clone(), rest, &mut rewritten);
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
                let id = id.or_else(|| Some(anchor(&text(rest)).into()));
                into.push(Event::Start(Tag::Heading {
                    level,
                    id,
                    classes,
                    attrs,
                }));
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
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => into.push(
                Event::Html(format!("<pre><code class=\"language-{language}\">").into()),
            ),
            Event::End(TagEnd::CodeBlock) => into.push(markup("</code></pre>\n")),
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

/// A heading's name in addresses: its words in lower case, joined by hyphens.
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
        assert_eq!(
            html("## 1. Read `it` now\n\n## Other {#OTHER}"),
            "<h2 id=\"1-read-it-now\">1. Read <code>it</code> now</h2>\n<h2 id=\"OTHER\">Other</h2>\n"
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
    fn code_keeps_its_signs() {
        assert_eq!(
            html("```sh\na < 'b'\n```"),
            "<pre><code class=\"language-sh\">a &lt; 'b'\n</code></pre>\n"
        );
    }
}
