//! The Atom feed of charities (RFC 4287).

use std::io;

use jiff::Timestamp;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::Charity;
use crate::domain::service_identity::ServiceIdentity;
use crate::mapping;

const NAMESPACE: &str = "http://www.w3.org/2005/Atom";

/// The feed at the address `own` as an XML document. Equal arguments give equal bytes.
///
/// # Errors
/// Never, because the document is written to memory; the type is the writer's.
pub(super) fn feed<'c>(
    own: &str,
    identity: &ServiceIdentity,
    charities: impl Iterator<Item = &'c Charity> + Clone,
) -> io::Result<String> {
    let mut writer = Writer::new(Vec::new());
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)))?;
    let feed = writer
        .create_element("feed")
        .with_attribute(("xmlns", NAMESPACE));
    feed.write_inner_content(|writer| {
        head(
            writer,
            own,
            identity,
            charities.clone().map(|charity| charity.listed_at).max(),
        )?;
        charities
            .clone()
            .try_for_each(|charity| entry(writer, identity, charity))
    })?;
    String::from_utf8(writer.into_inner()).map_err(io::Error::other)
}

fn head(
    writer: &mut Writer<Vec<u8>>,
    own: &str,
    identity: &ServiceIdentity,
    latest: Option<Timestamp>,
) -> io::Result<()> {
    text(
        writer,
        "id",
        &format!("tag:{},2026:charities", identity.domain),
    )?;
    text(
        writer,
        "title",
        &format!("{}: new charities", identity.name),
    )?;
    // A feed without entries was never updated, but RFC 4287 requires a time.
    text(
        writer,
        "updated",
        mapping::timestamp(latest.unwrap_or(Timestamp::UNIX_EPOCH)).as_str(),
    )?;
    link(
        writer,
        &[
            ("rel", "self"),
            ("type", "application/atom+xml"),
            ("href", own),
        ],
    )?;
    writer
        .create_element("author")
        .write_inner_content(|writer| text(writer, "name", &identity.name))?;
    Ok(())
}

fn entry(
    writer: &mut Writer<Vec<u8>>,
    identity: &ServiceIdentity,
    charity: &Charity,
) -> io::Result<()> {
    let id = charity.id.0.to_string();
    let page = identity.charity_page.url(&charity.slug, &id);
    let listed_at = mapping::timestamp(charity.listed_at).to_string();
    writer
        .create_element("entry")
        .write_inner_content(|writer| {
            text(
                writer,
                "id",
                &format!("tag:{},2026:charity:{id}", identity.domain),
            )?;
            text(writer, "title", &charity.name)?;
            text(writer, "updated", &listed_at)?;
            text(writer, "published", &listed_at)?;
            link(
                writer,
                &[("rel", "alternate"), ("type", "text/html"), ("href", &page)],
            )?;
            let category = charity.category.as_str();
            writer
                .create_element("category")
                .with_attribute(("term", category))
                .write_empty()?;
            text(writer, "summary", &charity.description)
        })?;
    Ok(())
}

fn text(writer: &mut Writer<Vec<u8>>, name: &str, content: &str) -> io::Result<()> {
    let content = printable(content);
    writer
        .create_element(name)
        .write_text_content(BytesText::new(&content))?;
    Ok(())
}

fn link(writer: &mut Writer<Vec<u8>>, attributes: &[(&str, &str)]) -> io::Result<()> {
    let link = writer
        .create_element("link")
        .with_attributes(attributes.iter().copied());
    link.write_empty()?;
    Ok(())
}

/// The text without the characters that no XML document can hold (XML 1.0, section 2.2).
fn printable(text: &str) -> String {
    let is_char = |c: &char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    text.chars().filter(is_char).collect()
}
