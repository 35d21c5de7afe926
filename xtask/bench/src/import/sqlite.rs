//! An import into SQLite, compared with a prepared INSERT of the same rows.

use super::{Import, Inputs, Site};
use crate::server_programs::remove;
use std::path::Path;
use std::{fs, io};

/// How many rows the bulk insert puts into a transaction: as many as the import does.
const BATCH: usize = 2000;

pub(super) struct Sqlite<'a> {
    inputs: &'a Inputs,
    /// The database with the catalogue and no donations.
    base: String,
    imported: String,
    bulk: String,
}

impl<'a> Sqlite<'a> {
    /// Imports the catalogue, and the donations once: the bulk insert takes its rows from there.
    pub(super) fn prepare(inputs: &'a Inputs, work: &Path) -> io::Result<Sqlite<'a>> {
        let file = |name| work.join(name).display().to_string();
        let site = Sqlite {
            inputs,
            base: file("base.db"),
            imported: file("imported.db"),
            bulk: file("bulk.db"),
        };
        remove(site.base.as_ref())?;
        inputs.import_catalogue(&site.base)?;
        site.import()?;
        Ok(site)
    }

    fn begin(&self, database: &str) -> io::Result<()> {
        remove(database.as_ref())?;
        fs::copy(&self.base, database)?;
        Ok(())
    }
}

impl Site for Sqlite<'_> {
    fn name(&self) -> String {
        "SQLite".to_owned()
    }

    fn import(&self) -> io::Result<Import> {
        self.begin(&self.imported)?;
        self.inputs.import(&self.imported)
    }

    fn bulk(&self) -> io::Result<f64> {
        self.begin(&self.bulk)?;
        let arguments = [&*self.imported, &self.bulk, &BATCH.to_string()];
        let said = self.inputs.programs.say("bulk", &arguments)?;
        said.trim().parse().map_err(io::Error::other)
    }

    fn verify(&self) -> io::Result<()> {
        self.inputs.verify(&self.imported)
    }
}
