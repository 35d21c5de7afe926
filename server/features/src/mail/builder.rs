//! Builds a message from one source: its plain text and its HTML have the same content.

use std::fmt;

use askama::Template;
use jiff::Timestamp;

use super::{Message, without_links};
use crate::domain::email::Email;
use crate::domain::service_identity::ServiceIdentity;

/// Builds a [`Message`] block by block.
#[derive(Template)]
#[template(path = "mail.html")]
pub struct MessageBuilder {
    service: String,
    site: String,
    to: Email,
    subject: String,
    blocks: Vec<Block>,
}

enum Block {
    Paragraph(String),
    Steps(Vec<String>),
    Code(String),
    Button { label: &'static str, url: String },
    Link { label: &'static str, url: String },
}

impl Message {
    /// Starts a message, which ends with the service's name and address. The subject is also the heading of its HTML.
    pub fn builder(service: &ServiceIdentity, to: Email, subject: String) -> MessageBuilder {
        MessageBuilder {
            service: service.name.clone(),
            site: service.public_base_url.to_string(),
            to,
            subject,
            blocks: Vec::new(),
        }
    }
}

impl MessageBuilder {
    pub fn paragraph(self, text: impl Into<String>) -> Self {
        self.block(Block::Paragraph(text.into()))
    }

    /// Adds a numbered list.
    pub(crate) fn steps<const N: usize>(self, steps: [&str; N]) -> Self {
        self.block(Block::Steps(steps.map(str::to_owned).to_vec()))
    }

    /// Adds a code to be typed.
    pub fn code(self, code: String) -> Self {
        self.block(Block::Code(code))
    }

    /// Adds the main link.
    pub fn button(self, label: &'static str, url: String) -> Self {
        self.block(Block::Button { label, url })
    }

    /// Adds a further link.
    pub(crate) fn link(self, label: &'static str, url: String) -> Self {
        self.block(Block::Link { label, url })
    }

    /// Says why the reader gets the message.
    pub(crate) fn owner_notice(self, project_name: &str) -> Self {
        let project = without_links(project_name);
        self.paragraph(format!(
            "You are receiving this email because you are an owner of “{project}”."
        ))
    }

    fn block(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// Renders the message.
    ///
    /// # Errors
    /// When the HTML cannot be rendered.
    pub fn build(self) -> Result<Message, askama::Error> {
        let html = self.render()?;
        let footer = format!("{}\n{}", self.service, self.site);
        let blocks = self.blocks.iter().map(Block::to_string);
        let text: Vec<_> = blocks.chain([footer]).collect();
        Ok(Message {
            to: self.to,
            subject: self.subject,
            text: text.join("\n\n"),
            html,
        })
    }
}

/// Formats a block as plain text. A URL is on a line of its own.
impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paragraph(text) | Self::Code(text) => f.write_str(text),
            Self::Steps(steps) => {
                let numbered = steps
                    .iter()
                    .zip(1..)
                    .map(|(step, n)| format!("{n}. {step}"));
                f.write_str(&numbered.collect::<Vec<_>>().join("\n"))
            }
            Self::Button { label, url } | Self::Link { label, url } => write!(f, "{label}:\n{url}"),
        }
    }
}

/// A time as emails show it.
pub fn format_time(at: Timestamp) -> String {
    at.strftime("%-d %b %Y, %H:%M UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(name: &str) -> Message {
        let base = "https://catalog.example".parse().unwrap();
        let service = ServiceIdentity {
            name: "Giving".to_owned(),
            ..ServiceIdentity::at(base)
        };
        let to = "ada@example.org".parse().unwrap();
        Message::builder(&service, to, format!("About {name}"))
            .paragraph(format!("This is about {name}."))
            .steps(["Look.", "Act."])
            .code("ABCD-EFGH".to_owned())
            .button("Open it", format!("https://catalog.example/?a={name}&b"))
            .link("Read more", "https://catalog.example/docs".to_owned())
            .build()
            .unwrap()
    }

    #[test]
    fn text_and_html_have_the_same_content() {
        let message = built("it");
        assert_eq!(
            message.text,
            "This is about it.\n\n1. Look.\n2. Act.\n\nABCD-EFGH\n\nOpen it:\nhttps://catalog.example/?a=it&b\n\n\
             Read more:\nhttps://catalog.example/docs\n\nGiving\nhttps://catalog.example"
        );
        for part in [
            "<title>About it</title>",
            "About it</h1>",
            "<p>This is about it.</p>",
            "<ol>\n<li>Look.</li>\n<li>Act.</li>\n</ol>",
            ">ABCD-EFGH</code>",
            "<a href=\"https://catalog.example/?a=it&#38;b\"",
            ">Open it</a>",
            "<a href=\"https://catalog.example/docs\">Read more</a>",
            "<a href=\"https://catalog.example\" style=\"color: inherit\">Giving</a>",
        ] {
            assert!(message.html.contains(part), "{part}: {}", message.html);
        }
    }

    #[test]
    fn html_is_escaped_everywhere() {
        let plain = built("").html;
        let hostile = built("\"'><script>&").html;
        for character in ['<', '>', '"', '\''] {
            let count = |html: &str| html.matches(character).count();
            assert_eq!(count(&hostile), count(&plain), "{hostile}");
        }
    }
}
