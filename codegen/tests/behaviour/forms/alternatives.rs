//! `multipart/form-data` whose form is one of several.

use crate::host::{echo, parts_to};
use behaviour::request;

#[tokio::test]
async fn parts_are_those_of_one_alternative() {
    let offer = async |parts: &[(&str, &str)]| parts_to("/choice", "PUT", parts).await;
    let a = offer(&[("code", "5"), ("cover", "x"), ("t", "a")]).await;
    assert_eq!(a.body, r#"["a","5",[120],0]"#);
    let b = offer(&[("t", "b"), ("code", "5"), ("pages", "x"), ("pages", "y")]).await;
    assert_eq!(b.body, r#"["b",5,null,2]"#);
    for (parts, issue) in [
        (vec![("t", "a"), ("code", "5")], "body /cover required"),
        (vec![("t", "b"), ("code", "x")], "body /code type"),
        (vec![("t", "c"), ("code", "x")], "body  oneOf"),
    ] {
        assert_eq!(offer(&parts).await.issues(), [issue], "{parts:?}");
    }
}

#[tokio::test]
async fn what_may_be_anything_may_be_bytes() {
    let headers = [("content-type", "multipart/form-data; boundary=x")];
    let mut form = Vec::new();
    for (name, bytes) in [
        ("t", &b"a"[..]),
        ("code", b"5"),
        ("cover", b""),
        ("more", b"\xff"),
    ] {
        form.extend(format!("--x\r\nContent-Disposition: form-data; name={name}\r\n\r\n").bytes());
        form.extend(bytes);
        form.extend(b"\r\n");
    }
    form.extend(b"--x--");
    let answer = request(&echo(), "PUT", "/choice", &headers, form).await;
    assert_eq!(answer.body, r#"["a","5",[],0]"#);
}

#[tokio::test]
async fn a_field_of_one_alternative_is_any_other_of_the_next() {
    let to = async |method: &str, parts: &[(&str, &str)]| parts_to("/silent", method, parts).await;
    for (parts, read) in [
        (vec![("ids", "1"), ("n", "2")], r#"[[1],null,2,{}]"#),
        (
            vec![("tags", "1"), ("x", "true")],
            r#"[null,"1",null,{"x":true}]"#,
        ),
        (
            vec![("tags", "1"), ("ids", "true")],
            r#"[true,"1",null,{}]"#,
        ),
    ] {
        let answer = to("POST", &parts).await;
        assert_eq!(answer.body, read, "{parts:?}");
    }
    for (parts, read) in [
        (
            vec![("kind", "b"), ("u", "1"), ("v", "2"), ("w", "3")],
            r#"["b",1,"2",3]"#,
        ),
        (
            vec![("kind", "a"), ("v", "2"), ("w", "3")],
            r#"["a",null,2,3]"#,
        ),
        (
            vec![("kind", "a"), ("v", "2"), ("w", "x"), ("u", "y")],
            r#"["a",null,2,"x"]"#,
        ),
    ] {
        let answer = to("PUT", &parts).await;
        assert_eq!(answer.body, read, "{parts:?}");
    }
    for parts in [
        vec![("kind", "a"), ("v", "x"), ("w", "3")],
        vec![("kind", "b"), ("w", "x")],
        vec![("kind", "b"), ("u", "x"), ("w", "1")],
        vec![("kind", "a")],
    ] {
        assert_eq!(to("PUT", &parts).await.status, 400, "{parts:?}");
    }
}
