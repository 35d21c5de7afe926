//! Bodies: the content of each media type.

use super::operations::Lowering;
use super::params::examples;
use super::sequences::{self, is_sequence};
use super::{forms, pairs};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Body, Bounds, Content, Media, Name, Rules, Type, TypeKind};
use crate::message::essence;
use crate::names::Scope;
use crate::openapi::{self, ParamLocation, is_json, is_text};
use crate::schema::{self, JsonType, Keywords};

impl Lowering<'_, '_> {
    pub(super) fn body(&mut self, body: &openapi::Body) -> Option<Body> {
        self.report_codings();
        let mut scope = Scope::default();
        let hint = format!("{} body", self.name);
        let mut media: Vec<(&openapi::Media, Media)> = Vec::new();
        for one in &body.content {
            let mut earlier = media.iter_mut();
            match earlier.find(|(earlier, _)| self.is_same_json(earlier, one)) {
                Some((_, same)) => merge(same, one),
                None => media.push((one, self.media(one, &hint, &mut scope, true)?)),
            }
        }
        Some(Body {
            doc: body.description.clone().unwrap_or_default(),
            required: body.required,
            limit: body.limit,
            name: self.choice_name("content", media.len()),
            media: media.into_iter().map(|(_, media)| media).collect(),
        })
    }

    /// Whether two media types are JSON of the same schema: one type reads both.
    fn is_same_json(&self, one: &openapi::Media, other: &openapi::Media) -> bool {
        let schema = |media: &openapi::Media| {
            let essence = essence(&media.media_type);
            let is_plain = is_json(&essence) && !is_sequence(&essence) && !essence.contains('*');
            let key = media.schema.as_ref().filter(|_| is_plain)?;
            self.models.bundle.get(key)
        };
        schema(one).is_some_and(|it| schema(other) == Some(it))
    }

    /// Reports a body that may be compressed: the service does not decompress it (RFC 9110 §8.4); a
    /// proxy in front may, as it may compress answers.
    fn report_codings(&mut self) {
        let headers = self.source.parameters.iter();
        let headers = headers.filter(|parameter| parameter.place == ParamLocation::Header);
        for header in headers.filter(|header| header.name.eq_ignore_ascii_case("content-encoding"))
        {
            let schema = self.models.bundle.get(&header.schema);
            let listed = schema.and_then(|schema| schema.get("enum")?.as_array());
            if listed.is_some_and(|values| values.iter().all(|value| value == "identity")) {
                continue;
            }
            let message = "a compressed body is not decompressed";
            let fallback =
                "it is refused with 415; without a coding, or with `identity`, it is taken";
            let diagnostics = &mut self.models.diagnostics;
            diagnostics.recover(
                Diagnostic::new(Code::Unsupported, &header.at, message),
                fallback,
            );
        }
    }

    /// The name of a choice of media types; without several of them, it has none.
    pub(super) fn choice_name(&mut self, suffix: &str, media: usize) -> Name {
        if media < 2 {
            return Name::default();
        }
        self.bodies.claim(self.name.with(suffix))
    }

    /// Whether a media range stands for JSON: there is no other way to write a schema that is
    /// neither a text nor bytes.
    fn is_json_anyway(&mut self, essence: &str, key: &str) -> bool {
        if !matches!(essence, "*/*" | "application/*") {
            return false;
        }
        let models = &mut *self.models;
        let Some(value) = models.bundle.get(key) else {
            return false;
        };
        let schema = schema::parse(value, &models.bundle.place(key), models.diagnostics);
        let keywords = models.resolved(&schema);
        keywords.is_some_and(|k| k.constrains() && !k.types.contains(&JsonType::String))
    }

    /// A form; a text, where its schema has no fields.
    fn form(&mut self, media: &openapi::Media, key: &str, hint: &str) -> Content {
        let ty = self.models.type_of(key, hint);
        if forms::is_text(self.models, &ty, 0) || forms::is_list(self.models, &ty) {
            let message = "the schema of a form must be an object";
            let fallback = "the body is a text, as it is sent";
            let diagnostics = &mut self.models.diagnostics;
            diagnostics.recover(Diagnostic::new(Code::Invalid, &media.at, message), fallback);
            return Content::Text;
        }
        let styled = pairs::styled(self.models, &media.encoding, &ty);
        Content::Form(ty, key.into(), styled)
    }

    /// A text, or one value that is written as a text; lists and objects cannot be.
    fn text(&mut self, media: &openapi::Media, key: &str, hint: &str, request: bool) -> Content {
        let schema = sequences::parsed(self.models, key);
        let keywords = self.models.resolved(&schema);
        let Some(k) = keywords.filter(|k| !k.takes_any_text()) else {
            return Content::Text;
        };
        let several = [JsonType::Array, JsonType::Object];
        if !several.iter().any(|several| k.types.contains(several)) {
            let ty = self.models.type_of(key, hint);
            // A string schema may only describe the text's kind, such as `format: csv`.
            if matches!(ty.kind, TypeKind::String) && *ty.rules == Rules::default() {
                return Content::Text;
            }
            let checked = matches!(ty.kind, TypeKind::Json) && !k.types.is_empty();
            if checked || forms::is_scalar(self.models, &ty) {
                return Content::Scalar(ty, key.into());
            }
        }
        if request || self.models.reported_texts.insert(k.at.clone()) {
            let message = "the schema of a text must accept plain values only; this one accepts lists or objects, \
                or has no type";
            let fallback = match request {
                true => "any text is taken",
                false => "any text is sent, here and wherever this schema is an answer's text",
            };
            let diagnostics = &mut self.models.diagnostics;
            diagnostics.recover(
                Diagnostic::new(Code::Unsupported, &media.at, message),
                fallback,
            );
        }
        Content::Text
    }

    /// Whether a schema describes an XML document as a text instead of its elements.
    fn is_text_in_xml(&mut self, essence: &str, key: &str) -> bool {
        let schema = sequences::parsed(self.models, key);
        let keywords = self.models.resolved(&schema);
        essence.ends_with("xml") && keywords.is_some_and(|k| k.types == [JsonType::String])
    }

    /// Reports fields or parts of a media type for which no form is made: they are bytes.
    fn report_fields(&mut self, media: &openapi::Media, essence: &str) {
        let what = match essence {
            "application/x-www-form-urlencoded" => "the fields of an answer",
            _ if essence.starts_with("multipart/") => "the parts",
            _ => return,
        };
        let described = media.schema.as_deref().is_some_and(|key| {
            let schema = sequences::parsed(self.models, key);
            let keywords = self.models.resolved(&schema);
            keywords.is_some_and(|k| !k.properties.is_empty() || k.items.is_some())
        });
        if described {
            let message = format!("{what} in `{essence}` are not told apart");
            let fallback = "the body is a stream of bytes, as it is sent";
            let diagnostics = &mut self.models.diagnostics;
            diagnostics.recover(
                Diagnostic::new(Code::Unsupported, &media.at, message),
                fallback,
            );
        }
    }

    /// Reports a schema of items where there are none, and that of a whole which passes item by item.
    fn report_items(&mut self, media: &openapi::Media, essence: &str, content: &Content) {
        if media.item_schema.is_none() {
            return;
        }
        let passes = matches!(
            content,
            Content::Items(..) | Content::Events(..) | Content::Parts(_)
        );
        let at = media.at.child(if passes { "schema" } else { "itemSchema" });
        let diagnostics = &mut self.models.diagnostics;
        if !passes {
            let message = format!("`{essence}` is not read item by item, as this describes it");
            diagnostics.recover(
                Diagnostic::new(Code::Unsupported, &at, message),
                "it is ignored",
            );
        } else if media.schema.is_some() {
            let message = "a stream of items is not checked against `schema`";
            let problem = Diagnostic::new(Code::Unsupported, &at, message);
            diagnostics.warn(problem.help("each item is checked against `itemSchema`"));
        }
    }

    /// How many items a request may have whose items come one by one, by the list that its schema describes.
    fn item_count(&mut self, media: &openapi::Media, content: &Content) -> Bounds {
        let (None, Some(key)) = (&media.item_schema, &media.schema) else {
            return Bounds::NONE;
        };
        let schema = sequences::parsed(self.models, key);
        let list = match content {
            Content::Parts(_) => self.joined(&schema),
            Content::Items(..) | Content::Events(..) => {
                let keywords = self.models.resolved(&schema);
                keywords.filter(sequences::is_list)
            }
            _ => None,
        };
        list.map_or(Bounds::NONE, |list| {
            self.report_unchecked(&list);
            Bounds {
                min: list.min_items.unwrap_or(0),
                max: list.max_items,
            }
        })
    }

    /// Reports the keywords of a list for which all items would have to be in memory.
    fn report_unchecked(&mut self, list: &Keywords<'_>) {
        let unchecked = [
            ("contains", list.raw.get("contains").is_some()),
            ("uniqueItems", list.unique_items),
        ];
        for (keyword, _) in unchecked.into_iter().filter(|(_, is_there)| *is_there) {
            let message = format!("a stream of items is not checked against `{keyword}`");
            let problem = Diagnostic::new(Code::Unsupported, &list.at.child(keyword), message);
            self.models.diagnostics.warn(problem);
        }
    }

    pub(super) fn media(
        &mut self,
        media: &openapi::Media,
        hint: &str,
        scope: &mut Scope,
        request: bool,
    ) -> Option<Media> {
        let essence = &*essence(&media.media_type);
        let content = match &media.schema {
            _ if is_sequence(essence) => self.sequence(essence, media, (hint, request)),
            Some(key) if is_json(essence) || self.is_json_anyway(essence, key) => {
                Content::Json(self.models.type_of(key, hint), key.clone())
            }
            None if is_json(essence) => {
                let key = self.models.register("any", &serde_json::Value::Bool(true));
                Content::Json(Type::of(TypeKind::Json), key)
            }
            Some(key) if essence == "application/x-www-form-urlencoded" && request => {
                self.form(media, key, hint)
            }
            _ if essence == "multipart/form-data" && request => {
                let name = self.bodies.claim(self.name.with("form"));
                forms::lower(self.models, self.bodies, media, name)
                    .map_or(Content::Stream, Content::Multipart)
            }
            Some(key) if is_text(essence) || self.is_text_in_xml(essence, key) => {
                self.text(media, key, hint, request)
            }
            _ if essence.starts_with("text/") || essence.ends_with("xml") => Content::Text,
            _ => self.parts(media, essence, hint).unwrap_or_else(|| {
                self.report_fields(media, essence);
                Content::Stream
            }),
        };
        self.report_items(media, essence, &content);
        let count = match request {
            true => self.item_count(media, &content),
            false => Bounds::NONE,
        };
        Some(Media {
            name: scope.claim(Name::of(media_name(essence))),
            media_type: media.media_type.clone(),
            also: Vec::new(),
            content,
            count,
            examples: examples(&media.examples),
        })
    }
}

/// Adds a media type of the same content, and its examples.
fn merge(same: &mut Media, other: &openapi::Media) {
    same.also.push(other.media_type.clone());
    for example in examples(&other.examples) {
        if same.examples.iter().all(|it| it.name != example.name) {
            same.examples.push(example);
        }
    }
}

/// The text that a media type is named after.
fn media_name(essence: &str) -> &str {
    match essence {
        "application/json" => "json",
        "application/x-www-form-urlencoded" => "form",
        "application/octet-stream" => "bytes",
        "text/plain" => "text",
        "*/*" => "any",
        other => other.strip_prefix("application/").unwrap_or(other),
    }
}
