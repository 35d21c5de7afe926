//! Every route of the dashboard answers each role as the table says.

mod table;

use std::collections::BTreeSet;
use std::fs;

use self::table::Answers::{Account, Anybody, Operator, Project};
use self::table::ROUTES;
use super::browser::{Browser, between, of_id};
use super::configs::{charities, made, parts};
use super::members::{invites, member};
use super::provider::Provider;
use crate::folder::Folder;
use crate::wire::Answer;

/// The paths of a method, with placeholders.
pub(super) fn paths(method: &str) -> impl Iterator<Item = &'static str> {
    let rows = ROUTES.iter().filter(move |(of, ..)| *of == method);
    rows.map(|(_, path, ..)| *path)
}

/// Checks that an answer is kept nowhere, and read by no other site.
#[track_caller]
fn assert_private(path: &str, answer: &Answer) {
    let header = |name| answer.header(name).unwrap_or_default();
    assert_eq!(header("cache-control"), "no-store", "{path}");
    assert_eq!(header("referrer-policy"), "same-origin", "{path}");
    let policy = header("content-security-policy");
    assert!(
        policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"),
        "{path}"
    );
    for absent in ["etag", "last-modified", "access-control-allow-origin"] {
        assert_eq!(answer.header(absent), None, "{path}");
    }
}

#[test]
fn each_route_answers_each_role_as_it_may() {
    let folder = Folder::new();
    let serving = Provider::start().demo(&folder);
    let mut owner = Browser::of(&serving, "ada@example.org");
    let project = owner.makes_project("A wallet");
    owner.issues_key(&project, "production", "90d");
    let key = owner.key_labelled(&project, "production");
    let joins = |owner: &mut Browser<'_>, email: &str| {
        let link = invites(owner, &project, email, "member");
        let mut browser = Browser::of(&serving, email);
        browser.get(&link);
        assert_eq!(
            browser.post("/dashboard/invitation/accept", &[]).status,
            303
        );
        browser
    };
    let bob = joins(&mut owner, "bob@example.org");
    joins(&mut owner, "carol@example.org");
    let carol = member(&mut owner, &project, "carol@example.org");
    invites(&mut owner, &project, "dan@example.org", "member");
    let page = owner.page(&format!("/dashboard/projects/{project}/members"));
    let (webhook, delivery) = sends(&mut owner, &project);
    owner.asks_for_tier(&project, "pro");
    let mut operator = Browser::of_operator(&serving);
    let queue = operator.page("/dashboard/operator/requests");
    let found = operator.page("/dashboard/operator?q=ada@");
    let fill = |text: &str| {
        text.replace("{project}", &project)
            .replace("{key}", &key)
            .replace("{webhook}", &webhook)
            .replace("{delivery}", &delivery)
            .replace("{member}", carol.rsplit('/').next().unwrap())
            .replace("{invitation}", between(&page, "/invitations/", of_id))
            .replace("{request}", between(&queue, "/requests/tiers/", of_id))
            .replace("{claim}", between(&queue, "/requests/claims/", of_id))
            .replace("{account}", between(&found, "/operator/accounts/", of_id))
            .replace("{config}", &format!("0x{}", "0".repeat(64)))
            .replace("{new}", &uuid::Uuid::now_v7().to_string())
    };
    let nobody = Browser::new(&serving);
    let stranger = Browser::of(&serving, "eve@example.org");
    for (method, path, form, answers) in ROUTES {
        let expected = match answers {
            Anybody(status) => vec![("nobody", &nobody, *status)],
            Account(status) => vec![("nobody", &nobody, 303), ("stranger", &stranger, *status)],
            Project { member, owner: own } => vec![
                ("nobody", &nobody, 303),
                ("stranger", &stranger, 404),
                ("member", &bob, *member),
                ("owner", &owner, *own),
                ("operator", &operator, 404),
            ],
            Operator(status) => vec![
                ("nobody", &nobody, 303),
                ("stranger", &stranger, 404),
                ("member", &bob, 404),
                ("owner", &owner, 404),
                ("operator", &operator, *status),
            ],
        };
        for (role, browser, status) in expected {
            let mut browser = browser.clone();
            let origin = browser.origin();
            let answer = browser.send(method, &fill(path), &[("origin", &origin)], &fill(form));
            assert_eq!(
                answer.status, status,
                "{method} {path} by {role}: {answer:?}"
            );
            assert_private(path, &answer);
            if role == "nobody" && !matches!(answers, Anybody(_)) {
                let location = match *method {
                    "POST" => "/dashboard/sign-in?notice=signed-out",
                    _ => "/dashboard/sign-in",
                };
                let told = answer.header("location");
                assert_eq!(told, Some(location), "{method} {path}");
            }
        }
    }
}

/// A webhook of a project, and a delivery to it.
fn sends(browser: &mut Browser<'_>, project: &str) -> (String, String) {
    let (path, _) = browser.creates_webhook(project, "https://partner.example/hooks");
    browser.post(&format!("{path}/test"), &[]);
    let page = browser.page(&path);
    let webhook = path.rsplit('/').next().unwrap();
    let delivery = between(&page, "/deliveries/", of_id);
    (webhook.to_owned(), delivery.to_owned())
}

/// The parts of paths that name a part of a project, as the table writes them.
const OF_A_PROJECT: [&str; 6] = [
    "{key}",
    "{webhook}",
    "{config}",
    "/claims/{new}",
    "{member}",
    "{invitation}",
];

#[test]
fn the_ids_of_another_project_are_not_there() {
    let folder = Folder::new();
    let serving = Provider::start().demo(&folder);
    let mut ada = Browser::of(&serving, "ada@example.org");
    let project = ada.makes_project("A wallet");
    let secret = ada.issues_key(&project, "production", "90d");
    let key = ada.key_labelled(&project, "production");
    let config = ada.makes_config(&project, &parts(&charities(true)[..1], "1"));
    let config = made(&config);
    let claim = ada.claims(&project, 8453, "0x333c3310824b7c685133f2bedb2ca4b8b4df633d");
    invites(&mut ada, &project, "dan@example.org", "member");
    let (webhook, delivery) = sends(&mut ada, &project);
    let members = format!("/dashboard/projects/{project}/members");
    let page = ada.page(&members);
    let invitation = between(&page, "/invitations/", of_id);
    let member = member(&mut ada, &project, "ada@example.org");

    let mut eve = Browser::of(&serving, "eve@example.org");
    let own = eve.makes_project("Another");
    let fill = |text: &str| {
        text.replace("{project}", &own)
            .replace("{key}", &key)
            .replace("{webhook}", &webhook)
            .replace("{delivery}", &delivery)
            .replace("{config}", &config)
            .replace("/claims/{new}", claim.split_once(&project).unwrap().1)
            .replace("{member}", member.rsplit('/').next().unwrap())
            .replace("{invitation}", invitation)
            .replace("{new}", &uuid::Uuid::now_v7().to_string())
    };
    let mut tried = 0;
    for (method, path, form, _) in ROUTES {
        let of_project = path.starts_with("/dashboard/projects/{project}/");
        if !of_project || !OF_A_PROJECT.iter().any(|part| path.contains(part)) {
            continue;
        }
        let origin = eve.origin();
        let answer = eve.send(method, &fill(path), &[("origin", &origin)], &fill(form));
        assert_eq!(answer.status, 404, "{method} {path}: {answer:?}");
        tried += 1;
    }
    assert!(tried >= 28, "{tried}");
    let config = serving.get(&format!("/configs/{config}"), Some(&secret));
    assert_eq!(config.status, 200, "{config:?}");
    assert_eq!(ada.page(&members), page, "nobody has come or gone");
    let webhooks = format!("/dashboard/projects/{project}/webhooks");
    assert!(ada.page(&webhooks).contains("config.created, key.expiring"));
    assert!(ada.page(&claim).contains("unproven"));
}

#[test]
fn the_table_has_every_route() {
    let told: BTreeSet<_> = ROUTES
        .iter()
        .map(|(method, path, ..)| (*method, names_hidden(path)))
        .collect();
    let router = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/console/src/dashboard/router.rs"
    );
    let router = fs::read_to_string(router).unwrap();
    let lines = router.lines().map(str::trim);
    let routes = lines.filter_map(|line| line.strip_prefix('"')?.split_once("\" => "));
    let mut routed = BTreeSet::new();
    for (path, methods) in routes {
        for (method, function) in [("GET", "get("), ("POST", "post(")] {
            if methods.contains(function) {
                routed.insert((method, names_hidden(path)));
            }
        }
    }
    assert_eq!(told, routed);
    assert!(routed.len() > 30);
}

/// A path whose placeholders all read alike.
fn names_hidden(path: &str) -> String {
    let parts = path
        .split('/')
        .map(|part| if part.starts_with('{') { "{}" } else { part });
    parts.collect::<Vec<_>>().join("/")
}
