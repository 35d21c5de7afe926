//! Lint rules: problems of a document from which code can be generated all the same.
//!
//! Each rule has a file, and a row in the table below. A rule reads the subject and reports
//! findings; their severity, and whether one is suppressed, is decided here. The rules are about
//! the document alone: of the generated code, they know only the names.

mod ambiguous_parameter;
mod ambiguous_path;
mod contradictory_bounds;
mod contradictory_types;
mod dead_link;
mod discriminator;
mod duplicate_parameter;
mod duplicate_value;
mod endless_schema;
mod format_of_other_type;
mod idle_keyword;
mod invalid_value;
mod list_order;
mod missing_answer;
mod missing_contact;
mod missing_description;
mod missing_location;
mod name_collision;
mod old_idiom;
mod open_discriminator;
mod operation_id;
mod overlapping_variants;
mod path_case;
mod pattern;
mod reference_sibling;
mod subject;
mod suppression;
mod unbounded_request;
mod undated_deprecation;
mod undeclared_scope;
mod undeclared_tag;
mod undescribed_member;
mod unused_component;

use crate::Reading;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::openapi::Components;
use crate::source::{Pointer, Source};
use crate::{lower, openapi};
use Severity::{Error, Warning};
use subject::Subject;

/// A rule: the code and severity of its findings, and its check.
struct Rule {
    code: Code,
    severity: Severity,
    check: fn(&Subject<'_>, &mut Findings<'_>),
}

/// Every rule; those that report errors come first.
#[rustfmt::skip]
const RULES: &[Rule] = &[
    Rule { code: Code::OperationId, severity: Error, check: operation_id::check },
    Rule { code: Code::AmbiguousPath, severity: Error, check: ambiguous_path::check },
    Rule { code: Code::DuplicateParameter, severity: Error, check: duplicate_parameter::check },
    Rule { code: Code::UndeclaredScope, severity: Error, check: undeclared_scope::check },
    Rule { code: Code::UndescribedMember, severity: Error, check: undescribed_member::check },
    Rule { code: Code::InvalidValue, severity: Error, check: invalid_value::check },
    Rule { code: Code::DuplicateValue, severity: Error, check: duplicate_value::check },
    Rule { code: Code::FormatOfOtherType, severity: Error, check: format_of_other_type::check },
    Rule { code: Code::IdleKeyword, severity: Error, check: idle_keyword::check },
    Rule { code: Code::ListOrder, severity: Error, check: list_order::check },
    Rule { code: Code::ContradictoryBounds, severity: Error, check: contradictory_bounds::check },
    Rule { code: Code::ContradictoryTypes, severity: Error, check: contradictory_types::check },
    Rule { code: Code::OverlappingVariants, severity: Error, check: overlapping_variants::check },
    Rule { code: Code::Discriminator, severity: Error, check: discriminator::check },
    Rule { code: Code::InvalidPattern, severity: Error, check: pattern::check },
    Rule { code: Code::EndlessSchema, severity: Error, check: endless_schema::check },
    Rule { code: Code::NameCollision, severity: Error, check: name_collision::check },
    Rule { code: Code::DeadLink, severity: Error, check: dead_link::check },
    Rule { code: Code::MissingAnswer, severity: Error, check: missing_answer::check },
    Rule { code: Code::MissingLocation, severity: Error, check: missing_location::check },
    Rule { code: Code::AmbiguousParameter, severity: Warning, check: ambiguous_parameter::check },
    Rule { code: Code::OpenDiscriminator, severity: Warning, check: open_discriminator::check },
    Rule { code: Code::OldIdiom, severity: Warning, check: old_idiom::check },
    Rule { code: Code::ReferenceSibling, severity: Warning, check: reference_sibling::check },
    Rule { code: Code::UnboundedRequest, severity: Warning, check: unbounded_request::check },
    Rule { code: Code::UnusedComponent, severity: Warning, check: unused_component::check },
    Rule { code: Code::MissingDescription, severity: Warning, check: missing_description::check },
    Rule { code: Code::UndeclaredTag, severity: Warning, check: undeclared_tag::check },
    Rule { code: Code::MissingContact, severity: Warning, check: missing_contact::check },
    Rule { code: Code::PathCase, severity: Warning, check: path_case::check },
    Rule { code: Code::UndatedDeprecation, severity: Warning, check: undated_deprecation::check },
];

/// The rules that are checked with every generation.
const OF_GENERATION: &[Code] = &[Code::UnmarkedAnswer, Code::JsonValue];

/// The codes of all rules.
pub fn rules() -> impl Iterator<Item = Code> {
    let own = RULES.iter().map(|rule| rule.code);
    own.chain(OF_GENERATION.iter().copied())
}

/// Checks a document by every rule.
///
/// The diagnostics of the generator are among the findings. A finding is suppressed by
/// `x-lint-allow`, an object from rules to reasons, on the object of the finding or on one around
/// it; a suppression without a finding is reported too.
///
/// The document is read with its other files, and findings in them have their place there, as
/// [`Diagnostics::render_files`] shows it.
pub fn lint(source: &Source, reading: &Reading) -> Diagnostics {
    let (value, originals) = match openapi::value(source, &reading.files) {
        Ok(read) => read,
        Err(diagnostics) => return diagnostics,
    };
    let mut diagnostics = Diagnostics::default().with_originals(originals);
    let parsed = openapi::parse_with(&value, reading, Components::All, &mut diagnostics);
    let subject = Subject::new(&value, &parsed);
    let mut rules = Diagnostics::default();
    for rule in RULES {
        (rule.check)(
            &subject,
            &mut Findings {
                code: rule.code,
                severity: rule.severity,
                diagnostics: &mut rules,
            },
        );
    }
    lower::lower(parsed, value.clone(), &mut diagnostics);
    let (of_rules, diagnostics): (Vec<_>, Vec<_>) = diagnostics
        .iter()
        .cloned()
        .partition(|problem| OF_GENERATION.contains(&problem.code));
    of_rules.into_iter().for_each(|finding| rules.add(finding));
    let mut kept = suppression::apply(&value, rules);
    for problem in diagnostics {
        let is_reported = |known: &Diagnostic| known.code == problem.code && known.at == problem.at;
        if !kept.iter().any(is_reported) {
            kept.add(problem);
        }
    }
    kept
}

/// Collects the findings of a rule.
pub(crate) struct Findings<'f> {
    code: Code,
    severity: Severity,
    diagnostics: &'f mut Diagnostics,
}

impl Findings<'_> {
    /// Adds a finding.
    fn report(&mut self, at: &Pointer, message: impl Into<String>) {
        let problem = self.problem(at, message);
        self.add(problem);
    }

    /// Adds a finding with advice on how to fix it.
    fn advise(&mut self, at: &Pointer, message: impl Into<String>, help: impl Into<String>) {
        let problem = self.problem(at, message).help(help);
        self.add(problem);
    }

    /// A finding that is not added yet, so that more can be said in it.
    fn problem(&self, at: &Pointer, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.code, at, message).severity(self.severity)
    }

    fn add(&mut self, problem: Diagnostic) {
        self.diagnostics.add(problem);
    }
}
