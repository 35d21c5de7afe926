//! Databases with one leaderboard each, of few donations and of many.

use crate::postgres::Postgres;
use crate::server_programs::{Programs, remove};
use std::io;
use std::path::PathBuf;

/// The two databases of a store: few donations, many.
pub(super) trait Boards {
    fn name(&self) -> String;

    fn locations(&self) -> [String; 2];

    /// The number of rows read of indexes and tables, if the database reports it.
    fn rows_read(&self) -> io::Result<Option<[u64; 2]>>;
}

/// Makes them.
pub(super) struct Maker {
    pub(super) programs: Programs,
    pub(super) work: PathBuf,
    /// How many donations there are: few, many.
    pub(super) donations: [usize; 2],
    pub(super) tokens: usize,
}

const NAMES: [&str; 2] = ["few", "many"];

impl Maker {
    /// Writes the import files.
    pub(super) fn write(&self) -> io::Result<()> {
        let tokens = self.tokens.to_string();
        for (name, donations) in NAMES.into_iter().zip(self.donations) {
            let [catalogue, file] = self.files(name);
            let donations = donations.to_string();
            let arguments = ["donations", &donations, &tokens, &catalogue, &file];
            self.programs.inside(&arguments)?;
        }
        Ok(())
    }

    fn files(&self, name: &str) -> [String; 2] {
        ["catalogue", "donations"].map(|what| {
            let file = self.work.join(format!("{name}.{what}.ndjson"));
            file.display().to_string()
        })
    }

    fn fill(&self, name: &str, database: &str) -> io::Result<()> {
        eprintln!("{:>12} {name} donations into {database}", "Importing");
        let [catalogue, file] = self.files(name);
        let import = ["import", &catalogue, &file, "--database", database];
        self.programs.say("donation-catalog", &import)?;
        self.programs
            .say("donation-catalog", &["verify", "--database", database])?;
        Ok(())
    }
}

/// Those of SQLite.
pub(super) struct Files([String; 2]);

impl Files {
    pub(super) fn make(maker: &Maker) -> io::Result<Files> {
        let files = NAMES.map(|name| maker.work.join(format!("{name}.db")));
        for (name, file) in NAMES.into_iter().zip(&files) {
            remove(file)?;
            maker.fill(name, &file.display().to_string())?;
        }
        Ok(Files(files.map(|file| file.display().to_string())))
    }
}

impl Boards for Files {
    fn name(&self) -> String {
        "SQLite".to_owned()
    }

    fn locations(&self) -> [String; 2] {
        self.0.clone()
    }

    fn rows_read(&self) -> io::Result<Option<[u64; 2]>> {
        Ok(None)
    }
}

/// Those of PostgreSQL.
pub(super) struct Shared {
    server: Postgres,
    name: String,
}

impl Shared {
    pub(super) fn make(maker: &Maker) -> io::Result<Shared> {
        let server = Postgres::start()?;
        for name in NAMES {
            server.copy("template1", name)?;
            let url = server.url(name);
            maker
                .programs
                .say("donation-catalog", &["migrate", "--database", &url])?;
            maker.fill(name, &url)?;
            server.say(name, "VACUUM (ANALYZE)")?;
        }
        let name = server.version()?;
        Ok(Shared { server, name })
    }

    fn rows_of(&self, database: &str) -> io::Result<u64> {
        let sql = "SELECT sum(idx_tup_read) FROM pg_stat_user_indexes
                   UNION ALL SELECT sum(idx_tup_fetch) + sum(seq_tup_read) FROM pg_stat_user_tables";
        let said = self.server.say(database, sql)?;
        let figures = said.lines().map(|line| line.parse::<u64>());
        let figures: Result<Vec<u64>, _> = figures.collect();
        Ok(figures.map_err(io::Error::other)?.iter().sum())
    }
}

impl Boards for Shared {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn locations(&self) -> [String; 2] {
        NAMES.map(|name| self.server.url(name))
    }

    fn rows_read(&self) -> io::Result<Option<[u64; 2]>> {
        let [few, many] = NAMES;
        Ok(Some([self.rows_of(few)?, self.rows_of(many)?]))
    }
}
