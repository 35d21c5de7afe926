//! A union: an enum whose variants carry types, and how the variant of a value is found.

use crate::ir::{
    Ambiguity, Api, Discrimination, Extra, ModelId, ModelShape, Type, TypeKind, Union,
    UnionVariant, VariantFilter,
};
use crate::rust::check::{Access, Checked};
use crate::rust::doc_comment::doc;
use crate::rust::names;
use crate::rust::tokens::{ModelPath, ident, ty};
use crate::schema::JsonType;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use serde_json::Value;

/// The enum, under its attributes.
pub(super) fn definition(
    api: &Api,
    name: &Ident,
    head: &TokenStream,
    union: &Union,
    is_open: bool,
) -> TokenStream {
    let variants = union.variants.iter().map(|variant| {
        let (rust, inner) = (
            names::pascal(&variant.name),
            ty(api, &variant.ty, ModelPath::Bare),
        );
        let inner = if variant.boxed {
            quote!(Box<#inner>)
        } else {
            inner
        };
        let text = doc(&format!("`{}`.", variant.name.pascal()));
        quote!(#text #rust(#inner),)
    });
    let unknown = is_open.then(|| {
        let unknown = unknown_variant(union);
        quote! {
            /// An object that names none of the variants.
            #unknown(serde_json::Value),
        }
    });
    quote! {
        #head
        pub enum #name { #(#variants)* #unknown }
    }
}

/// Whether a union can hold objects that name none of its variants: one whose variant a property names always.
pub(super) fn can_be_open(api: &Api, id: ModelId, union: &Union) -> bool {
    let mut conversions = api.conversions.iter();
    matches!(union.discrimination, Discrimination::Tag(_))
        && !union.variants.iter().any(|variant| variant.is_default)
        && !conversions.any(|conversion| conversion.from == id || conversion.to == id)
}

fn unknown_variant(union: &Union) -> Ident {
    super::free_name(union.variants.iter().map(|variant| &variant.name))
}

/// How the enum is read and written; `valid` is whether it implements `Check`.
pub(super) fn encoding(
    api: &Api,
    name: &Ident,
    valid: bool,
    union: &Union,
    is_open: bool,
) -> TokenStream {
    match &union.discrimination {
        Discrimination::Tag(tag) => by_tag(api, name, tag, union, is_open),
        Discrimination::Type => by_type(name, union),
        Discrimination::Each {
            exactly_one,
            filters,
            ambiguity,
        } => {
            let printed = printed(api, union, filters);
            let choice = choice(api, union, *exactly_one, ambiguity, valid);
            by_filters(name, union, &printed, &choice)
        }
    }
}

/// A union whose variant a member names.
fn by_tag(api: &Api, name: &Ident, tag: &str, union: &Union, is_open: bool) -> TokenStream {
    let rows = union.variants.iter().map(|variant| {
        let (rust, tags) = (names::pascal(&variant.name), &variant.tags);
        // Without the member, a value is of the default variant.
        let is_named = variant.takes_objects() && !variant.is_default;
        let lacks = is_named && may_lack(api, &variant.ty, tag, &mut Vec::new());
        let written = ident(if lacks { "added" } else { "own" });
        let tags = (!tags.is_empty()).then(|| quote!(= #(#tags)|*));
        quote!(#written #rust #tags,)
    });
    let mut variants = union.variants.iter();
    let default = variants.find(|variant| variant.is_default).map(|variant| {
        let rust = names::pascal(&variant.name);
        quote!(else #rust)
    });
    let by_type = union.variants.iter().filter_map(|variant| {
        let types = union.own_types(variant);
        (!types.is_empty()).then(|| row_by_type(variant, &types))
    });
    let by_type: Vec<_> = by_type.collect();
    let by_type = (!by_type.is_empty()).then(|| quote!(or (#(#by_type),*)));
    let keep = is_open.then(|| {
        let unknown = unknown_variant(union);
        quote!(keep #unknown)
    });
    quote!(rt::tagged_union!(#name by #tag #default #by_type #keep { #(#rows)* });)
}

/// A union whose variants have no JSON type in common.
fn by_type(name: &Ident, union: &Union) -> TokenStream {
    let rows = union.variants.iter();
    let rows = rows.map(|variant| row_by_type(variant, &variant.types));
    quote!(rt::union_by_type!(#name { #(#rows,)* });)
}

/// A variant with types by which its values are known.
fn row_by_type(variant: &UnionVariant, types: &[JsonType]) -> TokenStream {
    let (rust, forms) = (names::pascal(&variant.name), forms(types));
    // Nothing is of a type without values.
    let forms = (!forms.is_empty()).then(|| quote!(= #(#forms)|*));
    quote!(#rust #forms)
}

/// A union of which only a whole value tells the variant.
fn by_filters(
    name: &Ident,
    union: &Union,
    filters: &TokenStream,
    choice: &TokenStream,
) -> TokenStream {
    let rows = union.variants.iter().enumerate().map(|(index, variant)| {
        let (index, rust) = (
            Literal::usize_unsuffixed(index),
            names::pascal(&variant.name),
        );
        quote!(#index => #rust,)
    });
    quote! {
        rt::union!(#name { #(#rows)* });

        impl<'de> rt::serde::Deserialize<'de> for #name {
            fn deserialize<D: rt::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                const FILTERS: &[rt::union::VariantFilter] = #filters;
                #choice
            }
        }
    }
}

/// The filters that rule out variants.
fn printed(api: &Api, union: &Union, filters: &[VariantFilter]) -> TokenStream {
    let filters = union.variants.iter().zip(filters).map(|(variant, filter)| {
        let kept = api.kept_members(&variant.ty);
        printed_filter(&variant.types, filter, kept.as_deref())
    });
    quote!(&[#(#filters),*])
}

/// How one of the variants that are not ruled out is chosen and read.
fn choice(
    api: &Api,
    union: &Union,
    exactly_one: bool,
    ambiguity: &Ambiguity,
    checked: bool,
) -> TokenStream {
    match ambiguity {
        Ambiguity::Reading => {
            let valid = match checked {
                true => quote!(runtime::Check::is_valid),
                false => quote!(|_| true),
            };
            quote!(rt::union::by_trying(deserializer, FILTERS, #exactly_one, #valid))
        }
        Ambiguity::Conditions(ids) => {
            let conditions = ids.iter().filter_map(|id| api.conditions.get(id.0));
            let arms = conditions.enumerate().map(|(index, condition)| {
                let index = Literal::usize_unsuffixed(index);
                let name = names::condition(&condition.name);
                quote!(#index => conditions::#name(value),)
            });
            let accepts = quote!(|variant, value| match variant { #(#arms)* _ => false });
            quote!(rt::union::by_filters(deserializer, FILTERS, #exactly_one, #accepts))
        }
        Ambiguity::Schemas => {
            let arms = union.variants.iter().enumerate().map(|(index, variant)| {
                let (index, key) = (Literal::usize_unsuffixed(index), &variant.schema);
                quote!(#index => crate::SCHEMAS.is_valid(#key, value),)
            });
            let accepts = quote!(|variant, value| match variant { #(#arms)* _ => false });
            quote!(rt::union::by_filters(deserializer, FILTERS, #exactly_one, #accepts))
        }
    }
}

/// Whether a value of the union is valid.
pub(super) fn check(api: &Api, checked: &Checked, union: &Union, is_open: bool) -> TokenStream {
    let arms = union.variants.iter().map(|variant| {
        let rust = names::pascal(&variant.name);
        match checked.expression(api, &variant.ty, Access::Closure) {
            Some(inner) => quote!(Self::#rust(value) => #inner,),
            None => quote!(Self::#rust(_) => true,),
        }
    });
    let unknown = is_open.then(|| {
        let unknown = unknown_variant(union);
        quote!(Self::#unknown(_) => true,)
    });
    quote!(match self { #(#arms)* #unknown })
}

/// The forms of values of these types; numbers are told apart by the type that reads them.
fn forms(types: &[JsonType]) -> Vec<Ident> {
    let all = JsonType::ALL
        .into_iter()
        .filter(|ty| *ty != JsonType::Integer);
    let forms = all.filter(|ty| types.iter().any(|own| own.meets(*ty)));
    let forms = forms.map(|ty| match ty {
        JsonType::Null => "Null",
        JsonType::Boolean => "Boolean",
        JsonType::Integer | JsonType::Number => "Number",
        JsonType::String => "String",
        JsonType::Array => "Array",
        JsonType::Object => "Object",
    });
    forms.map(ident).collect()
}

/// Whether a value of a type may be an object without a member that it would be valid with.
fn may_lack(api: &Api, ty: &Type, member: &str, within: &mut Vec<ModelId>) -> bool {
    let id = match &ty.kind {
        TypeKind::Json | TypeKind::Map(_) => return true,
        TypeKind::Nullable(inner) => return may_lack(api, inner, member, within),
        TypeKind::Model(id) if !within.contains(id) => *id,
        _ => return false,
    };
    within.push(id);
    match api.models.get(id.0).map(|model| &model.shape) {
        Some(ModelShape::Struct { fields, extra, .. }) => {
            match fields.iter().find(|field| field.wire == member) {
                Some(field) => !field.required,
                None => !matches!(extra, Extra::Refused),
            }
        }
        Some(ModelShape::Alias(inner) | ModelShape::Newtype(inner)) => {
            may_lack(api, inner, member, within)
        }
        // It writes the member itself.
        Some(ModelShape::Union(union))
            if union.discrimination == Discrimination::Tag(member.to_owned()) =>
        {
            false
        }
        Some(ModelShape::Union(union)) => {
            let mut variants = union.variants.iter();
            variants.any(|inner| may_lack(api, &inner.ty, member, within))
        }
        Some(ModelShape::Own { .. }) => true,
        Some(ModelShape::Enum(_) | ModelShape::IntegerEnum(_) | ModelShape::Constant(_)) | None => {
            false
        }
    }
}

fn printed_filter(
    types: &[JsonType],
    filter: &VariantFilter,
    kept: Option<&[&str]>,
) -> TokenStream {
    let mut said = Vec::new();
    if let Some(names) = kept {
        said.push(quote!(kept: Some(&[#(#names),*])));
    }
    if types != [JsonType::Object] {
        let forms = forms(types);
        said.push(quote!(types: &[#(rt::union::ValueType::#forms),*]));
    }
    if !filter.required.is_empty() {
        let names = &filter.required;
        said.push(quote!(required: &[#(#names),*]));
    }
    if let Some(names) = &filter.closed {
        said.push(quote!(closed: Some(&[#(#names),*])));
    }
    if !filter.members.is_empty() {
        let members = filter.members.iter().map(|(name, types)| {
            let forms = self::forms(types);
            quote!((#name, &[#(rt::union::ValueType::#forms),*]))
        });
        said.push(quote!(members: &[#(#members),*]));
    }
    if !filter.constants.is_empty() {
        let constants = filter.constants.iter().map(|(name, values)| {
            let values = values.iter().filter_map(constant);
            quote!((#name, &[#(#values),*]))
        });
        said.push(quote!(constants: &[#(#constants),*]));
    }
    if said.is_empty() {
        return quote!(rt::union::VariantFilter::OBJECT);
    }
    quote!(rt::union::VariantFilter { #(#said,)* ..rt::union::VariantFilter::OBJECT })
}

fn constant(value: &Value) -> Option<TokenStream> {
    match value {
        Value::Bool(flag) => Some(quote!(rt::union::Constant::Boolean(#flag))),
        Value::String(text) => Some(quote!(rt::union::Constant::Text(#text))),
        Value::Number(number) => {
            let number = Literal::i64_unsuffixed(number.as_i64()?);
            Some(quote!(rt::union::Constant::Integer(#number)))
        }
        _ => None,
    }
}
