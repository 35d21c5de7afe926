//! The collection of the repository's own contract, against the published contract.

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

    fn collection() -> Value {
        serde_json::from_str(&rendered("postman/collection.json")).unwrap()
    }

    /// The contract as it is published.
    fn contract() -> Value {
        serde_json::from_str(&rendered("openapi.json")).unwrap()
    }

    fn list(value: &Value) -> &[Value] {
        value.as_array().map(Vec::as_slice).unwrap_or_default()
    }

    fn items(collection: &Value) -> Vec<&Value> {
        let folders = list(&collection["item"]).iter();
        let folders = folders.filter(|folder| folder["name"] != "Refusals");
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
    fn holds_each_operation_exactly_once() {
        let (collection, contract) = (collection(), contract());
        let mut rendered: Vec<_> = items(&collection).into_iter().map(route_of).collect();
        let described = operations(&contract).into_iter();
        let mut described: Vec<_> = described.map(|(route, _)| route).collect();
        rendered.sort();
        described.sort();
        assert_eq!(rendered, described);
    }

    #[test]
    fn saves_an_answer_for_every_documented_status() {
        let (collection, contract) = (collection(), contract());
        for (route, operation) in operations(&contract) {
            let items = items(&collection);
            let item = items.iter().find(|item| route_of(item) == route).unwrap();
            let saved = list(&item["response"]).iter();
            let saved: BTreeSet<_> = saved.map(|answer| answer["code"].to_string()).collect();
            let documented = operation["responses"].as_object().unwrap().keys();
            assert_eq!(saved, documented.cloned().collect(), "{route}");
        }
    }

    #[test]
    fn shows_a_value_of_every_header_that_is_always_there() {
        let (collection, contract) = (collection(), contract());
        let resolve = |value: &'_ Value| match value["$ref"].as_str() {
            Some(reference) => contract.pointer(&reference[1..]).unwrap().clone(),
            None => value.clone(),
        };
        for item in items(&collection) {
            let all = operations(&contract);
            let (route, operation) = all
                .iter()
                .find(|(route, _)| *route == route_of(item))
                .unwrap();
            for answer in list(&item["response"]) {
                let code = answer["code"].to_string();
                let documented = resolve(&operation["responses"][code.as_str()]);
                let headers = documented["headers"].as_object().unwrap().iter();
                let always = headers.filter(|(_, header)| resolve(header)["required"] == true);
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
        let collection = collection();
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

    #[test]
    fn declares_every_variable_and_leaves_secrets_empty() {
        let text = rendered("postman/collection.json");
        let used = text.split("{{").skip(1);
        let used: BTreeSet<_> = used.filter_map(|rest| rest.split("}}").next()).collect();
        let collection = collection();
        let environment: Value =
            serde_json::from_str(&rendered("postman/environment.json")).unwrap();
        let declared = |variables: &Value| -> BTreeSet<String> {
            let keys = list(variables).iter().filter_map(|v| v["key"].as_str());
            keys.map(str::to_owned).collect()
        };
        let used: BTreeSet<_> = used.into_iter().map(str::to_owned).collect();
        assert_eq!(declared(&collection["variable"]), used);
        // What a script sets is called by its operation and parameter; the value of an environment
        // would hide it.
        let (set, given): (BTreeSet<_>, BTreeSet<_>) =
            used.into_iter().partition(|name| name.contains('.'));
        assert!(set.len() >= 2, "{set:?}");
        assert_eq!(declared(&environment["values"]), given);
        assert_eq!(environment["values"][1]["key"], "serviceApiKey");
        assert_eq!(environment["values"][1]["value"], "");
    }

    #[test]
    fn gives_every_part_an_id_of_its_own() {
        let collection = collection();
        let mut ids = vec![&collection["info"]["_postman_id"]];
        ids.extend(list(&collection["item"]).iter().map(|folder| &folder["id"]));
        for item in items(&collection) {
            ids.push(&item["id"]);
            ids.extend(list(&item["response"]).iter().map(|answer| &answer["id"]));
        }
        let distinct: BTreeSet<_> = ids.iter().map(|id| id.as_str().unwrap()).collect();
        assert_eq!(distinct.len(), ids.len());
    }
}
