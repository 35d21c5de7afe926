//! Values that the client refuses to send, because the server would read others.

use super::*;
use std::sync::LazyLock;

#[tokio::test]
async fn what_would_be_read_as_another_value_is_not_sent() {
    let object = |place, style, explode| Param {
        shape: ParamShape::Object(&["a"]),
        ..list(place, style, explode)
    };
    let header = list(Place::Header, Style::Simple, false);
    let (path, cookie) = (
        list(Place::Path, Style::Simple, false),
        list(Place::Cookie, Style::Form, false),
    );
    let (label, dots) = (
        list(Place::Path, Style::Label, false),
        list(Place::Path, Style::Label, true),
    );
    let (matrix, spread) = (
        list(Place::Path, Style::Matrix, false),
        list(Place::Path, Style::Matrix, true),
    );
    let query = list(Place::Query, Style::Form, false);
    let pairs = list(Place::Query, Style::Form, true);
    let form = list(Place::Body, Style::Form, false);
    let bars = list(Place::Query, Style::PipeDelimited, false);
    let blanks = list(Place::Query, Style::SpaceDelimited, false);
    let repeated = list(Place::Query, Style::PipeDelimited, true);
    let member = object(Place::Header, Style::Simple, false);
    let assigned = object(Place::Header, Style::Simple, true);
    let deep = object(Place::Query, Style::DeepObject, true);
    let json = list(Place::Header, Style::Json, false);
    for (param, value, sendable) in [
        (&header, json!(["a", "b c"]), true),
        (&header, json!(["a,b"]), false),
        (&header, json!(["a", " b"]), false),
        (&header, json!(["a", ""]), true),
        (&header, json!(["", ""]), true),
        (&header, json!([]), true),
        (&header, json!([""]), false),
        (&text("x-t", Place::Header), json!(" a"), false),
        (&text("x-t", Place::Header), json!("a, b"), true),
        (&json, json!(["", null, "a,b"]), true),
        (&member, json!({ "a": "" }), true),
        (&member, json!({ "a": "b,c" }), false),
        (&assigned, json!({ "a=": "b" }), false),
        (&path, json!(["a,b", ""]), true),
        (&label, json!(["a.b"]), true),
        (&label, json!([""]), false),
        (&dots, json!(["a.b"]), false),
        (&matrix, json!([""]), false),
        (&spread, json!([""]), true),
        (&cookie, json!(["a,b", ""]), true),
        (&cookie, json!([""]), false),
        (&bars, json!(["a", "b,c"]), true),
        (&bars, json!(["a|b"]), false),
        (&blanks, json!(["a", "b|c"]), true),
        (&blanks, json!(["a b"]), false),
        (&repeated, json!(["a|b", ""]), true),
        (&query, json!(["a,b"]), true),
        (&query, json!([""]), false),
        (&pairs, json!([""]), true),
        (&deep, json!({ "a": null }), true),
        (&form, json!(["a,b"]), false),
        (&form, json!(["a,b", "c"]), true),
        (&form, json!([""]), false),
        (&form, json!(null), true),
        (&form, json!([1, null]), true),
        (&form, json!(["a", null]), false),
    ] {
        let request = RequestBuilder::new(Method::POST, "/x/{x-l}".to_owned());
        let request = match param.place {
            Place::Body => request.form(&json!({ "x-l": value }), std::slice::from_ref(param)),
            _ => request.param(param, &value),
        };
        assert_eq!(sent(request).await.is_ok(), sendable, "{param:?} {value}");
    }
}

#[tokio::test]
async fn what_its_schema_reads_as_another_value_is_not_sent() {
    let schemas = Schemas::parse(
        r#"{"Numbers": {"type": "array", "items": {"type": ["integer", "null"]}},
            "Words": {"type": "array", "items": {"type": ["string", "null"]}},
            "Either": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}}"#,
    );
    let of = |schema, shape| Param {
        schema,
        shape,
        ..list(Place::Header, Style::Simple, false)
    };
    let spread = |schema| Param {
        schema,
        ..list(Place::Query, Style::Form, true)
    };
    let (numbers, words) = (
        of("Numbers", ParamShape::Array),
        of("Words", ParamShape::Array),
    );
    let either = of(
        "Either",
        ParamShape::AnyOf(&[ParamShape::Scalar, ParamShape::Array]),
    );
    for (param, value, required, optional) in [
        (&numbers, json!([1, null]), true, true),
        (&numbers, json!([null]), false, false),
        (&numbers, json!([]), true, true),
        (&words, json!(["a", null]), false, false),
        (&words, json!(null), false, true),
        (&either, json!("a,b"), true, true),
        (&either, json!("1,2"), false, false),
        (&either, json!([1, 2]), true, true),
        (&spread("Numbers"), json!([null]), true, true),
        (&spread("Numbers"), json!([]), false, true),
        (&spread("Words"), json!([null]), false, false),
    ] {
        let request = || RequestBuilder::new(Method::GET, "/x".to_owned());
        let always = sent(request().required(&schemas, param, &value)).await;
        let given = sent(request().optional(&schemas, param, &Some(&value))).await;
        assert_eq!(
            (always.is_ok(), given.is_ok()),
            (required, optional),
            "{param:?} {value}"
        );
    }
}

#[tokio::test]
async fn null_beside_strings_is_no_part_of_one_text() {
    static FIELDS: Fields = Fields {
        named: &[("words", Field::text("").joined(','))],
        matched: &[],
        rest: None,
    };
    for (value, sendable) in [
        (json!(["a", "b"]), true),
        (json!([1, null]), true),
        (json!(["a", null]), false),
    ] {
        let form = FormWriter::of(&FIELDS).text("words", &value);
        let request = RequestBuilder::new(Method::POST, "/x".to_owned()).multipart(form);
        assert_eq!(sent(request).await.is_ok(), sendable, "{value}");
    }
}

#[tokio::test]
async fn what_makes_no_request_is_not_sent() {
    let (path, header) = (text("id", Place::Path), text("x-id", Place::Header));
    let request = || RequestBuilder::new(Method::GET, "/x/{id}".to_owned());
    for segment in ["", ".", ".."] {
        let error = sent(request().param(&path, segment)).await.unwrap_err();
        let ClientError::BuildError(error) = error else {
            panic!("{error:?}")
        };
        assert_eq!(error.to_string(), "id makes no path segment", "{segment:?}");
    }
    let error = sent(request().param(&header, "a\nb")).await.unwrap_err();
    assert!(matches!(
        error,
        ClientError::BuildError(BuildError { at: "x-id", .. })
    ));
    let unkeyed = std::collections::BTreeMap::from([(vec![0], 0)]);
    let error = sent(request().json("application/json", &unkeyed))
        .await
        .unwrap_err();
    assert!(matches!(
        error,
        ClientError::BuildError(BuildError { at: "body", .. })
    ));
}

#[tokio::test]
async fn a_member_that_would_be_read_as_another_parameter_is_not_sent() {
    let rest = Param {
        style: Style::Form,
        explode: true,
        shape: ParamShape::AnyOf(&[ParamShape::Scalar, ParamShape::Object(&["limit"])]),
        ..text("rest", Place::Query)
    };
    let page = Param {
        style: Style::DeepObject,
        ..text("page", Place::Query)
    };
    let open = Param {
        name: "open",
        schema: "Open",
        shape: ParamShape::Object(&[]),
        ..rest
    };
    let schemas = Schemas::parse(r#"{"Open":{"type":"object","additionalProperties":true}}"#);
    let declared = [
        text("id", Place::Path),
        text("limit", Place::Query),
        text("order", Place::Query),
        page,
        rest,
    ];
    let refused = async |declared: &[Param], members: Value| {
        let request = RequestBuilder::new(Method::GET, "/x".to_owned());
        match sent(request.check_shadowing(&schemas, declared, &rest, &members)).await {
            Err(ClientError::BuildError(flaw)) => {
                let reason = "would be read from a member of another parameter";
                assert_eq!(flaw.reason, reason);
                Some(flaw.at)
            }
            _ => None,
        }
    };
    for (members, at) in [
        (json!({ "colour": 1, "id": 2, "rest": 3, "pages": 4 }), None),
        // The contract itself names it twice.
        (json!({ "limit": 1 }), None),
        (json!({ "colour": 1, "order": 2 }), Some("order")),
        (json!({ "page[a]": 1 }), Some("page")),
        (json!("order"), None),
    ] {
        assert_eq!(refused(&declared, members.clone()).await, at, "{members}");
    }
    let both = [rest, open];
    assert_eq!(refused(&both, json!({ "limit": 1 })).await, None);
    assert_eq!(refused(&both, json!({ "colour": 1 })).await, Some("open"));
}

#[tokio::test]
async fn a_default_that_its_schema_refuses_is_not_sent() {
    let schemas = Schemas::parse(r#"{"Few":{"type":"integer","minimum":5}}"#);
    let few = Param {
        schema: "Few",
        ..text("few", Place::Query)
    };
    let uri = async |value: u8| {
        let request = RequestBuilder::new(Method::GET, "/x".to_owned());
        let sent = sent(request.defaulted(&schemas, &few, &value, "3")).await;
        sent.unwrap().uri().to_string()
    };
    assert!(!uri(3).await.contains("few"));
    // Another value is the service's to refuse.
    assert!(uri(4).await.ends_with("?few=4"));
    assert!(uri(5).await.ends_with("?few=5"));
}

#[tokio::test]
async fn what_a_segment_would_divide_in_another_way_is_not_sent() {
    let (name, ext) = (text("name", Place::Path), text("ext", Place::Path));
    for (template, values, sendable) in [
        ("/x/{name}.{ext}", ["a", "b.c"], Some("/x/a.b%2Ec")),
        ("/x/{name}.{ext}", ["a.b", "c"], Some("/x/a%2Eb.c")),
        ("/x/{name}:{ext}", ["a:b", "c"], Some("/x/a%3Ab:c")),
        ("/x/{name}.json", ["a.json", "c"], Some("/x/a.json.json")),
        ("/x/{name}/{ext}", ["a.b/", "c"], Some("/x/a.b%2F/c")),
        ("/{name}-{name}.{ext}", ["a-b", "c"], Some("/a%2Db-a%2Db.c")),
        ("/{name}{ext}", ["a", "bc"], Some("/abc")),
        ("/{name}{ext}", ["ab", "c"], None),
    ] {
        let request = RequestBuilder::new(Method::GET, template.to_owned());
        let request = request.param(&name, values[0]).param(&ext, values[1]);
        let request = sent(request).await.ok();
        let path = request.as_ref().map(|request| request.uri().path());
        assert_eq!(path, sendable, "{template} {values:?}");
    }
}

#[tokio::test]
async fn what_leads_to_another_operation_is_not_sent() {
    static RIVALS: &[&str] = &["/x/mine", "/x/{name}:cancel", "/x/{stem}.csv", "/x/{a}-{b}"];
    static OPERATION: LazyLock<Operation> = LazyLock::new(|| Operation {
        rivals: RIVALS,
        ..operation("/x/{name}")
    });
    let name = text("name", Place::Path);
    for (value, sendable) in [
        ("yours", Some("/api/x/yours")),
        ("x:cancel", Some("/api/x/x%3Acancel")),
        ("cancel", Some("/api/x/cancel")),
        ("mine", None),
        ("a.csv", None),
        ("a-b", None),
        ("a-", Some("/api/x/a-")),
    ] {
        let request = RequestBuilder::new(Method::GET, "/api/x/{name}".to_owned());
        let request = request.of(&*OPERATION).allow_reserved().param(&name, value);
        match sent(request).await {
            Ok(request) => assert_eq!(Some(request.uri().path()), sendable, "{value}"),
            Err(ClientError::BuildError(flaw)) => {
                assert_eq!((flaw.at, sendable), ("name", None), "{value}");
                assert_eq!(flaw.reason, "would lead to another operation");
            }
            Err(other) => panic!("{other}"),
        }
    }
}
