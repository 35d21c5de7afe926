//! The declared fields of a form, and the encoding of each.

use std::collections::BTreeMap;

use http::HeaderMap;

use crate::http::media::MediaType;
use crate::multipart::headers::{Declared, PartHeaders};
use crate::multipart::read::is_of;
use crate::multipart::{Head, Part};
use json_schema::issue::{Issue, counted};
use json_schema::pattern::Pattern;

/// The encoding of a field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// As text, or as several parts of text.
    Text,
    /// As JSON, or as several parts of JSON.
    Json,
    /// As it is: a file, or several.
    File,
}

/// A field of a form.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub(crate) encoding: Encoding,
    /// The name of its schema; a file has none.
    pub(crate) schema: &'static str,
    /// The media types that its parts may have; any where there are none.
    types: &'static [&'static str],
    /// How many bytes a file has at least, and at most.
    octets: (u64, u64),
    /// The delimiter of the texts that one part holds.
    pub(crate) delimited: Option<Delimited>,
    /// The members of an object that are parts of their own names; none for other objects.
    pub(crate) spread: &'static [&'static str],
    /// The headers of its parts, where any are declared.
    headers: Option<Declared>,
}

/// How several texts are one part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Delimited {
    pub(crate) delimiter: char,
    /// Whether they are names and values in turn.
    pub(crate) is_object: bool,
}

impl Field {
    const fn new(encoding: Encoding, schema: &'static str) -> Self {
        Self {
            encoding,
            schema,
            types: &[],
            octets: (0, u64::MAX),
            delimited: None,
            spread: &[],
            headers: None,
        }
    }

    /// Text of a schema, or several parts of text.
    #[must_use]
    pub const fn text(schema: &'static str) -> Self {
        Self::new(Encoding::Text, schema)
    }

    /// JSON of a schema, or several parts of JSON.
    #[must_use]
    pub const fn json(schema: &'static str) -> Self {
        Self::new(Encoding::Json, schema)
    }

    /// A file, or several.
    #[must_use]
    pub const fn file() -> Self {
        Self::new(Encoding::File, "")
    }

    /// Parts of these media types, or of none that is said.
    #[must_use]
    pub const fn of_types(mut self, types: &'static [&'static str]) -> Self {
        self.types = types;
        self
    }

    /// Files of so many bytes.
    #[must_use]
    pub const fn of_octets(mut self, least: u64, most: u64) -> Self {
        self.octets = (least, most);
        self
    }

    /// The items of a list in one part.
    #[must_use]
    pub const fn joined(mut self, delimiter: char) -> Self {
        let is_object = false;
        self.delimited = Some(Delimited {
            delimiter,
            is_object,
        });
        self
    }

    /// The members of an object in one part, names and values in turn.
    #[must_use]
    pub const fn members_joined(mut self, delimiter: char) -> Self {
        let is_object = true;
        self.delimited = Some(Delimited {
            delimiter,
            is_object,
        });
        self
    }

    /// The members of an object, each in a part of its own name.
    #[must_use]
    pub const fn spread(mut self, members: &'static [&'static str]) -> Self {
        self.spread = members;
        self
    }

    /// Parts with these headers.
    #[must_use]
    pub const fn with_headers<H: PartHeaders>(mut self) -> Self {
        self.headers = Some(Declared::of::<H>());
        self
    }

    /// The media type of a part that is sent, where one is declared.
    pub(crate) fn sent_type(&self) -> Option<&'static str> {
        let mut concrete = self.types.iter().filter(|name| !name.contains('*'));
        concrete.next().copied()
    }

    /// How many bytes a file has at most.
    pub(crate) const fn most(&self) -> u64 {
        self.octets.1
    }

    /// The issues of a part's media type and headers, before it is read.
    pub(crate) fn refused(&self, name: &str, own: Option<&str>, headers: &HeaderMap) -> Vec<Issue> {
        let mut issues = match &self.headers {
            Some(declared) => declared.issues(name, headers),
            None => Vec::new(),
        };
        issues.extend(own.filter(|own| !self.takes(own)).map(|_| {
            let message = format!("must be of the media type {}", self.types.join(" or "));
            Issue::of_form(Some(name), "contentMediaType", &message)
        }));
        issues
    }

    /// The issues of a part, without those of its content.
    pub(crate) fn issues(&self, name: &str, part: &Part) -> Vec<Issue> {
        let own = part.file.content_type.as_deref();
        let mut issues = self.refused(name, own, &part.headers);
        let (least, most) = self.octets;
        if self.is_file() && part.octets < least {
            let message = format!("must have at least {}", counted(least, "byte"));
            issues.push(Issue::of_form(Some(name), "minLength", &message));
        }
        issues.extend((self.is_file() && part.octets > most).then(|| too_long(name, most)));
        issues
    }

    /// Whether a part of a media type may be sent.
    fn takes(&self, own: &str) -> bool {
        let own = MediaType::parse(own);
        let mut types = self.types.iter().filter_map(|name| MediaType::parse(name));
        let covers = own.is_some_and(|own| types.any(|declared| declared.covers(&own).is_some()));
        covers || self.types.is_empty()
    }

    pub(crate) fn is_file(&self) -> bool {
        self.encoding == Encoding::File
    }
}

/// The fields of a form.
#[derive(Debug)]
pub struct Fields {
    /// The fields that have a name.
    pub named: &'static [(&'static str, Field)],
    /// The fields whose names match a pattern.
    pub matched: &'static [(&'static Pattern, Field)],
    /// The declaration of all other fields, if there is one.
    pub rest: Option<Field>,
}

impl Fields {
    /// The name of the field that a part is of, which may be a member's: `field[member]`, or its own.
    pub(crate) fn name<'p>(&self, part: &'p str) -> &'p str {
        let mut named = self.named.iter();
        if let Some((name, _)) = named.find(|(_, field)| field.spread.contains(&part)) {
            return name;
        }
        let named = self.named.iter().filter(|(name, _)| is_of(part, name));
        let length = named.map(|(name, _)| name.len()).max().unwrap_or_else(|| {
            let outer = part.find('[').unwrap_or(part.len());
            let matches = |name| self.matching(name).is_some();
            // Brackets that a pattern matches are a part of the name.
            match part.get(..outer).is_some_and(matches) || !matches(part) {
                true => outer,
                false => part.len(),
            }
        });
        part.get(..length).unwrap_or(part)
    }

    /// The declaration of a field.
    pub(crate) fn get(&self, name: &str) -> Option<&Field> {
        let named = self.named.iter().find(|(own, _)| *own == name);
        let named = named.map(|(_, field)| field);
        named.or_else(|| self.matching(name)).or(self.rest.as_ref())
    }

    /// The declaration of a field whose name matches a pattern.
    fn matching(&self, name: &str) -> Option<&Field> {
        let mut matched = self.matched.iter();
        let matched = matched.find(|(pattern, _)| pattern.is_match(name));
        matched.map(|(_, field)| field)
    }

    /// The issues of the parts of each field, without those of their content.
    pub(crate) fn issues(&self, parts: &BTreeMap<String, Vec<Part>>) -> Vec<Issue> {
        let declared = parts
            .iter()
            .filter_map(|(name, parts)| Some((name, self.get(name)?, parts)));
        let issues = declared.flat_map(|(name, field, parts)| {
            let parts = parts.iter();
            parts.flat_map(move |part| field.issues(name, part))
        });
        issues.collect()
    }

    /// The headers of a part that are declared for it.
    pub(crate) fn kept_headers(&self, head: &Head) -> HeaderMap {
        let field = self.get(self.name(&head.field));
        let declared = field.and_then(|field| field.headers.as_ref());
        let kept = declared.map(|declared| declared.kept(&head.headers));
        kept.unwrap_or_default()
    }

    /// The field that a part is a file of, and its name.
    pub(crate) fn file<'p>(&self, part: &'p str) -> Option<(&'p str, &Field)> {
        let name = self.name(part);
        let field = self.get(name).filter(|field| field.is_file());
        field.map(|field| (name, field))
    }
}

/// The issue of a file of more than `most` bytes.
pub(crate) fn too_long(name: &str, most: u64) -> Issue {
    let message = format!("must have at most {}", counted(most, "byte"));
    Issue::of_form(Some(name), "maxLength", &message)
}
