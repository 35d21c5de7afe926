//! The overview of a project.

use features::keys::demo;
use server::demo::ENTERPRISE;

use super::browser::Browser;
use super::configs::{charities, made, parts};
use super::demo as serve_demo;
use crate::folder::Folder;

#[test]
fn what_is_left_to_set_up_disappears_when_it_is_done() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A wallet");
    let path = format!("/dashboard/projects/{project}");
    let shows = |browser: &mut Browser<'_>, done: usize, next: &str| {
        let page = browser.page(&path);
        assert!(page.contains(&format!("{done} of 4 done")), "{page}");
        assert!(page.contains(&format!("{path}/{next}\">")), "{page}");
        assert!(!page.contains("Donated per day"), "{page}");
    };
    shows(&mut browser, 0, "keys/new");
    browser.issues_key(&project, "production", "90d");
    shows(&mut browser, 1, "configs/new");
    let config = made(&browser.makes_config(&project, &parts(&charities(true)[..2], "1")));
    shows(&mut browser, 2, "webhooks/new");
    browser.creates_webhook(&project, "http://127.0.0.1:9/hooks");
    shows(&mut browser, 3, &format!("configs/{config}"));
    browser.page_after(&format!("{path}/configs/{config}/simulate"), &[]);
    let page = browser.page(&path);
    assert!(!page.contains("of 4 done"), "{page}");
    assert!(page.contains("Donated per day"), "{page}");
    assert!(page.contains("<dd>1</dd>"), "{page}");
}

#[test]
fn the_overview_has_the_numbers_of_the_api() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let page = browser.page(&format!("/dashboard/projects/{}", ENTERPRISE.0));
    assert!(page.len() < 60_000, "{}", page.len());
    let read = |path: &str| serving.get(path, Some(demo::ENTERPRISE)).json();
    let totals = read("/analytics");
    let usd: u64 = totals["usdDonatedE6"].as_str().unwrap().parse().unwrap();
    let (thousands, rest) = (usd / 1_000_000_000, usd / 1_000_000 % 1000);
    let shown = format!("<dt>Donated</dt><dd>${thousands},{rest:03}</dd>");
    assert!(page.contains(&shown), "{shown}: {page}");
    let top = read("/analytics/charities?limit=5");
    let names = top["response"].as_array().unwrap().iter();
    let names = names.map(|it| it["charity"]["slug"].as_str().unwrap());
    let links = names.map(|slug| page.find(&format!("charities/{slug}\"")).unwrap());
    assert!(links.collect::<Vec<_>>().is_sorted(), "{page}");
    // The chart has a row of its table for each bar.
    let (_, chart) = page.split_once("<figure class=\"chart\">").unwrap();
    let (bars, rest) = chart.split_once("</figure>").unwrap();
    let (table, _) = rest.split_once("</details>").unwrap();
    let rows = table.matches("<th scope=\"row\">").count();
    assert_eq!(bars.matches("<rect").count(), rows);
    assert!(rows > 20, "{table}");
    let (_, latest) = page.split_once("id=\"latest\"").unwrap();
    assert_eq!(
        latest.matches("<td data-label=\"When\">").count(),
        6,
        "{latest}"
    );
}
