//! The requests for which the generated server and the handwritten one must give equal responses: valid
//! ones, and for each check one that fails it.

/// All of them, each for a connection of its own.
pub(crate) fn all() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for target in READS {
        all.push(request("GET", target, &[], ""));
    }
    for (method, target) in [("DELETE", "/pets"), ("PUT", "/pets/1"), ("HEAD", "/pets/1")] {
        all.push(request(method, target, &[], ""));
    }
    for accept in [
        "application/*",
        "text/html, */*;q=0.1",
        "text/html",
        "application/json;q=0",
    ] {
        all.push(request("GET", "/pets/1", &[("accept", accept)], ""));
    }
    for trace in ["", "a", &"é".repeat(64), &"x".repeat(65)] {
        all.push(request("GET", "/pets/1", &[("x-trace", trace)], ""));
    }
    for body in BODIES {
        all.push(request("POST", "/pets", &[JSON], body));
    }
    let long = format!(r#"{{"name":"{}","age":1}}"#, "x".repeat(61));
    all.push(request(
        "POST",
        "/pets?a=1",
        &[("content-type", "application/json; charset=utf-8")],
        &long,
    ));
    all.push(request(
        "POST",
        "/pets",
        &[("content-type", "text/plain")],
        "{}",
    ));
    all.push(request("POST", "/pets", &[JSON, ("accept", "a/b")], "{}"));
    let huge = "x".repeat(70_000);
    all.push(request("POST", "/pets", &[JSON], &huge));
    all
}

const JSON: (&str, &str) = ("content-type", "application/json");

const READS: &[&str] = &[
    "/pets/1",
    "/pets/1000000?detail=short",
    "/pets/%34?detail=full",
    "/pets/0",
    "/pets/1000001",
    "/pets/-1?detail=long",
    "/pets/01",
    "/pets/1.5",
    "/pets/x?other=1&detail=short&detail=full",
    "/pets",
    "/pets?limit=1",
    "/pets?limit=200&tag=cat",
    "/pets?limit=50&tag=dog",
    "/pets?limit=0&tag=",
    "/pets?limit=201&tag=a%20very%20long%20tag%20indeed",
    "/pets?limit=&limit=1&x%79z=1",
    "/",
    "/pets/",
    "/pets/1/2",
    "/Pets",
];

const BODIES: &[&str] = &[
    r#"{"name":"Rex","age":0}"#,
    r#"{ "age" : 50 , "tag" : "a-9" , "name" : "<b>\u00e9</b>" }"#,
    r#"{"name":"","age":-1}"#,
    r#"{"name":"Rex","age":51,"tag":"Cat"}"#,
    r#"{"name":1,"tag":"-","age":"1"}"#,
    r#"{"name":"Rex","age":1.5,"extra":true}"#,
    r#"{"tag":"abcdefghijklmnopqrstu"}"#,
    "{}",
    "[]",
    "null",
    "{",
    r#"{"name":"Rex","age":1}}"#,
];

fn request(method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut text =
        format!("{method} {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        text.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    text.push_str("\r\n");
    text.push_str(body);
    text.into_bytes()
}
