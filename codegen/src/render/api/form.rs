//! Forms of parts: a struct per operation, how it is read and how it is sent. One with files arrives
//! as an `Upload` of that struct.

use super::super::check::Checked;
use super::super::rust::{Seen, doc, ident, ty};
use crate::ir::{Api, Body, Content, FieldContent, Form, FormField, Operation};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The structs of an operation's forms.
pub(super) fn definitions(api: &Api, checked: &Checked, operation: &Operation) -> Vec<TokenStream> {
    let bodies = operation.body.iter();
    let forms = bodies.flat_map(forms_of);
    forms
        .map(|form| definition(api, checked, operation, form))
        .collect()
}

fn forms_of(body: &Body) -> impl Iterator<Item = &Form> {
    body.media.iter().filter_map(|media| match &media.content {
        Content::Multipart(form) => Some(form),
        _ => None,
    })
}

/// What a handler takes and a caller gives; `name` is the struct.
pub(crate) fn form_ty(form: &Form, name: TokenStream) -> TokenStream {
    match form.has_files() {
        true => quote!(Upload<#name>),
        false => name,
    }
}

fn definition(api: &Api, checked: &Checked, operation: &Operation, form: &Form) -> TokenStream {
    let name = ident(&form.rust);
    let text = doc(&format!("The form that `{}` takes.", operation.id));
    let fields = form.fields.iter().map(|field| {
        let (rust, ty) = (ident(&field.rust), field_ty(api, field));
        let text = if field.doc.trim().is_empty() {
            format!("`{}`.", field.wire)
        } else {
            field.doc.clone()
        };
        let doc = doc(&text);
        quote!(#doc pub #rust: #ty,)
    });
    let reads = form.fields.iter().map(|field| read(api, checked, field));
    let values = form.fields.iter().map(|field| {
        let (rust, local) = (ident(&field.rust), ident(&field.local));
        quote!(#rust: #local?)
    });
    let writes = form.fields.iter().map(write);
    let close = form.closed.then(|| quote!(form.close();));
    if form.has_files() {
        let files = form.fields.iter().filter(|field| field.is_file());
        let files = files.map(|field| &field.wire);
        return quote! {
            #text
            #[derive(Debug, Clone, PartialEq)]
            pub struct #name { #(#fields)* }

            impl Formed for #name {
                const FILES: &'static [&'static str] = &[#(#files),*];

                fn schemas() -> &'static Schemas {
                    &crate::SCHEMAS
                }

                fn read(mut form: Form<'_, '_>) -> Option<Self> {
                    #(#reads)*
                    #close
                    Some(Self { #(#values),* })
                }

                fn into_form(self) -> FormWriter {
                    FormWriter::new() #(#writes)*
                }
            }
        };
    }
    let read = operation.served.then(|| {
        quote! {
            fn read(reader: &mut Reader<'_>, headers: &HeaderMap, bytes: &Bytes) -> Option<Self> {
                let mut form = Form::open(reader, headers, bytes)?;
                #(#reads)*
                #close
                Some(Self { #(#values),* })
            }
        }
    });
    quote! {
        #text
        #[derive(Debug, Clone, PartialEq)]
        pub struct #name { #(#fields)* }

        impl #name {
            #read

            /// The form as it is sent.
            pub fn into_form(self) -> FormWriter {
                FormWriter::new() #(#writes)*
            }
        }
    }
}

fn field_ty(api: &Api, field: &FormField) -> TokenStream {
    let inner = match &field.content {
        FieldContent::Text(inner, _) | FieldContent::Json(inner, _) => {
            ty(api, inner, Seen::Outside)
        }
        FieldContent::File => quote!(File),
        FieldContent::Files { .. } => return quote!(Vec<File>),
    };
    if field.required {
        inner
    } else {
        quote!(Option<#inner>)
    }
}

fn read(api: &Api, checked: &Checked, field: &FormField) -> TokenStream {
    let (local, wire) = (ident(&field.local), &field.wire);
    let value = |inner, key: &str, written: TokenStream| {
        let valid = checked.function(api, inner);
        let inner = ty(api, inner, Seen::Outside);
        let method = ident(if field.required {
            "required"
        } else {
            "optional"
        });
        quote!(let #local = form.#method::<#inner>(#wire, #written, #key, #valid);)
    };
    match &field.content {
        FieldContent::Text(inner, key) => value(inner, key, quote!(Written::Text)),
        FieldContent::Json(inner, key) => value(inner, key, quote!(Written::Json)),
        FieldContent::File if field.required => quote!(let #local = form.required_file(#wire);),
        FieldContent::File => quote!(let #local = form.optional_file(#wire);),
        FieldContent::Files { min, max } => {
            // A field without files is absent.
            let min = Literal::u64_unsuffixed(if field.required { (*min).max(1) } else { *min });
            let max = match max {
                Some(max) => {
                    let max = Literal::u64_unsuffixed(*max);
                    quote!(#max)
                }
                None => quote!(usize::MAX),
            };
            quote!(let #local = form.files(#wire, #min, #max);)
        }
    }
}

fn write(field: &FormField) -> TokenStream {
    let (rust, wire) = (ident(&field.rust), &field.wire);
    match &field.content {
        FieldContent::Text(..) => quote!(.text(#wire, &self.#rust)),
        FieldContent::Json(..) => quote!(.json(#wire, &self.#rust)),
        FieldContent::File if field.required => quote!(.files(#wire, [&self.#rust])),
        FieldContent::File | FieldContent::Files { .. } => quote!(.files(#wire, &self.#rust)),
    }
}
