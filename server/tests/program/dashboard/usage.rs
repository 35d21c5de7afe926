//! The usage of a project: charts, their numbers, CSV, the window, and the last requests.

use super::browser::{Browser, between};
use super::demo;
use crate::folder::Folder;
use crate::serving::{Serving, eventually};

/// A project of a new account with a key, and the page that shows it.
struct Customer<'a> {
    serving: &'a Serving,
    browser: Browser<'a>,
    root: String,
    key: String,
}

impl<'a> Customer<'a> {
    fn new(serving: &'a Serving) -> Self {
        let mut browser = Browser::of(serving, "ada@example.org");
        let project = browser.makes_project("A wallet");
        let key = browser.issues_key(&project, "production", "90d");
        Self {
            serving,
            browser,
            root: format!("/dashboard/projects/{project}"),
            key,
        }
    }

    fn asks(&self, path: &str) -> u16 {
        self.serving.get(path, Some(&self.key)).status
    }

    fn page(&mut self, path: &str) -> String {
        let path = format!("{}{path}", self.root);
        self.browser.page(&path)
    }

    /// The requests of the CSV by operation and status, once there are so many.
    fn counted(&mut self, total: u64) -> Vec<(String, String, u64)> {
        let path = format!("{}/usage.csv?width=minute", self.root);
        let browser = &mut self.browser;
        eventually("the requests are counted", || {
            let rows: Vec<_> = browser.page(&path).lines().skip(1).map(fields).collect();
            let sum: u64 = rows.iter().map(|row| row.2).sum();
            (sum == total).then_some(rows)
        })
    }
}

/// The operation, the status and the requests of a line.
fn fields(line: &str) -> (String, String, u64) {
    let fields: Vec<_> = line.split(',').collect();
    assert_eq!(fields.len(), 6, "{line}");
    let operation = fields[3].trim_matches('"').to_owned();
    (operation, fields[4].to_owned(), fields[5].parse().unwrap())
}

/// The sum of a column of the rows of one operation and status.
fn sum(rows: &[(String, String, u64)], operation: &str, status: &str) -> u64 {
    let rows = rows
        .iter()
        .filter(|row| row.0 == operation && row.1 == status);
    rows.map(|row| row.2).sum()
}

#[test]
fn requests_appear_by_operation_and_status_and_as_much_in_each_view() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut customer = Customer::new(&serving);
    let empty = customer.page("/usage");
    assert!(empty.contains("<h3>No requests</h3>"), "{empty}");
    let hour = || jiff::Timestamp::now().as_second() / 3600;
    let began = hour();
    for path in ["/configs", "/configs", "/charities", "/no-such-path"] {
        customer.asks(path);
    }
    let rows = customer.counted(4);
    assert_eq!(sum(&rows, "configs.list", "2xx"), 2);
    assert_eq!(sum(&rows, "charities.list", "2xx"), 1);
    assert_eq!(sum(&rows, "<unmatched>", "4xx"), 1);
    for width in ["minute", "hour", "day"] {
        for zone in ["UTC", "Asia/Kolkata", "America/New_York"] {
            let query = format!("?width={width}&zone={zone}&by=operation");
            let page = customer.page(&format!("/usage{query}"));
            assert!(
                page.contains("<dd>4</dd><dd>requests</dd>"),
                "{query}: {page}"
            );
            assert!(page.contains("<dd>1</dd><dd>4xx or 5xx</dd>"), "{query}");
            assert!(page.contains("<h3>configs.list</h3>"), "{query}: {page}");
            assert!(
                page.contains(&format!("by {width}, {zone}")),
                "{query}: {page}"
            );
            assert!(page.contains("class=\"unfinished\""), "{query}: it goes on");
            // The row of requests of the last hour or day is no longer the current one.
            let is_over = hour() != began;
            let is_told = width == "minute" || page.contains("(so far)");
            assert!(is_told || is_over, "{query}: in the table too");
            let csv = customer.page(&format!("/usage.csv{query}"));
            let total: u64 = csv.lines().skip(1).map(|line| fields(line).2).sum();
            assert_eq!(total, 4, "{query}: {csv}");
        }
    }
}

#[test]
fn every_chart_has_a_name_and_a_table() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let projects = browser.page("/dashboard/projects");
    let id = between(&projects, "/dashboard/projects/", super::browser::of_id);
    for by in ["status", "key", "operation"] {
        for width in ["minute", "hour", "day"] {
            let path = format!("/dashboard/projects/{id}/usage?by={by}&width={width}");
            let page = browser.page(&path);
            let charts = page.matches("role=\"img\"").count();
            assert!(charts > 1, "{path}: {page}");
            assert_eq!(page.matches("<desc").count(), charts, "{path}");
            // The chart of errors shares the table of all requests.
            let tables = charts - page.matches("class=\"plot errors\"").count();
            assert_eq!(page.matches("<details>").count(), tables, "{path}");
            assert_eq!(page.matches("<table").count(), tables, "{path}");
            assert!(!page.contains("style=\""), "{path}");
            for name in page.split("aria-labelledby=\"").skip(1) {
                for id in name.split('"').next().unwrap().split(' ') {
                    assert_eq!(
                        page.matches(&format!("id=\"{id}\"")).count(),
                        1,
                        "{path} {id}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_window_tells_what_is_used_of_the_limit_and_what_was_refused() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut customer = Customer::new(&serving);
    let page = customer.page("/usage");
    assert!(page.contains("<strong>0</strong> of 50 requests"), "{page}");
    for _ in 0..50 {
        assert_eq!(customer.asks("/configs"), 200);
    }
    for _ in 0..3 {
        assert_eq!(customer.asks("/configs"), 429);
    }
    let rows = customer.counted(53);
    assert_eq!(sum(&rows, "configs.list", "429"), 3);
    let page = customer.page("/usage");
    assert!(
        page.contains("<strong>50</strong> of 50 requests"),
        "{page}"
    );
    assert!(page.contains("No requests left at "), "{page}");
    let seconds = super::browser::between(&page, "The next is allowed in ", |c| c.is_ascii_digit());
    assert!((1..=60).contains(&seconds.parse().unwrap()), "{page}");
    assert!(
        page.contains("Rate-limited (429) in the last hour: <strong>3</strong>."),
        "{page}"
    );
    assert!(page.contains("<dd>50</dd><dd>requests</dd>"), "{page}");
    assert!(page.contains("<dd>3</dd><dd>429</dd>"), "{page}");
}

#[test]
fn a_key_is_never_used_until_it_is() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut customer = Customer::new(&serving);
    let used = |page: &str| {
        let (_, cell) = page.split_once("data-label=\"Last used\">").unwrap();
        cell.split("</td>").next().unwrap().to_owned()
    };
    assert_eq!(used(&customer.page("/keys")), "never");
    customer.asks("/configs");
    customer.counted(1);
    let page = customer.page("/keys");
    assert!(used(&page).contains("<time datetime="), "{page}");
    // It is known to the minute, which may have ended by now.
    let is_recent = [">now ", ">1 minute ago "].map(|told| used(&page).contains(told));
    assert!(is_recent.contains(&true), "{page}");
}

#[test]
fn both_keys_of_a_rotation_are_plotted_and_the_old_one_is_told_to_be_in_use() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut customer = Customer::new(&serving);
    let project = customer.root.rsplit('/').next().unwrap().to_owned();
    let old = customer.browser.key_labelled(&project, "production");
    let path = format!("{}/keys/{old}/rotate", customer.root);
    let nonce = customer.browser.nonce(&path);
    let fields = [("nonce", &*nonce), ("overlap", "24h"), ("expiry", "90d")];
    let issued = customer.browser.post(&path, &fields);
    assert!(issued.body.contains("usage?by=key"), "{issued:?}");
    let new = super::browser::shown_key(&issued.body);
    customer.asks("/configs");
    for _ in 0..2 {
        serving.get("/configs", Some(&new));
    }
    customer.counted(3);
    let page = customer.page("/usage?by=key");
    for prefix in [&new[..11], &customer.key[..11]] {
        assert!(
            page.contains(&format!("<h3>production <code>{prefix}…</code></h3>")),
            "{page}"
        );
    }
    assert!(
        page.contains("<strong>2</strong> requests, peak 2 per"),
        "{page}"
    );
    assert!(
        page.contains("<strong>1</strong> request, peak 1 per"),
        "{page}"
    );
    assert_eq!(page.matches("in use").count(), 1, "of the old key: {page}");
}

#[test]
fn the_last_requests_are_listed_by_their_ids_and_nothing_more() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut customer = Customer::new(&serving);
    let page = customer.page("/requests");
    assert!(page.contains("No requests"), "{page}");
    let found = serving.get("/configs", Some(&customer.key));
    let wrong = serving.get("/charities?limit=secret-value", Some(&customer.key));
    serving.get("/charities", None);
    let page = customer.page("/requests");
    let list = page.split("</tbody>").next().unwrap();
    let rows: Vec<_> = list.split("<tr>").skip(2).collect();
    assert_eq!(rows.len(), 2, "{page}");
    for (row, (answer, operation)) in rows
        .iter()
        .zip([(&wrong, "GET charities.list"), (&found, "GET configs.list")])
    {
        assert!(
            row.contains(answer.header("x-request-id").unwrap()),
            "{row}"
        );
        assert!(row.contains(operation), "{row}");
        assert!(row.contains(&format!(">{}<", answer.status)), "{row}");
        assert!(row.contains("production") && row.contains(" ms<"), "{row}");
    }
    let code = r#"docs/guides/errors#VALIDATION_ERROR">VALIDATION_ERROR</a>"#;
    assert!(rows[0].contains(code) && !rows[1].contains(code), "{page}");
    for kept_out in ["secret-value", "127.0.0.1", &customer.key] {
        assert!(!rows.concat().contains(kept_out), "{kept_out}: {page}");
    }
    let key = between(&page, r#"<option value="0"#, |c| {
        c.is_ascii_hexdigit() || c == '-'
    });
    for (query, matching) in [
        ("?status=4xx", "charities.list"),
        ("?status=2xx", "configs.list"),
        (&*format!("?status=4xx&key=0{key}"), "charities.list"),
    ] {
        let page = customer.page(&format!("/requests{query}"));
        let listed = page.matches("<th scope=\"row\">").count();
        assert!(listed == 1 && page.contains(matching), "{query}: {page}");
    }
    assert!(
        customer
            .page("/requests?status=5xx")
            .contains("No request matches")
    );
}

#[test]
fn csv_is_no_formula_and_a_file() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut customer = Customer::new(&serving);
    let project = customer.root.rsplit('/').next().unwrap().to_owned();
    let label = "=HYPERLINK(\"http://evil.example\",\"a\")";
    let key = customer.browser.issues_key(&project, label, "90d");
    serving.get("/configs", Some(&key));
    let path = format!("{}/usage.csv", customer.root);
    let answer = eventually("the request is counted", || {
        let answer = customer.browser.get(&path);
        (answer.body.lines().count() > 1).then_some(answer)
    });
    let field = "\"'=HYPERLINK(\"\"http://evil.example\"\",\"\"a\"\")\"";
    assert!(answer.body.contains(field), "{answer:?}");
    assert!(
        answer.body.starts_with('\u{feff}'),
        "Excel reads it as UTF-8"
    );
    assert_eq!(
        answer.header("content-type").unwrap(),
        "text/csv; charset=utf-8; header=present"
    );
    let disposition = answer.header("content-disposition").unwrap();
    assert!(disposition.starts_with("attachment"), "{disposition}");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[test]
fn no_query_breaks_the_page() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut customer = Customer::new(&serving);
    for (query, status) in [
        ("?zone=Mars/Olympus", 200),
        ("?zone=%3Cscript%3E&by=key", 200),
        ("?until=-9223372036854775808", 200),
        ("?until=9223372036854775807&width=day", 200),
        ("?until=1&zone=Asia/Kolkata&width=day", 200),
        ("?until=x", 404),
        ("?width=year", 404),
        ("?by=secret", 404),
    ] {
        for page in ["/usage", "/usage.csv"] {
            let path = format!("{}{page}{query}", customer.root);
            let answer = customer.browser.get(&path);
            assert_eq!(answer.status, status, "{path}: {answer:?}");
            assert!(!answer.body.contains("<script>"), "{path}: {answer:?}");
        }
    }
}
