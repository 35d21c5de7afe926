//! Renders diagnostics as text: the lines of the document, underlined, and the help.

use super::{Class, Diagnostic, Related, Severity};
use crate::source::span::Lines;
use crate::source::{Pointer, Source};
use annotate_snippets::renderer::Renderer;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Snippet};
use std::ops::Range;

/// How problems are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// As plain text.
    Plain,
    /// With the colours of a terminal.
    Coloured,
}

/// A problem's place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<'d> {
    /// The problem.
    pub problem: &'d Diagnostic,
    /// The name of the file.
    pub file: &'d str,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

/// The problems with their places, in the order of each file: the first one, then the others.
pub(super) fn located<'d>(
    problems: &'d [Diagnostic],
    first: &'d Source,
    files: &'d [Source],
) -> Vec<Located<'d>> {
    let placed = problems.iter().map(|problem| {
        let other = crate::source::files::file_of(&problem.at, files);
        let (file, at) = other.map_or((None, problem.at.clone()), |(file, at)| (Some(file), at));
        (problem, file, at)
    });
    let placed: Vec<_> = placed.collect();
    let others = files.iter().enumerate();
    let sources = others.map(|(index, source)| (Some(index), source));
    let mut located = Vec::new();
    for (file, source) in std::iter::once((None, first)).chain(sources) {
        let own = placed.iter().filter(|(_, home, _)| *home == file);
        let (problems, pointers): (Vec<_>, Vec<_>) =
            own.map(|(problem, _, at)| (*problem, at)).unzip();
        if problems.is_empty() {
            continue;
        }
        let lines = Lines::of(source.body());
        let spans = source.spans(&pointers).into_iter();
        let from = located.len();
        located.extend(problems.into_iter().zip(spans).map(|(problem, span)| {
            let span = problem.span.clone().or(span).unwrap_or_default();
            let (line, column) = lines.place(span.start);
            Located {
                problem,
                file: &source.name,
                line,
                column,
            }
        }));
        if let Some(new) = located.get_mut(from..) {
            new.sort_by_key(|one| (one.line, one.column));
        }
    }
    located
}

/// How much of the document one problem may show, in bytes. Lines further apart are named instead
/// of shown, and of a longer line only the part around the problem is shown.
const MAX_SHOWN: usize = 8192;

/// How much of a longer line is shown to either side, in bytes.
const AROUND: usize = 48;

/// A problem placed in its own file, with the related places in other files.
#[derive(Clone)]
pub(super) struct Local {
    problem: Diagnostic,
    /// The related places in other files, in words.
    elsewhere: Vec<String>,
}

/// The file that a problem is in, `None` for the first one, and the problem's places within it.
pub(super) fn in_its_file(
    problem: &Diagnostic,
    first: &Source,
    files: &[Source],
) -> (Option<usize>, Local) {
    let home = |at: &Pointer| match crate::source::files::file_of(at, files) {
        Some((index, at)) => (Some(index), at),
        None => (None, at.clone()),
    };
    let (own, at) = home(&problem.at);
    let (mut related, mut elsewhere) = (Vec::new(), Vec::new());
    for one in &problem.related {
        let (file, at) = home(&one.at);
        if file == own {
            related.push(Related { at, ..one.clone() });
        } else {
            let source = file.and_then(|index| files.get(index)).unwrap_or(first);
            elsewhere.push(format!("{} at {}", one.label, position(source, &at)));
        }
    }
    let problem = Diagnostic {
        at,
        related,
        ..problem.clone()
    };
    (own, Local { problem, elsewhere })
}

/// A place as file, line and column.
fn position(source: &Source, at: &Pointer) -> String {
    let span = source.spans(&[at]).into_iter().next().flatten();
    let (line, column) = Lines::of(source.body()).place(span.unwrap_or_default().start);
    format!("{}:{line}:{column}", source.name)
}

/// Renders all problems in the order of the document.
pub(super) fn render(problems: &[Local], source: &Source, look: Look) -> String {
    let renderer = match look {
        Look::Plain => Renderer::plain(),
        Look::Coloured => Renderer::styled(),
    };
    let page = Page {
        name: &source.name,
        text: source.body(),
        lines: Lines::of(source.body()),
    };
    let mut placed = place(problems, source);
    placed.sort_by_key(|placed| placed.spans.first().map(|span| span.start));
    let mut text = String::new();
    for placed in placed {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&renderer.render(&[page.group(&placed)]));
        text.push('\n');
    }
    text
}

/// A problem with its bytes in the text: its own first, then those of its related places.
struct Placed<'d> {
    problem: &'d Diagnostic,
    elsewhere: &'d [String],
    spans: Vec<Range<usize>>,
}

/// Finds the places of all problems in one walk.
fn place<'d>(problems: &'d [Local], source: &Source) -> Vec<Placed<'d>> {
    let mut pointers = Vec::new();
    for Local { problem, .. } in problems {
        pointers.push(&problem.at);
        pointers.extend(problem.related.iter().map(|related| &related.at));
    }
    let mut located = source.spans(&pointers).into_iter();
    let mut take = |known: &Option<Range<usize>>| {
        let span = located.next().flatten();
        known.clone().or(span).unwrap_or_default()
    };
    let mut placed = Vec::new();
    for Local { problem, elsewhere } in problems {
        let mut spans = vec![take(&problem.span)];
        spans.extend(problem.related.iter().map(|related| take(&related.span)));
        placed.push(Placed {
            problem,
            elsewhere,
            spans,
        });
    }
    placed
}

/// The document.
struct Page<'t> {
    name: &'t str,
    text: &'t str,
    lines: Lines<'t>,
}

impl<'t> Page<'t> {
    fn group(&self, placed: &Placed<'t>) -> Group<'t> {
        let problem = placed.problem;
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level
            .primary_title(problem.message.as_str())
            .id(problem.code.name());
        let mut group = self.excerpt(Group::with_title(title), placed);
        for note in placed.elsewhere {
            group = group.element(Level::NOTE.message(note.as_str()));
        }
        if !problem.at.as_str().is_empty() {
            let at = Level::NOTE.with_name("at");
            group = group.element(at.message(problem.at.to_string()));
        }
        if let Some(help) = &problem.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        if let Some(fallback) = &problem.fallback {
            group = group.element(Level::NOTE.message(fallback.as_str()));
        }
        if problem.code.class() == Class::Unsupported {
            let note = "the document is right here, but this generator does not support it";
            group = group.element(Level::NOTE.message(note));
        }
        group
    }

    /// The lines of all places if they are close to each other, else those of the problem.
    fn excerpt(&self, group: Group<'t>, placed: &Placed<'t>) -> Group<'t> {
        let spans: Vec<Range<usize>> = placed.spans.iter().map(|s| self.visible(s)).collect();
        let Some(own) = spans.first() else {
            return group;
        };
        let far = |span: &Range<usize>| self.whole_lines(&join(own, span)).len() > MAX_SHOWN;
        let (far, near): (Vec<_>, Vec<_>) = spans
            .iter()
            .skip(1)
            .zip(&placed.problem.related)
            .partition(|(span, _)| far(span));
        let mut group = if self.whole_lines(own).len() > MAX_SHOWN {
            self.part_of_line(group, own)
        } else {
            let all = near.iter().fold(own.clone(), |all, (s, _)| join(&all, s));
            let shown = self.whole_lines(&all);
            let within = |span: &Range<usize>| span.start - shown.start..span.end - shown.start;
            let labels = near.iter().map(|(span, related)| {
                let label = related.label.as_str();
                AnnotationKind::Context.span(within(span)).label(label)
            });
            let snippet = self.snippet(&shown).path(self.name);
            let primary = AnnotationKind::Primary.span(within(own));
            group.element(snippet.annotation(primary).annotations(labels))
        };
        for (span, related) in far {
            let (line, column) = self.lines.place(span.start);
            let note = format!("{} at {}:{line}:{column}", related.label, self.name);
            group = group.element(Level::NOTE.message(note));
        }
        group
    }

    /// A part of a line that is too long to be shown.
    fn part_of_line(&self, group: Group<'t>, span: &Range<usize>) -> Group<'t> {
        let (line, column) = self.lines.place(span.start);
        let origin = Origin::path(self.name).line(line).char_column(column);
        let bounds = self.lines.start(line)..self.lines.end(line);
        let start = span.start.saturating_sub(AROUND).max(bounds.start);
        let start = self.boundary(start);
        let end = self.boundary((span.start + 2 * AROUND).min(bounds.end));
        let marked = span.start - start..span.end.min(end) - start;
        let snippet = self.snippet(&(start..end));
        group
            .element(origin)
            .element(snippet.annotation(AnnotationKind::Primary.span(marked)))
    }

    fn snippet(&self, shown: &Range<usize>) -> Snippet<'t, annotate_snippets::Annotation<'t>> {
        let text = self.text.get(shown.clone()).unwrap_or_default();
        Snippet::source(text).line_start(self.lines.line(shown.start))
    }

    /// An empty place is shown by the word that begins there, the end of the text by its last line.
    fn visible(&self, span: &Range<usize>) -> Range<usize> {
        if !span.is_empty() {
            return span.clone();
        }
        let last = self.text.trim_end().len();
        let start = self.boundary(span.start.min(last));
        let rest = self.text.get(start..).unwrap_or_default();
        let ends = |c: char| c.is_whitespace() || ",:{}[]\"'".contains(c);
        let word = rest.find(ends).unwrap_or(rest.len());
        let first = rest.chars().next().filter(|c| *c != '\n');
        start..start + word.max(first.map_or(0, char::len_utf8))
    }

    /// The lines that hold a place, without the last line's end.
    fn whole_lines(&self, span: &Range<usize>) -> Range<usize> {
        let first = self.lines.line(span.start);
        let last = self.lines.line(span.end);
        let (start, end) = (self.lines.start(first), self.lines.end(last));
        let text = self.text.get(start..end).unwrap_or_default();
        start
            ..start
                + text
                    .trim_end_matches(['\n', '\r'])
                    .len()
                    .max(span.end - start)
    }

    /// The start of the character that a byte belongs to.
    fn boundary(&self, byte: usize) -> usize {
        (0..=byte.min(self.text.len()))
            .rev()
            .find(|at| self.text.is_char_boundary(*at))
            .unwrap_or_default()
    }
}

fn join(one: &Range<usize>, other: &Range<usize>) -> Range<usize> {
    one.start.min(other.start)..one.end.max(other.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Diagnostic};

    fn problem(at: &str) -> Local {
        let at = Pointer::parse(at).unwrap();
        Local {
            problem: Diagnostic::new(Code::Invalid, &at, "wrong"),
            elsewhere: Vec::new(),
        }
    }

    fn source(text: String) -> Source {
        Source {
            name: "t".into(),
            text,
        }
    }

    #[test]
    fn colours_only_when_asked() {
        let source = source("a: 1\n".into());
        let has_colour = |look| render(&[problem("/a")], &source, look).contains('\u{1b}');
        assert!(has_colour(Look::Coloured) && !has_colour(Look::Plain));
    }

    #[test]
    fn sorts_by_place() {
        let source = source("a: 1\nb: 2\n".into());
        let text = render(&[problem("/b"), problem("/a")], &source, Look::Plain);
        assert!(
            text.find("t:1:1").unwrap() < text.find("t:2:1").unwrap(),
            "{text}"
        );
    }

    #[test]
    fn shows_a_part_of_a_line_that_is_too_long() {
        let source = source(format!("{{pad: {}, ä: 1, z: 2}}", "ü".repeat(MAX_SHOWN)));
        let text = render(&[problem("/z")], &source, Look::Plain);
        let column = format!("t:1:{}\n", MAX_SHOWN + 15);
        assert!(
            text.contains(&column) && text.contains("ä: 1, z: 2}"),
            "{text}"
        );
        assert!(text.len() < 1000, "{text}");
    }

    #[test]
    fn names_places_that_are_far_away() {
        let source = source(format!(
            "a: 1\n{}b: 2\n",
            "# padding\n".repeat(MAX_SHOWN / 8)
        ));
        let mut problem = problem("/b");
        problem.problem.related.push(Related {
            at: Pointer::parse("/a").unwrap(),
            span: None,
            label: "first".into(),
        });
        let text = render(&[problem], &source, Look::Plain);
        assert!(text.contains("= note: first at t:1:1"), "{text}");
        assert!(!text.contains("a: 1"), "{text}");
    }

    #[test]
    fn names_places_in_other_files() {
        let files = [source("a: 1\nb: 2\n".into())];
        let at =
            |pointer: &str| crate::source::files::place("t", &Pointer::parse(pointer).unwrap());
        let problem = problem("/c").problem.related(&at("/b"), "first");
        let (file, found) = in_its_file(&problem, &source("c: 3".into()), &files);
        assert_eq!(
            (file, found.elsewhere),
            (None, vec!["first at t:2:1".to_owned()])
        );
        let problem = Diagnostic {
            at: at("/a"),
            ..problem
        };
        let (file, found) = in_its_file(&problem, &source("c: 3".into()), &files);
        assert_eq!(file, Some(0));
        assert_eq!(found.problem.related[0].at.as_str(), "/b");
    }
}
