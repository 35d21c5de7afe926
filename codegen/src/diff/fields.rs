//! What the fields of a form are: texts, JSON or files (OpenAPI 3.1.1 §4.8.14.4).

use super::arriving::written;
use super::compare::{Finding, Step};
use super::content::essence;
use crate::ir::{Bounds, FieldContent, Form, FormField, ParamShape, Styled};
use crate::lower;
use crate::openapi::Document;
use crate::openapi::{Encoding, Media, Style};
use crate::source::Pointer;
use json_schema::coerce::raw::Raw;
use json_schema::pattern::Pattern;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The fields of one form.
#[derive(Debug, Default)]
pub(super) struct Fields {
    named: BTreeMap<String, Holds>,
    /// How long each file of a named field is.
    octets: BTreeMap<String, Bounds>,
    /// Those whose names match a pattern.
    matched: Vec<(Pattern, Holds)>,
    /// Those whose names match none, where it takes such.
    others: Option<Holds>,
    /// The objects whose members stand beside the other fields (§4.8.15.1.2).
    spread: BTreeSet<String>,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// One text, or several.
    Text,
    /// JSON.
    Json,
    /// At least so many files, and at most so many.
    Files(u64, Option<u64>),
}

impl Fields {
    /// Of every form that a document's requests have, by where its media type stands. What the parts
    /// of `multipart/form-data` are is decided as it is for generated servers.
    pub(super) fn all(document: &Document) -> HashMap<Pointer, Fields> {
        let mut all: HashMap<Pointer, Fields> = HashMap::new();
        for (at, form) in lower::forms_of(document) {
            all.insert(at, Fields::of_parts(&form));
        }
        let bodies = document
            .all_operations()
            .filter_map(|one| one.body.as_ref());
        for media in bodies.flat_map(|body| &body.content) {
            if essence(&media.media_type) == "application/x-www-form-urlencoded" {
                all.insert(media.at.clone(), Fields::of_pairs(media));
            }
        }
        for (at, styled) in lower::styled_of(document) {
            if let Some(fields) = all.get_mut(&at) {
                fields.spread = spread(styled);
            }
        }
        all
    }

    fn of_parts(form: &Form) -> Fields {
        let named = form.fields.iter();
        let named = named.map(|field| (field.wire.clone(), Holds::of(&field.content)));
        let files = form.fields.iter();
        let octets = files.filter_map(|field| Some((field.wire.clone(), field.content.octets()?)));
        let is_spread = |field: &&FormField| matches!(field.content, FieldContent::Spread(..));
        let spread = form.fields.iter().filter(is_spread);
        Fields {
            named: named.collect(),
            octets: octets.collect(),
            matched: form
                .others
                .matched
                .iter()
                .map(|(pattern, content)| {
                    let pattern = Pattern::owned(pattern.source.clone());
                    (pattern, Holds::of(content))
                })
                .collect(),
            others: form.others.rest.as_ref().map(Holds::of),
            spread: spread.map(|field| field.wire.clone()).collect(),
        }
    }

    fn of_pairs(media: &Media) -> Fields {
        let json = |one: &&Encoding| one.one_text() == Some(Style::Json);
        let json = media.encoding.iter().filter(json);
        Fields {
            named: json.map(|one| (one.field.clone(), Holds::Json)).collect(),
            octets: BTreeMap::new(),
            matched: Vec::new(),
            others: Some(Holds::Text),
            spread: BTreeSet::new(),
        }
    }

    /// Whether a field is an object whose members stand beside the other fields.
    pub(super) fn is_spread(&self, field: &str) -> bool {
        self.spread.contains(field)
    }

    /// How long each file of a field is, where that is known.
    pub(super) fn octets(&self, field: &str) -> Option<Bounds> {
        self.octets.get(field).copied()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.named.keys()
    }

    /// What is in a field, where that is known.
    pub(super) fn get(&self, field: &str) -> Option<Holds> {
        let named = self.named.get(field).copied();
        named.or_else(|| {
            let mut matched = self.matched.iter();
            let matched = matched.find(|(pattern, _)| pattern.is_match(field));
            matched.map(|(_, holds)| *holds).or(self.others)
        })
    }

    /// A form as it is sent. What is in a file is the sender's business.
    pub(super) fn written(&self, value: &Value) -> Raw<'static> {
        let Value::Object(members) = value else {
            return Raw::Json(value.clone());
        };
        let members = members.iter().map(|(name, value)| {
            let sent = match self.get(name) {
                Some(Holds::Json | Holds::Files(..)) => Raw::Json(value.clone()),
                Some(Holds::Text) | None => written(value),
            };
            (Cow::Owned(name.clone()), sent)
        });
        Raw::Map(members.collect())
    }

    /// What is in the field in which a difference lies.
    pub(super) fn around(&self, finding: &Finding) -> Option<Holds> {
        let mut steps = finding.path.iter().map(|(_, step)| step);
        match steps.find(|step| !matches!(step, Step::Variant(..))) {
            Some(Step::Member(name)) => self.get(name),
            Some(Step::Matching(source)) => {
                let mut matched = self.matched.iter();
                let matched = matched.find(|(pattern, _)| pattern.source() == source);
                matched.map(|(_, holds)| *holds).or(self.others)
            }
            Some(Step::Other) => self.others,
            _ => None,
        }
    }

    /// Whether a difference lies within a file, of which the schema says no more than its length: that is
    /// compared by itself.
    pub(super) fn hides(&self, finding: &Finding) -> bool {
        self.around(finding).is_some_and(Holds::is_file)
    }

    /// Whether what is at a pointer is a file, or within one.
    pub(super) fn is_file(&self, pointer: &str) -> bool {
        let field = pointer
            .strip_prefix('/')
            .and_then(|rest| rest.split('/').next());
        let field = field.map(|field| field.replace("~1", "/").replace("~0", "~"));
        let holds = field.and_then(|field| self.get(&field));
        holds.is_some_and(Holds::is_file)
    }
}

fn spread(styled: Vec<Styled>) -> BTreeSet<String> {
    let styled = styled.into_iter();
    let spread = styled.filter(|one| one.explode && matches!(one.shape, ParamShape::Object(_)));
    spread.map(|one| one.wire).collect()
}

impl Holds {
    fn of(content: &FieldContent) -> Holds {
        match content {
            FieldContent::Text(..) | FieldContent::Joined(..) | FieldContent::Spread(..) => {
                Holds::Text
            }
            FieldContent::Json(..) => Holds::Json,
            FieldContent::File(_) => Holds::Files(1, Some(1)),
            FieldContent::Files { count, .. } => Holds::Files(count.min, count.max),
        }
    }

    pub(super) fn is_file(self) -> bool {
        matches!(self, Holds::Files(..))
    }

    /// What it is in the words of a report.
    pub(super) fn name(self) -> String {
        match self {
            Holds::Text => "text".to_owned(),
            Holds::Json => "JSON".to_owned(),
            Holds::Files(1, Some(1)) => "a file".to_owned(),
            Holds::Files(min, None) => format!("{} or more files", min.max(1)),
            Holds::Files(min, Some(max)) => format!("{min} to {max} files"),
        }
    }
}
