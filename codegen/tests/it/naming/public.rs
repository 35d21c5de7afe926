//! The public names of generated sources, as `syn` reads them.

use codegen::FileTree;
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{Fields, ImplItem, Item, Signature, TraitItem, Type, Visibility};

/// Every public name with its kind and place; fields with their types, so that exchanged fields are
/// noticed.
pub(crate) fn names(files: &FileTree) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (path, text) in files.iter() {
        let module = path
            .strip_prefix("src/")
            .and_then(|p| p.strip_suffix(".rs"));
        if let Some(module) = module {
            let file = syn::parse_file(text).unwrap();
            items(&file.items, module, &mut names);
        }
    }
    names
}

fn items(all: &[Item], place: &str, names: &mut BTreeSet<String>) {
    for item in all {
        let (visible, kind, name) = match item {
            Item::Const(it) => (&it.vis, "const", it.ident.to_string()),
            Item::Static(it) => (&it.vis, "static", it.ident.to_string()),
            Item::Type(it) => (&it.vis, "type", it.ident.to_string()),
            Item::Fn(it) => (&it.vis, "fn", it.sig.ident.to_string()),
            Item::Mod(it) => (&it.vis, "mod", it.ident.to_string()),
            Item::Struct(it) => (&it.vis, "struct", it.ident.to_string()),
            Item::Enum(it) => (&it.vis, "enum", it.ident.to_string()),
            Item::Trait(it) => (&it.vis, "trait", it.ident.to_string()),
            Item::Impl(it) => {
                if it.trait_.is_none() {
                    methods(
                        &it.items,
                        &format!("{place}::{}", named(&it.self_ty)),
                        names,
                    );
                }
                continue;
            }
            _ => continue,
        };
        if !matches!(visible, Visibility::Public(_)) {
            continue;
        }
        let here = format!("{place}::{name}");
        match item {
            Item::Struct(it) => fields(&it.fields, &here, false, names),
            Item::Enum(it) => {
                for variant in &it.variants {
                    let own = format!("{here}::{}", variant.ident);
                    fields(&variant.fields, &own, true, names);
                    names.insert(format!("variant {own}"));
                }
            }
            Item::Trait(it) => {
                for member in &it.items {
                    if let TraitItem::Fn(method) = member {
                        names.insert(function(&method.sig, &here));
                    }
                }
            }
            Item::Mod(it) => {
                if let Some((_, inside)) = &it.content {
                    items(inside, &here, names);
                }
            }
            _ => {}
        }
        names.insert(format!("{kind} {here}"));
    }
}

fn methods(all: &[ImplItem], place: &str, names: &mut BTreeSet<String>) {
    for item in all {
        if let ImplItem::Fn(method) = item
            && matches!(method.vis, Visibility::Public(_))
        {
            names.insert(function(&method.sig, place));
        }
    }
}

fn function(signature: &Signature, place: &str) -> String {
    format!("fn {place}::{}", signature.ident)
}

/// The public fields of a struct, or all fields of a variant.
fn fields(fields: &Fields, place: &str, all: bool, names: &mut BTreeSet<String>) {
    for (number, field) in fields.iter().enumerate() {
        if all || matches!(field.vis, Visibility::Public(_)) {
            let name = field
                .ident
                .as_ref()
                .map_or(number.to_string(), ToString::to_string);
            names.insert(format!("field {place}::{name}: {}", printed(&field.ty)));
        }
    }
}

/// The type of an `impl`, without its arguments.
fn named(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path.path.segments.last().unwrap().ident.to_string(),
        other => printed(other),
    }
}

fn printed(ty: &Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "")
}
