//! Parameters of a request, and headers of a response or of a form's part.

use super::{Message, forms};
use crate::comparison::{Comparison, Direction};
use crate::pairing::OperationPair;
use crate::report::{Scope, Severity};
use crate::verdict::{Subject, Usage};
use crate::version::is_misplaced;
use crate::wire::Param;
use codegen::openapi::{Operation, ParamLocation};
use serde_json::Value;

/// The message that has the parameters.
pub(super) struct Fields<'f, 'a> {
    pub(super) message: Message<'f>,
    /// The place of one in words.
    pub(super) place: &'f dyn Fn(&Param<'a>) -> String,
    /// Whether one of the version before is one of the version after.
    pub(super) are_same: &'f dyn Fn(&Param<'a>, &Param<'a>) -> bool,
    /// The message in one line, with a value of one of them or without it.
    pub(super) line: &'f dyn Fn(&Param<'a>, Option<&Value>) -> String,
    /// Whether a value of one reaches the receiver at all.
    pub(super) arrives: &'f dyn Fn(&Param<'a>, &Value) -> bool,
}

/// Compares the parameters of an operation.
pub(super) fn of_operation<'a>(comparison: &mut Comparison<'a>, pair: &OperationPair<'a>) {
    misplaced(comparison, pair);
    let used = |operation: &'a Operation| -> Vec<Param<'a>> {
        let parameters = operation.parameters.iter();
        let used = parameters.filter(|one| !is_misplaced(operation, one));
        used.map(Param::from).collect()
    };
    let fields = Fields {
        message: Message {
            direction: pair.direction(),
            operation: &pair.name,
            kind: &format!("{}-parameter", pair.outgoing.unwrap_or("request")),
        },
        place: &place,
        // Path parameters are known by their position.
        are_same: &|old, new| match old.location {
            ParamLocation::Path => pair
                .name_after(old.name)
                .is_some_and(|name| new.is_at(old.location, name)),
            // Its name is not sent.
            _ if old.style.is_whole_query() && new.style.is_whole_query() => true,
            _ => new.is_at(old.location, old.name),
        },
        line: &|param, value| match value {
            Some(value) => pair.line().with(*param, value).text(),
            None => pair.line().without(param).text(),
        },
        arrives: &|param, value| {
            let is_in_path = param.location == ParamLocation::Path && pair.outgoing.is_none();
            !is_in_path || pair.is_for(&pair.line().with(*param, value))
        },
    };
    fields.compare(comparison, &used(pair.before), &used(pair.after));
    let form = |operation: &'a Operation| {
        let mut forms = operation
            .parameters
            .iter()
            .filter_map(|one| one.form.as_ref());
        forms.next()
    };
    if let (Some(old), Some(new)) = (form(pair.before), form(pair.after)) {
        forms::compare(comparison, pair, (old, new), "query string");
    }
}

/// Reports path parameters that were added or removed although the template has no place for them.
fn misplaced(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    let names = |operation: &Operation| -> Vec<String> {
        let parameters = operation.parameters.iter();
        let own = parameters.filter(|one| is_misplaced(operation, one));
        own.map(|one| one.name.clone()).collect()
    };
    let (before, after) = (names(pair.before), names(pair.after));
    for (names, others, verb) in [(&before, &after, "removed"), (&after, &before, "added")] {
        for name in names.iter().filter(|name| !others.contains(name)) {
            let scope = Scope::new(&pair.name, format!("path parameter `{name}`"));
            let message =
                format!("was {verb}, but the template has no `{{{name}}}`: it is ignored");
            let kind = "request-parameter-misplaced";
            comparison
                .changes
                .add_unproven(&scope, Severity::Docs, kind, message);
        }
    }
}

/// A parameter in the words of a report.
fn place(parameter: &Param<'_>) -> String {
    if parameter.style.is_whole_query() {
        return "query string".to_owned();
    }
    let place = match parameter.location {
        ParamLocation::Path => "path",
        ParamLocation::Query => "query",
        ParamLocation::Header => "header",
        ParamLocation::Cookie => "cookie",
    };
    format!("{place} parameter `{}`", parameter.name)
}

impl<'a> Fields<'_, 'a> {
    pub(super) fn compare(
        &self,
        comparison: &mut Comparison<'a>,
        before: &[Param<'a>],
        after: &[Param<'a>],
    ) {
        for old in before {
            match after.iter().find(|new| (self.are_same)(old, new)) {
                Some(new) => self.changed(comparison, old, new),
                None => self.only_in_one(comparison, old, (false, after)),
            }
        }
        for new in after {
            if !before.iter().any(|old| (self.are_same)(old, new)) {
                self.only_in_one(comparison, new, (true, before));
            }
        }
    }

    /// One that only one version has, and all of the other version.
    fn only_in_one(
        &self,
        comparison: &mut Comparison<'a>,
        one: &Param<'a>,
        (is_new, others): (bool, &[Param<'a>]),
    ) {
        let (before, after) = (&comparison.before.schemas, &comparison.after.schemas);
        let (schemas, other_schemas) = if is_new {
            (after, before)
        } else {
            (before, after)
        };
        let is_sent = is_new == (self.message.direction == Direction::Response);
        let is_query = one.location == ParamLocation::Query;
        // The members of an exploded object are parameters of their own on the wire.
        let reads_members = is_query && others.iter().any(|other| other.is_spread(other_schemas));
        let is_unclear = reads_members || one.is_spread(schemas);
        let (kind, message) = match (is_new, one.required && !is_sent) {
            (true, true) => ("added", "was added and is required"),
            (true, false) => ("added", "was added"),
            (false, _) => ("removed", "was removed"),
        };
        let witness = match is_sent {
            true => {
                let value = Some(one.sample(schemas)).filter(|value| !one.write(value).is_empty());
                let shown = value
                    .filter(|_| is_query)
                    .map(|value| (self.line)(one, Some(&value)));
                let refusal = format!("`{}` is not a parameter of this operation", one.name);
                shown.map(|shown| (shown, refusal))
            }
            false if one.location == ParamLocation::Path => return,
            false => one.required.then(|| ((self.line)(one, None), missing(one))),
        };
        match witness {
            Some(witness) if !is_unclear => {
                self.message
                    .add_proven(comparison, &(self.place)(one), (kind, message), witness)
            }
            Some(_) => self.message.add_unproven(
                comparison,
                &(self.place)(one),
                Severity::Possible,
                (kind, message),
            ),
            // A parameter that is not read any more, or a header that is not sent, was of use to somebody.
            None => {
                let is_possible = !is_new || (reads_members && !is_sent) || (is_query && is_sent);
                let severity = Severity::possible_if(is_possible);
                self.message.add_unproven(
                    comparison,
                    &(self.place)(one),
                    severity,
                    (kind, message),
                );
            }
        }
    }

    fn changed(&self, comparison: &mut Comparison<'a>, old: &Param<'a>, new: &Param<'a>) {
        let (sent, read) = self.message.direction.ends(old, new);
        let wording = match new.required {
            true => ("required", "became required"),
            false => ("optional", "became optional"),
        };
        let (_, bundle) = self.bundles(comparison);
        match (old.required == new.required, read.required) {
            (true, _) => {}
            (false, false) => self.message.add_unproven(
                comparison,
                &(self.place)(new),
                Severity::Compatible,
                wording,
            ),
            // It is missing only if all of its members are.
            (false, true) if read.is_spread(bundle) => {
                self.message.add_unproven(
                    comparison,
                    &(self.place)(new),
                    Severity::Possible,
                    wording,
                );
            }
            (false, true) => {
                let witness = ((self.line)(sent, None), missing(read));
                self.message
                    .add_proven(comparison, &(self.place)(new), wording, witness);
            }
        }
        self.style(comparison, old, new);
        let place = &(self.place)(new);
        let arrives = |value: &Value| (self.arrives)(sent, value);
        let subject = Subject {
            arrives: &arrives,
            ..Subject::new(
                self.message.direction,
                Some(old.schema),
                Some(new.schema),
                sent.wire_format(),
            )
        };
        let usage = Usage {
            operation: self.message.operation,
            part: self.message.kind,
            place,
            exchange: &|value| (self.line)(sent, Some(value)),
        };
        comparison.schemas(&subject, &usage);
        if old.docs != new.docs {
            let wording = ("docs", "description was changed");
            self.message
                .add_unproven(comparison, &(self.place)(new), Severity::Docs, wording);
        }
    }

    /// One that is written in another way is read as something else.
    fn style(&self, comparison: &mut Comparison<'a>, old: &Param<'a>, new: &Param<'a>) {
        let (sent, read) = self.message.direction.ends(old, new);
        let (sender, receiver) = self.bundles(comparison);
        if sent.is_written_like(read, [sender, receiver]) {
            return;
        }
        let (was, is) = (old.phrase(), new.phrase());
        let wording = (
            "style",
            &*format!("was written in {was} and is now in {is}"),
        );
        match sent.misread_by(read, [sender, receiver]) {
            Some(value) => {
                let refusal = format!("reads `{}` in {}", sent.write(&value), read.phrase());
                let witness = ((self.line)(sent, Some(&value)), refusal);
                self.message
                    .add_proven(comparison, &(self.place)(new), wording, witness);
            }
            None => self.message.add_unproven(
                comparison,
                &(self.place)(new),
                Severity::Compatible,
                wording,
            ),
        }
    }

    /// The schemas of the sender and of the receiver.
    fn bundles(&self, comparison: &Comparison<'a>) -> (&'a sample::Bundle, &'a sample::Bundle) {
        let (before, after) = (comparison.before, comparison.after);
        self.message.direction.ends(&before.schemas, &after.schemas)
    }
}

fn missing(parameter: &Param<'_>) -> String {
    format!("`{}` is missing (required)", parameter.name)
}
