//! Parameters in their styles, and callers.

use crate::host::{echo, get};
use behaviour::request;
use serde_json::json;

#[tokio::test]
async fn parameters_are_read_in_their_styles() {
    let target = "/base/parameters/1.5/1,2/x=3,y=-4/.label/;matrix=m%2Fn?exploded=a&exploded=b,c\
                  &joined=a,b%2Cc&spaced=1%202&piped=1|2&deep[x]=1&deep%5By%5D=2&flag=false\
                  &count=9&sort=asc&tags=";
    let headers = [
        ("x-list", "1, 2"),
        ("x-when", "2024-02-29"),
        ("cookie", "a=b; session=s%21"),
    ];
    let answer = get(target, &headers).await;
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    let expected = json!({
        "simple": 1.5, "list": [1, 2], "object": {"x": 3, "y": -4}, "label": "label",
        "matrix": "m/n", "exploded": ["a", "b,c"], "joined": ["a", "b,c"], "spaced": [1, 2],
        "piped": [1, 2], "deep": {"x": 1, "y": 2}, "flag": false, "count": 9, "sort": "asc",
        "tags": [], "xList": [1, 2], "xWhen": "2024-02-29", "session": "s!",
    });
    assert_eq!(answer.json(), expected);
}

#[tokio::test]
async fn absent_parameters_take_their_defaults() {
    let answer = get("/base/parameters/1/1/x=0/.l/;matrix=m", &[]).await;
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    let body = answer.json();
    assert_eq!(body["flag"], true);
    assert_eq!(body["count"], 5);
    assert_eq!(body["sort"], "desc");
    assert_eq!(body["tags"], json!(["a", "b"]));
    assert_eq!(body.get("exploded"), None);
}

#[tokio::test]
async fn everything_wrong_with_the_parameters_is_said_at_once() {
    let target = "/base/parameters/one/1,b/x=-1,z=1/label/;m=1?exploded=a&exploded=b&exploded=c\
                  &exploded=d&spaced=a&deep[z]=1&flag=maybe&count=10&sort=up&sort=down&typo=1&joined=%ff";
    let answer = get(target, &[("x-when", "yesterday"), ("cookie", "session=s")]).await;
    let found = answer.issues();
    for expected in [
        "cookie session minLength",
        "header X-When format",
        "path simple type",
        "query count exclusiveMaximum",
        "query exploded maxItems",
        "query flag type",
        "query joined format",
        "query sort type",
    ] {
        assert!(
            found.iter().any(|issue| issue == expected),
            "no {expected} in {found:#?}"
        );
    }
    for start in [
        "path list",
        "path object",
        "path label",
        "path matrix",
        "query spaced",
        "query deep",
        "query typo",
    ] {
        assert!(
            found.iter().any(|issue| issue.starts_with(start)),
            "no {start} in {found:#?}"
        );
    }
}

#[tokio::test]
async fn a_caller_is_known_where_the_contract_says_so() {
    let call = |method: &'static str, headers: &'static [(&str, &str)]| async move {
        let answer = request(&echo(), method, "/base/caller", headers, "").await;
        (
            answer.status,
            String::from_utf8_lossy(&answer.body).into_owned(),
        )
    };
    assert_eq!(call("GET", &[]).await, (200, "anybody".into()));
    assert_eq!(call("GET", &[("x-key", "ada")]).await, (200, "ada".into()));
    assert_eq!(call("PUT", &[("x-key", "ada")]).await, (200, "ada".into()));
    assert_eq!(call("PUT", &[]).await.0, 401);
    assert_eq!(call("GET", &[("x-key", "wrong")]).await.0, 401);
    assert_eq!(call("GET", &[("x-key", "often")]).await.0, 429);
    assert_eq!(call("HEAD", &[]).await, (200, String::new()));
}
