//! `links.rs`: the requests that links lead to, and the functions that make them of an operation's request and
//! response. The file exists only where the document has such links.

mod fields;
mod request;

use super::check::Checked;
use super::doc_comment::doc;
use super::tokens::{ModelPath, ident, ty};
use super::{api, client, outgoing};
use crate::ir::{Api, Content, Link, LinkArgument, LinkSource, Media, Operation, Response};
use crate::rust::names;
use proc_macro2::TokenStream;
use quote::quote;

/// How many arguments clippy takes for a few.
const MAX_ARGUMENTS: usize = 7;

/// The requests, then the functions.
pub(super) fn file(api: &Api, checked: &Checked) -> (&'static str, Vec<TokenStream>) {
    let links = api.links.iter();
    let links: Vec<_> = links
        .filter_map(|link| Following::of(api, checked, link))
        .collect();
    let mut items = vec![quote! {
        pub use rt::link::{Cause, LinkError};
    }];
    let mut targets: Vec<usize> = Vec::new();
    for link in &api.links {
        if !targets.contains(&link.target) {
            targets.push(link.target);
        }
    }
    let operations = targets.iter().filter_map(|at| api.operations.get(*at));
    items.extend(operations.map(|operation| request::definition(api, operation)));
    items.extend(links.iter().filter_map(Following::function));
    (
        "The links of the contract: from an answer to the request that it makes possible.",
        items,
    )
}

fn module(api: &Api, operation: &Operation) -> TokenStream {
    let group = api.groups.iter().find(|group| group.tag == operation.tag);
    let module = group.map_or_else(|| ident("api"), names::module);
    quote!(api::#module)
}

/// A link with the operations at its ends.
struct Following<'a> {
    api: &'a Api,
    checked: &'a Checked,
    link: &'a Link,
    source: &'a Operation,
    answer: &'a Response,
    target: &'a Operation,
}

impl<'a> Following<'a> {
    fn of(api: &'a Api, checked: &'a Checked, link: &'a Link) -> Option<Following<'a>> {
        let source = api.operations.get(link.operation)?;
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
        let name = names::snake(&self.link.name);
        let mut text = format!(
            "The link `{}` of `{}` to `{}`.",
            self.link.document_name, self.source.id, self.target.id
        );
        if !self.link.description.trim().is_empty() {
            text = format!("{text}\n\n{}", self.link.description.trim());
        }
        let doc = doc(&text);
        let (source, request) = (module(self.api, self.source), request::name(self.target));
        let response = api::response_name(self.source);
        let asked = self.asked();
        let given = self.link.arguments.iter().map(|(name, given)| {
            let ty = outgoing::borrowed_given(self.api, Some(self.source), given);
            let name = names::snake(name);
            quote!(#name: &#ty)
        });
        let arguments: Vec<_> = given.chain(asked).collect();
        let many = (arguments.len() >= MAX_ARGUMENTS)
            .then(|| quote!(#[allow(clippy::too_many_arguments)]));
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
            ) -> Result<#request, rt::link::LinkError> {
                #taken
                Ok(#request { #(#fields),* })
            }
        })
    }

    /// The arguments for values that the link does not give.
    fn asked(&self) -> Vec<TokenStream> {
        let path = self.link.path_params.iter().zip(&self.target.path_params);
        let others = self.link.params.iter().zip(&self.target.params);
        let mut asked: Vec<_> = path
            .chain(others)
            .filter_map(|(filling, param)| {
                let LinkArgument::Argument(name) = filling else {
                    return None;
                };
                let (name, ty) = (
                    names::snake(name),
                    ty(self.api, &param.field.ty, ModelPath::Qualified),
                );
                Some(quote!(#name: #ty))
            })
            .collect();
        if let (LinkArgument::Argument(name), Some(body)) = (&self.link.body, &self.target.body) {
            let module = module(self.api, self.target);
            let (name, ty) = (names::snake(name), client::body_ty(self.api, &module, body));
            asked.push(quote!(#name: #ty));
        }
        asked
    }

    /// The values that are taken out of the response.
    fn taken(&self) -> TokenStream {
        let (module, name) = (
            module(self.api, self.source),
            api::response_name(self.source),
        );
        let variant = names::pascal(&self.answer.name);
        let mut fields = Vec::new();
        if self
            .sources()
            .any(|source| matches!(source, LinkSource::Status))
        {
            fields.push(quote!(status));
        }
        if self.link.reads_body {
            fields.push(match self.answer.is_tagged {
                true => quote!(body: runtime::Tagged { body: answered, .. }),
                false => quote!(body: answered),
            });
        }
        fields.extend(self.link.headers.iter().map(|(field, variable)| {
            let (field, variable) = (names::snake(field), names::snake(variable));
            quote!(#field: #variable)
        }));
        let link = &self.link.document_name;
        let other = (self.source.responses.len() > 1)
            .then(|| quote!(else { return Err(rt::link::other_answer(#link)); }));
        let body = self.link.reads_body.then(|| self.body(&module));
        let fields = api::has_fields(self.api, self.source, self.answer)
            .then(|| quote!({ #(#fields,)* .. }));
        quote! {
            let #module::#name::#variant #fields = response #other;
            #body
        }
    }

    /// Every value that the link gives, and the parts of those that are joined.
    fn sources(&self) -> impl Iterator<Item = &LinkSource> {
        let params = self.link.path_params.iter().chain(&self.link.params);
        let told = params
            .chain([&self.link.body])
            .filter_map(|filling| match filling {
                LinkArgument::Value { source, .. } => Some(source),
                _ => None,
            });
        told.flat_map(|source| match source {
            LinkSource::Concatenated(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        })
    }

    /// The answer's body as a value.
    fn body(&self, module: &TokenStream) -> TokenStream {
        let read = |media: &Media| match &media.content {
            Content::Json(..) => Some(quote!(rt::link::json(answered))),
            Content::Text | Content::Scalar(..) => Some(quote!(rt::link::value(answered))),
            _ => None,
        };
        let media = &self.answer.media;
        if let [only] = media.as_slice() {
            let read = read(only);
            return quote!(let answered = #read;);
        }
        let kind = names::pascal(&self.answer.content_name);
        let arms = media.iter().filter_map(|media| {
            let (variant, read) = (names::pascal(&media.name), read(media)?);
            Some(quote!(#module::#kind::#variant(answered) => #read,))
        });
        let others = media.iter().any(|media| read(media).is_none());
        let others = others.then(|| quote!(_ => None,));
        quote!(let answered = match answered { #(#arms)* #others };)
    }
}
