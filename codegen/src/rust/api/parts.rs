//! Parts without names: the types of their contents, and how they are written and read.

use super::super::check::Checked;
use super::super::doc_comment::doc;
use super::super::tokens::{ModelPath, ty};
use super::form;
use crate::ir::{Api, BodyParts, Content, Media, Operation, PartContent, PartKind, Type};
use crate::rust::names;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The type of a body of parts.
pub(crate) fn parts_ty(api: &Api, parts: &BodyParts, module: &TokenStream) -> TokenStream {
    let content = content_ty(api, parts, module);
    quote!(runtime::BodyParts<#content>)
}

/// The type of the content of one part; `module` has its enums and structs.
pub(super) fn content_ty(api: &Api, parts: &BodyParts, module: &TokenStream) -> TokenStream {
    if let Some(only) = parts.only() {
        return kind_ty(api, only, module);
    }
    let name = names::pascal(&parts.name);
    quote!(#module #name)
}

fn kind_ty(api: &Api, kind: &PartKind, module: &TokenStream) -> TokenStream {
    let content = match &kind.content {
        PartContent::Json(inner, _) | PartContent::Scalar(inner, _) => {
            ty(api, inner, ModelPath::Qualified)
        }
        PartContent::Text => quote!(String),
        PartContent::Bytes => quote!(rt::Bytes),
        PartContent::Parts(inner) => {
            let inner = content_ty(api, inner, module);
            quote!(Vec<runtime::BodyPart<#inner>>)
        }
    };
    match &kind.headers {
        Some(headers) => {
            let headers = names::pascal(&headers.name);
            quote!(runtime::WithHeaders<#module #headers, #content>)
        }
        None => content,
    }
}

/// The enums and structs of the parts of a body.
pub(super) fn definitions(
    api: &Api,
    checked: &Checked,
    operation: &Operation,
    media: &Media,
) -> Vec<TokenStream> {
    let Content::Parts(parts) = &media.content else {
        return Vec::new();
    };
    let mut items = Vec::new();
    of_parts(api, checked, operation, parts, &mut items);
    items
}

fn of_parts(
    api: &Api,
    checked: &Checked,
    operation: &Operation,
    parts: &BodyParts,
    items: &mut Vec<TokenStream>,
) {
    if parts.only().is_none() {
        items.push(kinds(api, checked, operation, parts));
    }
    for kind in parts.kinds() {
        if let Some(headers) = &kind.headers {
            let text = format!("The headers of a part of `{}`.", operation.id);
            items.push(form::headers_struct(api, checked, &text, headers));
        }
        if let PartContent::Parts(inner) = &kind.content {
            of_parts(api, checked, operation, inner, items);
        }
    }
}

/// The enum of the kinds of parts, by their places.
fn kinds(api: &Api, checked: &Checked, operation: &Operation, parts: &BodyParts) -> TokenStream {
    let name = names::pascal(&parts.name);
    let text = doc(&format!("A part of `{}`, by its place.", operation.id));
    let here = TokenStream::new();
    let each: Vec<_> = parts.kinds().enumerate().collect();
    let variants = each.iter().map(|(place, kind)| {
        let follow = *place >= parts.prefix.len();
        let place = match follow {
            true => "Each that follows.".to_owned(),
            false => format!("The part at index {place}."),
        };
        let text = doc(format!("{place}\n\n{}", kind.doc.trim()).trim());
        let (rust, inner) = (names::pascal(&kind.name), kind_ty(api, kind, &here));
        quote!(#text #rust(#inner),)
    });
    let reads = each.iter().map(|(place, kind)| {
        let (rust, read) = (names::pascal(&kind.name), read(api, Some(checked), kind));
        let index = index(*place);
        match *place >= parts.prefix.len() {
            true => quote!(_ => #read.map(Self::#rust),),
            false => quote!(#index => #read.map(Self::#rust),),
        }
    });
    let surplus = parts.rest.is_none().then(|| quote!(_ => part.surplus(),));
    let writes = each.iter().map(|(place, kind)| {
        let (rust, write) = (names::pascal(&kind.name), write(api, kind));
        let index = index(*place);
        match *place >= parts.prefix.len() {
            true => quote!((#index.., Self::#rust(content)) => #write,),
            false => quote!((#index, Self::#rust(content)) => #write,),
        }
    });
    quote! {
        #text
        #[derive(Debug, Clone, PartialEq)]
        pub enum #name { #(#variants)* }

        impl rt::parts::Kinds for #name {
            fn read(part: &rt::parts::Received) -> Result<Self, Vec<runtime::Issue>> {
                match part.index() { #(#reads)* #surplus }
            }

            fn write(index: usize, content: &Self) -> Option<rt::parts::Sent> {
                match (index, content) {
                    #(#writes)*
                    _ => None,
                }
            }
        }
    }
}

fn index(place: usize) -> Literal {
    Literal::usize_unsuffixed(place)
}

/// Reads the content of `part`; without `checked`, any value that serde reads as its type.
fn read(api: &Api, checked: Option<&Checked>, kind: &PartKind) -> TokenStream {
    let valid = |ty: &Type| match checked {
        Some(checked) => checked.function(api, ty),
        None => quote!(|_| true),
    };
    let content = match &kind.content {
        PartContent::Json(inner, key) => {
            let valid = valid(inner);
            let ty = ty(api, inner, ModelPath::Qualified);
            quote!(part.json::<#ty>(&crate::SCHEMAS, #key, #valid))
        }
        PartContent::Scalar(inner, key) => {
            let valid = valid(inner);
            let ty = ty(api, inner, ModelPath::Qualified);
            quote!(part.scalar::<#ty>(&crate::SCHEMAS, #key, #valid))
        }
        PartContent::Text => quote!(part.text()),
        PartContent::Bytes => quote!(part.bytes()),
        PartContent::Parts(inner) => {
            let read = reader(api, checked, inner);
            quote!(part.parts(#read))
        }
    };
    let types = &kind.types;
    let content = match types.as_slice() {
        [] => content,
        types => quote!(part.of(&[#(#types),*]).and_then(|part| #content)),
    };
    match &kind.headers {
        Some(_) => quote!(part.with_headers(#content)),
        None => content,
    }
}

/// The function that reads the content of a part.
pub(crate) fn reader(api: &Api, checked: Option<&Checked>, parts: &BodyParts) -> TokenStream {
    match parts.only() {
        Some(only) => {
            let read = read(api, checked, only);
            quote!(|part| #read)
        }
        None => quote!(rt::parts::Kinds::read),
    }
}

/// Writes `content`.
fn write(api: &Api, kind: &PartKind) -> TokenStream {
    let inner = match kind.headers {
        Some(_) => quote!(&content.content),
        None => quote!(content),
    };
    let sent = kind.sent_type();
    let sent_or_none = match sent {
        Some(sent) => quote!(Some(#sent)),
        None => quote!(None),
    };
    let written = match &kind.content {
        PartContent::Json(..) => quote!(rt::parts::json(#sent, #inner)),
        PartContent::Text => quote!(rt::parts::text(#sent, #inner)),
        PartContent::Scalar(..) => quote!(rt::parts::scalar(#sent, #inner)),
        PartContent::Bytes => quote!(rt::parts::bytes(#sent_or_none, #inner)),
        PartContent::Parts(parts) => {
            let write = writer(api, parts);
            quote!(rt::parts::parts(#sent, #inner, #write))
        }
    };
    match kind.headers {
        Some(_) => quote!(rt::parts::with_headers(&content.headers, #written)),
        None => written,
    }
}

/// The function that writes the content of a part.
fn writer(api: &Api, parts: &BodyParts) -> TokenStream {
    match parts.only() {
        Some(only) => {
            let write = write(api, only);
            quote!(|_, content| #write)
        }
        None => quote!(rt::parts::Kinds::write),
    }
}

/// The parts as bytes; `body` is theirs. A media type that the document leaves open becomes `multipart/mixed`.
pub(crate) fn write_parts(api: &Api, media: &Media, parts: &BodyParts) -> TokenStream {
    let write = writer(api, parts);
    let media_type = sent(media);
    quote!(body.into_parts_by(#media_type, #write))
}

/// The media type of a body of parts, without its boundary.
fn sent(media: &Media) -> String {
    media.media_type.replace("/*", "/mixed")
}

/// The media type under which a body of parts is sent, whose own parameters come with it.
pub(crate) fn essence(media: &Media) -> String {
    let sent = sent(media);
    let essence = sent.split(';').next().unwrap_or_default();
    essence.trim().to_owned()
}
