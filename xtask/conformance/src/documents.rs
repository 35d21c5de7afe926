//! Counts how the schemas of real documents are enforced, without running them.

use codegen::{Enforcer, Options};
use openapi_crate::Document;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use workspace::Entry;

/// At least this share of the schemas must be enforced by compiled code.
const NATIVE: f64 = 0.95;

/// The numbers of schemas by enforcer.
pub(crate) struct Counted {
    by: BTreeMap<Enforcer, usize>,
    /// Those that the interpreter decides on.
    interpreted: Vec<String>,
    /// The numbers of schemas that are not compiled, by document and by cause.
    causes: BTreeMap<(String, String), usize>,
    /// The documents for which no code could be generated.
    refused: Vec<String>,
}

/// Generates every document of a folder and counts its named schemas.
pub(crate) fn count(folder: &Path) -> io::Result<Counted> {
    let mut counted = Counted {
        by: BTreeMap::new(),
        interpreted: Vec::new(),
        causes: BTreeMap::new(),
        refused: Vec::new(),
    };
    for entry in workspace::documents(folder, &[])? {
        counted.add(&entry)?;
    }
    Ok(counted)
}

impl Counted {
    fn add(&mut self, Entry { name, path }: &Entry) -> io::Result<()> {
        let document = Document::read(path, name)?;
        let options = Options {
            crate_name: "document".into(),
            workspace: codegen::Workspace::Own,
            runtime: codegen::Runtime::Copy,
            strict: false,
            samples: Vec::new(),
            ..Options::default()
        };
        let Ok(schemas) = codegen::enforced(&document.source, &document.reading, &options) else {
            self.refused.push(name.clone());
            return Ok(());
        };
        for schema in schemas {
            *self.by.entry(schema.by).or_default() += 1;
            if schema.by == Enforcer::Interpreter {
                let cause = schema
                    .cause
                    .map_or_else(String::new, |cause| cause.to_string());
                self.interpreted
                    .push(format!("{name}: {} ({cause})", schema.schema));
                *self.causes.entry((name.clone(), cause)).or_default() += 1;
            }
        }
        Ok(())
    }

    fn share(&self, enforcer: Enforcer) -> f64 {
        let total: usize = self.by.values().sum();
        self.of(enforcer) as f64 / total.max(1) as f64
    }

    fn of(&self, enforcer: Enforcer) -> usize {
        self.by.get(&enforcer).copied().unwrap_or_default()
    }

    /// Whether enough schemas are enforced natively.
    pub(crate) fn meets_the_bar(&self) -> bool {
        1.0 - self.share(Enforcer::Interpreter) >= NATIVE
    }

    /// The counts; with `list`, every schema behind them.
    pub(crate) fn render(&self, list: bool) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        for line in self.interpreted.iter().filter(|_| list) {
            _ = writeln!(text, "  {line}");
        }
        if !self.causes.is_empty() {
            _ = writeln!(
                text,
                "\n{:<48} {:<24} {:>7}",
                "not native in", "because of", "schemas"
            );
        }
        for ((name, cause), count) in &self.causes {
            _ = writeln!(text, "{name:<48} {cause:<24} {count:>7}");
        }
        for name in &self.refused {
            _ = writeln!(text, "  {name}: nothing could be generated");
        }
        _ = writeln!(
            text,
            "schemas of real documents: {} by a type, {} by a condition too, {} by the interpreter \
             too ({:.1} % natively)",
            self.of(Enforcer::Type),
            self.of(Enforcer::Condition),
            self.of(Enforcer::Interpreter),
            100.0 * (1.0 - self.share(Enforcer::Interpreter)),
        );
        text
    }
}
