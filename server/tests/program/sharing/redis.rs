//! A Redis of the test's own.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::folder::Folder;
use crate::instances::{Certified, free_port};
use crate::serving::eventually;

/// A Redis on a free port, without persistence. It is killed when it is dropped.
pub(crate) struct RedisServer {
    child: Child,
    pub(crate) port: u16,
}

impl RedisServer {
    /// `None`, said loudly, where Redis is not installed.
    #[track_caller]
    pub(crate) fn start() -> Option<Self> {
        installed::present(&["redis-server"], &[]).then(|| Self::on(free_port(), &[]))
    }

    /// A Redis that also accepts TLS on `port`. Its certificate is in its folder.
    #[track_caller]
    pub(crate) fn encrypted(folder: &Folder, certified: &Certified) -> Option<(Self, u16)> {
        if !installed::present(&["redis-server"], &[]) {
            return None;
        }
        let path = |name, text| folder.path().join(folder.write(name, text));
        let certificate = path("redis.crt", &certified.certificate);
        let key = path("redis.key", &certified.key);
        let port = free_port();
        let tls = [
            ["--tls-port", &port.to_string()],
            ["--tls-cert-file", certificate.to_str().unwrap()],
            ["--tls-key-file", key.to_str().unwrap()],
            ["--tls-ca-cert-file", certificate.to_str().unwrap()],
            ["--tls-auth-clients", "no"],
        ];
        Some((Self::on(free_port(), tls.as_flattened()), port))
    }

    fn on(port: u16, arguments: &[&str]) -> Self {
        let mut command = Command::new("redis-server");
        command.args(arguments);
        command.args(["--bind", "127.0.0.1", "--port", &port.to_string()]);
        command.args(["--save", "", "--appendonly", "no", "--daemonize", "no"]);
        let child = command.stdout(Stdio::null()).spawn().unwrap();
        let server = Self { child, port };
        server.is_up();
        server
    }

    fn is_up(&self) {
        eventually("Redis is up", || self.try_ask::<String>(&["PING"]).ok());
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub(crate) fn ask<T: redis::FromRedisValue>(&self, words: &[&str]) -> T {
        self.try_ask(words).unwrap()
    }

    fn try_ask<T: redis::FromRedisValue>(&self, words: &[&str]) -> redis::RedisResult<T> {
        let mut connection = redis::Client::open(self.url())?.get_connection()?;
        let mut command = redis::Cmd::new();
        command.arg(words);
        command.query(&mut connection)
    }

    /// A number of the `INFO` command, such as `cmdstat_evalsha:calls`; 0 if Redis does not answer.
    pub(super) fn info(&self, section: &str, name: &str) -> u64 {
        let text: String = self.ask(&["INFO", section]);
        let value = |line: &str| {
            let rest = line.strip_prefix(name)?.trim_start_matches([':', '=']);
            rest.split(',').next()?.trim().parse().ok()
        };
        text.lines().find_map(value).unwrap_or(0)
    }

    /// Stops and continues it, with everything that it holds.
    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(status.success());
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Another one in its place.
    pub(super) fn restart(&mut self) {
        self.kill();
        let successor = Self::on(self.port, &[]);
        *self = successor;
    }

    /// Tells every admission's time from now on, as Redis records it.
    pub(super) fn admissions(&self) -> Admissions {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(b"MONITOR\r\n").unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "+OK");
        let (sender, times) = mpsc::channel();
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let words: Vec<_> = line.split('"').collect();
                if let ["RPUSH", _, key, _, time, _] = &words[1..] {
                    let _ = sender.send(((*key).to_owned(), time.parse().unwrap()));
                }
            }
        });
        Admissions { stream, times }
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The window and the time in µs of each admission.
pub(super) struct Admissions {
    stream: TcpStream,
    times: mpsc::Receiver<(String, u64)>,
}

impl Admissions {
    /// Waits for `count` of them.
    pub(super) fn take(self, count: usize) -> Vec<(String, u64)> {
        let next = || self.times.recv_timeout(Duration::from_secs(20)).unwrap();
        let times = (0..count).map(|_| next()).collect();
        self.stream.shutdown(std::net::Shutdown::Both).unwrap();
        times
    }
}
