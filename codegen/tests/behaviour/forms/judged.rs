//! `multipart/form-data` that is judged as a whole, and of which files pass by.

use crate::host::parts_to;
use behaviour::Answer;

async fn judge(parts: &[(&str, &str)]) -> Answer {
    parts_to("/judged", "POST", parts).await
}

#[tokio::test]
async fn a_file_is_as_long_as_an_alternative_wants_it() {
    let (small, large) = ("x".repeat(5000), "x".repeat(5001));
    for (kind, cover) in [("small", &small), ("large", &large), ("any", &large)] {
        let answer = judge(&[("cover", cover), ("kind", kind)]).await;
        assert_eq!(answer.body, format!(r#"["{kind}",true,0]"#), "{kind}");
    }
    for (kind, cover, issue) in [
        ("small", &large, "body /cover maxLength"),
        ("large", &small, "body /cover minLength"),
    ] {
        let answer = judge(&[("kind", kind), ("cover", cover)]).await;
        assert_eq!(answer.issues(), [issue], "{kind}");
    }
}

#[tokio::test]
async fn files_may_be_alike() {
    let pages = [("kind", "any"), ("pages", "1"), ("pages", "1"), ("pages", "")];
    assert_eq!(judge(&pages).await.body, r#"["any",false,3]"#);
    let one = judge(&[("kind", "any"), ("pages", "1234")]).await;
    assert_eq!(one.body, r#"["any",false,1]"#);
}

#[tokio::test]
async fn what_is_wrong_with_a_file_is_said_of_its_bytes() {
    let noted = [("kind", "any"), ("note", "n")];
    let cover = judge(&[&noted[..], &[("cover", "12345")]].concat()).await;
    assert_eq!(cover.issues(), ["body /cover maxLength"]);
    let message = &cover.json()["issues"][0]["message"];
    assert_eq!(message, "must have at most 4 bytes");
    let pages = judge(&[&noted[..], &[("pages", "1"), ("pages", "12345")]].concat()).await;
    assert_eq!(pages.issues(), ["body /pages/1 maxLength"]);
    let three = judge(&[("kind", "any"), ("pages", "123")]).await;
    assert_eq!(three.issues(), ["body /pages/0 anyOf"]);
}

#[tokio::test]
async fn names_that_end_differently_are_told_apart() {
    let parts = [("a_scan", "x"), ("b_id", "7")];
    let answer = parts_to("/ends", "POST", &parts).await;
    assert_eq!(answer.body, r#"[["a_scan"],{"b_id":7}]"#);
    let wrong = parts_to("/ends", "POST", &[("b_id", "x")]).await;
    assert_eq!(wrong.issues(), ["body /b_id type"]);
}
