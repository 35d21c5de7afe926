//! A server with partners: projects with a config and a webhook each. Their receivers are a process of the bench, and
//! speak TLS: a server that is no demo sends to nothing else.

mod database;
mod feed;

use super::load;
use super::server_programs::Programs;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{fs, io, thread};
use workspace::Server;

pub(crate) use database::Database;
pub(crate) use feed::{Donations, follow};

/// The key that encrypts the secrets of webhooks: 32 bytes in base64.
const KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/// A closed port on the loopback interface.
const NOBODY: u16 = 1;

/// Since when nothing must have come to say that nothing comes: longer than the turns of a server that was killed.
const STALLED: Duration = Duration::from_secs(120);

/// A server, its partners and their receivers.
pub(crate) struct Partners<'a> {
    programs: &'a Programs,
    work: PathBuf,
    pub(crate) database: Database,
    pub(crate) server: Server,
    receivers: Server,
    keys: Vec<String>,
    configs: Vec<String>,
}

/// Quantiles of waits, in milliseconds.
#[derive(Clone, Copy, Default)]
pub(crate) struct Waits {
    pub(crate) p50: u64,
    pub(crate) p99: u64,
}

impl<'a> Partners<'a> {
    /// Starts a server with so many partners, of whose receivers the first are dead: nobody listens, or nobody answers.
    ///
    /// # Errors
    /// When something does not start, or the server refuses a partner.
    pub(crate) fn start(
        programs: &'a Programs,
        work: PathBuf,
        database: Database,
        (count, dead): (usize, usize),
    ) -> io::Result<Partners<'a>> {
        fs::write(work.join("webhook-keys"), KEY)?;
        let keys = programs.customers_in(&database.location(), count)?;
        let receivers = programs.receivers(&work.join("receivers.pem"))?;
        let mut partners = Partners {
            server: serve(programs, &work, &database)?,
            programs,
            work,
            database,
            receivers,
            keys,
            configs: Vec::new(),
        };
        partners.join(dead)?;
        Ok(partners)
    }

    /// Gives each partner a config and a webhook.
    fn join(&mut self, dead: usize) -> io::Result<()> {
        let found = self.ask("GET", "/charities?limit=1", 0, None)?;
        let charity = found.pointer("/response/0/id").cloned();
        let config = json!({ "charityBeneficiaries": [{ "charityId": charity, "weight": 1 }] });
        for partner in 0..self.keys.len() {
            let port = match partner < dead && partner % 2 == 0 {
                true => NOBODY,
                false => self.receivers.port,
            };
            let path = if partner < dead { "silent" } else { "hooks" };
            let url = format!("https://127.0.0.1:{port}/{path}/{partner}");
            let webhook = json!({ "url": url, "events": ["donation.recorded"] });
            self.ask("POST", "/webhooks", partner, Some(&webhook))?;
            let made = self.ask("POST", "/configs", partner, Some(&config))?;
            let id = made.pointer("/id/hex").and_then(Value::as_str);
            let id = id.ok_or_else(|| io::Error::other("a config has no id"))?;
            self.configs.push(id.to_owned());
        }
        Ok(())
    }

    /// The API's answer to a request of a partner.
    ///
    /// # Errors
    /// When it is an error.
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        partner: usize,
        body: Option<&Value>,
    ) -> io::Result<Value> {
        let key = self.keys.get(partner).map_or("", String::as_str);
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{method} /api/v1{path} HTTP/1.1\r\nhost: localhost\r\nservice-api-key: {key}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut stream = TcpStream::connect(("127.0.0.1", self.server.port))?;
        let mut answer = Vec::new();
        load::exchange(&mut stream, request.as_bytes(), "HTTP/1.1 20", &mut answer)?;
        let end = answer.windows(4).position(|end| end == b"\r\n\r\n");
        let body = end.and_then(|end| answer.get(end + 4..));
        Ok(serde_json::from_slice(body.unwrap_or_default())?)
    }

    /// Donations to their configs, in turn.
    ///
    /// # Errors
    /// When there is no line to make them like.
    pub(crate) fn donations(&self) -> io::Result<Donations> {
        let file = |name| self.work.join(name).display().to_string();
        let (catalogue, line) = (file("catalogue.ndjson"), file("donation.ndjson"));
        self.programs
            .inside(&["donations", "1", "0", &catalogue, &line])?;
        let line = serde_json::from_str(&fs::read_to_string(line)?)?;
        Ok(Donations::new(line, self.configs.clone()))
    }

    /// The path of a partner's config, below the API's.
    pub(crate) fn config(&self, partner: usize) -> String {
        let id = self.configs.get(partner).map_or("", String::as_str);
        format!("/configs/{id}")
    }

    /// Kills the server as a power cut would, and starts it again.
    ///
    /// # Errors
    /// When it does not start.
    pub(crate) fn kill_and_restart(&mut self) -> io::Result<()> {
        self.server.signal("KILL")?;
        self.server = serve(self.programs, &self.work, &self.database)?;
        Ok(())
    }

    /// Waits until so many events have come, or none comes any more; how many have.
    ///
    /// # Errors
    /// When the receivers do not answer.
    pub(crate) fn wait_for(&self, count: u64) -> io::Result<u64> {
        let (mut before, mut since) = (0, Instant::now());
        loop {
            let came = self.came("events")?;
            if came >= count || came == before && since.elapsed() > STALLED {
                return Ok(came);
            }
            if came > before {
                (before, since) = (came, Instant::now());
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// How many `events` have come, or requests that `repeated` one.
    ///
    /// # Errors
    /// When the receivers do not answer.
    pub(crate) fn came(&self, what: &str) -> io::Result<u64> {
        Ok(self.receivers.metric(what)? as u64)
    }

    /// How long events were on their way since this was asked for last: since they were recorded, and since their
    /// lines were written.
    ///
    /// # Errors
    /// When the receivers do not answer.
    pub(crate) fn waits(&self) -> io::Result<[Waits; 2]> {
        let told: Value = serde_json::from_str(&self.receivers.operators("/waits")?)?;
        let figure = |of: &str, place| told.pointer(&format!("/{of}/{place}"))?.as_u64();
        Ok(["event", "line"].map(|of| Waits {
            p50: figure(of, 0).unwrap_or_default(),
            p99: figure(of, 1).unwrap_or_default(),
        }))
    }
}

fn serve(programs: &Programs, work: &std::path::Path, database: &Database) -> io::Result<Server> {
    let keys = work.join("webhook-keys").display().to_string();
    let flags = [
        "--webhook-key-file",
        &keys,
        "--webhook-networks",
        "127.0.0.0/8",
    ];
    let trusted = work.join("receivers.pem");
    let variables = [("SSL_CERT_FILE", trusted.as_path())];
    let flags = [flags.as_slice(), &["--lift-limits"]].concat();
    programs.serve_among(database.location(), &flags, &variables)
}
