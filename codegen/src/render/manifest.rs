//! The crate's manifest and root, from templates.

use crate::ir::Api;
use crate::{Options, Workspace};
use askama::Template;

#[derive(Template)]
#[template(path = "Cargo.toml.jinja", escape = "none")]
struct CargoToml<'a> {
    command: &'a str,
    name: &'a str,
    version: String,
    description: String,
    member: bool,
}

#[derive(Template)]
#[template(path = "lib.rs.jinja", escape = "none")]
struct LibRs<'a> {
    command: &'a str,
    title: String,
    version: &'a str,
    conditions: bool,
}

/// `Cargo.toml`.
pub(super) fn cargo_toml(api: &Api, options: &Options) -> String {
    let template = CargoToml {
        command: &options.command,
        name: &options.crate_name,
        version: cargo_version(&api.version),
        description: toml_text(&format!(
            "{} {}: models, server traits and client.",
            api.title, api.version
        )),
        member: options.workspace == Workspace::Member,
    };
    filled(&template)
}

/// `src/lib.rs`.
pub(super) fn lib_rs(api: &Api, options: &Options) -> String {
    let title = api.title.lines().collect::<Vec<_>>().join(" ");
    let template = LibRs {
        command: &options.command,
        title,
        version: api.version.trim(),
        conditions: !api.conditions.is_empty(),
    };
    filled(&template)
}

/// The text of a template, with the line end that askama takes from the end of its file.
fn filled(template: &impl Template) -> String {
    // A template over plain strings has nothing that can fail.
    let mut text = template.render().unwrap_or_default();
    text.push('\n');
    text
}

/// A version that cargo takes: the contract's where it is one, else `0.0.0`.
fn cargo_version(version: &str) -> String {
    let numbers: Vec<&str> = version.trim().split('.').collect();
    let plain = |n: &&str| {
        !n.is_empty()
            && n.len() < 10
            && n.bytes().all(|b| b.is_ascii_digit())
            && (n.len() == 1 || !n.starts_with('0'))
    };
    if numbers.len() == 3 && numbers.iter().all(plain) {
        numbers.join(".")
    } else {
        "0.0.0".into()
    }
}

/// The inside of a TOML basic string.
fn toml_text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
