//! Forms of parts: a struct per operation, how it is read and how it is sent. One with files arrives
//! as an `Upload` of that struct.

use super::super::check::Checked;
use super::super::prose::doc;
use super::super::rust::{Seen, ident, ty};
use crate::ir::{Api, Body, Content, FieldContent, Form, FormField, Operation, OtherFields};
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
    let fields = form.fields.iter().map(|field| self::field(api, field));
    let others = other_fields(api, form);
    let body = reads(api, checked, form);
    let (writes, is_file, has_files) = (writes(form), is_file(form), form.has_files());
    let form = match form.whole {
        Some(_) => quote!(form),
        None => quote!(mut form),
    };
    let kind = quote! {
        #text
        #[derive(Debug, Clone, PartialEq)]
        pub struct #name { #(#fields)* #others }
    };
    if has_files {
        return quote! {
            #kind

            impl Formed for #name {
                #is_file

                fn schemas() -> &'static Schemas {
                    &crate::SCHEMAS
                }

                fn read(#form: Form<'_, '_>) -> Option<Self> { #body }

                fn into_form(self) -> FormWriter { #writes }
            }
        };
    }
    let read = operation.served.then(|| {
        quote! {
            fn read(reader: &mut Reader<'_>, headers: &HeaderMap, bytes: &Bytes) -> Option<Self> {
                let #form = Form::open(reader, headers, bytes)?;
                #body
            }
        }
    });
    quote! {
        #kind

        impl #name {
            #read

            /// The form as it is sent.
            pub fn into_form(self) -> FormWriter { #writes }
        }
    }
}

fn field(api: &Api, field: &FormField) -> TokenStream {
    let rust = ident(&field.rust);
    let text = if field.doc.trim().is_empty() {
        format!("`{}`.", field.wire)
    } else {
        field.doc.clone()
    };
    let doc = doc(&text);
    let content = content_ty(api, &field.content);
    let ty = match field.content {
        FieldContent::Files { .. } => content,
        _ if field.required => content,
        _ => quote!(Option<#content>),
    };
    quote!(#doc pub #rust: #ty,)
}

/// The struct's field for the form's fields that have no name of their own.
fn other_fields(api: &Api, form: &Form) -> Option<TokenStream> {
    let OtherFields::Kept { rust, content, .. } = &form.others else {
        return None;
    };
    let (rust, ty) = (ident(rust), content_ty(api, content));
    let doc = doc("All other fields.");
    Some(quote!(#doc pub #rust: std::collections::BTreeMap<String, #ty>,))
}

fn content_ty(api: &Api, content: &FieldContent) -> TokenStream {
    match content {
        FieldContent::Text(inner, _) | FieldContent::Json(inner, _) => {
            ty(api, inner, Seen::Outside)
        }
        FieldContent::File => quote!(File),
        FieldContent::Files { .. } => quote!(Vec<File>),
    }
}

/// Tells files by their names while a form arrives.
fn is_file(form: &Form) -> TokenStream {
    let (files, others): (Vec<_>, Vec<_>) = form.fields.iter().partition(|field| field.is_file());
    let wire = |fields: Vec<&FormField>| -> Vec<String> {
        fields.iter().map(|field| field.wire.clone()).collect()
    };
    let (files, others) = (wire(files), wire(others));
    let told = match form.has_other_files() {
        false => quote!(matches!(field, #(#files)|*)),
        true if others.is_empty() => {
            return quote!(
                fn is_file(_: &str) -> bool {
                    true
                }
            );
        }
        // What the members of such a field are called begins with its name.
        true => quote!(!multipart_read::is_of(field, &[#(#others),*])),
    };
    quote!(fn is_file(field: &str) -> bool { #told })
}

/// Reads all fields, so that every violation is told.
fn reads(api: &Api, checked: &Checked, form: &Form) -> TokenStream {
    let reads = form.fields.iter().map(|field| {
        let (local, wire) = (ident(&field.local), &field.wire);
        let read = read(api, checked, &field.content, field.required, &quote!(#wire));
        quote!(let #local = #read;)
    });
    let mut values: Vec<_> = form
        .fields
        .iter()
        .map(|field| (ident(&field.rust), ident(&field.local)))
        .collect();
    let others = match &form.others {
        OtherFields::Ignored => None,
        OtherFields::Refused => Some(quote!(form.close();)),
        OtherFields::Kept {
            rust,
            local,
            content,
        } => {
            let read = read(api, checked, content, true, &quote!(field));
            let local = ident(local);
            values.push((ident(rust), local.clone()));
            Some(quote!(let #local = form.rest(|form, field| #read);))
        }
    };
    let values = values.iter().map(|(rust, local)| quote!(#rust: #local?));
    let together = together(form);
    quote!(#together #(#reads)* #others Some(Self { #(#values),* }))
}

/// Reads the fields together first, where the form's schema says more than what each of them is.
fn together(form: &Form) -> Option<TokenStream> {
    let schema = form.whole.as_ref()?;
    let fields = form.fields.iter().map(|field| {
        let (wire, (written, key)) = (&field.wire, written(&field.content));
        quote!((#wire, #written, #key))
    });
    let other = match &form.others {
        OtherFields::Kept { content, .. } => written(content),
        _ => (quote!(Written::Text), ""),
    };
    let (written, key) = other;
    Some(quote! {
        let mut form = form.whole(#schema, &[#(#fields),*], (#written, #key))?;
    })
}

fn written(content: &FieldContent) -> (TokenStream, &str) {
    match content {
        FieldContent::Text(_, key) => (quote!(Written::Text), key),
        FieldContent::Json(_, key) => (quote!(Written::Json), key),
        FieldContent::File | FieldContent::Files { .. } => (quote!(Written::File), ""),
    }
}

fn read(
    api: &Api,
    checked: &Checked,
    content: &FieldContent,
    required: bool,
    field: &TokenStream,
) -> TokenStream {
    let value = |inner, key: &str, written: TokenStream| {
        let valid = checked.function(api, inner);
        let inner = ty(api, inner, Seen::Outside);
        let method = ident(if required { "required" } else { "optional" });
        quote!(form.#method::<#inner>(#field, #written, #key, #valid))
    };
    match content {
        FieldContent::Text(inner, key) => value(inner, key, quote!(Written::Text)),
        FieldContent::Json(inner, key) => value(inner, key, quote!(Written::Json)),
        FieldContent::File if required => quote!(form.required_file(#field)),
        FieldContent::File => quote!(form.optional_file(#field)),
        FieldContent::Files { min, max } => {
            // A field without files is absent.
            let min = Literal::u64_unsuffixed(if required { (*min).max(1) } else { *min });
            let max = match max {
                Some(max) => {
                    let max = Literal::u64_unsuffixed(*max);
                    quote!(#max)
                }
                None => quote!(usize::MAX),
            };
            quote!(form.files(#field, #min, #max))
        }
    }
}

fn writes(form: &Form) -> TokenStream {
    let fields = form.fields.iter().map(|field| {
        let (rust, wire) = (ident(&field.rust), &field.wire);
        let value = match field.content {
            FieldContent::File if field.required => quote!([&self.#rust]),
            _ => quote!(&self.#rust),
        };
        write(&field.content, &quote!(#wire), &value)
    });
    let named = quote!(FormWriter::new() #(#fields)*);
    let OtherFields::Kept { rust, content, .. } = &form.others else {
        return named;
    };
    let value = match content {
        FieldContent::File => quote!([value]),
        _ => quote!(value),
    };
    let (rust, write) = (ident(rust), write(content, &quote!(field), &value));
    quote! {
        let form = #named;
        self.#rust.iter().fold(form, |form, (field, value)| form #write)
    }
}

fn write(content: &FieldContent, field: &TokenStream, value: &TokenStream) -> TokenStream {
    let method = ident(match content {
        FieldContent::Text(..) => "text",
        FieldContent::Json(..) => "json",
        FieldContent::File | FieldContent::Files { .. } => "files",
    });
    quote!(.#method(#field, #value))
}
