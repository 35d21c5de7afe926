//! Webhooks in the dashboard: created, tested, rotated, switched off, deleted.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpListener};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::browser::{Browser, between, of_id};
use super::{database, demo};
use crate::folder::Folder;
use crate::instances::free_port;
use crate::serving::followed;

/// A URL of this machine on which nobody listens.
fn dead_url() -> String {
    format!("http://127.0.0.1:{}/hooks", free_port())
}

/// Accepts the deliveries to a [`dead_url`] from now on.
fn accept_deliveries(url: &str) {
    let (_, address) = url.split_once("//").unwrap();
    let listener = TcpListener::bind(address.trim_end_matches("/hooks")).unwrap();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
            let _ = stream.shutdown(Shutdown::Write);
            let _ = io::copy(&mut stream, &mut io::sink());
        }
    });
}

impl Browser<'_> {
    /// Creates a webhook of a project, and gives its path and its secret.
    #[track_caller]
    pub(super) fn creates_webhook(&mut self, project: &str, url: &str) -> (String, String) {
        let root = format!("/dashboard/projects/{project}/webhooks");
        let nonce = self.nonce(&format!("{root}/new"));
        let fields = [
            ("nonce", &*nonce),
            ("url", url),
            ("description", "The ledger"),
            ("event", "config.created"),
            ("event", "key.expiring"),
        ];
        let answer = self.post(&root, &fields);
        assert_eq!(answer.status, 200, "{answer:?}");
        (format!("{root}/{nonce}"), secret(&answer.body))
    }
}

/// The secret that a page shows.
#[track_caller]
fn secret(page: &str) -> String {
    let of_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    format!("whsec_{}", between(page, "<code>whsec_", of_base64))
}

#[test]
fn a_webhook_is_created_tested_changed_and_deleted() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let root = format!("/dashboard/projects/{project}/webhooks");
    assert!(browser.page(&root).contains("Create the first webhook"));
    let url = dead_url();
    let (webhook, _) = browser.creates_webhook(&project, &url);
    let list = browser.page(&root);
    assert!(list.contains("The ledger") && list.contains(&url), "{list}");
    assert!(list.contains("config.created, key.expiring"), "{list}");

    let sent = browser.post(&format!("{webhook}/test"), &[]);
    let told = format!("{webhook}?notice=delivery-sent");
    assert_eq!(sent.header("location"), Some(&*told));
    assert!(browser.page(&told).contains("Event queued."));
    let page = followed("the attempt is told", || {
        let page = browser.page(&webhook);
        // The attempt is stored before the state of the webhook.
        page.contains(">failing</span>").then_some(page)
    });
    assert!(page.contains("webhook.test"), "{page}");
    assert!(page.contains("retrying"), "{page}");
    let delivery = between(&page, "/deliveries/", of_id).to_owned();
    let shown = browser.page(&format!("{webhook}/deliveries/{delivery}"));
    for part in [
        "connection refused",
        " ms<",
        &url,
        "webhook-id: ",
        "webhook.test",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    // Another failed attempt could come at any time, and be seen below.
    accept_deliveries(&url);
    let again = browser.post(&format!("{webhook}/deliveries/{delivery}/redeliver"), &[]);
    let told = format!("{webhook}/deliveries/{delivery}?notice=delivery-sent");
    assert_eq!(again.header("location"), Some(&*told));
    followed("it is delivered", || {
        let page = browser.page(&webhook);
        page.contains(">delivered</span>").then_some(())
    });
    let shown = browser.page(&format!("{webhook}/deliveries/{delivery}"));
    assert!(shown.contains(">204</span>"), "{shown}");
    assert!(shown.contains("The last response had no body"), "{shown}");
    let sample = [("event", "config.created")];
    browser.post(&format!("{webhook}/test"), &sample);
    followed("a sample of another type is delivered", || {
        let page = browser.page(&webhook);
        let sample = page
            .split("<tr")
            .find(|row| row.contains(">config.created</a>"))?;
        sample.contains(">delivered</span>").then_some(())
    });

    let fields = [
        ("url", &*url),
        ("description", ""),
        ("event", "config.deleted"),
    ];
    let changed = browser.post(&format!("{webhook}/edit"), &fields);
    assert_eq!(changed.header("location"), Some(&*webhook), "{changed:?}");
    for (what, shown) in [
        ("disable", "This webhook is disabled."),
        ("enable", ">enabled</span>"),
    ] {
        let answer = browser.post(&format!("{webhook}/{what}"), &[]);
        assert_eq!(answer.header("location"), Some(&*webhook), "{answer:?}");
        let page = browser.page(&webhook);
        assert!(page.contains(shown), "{what}: {page}");
        assert!(page.contains("<code>config.deleted</code>"), "{page}");
    }
    let asked = browser.page(&format!("{webhook}/delete"));
    assert!(asked.contains(&url), "{asked}");
    let page = browser.page_after(&format!("{webhook}/delete"), &[]);
    assert!(page.contains("Webhook deleted."), "{page}");
    assert_eq!(browser.get(&webhook).status, 404);
    let log = browser.page(&format!("/dashboard/projects/{project}/audit"));
    for what in ["Created", "Changed", "Disabled", "Enabled", "Deleted"] {
        let told = format!("{what} the webhook {url}");
        assert_eq!(log.matches(&told).count(), 1, "{told}: {log}");
    }
}

#[test]
fn a_form_of_a_webhook_says_what_is_wrong() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let root = format!("/dashboard/projects/{project}/webhooks");
    let (webhook, _) = browser.creates_webhook(&project, "https://partner.example/hooks");
    let event = ("event", "config.created");
    let long = "x".repeat(201);
    let good = ("url", "https://partner.example/hooks");
    for (fields, said) in [
        (vec![("url", "x"), event], "The URL must be a URL"),
        (
            vec![("url", "http://partner.example/"), event],
            "an https URL",
        ),
        (
            vec![("url", "https://10.0.0.1/"), event],
            "a public internet address",
        ),
        (vec![good], "Choose at least one event."),
        (
            vec![good, event, ("description", &long)],
            "Use at most 200 characters.",
        ),
    ] {
        for path in [root.clone(), format!("{webhook}/edit")] {
            let answer = browser.post(&path, &fields);
            assert_eq!(answer.status, 422, "{path} {fields:?}: {answer:?}");
            assert!(answer.body.contains(said), "{path} {said}: {answer:?}");
        }
    }
    for _ in 1..10 {
        browser.creates_webhook(&project, "https://partner.example/hooks");
    }
    let above = browser.post(&root, &[good, event]);
    assert_eq!(above.status, 422, "{above:?}");
    assert!(
        above
            .body
            .contains("The project has reached its limit of 10 webhooks."),
        "{above:?}"
    );
}

#[test]
fn the_secret_of_a_webhook_is_shown_once_and_replaced_once() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let root = format!("/dashboard/projects/{project}/webhooks");
    let (webhook, first) = browser.creates_webhook(&project, "https://partner.example/hooks");
    let nonce = webhook.rsplit('/').next().unwrap();
    let url = ("url", "https://partner.example/hooks");
    let again = browser.post(&root, &[("nonce", nonce), url, ("event", "config.created")]);
    assert_eq!(again.status, 409, "{again:?}");
    assert!(
        again.body.contains(&format!("href=\"{webhook}\"")),
        "{again:?}"
    );

    let rotate = format!("{webhook}/rotate");
    let asked = browser.page(&rotate);
    let since = between(&asked, "name=\"since\" value=\"", |c| c.is_ascii_digit());
    let answer = browser.post(&rotate, &[("since", since)]);
    assert_eq!(answer.status, 200, "{answer:?}");
    let second = secret(&answer.body);
    assert_ne!(first, second);
    let again = browser.post(&rotate, &[("since", since)]);
    assert_eq!(again.status, 409, "{again:?}");
    assert!(!again.body.contains("whsec_"), "{again:?}");
    let page = browser.page(&webhook);
    assert!(page.contains("Still signs requests until"), "{page}");
    assert!(
        browser
            .page(&rotate)
            .contains("You already rotated this secret.")
    );
    for path in [&*root, &webhook, &format!("{webhook}/edit"), &rotate] {
        assert!(!browser.page(path).contains("whsec_"), "{path}");
    }
    for secret in [first, second] {
        assert!(!serving.log().contains(&secret));
    }
}

#[test]
fn a_page_says_why_a_webhook_was_switched_off() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of(&serving, "ada@example.org");
    let project = browser.makes_project("A wallet");
    let (webhook, _) = browser.creates_webhook(&project, &dead_url());
    let days = Duration::from_secs(4 * 24 * 3600);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() - days;
    let since = i64::try_from(since.as_millis()).unwrap();
    let stored = database(&folder);
    stored
        .execute(
            "UPDATE webhook SET failing_since = ?1 WHERE enabled",
            [since],
        )
        .unwrap();
    browser.post(&format!("{webhook}/test"), &[]);
    let page = followed("it is switched off", || {
        let page = browser.page(&webhook);
        page.contains("We disabled this webhook.").then_some(page)
    });
    assert!(
        page.contains("No request has succeeded since <time"),
        "{page}"
    );
    let mails = Browser::new(&serving).page("/dashboard/demo/mail");
    assert!(
        mails.contains(&webhook),
        "the mail leads to the page: {mails}"
    );
    let log = browser.page(&format!("/dashboard/projects/{project}/audit"));
    assert!(log.contains("Disabled the webhook"), "{log}");
    assert!(log.contains("This service</td>"), "{log}");
    browser.post(&format!("{webhook}/enable"), &[]);
    assert!(!browser.page(&webhook).contains("We disabled this webhook"));
}
