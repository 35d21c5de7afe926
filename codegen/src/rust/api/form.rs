//! Forms of parts: a struct per operation, how it is read and how it is sent. One with files arrives
//! as an `Upload` of that struct.

mod headers;

pub(super) use headers::definition as headers_struct;

use super::super::check::Checked;
use super::super::constructor::{Member, constructor};
use super::super::doc_comment::doc;
use super::super::tokens::{ModelPath, ident, ty};
use crate::ir::{Api, Body, Bounds, Content, FieldContent, Form, FormField, Operation};
use crate::rust::names;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The structs of an operation's forms.
pub(super) fn definitions(api: &Api, checked: &Checked, operation: &Operation) -> Vec<TokenStream> {
    let bodies = operation.body.iter();
    let forms = bodies.flat_map(forms_of);
    let each = forms.flat_map(|form| {
        let own = definition(api, checked, operation, form);
        let headers = headers::definitions(api, checked, form);
        std::iter::once(own).chain(headers)
    });
    each.collect()
}

fn forms_of(body: &Body) -> impl Iterator<Item = &Form> {
    body.media.iter().filter_map(|media| match &media.content {
        Content::Multipart(form) => Some(form),
        _ => None,
    })
}

/// The type of the body for handlers and callers; `name` is the struct.
pub(super) fn form_ty(form: &Form, name: TokenStream) -> TokenStream {
    match form.has_files() {
        true => quote!(runtime::Upload<#name>),
        false => name,
    }
}

fn definition(api: &Api, checked: &Checked, operation: &Operation, form: &Form) -> TokenStream {
    let name = names::pascal(&form.name);
    let text = doc(&format!("The form that `{}` takes.", operation.id));
    let fields = form.fields.iter().map(|field| self::field(api, field));
    let others = kept_fields(api, form);
    let new = constructor(
        &name,
        " The form without its optional fields.",
        &members(api, form),
    );
    let body = reads(api, checked, form);
    let (writes, table, has_files) = (writes(form), table(form), form.has_files());
    let form = match form.whole {
        Some(_) => quote!(form),
        None => quote!(mut form),
    };
    let kind = quote! {
        #text
        #[derive(Debug, Clone, PartialEq)]
        pub struct #name { #(#fields)* #(#others)* }

        #new
    };
    if has_files {
        return quote! {
            #kind

            impl rt::MultipartForm for #name {
                #table

                fn schemas() -> &'static rt::Schemas {
                    &crate::SCHEMAS
                }

                fn read(#form: rt::Form<'_, '_>) -> Option<Self> { #body }

                fn into_form(self) -> runtime::FormWriter { #writes }
            }
        };
    }
    let read = operation.served.then(|| {
        quote! {
            fn read(reader: &mut rt::Reader<'_>, headers: &http::HeaderMap, bytes: &rt::Bytes) -> Option<Self> {
                let #form = rt::Form::open(reader, Self::fields(), headers, bytes)?;
                #body
            }
        }
    });
    quote! {
        #kind

        impl #name {
            #table

            #read

            /// The form as it is sent.
            pub fn into_form(self) -> runtime::FormWriter { #writes }
        }
    }
}

fn field(api: &Api, field: &FormField) -> TokenStream {
    let rust = names::snake(&field.name);
    let text = if field.doc.trim().is_empty() {
        format!("`{}`.", field.wire)
    } else {
        field.doc.clone()
    };
    let doc = doc(&text);
    let ty = field_ty(api, field);
    quote!(#doc pub #rust: #ty,)
}

fn field_ty(api: &Api, field: &FormField) -> TokenStream {
    let content = headers::headed_ty(field, content_ty(api, &field.content));
    match field.content {
        FieldContent::Files { .. } => content,
        _ if field.required => content,
        _ => quote!(Option<#content>),
    }
}

/// The struct's members, with the values of a form that has the required fields alone.
fn members(api: &Api, form: &Form) -> Vec<Member> {
    let named = form.fields.iter().map(|field| Member {
        name: names::snake(&field.name),
        ty: field_ty(api, field),
        value: match field.content {
            _ if field.required => None,
            FieldContent::Files { .. } => Some(quote!(Vec::new())),
            _ => Some(quote!(None)),
        },
    });
    let kept = form.others.kept.iter();
    let kept =
        kept.map(|kept| Member::map(names::snake(&kept.name), &content_ty(api, &kept.content)));
    named.chain(kept).collect()
}

/// The struct's fields for the form's fields that have no name of their own.
fn kept_fields(api: &Api, form: &Form) -> Vec<TokenStream> {
    let kept = form.others.kept.iter();
    kept.map(|kept| {
        let (rust, ty) = (names::snake(&kept.name), content_ty(api, &kept.content));
        let doc = doc(match (kept.content.is_file(), form.others.kept.len()) {
            (_, 1) => "All other fields.",
            (true, _) => "All other fields that are files.",
            (false, _) => "All other fields that are not.",
        });
        quote!(#doc pub #rust: std::collections::BTreeMap<String, #ty>,)
    })
    .collect()
}

fn content_ty(api: &Api, content: &FieldContent) -> TokenStream {
    match content {
        FieldContent::Text(inner, _)
        | FieldContent::Json(inner, _)
        | FieldContent::Delimited(inner, ..)
        | FieldContent::Spread(inner, ..) => ty(api, inner, ModelPath::Qualified),
        FieldContent::File(_) => quote!(runtime::File),
        FieldContent::Files { .. } => quote!(Vec<runtime::File>),
    }
}

/// The table of the form's fields.
fn table(form: &Form) -> TokenStream {
    let named = form.fields.iter().map(|field| {
        let (wire, declared, types) = (&field.wire, declared(&field.content), &field.types);
        let types = (!types.is_empty()).then(|| quote!(.of_types(&[#(#types),*])));
        let headers = field.headers.as_ref().map(headers::declared);
        quote!((#wire, #declared #types #headers))
    });
    let matched = form.others.matched.iter().map(|(pattern, content)| {
        let (constant, declared) = (names::upper(&pattern.name), declared(content));
        quote!((&patterns::#constant, #declared))
    });
    let rest = match &form.others.rest {
        Some(content) => {
            let declared = declared(content);
            quote!(Some(#declared))
        }
        None => quote!(None),
    };
    quote! {
        fn fields() -> &'static rt::Fields {
            static FIELDS: rt::Fields = rt::Fields {
                named: &[#(#named),*],
                matched: &[#(#matched),*],
                rest: #rest,
            };
            &FIELDS
        }
    }
}

fn declared(content: &FieldContent) -> TokenStream {
    match content {
        FieldContent::Text(_, key) => quote!(rt::Field::text(#key)),
        FieldContent::Json(_, key) => quote!(rt::Field::json(#key)),
        FieldContent::Delimited(_, key, joined) => {
            let (method, delimiter) = (
                ident(match joined.is_object {
                    true => "members_joined",
                    false => "joined",
                }),
                joined.delimiter,
            );
            quote!(rt::Field::text(#key).#method(#delimiter))
        }
        FieldContent::Spread(_, key, names) => {
            quote!(rt::Field::text(#key).spread(&[#(#names),*]))
        }
        FieldContent::File(octets) | FieldContent::Files { octets, .. } => {
            let sized = sized(*octets);
            quote!(rt::Field::file() #sized)
        }
    }
}

fn sized(octets: Bounds) -> Option<TokenStream> {
    if octets == Bounds::NONE {
        return None;
    }
    let least = Literal::u64_unsuffixed(octets.min);
    let most = octets.max.map(Literal::u64_unsuffixed);
    let most = most.map_or_else(|| quote!(u64::MAX), |most| quote!(#most));
    Some(quote!(.of_octets(#least, #most)))
}

/// Reads all fields, so that every violation is told.
fn reads(api: &Api, checked: &Checked, form: &Form) -> TokenStream {
    // What the form's schema says beyond its fields comes first.
    let together = form
        .whole
        .as_ref()
        .map(|schema| quote!(let mut form = form.whole(#schema)?;));
    let reads = form.fields.iter().map(|field| {
        let (local, wire) = (names::form_variable(&field.name), &field.wire);
        let read = read(api, checked, &field.content, field.required, &quote!(#wire));
        let read = headers::read(field, read);
        quote!(let #local = #read;)
    });
    let others = form.others.kept.iter().map(|kept| {
        let (local, is_file) = (names::form_variable(&kept.name), kept.content.is_file());
        let read = read(api, checked, &kept.content, is_file, &quote!(field));
        let rest = ident(if is_file {
            "rest_of_files"
        } else {
            "rest_of_values"
        });
        quote!(let #local = form.#rest(|form, field| #read);)
    });
    let close = form.others.closed.then(|| quote!(form.close();));
    let fields = form.fields.iter().map(|field| &field.name);
    let kept = form.others.kept.iter().map(|kept| &kept.name);
    let values = fields.chain(kept).map(|name| {
        let (field, local) = (names::snake(name), names::form_variable(name));
        quote!(#field: #local?)
    });
    quote!(#together #(#reads)* #(#others)* #close Some(Self { #(#values),* }))
}

fn read(
    api: &Api,
    checked: &Checked,
    content: &FieldContent,
    required: bool,
    field: &TokenStream,
) -> TokenStream {
    let value = |inner| {
        let valid = checked.function(api, inner);
        let inner = ty(api, inner, ModelPath::Qualified);
        let method = ident(if required { "required" } else { "optional" });
        quote!(form.#method::<#inner>(#field, #valid))
    };
    match content {
        FieldContent::Text(inner, _)
        | FieldContent::Json(inner, _)
        | FieldContent::Delimited(inner, ..)
        | FieldContent::Spread(inner, ..) => value(inner),
        FieldContent::File(_) if required => quote!(form.required_file(#field)),
        FieldContent::File(_) => quote!(form.optional_file(#field)),
        FieldContent::Files { count, .. } => {
            let min = Literal::u64_unsuffixed(count.min);
            let max = match count.max {
                Some(max) => {
                    let max = Literal::u64_unsuffixed(max);
                    quote!(#max)
                }
                None => quote!(usize::MAX),
            };
            let method = ident(if required {
                "required_files"
            } else {
                "optional_files"
            });
            quote!(form.#method(#field, #min, #max))
        }
    }
}

fn writes(form: &Form) -> TokenStream {
    let fields = form.fields.iter().map(|field| {
        let (rust, wire) = (names::snake(&field.name), &field.wire);
        if let Some(headers) = &field.headers {
            return headers::write(field, headers);
        }
        let value = match field.content {
            FieldContent::File(_) if field.required => quote!([&self.#rust]),
            _ => quote!(&self.#rust),
        };
        write(&field.content, &quote!(#wire), &value)
    });
    let named = quote!(runtime::FormWriter::of(Self::fields()) #(#fields)*);
    let kept = form.others.kept.iter().map(|kept| {
        let value = match kept.content {
            FieldContent::File(_) => quote!([value]),
            _ => quote!(value),
        };
        let (rust, write) = (
            names::snake(&kept.name),
            write(&kept.content, &quote!(field), &value),
        );
        quote!(self.#rust.iter().fold(form, |form, (field, value)| form #write))
    });
    let mut kept: Vec<_> = kept.collect();
    match kept.pop() {
        Some(last) => quote!(let form = #named; #(let form = #kept;)* #last),
        None => named,
    }
}

fn write(content: &FieldContent, field: &TokenStream, value: &TokenStream) -> TokenStream {
    let method = ident(match content {
        FieldContent::Text(..) | FieldContent::Delimited(..) | FieldContent::Spread(..) => "text",
        FieldContent::Json(..) => "json",
        FieldContent::File(_) | FieldContent::Files { .. } => "files",
    });
    quote!(.#method(#field, #value))
}
