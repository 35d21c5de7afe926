//! The public pages, and the pages that browsers get in the place of errors.

use serde_json::json;

use crate::answer::undefined;
use crate::folder::Folder;
use crate::serving::{Serving, eventually, serve};
use crate::wire::Answer;
use crate::world::{CHARITY, catalogue, donations, furnished, text};

/// The `Accept` of browsers.
const BROWSER: &str = "accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n";
const PROGRAM: &str = "accept: */*\r\n";

fn request(method: &str, path: &str, headers: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nhost: test\r\n{headers}\r\n")
}

fn browse(serving: &Serving, path: &str) -> Answer {
    serving
        .connect()
        .ask(request("GET", path, BROWSER).as_bytes())
}

/// The path of the page of the world's charity.
fn charity_page(serving: &Serving) -> String {
    let charity = serving.get(&format!("/charities/{CHARITY}"), None).json();
    format!("/charities/{}", charity["slug"].as_str().unwrap())
}

#[track_caller]
fn is_page(answer: &Answer) {
    let kind = answer.header("content-type");
    assert_eq!(kind, Some("text/html; charset=utf-8"), "{answer:?}");
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
    assert!(answer.body.starts_with("<!doctype html>"));
    for inline in ["<style", " style=", "<script>", " onclick"] {
        assert!(!answer.body.contains(inline), "{inline}");
    }
}

#[test]
fn pages_are_answered_to_get_and_head_and_not_sent_again() {
    let serving = serve(&furnished(), &[]);
    // Until the first check the page lacks its time.
    eventually("checks itself", || {
        let page = browse(&serving, "/status");
        Some(()).filter(|()| page.body.contains("Checked at"))
    });
    for path in ["/", "/status", &charity_page(&serving)] {
        let page = browse(&serving, path);
        assert_eq!(page.status, 200, "{path}");
        is_page(&page);
        let mut wire = serving.connect();
        wire.send(request("HEAD", path, BROWSER).as_bytes());
        let head = wire.head();
        for name in ["content-type", "content-length", "etag", "cache-control"] {
            assert_eq!(head.header(name), page.header(name), "{path}: {name}");
        }
        let tag = format!(
            "{BROWSER}if-none-match: {}\r\n",
            page.header("etag").unwrap()
        );
        let unchanged = wire.ask(request("GET", path, &tag).as_bytes());
        assert_eq!((unchanged.status, unchanged.body.as_str()), (304, ""));
    }
    for path in [
        "/robots.txt",
        "/sitemap.xml",
        "/favicon.ico",
        "/assets/icon.svg",
    ] {
        let mut wire = serving.connect();
        wire.send(request("HEAD", path, "").as_bytes());
        assert_eq!(wire.head().status, 200, "{path}");
    }
}

#[test]
fn the_start_page_has_a_live_answer_for_people_and_links_for_programs() {
    let serving = serve(&furnished(), &[]);
    let page = browse(&serving, "/");
    let charity = serving.get("/charities?limit=1&sort=donated", None).json();
    let name = charity["response"][0]["slug"].as_str().unwrap();
    let asked = format!("/api/v1/charities/{name}/totals'");
    assert!(page.body.contains(&asked), "{}", page.body);
    let totals = serving
        .get(&format!("/charities/{name}/totals"), None)
        .json();
    let usd = totals["usdDonatedE6"].as_str().unwrap();
    let shown = format!("<span class=\"s\">\"{usd}\"</span>");
    assert!(page.body.contains(&shown), "{}", page.body);
    let links = serving
        .connect()
        .ask(request("GET", "/", PROGRAM).as_bytes());
    for form in [&page, &links] {
        assert_eq!(form.header("vary"), Some("accept, accept-encoding"));
        // Some caches that many share do not look at Vary.
        assert_eq!(form.header("cache-control"), Some("private, max-age=300"));
    }
    assert_ne!(page.header("etag"), links.header("etag"));
    assert_eq!(links.header("content-type"), Some("application/json"));
    let api = format!("http://{}/api/v1", serving.api);
    assert_eq!(links.json()["api"], api.as_str());
}

#[test]
fn an_empty_catalogue_has_a_start_page() {
    let serving = serve(&Folder::new(), &[]);
    let page = browse(&serving, "/");
    is_page(&page);
    assert!(page.body.contains("No charities yet"));
}

#[test]
fn the_feed_leads_to_the_pages_of_charities() {
    let serving = serve(&furnished(), &[]);
    let feed = serving.get("/charities/feed.atom", None).body;
    let page = format!("http://{}/charities/", serving.api);
    let (_, rest) = feed.split_once(&page).expect(&feed);
    let (slug, _) = rest.split_once('"').unwrap();
    assert_eq!(browse(&serving, &format!("/charities/{slug}")).status, 200);
    let by_id = browse(&serving, &format!("/charities/{CHARITY}"));
    assert_eq!(by_id.status, 200);
    assert_eq!(browse(&serving, "/charities/nobody").status, 404);
    let slash = browse(&serving, "/charities/");
    assert_eq!(slash.header("location"), Some("../charities"));
}

#[test]
fn charities_are_searched_filtered_ordered_and_paged() {
    let serving = serve(&Folder::new(), &["--demo"]);
    let slugs = |query: &str| {
        let page = browse(&serving, &format!("/charities{query}"));
        assert_eq!(page.status, 200, "{query}");
        is_page(&page);
        assert!(page.body.len() < 60_000, "{query}: {}", page.body.len());
        let links = page.body.split("<a href=\"./charities/").skip(1);
        let slugs = links.map(|rest| rest.split('"').next().unwrap().to_owned());
        (slugs.collect::<Vec<_>>(), page.body)
    };
    let of_api = |query: &str| {
        let list = serving.get(&format!("/charities{query}"), None).json();
        let list = list["response"].as_array().unwrap().iter();
        let slugs = list.map(|it| it["slug"].as_str().unwrap().to_owned());
        slugs.collect::<Vec<_>>()
    };
    for query in [
        "",
        "?sort=name",
        "?sort=listedAt",
        "?q=river",
        "?category=environment",
        "?country=NL&category=animals",
        "?q=Fictional+otter&sort=name",
    ] {
        let separator = if query.is_empty() { '?' } else { '&' };
        let sort = match query.contains("sort=") {
            true => "",
            false => "&sort=donated",
        };
        let expected = of_api(&format!("{query}{separator}limit=24{sort}"));
        assert!(!expected.is_empty(), "{query}");
        assert_eq!(slugs(query).0, expected, "{query}");
    }
    // A link leads to the other pages, until all are seen once.
    let (mut seen, mut query) = (Vec::new(), "?sort=name".to_owned());
    loop {
        let (found, page) = slugs(&query);
        seen.extend(found);
        let Some((_, next)) = page.split_once("rel=\"next\" href=\"./charities") else {
            break;
        };
        query = next.split('"').next().unwrap().replace("&#38;", "&");
    }
    assert_eq!(seen, of_api("?sort=name&limit=100"));
    let (none, page) = slugs("?q=no-such-charity");
    assert!(
        none.is_empty() && page.contains("No charities found"),
        "{page}"
    );
    assert!(page.contains("noindex"), "{page}");
    // Values that the page does not offer are ignored, as link trackers add their own.
    let (all, _) = slugs("");
    for query in ["?country=XX", "?sort=x", "?cursor=x", "?utm_source=x"] {
        assert_eq!(slugs(query).0, all, "{query}");
    }
}

#[test]
fn errors_are_pages_for_browsers_and_json_for_others() {
    let serving = serve(&furnished(), &[]);
    for (method, path, status) in [
        ("GET", "/nowhere", 404),
        ("GET", "/docs/nowhere", 404),
        ("GET", "/charities/nobody", 404),
        ("POST", "/status", 405),
        ("DELETE", "/docs/", 405),
    ] {
        let mut wire = serving.connect();
        let page = wire.ask(request(method, path, BROWSER).as_bytes());
        assert_eq!(page.status, status, "{path}");
        is_page(&page);
        assert_eq!(page.header("cache-control"), Some("no-store"));
        assert!(page.header("vary").unwrap().contains("accept"));
        let other = wire.ask(request(method, path, PROGRAM).as_bytes());
        undefined(&other, status);
        let docs = format!("http://{}/docs/", serving.api);
        assert!(other.body.contains(&docs), "{other:?}");
        let allowed = (status == 405).then_some("GET, HEAD");
        assert_eq!([page.header("allow"), other.header("allow")], [allowed; 2]);
    }
    // Of the API, an error is JSON for everybody.
    undefined(&browse(&serving, "/api/v1/nowhere"), 404);
    let mut wire = serving.connect();
    wire.send(request("HEAD", "/nowhere", BROWSER).as_bytes());
    assert_eq!(wire.head().status, 404);
}

#[test]
fn pages_have_a_limit_that_the_api_does_not_share() {
    let serving = serve(
        &furnished(),
        &["--limit-pages", "6", "--limit-anonymous", "6"],
    );
    let charity = charity_page(&serving);
    for path in [
        "/nowhere",
        &charity,
        "/nowhere",
        &charity,
        "/charities/nobody",
        "/dashboard",
    ] {
        assert_ne!(browse(&serving, path).status, 429, "{path}");
    }
    for path in [
        "/nowhere",
        &charity,
        "/charities/nobody",
        "/dashboard/sign-in",
    ] {
        let refused = browse(&serving, path);
        assert_eq!(refused.status, 429, "{path}");
        is_page(&refused);
        assert!(refused.body.contains("requested too many pages"));
        let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        let program = serving
            .connect()
            .ask(request("GET", path, PROGRAM).as_bytes());
        assert_eq!(program.json()["code"], "RATE_LIMIT_EXCEEDED");
    }
    // Pages in memory are there, and the API has spent nothing but the request for the charity.
    for path in ["/", "/status", "/docs/", "/robots.txt"] {
        assert_eq!(browse(&serving, path).status, 200, "{path}");
    }
    let answer = serving.get("/charities", None);
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("4"));
}

#[test]
fn a_script_of_another_site_reads_why_its_path_is_wrong() {
    let serving = serve(&furnished(), &["--demo"]);
    let shared = |method: &str, path: &str, headers: &str| {
        let headers = format!("origin: https://elsewhere.example\r\n{headers}");
        let answer = serving
            .connect()
            .ask(request(method, path, &headers).as_bytes());
        let allowed = answer.header("access-control-allow-origin");
        (answer.status, allowed.map(str::to_owned))
    };
    let anyone = || Some("*".to_owned());
    let key = "service-api-key: sk_DemoProTierKey00000000000000000019hh7r\r\n";
    for (method, path, headers, expected) in [
        ("GET", "/chains", "", (404, anyone())),
        ("GET", "/api/v1/charity", "", (404, anyone())),
        ("POST", "/api/v1/charity", "", (404, anyone())),
        ("POST", "/api/v1/charities", "", (405, anyone())),
        ("POST", "/status", "", (405, anyone())),
        ("GET", "/api/v1/charities/nobody", "", (404, anyone())),
        ("GET", "/api/v1/charity", key, (404, None)),
        ("OPTIONS", "/api/v1/charity", "", (404, None)),
        ("GET", "/dashboard/nothing", "", (421, None)),
        ("GET", "/api/v1/configs", "", (400, None)),
    ] {
        assert_eq!(shared(method, path, headers), expected, "{method} {path}");
    }
}

#[test]
fn search_engines_find_one_address_of_each_page_and_the_feed() {
    let serving = serve(&furnished(), &["--demo"]);
    for path in [
        "/",
        "/status",
        "/docs/",
        "/docs/guides/limits",
        "/docs/reference",
    ] {
        let page = browse(&serving, path).body;
        let link = format!(
            "<link rel=\"canonical\" href=\"http://{}{path}\">",
            serving.api
        );
        assert!(page.contains(&link), "{path}: {page}");
    }
    for path in ["/nowhere", "/dashboard/sign-in"] {
        assert!(!browse(&serving, path).body.contains("canonical"), "{path}");
    }
    let robots = browse(&serving, "/robots.txt").body;
    for line in [
        "Allow: /api/v1/charities/feed.atom",
        "Disallow: /api/",
        "Disallow: /dashboard",
        &format!("Sitemap: http://{}/sitemap.xml", serving.api),
    ] {
        assert!(robots.lines().any(|it| it == line), "{robots}");
    }
}

#[test]
fn the_sitemap_has_the_pages_for_people() {
    let serving = serve(&furnished(), &[]);
    let sitemap = browse(&serving, "/sitemap.xml").body;
    let lines = sitemap.lines().filter_map(|line| {
        let address = line
            .strip_prefix("<url><loc>")?
            .strip_suffix("</loc></url>")?;
        let path = address.strip_prefix(&format!("http://{}", serving.api));
        Some(path.expect(line).to_owned())
    });
    let paths: Vec<_> = lines.collect();
    for path in [
        "/",
        "/charities",
        "/status",
        "/docs/",
        "/docs/changelog",
        "/docs/guides/limits",
        "/docs/reference/configs.create",
        "/docs/reference/schemas",
        &charity_page(&serving),
    ] {
        assert!(paths.iter().any(|it| it == path), "{path}: {paths:?}");
    }
    for path in &paths {
        let page = browse(&serving, path);
        assert_eq!(page.status, 200, "{path}");
        assert!(page.body.starts_with("<!doctype html>"), "{path}");
    }
}

#[test]
fn texts_of_the_catalogue_are_texts() {
    const SCRIPT: &str = "<script>alert(1)</script>";
    let mut lines = catalogue();
    for line in lines.iter_mut().filter(|line| line["id"] == CHARITY) {
        line["name"] = json!(SCRIPT);
        line["description"] = json!("\"><img src=x onerror=alert(1)>{{ 7 * 7 }}");
        line["website"] = json!("https://example.org/\"onmouseover=\"alert(1)");
    }
    let folder = Folder::new();
    let file = folder.write("hostile.ndjson", &text(&lines));
    let outcome = folder.run(&["import", file]);
    // A website that is no address is refused; without one, the rest is imported.
    if outcome.code != Some(0) {
        for line in lines.iter_mut().filter(|line| line["id"] == CHARITY) {
            line["website"] = json!("https://example.org/?a=1&b='");
        }
        let file = folder.write("hostile.ndjson", &text(&lines));
        let outcome = folder.run(&["import", file]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    }
    let serving = serve(&folder, &[]);
    for path in ["/", "/charities", &format!("/charities/{CHARITY}")] {
        let page = browse(&serving, path);
        assert_eq!(page.status, 200);
        assert!(page.body.contains("&#60;script&#62;alert(1)"), "{path}");
        for text in [SCRIPT, "<img src=x", "\"onmouseover"] {
            assert!(!page.body.contains(text), "{path}: {text}");
        }
    }
}

#[test]
fn a_charity_has_its_page_while_the_database_is_away() {
    let folder = furnished();
    let file = folder.write("donations.ndjson", &text(&donations(3)));
    folder.ask(&["import", file]);
    let serving = serve(&folder, &[]);
    let path = charity_page(&serving);
    let whole = browse(&serving, &path);
    let row = "<td data-label=\"Received\"";
    assert_eq!(whole.body.matches(row).count(), 3, "{}", whole.body);
    assert!(
        browse(&serving, "/status")
            .body
            .contains("All systems operational")
    );
    drop(serving);
    let serving = serve(&folder, &[]);
    std::fs::rename(folder.database(), folder.path().join("away.db")).unwrap();
    eventually("the server notices", || {
        Some(()).filter(|()| serving.operators("/readyz").status == 503)
    });
    let page = browse(&serving, &path);
    assert_eq!(page.status, 200);
    is_page(&page);
    assert!(page.body.contains("Donations cannot be shown"));
    assert_eq!(page.header("cache-control"), Some("public, max-age=5"));
    let status = browse(&serving, "/status");
    assert!(status.body.contains("The database is unreachable"));
    assert!(!status.body.contains("away.db") && !status.body.contains(".db"));
    assert_eq!(browse(&serving, "/").status, 200);
}

#[test]
fn the_contact_for_weaknesses_is_a_setting() {
    let path = "/.well-known/security.txt";
    let get = |serving: &Serving| serving.connect().ask(request("GET", path, "").as_bytes());
    assert_eq!(get(&serve(&furnished(), &[])).status, 404);
    let contact = "mailto:security@example.org";
    let serving = serve(&furnished(), &["--security-contact", contact]);
    let answer = get(&serving);
    assert_eq!(answer.status, 200);
    let mut lines = answer.body.lines();
    assert_eq!(lines.next(), Some(format!("Contact: {contact}").as_str()));
    assert!(lines.next().unwrap().starts_with("Expires: 2"));
}
