//! `encoding` of parts that are texts (OpenAPI 3.1.1 §4.8.15.1).

use super::{Lowering, is_list, is_text};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Delimited, FieldContent, ParamShape, Type, TypeKind};
use crate::lower::form_fields::FormFields;
use crate::lower::{pairs, style_types};
use crate::openapi::{Encoding, Style, is_xml};
use serde_json::json;

impl Lowering<'_, '_> {
    /// The content of an XML part that a schema describes by its elements: one text, or several.
    pub(super) fn in_xml(
        &mut self,
        encoding: &Encoding,
        content: &FieldContent,
    ) -> Option<FieldContent> {
        let FieldContent::Text(ty, _) = content else {
            return None;
        };
        if is_text(self.models, ty, 0) || !encoding.types().iter().any(|name| is_xml(name)) {
            return None;
        }
        let message = "XML is not checked against its schema";
        let fallback = "the part is a text, as it is sent; the form is not checked as a whole";
        let diagnostics = &mut self.models.diagnostics;
        diagnostics.recover(
            Diagnostic::new(Code::Unsupported, &encoding.at, message),
            fallback,
        );
        self.is_judged = false;
        let (text, schema) = (Type::of(TypeKind::String), json!({ "type": "string" }));
        Some(match is_list(self.models, ty) {
            false => FieldContent::Text(text, self.models.register("text", &schema)),
            true => {
                let schema = json!({ "type": "array", "items": schema });
                let texts = Type::of(TypeKind::Array(Box::new(text)));
                FieldContent::Text(texts, self.models.register("texts", &schema))
            }
        })
    }

    /// The content of a list or an object that is one text by its style, or of an object whose
    /// members are fields of the form (§4.8.15.1.2).
    pub(super) fn joined(
        &mut self,
        encoding: &Encoding,
        content: FieldContent,
        form: &FormFields<'_>,
    ) -> FieldContent {
        let (FieldContent::Text(ty, key), Some(style)) = (&content, encoding.style) else {
            return content;
        };
        style_types::check_field(self.models, Some(style.0), &encoding.at, ty);
        let delimiter = match style {
            (Style::Form, false) => ',',
            (Style::SpaceDelimited, false) => ' ',
            (Style::PipeDelimited, false) => '|',
            (Style::Form, true) => {
                let names = self.spread(encoding, ty, form);
                return match names {
                    Some(names) => FieldContent::Spread(ty.clone(), key.clone(), names),
                    None => content,
                };
            }
            _ => return content,
        };
        let is_object = match pairs::shape(self.models, ty, Style::Form) {
            Some(ParamShape::Scalar) => return content,
            Some(shape) => matches!(shape, ParamShape::Object(_)),
            None => {
                let message = "only a list or an object of plain values can be one text";
                self.report_style(encoding, message);
                return content;
            }
        };
        let joined = Delimited {
            delimiter,
            is_object,
        };
        FieldContent::Delimited(ty.clone(), key.clone(), joined)
    }

    /// The names of an object's members that become parts; `None` for a type that is no object,
    /// and, with a diagnostic, for an object that cannot be written so.
    fn spread(
        &mut self,
        encoding: &Encoding,
        ty: &Type,
        form: &FormFields<'_>,
    ) -> Option<Vec<String>> {
        if !self.models.param_shape(ty).has_object() {
            return None;
        }
        let names = match pairs::members(self.models, ty) {
            Ok(names) => names.filter(|names| !names.is_empty())?,
            Err(refused) => {
                self.report_style(encoding, refused);
                return None;
            }
        };
        let is_field = |name: &String| {
            let named = form.named.iter().any(|(wire, _)| wire == name);
            named || form.required.contains(name) || self.beside.contains(name)
        };
        if let Some(name) = names.iter().find(|name| is_field(name)) {
            self.report_style(encoding, &pairs::twice(name));
            return None;
        }
        self.beside.extend(names.iter().cloned());
        Some(names)
    }

    fn report_style(&mut self, encoding: &Encoding, message: &str) {
        let fallback = "the field is parts of the names `a`, or `a[b]`";
        let diagnostics = &mut self.models.diagnostics;
        diagnostics.recover(
            Diagnostic::new(Code::Unsupported, &encoding.at, message),
            fallback,
        );
    }
}
