//! Operations that only one contract has. Their requests may be answered by an operation at another path of
//! the other one.

use super::exchange::Line;
use super::judge::Judge;
use super::operations::{Both, name};
use super::pairs::Pairs;
use super::report::Severity;
use super::side::Side;
use crate::openapi::Operation;
use std::ptr;

/// With how many operations one that is gone is compared.
const MOST: usize = 8;
const NO_PATH: &str = "404: there is no such path";
const NO_METHOD: &str = "405: the path has no such method";

type Left<'a> = (&'a Operation, String);

/// A request, and why it is refused.
type Witness = (String, String);

/// An operation of the contract before. That other paths take some of its requests does not help those
/// that none takes.
pub(super) fn removed<'a>(judge: &mut Judge<'a>, old: &'a Operation) {
    let (kind, own, message) = ("operation-removed", name(old), "the operation was removed");
    let others = match left(judge, old) {
        Ok(others) => others,
        Err(witness) => match without_query(judge, old).unwrap_or(Err(witness)) {
            Ok(other) => return goes_to(judge, old, other),
            Err(witness) => return judge.changes.prove(kind, &own, &own, message, witness),
        },
    };
    if others.is_empty() {
        // Other paths have always taken the requests to it that were thought of.
        let severity = Severity::Possible;
        let operation = Some(own.clone());
        return judge.changes.note(severity, kind, operation, &own, message);
    }
    for (other, path) in others {
        replaced(judge, old, other, &path);
    }
}

/// The operation at the path of one that is written with a query: its requests go there, where all the pairs
/// are parameters. None, where there is no such path either.
///
/// # Errors
/// A request with a pair that is no parameter's, and that.
fn without_query<'a>(judge: &Judge<'a>, old: &Operation) -> Option<Result<&'a Operation, Witness>> {
    let line = Line::new(old, judge.before);
    let sent = line.path();
    let (path, query) = sent
        .split_once('?')
        .filter(|_| judge.before.asks(old, &sent))?;
    let asked = judge.after.asked(path);
    let other = answering(&asked, &old.method).into_iter().next()?;
    let pairs = Pairs::of(&judge.after.view, &other.parameters);
    let written = query.split('&').filter(|pair| !pair.is_empty());
    let mut names = written.map(|pair| pair.split_once('=').map_or(pair, |(name, _)| name));
    let unread = names.find(|name| pairs.reader(name).is_none());
    let refusal = |name| format!("`{name}` is not a parameter of this operation");
    Some(unread.map_or(Ok(other), |name| Err((line.text(), refusal(name)))))
}

/// The operations that answer the requests of one that is gone, each with the path of such a request.
///
/// # Errors
/// A request that none answers, and why.
fn left<'a>(judge: &Judge<'a>, old: &Operation) -> Result<Vec<Left<'a>>, Witness> {
    let (before, after) = (judge.before, judge.after);
    let mut others: Vec<Left<'a>> = Vec::new();
    for line in Line::all(old, before) {
        let path = line.path();
        if !before.asks(old, &path) {
            continue;
        }
        let asked = after.asked(&path);
        let now = answering(&asked, &old.method);
        if now.is_empty() {
            return Err((line.text(), unanswered(after, &path)));
        }
        for other in now {
            let is_known = others.iter().any(|(known, _)| ptr::eq(*known, other));
            if !is_known && others.len() < MOST {
                others.push((other, path.clone()));
            }
        }
    }
    Ok(others)
}

/// Why a request that no operation answers is refused.
pub(super) fn unanswered(after: &Side, path: &str) -> String {
    let refusal = match after.asked(path).is_empty() {
        true => NO_PATH,
        false => NO_METHOD,
    };
    refusal.to_owned()
}

/// Those of a path's operations that answer a method: a HEAD without an operation of its own is answered by
/// that of GET (RFC 9110 §9.3.2).
fn answering<'a>(asked: &[&'a Operation], method: &str) -> Vec<&'a Operation> {
    let of = |method: &str| -> Vec<&'a Operation> {
        let all = asked.iter().copied();
        all.filter(|one| one.method == method).collect()
    };
    match of(method) {
        own if own.is_empty() && method == "HEAD" => of("GET"),
        own => own,
    }
}

/// The requests of an operation that was removed go to another one.
fn replaced<'a>(judge: &mut Judge<'a>, old: &'a Operation, other: &'a Operation, path: &str) {
    let (kind, own) = ("operation-removed", name(old));
    let both = Both::meeting(judge, &own, (old, other), path);
    if let Some(refusal) = both.refusal() {
        let witness = (both.line().text(), refusal);
        let message = "the operation was removed";
        return judge.changes.prove(kind, &own, &own, message, witness);
    }
    goes_to(judge, old, other);
    both.compare(judge);
}

fn goes_to(judge: &mut Judge<'_>, old: &Operation, other: &Operation) {
    let (kind, own) = ("operation-removed", name(old));
    let message = format!(
        "the operation was removed, and its requests go to `{}`",
        name(other)
    );
    let operation = Some(own.clone());
    let severity = Severity::Possible;
    judge.changes.note(severity, kind, operation, &own, message);
}

/// An operation of the contract after.
pub(super) fn added<'a>(judge: &mut Judge<'a>, new: &'a Operation) {
    let (kind, name, message) = ("operation-added", name(new), "the operation was added");
    let severity = Severity::Compatible;
    let operation = Some(name.clone());
    judge
        .changes
        .note(severity, kind, operation, &name, message);
    let mut seen = Vec::new();
    for path in taken(judge, new) {
        answers_now(judge, new, &path, &mut seen);
    }
}

/// The paths of requests that an added operation may take from others: one of its own, and one from each of the
/// templates that its own crosses, as `/users/me/{action}` does `/users/{id}/posts`.
fn taken(judge: &Judge<'_>, new: &Operation) -> Vec<String> {
    let (before, after) = (judge.before, judge.after);
    let own = Line::all(new, after).map(|line| line.path());
    let template = after.path(new);
    let crossed = before.operations.iter();
    let crossed = crossed.filter(|old| crosses(&before.path(old), &template));
    let crossed = crossed.map(|old| laid_over(&template, &Line::new(old, before).path()));
    let is_its = |path: &String| after.asks(new, path);
    let mut paths: Vec<String> = own.filter(is_its).take(1).collect();
    paths.extend(crossed.filter(is_its));
    paths
}

/// Whether each of two templates is literal in a segment where the other has parameters, and both may be
/// those of one request.
fn crosses(one: &str, other: &str) -> bool {
    let segments = || one.split('/').zip(other.split('/'));
    let is_literal = |segment: &str| !segment.contains('{');
    one.split('/').count() == other.split('/').count()
        && segments().all(|(a, b)| a == b || !is_literal(a) || !is_literal(b))
        && segments().any(|(a, b)| is_literal(a) && !is_literal(b))
        && segments().any(|(a, b)| !is_literal(a) && is_literal(b))
}

/// A path with the literal segments of a template.
fn laid_over(template: &str, path: &str) -> String {
    let segments = template.split('/').zip(path.split('/'));
    let laid = segments.map(|(own, sent)| if own.contains('{') { sent } else { own });
    laid.collect::<Vec<_>>().join("/")
}

/// Compares an added operation with those that have answered a request to it, but for those that were seen.
fn answers_now<'a>(
    judge: &mut Judge<'a>,
    new: &'a Operation,
    path: &str,
    seen: &mut Vec<*const Operation>,
) {
    let name = name(new);
    let (before, after) = (judge.before, judge.after);
    let (were, are) = (before.asked(path), after.asked(path));
    for old in &were {
        if seen.contains(&ptr::from_ref(*old)) {
            continue;
        }
        seen.push(*old);
        let both = Both::meeting(judge, &name, (old, new), path);
        let is_its_path = before.route(old).0 == after.route(new).0;
        // Of what its path has had, another method answers a HEAD at the most.
        if both.is_empty() || (is_its_path && new.method != "HEAD") {
            continue;
        }
        let passes = |method: &str| {
            let is =
                |one: &Operation, all: &[&Operation]| all.iter().any(|known| ptr::eq(*known, one));
            is(old, &answering(&were, method)) && is(new, &answering(&are, method))
        };
        if passes(&old.method) || passes("HEAD") {
            instead(judge, &both);
        } else if !is_its_path && answering(&are, &old.method).is_empty() {
            hidden(judge, &both);
        }
    }
}

/// An operation that was added answers what another one has answered.
fn instead<'a>(judge: &mut Judge<'a>, both: &Both<'a>) {
    if both.is_part() {
        let (kind, own) = ("operation-added", both.name.clone());
        let message = format!("has requests that `{}` has answered", name(both.before));
        let (severity, operation) = (Severity::Possible, Some(own.clone()));
        judge.changes.note(severity, kind, operation, &own, message);
    }
    match both.refusal() {
        Some(_) => hidden(judge, both),
        None => both.compare(judge),
    }
}

/// Some of an operation's requests are now for another path, which does not take them.
fn hidden(judge: &mut Judge<'_>, both: &Both<'_>) {
    let (kind, own) = ("operation-hidden", name(both.before));
    let message = format!("`{}` is a path of its own now", both.after.path);
    let refusal = both.refusal().unwrap_or_else(|| NO_METHOD.to_owned());
    let witness = (both.line().text(), refusal);
    judge.changes.prove(kind, &own, &own, message, witness);
}
