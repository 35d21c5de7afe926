//! The collections of the repository's own contract, compared with the published contract.

use serde_json::Value;
use std::collections::BTreeSet;

const CONTRACT: &str = include_str!("../../spec/openapi.yaml");

#[cfg(test)]
mod own_contract {
    use super::*;

    /// The file of that path, rendered from the contract.
    fn rendered(path: &str) -> String {
        let source = codegen::Source {
            name: "spec/openapi.yaml".into(),
            text: CONTRACT.into(),
        };
        let options = codegen::Options {
            crate_name: "generated".into(),
            workspace: codegen::Workspace::Inherited,
            runtime: codegen::Runtime::Copy,
            strict: true,
            samples: Vec::new(),
            ..codegen::Options::default()
        };
        let output = codegen::generate(&source, &options).unwrap();
        output.files.get(path).unwrap().to_owned()
    }

    const FILES: [&str; 2] = ["postman/collection.json", "postman/conformance.json"];

    fn collection() -> Value {
        read(FILES[0])
    }

    fn read(path: &str) -> Value {
        serde_json::from_str(&rendered(path)).unwrap()
    }

    /// The contract as it is published.
    fn contract() -> Value {
        serde_json::from_str(&rendered("openapi.json")).unwrap()
    }

    /// The value that a reference within the contract leads to.
    fn resolve<'a>(contract: &'a Value, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(reference) => contract.pointer(&reference[1..]).unwrap(),
            None => value,
        }
    }

    fn list(value: &Value) -> &[Value] {
        value.as_array().map(Vec::as_slice).unwrap_or_default()
    }

    fn items(collection: &Value) -> Vec<&Value> {
        let folders = list(&collection["item"]).iter();
        let folders = folders.filter(|folder| folder["name"] != "Rejections");
        folders.flat_map(|folder| list(&folder["item"])).collect()
    }

    /// `GET /tokens/{chainId}`, from the request's own path.
    fn route_of(item: &Value) -> String {
        let segments = list(&item["request"]["url"]["path"]).iter();
        let path: String = segments
            .map(|segment| match segment.as_str().unwrap() {
                plain if !plain.starts_with(':') => format!("/{plain}"),
                variable => format!("/{{{}}}", &variable[1..]),
            })
            .collect();
        format!("{} {path}", item["request"]["method"].as_str().unwrap())
    }

    /// Every operation of the contract with its route.
    fn operations(contract: &Value) -> Vec<(String, &Value)> {
        let paths = contract["paths"].as_object().unwrap().iter();
        let each = paths.flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().iter();
            let methods = methods.filter(|(_, member)| member["responses"].is_object());
            methods.map(move |(method, operation)| {
                (format!("{} {path}", method.to_uppercase()), operation)
            })
        });
        each.collect()
    }

    #[test]
    fn each_operation_is_there_exactly_once() {
        let contract = contract();
        let described = operations(&contract).into_iter();
        let mut described: Vec<_> = described.map(|(route, _)| route).collect();
        described.sort();
        for file in FILES {
            let collection = read(file);
            let mut rendered: Vec<_> = items(&collection).into_iter().map(route_of).collect();
            rendered.sort();
            assert_eq!(rendered, described, "{file}");
        }
    }

    #[test]
    fn saves_every_example_of_a_successful_response() {
        let (collection, contract) = (collection(), contract());
        for (route, operation) in operations(&contract) {
            let items = items(&collection);
            let item = items.iter().find(|item| route_of(item) == route).unwrap();
            let saved = |status: &str| {
                let all = list(&item["response"]).iter();
                let status: u16 = status.parse().unwrap();
                all.filter(|saved| saved["code"] == status).count()
            };
            let documented = operation["responses"].as_object().unwrap();
            for (status, response) in documented
                .iter()
                .filter(|(status, _)| status.starts_with('2'))
            {
                let content = &resolve(&contract, response)["content"];
                let media = content.as_object().into_iter().flatten();
                let examples = media.filter_map(|(_, media)| media["examples"].as_object());
                let examples: usize = examples.map(|examples| examples.len()).sum();
                assert_eq!(saved(status), examples.max(1), "{route} {status}");
            }
            for answer in list(&item["response"]) {
                assert!(
                    documented.contains_key(&answer["code"].to_string()),
                    "{route}"
                );
            }
        }
    }

    #[test]
    fn shows_a_value_of_every_header_that_is_always_there() {
        let (collection, contract) = (collection(), contract());
        for item in items(&collection) {
            let all = operations(&contract);
            let (route, operation) = all
                .iter()
                .find(|(route, _)| *route == route_of(item))
                .unwrap();
            for answer in list(&item["response"]) {
                let code = answer["code"].to_string();
                let documented = resolve(&contract, &operation["responses"][code.as_str()]);
                let headers = documented["headers"].as_object().unwrap().iter();
                let always =
                    headers.filter(|(_, header)| resolve(&contract, header)["required"] == true);
                for (name, _) in always {
                    let shown = list(&answer["header"])
                        .iter()
                        .any(|row| row["key"] == **name);
                    assert!(shown, "{route} {code} {name}");
                }
            }
        }
    }

    #[test]
    fn fills_in_every_value_that_is_sent() {
        for collection in FILES.map(read) {
            for item in items(&collection) {
                let request = &item["request"];
                let url = &request["url"];
                for rows in [&url["variable"], &url["query"], &request["header"]] {
                    for row in list(rows) {
                        assert_ne!(row["value"], "", "{} {row}", item["name"]);
                    }
                }
            }
        }
    }

    #[test]
    fn declares_every_variable_and_leaves_secrets_empty() {
        let environment = read("postman/environment.json");
        let declared = |variables: &Value| -> BTreeSet<String> {
            let keys = list(variables).iter().filter_map(|v| v["key"].as_str());
            keys.map(str::to_owned).collect()
        };
        let filled_in = declared(&environment["values"]);
        assert_eq!(
            filled_in,
            ["baseUrl", "serviceApiKey"].map(str::to_owned).into()
        );
        assert_eq!(environment["values"][1]["value"], "");
        for file in FILES {
            let text = rendered(file);
            let used = text.split("{{").skip(1);
            let used = used.filter_map(|rest| rest.split("}}").next());
            let used: BTreeSet<_> = used.map(str::to_owned).collect();
            assert_eq!(declared(&read(file)["variable"]), used, "{file}");
            // A value in the environment would hide the one that a script sets.
            let set = used.difference(&filled_in);
            assert!(set.count() >= 2, "{file}: {used:?}");
        }
    }

    #[test]
    fn gives_every_part_an_id_of_its_own() {
        for collection in FILES.map(read) {
            let mut ids = vec![&collection["info"]["_postman_id"]];
            for folder in list(&collection["item"]) {
                ids.push(&folder["id"]);
                for item in list(&folder["item"]) {
                    ids.push(&item["id"]);
                    ids.extend(list(&item["response"]).iter().map(|answer| &answer["id"]));
                }
            }
            let distinct: BTreeSet<_> = ids.iter().map(|id| id.as_str().unwrap()).collect();
            assert_eq!(distinct.len(), ids.len());
        }
    }

    #[test]
    fn is_small_and_its_scripts_are_short() {
        let collection = collection();
        assert!(rendered(FILES[0]).len() < 400_000);
        for item in items(&collection) {
            for event in list(&item["event"]) {
                let lines = list(&event["script"]["exec"]).len();
                assert!(lines < 30, "{} has {lines} lines", item["name"]);
            }
        }
    }
}
