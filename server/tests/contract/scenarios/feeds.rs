//! The newest charities, as JSON and as Atom.

use std::sync::Arc;

use quick_xml::events::Event;
use serde_json::Value;

use super::super::fixture;
use super::super::test_request::TestRequest;
use super::super::world::Template;
use super::paging;

const DOMAIN: &str = "catalog.example.org";

async fn hold_the_newest(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let feed = TestRequest::get("/charities/feed")
        .expect(&world, 200)
        .await
        .json();
    let listed = paging::walk(&world, &TestRequest::get("/charities"), Some(200)).await;
    assert_eq!(feed["response"].as_array().unwrap()[..], listed[..50]);
}

async fn are_atom(template: Arc<Template>) {
    let world = template
        .world(|config| {
            config.service.name = "Lakes & <Friends>".to_owned();
            config.service.domain = DOMAIN.parse().unwrap();
            config.service.public_base_url = "https://api.example.org".parse().unwrap();
            config.service.charity_page = "https://example.org/c/{slug}?i={id}".parse().unwrap();
        })
        .await;
    let feed = TestRequest::get("/charities/feed")
        .expect(&world, 200)
        .await
        .json();
    let charities = feed["response"].as_array().unwrap();
    let atom = TestRequest::get("/charities/feed.atom")
        .expect(&world, 200)
        .await;
    assert_eq!(atom.header("content-type"), Some("application/atom+xml"));
    let elements = elements(std::str::from_utf8(&atom.body).unwrap());
    let texts = |path: &str| -> Vec<&str> {
        let of_path = elements.iter().filter(|(at, _, _)| at == path);
        of_path.map(|(_, text, _)| text.as_str()).collect()
    };
    assert_eq!(texts("feed/author/name"), ["Lakes & <Friends>"]);
    assert_eq!(texts("feed/id").len(), 1);
    assert_eq!(
        texts("feed/updated"),
        [charities[0]["listedAt"].as_str().unwrap()]
    );
    let of_all = |text: &dyn Fn(&Value) -> String| charities.iter().map(text).collect::<Vec<_>>();
    let member = |name: &'static str| move |it: &Value| it[name].as_str().unwrap().to_owned();
    assert_eq!(
        texts("feed/entry/id"),
        of_all(&|it| format!("tag:{DOMAIN},2026:charity:{}", it["id"].as_str().unwrap()))
    );
    assert_eq!(texts("feed/entry/title"), of_all(&member("name")));
    assert_eq!(texts("feed/entry/updated"), of_all(&member("listedAt")));
    assert_eq!(texts("feed/entry/summary"), of_all(&member("description")));
    let links: Vec<_> = elements
        .iter()
        .filter(|(at, _, _)| at == "feed/entry/link")
        .map(|(_, _, href)| href.clone().unwrap())
        .collect();
    let page = |it: &Value| {
        let text = |name: &str| it[name].as_str().unwrap().to_owned();
        format!("https://example.org/c/{}?i={}", text("slug"), text("id"))
    };
    assert_eq!(links, of_all(&page));
    let own = elements
        .iter()
        .find(|(at, _, _)| at == "feed/link")
        .unwrap();
    assert_eq!(
        own.2.as_deref(),
        Some("https://api.example.org/api/v1/charities/feed.atom")
    );
    assert!(texts("feed/entry/title").contains(&"Lakes & \"Friends\" <of> Ünïcode ☃"));
    assert_eq!(charities.len(), 50.min(fixture::ACTIVE));
}

/// Every element of a document in the Atom namespace: its path, its text, its `href`.
fn elements(xml: &str) -> Vec<(String, String, Option<String>)> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let (mut path, mut found): (Vec<String>, Vec<_>) = (Vec::new(), Vec::new());
    let mut texts: Vec<String> = Vec::new();
    loop {
        let event = reader.read_event().unwrap();
        match &event {
            Event::Eof => return found,
            Event::Start(tag) | Event::Empty(tag) => {
                path.push(tag.name().as_ref().to_owned());
                texts.push(String::new());
                let attribute = |name: &str| {
                    let value = tag.try_get_attribute(name).unwrap();
                    value.map(|it| {
                        it.normalized_value(quick_xml::XmlVersion::Explicit1_0)
                            .unwrap()
                            .into_owned()
                    })
                };
                if path.len() == 1 {
                    assert_eq!(attribute("xmlns").unwrap(), "http://www.w3.org/2005/Atom");
                }
                found.push((path.join("/"), String::new(), attribute("href")));
                if matches!(event, Event::Empty(_)) {
                    path.pop();
                    texts.pop();
                }
            }
            Event::Text(text) => {
                if let Some(whole) = texts.last_mut() {
                    whole.push_str(text);
                }
            }
            Event::GeneralRef(name) => {
                let name: &str = name;
                let character = quick_xml::escape::unescape(&format!("&{name};"))
                    .unwrap()
                    .into_owned();
                texts.last_mut().unwrap().push_str(&character);
            }
            Event::End(_) => {
                let (at, text) = (path.join("/"), texts.pop().unwrap());
                path.pop();
                if let Some(last) = found.iter_mut().rev().find(|it| it.0 == at) {
                    last.1 = text;
                }
            }
            _ => {}
        }
    }
}

super::theme! {
    hold_the_newest,
    are_atom,
}
