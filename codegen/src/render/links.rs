//! `links.rs`: the requests that links lead to, and the functions that make them of what an operation
//! was asked and has answered. There only where the document has such links.

use super::check::Checked;
use super::rust::{Seen, doc, ident, ty};
use super::{api, client, outgoing};
use crate::ir::{
    Api, Body, Content, Filling, Followed, Media, Operation, Param, Response, Source, Style,
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// How many arguments clippy takes for a few.
const FEW: usize = 7;

/// The requests, then the functions.
pub(super) fn file(api: &Api, checked: &Checked) -> (&'static str, Vec<TokenStream>) {
    let links = api.links.iter();
    let links: Vec<_> = links
        .filter_map(|link| Following::of(api, checked, link))
        .collect();
    let reads = links.iter().any(Following::reads);
    let reads = reads.then(|| {
        quote!(
            use crate::runtime::link;
        )
    });
    let mut items = vec![quote! {
        use crate::api;
        use crate::client::{Client, ClientError, Transport};
        #reads
        pub use crate::runtime::link::{Cause, Unfollowed};
    }];
    let mut targets: Vec<usize> = Vec::new();
    for link in &api.links {
        if !targets.contains(&link.target) {
            targets.push(link.target);
        }
    }
    let operations = targets.iter().filter_map(|at| api.operations.get(*at));
    items.extend(operations.map(|operation| request(api, operation)));
    items.extend(links.iter().filter_map(Following::function));
    (
        "The links of the contract: from an answer to the request that it makes possible.",
        items,
    )
}

fn request_name(operation: &Operation) -> Ident {
    ident(&format!("{}Request", operation.pascal))
}

/// The request of an operation, which can be changed before it is sent.
fn request(api: &Api, operation: &Operation) -> TokenStream {
    let (name, method) = (request_name(operation), ident(&operation.rust));
    let text = doc(&format!("A request of `{}`.", operation.id));
    let module = module(api, operation);
    let answer = api::response_name(operation);
    let fields = client::arguments(api, &module, operation);
    let path = operation.path_params.iter();
    let mut values: Vec<_> = path.map(|param| ident(&param.field.rust)).collect();
    values.extend((!operation.params.is_empty()).then(|| ident("params")));
    values.extend(operation.body.as_ref().map(|_| ident("body")));
    let docs = docs(operation);
    quote! {
        #text
        #[derive(Debug)]
        pub struct #name { #(#docs pub #fields,)* }

        impl #name {
            /// Sends it.
            ///
            /// # Errors
            /// As the client's method of the operation.
            pub async fn send<T: Transport>(
                self,
                client: &Client<T>,
            ) -> Result<#module::#answer, ClientError<T::Error>> {
                client.#method(#(self.#values),*).await
            }
        }
    }
}

/// What is said of the fields of a request.
fn docs(operation: &Operation) -> Vec<TokenStream> {
    let path = operation.path_params.iter();
    let mut docs: Vec<_> = path
        .map(|param| match param.field.doc.trim() {
            "" => doc(&format!("`{}`.", param.field.wire)),
            text => doc(text),
        })
        .collect();
    docs.extend((!operation.params.is_empty()).then(|| doc("The other parameters.")));
    docs.extend(operation.body.as_ref().map(|_| doc("The body.")));
    docs
}

fn module(api: &Api, operation: &Operation) -> TokenStream {
    let group = api.groups.iter().find(|group| group.tag == operation.tag);
    let module = ident(group.map_or("api", |group| &group.module));
    quote!(api::#module)
}

/// A link with the operations at its ends.
struct Following<'a> {
    api: &'a Api,
    checked: &'a Checked,
    link: &'a Followed,
    source: &'a Operation,
    answer: &'a Response,
    target: &'a Operation,
}

impl<'a> Following<'a> {
    fn of(api: &'a Api, checked: &'a Checked, link: &'a Followed) -> Option<Following<'a>> {
        let source = api.operations.get(link.source)?;
        Some(Following {
            api,
            checked,
            link,
            source,
            answer: source.responses.get(link.answer)?,
            target: api.operations.get(link.target)?,
        })
    }

    fn function(&self) -> Option<TokenStream> {
        let name = ident(&self.link.rust);
        let mut text = format!(
            "The link `{}` of `{}` to `{}`.",
            self.link.link, self.source.id, self.target.id
        );
        if !self.link.description.trim().is_empty() {
            text = format!("{text}\n\n{}", self.link.description.trim());
        }
        let doc = doc(&text);
        let (source, request) = (module(self.api, self.source), request_name(self.target));
        let response = api::response_name(self.source);
        let asked = self.asked();
        let given = self.link.given.iter().map(|(name, given)| {
            let ty = outgoing::borrowed_given(self.api, Some(self.source), given);
            let name = ident(name);
            quote!(#name: &#ty)
        });
        let arguments: Vec<_> = given.chain(asked).collect();
        let many = (arguments.len() >= FEW).then(|| quote!(#[allow(clippy::too_many_arguments)]));
        let (taken, fields) = (self.taken(), self.fields());
        Some(quote! {
            #doc
            ///
            /// # Errors
            /// Where the answer is another, or a value that the link gives is not there or does not fit.
            #many
            pub fn #name(
                response: &#source::#response,
                #(#arguments),*
            ) -> Result<#request, Unfollowed> {
                #taken
                Ok(#request { #(#fields),* })
            }
        })
    }

    /// The arguments for what the link does not give.
    fn asked(&self) -> Vec<TokenStream> {
        let path = self.link.path_params.iter().zip(&self.target.path_params);
        let others = self.link.params.iter().zip(&self.target.params);
        let mut asked: Vec<_> = path
            .chain(others)
            .filter_map(|(filling, param)| {
                let Filling::Asked(name) = filling else {
                    return None;
                };
                let (name, ty) = (ident(name), ty(self.api, &param.field.ty, Seen::Outside));
                Some(quote!(#name: #ty))
            })
            .collect();
        if let (Filling::Asked(name), Some(body)) = (&self.link.body, &self.target.body) {
            let module = module(self.api, self.target);
            let (name, ty) = (ident(name), client::body_ty(self.api, &module, body));
            asked.push(quote!(#name: #ty));
        }
        asked
    }

    /// What is taken out of the answer.
    fn taken(&self) -> TokenStream {
        let (module, name) = (
            module(self.api, self.source),
            api::response_name(self.source),
        );
        let variant = ident(&self.answer.rust);
        let mut fields = Vec::new();
        if self
            .sources()
            .any(|source| matches!(source, Source::Status))
        {
            fields.push(quote!(status));
        }
        if self.link.reads_body {
            fields.push(quote!(body: answered));
        }
        fields.extend(self.link.headers.iter().map(|(field, variable)| {
            let (field, variable) = (ident(field), ident(variable));
            quote!(#field: #variable)
        }));
        let link = &self.link.link;
        let other = (self.source.responses.len() > 1)
            .then(|| quote!(else { return Err(link::other_answer(#link)); }));
        let body = self.link.reads_body.then(|| self.body(&module));
        let fields = api::has_fields(self.api, self.answer).then(|| quote!({ #(#fields,)* .. }));
        quote! {
            let #module::#name::#variant #fields = response #other;
            #body
        }
    }

    /// Whether the function reads anything, with the runtime's functions.
    fn reads(&self) -> bool {
        let path = self.link.path_params.iter().zip(&self.target.path_params);
        let others = self.link.params.iter().zip(&self.target.params);
        let mut params = path.chain(others);
        let defaults = params.any(|(filling, param)| {
            matches!((filling, &param.default), (Filling::Nothing, Some(_)))
        });
        defaults || self.source.responses.len() > 1 || self.sources().next().is_some()
    }

    /// Every value that the link gives, and the parts of those that are joined.
    fn sources(&self) -> impl Iterator<Item = &Source> {
        let params = self.link.path_params.iter().chain(&self.link.params);
        let told = params
            .chain([&self.link.body])
            .filter_map(|filling| match filling {
                Filling::Told { source, .. } => Some(source),
                _ => None,
            });
        told.flat_map(|source| match source {
            Source::Joined(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        })
    }

    /// The answer's body as a value.
    fn body(&self, module: &TokenStream) -> TokenStream {
        let read = |media: &Media| match &media.content {
            Content::Json(..) | Content::Form(..) => Some(quote!(link::json(answered))),
            Content::Text => Some(quote!(link::value(answered))),
            _ => None,
        };
        let media = &self.answer.media;
        if let [only] = media.as_slice() {
            let read = read(only);
            return quote!(let answered = #read;);
        }
        let kind = ident(&self.answer.body_rust);
        let arms = media.iter().filter_map(|media| {
            let (variant, read) = (ident(&media.rust), read(media)?);
            Some(quote!(#module::#kind::#variant(answered) => #read,))
        });
        let others = media.iter().any(|media| read(media).is_none());
        let others = others.then(|| quote!(_ => None,));
        quote!(let answered = match answered { #(#arms)* #others };)
    }

    /// The fields of the request.
    fn fields(&self) -> Vec<TokenStream> {
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

    fn param(&self, filling: &Filling, param: &Param) -> TokenStream {
        let field = ident(&param.field.rust);
        let (key, valid) = (
            &param.schema,
            self.checked.function(self.api, &param.field.ty),
        );
        let default = param.default.as_ref().map(|value| {
            let (link, text) = (&self.link.link, value.to_string());
            let value = api::literal(self.api, &param.field.ty, value);
            quote!(link::default(link::Told(#link, #text), #value)?)
        });
        let value = match (filling, default) {
            (Filling::Nothing, Some(default)) => default,
            (Filling::Nothing, None) => quote!(None),
            (Filling::Asked(name), _) => {
                let name = ident(name);
                return match name == field {
                    true => quote!(#field),
                    false => quote!(#field: #name),
                };
            }
            (Filling::Told { expression, source }, default) => {
                let told = self.told(expression);
                let value = value(source);
                let ty = ty(self.api, &param.field.ty, Seen::Outside);
                let rest = quote!(::<#ty>(#told, #value, (&crate::SCHEMAS, #key), #valid)?);
                // JSON is what it is, and null a value; elsewhere null is nothing.
                let read = match param.style {
                    Style::Json => quote!(link::body #rest),
                    _ => quote!(link::param #rest),
                };
                let optional = quote!(link::optional #rest);
                match (source.is_asked() && !param.field.required, default) {
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
            Filling::Nothing => return quote!(body: None),
            Filling::Asked(name) if name == "body" => return quote!(body),
            Filling::Asked(name) => {
                let name = ident(name);
                return quote!(body: #name);
            }
            Filling::Told { expression, source } => (expression, source),
        };
        // What the request did not have is left out here too.
        let optional = !body.required && source.is_asked();
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
                let ty = self::ty(self.api, ty, Seen::Outside);
                quote!(link::body::<#ty>(#told, #value, (&crate::SCHEMAS, #key), #valid)?)
            }
            _ => quote!(link::text(#told, #value)?),
        };
        let read = match (media, body.media.len()) {
            (Some(media), 2..) => {
                let module = module(self.api, self.target);
                let (kind, variant) = (ident(&body.rust), ident(&media.rust));
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
        let link = &self.link.link;
        quote!(link::Told(#link, #expression))
    }
}

/// An expression of `Option<Value>`.
fn value(source: &Source) -> TokenStream {
    match source {
        Source::Constant(value) => {
            let text = value.to_string();
            quote!(link::constant(#text))
        }
        Source::Joined(parts) => {
            let parts = parts.iter().map(value);
            quote!(link::joined(&[#(#parts),*]))
        }
        Source::Request {
            given,
            field,
            pointer,
        } => {
            let given = ident(given);
            let value = match field.as_deref().map(ident) {
                Some(field) => quote!(link::value(&#given.#field)),
                None => quote!(link::value(#given)),
            };
            match pointer.as_str() {
                "" => value,
                pointer => quote!(link::within(#value.as_ref(), #pointer)),
            }
        }
        Source::Status => quote!(link::value(&status.as_u16())),
        Source::Body(pointer) => quote!(link::within(answered.as_ref(), #pointer)),
        Source::Header(variable) => {
            let variable = ident(variable);
            quote!(link::value(#variable))
        }
    }
}
