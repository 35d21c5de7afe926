//! The two deployments that the operators' page describes: one machine, and replicas.

use super::redis::Redis;
use crate::postgres::Postgres;
use crate::server_programs::{Programs, remove};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, io};
use workspace::Server;

/// How many customers take turns; each may make 1000 requests in any minute.
const CUSTOMERS: usize = 40;

/// The project of the demonstration that owns a partner contract.
const OWNER: &str = "d3000000-0000-4000-8000-000000000003";

/// Running servers, and all that they need.
pub(super) struct Deployment {
    pub(super) name: &'static str,
    pub(super) servers: Vec<Server>,
    /// Its database, by file or URL.
    pub(super) database: String,
    /// The keys of its customers.
    pub(super) keys: Vec<String>,
    /// The key of the owner of the partner contract.
    pub(super) owner: String,
    /// A charity that configs may give to.
    pub(super) charity: String,
    /// The file of its settings, which is reloaded.
    pub(super) settings: PathBuf,
    pub(super) postgres: Option<Mutex<Postgres>>,
    _redis: Option<Redis>,
}

impl Deployment {
    /// One server with a SQLite file.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn one_machine(programs: &Programs, work: &Path) -> io::Result<Deployment> {
        let file = work.join("soak.db");
        remove(&file)?;
        let started = Started {
            name: "one machine",
            servers: 1,
            database: file.display().to_string(),
            flags: Vec::new(),
        };
        started.deploy(programs, work, None, None)
    }

    /// Two servers that share a PostgreSQL and a Redis.
    ///
    /// # Errors
    /// When one of these is not installed, or cannot be started.
    pub(super) fn replicas(programs: &Programs, work: &Path) -> io::Result<Deployment> {
        let (postgres, redis) = (Postgres::start()?, Redis::start()?);
        postgres.copy("template1", "soak")?;
        let database = postgres.url("soak");
        programs.say("donation-catalog", &["migrate", "--database", &database])?;
        let started = Started {
            name: "two replicas",
            servers: 2,
            database,
            flags: vec!["--redis".to_owned(), redis.url()],
        };
        started.deploy(programs, work, Some(postgres), Some(redis))
    }
}

/// The differences between the two deployments.
struct Started {
    name: &'static str,
    servers: usize,
    database: String,
    flags: Vec<String>,
}

impl Started {
    fn deploy(
        self,
        programs: &Programs,
        work: &Path,
        postgres: Option<Postgres>,
        redis: Option<Redis>,
    ) -> io::Result<Deployment> {
        let keys = programs.customers_in(&self.database, CUSTOMERS)?;
        let issue = [
            "key",
            "issue",
            "--project",
            OWNER,
            "--database",
            &self.database,
        ];
        let owner = programs.say("donation-catalog", &issue)?.trim().to_owned();
        let settings = work.join(format!("{}.toml", self.name.replace(' ', "-")));
        fs::write(&settings, "")?;
        let file = settings.display().to_string();
        let mut flags = vec!["--config", &file];
        flags.extend(self.flags.iter().map(String::as_str));
        let serve = |_| programs.serve(&self.database, &flags);
        let servers = (0..self.servers).map(serve);
        let servers = servers.collect::<io::Result<Vec<Server>>>()?;
        let charity = charity(&servers)?;
        Ok(Deployment {
            name: self.name,
            servers,
            database: self.database,
            keys,
            owner,
            charity,
            settings,
            postgres: postgres.map(Mutex::new),
            _redis: redis,
        })
    }
}

/// The id of the first charity.
fn charity(servers: &[Server]) -> io::Result<String> {
    let request =
        b"GET /api/v1/charities?limit=1 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let server = servers.first().ok_or(io::ErrorKind::NotFound)?;
    let answer = String::from_utf8(server.ask(request)?).map_err(io::Error::other)?;
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let page: Value = serde_json::from_str(body)?;
    let id = page.pointer("/response/0/id").and_then(Value::as_str);
    id.map(str::to_owned)
        .ok_or_else(|| io::Error::other(answer))
}
