//! An import into PostgreSQL, compared with COPY of the same rows.

use super::{Import, Inputs, Site};
use crate::postgres::Postgres;
use std::io;
use std::time::Instant;

/// The tables that an import of donations adds rows to.
const TABLES: [&str; 2] = ["donation", "charity_donation"];

pub(super) struct Databases<'a> {
    inputs: &'a Inputs,
    server: Postgres,
}

impl<'a> Databases<'a> {
    /// Imports the catalogue, and the donations once: the bulk insert takes its rows from there.
    pub(super) fn prepare(inputs: &'a Inputs) -> io::Result<Databases<'a>> {
        let server = Postgres::start()?;
        server.copy("template1", "base")?;
        let base = server.url("base");
        inputs.server(&["migrate", "--database", &base])?;
        inputs.import_catalogue(&base)?;
        let site = Databases { inputs, server };
        site.import()?;
        site.copy_rows("TO", "imported")?;
        Ok(site)
    }

    /// Copies the rows between a database and a file for each table, in PostgreSQL's binary form.
    fn copy_rows(&self, direction: &str, database: &str) -> io::Result<()> {
        for table in TABLES {
            let file = self.server.file(table).display().to_string();
            let sql = format!("COPY {table} {direction} '{file}' (FORMAT binary)");
            self.server.say(database, &sql)?;
        }
        Ok(())
    }
}

impl Site for Databases<'_> {
    fn name(&self) -> String {
        self.server.version().unwrap_or_default()
    }

    fn import(&self) -> io::Result<Import> {
        self.server.copy("base", "imported")?;
        self.inputs.import(&self.server.url("imported"))
    }

    fn bulk(&self) -> io::Result<f64> {
        self.server.copy("base", "bulk")?;
        let start = Instant::now();
        self.copy_rows("FROM", "bulk")?;
        Ok(start.elapsed().as_secs_f64())
    }

    fn verify(&self) -> io::Result<()> {
        self.inputs.verify(&self.server.url("imported"))
    }
}
