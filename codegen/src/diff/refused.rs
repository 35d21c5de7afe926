//! What the refusing contract says of wholes, and what of that proves a difference at their place.

use crate::openapi::escape;
use json_schema::issue::Issue;
use serde_json::Value;
use std::collections::HashSet;

/// Said of a pair of the query that is no parameter's.
pub(super) const UNDECLARED: &str = "undeclared";

/// A whole body or parameter, made for a place of it.
pub(super) struct Whole {
    pub(super) value: Value,
    /// The pointer to the place.
    pub(super) at: String,
    /// The pointer to the outermost value around the place that is to be of a variant.
    pub(super) union: Option<String>,
}

/// A value that was judged, and what the refusing contract says.
pub(super) struct Proof {
    pub(super) value: Value,
    pub(super) refusal: String,
}

/// A whole that one contract accepts, and what the other says of it that may be about its place.
pub(super) struct Refused {
    whole: Whole,
    issues: Vec<Issue>,
}

/// Wholes that both contracts accept, without what they have at their place.
#[derive(Default)]
pub(super) struct Frames(HashSet<Value>);

impl Frames {
    /// Only where variants are chosen among there is anything to learn from it.
    pub(super) fn take(&mut self, whole: &Whole) {
        if whole.union.is_some() {
            self.0.insert(whole.frame());
        }
    }
}

impl Whole {
    /// Whether an issue is of what is at the place, around or within that.
    fn is_about_place(&self, issue: &Issue) -> bool {
        is_within(&issue.at, &self.at) || is_within(&self.at, &issue.at)
    }

    /// Whether an issue is of a value that is to be of a variant, and has the place in it: of which variant it is
    /// told to be wrong is up to the interpreter.
    fn is_about_union(&self, issue: &Issue) -> bool {
        let union = self.union.as_ref();
        union.is_some_and(|union| is_within(&issue.at, union))
    }

    /// The same with nothing at the place.
    fn frame(&self) -> Value {
        let mut frame = self.value.clone();
        if let Some(place) = frame.pointer_mut(&self.at) {
            *place = Value::Null;
        }
        frame
    }
}

impl Refused {
    /// A refusal; none, where nothing that is said may be about the place.
    pub(super) fn new(whole: Whole, mut issues: Vec<Issue>) -> Result<Refused, Whole> {
        issues.retain(|issue| whole.is_about_place(issue) || whole.is_about_union(issue));
        match issues.is_empty() {
            true => Err(whole),
            false => Ok(Refused { whole, issues }),
        }
    }

    /// What it has at its place.
    pub(super) fn part(&self) -> Option<&Value> {
        self.whole.value.pointer(&self.whole.at)
    }

    fn about_place(&self) -> impl Iterator<Item = &Issue> {
        let mut issues = self.issues.iter();
        std::iter::from_fn(move || issues.find(|issue| self.whole.is_about_place(issue)))
    }

    /// The proof where a keyword is what refuses it.
    pub(super) fn by(&self, keyword: &str) -> Option<Proof> {
        let mut issues = self.about_place();
        let issue = issues.find(|issue| speaks_of(issue, keyword));
        issue.map(|issue| self.proof(issue))
    }

    /// The proof where nothing reads a member at the place.
    pub(super) fn for_unread(&self, member: &str) -> Option<Proof> {
        let at = format!("{}/{}", self.whole.at, escape(member));
        let is_unread = |issue: &&Issue| issue.keyword == UNDECLARED && issue.at == at;
        let issue = self.about_place().find(is_unread);
        issue.map(|issue| self.proof(issue))
    }

    /// The proof where it fits more variants than one.
    pub(super) fn as_several(&self) -> Option<Proof> {
        // Otherwise it fits none, of which other differences are the cause.
        let several = |issue: &&Issue| issue.keyword == "oneOf" && issue.message.contains("fits");
        let issue = self.about_place().find(several);
        issue.map(|issue| self.proof(issue))
    }

    /// The proof that it is refused at all.
    pub(super) fn at_all(&self) -> Option<Proof> {
        let issue = self.about_place().next();
        issue.map(|issue| self.proof(issue))
    }

    /// The proof where a union around the place refuses it, of which another variant may be told to be
    /// meant: what is at the place is the cause where both contracts accept the same with another value there.
    pub(super) fn among(&self, taken: &Frames) -> Option<Proof> {
        let issue = self.issues.first()?;
        let is_cause = taken.0.contains(&self.whole.frame());
        is_cause.then(|| self.proof(issue))
    }

    fn proof(&self, issue: &Issue) -> Proof {
        Proof {
            value: self.whole.value.clone(),
            refusal: refusal(issue),
        }
    }
}

fn speaks_of(issue: &Issue, keyword: &str) -> bool {
    let said = issue.keyword;
    match keyword {
        "enum" => matches!(said, "enum" | "const"),
        "properties" | "patternProperties" => {
            said == "additionalProperties" || said == "unevaluatedProperties"
        }
        "variant" => matches!(said, "oneOf" | "anyOf"),
        "exclusiveMinimum" | "minimum" => matches!(said, "exclusiveMinimum" | "minimum"),
        "exclusiveMaximum" | "maximum" => matches!(said, "exclusiveMaximum" | "maximum"),
        _ => said == keyword,
    }
}

fn refusal(issue: &Issue) -> String {
    if issue.at.is_empty() {
        format!("{} ({})", issue.message, issue.keyword)
    } else {
        format!("{} {} ({})", issue.at, issue.message, issue.keyword)
    }
}

/// Whether what a pointer leads to is that of another one, or a part of it.
fn is_within(pointer: &str, other: &str) -> bool {
    let below = pointer.strip_prefix(other);
    below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
}
