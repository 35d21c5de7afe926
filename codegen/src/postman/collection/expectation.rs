//! What the test of a request checks.

use super::super::chain::is_success;
use super::super::fields::{fields_of, items_of};
use crate::ir::{Api, Content, Operation, Response, Status, Type};
use crate::message::essence;

/// A successful response.
pub(super) struct Expectation {
    /// The documented statuses; empty where the contract documents `default` alone.
    pub(super) statuses: Vec<Status>,
    /// The documented media type, if there is one.
    pub(super) media_type: Option<String>,
    /// The required properties of a JSON object.
    pub(super) properties: Vec<String>,
    /// The list of a page.
    pub(super) list: Option<List>,
}

/// A list in the body.
pub(super) struct List {
    /// Its property; `None` if it is the body.
    pub(super) property: Option<String>,
    /// The required properties of its items.
    pub(super) item_properties: Vec<String>,
}

/// The expectation for the request of an operation; `None` if the contract documents no success.
pub(super) fn of_operation(api: &Api, operation: &Operation) -> Option<Expectation> {
    let successful = operation.responses.iter().filter(|it| is_success(it));
    let successful: Vec<_> = successful.collect();
    let mut responses = operation.responses.iter();
    if successful.is_empty() && !responses.any(|it| it.status == Status::Default) {
        return None;
    }
    let mut expectation = Expectation {
        statuses: successful.iter().map(|response| response.status).collect(),
        media_type: None,
        properties: Vec::new(),
        list: None,
    };
    // Responses of several statuses have bodies of several types.
    if let [response] = successful.as_slice() {
        expectation.add_body(api, operation, response);
    }
    Some(expectation)
}

impl Expectation {
    /// Adds the body with the first media type of a response, which the request accepts.
    fn add_body(&mut self, api: &Api, operation: &Operation, response: &Response) {
        let Some(media) = response.media.first() else {
            return;
        };
        let media_type = essence(&media.media_type);
        self.media_type = (!media_type.contains('*')).then(|| media_type.to_owned());
        let Content::Json(ty, _) = &media.content else {
            return;
        };
        self.properties = required(api, ty);
        if let Some(items) = items_of(api, ty) {
            self.list = list(api, None, items);
            return;
        }
        if !reads_collection(operation) {
            return;
        }
        let fields = fields_of(api, ty).iter().filter(|field| field.required);
        let lists = fields
            .filter_map(|field| list(api, Some(field.wire.clone()), items_of(api, &field.ty)?));
        let mut lists: Vec<_> = lists.collect();
        self.list = lists.pop().filter(|_| lists.is_empty());
    }
}

/// Whether an operation reads a collection, whose body is a page of its items.
fn reads_collection(operation: &Operation) -> bool {
    operation.method == "GET" && !operation.path.ends_with('}')
}

fn list(api: &Api, property: Option<String>, items: &Type) -> Option<List> {
    let item_properties = required(api, items);
    (!item_properties.is_empty()).then_some(List {
        property,
        item_properties,
    })
}

fn required(api: &Api, ty: &Type) -> Vec<String> {
    let required = fields_of(api, ty).iter().filter(|field| field.required);
    required.map(|field| field.wire.clone()).collect()
}
