//! Responses and their headers.

use super::conditional;
use super::operations::Lowering;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{
    Accept, Field, HeaderEncoding, ModelShape, Response, ResponseHeader, SeenHeader, Type, TypeKind,
};
use crate::names::{self, Scope};
use crate::openapi::{self, Status};

impl Lowering<'_, '_> {
    pub(super) fn response(
        &mut self,
        source: &openapi::Response,
        variants: &mut Scope,
    ) -> Option<Response> {
        let rust = variants.claim(status_name(source.status));
        let hint = format!("{} {rust}", self.pascal);
        let mut headers = Scope::reserving(names::HEADERS);
        let set = source
            .headers
            .iter()
            .filter(|header| !header.framework_made);
        let headers = set
            .map(|header| self.header(header, &hint, &mut headers))
            .collect();
        let mut scope = Scope::default();
        let body_hint = format!("{hint} body");
        // An answer to `HEAD` has no body, even if the document declares one (RFC 9110 §9.3.2).
        let content = match self.source.method.as_str() {
            "HEAD" => &[],
            _ => source.content.as_slice(),
        };
        let media: Option<Vec<_>> = content
            .iter()
            .map(|media| self.media(media, &body_hint, &mut scope, false))
            .collect();
        let mut response = Response {
            status: source.status,
            statuses: Vec::new(),
            body_rust: self.body_type(&format!("{rust}Body"), content.len()),
            rust,
            doc: source.description.clone(),
            headers,
            seen_headers: source.headers.iter().map(seen_header).collect(),
            media: media?,
            is_tagged: conditional::is_tagged(self.source, source),
            links: source.links.clone(),
        };
        if response.is_tagged && !response.streamed().is_empty() {
            let message = "the body passes as a stream, of which no entity tag can be made";
            let problem = Diagnostic::new(Code::FrameworkMade, &source.at, message);
            self.models.diagnostics.recover(problem, "it has no tag");
            response.is_tagged = false;
        }
        Some(response)
    }

    /// The media types that callers choose from.
    pub(super) fn accept(&mut self, responses: &[Response]) -> Accept {
        let mut scope = Scope::default();
        let mut offers: Vec<(String, String)> = Vec::new();
        for response in responses {
            let success = match response.status {
                Status::Code(code) => (200..300).contains(&code),
                Status::Range(hundred) => hundred == 2,
                Status::Default => responses.len() == 1,
            };
            for media in response.media.iter().filter(|_| success) {
                if offers.iter().all(|(known, _)| *known != media.media_type) {
                    offers.push((media.media_type.clone(), scope.claim(media.rust.clone())));
                }
            }
        }
        Accept {
            rust: self.body_type("Accept", offers.len()),
            offers,
        }
    }

    fn header(
        &mut self,
        header: &openapi::Header,
        hint: &str,
        scope: &mut Scope,
    ) -> ResponseHeader {
        let hint = format!("{hint} {}", header.name);
        let ty = self.models.type_of(&header.schema, &hint);
        let encoding = if header.is_json {
            HeaderEncoding::Json
        } else if self.prints_itself(&ty) {
            HeaderEncoding::Text
        } else {
            HeaderEncoding::Simple {
                shape: self.models.param_shape_by(&ty, &header.schema),
                explode: header.explode,
            }
        };
        ResponseHeader {
            encoding,
            schema: header.schema.clone(),
            field: Field {
                wire: header.name.clone(),
                rust: scope.claim(names::snake(&header.name)),
                doc: header.description.clone().unwrap_or_default(),
                ty,
                required: header.required,
                boxed: false,
                deprecated: false,
            },
        }
    }

    /// Whether the `Display` of a type's Rust form is its text in a header.
    fn prints_itself(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Bool
            | TypeKind::Integer(_)
            | TypeKind::Number
            | TypeKind::String
            | TypeKind::Formatted { .. } => true,
            TypeKind::Model(id) => match self.models.shape_of(*id) {
                Some(ModelShape::Alias(inner)) => self.prints_itself(inner),
                Some(ModelShape::Constant(_)) => true,
                _ => false,
            },
            _ => false,
        }
    }
}

fn seen_header(header: &openapi::Header) -> SeenHeader {
    SeenHeader {
        wire: header.name.clone(),
        required: header.required,
        schema: header.schema.clone(),
        examples: header.examples.clone(),
    }
}

/// The name of a status in RFC 9110 §15 and the registry, as a variant.
fn status_name(status: Status) -> String {
    let code = match status {
        Status::Code(code) => code,
        Status::Range(hundred) => {
            return match hundred {
                1 => "Informational".into(),
                2 => "Success".into(),
                3 => "Redirection".into(),
                4 => "ClientError".into(),
                _ => "ServerError".into(),
            };
        }
        Status::Default => return "Default".into(),
    };
    let phrase = http::StatusCode::from_u16(code)
        .ok()
        .and_then(|code| code.canonical_reason());
    phrase.map_or_else(|| format!("Status{code}"), names::pascal)
}
