//! The requests of the conformance collection that belong to an operation.

use serde_json::Value;

use super::CONFORMANCE;
use crate::document::Operation;

/// The requests of the collection.
pub(super) struct Items {
    /// Each with the name of its folder.
    all: Vec<(String, Value)>,
}

impl Items {
    pub(super) fn read() -> Self {
        let text = std::fs::read_to_string(CONFORMANCE).unwrap();
        let collection: Value = serde_json::from_str(&text).unwrap();
        let mut all = Vec::new();
        for folder in collection["item"].as_array().unwrap() {
            let items = folder["item"].as_array().unwrap().iter();
            all.extend(items.map(|item| (text_of(&folder["name"]), item.clone())));
        }
        Self { all }
    }

    /// The ids of the requests to which an operation responds with this status: the successful one, with those that
    /// create and delete its data, or the rejected ones.
    pub(super) fn about(&self, operation: &Operation, status: u16) -> Vec<String> {
        let rejections = format!("{}: ", operation.id);
        let own = self.all.iter().find(|(_, item)| is_of(item, operation));
        let (own_folder, own) = own.expect("a request for each operation");
        let concerned = self.all.iter().filter(|(folder, item)| match status {
            200..300 => {
                let makes = ["POST", "DELETE"].map(Value::from);
                item["id"] == own["id"]
                    || folder == own_folder && makes.contains(&item["request"]["method"])
            }
            _ => text_of(&item["name"]).starts_with(&rejections),
        });
        concerned.map(|(_, item)| text_of(&item["id"])).collect()
    }
}

/// Whether it is the operation's successful request, which comes before the others.
fn is_of(item: &Value, operation: &Operation) -> bool {
    let segments = item["request"]["url"]["path"].as_array();
    let segments = segments.into_iter().flatten().filter_map(Value::as_str);
    let path: String = segments.map(|segment| format!("/{segment}")).collect();
    let template = operation.path.replace('{', ":").replace('}', "");
    item["request"]["method"] == *operation.method && path == template
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
