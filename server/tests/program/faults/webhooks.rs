//! Receivers of webhooks that misbehave, and senders that are lost in the middle.

use std::collections::HashSet;
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};

use super::fault::Fault;
use super::postgres::{self, block_on, network};
use super::requests::{get, key, keyed};
use crate::folder::Folder;
use crate::instances::{self, Authority, free_port};
use crate::receiver::{Receiver, Says, TAKEN};
use crate::serving::{Serving, eventually};
use crate::tls::postgres::LONG_AGO;
use crate::tls::{ROOT, authority};
use crate::wire::Answer;

/// The key that encrypts the secrets of webhooks: 32 bytes.
const KEYS: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

const FLAGS: [&str; 3] = ["--webhook-key-file", "webhook-keys", "--lift-limits"];

/// Lets requests go to this machine.
const HERE: [&str; 2] = ["--webhook-networks", "127.0.0.0/8"];

/// Ends the turns of a server that was killed, as a minute does.
const OVER: &str = "UPDATE webhook SET leased_until = 0";

/// The time that an answer of a slow receiver takes.
const SLOW: Duration = Duration::from_millis(300);

/// A folder with a database, a key of its project, and an authority of receivers.
struct Site {
    folder: Folder,
    secret: String,
    authority: Authority,
}

impl Site {
    fn of((folder, secret): (Folder, String)) -> Self {
        folder.write("webhook-keys", KEYS);
        let authority = authority(&folder);
        Self {
            folder,
            secret,
            authority,
        }
    }

    fn serve(&self, fault: &mut Fault, arguments: &[&str]) -> Serving {
        let arguments = [&FLAGS, arguments].concat();
        fault.serve_among(&self.folder, &arguments, &[("SSL_CERT_FILE", ROOT)])
    }

    fn receiver(&self, says: Says) -> Receiver {
        let certified = self.authority.certify(&["127.0.0.1", "localhost"]);
        Receiver::start(&certified, says)
    }

    /// A webhook that leads to a URL.
    fn webhook(&self, serving: &Serving, url: &str) -> Webhook {
        let wanted = json!({ "url": url, "events": ["config.created"] });
        let path = "/webhooks";
        let created = serving
            .connect()
            .ask(post(path, &self.secret, &wanted).as_bytes());
        assert_eq!(created.status, 201, "{created:?}");
        let created = created.json();
        let text = |name: &str| created[name].as_str().unwrap().to_owned();
        Webhook {
            key: self.secret.clone(),
            path: format!("/webhooks/{}", text("id")),
            secret: text("secret"),
        }
    }
}

/// A webhook, as its project uses it.
struct Webhook {
    key: String,
    path: String,
    secret: String,
}

impl Webhook {
    /// Puts so many events on their way.
    fn send(&self, serving: &Serving, count: usize) {
        let test = post(&format!("{}/test", self.path), &self.key, &Value::Null);
        for _ in 0..count {
            let sent = serving.connect().ask(test.as_bytes());
            assert_eq!(sent.status, 202, "{sent:?}");
        }
    }

    /// The list of its deliveries.
    fn deliveries(&self, of: &Serving) -> Answer {
        let path = format!("{}/deliveries?limit=100", self.path);
        of.get(&path, Some(&self.key))
    }

    /// The same, once all have arrived.
    fn delivered(&self, of: &Serving) -> Option<Answer> {
        let answer = self.deliveries(of);
        let all = answer.json()["response"].clone();
        let mut all = all.as_array().unwrap().iter();
        all.all(|it| it["status"] == "delivered").then_some(answer)
    }

    /// Replaces the secret; gives the new one.
    fn rotate(&self, serving: &Serving) -> String {
        let path = format!("{}/secret", self.path);
        let rotate = post(&path, &self.key, &Value::Null);
        let rotated = serving.connect().ask(rotate.as_bytes());
        rotated.json()["secret"].as_str().unwrap().to_owned()
    }
}

/// A POST below `/api/v1` with a body, if it is not null.
fn post(path: &str, secret: &str, body: &Value) -> String {
    let body = match body {
        Value::Null => String::new(),
        body => body.to_string(),
    };
    format!(
        "POST /api/v1{path} HTTP/1.1\r\nhost: test\r\n{}content-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        key(secret),
        body.len()
    )
}

/// Waits until so many requests have come.
#[track_caller]
fn wait(receiver: &Receiver, count: usize) {
    eventually("requests come", || {
        (receiver.received().len() >= count).then_some(())
    });
}

/// How many different events have come.
fn events(receiver: &Receiver) -> usize {
    let received = receiver.received();
    let ids: HashSet<_> = received.iter().map(|it| it.field("webhook-id")).collect();
    ids.len()
}

pub(super) fn a_webhook_that_never_answers(fault: &mut Fault) {
    let site = Site::of(keyed());
    let (slow, quick) = (site.receiver(None), site.receiver(TAKEN));
    let serving = site.serve(fault, &HERE);
    let stuck = site.webhook(&serving, &slow.url());
    stuck.send(&serving, 1);
    wait(&slow, 1);
    let other = site.webhook(&serving, &quick.url());
    other.send(&serving, 1);
    let meanwhile = "another webhook's delivery, meanwhile";
    fault.becomes(meanwhile, || other.deliveries(&serving));
    let read = get("/configs", &key(&site.secret));
    fault.request("a read with a key, meanwhile", &serving, read);
    fault.becomes("its delivery", || stuck.deliveries(&serving));
}

pub(super) fn a_webhook_on_which_nobody_listens(fault: &mut Fault) {
    let site = Site::of(keyed());
    let serving = site.serve(fault, &HERE);
    let port = free_port();
    let webhook = site.webhook(&serving, &format!("https://127.0.0.1:{port}/"));
    webhook.send(&serving, 1);
    fault.becomes("its delivery", || webhook.deliveries(&serving));
    let certified = site.authority.certify(&["127.0.0.1"]);
    let receiver = Receiver::at(port, &certified, TAKEN);
    let back = "its delivery, once somebody does";
    fault.becomes(back, || webhook.deliveries(&serving));
    assert_eq!(receiver.received().len(), 1);
}

pub(super) fn a_webhook_that_redirects(fault: &mut Fault) {
    let site = Site::of(keyed());
    let receiver = site.receiver(Some((
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n",
        "",
    )));
    let serving = site.serve(fault, &HERE);
    let webhook = site.webhook(&serving, &receiver.url());
    webhook.send(&serving, 1);
    fault.becomes("its delivery", || webhook.deliveries(&serving));
    assert_eq!(receiver.received().len(), 1, "it is followed");
}

pub(super) fn a_webhook_that_answers_with_an_error(fault: &mut Fault) {
    let site = Site::of(keyed());
    let serving = site.serve(fault, &HERE);
    let receiver = site.receiver(Some((
        "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n",
        "",
    )));
    let webhook = site.webhook(&serving, &receiver.url());
    webhook.send(&serving, 1);
    fault.becomes("its delivery, of 500", || webhook.deliveries(&serving));
    receiver.says(TAKEN);
    let again = "its delivery, once it answers 2xx";
    fault.becomes(again, || webhook.deliveries(&serving));
    let gone = "HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n";
    let receiver = site.receiver(Some((gone, "")));
    let webhook = site.webhook(&serving, &receiver.url());
    webhook.send(&serving, 1);
    fault.becomes("its delivery, of 410", || webhook.deliveries(&serving));
    fault.becomes("the webhook, after 410", || {
        serving.get(&webhook.path, Some(&site.secret))
    });
}

pub(super) fn a_webhook_that_leads_inside(fault: &mut Fault) {
    let site = Site::of(keyed());
    let receiver = site.receiver(TAKEN);
    let allowing = site.serve(fault, &HERE);
    let inside = format!("https://localhost:{}/", receiver.port);
    let webhook = site.webhook(&allowing, &inside);
    allowing.kill();
    let serving = site.serve(fault, &[]);
    for (asked, url) in [
        ("creating one of `https://localhost/`", "https://localhost/"),
        ("creating one of `https://10.0.0.1/`", "https://10.0.0.1/"),
        (
            "creating one of `https://169.254.169.254/`",
            "https://169.254.169.254/",
        ),
        (
            "creating one of `http://partner.example/`",
            "http://partner.example/",
        ),
    ] {
        let wanted = json!({ "url": url, "events": ["config.created"] });
        fault.request(asked, &serving, post("/webhooks", &site.secret, &wanted));
    }
    webhook.send(&serving, 1);
    let asked = "the delivery to one whose network is no longer allowed";
    fault.becomes(asked, || webhook.deliveries(&serving));
    assert_eq!(receiver.connections(), 0);
}

pub(super) fn a_webhook_that_answers_without_end(fault: &mut Fault) {
    let site = Site::of(keyed());
    let serving = site.serve(fault, &HERE);
    for (asked, first, rest) in [
        (
            "its delivery, of a body without end",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
            "4\r\naaaa\r\n",
        ),
        (
            "its delivery, of a head without end",
            "HTTP/1.1 200 OK\r\n",
            "a: aaaaaaaaaaaaaaaa\r\n",
        ),
    ] {
        let receiver = site.receiver(Some((first, rest)));
        let webhook = site.webhook(&serving, &receiver.url());
        webhook.send(&serving, 1);
        fault.becomes(asked, || webhook.deliveries(&serving));
    }
}

pub(super) fn a_webhook_whose_certificate_is_over(fault: &mut Fault) {
    let site = Site::of(keyed());
    let serving = site.serve(fault, &HERE);
    let expired = site.authority.certify_until(&["127.0.0.1"], LONG_AGO);
    let receiver = Receiver::start(&expired, TAKEN);
    let webhook = site.webhook(&serving, &receiver.url());
    webhook.send(&serving, 1);
    fault.becomes("its delivery", || webhook.deliveries(&serving));
    assert_eq!(receiver.received().len(), 0);
}

pub(super) fn a_secret_that_is_replaced(fault: &mut Fault) {
    let site = Site::of(keyed());
    let receiver = site.receiver(TAKEN);
    let serving = site.serve(fault, &HERE);
    let webhook = site.webhook(&serving, &receiver.url());
    let second = webhook.rotate(&serving);
    webhook.send(&serving, 1);
    let asked = "a delivery, which both secrets have signed";
    fault.becomes(asked, || webhook.delivered(&serving));
    let received = receiver.received();
    let [received] = &*received else {
        panic!("{received:?}");
    };
    assert!(received.is_signed_by(&webhook.secret) && received.is_signed_by(&second));
}

pub(super) fn a_server_that_is_killed_while_it_sends(fault: &mut Fault) {
    let site = Site::of(keyed());
    let receiver = site.receiver(TAKEN);
    receiver.takes(SLOW);
    let serving = site.serve(fault, &HERE);
    let webhook = site.webhook(&serving, &receiver.url());
    webhook.send(&serving, 40);
    wait(&receiver, 4);
    serving.kill();
    let before = receiver.received().len();
    assert!(before < 40, "it was not killed in its middle");
    let db = Connection::open(site.folder.database()).unwrap();
    db.execute(OVER, []).unwrap();
    let serving = site.serve(fault, &HERE);
    let asked = "all deliveries, after a restart and when its turn is over";
    fault.becomes(asked, || webhook.delivered(&serving));
    each_came(&receiver, 40, before);
}

/// Each event has come, and none again but of those that had come before.
#[track_caller]
fn each_came(receiver: &Receiver, count: usize, before: usize) {
    assert_eq!(events(receiver), count);
    let received = receiver.received().len();
    assert!(
        received <= count + before,
        "{received} with {before} before"
    );
}

pub(super) fn a_postgresql_that_is_lost_while_webhooks_are_sent(fault: &mut Fault) {
    let Some((_instance, folder, secret)) = postgres::keyed() else {
        return fault.skip();
    };
    let (proxy, url) = network(&folder);
    let site = Site::of((folder, secret));
    let receiver = site.receiver(TAKEN);
    receiver.takes(SLOW);
    let serving = site.serve(fault, &[&HERE[..], &["--database", &url]].concat());
    let webhook = site.webhook(&serving, &receiver.url());
    webhook.send(&serving, 40);
    wait(&receiver, 4);
    proxy.break_off();
    eventually("the turn ends", || {
        serving
            .log()
            .contains("cannot record deliveries")
            .then_some(())
    });
    let before = receiver.received().len();
    assert!(before < 40, "it was not lost in its middle");
    proxy.restore();
    block_on(instances::execute(site.folder.elsewhere(), OVER));
    let asked = "all deliveries, once it answers again and the turn is over";
    fault.becomes(asked, || webhook.delivered(&serving));
    each_came(&receiver, 40, before);
}

pub(super) fn replicas_that_send_webhooks(fault: &mut Fault) {
    let Some((_instance, folder, secret)) = postgres::keyed() else {
        return fault.skip();
    };
    let site = Site::of((folder, secret));
    let receiver = site.receiver(TAKEN);
    receiver.takes(SLOW);
    let [killed, staying] = [(); 2].map(|()| site.serve(fault, &HERE));
    let webhooks = [(); 6].map(|()| site.webhook(&staying, &receiver.url()));
    for webhook in &webhooks {
        webhook.send(&staying, 6);
    }
    let delivered = || {
        let all = webhooks.iter().map(|it| it.delivered(&staying));
        all.collect::<Option<Vec<_>>>()?.pop()
    };
    fault.becomes("all deliveries", delivered);
    each_came(&receiver, 36, 0);

    for webhook in &webhooks {
        webhook.send(&staying, 10);
    }
    wait(&receiver, 46);
    killed.kill();
    assert!(events(&receiver) < 96, "it was not killed in its middle");
    block_on(instances::execute(site.folder.elsewhere(), OVER));
    let asked = "all deliveries, when one was killed and its turns are over";
    fault.becomes(asked, delivered);
    assert_eq!(events(&receiver), 96);
}
