//! `models.rs` and `patterns.rs`: the types of the document.

mod convert;
mod object;
mod union;

use super::check::{Access, Checked, held, innermost};
use super::doc_comment::doc;
use super::formats::tokens;
use super::tokens::{ModelPath, ident, ty};
use crate::derives::{self, Derives};
use crate::ir::{Api, Content, EnumVariant, Model, ModelId, ModelShape, Name, Type, TypeKind};
use crate::rust::names;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Display;

/// The regular expressions, each compiled once at its first use.
pub(super) fn patterns(api: &Api) -> (&'static str, Vec<TokenStream>) {
    let mut items = Vec::new();
    for pattern in &api.patterns {
        let (name, source) = (names::upper(&pattern.name), &pattern.source);
        let doc = doc(&format!("`{source}`"));
        items.push(quote!(#doc pub static #name: rt::Pattern = rt::Pattern::new(#source);));
    }
    ("The regular expressions of the contract (ECMA-262).", items)
}

/// The module's documentation: the checks that serde does, and those that it leaves.
const DOC: &str = "The types of the contract's schemas.

Reading a value with serde, as `serde_json::from_str` does, checks the types: required
members, members that are not allowed, constants, enumerated strings, formats that have a type.
[`Check::is_valid`](runtime::Check::is_valid) checks the rest: bounds, lengths, patterns, rules of
several members. A type without `Check` has no such rest. The service checks all of a request before
its handler is called; clients accept harmless differences ([`read_json`](runtime::read_json)).

How each type is read and written stands below all types.";

/// Every model, in the order of the document, then how each is read and written: `rustc` looks for the
/// macro of each `derive` among all macro calls above it.
pub(super) fn file(
    api: &Api,
    checked: &Checked,
    derives: &Derives,
) -> (&'static str, Vec<TokenStream>) {
    let answers = answers(api);
    let (sent, received) = (sent(api), received(api));
    let (mut items, mut encodings) = (Vec::new(), Vec::new());
    for (index, model) in api.models.iter().enumerate() {
        let id = ModelId(index);
        let printer = Printer {
            api,
            checked,
            derives,
            model,
            id,
            answers: answers.contains(&id),
            is_sent: sent.contains(&id),
            is_open: api.client.opens_enums
                && (received.contains(&id) || !sent.contains(&id))
                && match &model.shape {
                    ModelShape::Union(union) => union::can_be_open(api, id, union),
                    shape => matches!(shape, ModelShape::Enum(_)),
                },
        };
        items.extend([printer.definition(), printer.check()]);
        encodings.push(printer.encoding());
    }
    let conversions = api.conversions.iter();
    items.extend(conversions.map(|conversion| convert::implementation(api, conversion)));
    items.append(&mut encodings);
    (DOC, items)
}

struct Printer<'a> {
    api: &'a Api,
    checked: &'a Checked,
    derives: &'a Derives,
    model: &'a Model,
    id: ModelId,
    /// Whether the model is the whole body of an answer.
    answers: bool,
    /// Whether the body of a request is the model or holds it.
    is_sent: bool,
    /// Whether it is an enum that can hold other strings as well, or a union that can hold other objects.
    is_open: bool,
}

fn enum_variant<T: Display>(variant: &EnumVariant<T>) -> TokenStream {
    let (rust, wire) = (names::pascal(&variant.name), &variant.wire);
    let doc = match variant.doc.trim() {
        "" => self::doc(&format!("`{wire}`")),
        text => self::doc(&format!("`{wire}`: {text}")),
    };
    quote!(#doc #rust,)
}

fn unknown_variant(variants: &[EnumVariant]) -> Ident {
    free_name(variants.iter().map(|variant| &variant.name))
}

/// The name of the variant for unlisted values.
fn free_name<'n>(taken: impl Iterator<Item = &'n Name> + Clone) -> Ident {
    let is_taken = |name: &&str| taken.clone().any(|own| names::pascal(own) == name);
    let mut names = ["Unknown", "Unlisted", "OtherValue"].into_iter();
    let free = names.find(|name| !is_taken(name));
    ident(free.unwrap_or("UnlistedValue"))
}

/// The models that are the whole body of an answer.
fn answers(api: &Api) -> BTreeSet<ModelId> {
    let responses = api
        .all_operations()
        .flat_map(|operation| &operation.responses);
    let media = responses.flat_map(|response| &response.media);
    let bodies = media.filter_map(|media| match &media.content {
        Content::Json(ty, _) => Some(&ty.kind),
        _ => None,
    });
    let models = bodies.filter_map(|kind| match kind {
        TypeKind::Model(id) => Some(*id),
        _ => None,
    });
    models.collect()
}

/// The models that bodies of requests are, or hold.
fn sent(api: &Api) -> BTreeSet<ModelId> {
    let bodies = api.all_operations().filter_map(|one| one.body.as_ref());
    let media = bodies.flat_map(|body| &body.media);
    let types = media.flat_map(|media| types_of_content(&media.content));
    with_held(api, types.filter_map(innermost))
}

/// The models that responses are, or hold; all of them in a document of schemas alone.
fn received(api: &Api) -> BTreeSet<ModelId> {
    if !api.has_operations() {
        return (0..api.models.len()).map(ModelId).collect();
    }
    let responses = api
        .all_operations()
        .flat_map(|operation| &operation.responses);
    let media = responses.flat_map(|response| &response.media);
    let refused = api
        .refusals
        .iter()
        .filter_map(|refusal| refusal.body.as_ref());
    let contents = media.map(|media| &media.content).chain(refused);
    with_held(
        api,
        contents.flat_map(types_of_content).filter_map(innermost),
    )
}

/// These models, and all that they hold.
fn with_held(api: &Api, models: impl Iterator<Item = ModelId>) -> BTreeSet<ModelId> {
    let mut open: Vec<ModelId> = models.collect();
    let mut all = BTreeSet::new();
    while let Some(id) = open.pop() {
        if all.insert(id)
            && let Some(model) = api.models.get(id.0)
        {
            open.extend(held(&model.shape));
        }
    }
    all
}

fn types_of_content(content: &Content) -> Vec<&Type> {
    match content {
        Content::Json(ty, _) | Content::Form(ty, ..) | Content::Items(_, ty, _) => vec![ty],
        Content::Events(data, _) => data.types(),
        Content::Parts(parts) => parts.types(),
        _ => Vec::new(),
    }
}

impl Printer<'_> {
    /// The type, and the functions that make it.
    fn definition(&self) -> TokenStream {
        match &self.model.shape {
            ModelShape::Struct { fields, extra, .. } => self.structure(fields, extra),
            ModelShape::Enum(variants) if self.is_open => self.open_enumeration(variants),
            ModelShape::Enum(variants) => self.enumeration(variants),
            ModelShape::IntegerEnum(variants) => self.enumeration(variants),
            ModelShape::Constant(_) => self.constant(),
            ModelShape::Union(choice) => {
                let (doc, derive) = (self.doc(), self.derive(&["Debug", "Clone", "PartialEq"]));
                union::definition(
                    self.api,
                    &names::model(self.model),
                    &quote!(#doc #derive),
                    choice,
                    self.is_open,
                )
            }
            ModelShape::Own { typed, .. } => {
                let (name, doc) = (names::model(self.model), self.doc());
                let own = tokens(&typed.ty);
                quote!(#doc pub type #name = #own;)
            }
            ModelShape::Alias(inner) => {
                let (name, doc) = (names::model(self.model), self.doc());
                let inner = ty(self.api, inner, ModelPath::Bare);
                quote!(#doc pub type #name = #inner;)
            }
            ModelShape::Newtype(inner) => self.newtype(inner),
        }
    }

    /// How the type is read and written.
    fn encoding(&self) -> TokenStream {
        let name = names::model(self.model);
        match &self.model.shape {
            ModelShape::Struct { fields, extra, .. } => object::members(&name, fields, extra),
            ModelShape::Enum(variants) => {
                let names = variants.iter().map(|variant| names::pascal(&variant.name));
                let wires = variants.iter().map(|variant| &variant.wire);
                let unknown = self.is_open.then(|| {
                    let unknown = unknown_variant(variants);
                    quote!(.. #unknown)
                });
                quote!(rt::string_enum!(#name { #(#names = #wires,)* #unknown });)
            }
            ModelShape::IntegerEnum(variants) => {
                let names = variants.iter().map(|variant| names::pascal(&variant.name));
                let wires = variants
                    .iter()
                    .map(|variant| Literal::i64_unsuffixed(variant.wire));
                quote!(rt::integer_enum!(#name { #(#names = #wires,)* });)
            }
            ModelShape::Constant(value) => {
                let value = constant(value);
                quote!(rt::constant!(#name = #value);)
            }
            ModelShape::Union(choice) => union::encoding(
                self.api,
                &name,
                self.checked.has(self.id),
                choice,
                self.is_open,
            ),
            ModelShape::Own { .. } | ModelShape::Alias(_) => TokenStream::new(),
            ModelShape::Newtype(_) => quote!(rt::newtype!(#name);),
        }
    }

    fn newtype(&self, inner: &Type) -> TokenStream {
        let (name, doc) = (names::model(self.model), self.doc());
        let inner = ty(self.api, inner, ModelPath::Bare);
        let derive = self.derive(&["Debug", "Clone", "PartialEq"]);
        quote! {
            #doc
            #derive
            pub struct #name(pub #inner);
        }
    }

    fn doc(&self) -> TokenStream {
        if self.model.doc.trim().is_empty() {
            return doc(&format!("`{}`.", self.model.name.pascal()));
        }
        doc(&self.model.doc)
    }

    /// The traits of the type: its own, and those that the team asks for.
    fn derive(&self, own: &[&str]) -> TokenStream {
        let more = derives::additional(self.derives, self.model, own);
        let all = own.iter().copied().chain(more).map(tokens);
        quote!(#[derive(#(#all),*)])
    }

    /// An enum that can hold other strings as well.
    fn open_enumeration(&self, variants: &[EnumVariant]) -> TokenStream {
        let (name, doc) = (names::model(self.model), self.doc());
        let each = variants.iter().map(enum_variant);
        let unknown = unknown_variant(variants);
        let derive = self.derive(&["Debug", "Clone", "PartialEq", "Eq", "Hash"]);
        quote! {
            #doc
            #derive
            pub enum #name {
                #(#each)*
                /// A string that the contract does not list.
                #unknown(String),
            }
        }
    }

    fn enumeration<T: Display>(&self, variants: &[EnumVariant<T>]) -> TokenStream {
        let (name, doc) = (names::model(self.model), self.doc());
        let each = variants.iter().map(enum_variant);
        let derive = self.derive(&["Debug", "Clone", "Copy", "PartialEq", "Eq", "Hash"]);
        quote! {
            #doc
            #derive
            pub enum #name { #(#each)* }
        }
    }

    fn constant(&self) -> TokenStream {
        let (name, doc) = (names::model(self.model), self.doc());
        let derive = self.derive(&["Debug", "Clone", "Copy", "PartialEq", "Eq", "Default"]);
        quote! {
            #doc
            #derive
            pub struct #name;
        }
    }

    /// The implementation of `Check`, for a type that has anything to check.
    fn check(&self) -> TokenStream {
        if !self.checked.has(self.id) {
            return TokenStream::new();
        }
        let name = names::model(self.model);
        let body = match &self.model.shape {
            ModelShape::Struct {
                fields,
                extra,
                rules,
            } => self.check_struct(fields, extra, rules),
            ModelShape::Union(choice) => union::check(self.api, self.checked, choice, self.is_open),
            ModelShape::Newtype(inner) => {
                let inner = self.checked.expression(self.api, inner, Access::Closure);
                let inner = inner.unwrap_or_else(|| quote!(true));
                quote!(let value = &self.0; #inner)
            }
            ModelShape::Own { .. }
            | ModelShape::Alias(_)
            | ModelShape::Enum(_)
            | ModelShape::IntegerEnum(_)
            | ModelShape::Constant(_) => {
                return TokenStream::new();
            }
        };
        quote! {
            impl runtime::Check for #name {
                fn is_valid(&self) -> bool { #body }
            }
        }
    }
}

/// The only value of a type.
fn constant(value: &Value) -> TokenStream {
    match value {
        Value::Bool(flag) => quote!(#flag),
        Value::String(text) => quote!(#text),
        Value::Number(number) => match number.as_i64() {
            Some(n) => quote!(#n),
            None => {
                // The lowering keeps others as JSON.
                let n = number.as_f64().unwrap_or_default();
                quote!(#n)
            }
        },
        _ => quote!(()),
    }
}
