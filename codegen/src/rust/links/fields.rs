//! The fields of a link's request: each from an argument, from the link, or absent.

use super::super::api;
use super::super::tokens::{ModelPath, ty};
use super::{Following, module};
use crate::ir::{Body, Content, LinkArgument, LinkSource, Param, Style};
use crate::rust::names;
use proc_macro2::TokenStream;
use quote::quote;

impl Following<'_> {
    /// The fields of the request.
    pub(super) fn fields(&self) -> Vec<TokenStream> {
        let path = self.link.path_params.iter().zip(&self.target.path_params);
        let mut fields: Vec<_> = path
            .map(|(filling, param)| self.param(filling, param))
            .collect();
        if !self.target.params.is_empty() {
            let (module, name) = (module(self.api, self.target), api::params_name(self.target));
            let others = self.link.params.iter().zip(&self.target.params);
            let others = others.map(|(filling, param)| self.param(filling, param));
            fields.push(quote!(params: #module::#name { #(#others),* }));
        }
        if let Some(body) = &self.target.body {
            fields.push(self.given_body(body));
        }
        fields
    }

    fn param(&self, filling: &LinkArgument, param: &Param) -> TokenStream {
        let field = names::param(param);
        let (key, valid) = (
            &param.schema,
            self.checked.function(self.api, &param.field.ty),
        );
        let default = param.default.as_ref().map(|value| {
            let (link, text) = (&self.link.document_name, value.to_string());
            let value = api::literal(self.api, &param.field.ty, value);
            quote!(rt::link::default(rt::link::LinkSource(#link, #text), #value)?)
        });
        let value = match (filling, default) {
            (LinkArgument::Absent, Some(default)) => default,
            (LinkArgument::Absent, None) => quote!(None),
            (LinkArgument::Argument(name), _) => {
                let name = names::snake(name);
                return match name == field {
                    true => quote!(#field),
                    false => quote!(#field: #name),
                };
            }
            (LinkArgument::Value { expression, source }, default) => {
                let told = self.told(expression);
                let value = value(source);
                let ty = ty(self.api, &param.field.ty, ModelPath::Qualified);
                let rest = quote!(::<#ty>(#told, #value, (&crate::SCHEMAS, #key), #valid)?);
                // JSON is what it is, and null a value; elsewhere null is nothing.
                let read = match param.style {
                    Style::Json => quote!(rt::link::body #rest),
                    _ => quote!(rt::link::param #rest),
                };
                let optional = quote!(rt::link::optional #rest);
                match (source.is_of_request() && !param.field.required, default) {
                    (true, Some(default)) => {
                        quote!(match #optional { Some(given) => given, None => #default })
                    }
                    (true, None) => optional,
                    (false, None) if !param.field.required => quote!(Some(#read)),
                    (false, _) => read,
                }
            }
        };
        quote!(#field: #value)
    }

    fn given_body(&self, body: &Body) -> TokenStream {
        let (expression, source) = match &self.link.body {
            LinkArgument::Absent => return quote!(body: None),
            LinkArgument::Argument(name) if name.snake() == "body" => return quote!(body),
            LinkArgument::Argument(name) => {
                let name = names::snake(name);
                return quote!(body: #name);
            }
            LinkArgument::Value { expression, source } => (expression, source),
        };
        // What the request did not have is left out here too.
        let optional = !body.required && source.is_of_request();
        let (told, taken) = (self.told(expression), value(source));
        let value = if optional {
            quote!(given)
        } else {
            taken.clone()
        };
        let media = body.media.get(self.link.media);
        let read = match media.map(|media| &media.content) {
            Some(Content::Json(ty, key) | Content::Form(ty, key, _)) => {
                let valid = self.checked.function(self.api, ty);
                let ty = self::ty(self.api, ty, ModelPath::Qualified);
                quote!(rt::link::body::<#ty>(#told, #value, (&crate::SCHEMAS, #key), #valid)?)
            }
            Some(Content::Scalar(ty, key)) => {
                let valid = self.checked.function(self.api, ty);
                let ty = self::ty(self.api, ty, ModelPath::Qualified);
                quote!(rt::link::param::<#ty>(#told, #value, (&crate::SCHEMAS, #key), #valid)?)
            }
            _ => quote!(rt::link::text(#told, #value)?),
        };
        let read = match (media, body.media.len()) {
            (Some(media), 2..) => {
                let module = module(self.api, self.target);
                let (kind, variant) = (names::pascal(&body.name), names::pascal(&media.name));
                quote!(#module::#kind::#variant(#read))
            }
            _ => read,
        };
        match (body.required, optional) {
            (true, _) => quote!(body: #read),
            (false, false) => quote!(body: Some(#read)),
            (false, true) => quote!(body: match #taken { None => None, given => Some(#read) }),
        }
    }

    fn told(&self, expression: &str) -> TokenStream {
        let link = &self.link.document_name;
        quote!(rt::link::LinkSource(#link, #expression))
    }
}

/// An expression of `Option<Value>`.
fn value(source: &LinkSource) -> TokenStream {
    match source {
        LinkSource::Constant(value) => {
            let text = value.to_string();
            quote!(rt::link::constant(#text))
        }
        LinkSource::Concatenated(parts) => {
            let parts = parts.iter().map(value);
            quote!(rt::link::joined(&[#(#parts),*]))
        }
        LinkSource::Request {
            argument: given,
            field,
            pointer,
        } => {
            let given = names::snake(given);
            let value = match field.as_ref().map(names::snake) {
                Some(field) => quote!(rt::link::value(&#given.#field)),
                None => quote!(rt::link::value(#given)),
            };
            match pointer.as_str() {
                "" => value,
                pointer => quote!(rt::link::within(#value.as_ref(), #pointer)),
            }
        }
        LinkSource::Status => quote!(rt::link::value(&status.as_u16())),
        LinkSource::Body(pointer) => quote!(rt::link::within(answered.as_ref(), #pointer)),
        LinkSource::Header(variable) => {
            let variable = names::snake(variable);
            quote!(rt::link::value(#variable))
        }
    }
}
