//! Unions: values of one of the variants, and the variant that a value names.

use crate::{echoes, post, refuses};
use serde_json::{Value, json};
use shapes_api::models;

#[tokio::test]
async fn unions_take_what_one_of_them_takes() {
    echoes(
        "unions",
        &[
            json!({"tagged": {"kind": "cat", "lives": 9, "enemy": {"kind": "dog", "tricks": []}}}),
            json!({"tagged": {"kind": "kitten"}}),
            json!({"implicit": {"kind": "Dog", "tricks": ["sit"]}}),
            json!({"untagged": {"radius": 1.5}}),
            json!({"untagged": {"side": 2.5}}),
            json!({"first": {"radius": 1.5}}),
            json!({"scalar": null}),
            json!({"scalar": "abc"}),
            json!({"scalar": 9}),
            json!({"scalar": true}),
            json!({"numbers": 9}),
            json!({"numbers": 9.5}),
            json!({"strings": "auto"}),
            json!({"strings": "#00ff00"}),
            json!({"nested": "text"}),
            json!({"nested": 1}),
            json!({"nested": null}),
            json!({"single": {"radius": 0.5}}),
            json!({"boolean": [1]}),
            json!({"impossible": "text"}),
            json!({"constants": 1}),
            json!({"constants": "one"}),
            json!({"constants": true}),
            json!({"constants": null}),
            json!({"inline": {"a": "x"}}),
            json!({"inline": {"b": "x"}}),
            json!({"parent": {"kind": "grey", "name": "Akela", "pack": 7}}),
            json!({"parent": {"kind": "Lynx", "name": "Lu", "prey": {"kind": "Beast", "name": "Mu"}}}),
            json!({"told": {"type": "van"}}),
            json!({"told": {"type": "bicycle"}}),
            json!({"again": {"id": "1", "code": "abc", "before": {"id": "2"}}}),
            json!({"again": {"id": "1", "deleted": true, "before": {"id": "2", "deleted": true}}}),
            json!({"closed": {"radius": 1.5}}),
            json!({"paid": {"amount": 1.5, "card": "x"}}),
            json!({"listed": 2}),
            json!({"named": {"kind": "Bird", "radius": 0.5}}),
            json!({"packs": {"kind": "Cat", "lives": 9}}),
            json!({"packs": {"kind": "Sure", "sure": true}}),
            json!({"most": {"a": "1", "b": "2"}}),
            json!({"job": {"runner": 7, "size": 1}}),
            json!({"job": {"runner": null}}),
            json!({"stored": {"kind": "file", "size": 9}}),
            json!({"stored": {"kind": "shortcut", "to": "/a"}}),
            json!({"stored": "/a"}),
            json!({"stored": [{"kind": "file"}, [[], "/b"]]}),
        ],
    )
    .await;
}

/// A value without the member that names its variant can be read again once it is written.
#[test]
fn what_names_a_variant_is_written_where_the_variant_lacks_it() {
    use models::{Bird, Fish, Named, Square, Sure};

    let fish = |kind: Option<&str>| {
        Named::Fish(Fish {
            kind: kind.map(str::to_owned),
            deep: Some(true),
        })
    };
    let notes = models::Notes::from([("a".to_owned(), "b".to_owned())]);
    let known = models::Notes::from([("kind".to_owned(), "Notes".to_owned())]);
    let cases = [
        (fish(None), json!({"kind": "Fish", "deep": true})),
        (fish(Some("Fish")), json!({"kind": "Fish", "deep": true})),
        (
            Named::Bird(Bird::Square(Square { side: 2.0 })),
            json!({"kind": "Bird", "side": 2.0}),
        ),
        (
            Named::Perhaps(Some(Sure { sure: true })),
            json!({"kind": "Perhaps", "sure": true}),
        ),
        (Named::Notes(notes), json!({"kind": "Notes", "a": "b"})),
        (Named::Notes(known), json!({"kind": "Notes"})),
    ];
    for (value, written) in cases {
        let text = serde_json::to_string(&value).expect("it can be written");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), written);
        let read: Named = serde_json::from_str(&text).expect("what is written can be read");
        assert_eq!(serde_json::to_value(&read).unwrap(), written);
    }
}

#[test]
fn a_variant_keeps_the_name_that_it_came_with() {
    use models::{Bird, Square, Winged};

    for sent in [
        json!({"kind": "owl", "side": 2.0}),
        json!({"kind": "gull", "side": 2.0}),
        json!({"kind": "ray", "deep": true}),
        json!({"kind": "skate", "deep": true}),
    ] {
        let read: Winged = serde_json::from_value(sent.clone()).expect("a winged one");
        assert_eq!(serde_json::to_value(&read).unwrap(), sent);
    }
    let gull = Winged::Gull(Bird::Square(Square { side: 2.0 }));
    let written = json!({"kind": "gull", "side": 2.0});
    assert_eq!(serde_json::to_value(&gull).unwrap(), written);
}

/// A value that is in doubt at every depth, and wrong at the last: to try both variants at each
/// would take for ever.
fn doubted(depth: usize) -> Value {
    let wrong = json!({"id": 1, "deleted": true});
    let deep = (0..depth).fold(wrong, |before, _| {
        json!({"id": "1", "deleted": true, "before": before})
    });
    json!({ "again": deep })
}

#[tokio::test]
async fn unions_refuse_what_none_or_too_many_take() {
    for body in [
        json!({"tagged": {"kind": "cow"}}),
        json!({"tagged": {"lives": 1}}),
        json!({"tagged": {"kind": "cat", "lives": 10}}),
        json!({"tagged": {"kind": "cat", "enemy": {"kind": "cat", "lives": 10}}}),
        json!({"implicit": {"kind": "cow"}}),
        json!({"untagged": {"radius": 1, "side": 1}}),
        json!({"untagged": {"radius": -1}}),
        json!({"untagged": {}}),
        json!({"first": {}}),
        json!({"scalar": "abcd"}),
        json!({"scalar": 10}),
        json!({"scalar": 1.5}),
        json!({"scalar": []}),
        json!({"numbers": "9"}),
        json!({"strings": "#00FF00"}),
        json!({"nested": 1.5}),
        json!({"impossible": 1}),
        json!({"constants": 2}),
        json!({"constants": false}),
        json!({"inline": {"a": "x", "b": "x"}}),
        json!({"parent": {"kind": "grey", "name": "Akela"}}),
        json!({"parent": {"kind": "Wolf", "name": "Akela", "pack": 7}}),
        json!({"told": {"type": "Car"}}),
        json!({"again": {"id": "1", "before": {"id": 2}}}),
        json!({"closed": {"radius": 1.5, "side": 1.5}}),
        json!({"paid": {"card": "x", "iban": "x"}}),
        json!({"paid": {"card": "x", "side": 1.5}}),
        json!({"listed": 3}),
        json!({"packs": {"kind": "Counts"}}),
        json!({"packs": {"lives": 9}}),
        json!({"job": {"runner": 1.5}}),
        json!({"job": {"size": 1.5}}),
        json!({"stored": {"kind": "folder"}}),
        json!({"stored": {"kind": "file", "size": 10}}),
        json!({"stored": ["/a", "/b", "/c"]}),
        json!({"stored": [{"kind": "file", "size": 10}]}),
        json!({"stored": "a"}),
        json!({"stored": 1}),
        doubted(60),
    ] {
        let answer = post("unions", &body).await;
        assert_eq!(
            answer.status,
            400,
            "{body}: {}",
            String::from_utf8_lossy(&answer.body)
        );
        assert!(!answer.issues().is_empty(), "{body}");
    }
}

#[tokio::test]
async fn a_value_is_judged_as_the_variant_that_it_names() {
    let cat = json!({"tagged": {"kind": "kitten", "enemy": {"kind": "cat", "lives": 10}}});
    let cow = json!({"tagged": {"kind": "cow"}, "implicit": {"kind": "cat"}});
    refuses(
        "unions",
        &[
            (cat, &["/tagged/enemy/lives maximum"]),
            (
                cow,
                &["/implicit/kind discriminator", "/tagged/kind discriminator"],
            ),
        ],
    )
    .await;
}
