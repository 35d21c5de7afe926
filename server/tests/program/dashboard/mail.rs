//! Mails as a real mail server receives them, of a dashboard that is no demo.

use super::browser::Browser;
use super::smtp::SmtpServer;
use crate::folder::Folder;
use crate::instances::Instance;
use crate::postgres::unmigrated;
use crate::serving::{Serving, eventually, serve};
use crate::tls::{ROOT, authority};

const FROM: &str = "catalog@example.org";

/// A server whose dashboard sends by this mail server, with further arguments.
fn serve_by(folder: &Folder, url: &str, arguments: &[&str]) -> Serving {
    let mail = ["--dashboard", "--mail", url, "--mail-from", FROM];
    serve(folder, &[&mail[..], arguments].concat())
}

fn ask_to_sign_in(serving: &Serving, email: &str) -> u16 {
    let mut browser = Browser::new(serving);
    browser
        .post("/dashboard/sign-in", &[("email", email)])
        .status
}

/// The value of a metric without labels, or with these.
#[track_caller]
fn metric(serving: &Serving, name: &str) -> u64 {
    let metrics = serving.operators("/metrics").body;
    let line = metrics
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name}: {metrics}"))
        .parse()
        .unwrap()
}

/// Lets the time come at which the waiting mails of the outbox are due.
fn let_it_be_due(folder: &Folder) {
    change(folder, "UPDATE outbox SET next_attempt_at = 0");
}

fn change(folder: &Folder, sql: &str) {
    let db = rusqlite::Connection::open(folder.database()).unwrap();
    db.busy_timeout(std::time::Duration::from_secs(20)).unwrap();
    db.execute_batch(sql).unwrap();
}

#[test]
fn a_sign_in_is_mailed_as_text_and_html_and_its_link_signs_in() {
    let folder = Folder::new();
    let smtp = SmtpServer::plain();
    let serving = serve_by(&folder, &smtp.url(), &[]);
    let url = format!(
        "Its dashboard is at http://localhost:{}/dashboard\n",
        serving.api.port()
    );
    assert!(serving.greeting.contains(&url), "{}", serving.greeting);
    let mut browser = Browser::new(&serving);
    let form = browser.page("/dashboard/sign-in");
    assert!(!form.contains("demo"), "{form}");
    browser.post("/dashboard/sign-in", &[("email", "Ada@example.org")]);
    let mail = smtp.received(1).remove(0);
    assert_eq!((&*mail.from, &*mail.to), (FROM, "Ada@example.org"));
    assert!(!mail.is_encrypted);
    assert_eq!(
        mail.header("From"),
        "\"Donation Catalog\" <catalog@example.org>"
    );
    assert_eq!(mail.header("To"), "Ada@example.org");
    assert_eq!(mail.header("Auto-Submitted"), "auto-generated");
    assert!(mail.header("Message-ID").ends_with("@example.org>"));
    assert!(
        mail.header("Content-Type")
            .starts_with("multipart/alternative")
    );
    for part in ["Content-Type: text/plain", "Content-Type: text/html"] {
        assert_eq!(mail.text.matches(part).count(), 1, "{}", mail.text);
    }
    assert_eq!(browser.get(&mail.link()).status, 303);
    assert_eq!(browser.post("/dashboard/sign-in/confirm", &[]).status, 303);
    browser.page("/dashboard/projects");
    eventually("the metrics tell", || {
        (metric(&serving, "mail_waiting") == 0).then_some(())
    });
    assert_eq!(metric(&serving, "mail_sent_total"), 1);
    for path in ["/dashboard/demo/mail", "/dashboard/sign-in/demo"] {
        assert_eq!(browser.get(path).status, 404, "{path}");
    }
}

#[test]
fn an_address_with_more_in_it_is_refused_and_sends_nothing() {
    let folder = Folder::new();
    let smtp = SmtpServer::plain();
    let serving = serve_by(&folder, &smtp.url(), &[]);
    for email in [
        "ada@example.org\r\nBcc: eve@example.org",
        "ada@example.org>\r\nRCPT TO:<eve@example.org",
        "ada@example.org,eve@example.org",
        "\"ada\r\n\"@example.org",
    ] {
        assert_eq!(ask_to_sign_in(&serving, email), 422, "{email}");
    }
    assert_eq!(ask_to_sign_in(&serving, "bob@example.org"), 303);
    let mails = smtp.received(1);
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].to, "bob@example.org");
}

#[test]
fn mails_go_over_tls_to_the_server_that_was_named() {
    let folder = Folder::new();
    let certified = authority(&folder).certify(&["localhost"]);
    let (implicit, upgraded) = (
        SmtpServer::implicit_tls(&certified),
        SmtpServer::start_tls(&certified),
    );
    for (server, scheme) in [(&implicit, "smtps"), (&upgraded, "smtp")] {
        let url = |host| format!("{scheme}://catalog:s3%2Fcret@{host}:{}", server.port);
        let serving = serve_by(&folder, &url("localhost"), &["--mail-ca", ROOT]);
        assert_eq!(ask_to_sign_in(&serving, "ada@example.org"), 303);
        assert!(server.received(1)[0].is_encrypted, "{scheme}");
        drop(serving);
        // Its certificate is for another name, or of an unknown authority.
        for (host, arguments) in [("127.0.0.1", &["--mail-ca", ROOT][..]), ("localhost", &[])] {
            let serving = serve_by(&folder, &url(host), arguments);
            assert_eq!(ask_to_sign_in(&serving, "eve@example.org"), 303);
            eventually("the attempt fails", || {
                serving.log().contains("certificate").then_some(())
            });
            assert!(!serving.log().contains("s3/cret"), "{}", serving.log());
            drop(serving);
            change(&folder, "DELETE FROM outbox");
        }
        assert_eq!(server.mails().len(), 1, "{scheme}");
    }
}

#[test]
fn a_mail_that_is_refused_for_now_is_sent_again_and_one_that_is_refused_is_given_up() {
    let folder = Folder::new();
    let smtp = SmtpServer::plain();
    let serving = serve_by(&folder, &smtp.url(), &[]);
    smtp.refuse(&["451 4.7.1 later", "550 5.1.1 nobody"]);
    assert_eq!(ask_to_sign_in(&serving, "ada@example.org"), 303);
    eventually("it waits", || {
        (metric(&serving, "mail_failed_attempts_total") == 1).then_some(())
    });
    assert_eq!(ask_to_sign_in(&serving, "nobody@example.org"), 303);
    eventually("it is given up", || {
        let given_up = "mail_given_up_total{reason=\"refused\"}";
        (metric(&serving, given_up) == 1).then_some(())
    });
    let_it_be_due(&folder);
    assert_eq!(smtp.received(1)[0].to, "ada@example.org");
    let log = serving.log();
    assert!(log.contains("later") && log.contains("nobody"), "{log}");
    assert!(!log.contains("ada@example.org"), "{log}");
}

#[test]
fn a_mail_of_no_use_any_more_is_given_up() {
    let folder = Folder::new();
    let smtp = SmtpServer::plain();
    let serving = serve_by(&folder, &smtp.url(), &[]);
    smtp.refuse(&["451 4.7.1 later"]);
    assert_eq!(ask_to_sign_in(&serving, "ada@example.org"), 303);
    eventually("it waits", || {
        (metric(&serving, "mail_failed_attempts_total") == 1).then_some(())
    });
    change(
        &folder,
        "UPDATE outbox SET send_until = 0, next_attempt_at = 0",
    );
    eventually("it is given up", || {
        (metric(&serving, "mail_given_up_total{reason=\"late\"}") == 1).then_some(())
    });
    assert_eq!(smtp.mails().len(), 0);
}

#[test]
fn a_mail_that_a_killed_server_was_sending_is_sent_by_another() {
    let folder = Folder::new();
    let smtp = SmtpServer::plain();
    let killed = serve_by(&folder, &smtp.url(), &[]);
    smtp.fall_silent();
    assert_eq!(ask_to_sign_in(&killed, "ada@example.org"), 303);
    smtp.has_fallen_silent();
    killed.kill();
    let _another = serve_by(&folder, &smtp.url(), &[]);
    let_it_be_due(&folder);
    assert_eq!(smtp.received(1)[0].to, "ada@example.org");
}

#[test]
fn a_stop_finishes_the_mail_and_leaves_the_others_in_the_outbox() {
    let folder = Folder::new();
    let smtp = SmtpServer::plain();
    let mut serving = serve_by(&folder, &smtp.url(), &[]);
    for number in 0..8 {
        assert_eq!(
            ask_to_sign_in(&serving, &format!("n{number}@example.org")),
            303
        );
    }
    serving.signal("TERM");
    assert_eq!(serving.ended().0, Some(0), "{}", serving.log());
    let _another = serve_by(&folder, &smtp.url(), &[]);
    let mut sent: Vec<_> = smtp.received(8).into_iter().map(|mail| mail.to).collect();
    sent.sort();
    let expected: Vec<_> = (0..8)
        .map(|number| format!("n{number}@example.org"))
        .collect();
    assert_eq!(sent, expected, "each once");
}

#[test]
fn replicas_share_the_outbox_and_send_each_mail_once() {
    let Some(instance) = Instance::start() else {
        return;
    };
    let folder = Folder::on(unmigrated(&instance));
    folder.ask(&["migrate"]);
    let smtp = SmtpServer::plain();
    // The link leads to whichever replica the balancer chooses.
    let shared = ["--public-base-url", "http://localhost:1"];
    let replicas = [(); 2].map(|()| serve_by(&folder, &smtp.url(), &shared));
    let headers = [("host", "localhost:1"), ("origin", "http://localhost:1")];
    for number in 0..20 {
        let mut browser = Browser::new(&replicas[number % 2]);
        let form = format!("email=n{number}%40example.org");
        let answer = browser.send("POST", "/dashboard/sign-in", &headers, &form);
        assert_eq!(answer.status, 303, "{answer:?}");
    }
    let mut ids: Vec<_> = smtp
        .received(20)
        .iter()
        .map(|mail| mail.header("Message-ID").to_owned())
        .collect();
    eventually("the outbox is empty", || {
        let is_empty = |it| metric(it, "mail_waiting") == 0;
        replicas.iter().all(is_empty).then_some(())
    });
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), smtp.mails().len()), (20, 20));
    let sent = replicas.each_ref().map(|it| metric(it, "mail_sent_total"));
    assert_eq!(sent.iter().sum::<u64>(), 20, "{sent:?}");
}

#[test]
fn a_folder_and_the_console_show_mails_to_developers() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("mails")).unwrap();
    let serving = serve(&folder, &["--dashboard", "--mail", "folder:mails"]);
    assert_eq!(ask_to_sign_in(&serving, "ada@example.org"), 303);
    let file = eventually("there is a file", || {
        let mut files = std::fs::read_dir(folder.path().join("mails")).unwrap();
        let path = files.next()?.unwrap().path();
        (path.extension()? == "eml").then_some(path)
    });
    let mail = std::fs::read_to_string(file).unwrap();
    assert!(mail.contains("To: ada@example.org\r\n"), "{mail}");
    drop(serving);
    let serving = serve(&folder, &["--dashboard", "--mail", "console"]);
    assert_eq!(ask_to_sign_in(&serving, "bob@example.org"), 303);
    eventually("it is shown", || {
        let log = serving.log();
        (log.contains("To: bob@example.org") && log.contains("/sign-in/link?token=")).then_some(())
    });
}

#[test]
fn a_dashboard_that_lacks_something_does_not_start() {
    let folder = Folder::new();
    let check = |arguments: &[&str], why: &str| {
        let flags = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
        let outcome = folder.run(&[&["serve", "--dashboard"], &flags[..], arguments].concat());
        assert_eq!(outcome.code, Some(1), "{arguments:?}: {}", outcome.stdout);
        assert!(outcome.stderr.contains(why), "{}", outcome.stderr);
        assert!(!outcome.stderr.contains("s3cret"), "{}", outcome.stderr);
    };
    check(&[], "--mail");
    check(&["--mail", "smtps://a:s3cret@localhost"], "--mail-from");
    check(&["--mail", "folder:none"], "there is no folder none");
    let public = |url| ["--mail", "console", "--public-base-url", url];
    check(&public("http://api.example.org"), "https without a path");
    check(
        &public("https://api.example.org/api"),
        "https without a path",
    );
    let smtp = ["--mail", "smtps://a:s3cret@localhost", "--mail-from", FROM];
    check(
        &[&smtp[..], &["--mail-ca", "none.crt"]].concat(),
        "none.crt",
    );
}

#[test]
fn an_unencrypted_mail_server_is_on_this_machine() {
    let folder = Folder::new();
    for url in [
        "smtp://a:s3cret@mail.example.org?tls=none",
        "smtps://a:s3cret@host/path",
    ] {
        let outcome = folder.run(&["serve", "--dashboard", "--mail", url]);
        assert_eq!(outcome.code, Some(2), "{}", outcome.stdout);
        assert!(!outcome.stderr.contains("s3cret"), "{}", outcome.stderr);
    }
}

#[test]
fn the_dashboard_has_one_name_on_this_machine() {
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let port = serving.api.port();
    assert!(
        serving
            .greeting
            .contains(&format!("http://localhost:{port}/dashboard"))
    );
    for host in ["127.0.0.1", "[::1]"] {
        let host = format!("{host}:{port}");
        let mut browser = Browser::new(&serving);
        let answer = browser.send("GET", "/dashboard/sign-in?a=1", &[("host", &host)], "");
        assert_eq!(answer.status, 307, "{answer:?}");
        let url = format!("http://localhost:{port}/dashboard/sign-in?a=1");
        assert_eq!(answer.header("location"), Some(&*url));
    }
}

#[test]
fn a_server_has_no_dashboard_unless_it_is_asked_for() {
    let folder = Folder::new();
    let serving = serve(&folder, &[]);
    assert!(
        !serving.greeting.contains("dashboard"),
        "{}",
        serving.greeting
    );
    assert_eq!(Browser::new(&serving).get("/dashboard/sign-in").status, 404);
}
