//! Values of responses that later requests use, such as the ids of created resources.

use crate::ir::{Api, DescribedLink, Operation, Param, Response, Status};

/// The stored values and the requests that use them.
#[derive(Default)]
pub(super) struct Chain {
    stored: Vec<Stored>,
    used: Vec<Used>,
}

/// A value that the script of a request stores in a collection variable.
pub(super) struct Stored {
    /// The index of the operation whose response has the value.
    source: usize,
    /// The location of the value in the response, as a JSON Pointer.
    pub(super) pointer: String,
    /// The collection variable.
    pub(super) variable: String,
}

/// A path parameter whose value is stored by an earlier request.
struct Used {
    operation: usize,
    param: String,
    /// An index into [`Chain::stored`].
    stored: usize,
}

impl Chain {
    /// The index of a stored value, which is added if it is new.
    pub(super) fn store(
        &mut self,
        source: &Operation,
        pointer: &str,
        variable: impl FnOnce() -> String,
    ) -> usize {
        let is_same = |one: &Stored| one.source == source.index && one.pointer == pointer;
        self.stored.iter().position(is_same).unwrap_or_else(|| {
            self.stored.push(Stored {
                source: source.index,
                pointer: pointer.to_owned(),
                variable: variable(),
            });
            self.stored.len() - 1
        })
    }

    /// Lets a request use a stored value.
    pub(super) fn use_in(&mut self, operation: &Operation, param: &str, stored: usize) {
        self.used.push(Used {
            operation: operation.index,
            param: param.to_owned(),
            stored,
        });
    }

    /// The values that the script of an operation stores.
    pub(super) fn stored_by(&self, operation: &Operation) -> impl Iterator<Item = &Stored> {
        let stored = self.stored.iter();
        stored.filter(|one| one.source == operation.index)
    }

    /// The index of the stored value that a path parameter uses.
    pub(super) fn used_by(&self, operation: &Operation, param: &str) -> Option<usize> {
        let is_same = |one: &&Used| one.operation == operation.index && one.param == param;
        self.used.iter().find(is_same).map(|one| one.stored)
    }

    /// The variable of a stored value.
    pub(super) fn variable(&self, stored: usize) -> &str {
        self.stored.get(stored).map_or("", |one| &one.variable)
    }

    /// The index of the operation whose response has a stored value.
    pub(super) fn source(&self, stored: usize) -> Option<usize> {
        self.stored.get(stored).map(|one| one.source)
    }

    /// Each variable with the operation that sets it and the first path parameter that uses it.
    pub(super) fn variables<'a>(
        &'a self,
        api: &'a Api,
    ) -> impl Iterator<Item = (&'a str, &'a Operation, &'a Param)> {
        self.stored.iter().enumerate().filter_map(|(index, one)| {
            let used = self.used.iter().find(|used| used.stored == index)?;
            let mut params = api.operations.get(used.operation)?.path_params.iter();
            let param = params.find(|param| param.field.wire == used.param)?;
            Some((
                one.variable.as_str(),
                api.operations.get(one.source)?,
                param,
            ))
        })
    }
}

/// The served operation with this id.
pub(super) fn operation<'a>(api: &'a Api, id: &str) -> Option<&'a Operation> {
    let mut operations = api.operations.iter();
    operations.find(|operation| operation.id == id && operation.served)
}

/// The expression that a link gives to a parameter (OpenAPI 3.1.1 §4.8.20.1).
pub(super) fn expression<'a>(link: &'a DescribedLink, param: &Param) -> Option<&'a str> {
    let wire = &param.field.wire;
    let is_meant = |name: &str| name == wire || param.place.is_qualified(wire, name);
    let (_, value) = link.parameters.iter().find(|(name, _)| is_meant(name))?;
    value.as_str()
}

/// The JSON Pointer of an expression that reads the response's body.
pub(super) fn body_pointer(expression: &str) -> Option<&str> {
    expression.strip_prefix("$response.body#")
}

/// Whether a response reports success.
pub(super) fn is_success(response: &Response) -> bool {
    matches!(response.status, Status::Code(200..=299) | Status::Range(2))
}
