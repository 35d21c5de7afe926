//! Servers, paths, queries and cookies.

use super::*;

fn param(place: &str, name: &str, more: Value) -> Value {
    let mut param = json!({ "in": place, "name": name, "schema": { "type": "string" } });
    for (member, value) in more.as_object().unwrap() {
        param[member] = value.clone();
    }
    param
}

fn request(path: &str, parameters: Vec<Value>) -> Value {
    let operation = with(silent("op"), "parameters", json!(parameters));
    only_item(json!({ path: { "get": operation } }))["request"].clone()
}

fn base_url(servers: Value) -> Vec<String> {
    let document = contract(json!({ "/a": { "get": silent("a") } }), json!({}));
    let collection = collection(&with(document, "servers", servers));
    rows(&collection["variable"])
}

#[test]
fn the_first_server_is_the_base_url() {
    assert_eq!(base_url(json!([])), ["baseUrl=http://127.0.0.1:8080"]);
    assert_eq!(
        base_url(json!([{ "url": "/" }])),
        ["baseUrl=http://127.0.0.1:8080"]
    );
    assert_eq!(
        base_url(json!([{ "url": "/api/v1" }, { "url": "https://b.example" }])),
        ["baseUrl=http://127.0.0.1:8080/api/v1"]
    );
    assert_eq!(
        base_url(json!([{
            "url": "https://{region}.a.example/{odd/",
            "variables": { "region": { "default": "eu", "enum": ["eu", "us"] } },
        }])),
        ["baseUrl=https://{{region}}.a.example/{odd", "region=eu"]
    );
}

#[test]
fn whole_segments_are_variables_and_parts_of_segments_are_filled_in() {
    let path = |name: &str, value: &str| {
        param(
            "path",
            name,
            json!({ "required": true, "examples": { "one": { "value": value } } }),
        )
    };
    let params = vec![
        path("owner", "ann"),
        path("file", "a.b"),
        path("ext", "pdf"),
    ];
    let url = &request("/:odd/{owner}/{file}.{ext}", params)["url"];
    assert_eq!(url["path"], json!([":odd", ":owner", "a%2Eb.pdf"]));
    assert_eq!(rows(&url["variable"]), ["odd=:odd", "owner=ann"]);
    assert_eq!(url["raw"], "{{baseUrl}}/:odd/:owner/a%2Eb.pdf");
}

#[test]
fn optional_parameters_are_there_but_not_sent() {
    let params = vec![
        param("query", "must", json!({ "required": true, "example": "x" })),
        param(
            "query",
            "may",
            json!({ "schema": { "type": "integer", "default": 7 } }),
        ),
        param("query", "bare", json!({})),
        param("header", "X-May", json!({ "example": "y" })),
    ];
    let request = request("/a", params);
    let url = &request["url"];
    assert_eq!(rows(&url["query"]), ["must=x", "-may=7", "-bare="]);
    assert_eq!(url["raw"], "{{baseUrl}}/a?must=x");
    assert_eq!(url["query"][1]["description"]["content"], "Default: `7`.");
    assert_eq!(rows(&request["header"]), ["-X-May=y"]);
}

#[test]
fn a_list_that_must_be_sent_has_an_item_and_each_property_has_a_row() {
    let query = |name: &str, more: Value| param("query", name, more);
    let list = json!({ "type": "array", "items": { "type": "integer", "minimum": 3 } });
    let object = json!({ "type": "object", "properties": {
        "a": { "type": "integer", "example": 5 }, "b": { "type": "string", "enum": ["x", "y"] } } });
    let deep =
        |required: bool| json!({ "style": "deepObject", "required": required, "schema": object });
    let params = vec![
        query("ids", json!({ "required": true, "schema": list })),
        query("more", json!({ "schema": list })),
        query("deep", deep(true)),
        query("maybe", deep(false)),
        query("spread", json!({ "schema": object })),
    ];
    assert_eq!(
        rows(&request("/a", params)["url"]["query"]),
        [
            "ids=3",
            "-more=",
            "deep[a]=5",
            "deep[b]=x",
            "-maybe[a]=5",
            "-maybe[b]=x",
            "-a=5",
            "-b=x"
        ]
    );
}

#[test]
fn further_examples_of_a_parameter_are_described() {
    let examples = json!({ "one": { "value": 1 }, "two": { "summary": "The second", "value": 2 } });
    let params = vec![param("query", "n", json!({ "examples": examples }))];
    let row = request("/a", params)["url"]["query"][0].clone();
    assert_eq!(row["value"], "1");
    assert_eq!(row["description"]["content"], "Or `2` (The second).");
}

#[test]
fn values_are_written_in_the_style_of_the_contract() {
    let list = json!({ "type": "array", "items": { "type": "string" } });
    let object = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let query = |name: &str, style: &str, explode: bool, schema: &Value, example: Value| {
        param(
            "query",
            name,
            json!({ "style": style, "explode": explode, "schema": schema, "example": example }),
        )
    };
    let params = vec![
        query("e", "form", true, &list, json!(["a", "b"])),
        query("f", "form", false, &list, json!(["a", "b"])),
        query("s", "spaceDelimited", false, &list, json!(["a", "b"])),
        query("p", "pipeDelimited", false, &list, json!(["a", "b"])),
        query("d", "deepObject", true, &object, json!({ "x": 1, "y": 2 })),
        query("o", "form", false, &object, json!({ "x": 1, "y": 2 })),
    ];
    assert_eq!(
        rows(&request("/a", params)["url"]["query"]),
        [
            "-e=a",
            "-e=b",
            "-f=a,b",
            "-s=a b",
            "-p=a|b",
            "-d[x]=1",
            "-d[y]=2",
            "-o=x,1,y,2"
        ]
    );
}

#[test]
fn path_values_are_written_in_the_style_of_the_contract() {
    let list = json!({ "type": "array", "items": { "type": "string" } });
    let path = |name: &str, style: &str, explode: bool| {
        param(
            "path",
            name,
            json!({
                "required": true, "style": style, "explode": explode,
                "schema": list, "example": ["a", "b"],
            }),
        )
    };
    let params = vec![
        path("s", "simple", false),
        path("l", "label", true),
        path("m", "matrix", false),
        path("n", "matrix", true),
    ];
    assert_eq!(
        rows(&request("/{s}/{l}/{m}/{n}", params)["url"]["variable"]),
        ["s=a,b", "l=.a.b", "m=;m=a,b", "n=;n=a;n=b"]
    );
}

#[test]
fn cookies_share_one_header() {
    let params = vec![
        param("cookie", "a", json!({ "required": true, "example": "1" })),
        param("cookie", "b", json!({ "required": true, "example": "2" })),
        param("cookie", "c", json!({ "example": "3" })),
    ];
    assert_eq!(
        rows(&request("/a", params)["header"]),
        ["Cookie=a=1; b=2", "-Cookie=a=1; b=2; c=3"]
    );
}

#[test]
fn a_query_string_is_a_form_or_one_text() {
    let address = |content: Value| {
        let param =
            json!({ "in": "querystring", "name": "q", "required": true, "content": content });
        let operation = with(silent("op"), "parameters", json!([param]));
        let mut document = contract(json!({ "/a": { "get": operation } }), json!({}));
        document["openapi"] = "3.2.0".into();
        collection(&document)["item"][0]["item"][0]["request"]["url"].clone()
    };
    let schema = json!({ "type": "object", "properties": { "a": { "type": "array", "items": { "type": "string" } } } });
    let example = json!({ "a": ["x", "y"], "b": 1 });
    let media = json!({ "schema": schema, "example": example });
    let form = address(json!({ "application/x-www-form-urlencoded": media }));
    assert_eq!(form["raw"], "{{baseUrl}}/a?a=x&a=y&b=1");
    let text = address(json!({ "application/json": media }));
    assert_eq!(text["raw"], "{{baseUrl}}/a?{\"a\":[\"x\",\"y\"],\"b\":1}");
    assert_eq!(text["query"][0]["value"], Value::Null);
}
