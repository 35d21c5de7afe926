//! A call never accepts media types that no response can have; the selftest of this contract calls the rest.

use calls_api::api::default::HealthResponse;

#[tokio::test]
async fn an_answer_to_head_has_no_body() {
    let answer = HealthResponse::Unauthorized.into_http();
    assert_eq!(answer.expect("an answer").status(), 401);
}
