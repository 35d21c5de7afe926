//! Attacks of strangers and of signed-in accounts on the dashboard and on search, to keep others from being served.

use std::time::{Duration, Instant};

use super::others::{Memory, Others, PAGE, metric};
use crate::dashboard::browser::Browser;
use crate::faults::fault::Fault;
use crate::folder::Folder;
use crate::serving::{Serving, serve};

/// A key of the demo, whose project may send 1000 requests a minute.
const ENTERPRISE: &str = "sk_DemoEnterpriseTierKey000000000000Z8sn1";

/// A charity of the demo.
const CHARITY: &str = "66349b89-b93d-5079-990a-dbd79157cca6";

/// The memory that unread pages of one address may take: its places at a time, and the buffers of connections.
const HELD: usize = 64 << 20;

/// Others who use the site and, with a key of the demo, the API.
fn customers(serving: &Serving) -> Others {
    Others::read_and_write(serving, ENTERPRISE, CHARITY)
}

/// The form that asks for a mail to an address of its own, as a browser in network `from` sends it.
fn sign_in(serving: &Serving, from: &str, number: usize) -> String {
    let host = format!("localhost:{}", serving.api.port());
    let body = format!("email=n{number}%40example.org");
    format!(
        "POST /dashboard/sign-in HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n\
         x-forwarded-for: {from}\r\ncontent-type: application/x-www-form-urlencoded\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

pub(super) fn sign_ins_from_the_networks_of_a_provider(fault: &mut Fault) {
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo", "--trusted-proxies", "127.0.0.1"]);
    let customers = customers(&serving);
    let mut refused = 0;
    for number in 0..300 {
        let from = format!("2001:db8:{:x}:{:x}::1", number % 3, number);
        let asked = sign_in(&serving, &from, number);
        match serving.connect().ask(asked.as_bytes()).status {
            303 => {}
            429 => refused += 1,
            status => panic!("{status}"),
        }
    }
    assert_eq!(refused, 50, "an eighth of 2000 are the provider's");
    customers.were_served();
    let other = sign_in(&serving, "203.0.113.7", 1000);
    fault.request("somebody of another provider", &serving, other);
    let limited = metric(&serving, "dashboard_rejections_total{limit=\"mails\"}");
    assert_eq!(limited, Some(50));
}

fn new_key(nonce: &str) -> [(&'static str, &str); 3] {
    [("nonce", nonce), ("label", ""), ("expiry", "90d")]
}

pub(super) fn pages_of_an_account_that_nobody_reads(fault: &mut Fault) {
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let mut browser = Browser::of(&serving, "ada@example.org");
    let project = browser.makes_project("Many keys");
    let page = format!("/dashboard/projects/{project}/keys");
    for _ in 0..100 {
        let nonce = browser.nonce(&format!("{page}/new"));
        let answer = browser.post(&page, &new_key(&nonce));
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    let nonce = browser.nonce(&format!("{page}/new"));
    let further = browser.form(&page, &new_key(&nonce));
    fault.request("its key above the quota", &serving, further);
    let memory = Memory::before(&serving);
    let customers = customers(&serving);
    let unread: Vec<_> = (0..60)
        .map(|number| {
            let path = match number % 2 {
                0 => format!("/dashboard/projects/{project}"),
                _ => "/dashboard/account/export".to_owned(),
            };
            let mut wire = serving.connect();
            wire.send(browser.request("GET", &path, &[], "").as_bytes());
            wire
        })
        .collect();
    std::thread::sleep(Duration::from_secs(2));
    customers.were_served();
    memory.is_below(HELD, &serving);
    fault.request("another client, meanwhile", &serving, PAGE);
    drop(unread);
}

pub(super) fn changes_without_end(fault: &mut Fault) {
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let mut browser = Browser::of(&serving, "ada@example.org");
    let project = browser.makes_project("First name");
    let customers = customers(&serving);
    let path = format!("/dashboard/projects/{project}/rename");
    let renamed = (0..150).filter(|number| {
        let name = format!("Name {number}");
        browser.post(&path, &[("name", &name)]).status == 303
    });
    // Creating the project was a change, too.
    assert_eq!(renamed.count(), 119);
    let further = browser.form(&path, &[("name", "One more")]);
    fault.request("its change above the limit", &serving, further);
    let other = Browser::of(&serving, "bob@example.org");
    let page = other.request("GET", "/dashboard/projects", &[], "");
    fault.request("another account", &serving, page);
    // Another session of the account, which may have to end the first one, is not affected.
    let mut elsewhere = Browser::of(&serving, "ada@example.org");
    assert_eq!(elsewhere.post(&path, &[("name", "Mine")]).status, 303);
    // Even here it can be signed out.
    assert_eq!(browser.post("/dashboard/sign-out", &[]).status, 303);
    customers.were_served();
    let limited = metric(&serving, "dashboard_rejections_total{limit=\"changes\"}");
    assert_eq!(limited, Some(32));
}

pub(super) fn searches_without_end(fault: &mut Fault) {
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let customers = customers(&serving);
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let search = "GET /docs/search?q=rate+limit HTTP/1.1\r\nhost: test\r\n\r\n";
                let mut wire = serving.connect();
                while started.elapsed() < Duration::from_secs(2) {
                    if wire.try_send(search.repeat(20).as_bytes()).is_err() {
                        return;
                    }
                    for _ in 0..20 {
                        if !matches!(wire.try_answer(), Ok(Some(_))) {
                            return;
                        }
                    }
                }
            });
        }
    });
    customers.were_served();
    let search = "GET /docs/search?q=keys HTTP/1.1\r\nhost: test\r\n\r\n";
    fault.request("the searcher above the limit of pages", &serving, search);
    assert!(metric(&serving, "page_rejections_total") > Some(0));
}
