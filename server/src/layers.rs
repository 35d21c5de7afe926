//! The order of the modules of the server's crates, as one table, and its tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The top-level modules of `server/features`, `server/console` and `server/src` with their purposes. A module may import
/// only the modules above its row, so that no cycle arises.
///
/// `api` is one module with the `api.rs` and `api/` of each feature: operations may use all features, and no feature
/// uses operations. Tests may import every module.
///
/// The crates have an order too, which Cargo enforces: `tls`, then `db` and `edge`, which do not depend on each other,
/// then `features`, `console` and `server`.
const LAYERS: &[(&str, &str)] = &[
    // `features`: what all features need.
    ("domain", "values that features share: amounts, days, ids"),
    ("csv", "fields of CSV files"),
    ("mapping", "the contract's models of shared values"),
    ("database", "schema, version counters, locks, writers"),
    ("listing", "ordered lists in memory, encoded pages of them"),
    ("mail", "emails and their outbox"),
    ("console_config", "the configuration of the console"),
    // Projects.
    ("projects", "projects, roles, who may access a project"),
    ("audit", "the audit log of projects"),
    ("suspensions", "projects taken out of service"),
    ("events", "events, enqueued for webhooks"),
    ("idempotency", "records of idempotency keys"),
    ("webhooks", "managing webhooks, delivering events"),
    ("keys", "API keys"),
    ("usage", "requests counted by key"),
    ("access", "authentication and rate limits"),
    // Giving.
    ("chains", "chains, addresses, transactions"),
    ("chain_rpc", "calls to nodes of chains"),
    ("charities", "charities and their categories"),
    ("configs", "divisions of donations among charities"),
    ("tokens", "tokens and partner tokens"),
    ("campaigns", "goals of charities and configs"),
    ("rollups", "stored sums of donations"),
    ("contracts", "partner contracts, the leaderboard"),
    ("donations", "the log of donations, recording them"),
    ("analytics", "statistics of a project"),
    ("claims", "claims of partner contracts"),
    // What spans features.
    ("project_lifecycle", "creating, changing, deleting projects"),
    ("search", "search over the projects of an account"),
    ("catalogue", "the catalog in memory"),
    ("import", "bulk import"),
    ("api", "the operations of the contract"),
    ("cache_refresh", "refreshing copies of data in memory"),
    // `console`: accounts.
    ("mailer", "sending the emails of the outbox"),
    ("accounts", "accounts, sign-ins by email, sessions"),
    ("members", "members of projects, invitations"),
    ("oidc", "sign-in by OpenID Connect"),
    ("passkeys", "sign-in by passkey"),
    ("operators", "accounts that administer all projects"),
    ("tier_requests", "requests for another tier"),
    ("personal_data", "export, erasure, expiry"),
    // Pages.
    ("money", "amounts of money as text"),
    ("hue", "the color of a charity"),
    ("logo", "the logo of a charity, drawn from its name"),
    ("chart", "charts of bars as SVG"),
    ("highlight", "the colors of code"),
    ("split_bar", "the split of a config as a bar"),
    (
        "availability",
        "the minutes in which a server ran and read the database",
    ),
    (
        "donation_chart",
        "the donations of the last days as a chart",
    ),
    ("site", "what all pages share"),
    ("public_pages", "pages that need no sign-in"),
    ("docs", "the documentation"),
    ("dashboard", "pages for members and operators"),
    ("console", "all pages together"),
    // `server`: the program.
    ("config", "the configuration"),
    ("demo", "demonstration data"),
    ("startup", "starting and running everything"),
    ("cli", "the command line"),
];

/// The folders of the crates' sources, below `server`.
const ROOTS: [&str; 3] = ["features/src", "console/src", "src"];

#[test]
fn modules_import_only_the_rows_above_them() {
    let mut wrong = Vec::new();
    for source in sources() {
        let (root, path) = (source.root, source.path.display());
        let own = source.layer().unwrap_or_default();
        for (line, name) in imports_against_the_order(&source) {
            wrong.push(format!(
                "server/{root}/{path}:{line}: `{own}` imports `{name}`"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "A module may import only the modules above its row in LAYERS of {}. Move the code that needs both to \
         the later module, or the value that both need to an earlier one:\n{}",
        file!(),
        wrong.join("\n")
    );
}

#[test]
fn every_module_has_a_row() {
    let modules: BTreeSet<_> = sources().iter().filter_map(|it| it.layer()).collect();
    let listed: BTreeSet<_> = LAYERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let missing: Vec<_> = modules.difference(&listed).collect();
    let unknown: Vec<_> = listed.difference(&modules).collect();
    let advice = format!(
        "LAYERS of {} lacks {missing:?}, and names {unknown:?}, which do not exist",
        file!()
    );
    assert!(missing.is_empty() && unknown.is_empty(), "{advice}");
    assert_eq!(listed.len(), LAYERS.len(), "LAYERS names a module twice");
}

#[test]
fn imports_against_the_order_are_found() {
    let in_list = "use crate::{domain::day::Day,\n    campaigns, configs::Config};";
    let in_test = "fn f() {}\n#[cfg(test)]\nmod tests {\n    use crate::donations::Donation;\n}\n";
    for (file, code, expected) in [
        (
            "charities/sql.rs",
            in_list,
            &["2: campaigns", "2: configs"][..],
        ),
        (
            "charities.rs",
            "\nfn f() { crate::donations::read() }",
            &["2: donations"],
        ),
        (
            "charities/a.rs",
            "use super::super::donations;",
            &["1: donations"],
        ),
        (
            "charities/sql.rs",
            "use crate::tokens::api::address;",
            &["1: api"],
        ),
        ("charities/mapping.rs", "use super::api::page;", &["1: api"]),
        (
            "tokens.rs",
            "fn f() { chains::api::address() }",
            &["1: api"],
        ),
        (
            "chains/api.rs",
            "use super::Chain;\nuse crate::tokens::api::f;",
            &[],
        ),
        (
            "donations.rs",
            "use crate::charities::Charity; // crate::api",
            &[],
        ),
        ("charities.rs", in_test, &[]),
        (
            "tokens/sql.rs",
            "use crate::chains::{ChainId, api::{a, b as keys}};",
            &["1: api", "1: api"],
        ),
    ] {
        let source = Source::new("src", file, code.to_owned());
        let found = imports_against_the_order(&source).into_iter();
        let found: Vec<_> = found
            .map(|(line, name)| format!("{line}: {name}"))
            .collect();
        assert_eq!(found, expected, "{file}: {code}");
    }
}

/// A source file.
struct Source {
    /// One of [`ROOTS`].
    root: &'static str,
    /// The path below `root`.
    path: PathBuf,
    /// Its module path.
    module: Vec<String>,
    /// Its text without comments and test modules. Lines keep their numbers.
    code: String,
}

impl Source {
    fn new(root: &'static str, path: impl Into<PathBuf>, text: String) -> Source {
        let path = path.into();
        let module = path.with_extension("");
        let module = module.iter().map(|it| it.to_str().unwrap().to_owned());
        Source {
            root,
            module: module.collect(),
            code: without_tests_and_comments(&text),
            path,
        }
    }

    /// Its layer; `None` for the roots of the crate, which belong to none.
    fn layer(&self) -> Option<String> {
        layer(&self.module).filter(|it| !["lib", "main"].contains(&&**it))
    }
}

/// The layer of a module path or of a path to an item.
fn layer(path: &[String]) -> Option<String> {
    match path {
        [_, second, ..] if second == "api" => Some("api".to_owned()),
        [first, ..] => Some(first.clone()),
        [] => None,
    }
}

/// The row of a module; `None` for a module without one.
fn row(name: &str) -> Option<usize> {
    LAYERS.iter().position(|(known, _)| *known == name)
}

/// The imports of modules whose rows are below the source's own, with their lines.
fn imports_against_the_order(source: &Source) -> Vec<(usize, String)> {
    let own = source.layer().and_then(|it| row(&it));
    let is_below = |name: &str| row(name).is_some_and(|it| own.is_some_and(|own| it > own));
    let imports = paths(source).into_iter();
    let imports = imports.filter_map(|(line, path)| Some((line, layer(&path)?)));
    imports.filter(|(_, name)| is_below(name)).collect()
}

/// The paths that begin with `crate::` or `super::`, from the root of the crate, with their lines.
fn paths(source: &Source) -> Vec<(usize, Vec<String>)> {
    let code = &source.code;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = code[at..].find("::").map(|it| at + it) {
        let (before, word) = code[..start].split_at(code[..start].trim_end_matches(is_part).len());
        at = start + 2;
        let mut base = match word {
            "crate" => Vec::new(),
            "super" => source.module.clone(),
            // `use crate::configs;` and then `configs::api::page`.
            _ if row(word).is_some()
                && !before.ends_with("::")
                && code[at..].starts_with("api::") =>
            {
                vec![word.to_owned()]
            }
            _ => continue,
        };
        if word == "super" {
            base.pop();
            while code[at..].starts_with("super::") {
                base.pop();
                at += "super::".len();
            }
        }
        let mut imported = Vec::new();
        expand(code, at, &base, &mut imported);
        for (offset, path) in imported {
            found.push((code[..offset].matches('\n').count() + 1, path));
        }
    }
    found
}

/// Adds the paths of a use tree, or of one path in an expression, which is at `at` in `code` and follows `base`. Each has
/// the offset of its last name. Returns the end.
fn expand(code: &str, at: usize, base: &[String], found: &mut Vec<(usize, Vec<String>)>) -> usize {
    if code[at..].starts_with('{') {
        let mut at = at + 1;
        while !code[at..].is_empty() && !code[at..].starts_with('}') {
            let is_name = code[at..].starts_with(is_part);
            at = if is_name {
                expand(code, at, base, found)
            } else {
                at + 1
            };
        }
        return at + 1;
    }
    let name: String = code[at..].chars().take_while(|c| is_part(*c)).collect();
    let end = at + name.len();
    let path = [base, &[name]].concat();
    if code[end..].starts_with("::") {
        return expand(code, end + 2, &path, found);
    }
    found.push((at, path));
    match code[end..].strip_prefix(" as ") {
        Some(alias) => code.len() - alias.trim_start_matches(is_part).len(),
        None => end,
    }
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn without_tests_and_comments(text: &str) -> String {
    let (mut code, mut is_test, mut attribute) = (String::new(), false, false);
    for line in text.lines() {
        is_test |= attribute && line.starts_with("mod ") && line.ends_with('{');
        attribute = line == "#[cfg(test)]";
        if !is_test {
            code.push_str(line.split("//").next().unwrap_or_default());
        }
        code.push('\n');
        is_test &= line != "}";
    }
    code
}

/// The files of the crates, without those of tests: modules that are declared with `#[cfg(test)]`.
fn sources() -> Vec<Source> {
    ROOTS.into_iter().flat_map(sources_below).collect()
}

fn sources_below(root: &'static str) -> Vec<Source> {
    let folder_of_root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let mut files = Vec::new();
    rust_files(&folder_of_root, &mut files);
    let mut tests = Vec::new();
    let mut sources = Vec::new();
    for file in files {
        let path = file.strip_prefix(&folder_of_root).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let folder = match path.to_str() {
            Some("lib.rs" | "main.rs") => PathBuf::new(),
            _ => path.with_extension(""),
        };
        for declared in text.split("#[cfg(test)]\n").skip(1) {
            let name = declared
                .strip_prefix("mod ")
                .and_then(|it| it.split_once(';'));
            let name = name
                .map(|(name, _)| name)
                .filter(|it| it.chars().all(is_part));
            tests.extend(name.map(|it| folder.join(it)));
        }
        sources.push(Source::new(root, path, text));
    }
    let is_test = |it: &Source| {
        let module = it.path.with_extension("");
        tests.iter().any(|test| module.starts_with(test))
    };
    sources.retain(|it| !is_test(it));
    sources
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
