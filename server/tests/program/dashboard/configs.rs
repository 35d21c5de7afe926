//! Configs in the dashboard: searched, weighted, made, read, deleted.

use std::thread;

use features::keys::demo;
use serde_json::{Value, json};
use server::demo::ENTERPRISE;

use super::browser::{Browser, between};
use super::demo as serve_demo;
use crate::folder::Folder;
use crate::serving::{Serving, serve};
use crate::wire::Answer;

/// The ids of the demo's charities that are listed, or of those that are not.
pub(super) fn charities(active: bool) -> Vec<String> {
    let lines = server::demo::lines(jiff::Timestamp::now()).unwrap();
    let charities = lines.iter().filter(|line| line["kind"] == "charity");
    let chosen = charities.filter(|line| line["active"].as_bool().unwrap_or(true) == active);
    let id = |line: &Value| line["id"].as_str().unwrap().to_owned();
    chosen.map(id).collect()
}

/// The fields of a form with these charities and weights.
fn fields<'f>(nonce: &'f str, parts: &'f [(String, String)]) -> Vec<(&'f str, &'f str)> {
    let parts = parts.iter();
    let pairs = parts.flat_map(|(id, weight)| [("charity", &**id), ("weight", &**weight)]);
    [("nonce", nonce)].into_iter().chain(pairs).collect()
}

pub(super) fn parts(ids: &[String], weight: &str) -> Vec<(String, String)> {
    let part = |id: &String| (id.clone(), weight.to_owned());
    ids.iter().map(part).collect()
}

impl Browser<'_> {
    /// Sends the form of a config of `project`.
    pub(super) fn makes_config(&mut self, project: &str, parts: &[(String, String)]) -> Answer {
        let form = format!("/dashboard/projects/{project}/configs/new");
        let nonce = self.nonce(&form);
        let path = format!("/dashboard/projects/{project}/configs");
        self.post(&path, &fields(&nonce, parts))
    }
}

/// The id in the address that follows a form.
pub(super) fn made(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{answer:?}");
    let location = answer.header("location").unwrap();
    between(location, "/configs/", |c| c.is_ascii_hexdigit() || c == 'x').to_owned()
}

#[test]
fn a_config_is_made_step_by_step_without_scripts() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let key = browser.issues_key(&project, "production", "90d");
    let editor = format!("/dashboard/projects/{project}/configs/new");
    let page = browser.page(&format!("{editor}?search=fictional"));
    let of_uuid = |c: char| c.is_ascii_hexdigit() || c == '-';
    let first = between(&page, "name=\"add\" value=\"", of_uuid).to_owned();
    let page = browser.page(&format!("{editor}?search=fictional&add={first}"));
    assert!(page.contains("value=\"1\" inputmode=\"numeric\""), "{page}");
    assert!(page.contains(">100%<"), "{page}");
    let second = between(&page, "name=\"add\" value=\"", of_uuid).to_owned();
    let page = browser.page(&format!("{editor}?charity={first}&weight=3&add={second}"));
    assert!(page.contains(">50%<"), "{page}");
    let page = browser.page(&format!(
        "{editor}?charity={first}&weight=3&charity={second}&weight=1"
    ));
    assert!(page.contains(">75%<") && page.contains(">25%<"), "{page}");
    let page = browser.page(&format!(
        "{editor}?charity={first}&weight=3&charity={second}&weight=1&remove={first}"
    ));
    assert!(page.contains(">100%<"), "{page}");
    let query = format!("charity={first}&weight=3&charity={second}&weight=1&review=yes");
    let page = browser.page(&format!("{editor}?{query}"));
    assert!(page.contains("<h1>Create this config?</h1>"), "{page}");
    assert!(page.contains(">75%<") && page.contains(">25%<"), "{page}");
    let wrong = browser.get(&format!("{editor}?{}", query.replace("=3", "=0")));
    assert_eq!(wrong.status, 422, "{wrong:?}");
    assert!(
        wrong.body.contains("aria-describedby=\"error-1\""),
        "{wrong:?}"
    );
    let chosen = [(first, "3".to_owned()), (second, "1".to_owned())];
    let answer = browser.makes_config(&project, &chosen);
    let id = made(&answer);
    let page = browser.page(answer.header("location").unwrap());
    assert!(page.contains("Config created"), "{page}");
    assert!(page.contains("No donations yet"), "{page}");
    let shown = format!("'http://{}/api/v1/configs/{id}'", serving.api);
    assert!(page.contains(&shown), "{page}");
    let read: Value = serving.get(&format!("/configs/{id}"), Some(&key)).json();
    let weights = read["charities"].as_array().unwrap().iter();
    let weights: Vec<_> = weights.map(|it| &it["weight"]).collect();
    assert_eq!(weights, ["3", "1"]);
    let log = browser.page(&format!("/dashboard/projects/{project}/audit"));
    assert!(log.contains("Created the config 0x"), "{log}");
}

/// Whether the API makes the same config.
fn api_takes(serving: &Serving, name: Option<&str>, parts: &[(String, String)]) -> bool {
    let weight = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| json!(text));
    let parts = parts.iter();
    let each = parts.map(|(id, text)| json!({ "charityId": id, "weight": weight(text) }));
    let mut body = json!({ "charityBeneficiaries": each.collect::<Vec<_>>() });
    if let Some(name) = name {
        body["name"] = name.into();
    }
    let body = body.to_string();
    let head = format!(
        "POST /api/v1/configs HTTP/1.1\r\nhost: test\r\nservice-api-key: {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        demo::ENTERPRISE,
        body.len()
    );
    let answer = serving.connect().ask(head.as_bytes());
    assert!(answer.status < 500, "{answer:?}");
    answer.status == 201
}

#[test]
fn a_form_is_refused_where_the_api_refuses_the_same_config() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = ENTERPRISE.0.to_string();
    let listed = charities(true);
    let mut cases: Vec<_> = (0..=6).map(|count| parts(&listed[..count], "1")).collect();
    for weight in [
        "0",
        "1",
        "2",
        "999999",
        "1000000",
        "1000001",
        "99999999999999999999",
        "-1",
        "1.5",
        "x",
        "",
    ] {
        cases.push(parts(&listed[..1], weight));
    }
    let twice = [listed[0].clone(), listed[1].clone(), listed[0].clone()];
    cases.push(parts(&twice, "1"));
    cases.push(parts(&charities(false)[..1], "1"));
    let unknown = "0191e5a0-1111-7000-8000-000000000001".to_owned();
    cases.push(parts(&[listed[0].clone(), unknown], "1"));
    let mut taken = 0;
    for parts in cases {
        let expected = api_takes(&serving, None, &parts);
        let answer = browser.makes_config(&project, &parts);
        let status = if expected { 303 } else { 422 };
        assert_eq!(answer.status, status, "{parts:?}: {answer:?}");
        taken += u32::from(expected);
        if !expected && !parts.is_empty() && parts.len() < 3 {
            let at_field = "aria-invalid=\"true\" aria-describedby=\"error-";
            assert!(answer.body.contains(at_field), "{parts:?}: {answer:?}");
        }
    }
    assert_eq!(taken, 5 + 4, "from one to five, and four weights");
}

#[test]
fn a_config_has_a_name_that_the_api_takes_or_none() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = ENTERPRISE.0.to_string();
    let root = format!("/dashboard/projects/{project}/configs");
    let parts = parts(&charities(true)[..1], "1");
    let (longest, longer) = ("é".repeat(80), "é".repeat(81));
    for name in ["Checkout <b>", &longest, &longer, "a\u{1}b", "\u{7f}"] {
        let nonce = browser.nonce(&format!("{root}/new"));
        let mut form = fields(&nonce, &parts);
        form.push(("name", name));
        let answer = browser.post(&root, &form);
        if api_takes(&serving, Some(name), &parts) {
            made(&answer);
            let shown = name.replace("<b>", "&#60;b&#62;");
            assert!(browser.page(&root).contains(&shown), "{name}");
        } else {
            assert_eq!(answer.status, 422, "{name}: {answer:?}");
            let at_field = "aria-invalid=\"true\" aria-describedby=\"name-error";
            assert!(answer.body.contains(at_field), "{answer:?}");
        }
    }
    let page = browser.page(&format!("{root}/new?name=Checkout&search=river"));
    assert!(
        page.contains("value=\"Checkout\""),
        "a step keeps it: {page}"
    );
    let nonce = browser.nonce(&format!("{root}/new"));
    let mut form = fields(&nonce, &parts);
    form.push(("name", " "));
    let answer = browser.post(&root, &form);
    made(&answer);
    let page = browser.page(answer.header("location").unwrap());
    assert!(page.contains("<h1>Config <code>0x"), "it has none: {page}");
}

#[test]
fn a_form_that_is_sent_again_makes_one_config() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let nonce = browser.nonce(&format!("/dashboard/projects/{project}/configs/new"));
    let path = format!("/dashboard/projects/{project}/configs");
    let parts = parts(&charities(true)[..2], "1");
    let form = fields(&nonce, &parts);
    let ids = thread::scope(|scope| {
        let send = |mut browser: Browser<'_>| made(&browser.post(&path, &form));
        let sent: Vec<_> = (0..6)
            .map(|_| browser.clone())
            .map(|browser| scope.spawn(move || send(browser)))
            .collect();
        let ids = sent.into_iter().map(|sent| sent.join().unwrap());
        ids.collect::<Vec<_>>()
    });
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(made(&browser.post(&path, &form)), ids[0]);
    let list = browser.page(&path);
    assert_eq!(list.matches("<th scope=\"row\">").count(), 1, "{list}");
    let mut other = form.clone();
    other.truncate(3);
    let reused = browser.post(&path, &other);
    assert_eq!(reused.status, 409, "{reused:?}");
}

#[test]
fn a_project_has_no_more_configs_than_its_quota() {
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo", "--quota-free", "1"]);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let parts = parts(&charities(true)[..1], "1");
    let first = made(&browser.makes_config(&project, &parts));
    for _ in 0..2 {
        let refused = browser.makes_config(&project, &parts);
        assert_eq!(refused.status, 422, "{refused:?}");
        assert!(
            refused
                .body
                .contains("The project has reached its limit of 1 configs")
        );
        // A deleted one counts for a day.
        let delete = format!("/dashboard/projects/{project}/configs/{first}/delete");
        assert_eq!(browser.post(&delete, &[]).status, 303);
    }
}

#[test]
fn a_deleted_config_is_hidden_and_what_it_received_stays() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = ENTERPRISE.0.to_string();
    let root = format!("/dashboard/projects/{project}/configs");
    let list = browser.page(&root);
    let id = between(&list, &format!("href=\"{root}/0x"), |c| {
        c.is_ascii_hexdigit()
    });
    let config = format!("{root}/0x{id}");
    let totals = || -> Value {
        let totals = serving.get("/analytics", Some(demo::ENTERPRISE));
        totals.json()["usdDonatedE6"].clone()
    };
    let before = totals();
    assert!(before.is_string(), "{before}");
    assert!(browser.page(&config).contains("<dt>Received</dt><dd>$"));
    let confirmation = browser.page(&format!("{config}/delete"));
    assert!(
        confirmation.contains("count in statistics"),
        "{confirmation}"
    );
    for _ in 0..2 {
        let answer = browser.post(&format!("{config}/delete"), &[]);
        assert_eq!(answer.status, 303, "{answer:?}");
    }
    assert_eq!(browser.get(&config).status, 404);
    assert!(!browser.page(&root).contains(id));
    let answer = serving.get(&format!("/configs/0x{id}"), Some(demo::ENTERPRISE));
    assert_eq!(answer.status, 404);
    assert_eq!(totals(), before);
}

#[test]
fn configs_are_listed_page_by_page() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = ENTERPRISE.0.to_string();
    made(&browser.makes_config(&project, &parts(&charities(true)[..1], "1")));
    let mut path = format!("/dashboard/projects/{project}/configs");
    let mut seen = Vec::new();
    loop {
        let page = browser.page(&path);
        let rows = page.split("<th scope=\"row\"><a href=\"").skip(1);
        seen.extend(rows.map(|row| row.split('"').next().unwrap().to_owned()));
        let Some((_, rest)) = page.split_once("?cursor=") else {
            break;
        };
        let cursor = rest.split('"').next().unwrap();
        path = format!("/dashboard/projects/{project}/configs?cursor={cursor}");
    }
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert!(count > 20 && seen.len() == count, "{seen:?}");
    assert_eq!(browser.get(&format!("{path}x")).status, 404);
}

#[test]
fn configs_are_searched_and_ordered_by_what_they_received() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let path = format!("/dashboard/projects/{}/configs", ENTERPRISE.0);
    let mut rows = |query: &str| {
        let page = browser.page(&format!("{path}{query}"));
        let rows = page.split("<th scope=\"row\"><a href=\"").skip(1);
        rows.map(|row| {
            let received = between(row, "class=\"number\">$", |c| c != '<');
            let cents: u64 = received.replace([',', '.'], "").parse().unwrap();
            (between(row, "/configs/", |c| c != '"').to_owned(), cents)
        })
        .collect::<Vec<_>>()
    };
    let received = rows("?sort=received");
    assert!(received.len() > 5, "{received:?}");
    assert!(received.is_sorted_by(|a, b| a.1 >= b.1), "{received:?}");
    let found = &received[1..2];
    let id = &found[0].0;
    assert_eq!(rows(&format!("?q={}&sort=donation", &id[..12])), found);
    assert_eq!(rows(&format!("?q={id}")), found);
    let page = browser.page(&format!("{path}?q=%3Cb%3E&sort=nothing"));
    assert!(page.contains("No name contains “&#60;b&#62;”"), "{page}");
}

#[test]
fn what_is_typed_into_the_editor_is_text() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let charity = &charities(true)[0];
    let evil = "%22%27%3E%3Cscript%3Ealert(1)%3C/script%3E";
    let page = browser.page(&format!(
        "/dashboard/projects/{project}/configs/new?search={evil}&charity={charity}&weight={evil}"
    ));
    assert_eq!(page.matches("alert(1)").count(), 2, "{page}");
    assert!(!page.contains("<script>"), "{page}");
    for fields in ["charity=x", "nonce=1", "weight=1", "other=1"] {
        let path = format!("/dashboard/projects/{project}/configs/new?{fields}");
        assert_eq!(browser.get(&path).status, 404, "{fields}");
    }
}
