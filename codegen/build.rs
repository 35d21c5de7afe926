//! What of the sources a generator that runs has in another form.
//!
//! The runtime's files are put into one, so that a new one reaches the output without being named. One,
//! because a file system takes longer to create a hundred files than the generator to fill them.
//!
//! The standard table of formats becomes JSON: reading it as YAML would take a fifth of the time that the
//! generator spends on a small document.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The table, as people write it.
const FORMATS: &str = "src/formats/standard.yaml";

/// The module that an output has in one of two forms, which is for the generator to choose.
const CHOSEN: &str = "pattern_backtrack";

/// Its form where the document has no pattern that needs it.
const PLAIN: &str = "templates/pattern_backtrack.rs";

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
    println!("cargo::rerun-if-changed={PLAIN}");
    println!("cargo::rerun-if-changed={}", sources.0.display());
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    let write = |name: &str, text: String| fs::write(Path::new(&out).join(name), text);
    write("formats.json", table(&Path::new(&manifest).join(FORMATS))?)?;
    let plain = fs::read_to_string(Path::new(&manifest).join(PLAIN))?;
    write("runtime.rs", sources.root(&plain)?)?;
    write(
        "runtime_backtracking.rs",
        sources.root(&sources.whole(CHOSEN)?)?,
    )
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
    /// The whole runtime as the root of a crate, with that form of the module that is chosen.
    fn root(&self, chosen: &str) -> io::Result<String> {
        let runtime = self.whole("lib")?;
        let declared = format!("mod {CHOSEN};\n");
        let (before, after) = runtime
            .split_once(&declared)
            .ok_or_else(|| io::Error::other(format!("the runtime has no line `{declared}`")))?;
        let chosen = format!("mod {CHOSEN} {{\n{chosen}}}\n");
        Ok([HEAD, before, &chosen, after, "}\n\npub use runtime::*;\n"].concat())
    }

    /// A module with those that it declares written out in their places.
    fn whole(&self, name: &str) -> io::Result<String> {
        let text = fs::read_to_string(self.0.join(format!("{name}.rs")))?;
        let mut whole = String::new();
        for line in text.lines().filter(|line| !line.starts_with("#[path")) {
            match declared(line) {
                Some(module) if module != CHOSEN => {
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
