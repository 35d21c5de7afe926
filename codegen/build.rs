//! Embeds the runtime's sources and the format table into the generator at build time.
//!
//! The runtime's files are put into one; those of the crate `json-schema` stay as they are. Neither has
//! a list of files that somebody has to keep.
//!
//! The standard table of formats becomes JSON: reading it as YAML would take a fifth of the time that the
//! generator spends on a small document.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The table, as people write it.
const FORMATS: &str = "src/formats/standard.yaml";

/// The crate that outputs have a copy of.
const JSON_SCHEMA: &str = "json-schema";

/// The head of the one file, which is the same whatever is generated: what never varies is not copied.
/// It keeps rustfmt out of what the file holds.
const HEAD: &str = "// @generated with the crate that it serves. Do not edit.

//! What every generated crate needs, whatever its contract says: see the modules.

#[rustfmt::skip]
mod runtime {
";

fn main() -> io::Result<()> {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let sources = Sources(Path::new(&manifest).join("runtime/src"));
    println!("cargo::rerun-if-changed={FORMATS}");
    println!("cargo::rerun-if-changed={JSON_SCHEMA}");
    println!("cargo::rerun-if-changed={}", sources.0.display());
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    let write = |name: &str, text: String| fs::write(Path::new(&out).join(name), text);
    write("formats.json", table(&Path::new(&manifest).join(FORMATS))?)?;
    write("runtime.rs", sources.root()?)?;
    write("json_schema.rs", embedded(Path::new(&manifest))?)
}

/// The files of the crate `json-schema` as a Rust expression: a slice of paths and texts.
fn embedded(manifest: &Path) -> io::Result<String> {
    let mut files = vec![format!("{JSON_SCHEMA}/Cargo.toml")];
    rust_files(manifest, &format!("{JSON_SCHEMA}/src"), &mut files)?;
    files.sort();
    let text = |file: &String| {
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{file}\")");
        format!("    (\"{file}\", include_str!({path})),\n")
    };
    let texts: String = files.iter().map(text).collect();
    Ok(format!("&[\n{texts}]\n"))
}

/// Adds the paths of all files in `folder` and below.
fn rust_files(manifest: &Path, folder: &str, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(manifest.join(folder))? {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            rust_files(manifest, &path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// A file of YAML as JSON.
fn table(file: &Path) -> io::Result<String> {
    let rows: serde_json::Value =
        serde_yaml::from_str(&fs::read_to_string(file)?).map_err(io::Error::other)?;
    Ok(rows.to_string())
}

/// The folder of the runtime's files.
struct Sources(PathBuf);

impl Sources {
    /// The whole runtime as the root of a crate.
    fn root(&self) -> io::Result<String> {
        let runtime = self.whole("lib")?;
        Ok([HEAD, &runtime, "}\n\npub use runtime::*;\n"].concat())
    }

    /// A module with those that it declares written out in their places.
    fn whole(&self, name: &str) -> io::Result<String> {
        let text = fs::read_to_string(self.0.join(format!("{name}.rs")))?;
        let mut whole = String::new();
        for line in text.lines() {
            match declared(line) {
                Some(module) => {
                    whole.push_str(&format!("{} {{\n", line.trim_end_matches(';')));
                    whole.push_str(&self.whole(module)?);
                    whole.push_str("}\n");
                }
                _ => whole.push_str(&format!("{line}\n")),
            }
        }
        Ok(whole)
    }
}

/// The module that a line declares, if its text is in another file.
fn declared(line: &str) -> Option<&str> {
    let item = line.strip_prefix("pub ").unwrap_or(line);
    item.strip_prefix("mod ")?.strip_suffix(';')
}
