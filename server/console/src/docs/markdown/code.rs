//! Blocks of code: one block, tabs of several languages, or the output of the code above.

use crate::highlight;
use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The first word beside the fence.
    language: String,
    is_answer: bool,
    text: String,
}

impl Block {
    /// The blocks that events begin with and that belong together, and the events after them: code in
    /// several languages, or one answer.
    pub(super) fn leading<'e, 'a>(events: &'e [Event<'a>]) -> (Vec<Block>, &'e [Event<'a>]) {
        let mut blocks: Vec<Block> = Vec::new();
        let mut rest = events;
        while let Some((block, after)) = Block::first(rest) {
            let is_answered = blocks.first().is_some_and(|first| first.is_answer);
            if is_answered || (block.is_answer && !blocks.is_empty()) {
                break;
            }
            blocks.push(block);
            rest = after;
        }
        (blocks, rest)
    }

    fn first<'e, 'a>(events: &'e [Event<'a>]) -> Option<(Block, &'e [Event<'a>])> {
        let (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))), rest) =
            events.split_first()?
        else {
            return None;
        };
        let end = |event: &Event<'_>| matches!(event, Event::End(TagEnd::CodeBlock));
        let length = rest.iter().position(end)?;
        let (within, after) = rest.split_at_checked(length)?;
        let texts = within.iter().filter_map(|event| match event {
            Event::Text(text) => Some(text.as_ref()),
            _ => None,
        });
        let (language, mark) = info.split_once(' ').unwrap_or((info, ""));
        let block = Block {
            language: language.to_owned(),
            is_answer: mark == "answer",
            text: texts.collect(),
        };
        Some((block, after.get(1..).unwrap_or_default()))
    }

    fn html(&self) -> String {
        let text = highlight::html(&self.language, &self.text);
        format!(
            "<pre><code class=\"language-{}\">{text}</code></pre>\n",
            self.language
        )
    }

    fn label(&self) -> &str {
        match self.language.as_str() {
            "sh" => "curl",
            "js" => "JavaScript",
            "python" => "Python",
            "html" => "HTML",
            other => other,
        }
    }
}

/// The blocks as HTML; `number` makes the ids of these tabs unique on the page.
pub(super) fn html(blocks: &[Block], number: usize) -> String {
    match blocks {
        [answer] if answer.is_answer => format!(
            "<figure class=\"answer\"><figcaption>Output</figcaption>{}</figure>\n",
            answer.html()
        ),
        [only] => only.html(),
        several => tabs(several, number),
    }
}

/// Tabs that work without a script: radio buttons, and a style that shows the panel of the checked one.
fn tabs(blocks: &[Block], number: usize) -> String {
    let mut choices = String::new();
    let mut panels = String::new();
    for (at, block) in blocks.iter().enumerate() {
        let id = format!("tab-{number}-{at}");
        let checked = if at == 0 { " checked" } else { "" };
        let label = block.label();
        choices.push_str(&format!(
            "<input type=\"radio\" name=\"tabs-{number}\" id=\"{id}\"{checked}><label for=\"{id}\">{label}</label>\n"
        ));
        panels.push_str(&format!("<div class=\"panel\">{}</div>\n", block.html()));
    }
    format!(
        "<div class=\"languages\" role=\"group\" aria-label=\"Language\">\n{choices}{panels}</div>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::super::html;

    #[test]
    fn code_keeps_its_signs() {
        assert_eq!(
            html("```sh\na < 'b'\n```"),
            "<pre><code class=\"language-sh\">a &lt; <span class=\"s\">'b'</span>\n</code></pre>\n"
        );
    }

    #[test]
    fn blocks_in_a_row_are_tabs() {
        let tabs = html("```sh\na\n```\n```js\nb\n```\n\nc\n\n```sh\nd\n```\n");
        assert_eq!(tabs.matches("type=\"radio\"").count(), 2);
        assert_eq!(tabs.matches("class=\"panel\"").count(), 2);
        assert_eq!(tabs.matches(" checked").count(), 1);
    }

    #[test]
    fn an_answer_stands_below_what_it_answers() {
        let both = html("```sh\na\n```\n```json answer\n{}\n```");
        assert!(
            both.starts_with("<pre><code class=\"language-sh\">a"),
            "{both}"
        );
        assert!(
            both.contains("<figcaption>Output</figcaption><pre><code class=\"language-json\">{}")
        );
    }
}
