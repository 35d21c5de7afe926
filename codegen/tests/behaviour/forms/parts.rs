//! `multipart/form-data`: fields and files by their names, and without names of their own.

use crate::host::{client, parts_to};
use bytes::Bytes;
use forms_api::api::forms::*;
use forms_api::runtime::File;
use behaviour::Answer;
use serde_json::json;
use std::collections::BTreeMap;

async fn parts(method: &str, parts: &[(&str, &str)]) -> Answer {
    parts_to("/parts", method, parts).await
}

#[tokio::test]
async fn parts_without_a_name_of_their_own_are_kept() {
    let named = [
        ("b", "2"),
        ("title", "t"),
        ("ids[]", "5"),
        ("a", "1"),
        ("ids[]", "6"),
    ];
    let answer = parts("POST", &named).await;
    assert_eq!(answer.body, r#"["t",[5,6],null,null,null,{"a":1,"b":2}]"#);
    let wrong = [("a", "0"), ("b", "x"), ("c", "1"), ("c", "2"), ("d/e", "")];
    let issues = [
        "body /a minimum",
        "body /b type",
        "body /c type",
        "body /d~1e type",
        "body /title required",
    ];
    assert_eq!(parts("POST", &wrong).await.issues(), issues);
}

#[tokio::test]
async fn files_without_a_name_of_their_own_arrive_as_others_do() {
    let named = [("x", "1"), ("shelf[row]", "7"), ("cover", "2"), ("y", "3")];
    let answer = parts("PUT", &named).await;
    assert_eq!(
        answer.body,
        r#"x: 1, cover: 2, y: 3, Some(7) true 0 ["x", "y"]"#
    );
    let twice = parts("PUT", &[("x", "1"), ("x", "2")]).await;
    assert_eq!(twice.issues(), ["body /x type"]);
    let lists = parts("PATCH", &[("x", "1"), ("y", "2"), ("x", "3")]).await;
    assert_eq!(lists.body, r#"[("x", 2), ("y", 1)]"#);
    let three = parts("PATCH", &[("x", "1"), ("x", "2"), ("x", "3")]).await;
    assert_eq!(three.issues(), ["body /x maxItems"]);
}

#[tokio::test]
async fn alternatives_are_parts_of_what_each_of_them_is() {
    let mut all = vec![("title", "t"), ("model", "b c"), ("size", "3")];
    all.extend([("marks", "x"), ("marks", "y")]);
    let answer = parts("POST", &all).await;
    assert_eq!(answer.body, r#"["t",null,"b c",3,["x","y"],{}]"#);
    let one = parts("POST", &[("title", "t"), ("size", "true"), ("marks", "x")]).await;
    assert_eq!(one.body, r#"["t",null,null,true,"x",{}]"#);
    let none = parts("POST", &[("title", "t"), ("size", "x")]).await;
    assert_eq!(none.issues().len(), 1);
    let files = parts("PUT", &[("pages", "1"), ("pages", "2")]).await;
    assert_eq!(files.body, "pages: 1, pages: 2, None false 2 []");
}

#[tokio::test]
async fn what_stands_alone_in_all_of_is_what_it_is() {
    let answer = parts_to("/wrapped", "POST", &[("grade", "good"), ("x", "bad")]).await;
    assert_eq!(answer.body, r#"["good",{"x":"bad"}]"#);
    let wrong = parts_to("/wrapped", "POST", &[("grade", "fair"), ("x", "so")]).await;
    assert_eq!(wrong.issues(), ["body /grade enum", "body /x enum"]);
}

#[tokio::test]
async fn the_client_sends_parts_without_a_name_of_their_own() {
    let (client, _) = client();
    let form = PartsForm {
        title: "t".into(),
        ids: Some(vec![5]),
        model: None,
        size: serde_json::from_value(json!(7)).expect("a size"),
        marks: serde_json::from_value(json!("m")).expect("a mark"),
        other_fields: BTreeMap::from([("a".into(), 1), ("b".into(), 2)]),
    };
    let Ok(PartsResponse::Ok { body }) = client.parts(form).await else {
        panic!("an answer");
    };
    assert_eq!(body, r#"["t",[5],null,7,"m",{"a":1,"b":2}]"#);
    let form = FilesForm {
        shelf: None,
        cover: None,
        pages: Vec::new(),
        other_fields: BTreeMap::from([("x".into(), File::from(Bytes::from_static(b"1")))]),
    };
    let Ok(FilesResponse::Ok { body }) = client.files(form.into()).await else {
        panic!("an answer");
    };
    assert_eq!(body, r#"x: 1, None false 0 ["x"]"#);
}

#[tokio::test]
async fn what_is_said_of_a_form_beyond_its_fields_holds() {
    let count = async |parts: &[(&str, &str)]| parts_to("/choice", "PATCH", parts).await;
    let all = count(&[("a", "5"), ("n_x", "7"), ("b", "1")]).await;
    assert_eq!(all.body, r#"["5",[1],{"n_x":7}]"#);
    for (parts, issue) in [
        (vec![], "body  minProperties"),
        (vec![("a", "5")], "body /b dependentRequired"),
        (vec![("n_x", "y")], "body /n_x type"),
        (vec![("m", "y")], "body /m additionalProperties"),
        (
            vec![("n_a", "1"), ("n_b", "1"), ("n_c", "1"), ("b", "1")],
            "body  maxProperties",
        ),
    ] {
        assert_eq!(count(&parts).await.issues(), [issue], "{parts:?}");
    }
    let number = async |parts: &[(&str, &str)]| parts_to("/numbered", "POST", parts).await;
    assert_eq!(number(&[("c", "5")]).await.status, 204);
    assert_eq!(number(&[]).await.issues(), ["body  minProperties"]);
    let three = number(&[("a", "1"), ("b", "1"), ("c", "1")]).await;
    assert_eq!(three.issues(), ["body  maxProperties"]);
}

#[tokio::test]
async fn parts_are_what_their_names_match() {
    let to =
        async |method: &str, parts: &[(&str, &str)]| parts_to("/patterns", method, parts).await;
    let all = [
        ("n_a", "7"),
        ("file_b", "x"),
        ("title", "t"),
        ("file_a", "y"),
        ("other", "z"),
    ];
    let answer = to("POST", &all).await;
    assert_eq!(answer.body, r#"["t",[121],[["file_b",[120]]],{"n_a":7}]"#);
    for (parts, issue) in [
        (vec![("file_a", "y"), ("n_a", "0")], "body /n_a minimum"),
        (vec![("file_a", "y"), ("n_a", "x")], "body /n_a type"),
        (vec![("title", "t")], "body /file_a required"),
        (vec![("file_a", "y"), ("file_a", "y")], "body /file_a type"),
    ] {
        assert_eq!(to("POST", &parts).await.issues(), [issue], "{parts:?}");
    }
    let all = [
        ("x_1", "7"),
        ("o_1", r#"{"row":1}"#),
        ("y_1", "1"),
        ("y_1", "2"),
    ];
    let answer = to("PUT", &all).await;
    assert_eq!(
        answer.body,
        r#"[null,[["y_1",2]],{"o_1":{"row":1},"x_1":7}]"#
    );
    for (parts, issue) in [
        (vec![("x_1", "{}")], "body /x_1 type"),
        (vec![("o_1", "7")], "body /o_1 type"),
        (vec![("z", "7")], "body /z additionalProperties"),
        (
            vec![("y_1", "1"), ("y_1", "2"), ("y_1", "3")],
            "body /y_1 maxItems",
        ),
        (
            vec![
                ("y_1", "1"),
                ("y_2", "2"),
                ("y_3", "3"),
                ("a", "1"),
                ("x_", "1"),
            ],
            "body  maxProperties",
        ),
    ] {
        assert_eq!(to("PUT", &parts).await.issues(), [issue], "{parts:?}");
    }
    let answer = to("PATCH", &[("a_file", "12345"), ("b", "123")]).await;
    assert_eq!(answer.body, r#"[["a_file"],{"b":"123"}]"#);
    let long = to("PATCH", &[("b", "1234")]).await;
    assert_eq!(long.issues(), ["body /b maxLength"]);
}
