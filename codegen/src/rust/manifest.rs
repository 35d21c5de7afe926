//! The crate's manifest and root, from templates.

use crate::FileTree;
use crate::ir::{Api, Content, Dependency};
use crate::rust::names;
use crate::{Feature, Options, PROGRAM, Runtime, VERSION, Workspace, runtime_copy};
use askama::Template;

#[derive(Template)]
#[template(path = "Cargo.toml.jinja", escape = "none")]
struct CargoToml<'a> {
    program: &'a str,
    /// The version of the program.
    release: &'a str,
    name: &'a str,
    version: String,
    description: String,
    /// Whether fields and dependencies are those of the workspace around it.
    inherited: bool,
    /// Whether it is a workspace of its own.
    own: bool,
    /// Whether there is more than types.
    operations: bool,
    /// The features that are on by default, in quotes.
    default: String,
    /// The features that the client and the server need, in quotes.
    needs: String,
    /// The crates that sources name, as entries of the table of dependencies.
    named: Vec<String>,
    /// The runtime, as an entry of the table of dependencies.
    runtime: String,
    /// The crates of the types of formats, as entries of the table of dependencies.
    more: Vec<String>,
}

#[derive(Template)]
#[template(path = "lib.rs.jinja", escape = "none")]
struct LibRs<'a> {
    program: &'a str,
    /// The major and minor version of the program.
    release: (u32, u32),
    title: String,
    version: String,
    /// Whether there is more than types.
    operations: bool,
    conditions: bool,
    callbacks: bool,
    webhooks: bool,
    deprecated: bool,
    formats: bool,
    patterns: bool,
    links: bool,
    security: bool,
    multipart: bool,
    parts: bool,
    streams: bool,
    /// Whether any name has other letters than ASCII's.
    foreign: bool,
    /// One for each tag.
    modules: Vec<Module>,
}

/// The module of a tag.
struct Module {
    name: String,
    /// Its file, where that has another name.
    file: Option<String>,
}

/// `Cargo.toml`.
pub(super) fn cargo_toml(api: &Api, files: &FileTree, options: &Options) -> String {
    let content = if api.has_operations() {
        "models, server traits and client"
    } else {
        "models"
    };
    let template = CargoToml {
        program: PROGRAM,
        release: VERSION,
        name: &options.crate_name,
        version: cargo_version(&api.version),
        description: toml_text(&format!("{} {}: {content}.", api.title, api.version)),
        inherited: options.workspace == Workspace::Inherited,
        own: options.workspace == Workspace::Own,
        operations: api.has_operations(),
        default: default(api, options),
        needs: needs(api),
        runtime: runtime(options),
        named: named(files, options.workspace),
        more: more(api, files, options),
    };
    filled(&template)
}

/// The features that are on by default; types alone have neither a client nor a server.
fn default(api: &Api, options: &Options) -> String {
    let has = |feature: &Feature| api.has_operations() || *feature == Feature::ExactNumbers;
    let on = |feature: &Feature| has(feature) && options.features.contains(feature);
    let on = Feature::ALL.into_iter().filter(on);
    let names: Vec<String> = on
        .map(|feature| format!("\"{}\"", feature.name()))
        .collect();
    names.join(", ")
}

/// The features that calling and serving the operations need: `http`, and those of the runtime that
/// some bodies ask for.
fn needs(api: &Api) -> String {
    let needs = [
        (true, "\"dep:http\""),
        (has_forms(api) || has_parts(api), "\"runtime/multipart\""),
        (has_sequences(api), "\"runtime/streams\""),
    ];
    let needs = needs.iter().filter(|(needed, _)| *needed);
    let needs: Vec<&str> = needs.map(|(_, feature)| *feature).collect();
    needs.join(", ")
}

/// Whether any body is a form of parts.
pub(super) fn has_forms(api: &Api) -> bool {
    contents(api).any(|content| matches!(content, Content::Multipart(_)))
}

/// Whether any body is events, or items or parts that pass one by one.
fn has_sequences(api: &Api) -> bool {
    let is_sequence = |content: &Content| {
        matches!(
            content,
            Content::Items(..) | Content::Events(..) | Content::Parts(_)
        )
    };
    contents(api).any(is_sequence)
}

/// Whether any body is parts without names.
fn has_parts(api: &Api) -> bool {
    contents(api).any(|content| matches!(content, Content::Parts(_)))
}

/// The bodies of all requests and answers.
fn contents(api: &Api) -> impl Iterator<Item = &Content> {
    let media = api.all_operations().flat_map(|operation| {
        let requests = operation.body.iter().flat_map(|body| &body.media);
        requests.chain(operation.responses.iter().flat_map(|one| &one.media))
    });
    media.map(|media| &media.content)
}

/// The crates that sources may name beside the runtime and those of formats, with the version to take
/// outside a workspace. Types alone do without `http`.
const NAMED: [(&str, &str); 3] = [("http", "1"), ("serde", "1"), ("serde_json", "1")];

/// The entries of the table of dependencies, but for the runtime and the types of formats.
fn named(files: &FileTree, workspace: Workspace) -> Vec<String> {
    let named = NAMED.iter().filter(|(name, _)| is_named(files, name));
    let entry = |(name, version): &(&str, &str)| match (workspace, *name) {
        (Workspace::Inherited, "http") => "http = { workspace = true, optional = true }".into(),
        (Workspace::Inherited, _) => format!("{name}.workspace = true"),
        (_, "http") => format!("http = {{ version = \"{version}\", optional = true }}"),
        _ => format!("{name} = \"{version}\""),
    };
    named.map(entry).collect()
}

/// Whether the code of any source, without comments, begins a path with the name of a crate.
fn is_named(files: &FileTree, name: &str) -> bool {
    let head = format!("{name}::");
    let is_first = |text: &str, at: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|c| c != ':' && c != '_' && !c.is_alphanumeric())
    };
    let mut sources = files
        .iter()
        .filter(|(path, _)| path.starts_with("src/") && path.ends_with(".rs"));
    sources.any(|(_, text)| {
        let mut code = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        code.any(|line| line.match_indices(&head).any(|(at, _)| is_first(line, at)))
    })
}

/// The crates that types of the document and derived traits come from.
fn more(api: &Api, files: &FileTree, options: &Options) -> Vec<String> {
    let known = |name: &str| NAMED.iter().any(|(known, _)| *known == name) && is_named(files, name);
    let own = options.dependencies.iter();
    let own = own.filter(|own| api.dependencies.iter().all(|known| known.name != own.name));
    let added = api.dependencies.iter().chain(own);
    let added = added.filter(|dependency| !known(&dependency.name));
    added
        .map(|dependency| match options.workspace {
            Workspace::Inherited => format!("{}.workspace = true", dependency.name),
            Workspace::Member | Workspace::Own => {
                format!("{} = {}", dependency.name, inline(dependency))
            }
        })
        .collect()
}

/// A dependency as a TOML value.
fn inline(dependency: &Dependency) -> String {
    let quoted = |text: &String| format!("\"{}\"", toml_text(text));
    let version = dependency.version.as_ref().map(quoted);
    let mut members = Vec::new();
    if let Some(path) = &dependency.path {
        members.push(format!("path = {}", quoted(path)));
    }
    if !dependency.default_features {
        members.push("default-features = false".into());
    }
    if !dependency.features.is_empty() {
        let features: Vec<_> = dependency.features.iter().map(quoted).collect();
        members.push(format!("features = [{}]", features.join(", ")));
    }
    match version {
        Some(version) if members.is_empty() => version,
        version => {
            let version = version.map(|version| format!("version = {version}"));
            let all: Vec<_> = version.into_iter().chain(members).collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}

/// The entry of the runtime in the table of dependencies.
fn runtime(options: &Options) -> String {
    let source = match &options.runtime {
        Runtime::Workspace => return "runtime.workspace = true".into(),
        Runtime::Path(path) => format!("path = \"{}\"", toml_text(path)),
        Runtime::Version(version) => format!("version = \"{}\"", toml_text(version)),
        Runtime::Copy => "path = \"runtime\"".into(),
    };
    let package = match &options.runtime {
        Runtime::Copy => runtime_copy::package(&options.crate_name),
        _ => runtime_copy::RUNTIME_PACKAGE.into(),
    };
    format!("runtime = {{ package = \"{package}\", {source}, default-features = false }}")
}

/// `src/lib.rs`.
pub(super) fn lib_rs(api: &Api, foreign: bool) -> String {
    let template = LibRs {
        program: PROGRAM,
        release: release(),
        title: super::doc_comment::doc_line(&api.title),
        version: super::doc_comment::doc_line(api.version.trim()),
        operations: api.has_operations(),
        conditions: !api.conditions.is_empty(),
        callbacks: !api.callbacks.is_empty(),
        webhooks: !api.webhooks.is_empty(),
        deprecated: super::deprecation::is_any(api),
        formats: !api.formats.is_empty(),
        patterns: !api.patterns.is_empty(),
        links: !api.links.is_empty(),
        security: !super::security::is_empty(api),
        multipart: has_forms(api),
        parts: has_parts(api),
        streams: has_sequences(api),
        foreign,
        modules: api
            .groups
            .iter()
            .map(|group| Module {
                name: names::module(group).to_string(),
                file: (!group.name.is_ascii()).then(|| names::file(group)),
            })
            .collect(),
    };
    filled(&template)
}

/// The major and minor version of the generator, by which the runtime knows the crates that it can serve.
fn release() -> (u32, u32) {
    let number = |text: &str| text.parse().unwrap_or_default();
    (
        number(env!("CARGO_PKG_VERSION_MAJOR")),
        number(env!("CARGO_PKG_VERSION_MINOR")),
    )
}

/// The text of a template, with the line end that askama takes from the end of its file.
fn filled(template: &impl Template) -> String {
    let mut text = template.to_string();
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
