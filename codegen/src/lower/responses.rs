//! Responses and their headers.

use super::conditional;
use super::operations::Lowering;
use super::params::examples;
use super::reserved;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{
    Accept, DescribedLink, Field, HeaderEncoding, ModelShape, Name, Response, ResponseHeader,
    SeenHeader, Type, TypeKind,
};
use crate::names::Scope;
use crate::openapi::{self, LinkObject, Status};

impl Lowering<'_, '_> {
    pub(super) fn response(
        &mut self,
        source: &openapi::Response,
        names: &mut Scope,
    ) -> Option<Response> {
        let name = names.claim(status_name(source.status));
        let hint = format!("{} {name}", self.name);
        let mut headers = Scope::reserving(reserved::ANSWER);
        let set = source
            .headers
            .iter()
            .filter(|header| !header.framework_made || source.framework_made.is_some());
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
            content_name: self.choice_name(&format!("{name}_content"), content.len()),
            name,
            doc: meaning(source),
            headers,
            seen_headers: source.headers.iter().map(seen_header).collect(),
            media: media?,
            is_tagged: conditional::is_tagged(self.source, source),
            links: source.links.iter().map(described).collect(),
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
        let mut offers: Vec<(String, Name)> = Vec::new();
        for response in responses {
            let is_only = response.status == Status::Default && responses.len() == 1;
            let success = is_only || response.status.is_success();
            for media in response.media.iter().filter(|_| success) {
                if offers.iter().all(|(known, _)| *known != media.media_type) {
                    offers.push((media.media_type.clone(), scope.claim(media.name.clone())));
                }
            }
        }
        Accept {
            name: self.choice_name("accept", offers.len()),
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
                name: scope.claim(Name::of(&header.name)),
                doc: header.description.clone().unwrap_or_default(),
                ty,
                required: header.required,
                boxed: false,
                deprecated: false,
            },
        }
    }

    /// Whether a value of a type is one text as it is.
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

/// The meaning of a response, in the words of the document.
fn meaning(response: &openapi::Response) -> String {
    let summary = response.summary.as_deref().unwrap_or_default();
    match (summary, response.description.as_str()) {
        ("", description) => description.to_owned(),
        (summary, "") => summary.to_owned(),
        (summary, description) => format!("{summary}\n\n{description}"),
    }
}

fn seen_header(header: &openapi::Header) -> SeenHeader {
    SeenHeader {
        wire: header.name.clone(),
        required: header.required,
        schema: header.schema.clone(),
        examples: examples(&header.examples),
    }
}

fn described(link: &LinkObject) -> DescribedLink {
    DescribedLink {
        name: link.name.clone(),
        operation_id: link.operation_id.clone(),
        description: link.description.clone().unwrap_or_default(),
        parameters: link.parameters.clone(),
    }
}

/// The name of a status in RFC 9110 §15 and the registry.
fn status_name(status: Status) -> Name {
    let code = match status {
        Status::Code(code) => code,
        Status::Range(hundred) => {
            return Name::of(match hundred {
                1 => "informational",
                2 => "success",
                3 => "redirection",
                4 => "client error",
                _ => "server error",
            });
        }
        Status::Default => return Name::of("default"),
    };
    let phrase = http::StatusCode::from_u16(code)
        .ok()
        .and_then(|code| code.canonical_reason());
    phrase.map_or_else(|| Name::of(&format!("status{code}")), Name::of)
}
