//! A rolling upgrade of two servers behind the printed configuration of nginx.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

use tempfile::TempDir;

use super::commands::installation;
use super::machine::{Machine, blocks};
use crate::faults::requests::config;
use crate::instances::{Authority, Instance, free_port};
use crate::postgres::unmigrated;
use crate::serving::eventually;
use crate::sharing::redis::RedisServer;
use crate::wire::Wire;
use crate::world::{PROJECT, catalogue, text};

/// An nginx with the printed configuration before two servers. It is stopped when it is dropped.
struct Nginx {
    process: Child,
    address: SocketAddr,
    _folder: TempDir,
}

impl Nginx {
    fn before(machines: &[Machine; 2]) -> Nginx {
        let folder = tempfile::tempdir().unwrap();
        let certified = Authority::new().certify(&["api.example.org"]);
        let path = |name: &str| folder.path().join(name).display().to_string();
        fs::write(path("pem"), certified.certificate).unwrap();
        fs::write(path("key"), certified.key).unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()));
        let [site] = blocks("Proxy", "nginx")[..] else {
            panic!("one block");
        };
        let mut site = site.to_owned();
        for (example, here) in [
            ("10.0.0.11:8080", machines[0].api.to_string()),
            ("10.0.0.12:8080", machines[1].api.to_string()),
            ("443 ssl", address.to_string()),
            ("/etc/ssl/api.example.org.pem", path("pem")),
            ("/etc/ssl/private/api.example.org.key", path("key")),
        ] {
            assert!(site.contains(example), "{example}");
            site = site.replace(example, &here);
        }
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let temporary = temporary
            .map(|of| format!("{of}_temp_path {};\n", path(of)))
            .concat();
        let main = format!(
            "daemon off; pid {}; error_log {}; worker_processes 1;\nevents {{ worker_connections 1024; }}\n\
             http {{ access_log off;\n{temporary}{site}\n}}\n",
            path("pid"),
            path("error.log"),
        );
        fs::write(path("nginx.conf"), main).unwrap();
        let mut command = Command::new("nginx");
        command.args(["-c", &path("nginx.conf"), "-e", &path("error.log")]);
        let process = command.stdin(Stdio::null()).spawn().unwrap();
        let nginx = Nginx {
            process,
            address,
            _folder: folder,
        };
        eventually("nginx listens", || Wire::try_connect(address).ok());
        nginx
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .arg(self.process.id().to_string())
            .status();
        let _ = self.process.wait();
    }
}

/// Counts of responses of 2xx, and what else happened.
#[derive(Default)]
struct Load {
    stop: AtomicBool,
    served: AtomicU32,
    lost: std::sync::Mutex<Vec<String>>,
}

impl Load {
    /// Sends a request again and again, twenty on a connection.
    fn repeat(&self, to: SocketAddr, request: &str) {
        while !self.stop.load(Ordering::Relaxed) {
            let mut wire = Wire::connect(to);
            for _ in 0..20 {
                match wire.try_ask(request.as_bytes()) {
                    Some(answer) if (200..300).contains(&answer.status) => {
                        self.served.fetch_add(1, Ordering::Relaxed);
                    }
                    other => {
                        self.lost.lock().unwrap().push(format!("{other:?}"));
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn a_rolling_upgrade_behind_nginx_loses_no_request() {
    if !installed::present(&["nginx"], &[]) {
        return;
    }
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let Some(instance) = Instance::start() else {
        return;
    };
    let url = format!(
        "{}?sslmode=disable&application_name=catalog",
        unmigrated(&instance)
    );
    let secrets = format!("CATALOG_DATABASE={url}\nCATALOG_REDIS={}", redis.url());
    let settings = "migrate = true\nreplicas = 2\ndrain-delay = \"6s\"\nlift-limits = true\n\
                    quota-pro = 1000000\ntrusted-proxies = [\"127.0.0.1\"]";
    let (install, catalog, _) = installation();
    let machines = [(); 2].map(|()| {
        let machine = Machine::new(settings, &secrets);
        machine.run(&[install]);
        machine.ready();
        machine
    });
    fs::write(
        machines[0].path().join("catalogue.ndjson"),
        text(&catalogue()),
    )
    .unwrap();
    let issue = format!("catalog key issue --project {PROJECT}");
    machines[0].run(&[catalog, "catalog import catalogue.ndjson"]);
    let key = machines[0].run(&[catalog, &issue]).trim().to_owned();
    let nginx = Nginx::before(&machines);
    is_named_by_its_own_address(&machines, &nginx);

    let host = "host: api.example.org\r\n";
    let body = config();
    let get = format!("GET /api/v1/charities HTTP/1.1\r\n{host}\r\n");
    let post = format!(
        "POST /api/v1/configs HTTP/1.1\r\n{host}service-api-key: {key}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    eventually("every server knows the catalogue", || {
        let known = machines.iter().all(|machine| {
            machine.get("/configs", &key).status == 200
                && machine
                    .get("/charities", &key)
                    .body
                    .contains(crate::world::CHARITY)
        });
        known.then_some(())
    });
    let load = Load::default();
    thread::scope(|scope| {
        for request in [&get, &get, &post, &post] {
            scope.spawn(|| load.repeat(nginx.address, request));
        }
        for machine in &machines {
            machine.run(&blocks("Upgrade", "sh"));
        }
        load.stop.store(true, Ordering::Relaxed);
    });
    let lost = load.lost.into_inner().unwrap();
    let served = load.served.into_inner();
    assert!(
        lost.is_empty(),
        "{} of {served} requests: {:?}",
        lost.len(),
        lost.first()
    );
    assert!(served > 500, "{served} requests");
    eprintln!("{served} requests served");
}

/// The command that tries a proxy, sent from another address than the proxy's.
fn is_named_by_its_own_address(machines: &[Machine; 2], nginx: &Nginx) {
    let [command] = blocks("Proxy", "sh")[..] else {
        panic!("one block");
    };
    let elsewhere = Ipv4Addr::new(127, 0, 0, 9);
    let here = format!("http://{}", nginx.address);
    let command = command.replace("https://api.example.org", &here);
    let command = command.replace(
        "curl ",
        &format!("curl --silent --fail --interface {elsewhere} "),
    );
    machines[0].run(&[&command]);
    eventually("the request is logged", || {
        let log = machines.each_ref().map(Machine::log).concat();
        assert!(!log.contains("192.0.2.1"), "{log}");
        log.contains(&elsewhere.to_string()).then_some(())
    });
}
