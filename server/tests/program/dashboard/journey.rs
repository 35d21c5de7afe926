//! From signing in to the first answer of the API.

use super::browser::{Browser, shown_key};
use super::{database, demo};
use crate::folder::Folder;
use crate::serving::followed;

#[test]
fn from_a_mail_to_the_first_answer_in_four_pages() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of(&serving, "ada@example.org");
    assert!(
        browser
            .page("/dashboard/projects")
            .contains("Create your first project")
    );
    let project = browser.makes_project("A wallet");
    let issued = browser.issues_key(&project, "production", "90d");
    assert_eq!(serving.get("/configs", Some(&issued)).status, 200);
    let page = browser.page(&format!("/dashboard/projects/{project}/keys"));
    assert!(
        page.contains("production") && page.contains("by you"),
        "{page}"
    );
    let expires = ["in 89 days", "in 90 days"];
    assert!(expires.iter().any(|it| page.contains(it)), "{page}");
    assert!(page.contains("<strong>production</strong>"), "{page}");
    assert!(page.contains("service-api-key: $SERVICE_API_KEY"), "{page}");
    assert!(!page.contains(&issued));
    let overview = browser.page(&format!("/dashboard/projects/{project}"));
    assert!(overview.contains("<dt>Limit</dt><dd>50</dd>"), "{overview}");
    assert!(!overview.contains(&issued));
}

#[test]
fn a_new_account_names_its_first_project_where_it_confirms_the_sign_in() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::new(&serving);
    let confirm = "/dashboard/sign-in/confirm";
    let link = browser.mailed("ada@example.org").link;
    browser.get(&link);
    let nonce = browser.nonce(confirm);
    let fields = [("nonce", &*nonce), ("project", "A wallet")];
    let made = browser.post(confirm, &fields);
    assert_eq!(made.status, 200, "{made:?}");
    let key = shown_key(&made.body);
    assert_eq!(serving.get("/configs", Some(&key)).status, 200);
    assert_eq!(
        browser.post(confirm, &fields).status,
        422,
        "the link is used"
    );
    let projects = browser.page("/dashboard/projects");
    assert_eq!(projects.matches(">A wallet</a>").count(), 1, "{projects}");

    // Without a name, or with one that is none, the page of projects has the form.
    for (email, name) in [
        ("bob@example.org", " "),
        ("eve@example.org", &"x".repeat(81)),
    ] {
        let mut browser = Browser::new(&serving);
        let link = browser.mailed(email).link;
        browser.get(&link);
        let answer = browser.post(confirm, &[("project", name)]);
        assert_eq!(answer.header("location"), Some("/dashboard"), "{answer:?}");
        let projects = browser.page("/dashboard/projects");
        assert!(projects.contains("Create your first project"), "{projects}");
    }
    // An account that is there is not asked, nor is who goes elsewhere.
    let mut again = Browser::new(&serving);
    let link = again.mailed("ada@example.org").link;
    again.get(&link);
    assert!(!again.page(confirm).contains("first project"));
    let mut elsewhere = Browser::new(&serving);
    elsewhere.get("/dashboard/projects/0191e5a0-1111-7000-8000-000000000001");
    let link = elsewhere.mailed("carol@example.org").link;
    elsewhere.get(&link);
    assert!(!elsewhere.page(confirm).contains("first project"));
}

#[test]
fn a_rotated_key_works_as_long_as_was_chosen() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    for (overlap, old_works) in [("24h", true), ("0", false)] {
        let label = &format!("ends in {overlap}");
        let old = browser.issues_key(&project, label, "30d");
        let key = browser.key_labelled(&project, label);
        let path = format!("/dashboard/projects/{project}/keys/{key}/rotate");
        let nonce = browser.nonce(&path);
        let answer = browser.post(
            &path,
            &[("nonce", &nonce), ("overlap", overlap), ("expiry", "90d")],
        );
        let new = shown_key(&answer.body);
        let page = browser.page(&format!("/dashboard/projects/{project}/keys"));
        let row = format!("<th scope=\"row\">{label}<");
        assert_eq!(
            page.matches(&row).count(),
            2,
            "the successor keeps the label: {page}"
        );
        assert_eq!(serving.get("/configs", Some(&new)).status, 200);
        followed("the old key works or ends", || {
            let status = serving.get("/configs", Some(&old)).status;
            (status == if old_works { 200 } else { 403 }).then_some(())
        });
    }
}

#[test]
fn a_revoked_key_is_refused() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let secret = browser.issues_key(&project, "leaked", "never");
    let key = browser.key_labelled(&project, "leaked");
    let path = format!("/dashboard/projects/{project}/keys/{key}/revoke");
    assert!(browser.page(&path).contains("Revoke “leaked”?"));
    assert_eq!(browser.post(&path, &[]).status, 303);
    followed("the key is refused", || {
        (serving.get("/configs", Some(&secret)).status == 403).then_some(())
    });
    let page = browser.page(&format!("/dashboard/projects/{project}/keys"));
    assert!(page.contains("revoked"), "{page}");
    let log = browser.page(&format!("/dashboard/projects/{project}/audit"));
    let prefix = &secret[..11];
    for what in [
        "Created the project “A wallet”",
        &format!("Created the key {prefix}…"),
        &format!("Revoked the key {prefix}…"),
    ] {
        assert!(log.contains(what), "{what}: {log}");
    }
    assert_eq!(
        log.matches("developer@demo.example</td>").count(),
        3,
        "{log}"
    );
}

#[test]
fn a_disabled_key_is_refused_until_it_is_enabled() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let secret = browser.issues_key(&project, "worker", "never");
    let key = browser.key_labelled(&project, "worker");
    let root = format!("/dashboard/projects/{project}");
    let path = |what: &str| format!("{root}/keys/{key}/{what}");
    let answers = |expected: u16| {
        followed("the key is switched", || {
            let answer = serving.get("/configs", Some(&secret));
            let is_known = answer.status == 200 || answer.body.contains("INVALID_API_KEY");
            (answer.status == expected && is_known).then_some(())
        });
    };
    answers(200);
    assert!(browser.page(&path("disable")).contains("Disable “worker”?"));
    for _ in 0..2 {
        assert_eq!(browser.post(&path("disable"), &[]).status, 303);
    }
    answers(403);
    let page = browser.page(&format!("{root}/keys"));
    assert!(page.contains(">disabled</span>"), "{page}");
    assert!(browser.page(&path("disable")).contains("Enable “worker”?"));
    assert_eq!(browser.post(&path("enable"), &[]).status, 303);
    answers(200);
    let log = browser.page(&format!("{root}/audit"));
    let prefix = &secret[..11];
    for what in [
        format!("Disabled the key {prefix}…"),
        format!("Enabled the key {prefix}… again"),
    ] {
        assert_eq!(log.matches(&what).count(), 1, "{what}: {log}");
    }
    // Another tab has revoked it, or it has expired since the mail that leads here.
    browser.post(&path("revoke"), &[]);
    let ended = ["rename", "rotate", "disable", "revoke"].map(|what| browser.get(&path(what)));
    for answer in ended.iter().chain([&browser.post(&path("enable"), &[])]) {
        assert_eq!(answer.status, 409, "{answer:?}");
        assert!(answer.body.contains("This key is revoked"), "{answer:?}");
        let issue = format!("href=\"{root}/keys/new\"");
        assert!(answer.body.contains(&issue), "{answer:?}");
    }
}

#[test]
fn a_rotated_key_names_its_successor_and_its_end() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let root = format!("/dashboard/projects/{project}");
    browser.issues_key(&project, "production", "30d");
    let key = browser.key_labelled(&project, "production");
    let path = format!("{root}/keys/{key}/rotate");
    assert!(!browser.page(&path).contains("at the latest"));
    let in_four_hours = jiff::Timestamp::now().as_millisecond() + 4 * 3_600_000;
    let sql = "UPDATE api_key SET expires_at = ?1 WHERE label = 'production'";
    assert_eq!(database(&folder).execute(sql, [in_four_hours]).unwrap(), 1);
    let form = browser.page(&path);
    assert!(
        form.contains(">in 4 hours <") && form.contains("at the latest"),
        "{form}"
    );
    let nonce = browser.nonce(&path);
    let fields = [("nonce", &*nonce), ("overlap", "24h"), ("expiry", "90d")];
    let issued = browser.post(&path, &fields);
    let text = &issued.body;
    assert!(
        text.contains("The old key expires <time") && text.contains(">in 4 hours <"),
        "{text}"
    );
    let new = shown_key(text);
    let page = browser.page(&format!("{root}/keys"));
    let replaced = format!("replaced by <code>{}…</code>", &new[..11]);
    assert_eq!(page.matches(&replaced).count(), 1, "{page}");
    let put = format!("to <strong>production</strong> (<code>{}…", &new[..11]);
    assert!(page.contains(&put), "{page}");
    assert_eq!(page.matches("/rotate\"").count(), 1, "{page}");
    // A form of another tab makes no second successor.
    let nonce = uuid::Uuid::now_v7().to_string();
    let fields = [("nonce", &*nonce), ("overlap", "24h"), ("expiry", "90d")];
    for again in [browser.post(&path, &fields), browser.get(&path)] {
        assert_eq!(again.status, 409, "{again:?}");
        assert!(again.body.contains("Key already rotated"), "{again:?}");
    }
}

#[test]
fn a_key_without_a_label_is_named_by_its_first_characters() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let root = format!("/dashboard/projects/{project}");
    let key = browser.issues_key(&project, "production", "90d");
    let prefix = &key[..11];
    let id = browser.key_labelled(&project, "production");
    let rename = format!("{root}/keys/{id}/rename");
    assert_eq!(browser.post(&rename, &[("label", "")]).status, 303);
    let page = browser.page(&format!("{root}/keys"));
    assert!(page.contains("no label"), "{page}");
    let put = format!("to <code>{prefix}…</code>. You saw the full key");
    assert!(page.contains(&put), "{page}");
    let form = browser.page(&rename);
    assert!(form.contains(&format!("Rename “{prefix}…”")), "{form}");
    assert!(form.contains("autocomplete=\"off\" value=\"\""), "{form}");
}

#[test]
fn live_keys_stand_first_and_who_ended_the_others_is_told() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let root = format!("/dashboard/projects/{project}");
    for label in ["first", "second", "third"] {
        browser.issues_key(&project, label, "90d");
    }
    let second = browser.key_labelled(&project, "second");
    browser.post(&format!("{root}/keys/{second}/revoke"), &[]);
    let third = browser.key_labelled(&project, "third");
    let renamed = browser.post(
        &format!("{root}/keys/{third}/rename"),
        &[("label", "spare")],
    );
    assert_eq!(renamed.status, 303, "{renamed:?}");
    browser.post(&format!("{root}/keys/{third}/disable"), &[]);
    let renamed = browser.post(&format!("{root}/rename"), &[("name", "A purse")]);
    assert_eq!(renamed.status, 303, "{renamed:?}");
    let refused = browser.post(&format!("{root}/rename"), &[("name", " ")]);
    assert_eq!(refused.status, 422, "{refused:?}");

    let page = browser.page(&format!("{root}/keys"));
    assert!(browser.page(&root).contains("<h1>A purse</h1>"));
    let (live, ended) = page.split_once("<details>").unwrap();
    let row = |label: &str| format!("<th scope=\"row\">{label}<");
    let places = ["spare", "first"].map(|label| live.find(&row(label)).unwrap());
    assert!(places.is_sorted(), "{live}");
    assert!(live.contains("by you, <time"), "who disabled it: {live}");
    assert!(!live.contains(&row("second")) && ended.contains(&row("second")));
    assert!(ended.contains("by you, <time"), "who revoked it: {ended}");
    let log = browser.page(&format!("{root}/audit"));
    for what in ["Renamed the key", "Renamed the project to “A purse”"] {
        assert!(log.contains(what), "{what}: {log}");
    }
}

#[test]
fn an_account_owns_three_free_projects() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of(&serving, "ada@example.org");
    for name in ["One", "Two", "Three"] {
        browser.makes_project(name);
    }
    let refused = browser.post("/dashboard/projects", &[("name", "Four")]);
    assert_eq!(refused.status, 422, "{refused:?}");
    assert!(refused.body.contains("at most 3 projects"), "{refused:?}");
    let page = browser.page("/dashboard/projects");
    assert!(page.contains("Three") && !page.contains("Four"), "{page}");
    let mut other = Browser::of(&serving, "eve@example.org");
    let page = other.page("/dashboard/projects");
    assert!(page.contains("Create your first project"), "{page}");
    assert!(!page.contains("Three"), "{page}");
}

#[test]
fn a_form_that_is_sent_again_makes_one_project() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of(&serving, "ada@example.org");
    let nonce = browser.nonce("/dashboard/projects");
    let form = [
        ("nonce", &*nonce),
        ("name", "A wallet"),
        ("first_key", "on"),
    ];
    let send = |mut browser: Browser<'_>| browser.post("/dashboard/projects", &form);
    let answers = std::thread::scope(|scope| {
        let browsers = [(); 4].map(|()| browser.clone());
        let sent = browsers.map(|browser| scope.spawn(move || send(browser)));
        sent.map(|sent| sent.join().unwrap())
    });
    let (made, repeated): (Vec<_>, Vec<_>) =
        answers.iter().partition(|answer| answer.status == 200);
    assert_eq!((made.len(), repeated.len()), (1, 3), "{answers:?}");
    shown_key(&made[0].body);
    for answer in repeated {
        assert_eq!(answer.status, 409, "{answer:?}");
        assert!(answer.body.contains("Already submitted"), "{answer:?}");
    }
    let page = browser.page("/dashboard/projects");
    assert_eq!(
        page.matches("href=\"/dashboard/projects/").count(),
        1,
        "{page}"
    );
}

#[test]
fn the_demos_developer_owns_its_projects() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let page = browser.page("/dashboard/projects");
    assert_eq!(
        page.matches("href=\"/dashboard/projects/").count(),
        3,
        "{page}"
    );
    let greeting = &serving.greeting;
    let dashboard = format!("Its dashboard is at {}/dashboard", browser.origin());
    assert!(greeting.contains(&dashboard), "{greeting}");
}
