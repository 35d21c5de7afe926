//! Media types and statuses of answers.

use crate::host::get;

#[tokio::test]
async fn a_client_that_accepts_nothing_there_is_is_told() {
    let accepting = |accept: &'static str| {
        get(
            "/base/statuses/200",
            Box::leak(Box::new([("accept", accept)])),
        )
    };
    for accept in ["text/plain", "text/*;q=0.1", "*/*", "application/json", ""] {
        assert_eq!(accepting(accept).await.status, 200, "{accept}");
    }
    for accept in ["text/html", "*/*;q=0", "image/png, application/pdf"] {
        assert_eq!(accepting(accept).await.status, 406, "{accept}");
    }
    for (accept, answered) in [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("text/plain", "text/plain"),
        ("text/*, application/json;q=0.9", "text/plain"),
        ("*/*;q=0.5, application/json;q=0.4", "text/plain"),
        ("text/plain;q=0, */*", "application/json"),
        (
            "text/plain;q=0.2, text/*;q=1, */*;q=0.3",
            "application/json",
        ),
    ] {
        let answer = accepting(accept).await;
        assert_eq!(answer.header("content-type"), answered, "{accept}");
    }
    let refused = get("/base/statuses/201", &[("accept", "application/json")]).await;
    assert_eq!(refused.status, 406, "a handler that does not listen");
}

#[tokio::test]
async fn every_kind_of_status_is_answered() {
    for (code, status, media_type, body) in [
        (200, 200, "application/json", r#"{"text":"200"}"#),
        (204, 204, "", ""),
        (301, 301, "", ""),
        (404, 404, "text/plain", "404"),
        (410, 410, "application/json", r#"{"text":"410"}"#),
        (418, 418, "text/plain", "418"),
        (503, 503, "application/json", r#"{"text":"503"}"#),
        (202, 202, "", ""),
        (307, 307, "", ""),
    ] {
        let answer = get(&format!("/base/statuses/{code}"), &[]).await;
        assert_eq!(answer.status, status, "{code}");
        assert!(
            answer.header("content-type").starts_with(media_type),
            "{code}"
        );
        assert_eq!(answer.body, body, "{code}");
        assert_eq!(
            answer.header("via"),
            "echo",
            "every answer has the admission's headers"
        );
    }
    assert_eq!(
        get("/base/statuses/301", &[]).await.header("location"),
        "/there"
    );
    assert_eq!(get("/base/statuses/307", &[]).await.header("x-why"), "odd");
    assert_eq!(
        get("/base/statuses/302", &[]).await.status,
        500,
        "302 is no 4XX"
    );
    // A handler may answer a listed status by another response.
    for (code, status) in [(303, 200), (411, 410)] {
        let answer = get(&format!("/base/statuses/{code}"), &[]).await;
        assert_eq!(answer.status, status);
    }
}

#[tokio::test]
async fn the_framework_answers_for_a_handler_that_cannot() {
    let answer = get("/base/statuses/500", &[]).await;
    assert_eq!((answer.status, answer.header("retry-after")), (503, "7"));
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let answer = get("/base/statuses/501", &[]).await;
    std::panic::set_hook(hook);
    assert_eq!(answer.status, 500);
    assert!(
        !String::from_utf8_lossy(&answer.body).contains("fails"),
        "{:?}",
        answer.body
    );
    assert_eq!(
        get("/base/statuses/99", &[]).await.issues(),
        ["path code minimum"]
    );
    assert_eq!(get("/nowhere", &[]).await.status, 404);
    let answer = get("/base/convert", &[]).await;
    assert_eq!((answer.status, answer.header("allow")), (405, "POST"));
}
