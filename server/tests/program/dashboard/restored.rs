//! A database that was restored knows nobody who was signed in when it was backed up.

use super::browser::Browser;
use crate::folder::Folder;
use crate::instances::{Instance, execute};
use crate::postgres::unmigrated;
use crate::serving::{Serving, serve};

const DASHBOARD: [&str; 3] = ["--dashboard", "--mail", "console"];

/// Runs a future to its end.
fn run<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(future)
}

/// The secret of a new session.
fn session(serving: &Serving) -> String {
    let mut browser = Browser::new(serving);
    let asked = browser.post("/dashboard/sign-in", &[("email", "ada@example.org")]);
    assert_eq!(asked.status, 303, "{asked:?}");
    let code = crate::serving::eventually("the mail is shown", || {
        let log = serving.log();
        let is_code = |line: &&str| line.len() == 9 && line.as_bytes()[4] == b'-';
        log.lines().find(is_code).map(str::to_owned)
    });
    let answer = browser.post("/dashboard/sign-in/code", &[("code", &code)]);
    assert_eq!(answer.status, 303, "{answer:?}");
    browser.page("/dashboard/projects");
    browser.cookie("session").unwrap().to_owned()
}

/// Whether somebody with a session sees pages.
fn is_signed_in(serving: &Serving, session: &str) -> bool {
    let mut browser = Browser::new(serving);
    browser.set_cookie("session", session);
    browser.get("/dashboard/projects").status == 200
}

#[test]
fn pg_restore_revives_no_session_and_no_mail() {
    let Some(instance) = Instance::start() else {
        return;
    };
    let folder = Folder::on(unmigrated(&instance));
    folder.ask(&["migrate"]);
    let serving = serve(&folder, &DASHBOARD);
    let session = session(&serving);
    let mail = "INSERT INTO outbox (id, recipient, subject, text, html, created_at, attempts,
                  send_until, next_attempt_at, epoch)
                SELECT gen_random_uuid(), 'a@example.org', 'old', '', '', 0, 0,
                  extract(epoch FROM now())::bigint * 1000 + 60000, 9000000000000, epoch.id
                FROM epoch";
    run(execute(folder.elsewhere(), mail));
    let restored = Folder::on(run(instance.restored(folder.elsewhere())));
    assert!(is_signed_in(&serving, &session));
    run(execute(
        restored.elsewhere(),
        "UPDATE outbox SET next_attempt_at = 0",
    ));
    let serving = serve(&restored, &DASHBOARD);
    assert!(!is_signed_in(&serving, &session));
    // The mail of this sign-in would be sent after the old one.
    let again = self::session(&serving);
    assert!(is_signed_in(&serving, &again));
    assert!(!serving.log().contains("Subject: old"), "{}", serving.log());
}

#[test]
fn an_operator_ends_all_sessions() {
    let folder = Folder::new();
    let serving = serve(&folder, &DASHBOARD);
    let session = session(&serving);
    assert!(is_signed_in(&serving, &session));
    folder.ask(&["end-sessions"]);
    assert!(!is_signed_in(&serving, &session));
}
