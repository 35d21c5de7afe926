//! `multipart/form-data`: the fields of a form, and how each is written (OpenAPI 3.1.1 §4.8.15).

mod files;
mod form_schema;
mod headers;
mod lengths;
mod styles;

use super::form_fields::{self, FormFields, either};
use super::merge::{self, Merged};
use super::models::{Models, doc_of};
use super::sequences::key_of;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{
    FieldContent, Form, FormField, KeptFields, ModelShape, Name, OtherFields, Type, TypeKind,
};
use crate::names::Scope;
use crate::openapi::{self, Encoding, Key, is_json};
use crate::schema::{self, Keywords, Schema};
use files::files;
pub(super) use files::{holds, is_file};
pub(super) use headers::of as headers_of;
use std::collections::BTreeSet;

/// The message about a form whose fields have no names.
pub(super) const UNNAMED_FIELDS: &str =
    "the fields of a form must be in the `properties` of an object";

/// Lowers a form to fields, with `types` as the scope of type names; `None` and a diagnostic where
/// its schema declares no fields.
pub(super) fn lower(
    models: &mut Models<'_>,
    types: &mut Scope,
    media: &openapi::Media,
    name: Name,
) -> Option<Form> {
    let (message, help) = match object(models, media) {
        Some(Ok(object)) => {
            let mut form = Lowering::new(models, types, media, name).form(object);
            if let Some(key) = media.schema.as_ref().filter(|_| form.has_files()) {
                let key = form_schema::of(models, &form, key);
                form.whole = form.whole.map(|_| key);
            }
            return Some(form);
        }
        Some(Err(message)) => (message, "let it be a file in each case, or in none"),
        None => (UNNAMED_FIELDS.to_owned(), "name the fields"),
    };
    let problem = Diagnostic::new(Code::Unsupported, &media.at, message).help(help);
    let fallback = "the body is a stream of bytes, parts and all";
    models.diagnostics.recover(problem, fallback);
    None
}

/// A form's schema, seen as one object.
struct Object<'a> {
    fields: FormFields<'a>,
    /// Whether other fields are refused.
    closed: bool,
    /// The key of the schema, if it says more than its fields do.
    whole: Option<Key>,
}

/// Lowers the fields of a form.
struct Lowering<'l, 'a> {
    models: &'l mut Models<'a>,
    /// The names of types beside those of the models.
    types: &'l mut Scope,
    media: &'l openapi::Media,
    /// The name of the form.
    name: Name,
    members: Scope,
    /// The names of object members that are parts beside the fields.
    beside: Vec<String>,
    /// Whether every field has the form that its schema describes, so that all can be checked
    /// together.
    is_judged: bool,
}

impl<'l, 'a> Lowering<'l, 'a> {
    fn new(
        models: &'l mut Models<'a>,
        types: &'l mut Scope,
        media: &'l openapi::Media,
        name: Name,
    ) -> Self {
        Lowering {
            models,
            types,
            media,
            name,
            members: Scope::default(),
            beside: Vec::new(),
            is_judged: true,
        }
    }

    fn form(mut self, object: Object<'a>) -> Form {
        let mut fields = Vec::new();
        for (wire, schema) in &object.fields.named {
            fields.push(self.field(wire, schema, &object.fields));
        }
        let named = |wire: &String| object.fields.named.iter().any(|(name, _)| name == wire);
        for wire in object.fields.required.iter().filter(|wire| !named(wire)) {
            let anything = match object.closed {
                true => Schema::Never,
                false => Schema::Keywords(Box::default()),
            };
            let schema = object.fields.unnamed(wire).cloned().unwrap_or(anything);
            fields.push(self.field(wire, &schema, &object.fields));
        }
        let mut others = self.others(&object.fields);
        let whole = object.whole.filter(|_| self.is_judged);
        others.closed = object.closed && whole.is_none();
        Form {
            name: self.name,
            fields,
            others,
            whole,
        }
    }

    fn field(&mut self, wire: &str, schema: &Schema<'a>, form: &FormFields<'a>) -> FormField {
        let media = self.media;
        let encoding = media.encoding.iter().find(|one| one.field == *wire);
        let hint = format!("{} {wire}", self.name);
        let mut content = content(self.models, encoding, schema, &hint);
        if let Some(encoding) = encoding
            && let Some(text) = self.in_xml(encoding, &content)
        {
            content = text;
        }
        if let Some(encoding) = encoding {
            content = self.joined(encoding, content, form);
        }
        if let FieldContent::Text(ty, key)
        | FieldContent::Json(ty, key)
        | FieldContent::Delimited(ty, key, _)
        | FieldContent::Spread(ty, key, _) = &mut content
            && form.undeclared.contains(wire)
        {
            (*ty, *key) = (
                Type::of(TypeKind::Json),
                key_of(self.models, &Schema::Always),
            );
        }
        let headers = encoding.and_then(|encoding| self.headers(encoding, &content));
        FormField {
            headers,
            name: self.members.claim(Name::of(wire)),
            doc: doc_of(schema),
            required: form.required.contains(wire),
            types: encoding.map(Encoding::types).unwrap_or_default(),
            content,
            wire: wire.to_owned(),
        }
    }

    /// The schemas of fields that are not named.
    fn others(&mut self, form: &FormFields<'a>) -> OtherFields {
        let hint = format!("{} value", self.name);
        let mut matched = Vec::new();
        for (pattern, schema) in &form.matched {
            let source = pattern.source();
            let (at, named) = (
                self.media.at.child(source),
                format!("{} {source}", self.name),
            );
            let pattern = self.models.pattern(source, &at, &named);
            let content = content(self.models, None, schema, &hint);
            let pattern = self.models.patterns.get(pattern.0).cloned();
            matched.extend(pattern.map(|pattern| (pattern, content)));
        }
        matched.sort_by_key(|(_, content)| !content.is_file());
        let rest = form.rest.as_ref();
        let all = form.matched.iter().map(|(_, schema)| schema).chain(rest);
        let (files, values): (Vec<_>, Vec<_>) =
            all.partition(|schema| is_file(self.models, schema));
        let rest = rest.map(|schema| content(self.models, None, schema, &hint));
        let name = if files.is_empty() {
            "other_fields"
        } else {
            "other_values"
        };
        let kept = [("other_fields", files), (name, values)];
        let kept = kept.into_iter().filter(|(_, schemas)| !schemas.is_empty());
        let kept = kept.map(|(name, schemas)| {
            let schema = either(schemas.into_iter(), self.media.at.child(name));
            KeptFields {
                name: self.members.claim(Name::of(name)),
                content: content(self.models, None, &schema, &hint),
            }
        });
        OtherFields {
            kept: kept.collect(),
            closed: false,
            matched,
            rest,
        }
    }
}

/// Whether a schema is more than "any value".
pub(super) fn is_particular(schema: &Schema<'_>) -> bool {
    match schema {
        Schema::Keywords(k) => {
            let is_file = k.raw.get("contentMediaType").is_some();
            is_file || !files::is_anything(k)
        }
        _ => false,
    }
}

/// The fields of a form, where its schema has any.
///
/// An error names the fields that are files in some cases only.
fn object<'a>(
    models: &mut Models<'a>,
    media: &openapi::Media,
) -> Option<Result<Object<'a>, String>> {
    let key = media.schema.as_ref()?;
    let at = models.bundle.place(key);
    let schema = schema::parse(models.bundle.get(key)?, &at, models.diagnostics);
    let Some(k) = joined(models, &schema) else {
        let whole = Some(key.clone());
        return form_fields::collect(models, &schema, &at)
            .map(|fields| {
                fields.is_any().then_some(Object {
                    fields,
                    closed: false,
                    whole,
                })
            })
            .transpose();
    };
    if k.properties.is_empty() && k.additional.is_none() {
        return None;
    }
    let counted = k.min_properties.is_some() || k.max_properties.is_some();
    Some(Ok(Object {
        closed: matches!(k.additional, Some(Schema::Never)),
        whole: counted.then(|| key.clone()),
        fields: FormFields {
            named: k.properties,
            required: k.required.into_iter().collect(),
            undeclared: BTreeSet::new(),
            matched: Vec::new(),
            rest: k.additional.filter(is_particular),
        },
    }))
}

/// A form's schema as one object, where it is nothing else.
fn joined<'a>(models: &mut Models<'a>, schema: &Schema<'a>) -> Option<Keywords<'a>> {
    let mut keywords = models.resolved(schema)?;
    if keywords.reference.is_some() || !keywords.all_of.is_empty() {
        keywords = match merge::merge(models, &keywords)? {
            Merged::One(only) => models.resolved(&only)?,
            Merged::Whole(whole) => *whole,
        };
    }
    let plain = keywords.one_of.is_empty() && keywords.any_of.is_empty();
    (plain && keywords.foreign.is_none()).then_some(keywords)
}

/// The encoding of a field's values: given by its `encoding`, or else by its type.
fn content<'a>(
    models: &mut Models<'a>,
    encoding: Option<&Encoding>,
    schema: &Schema<'a>,
    hint: &str,
) -> FieldContent {
    let content_type = encoding.and_then(|encoding| encoding.content_type.as_deref());
    if let Some(files) = files(models, schema, content_type) {
        return files;
    }
    let ty = models.lower(schema, hint);
    let key = key_of(models, schema);
    let as_text = match (content_type, encoding) {
        (_, Some(encoding)) if encoding.style.is_some() => true,
        (Some(content_type), _) => !is_json(content_type),
        _ => is_text(models, &ty, 0),
    };
    if as_text {
        FieldContent::Text(ty, key)
    } else {
        FieldContent::Json(ty, key)
    }
}

/// Whether a value of a type is one text.
pub(super) fn is_scalar(models: &Models<'_>, ty: &Type) -> bool {
    is_text(models, ty, 1)
}

/// Whether a value of a type is one text, a list of texts, or either.
pub(super) fn is_text(models: &Models<'_>, ty: &Type, depth: usize) -> bool {
    match &ty.kind {
        TypeKind::Bool
        | TypeKind::Integer(_)
        | TypeKind::Number
        | TypeKind::String
        | TypeKind::Formatted { .. }
        | TypeKind::Null => true,
        TypeKind::Array(item) => depth == 0 && is_text(models, item, 1),
        TypeKind::Nullable(inner) => is_text(models, inner, depth),
        TypeKind::Json | TypeKind::Map(_) => false,
        TypeKind::Model(id) => match models.shape_of(*id) {
            Some(ModelShape::Enum(_) | ModelShape::IntegerEnum(_) | ModelShape::Constant(_)) => {
                true
            }
            Some(ModelShape::Alias(inner)) => is_text(models, inner, depth),
            Some(ModelShape::Union(union)) => {
                let mut variants = union.variants.iter();
                variants.all(|variant| is_text(models, &variant.ty, depth))
            }
            _ => false,
        },
    }
}

/// Whether a type is a list: its items need no field names of their own.
pub(super) fn is_list(models: &Models<'_>, ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Array(_) => true,
        TypeKind::Nullable(inner) => is_list(models, inner),
        TypeKind::Model(id) => match models.shape_of(*id) {
            Some(ModelShape::Alias(inner)) => is_list(models, inner),
            _ => false,
        },
        _ => false,
    }
}
