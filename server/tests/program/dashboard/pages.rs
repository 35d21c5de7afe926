//! The parts that every page has, and the texts of errors.

use super::browser::Browser;
use super::demo;
use super::provider::Provider;
use crate::folder::Folder;

#[test]
fn no_page_is_kept_framed_or_has_inline_scripts() {
    let folder = Folder::new();
    let serving = Provider::start().demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    check_frame(&mut Browser::new(&serving), "/dashboard/sign-in");
    let paths = [
        "/dashboard/sign-in/sent".to_owned(),
        "/dashboard".to_owned(),
        "/dashboard/search?q=key".to_owned(),
        "/dashboard/projects".to_owned(),
        format!("/dashboard/projects/{project}"),
        format!("/dashboard/projects/{project}/keys"),
        format!("/dashboard/projects/{project}/keys/new"),
        format!("/dashboard/projects/{project}/configs"),
        format!("/dashboard/projects/{project}/configs/new"),
        format!("/dashboard/projects/{project}/members"),
        format!("/dashboard/projects/{project}/delete"),
        format!("/dashboard/projects/{project}/tier"),
        "/dashboard/invitation".to_owned(),
        format!("/dashboard/projects/{project}/usage"),
        format!("/dashboard/projects/{project}/usage.csv"),
        format!("/dashboard/projects/{project}/requests"),
        format!("/dashboard/projects/{project}/contracts"),
        format!("/dashboard/projects/{project}/contracts/new"),
        "/dashboard/account/address".to_owned(),
        "/dashboard/account/export".to_owned(),
        "/dashboard/account/erase".to_owned(),
        "/dashboard/sessions".to_owned(),
        "/dashboard/account".to_owned(),
        "/dashboard/passkeys".to_owned(),
        "/dashboard/identities".to_owned(),
        "/dashboard/sign-in/oidc/callback".to_owned(),
        "/dashboard/step-up".to_owned(),
        "/dashboard/no-such-page".to_owned(),
    ];
    for path in paths {
        check_frame(&mut browser, &path);
    }
    let mut operator = Browser::of_operator(&serving);
    for path in [
        "/dashboard/operator".to_owned(),
        "/dashboard/operator?q=a".to_owned(),
        "/dashboard/operator/passkey".to_owned(),
        "/dashboard/operator/requests".to_owned(),
        format!("/dashboard/operator/projects/{project}"),
    ] {
        check_frame(&mut operator, &path);
    }
}

#[track_caller]
fn check_frame(browser: &mut Browser<'_>, path: &str) {
    let answer = browser.get(path);
    let header = |name| answer.header(name).unwrap_or_default();
    assert_eq!(header("cache-control"), "no-store", "{path}");
    assert_eq!(header("referrer-policy"), "same-origin", "{path}");
    assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
    assert_eq!(answer.header("etag"), None, "{path}");
    assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
    let policy = header("content-security-policy");
    assert!(policy.contains("default-src 'none'"), "{path}: {policy}");
    assert!(
        policy.contains("frame-ancestors 'none'"),
        "{path}: {policy}"
    );
    assert!(!policy.contains("unsafe"), "{path}: {policy}");
    assert!(!answer.body.contains("style=\""), "{path}");
    let scripts = answer.body.matches("<script").count();
    let own = answer.body.matches("<script src=\"../").count();
    assert_eq!(scripts, own, "{path}: scripts are files of the site");
}

#[test]
fn errors_are_pages_that_say_what_to_do() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let large = format!("name={}", "x".repeat(20_000));
    let origin = browser.origin();
    let own: &[_] = &[("origin", &*origin)];
    for (method, path, body, status, title) in [
        ("GET", "/dashboard/nothing", "", 404, "Page not found"),
        ("GET", "/dashboard/projects/x", "", 404, "Page not found"),
        ("GET", "/dashboard/sign-out", "", 405, "Nothing to see here"),
        ("POST", "/dashboard/projects", &large, 413, "Form too large"),
        (
            "POST",
            "/dashboard/projects",
            "nothing=x",
            400,
            "Invalid form",
        ),
    ] {
        let answer = browser.send(method, path, own, body);
        assert_eq!(answer.status, status, "{method} {path}: {answer:?}");
        assert!(answer.body.contains(title), "{method} {path}: {answer:?}");
        assert!(
            answer
                .header("content-type")
                .unwrap()
                .starts_with("text/html")
        );
        let frame = "aria-label=\"Dashboard\"";
        assert!(answer.body.contains(frame), "{method} {path}: {answer:?}");
    }
    let project = browser.makes_project("A wallet");
    let unknown = browser.get(&format!("/dashboard/projects/{project}/nothing"));
    assert_eq!(unknown.status, 404);
    let keys = format!("href=\"/dashboard/projects/{project}/keys\"");
    assert!(unknown.body.contains(&keys), "{unknown:?}");
    let strange = Browser::new(&serving).get("/dashboard/nothing");
    assert_eq!(strange.status, 404);
    assert!(!strange.body.contains("Sign out"), "{strange:?}");
}

#[test]
fn a_page_for_everyone_finds_its_files_from_its_own_address() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::new(&serving);
    let ceremony = uuid::Uuid::nil().to_string();
    let forged = [("ceremony", &*ceremony), ("credential", "{}")];
    for answer in [
        browser.get("/dashboard/invitation/link?token=abc"),
        browser.get("/dashboard/sign-in/link?token=abc"),
        browser.post("/dashboard/sign-in/passkey", &forged),
    ] {
        assert_eq!(answer.status, 422, "{answer:?}");
        let style = "href=\"../../assets/shell.css?";
        assert!(answer.body.contains(style), "{answer:?}");
    }
    let answer = browser.post("/dashboard/sign-in", &[("email", "x")]);
    assert!(
        answer.body.contains("href=\"../assets/shell.css?"),
        "{answer:?}"
    );
}

#[test]
fn a_form_that_is_wrong_comes_back_with_the_reason_at_its_field() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let nonce = browser.nonce(&format!("/dashboard/projects/{project}/keys/new"));
    let keys = format!("/dashboard/projects/{project}/keys");
    let long = "x".repeat(101);
    for (path, fields) in [
        ("/dashboard/sign-in", vec![("email", "no address")]),
        ("/dashboard/projects", vec![("name", " ")]),
        ("/dashboard/projects", vec![("name", "a\u{202e}b")]),
        (
            &keys,
            vec![("nonce", &*nonce), ("label", &long), ("expiry", "90d")],
        ),
    ] {
        let answer = browser.post(path, &fields);
        assert_eq!(answer.status, 422, "{path}: {answer:?}");
        let page = &answer.body;
        assert!(
            page.contains("aria-invalid=\"true\" aria-describedby=\""),
            "{page}"
        );
        let id = super::browser::between(page, "aria-describedby=\"", |c| !"\" ".contains(c));
        assert!(page.contains(&format!("id=\"{id}\"")), "{page}");
    }
}

#[test]
fn a_search_finds_own_items_charities_pages_and_documentation() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let key = browser.issues_key(&project, "Production", "90d");
    let root = format!("/dashboard/projects/{project}");
    assert!(
        browser
            .page("/dashboard/search")
            .contains("Search your projects")
    );
    let prefix = key.split_at(11).0.to_owned();
    let (keys, webhooks) = (format!("{root}/keys"), format!("{root}/webhooks"));
    for (query, path, kind) in [
        ("wallet", &*root, "Project"),
        ("prod", &keys, "Key"),
        (&prefix, &keys, "Key"),
        ("webho", &webhooks, "Page"),
        ("rivers", "/charities/fictional-rivers-trust", "Charity"),
        ("passkeys", "dashboard/passkeys", "Dashboard"),
        (
            "RATE_LIMIT_EXCEEDED",
            "docs/guides/errors#RATE_LIMIT_EXCEEDED",
            "Error code",
        ),
    ] {
        let page = browser.page(&format!("/dashboard/search?q={query}"));
        let found = page.split("<li>").any(|result| {
            result.contains(&format!("{path}\"")) && result.contains(&format!(">{kind}</span>"))
        });
        assert!(found, "{query}: {page}");
    }
    let page = browser.page("/dashboard/search?q=otter");
    assert!(
        page.contains(">Charity</span>") && !page.contains(">Guide</span>"),
        "{page}"
    );
    let page = browser.page("/dashboard/search?q=%3Cxyzzy%3E");
    assert!(page.contains("No results for “&#60;xyzzy&#62;”"), "{page}");
    let mut other = Browser::of_operator(&serving);
    let page = other.page("/dashboard/search?q=A+wallet");
    assert!(!page.contains(&root), "{page}");
}
