//! `cargo xtask bench pages`: the size of the site's pages and the time in which the server creates them.

use super::load;
use super::record::Bench;
use super::server_programs::{Common, Programs};
use super::table::{Table, quantile};
use std::collections::BTreeSet;
use std::io;
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Instant;
use workspace::Server;

/// How many kilobytes a page may have on a first visit, with its style sheets, scripts and pictures.
const TARGET: f64 = 60.0;

/// How often each page is requested.
const REQUESTS: usize = 50;

/// The length of a project's ID.
const UUID: usize = 36;

/// The lines that a demo prints up to the operators' port.
const LINES: usize = 11;

const MEANING: &str = "\
Pages of the demo, signed in as its developer. *HTML* is the page itself and *first visit* adds its style sheets, scripts \
and pictures, all in kB as sent to a browser that accepts gzip; signed-in pages are never compressed. *p50* is the time \
until the whole page is there, requested repeatedly on one connection.";

const PUBLIC: [(&str, &str); 8] = [
    ("Start page", "/"),
    ("Charities", "/charities"),
    ("Charity", "/charities/fictional-little-harbour"),
    ("Status", "/status"),
    ("Quick start", "/docs/guides/quick-start"),
    ("Reference", "/docs/reference"),
    ("Operation", "/docs/reference/charities.list"),
    ("Search", "/docs/search?q=rate+limit"),
];

/// The pages of a project.
const OF_PROJECT: [(&str, &str); 7] = [
    ("Project overview", ""),
    ("Keys", "/keys"),
    ("Configs", "/configs"),
    ("Webhooks", "/webhooks"),
    ("Requests", "/requests"),
    ("Usage", "/usage"),
    ("Audit log", "/audit"),
];

/// The arguments of `bench pages`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
}

/// Measures; whether the target is met.
///
/// # Errors
/// When the programs cannot be built or run, or a page is missing.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let programs = Programs::get(&arguments.common)?;
    let work = tempfile::tempdir()?;
    let mut demo = Command::new(&programs.server);
    demo.args(["serve", "--demo", "--lift-limits", "--log", "warn"]);
    demo.args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    demo.arg("--database").arg(work.path().join("demo.db"));
    let server = Server::launch(demo.stderr(Stdio::piped()), LINES)?;
    let mut browser = Browser::new(&server)?;
    let mut table = Table::new(&["page", "HTML kB", "first visit kB", "p50 ms"]);
    let mut largest = 0.0_f64;
    let mut measure = |browser: &mut Browser, name: &str, path: &str| -> io::Result<()> {
        let measured = browser.measure(path)?;
        largest = largest.max(measured.first_visit);
        table.row(vec![
            name.to_owned(),
            format!("{:.1}", measured.html),
            format!("{:.1}", measured.first_visit),
            format!("{:.2}", measured.milliseconds),
        ]);
        Ok(())
    };
    for (name, path) in PUBLIC {
        measure(&mut browser, name, path)?;
    }
    let project = browser.sign_in()?;
    for (name, page) in OF_PROJECT {
        measure(&mut browser, name, &format!("{project}{page}"))?;
    }
    let is_met = largest <= TARGET;
    let verdict = if is_met { "met" } else { "missed" };
    let target = format!("target: a first visit of at most {TARGET} kB: {verdict}");
    let common = &arguments.common;
    common.tell(Bench::Pages, &[&table], &target, MEANING)?;
    Ok(is_met)
}

struct Measured {
    html: f64,
    first_visit: f64,
    milliseconds: f64,
}

/// A connection to a demo, as a browser uses it.
struct Browser {
    stream: TcpStream,
    /// The name under which the demo's dashboard is reached.
    host: String,
    cookies: String,
}

impl Browser {
    fn new(server: &Server) -> io::Result<Browser> {
        let stream = TcpStream::connect(("127.0.0.1", server.port))?;
        stream.set_nodelay(true)?;
        Ok(Browser {
            stream,
            host: format!("localhost:{}", server.port),
            cookies: String::new(),
        })
    }

    /// A response with this status, as it is sent.
    fn send(&mut self, method: &str, path: &str, rest: &str, status: &str) -> io::Result<Vec<u8>> {
        let Browser { host, cookies, .. } = self;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\naccept: text/html\r\ncookie: {cookies}\r\n{rest}"
        );
        let mut response = Vec::new();
        let start = format!("HTTP/1.1 {status}");
        load::exchange(&mut self.stream, request.as_bytes(), &start, &mut response)?;
        Ok(response)
    }

    fn get(&mut self, path: &str) -> io::Result<String> {
        let response = self.send("GET", path, "\r\n", "200")?;
        Ok(String::from_utf8_lossy(&response).into_owned())
    }

    /// Kilobytes of the body at a path, compressed if the server compresses it.
    fn kilobytes(&mut self, path: &str) -> io::Result<f64> {
        let response = self.send("GET", path, "accept-encoding: gzip\r\n\r\n", "200")?;
        let head = response.windows(4).position(|end| end == b"\r\n\r\n");
        let body = response.len() - head.map_or(0, |head| head + 4);
        Ok(body as f64 / 1000.0)
    }

    fn measure(&mut self, path: &str) -> io::Result<Measured> {
        let page = self.get(path)?;
        let html = self.kilobytes(path)?;
        let mut first_visit = html;
        for asset in assets(&page) {
            first_visit += self.kilobytes(&asset)?;
        }
        let mut times = Vec::new();
        for _ in 0..REQUESTS {
            let began = Instant::now();
            self.kilobytes(path)?;
            times.push(began.elapsed().as_secs_f64() * 1e3);
        }
        Ok(Measured {
            html,
            first_visit,
            milliseconds: quantile(&times, 50),
        })
    }

    /// Signs in as the demo's developer; the path of the first project.
    fn sign_in(&mut self) -> io::Result<String> {
        let form = "part=developer";
        let rest = format!(
            "origin: http://{}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
            self.host,
            form.len()
        );
        let response = self.send("POST", "/dashboard/sign-in/demo", &rest, "303")?;
        let response = String::from_utf8_lossy(&response).into_owned();
        let cookies = response.lines().filter_map(|line| {
            let cookie = line.strip_prefix("set-cookie: ")?;
            cookie.split(';').next()
        });
        self.cookies = cookies.collect::<Vec<_>>().join("; ");
        let projects = self.get("/dashboard/projects")?;
        let mut ids = projects.split("/dashboard/projects/").skip(1).map(|rest| {
            let end = rest.find(|c: char| c != '-' && !c.is_ascii_hexdigit());
            rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
        });
        let id = ids.find(|id| id.len() == UUID);
        let id = id.ok_or_else(|| io::Error::other("the demo's developer has no project"))?;
        Ok(format!("/dashboard/projects/{id}"))
    }
}

/// The paths of the files that a page loads.
fn assets(page: &str) -> BTreeSet<String> {
    let links = page.split("assets/").skip(1);
    let ends = links.filter_map(|rest| rest.split(['"', '\'', ' ', '<']).next());
    ends.filter(|end| end.contains("?v=") && !end.contains("apple-touch-icon"))
        .map(|end| format!("/assets/{end}"))
        .collect()
}
