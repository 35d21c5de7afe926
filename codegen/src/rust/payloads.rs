//! The program that reads payloads by the types of a generated crate.

use super::file;
use super::tokens::{ModelPath, ty};
use crate::ir::{Api, Type};
use crate::{FileTree, Options};
use proc_macro2::Literal;
use quote::quote;
use serde_json::Value;
use std::collections::BTreeMap;

const MAIN: &str = include_str!("../../templates/payloads.rs");

const MANIFEST: &str = include_str!("../../templates/payloads.toml");

/// The package.
pub(crate) fn payload_reader(api: &Api, options: &Options, values: &[(Type, Value)]) -> FileTree {
    let mut types = BTreeMap::new();
    for (value_type, _) in values {
        let tokens = ty(api, value_type, ModelPath::Qualified);
        types.insert(tokens.to_string(), tokens);
    }
    let numbered = types.values().enumerate();
    let arms = numbered.map(|(number, ty)| {
        let number = Literal::usize_unsuffixed(number);
        quote!(#number => round::<#ty>(bytes),)
    });
    let items = [
        quote!(
            use crate::*;
        ),
        quote! {
            pub fn read(number: usize, bytes: &[u8]) -> Result<serde_json::Value, String> {
                match number {
                    #(#arms)*
                    _ => Err("there is no such type".to_owned()),
                }
            }
        },
    ];
    // One value a line, so that a changed payload is a changed line.
    let rows = values.iter().map(|(value_type, value)| {
        let tokens = ty(api, value_type, ModelPath::Qualified).to_string();
        let number = types.keys().position(|known| *known == tokens);
        serde_json::json!([number, value]).to_string()
    });
    let rows: Vec<String> = rows.collect();
    let mut files = FileTree::default();
    files.insert("Cargo.toml", MANIFEST.replace("NAME", &options.crate_name));
    files.insert("src/main.rs", MAIN);
    let text = file::text("The types of the values, by number.", items);
    files.insert("src/types.rs", text);
    files.insert("payloads.json", format!("[\n{}\n]\n", rows.join(",\n")));
    files
}
