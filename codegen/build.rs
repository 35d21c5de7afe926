//! Finds the sources of the runtime and of the crate that it depends on, which an output may carry copies
//! of: beside this crate in its repository, or below `templates/copy` in a package of it. Cargo fills that
//! folder as it packages, by the symbolic links in it; a checkout without such links builds all the same.

use std::path::{Path, PathBuf};

fn main() -> Result<(), std::env::VarError> {
    let package = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    for (name, variable) in [("runtime", "RUNTIME"), ("json-schema", "JSON_SCHEMA")] {
        let beside = package.join(name);
        if beside.is_dir() {
            tell(variable, &beside.join("Cargo.toml"), &beside.join("src"));
        } else {
            let packaged = package.join("templates/copy").join(name);
            tell(
                variable,
                &packaged.join("manifest.toml"),
                &packaged.join("src"),
            );
        }
    }
    Ok(())
}

/// Sets the variables that `src/runtime_copy.rs` reads. A file that is new in the folder is seen too.
fn tell(variable: &str, manifest: &Path, sources: &Path) {
    println!("cargo:rustc-env={variable}_MANIFEST={}", manifest.display());
    println!("cargo:rustc-env={variable}_SOURCES={}", sources.display());
    println!("cargo:rerun-if-changed={}", manifest.display());
    println!("cargo:rerun-if-changed={}", sources.display());
}
