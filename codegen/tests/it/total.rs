//! Every text gets an answer: broken and mutated documents are diagnosed or accepted, and their
//! diagnostics can be rendered.

use crate::expected::{entries, folder};
use codegen::diagnostic::Look;
use codegen::{Options, Reading, Runtime, SampleLanguage, Source, Workspace};
use serde_json::{Value, json};
use std::fs;

/// How many mutations of each document are tried, and how many where all tests run.
const FEW: u64 = 1;
const MANY: u64 = 6;

/// Words to be exchanged: the document stays readable, with another meaning.
const WORDS: &[&str] = &[
    "string",
    "object",
    "array",
    "oneOf",
    "allOf",
    "properties",
    "required",
    "items",
    "schema",
    "\"#/components/schemas/Book\"",
    "null",
    "-1",
    "1e400",
    "[]",
    "{}",
    "\"(\"",
    "$ref",
    "get",
    "parameters",
    "responses",
    "components",
    "default",
    "enum",
    "discriminator",
    "日本",
    "\t",
];

#[test]
fn answers_whatever_it_is_given() {
    mutates_words(FEW);
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn answers_many_mutated_documents() {
    mutates_words(MANY);
    mutates_references(MANY);
}

fn mutates_words(times: u64) {
    let mut random = Random(20261120);
    for text in documents() {
        for _ in 0..times {
            let source = Source {
                name: "mutated.yaml".into(),
                text: mutate(&text, &mut random),
            };
            answer(&source);
        }
    }
}

#[test]
fn answers_references_from_anywhere_to_anywhere() {
    mutates_references(FEW);
}

/// Adds references at locations where none is allowed, to targets of a wrong kind, and to themselves.
fn mutates_references(times: u64) {
    let mut random = Random(20261123);
    for text in documents() {
        let Ok(document) = serde_yaml::from_str::<Value>(&text) else {
            continue;
        };
        let places = places(&document);
        for _ in 0..times {
            let mut document = document.clone();
            for _ in 0..=random.below(3) {
                let to = places.get(random.below(places.len())).unwrap();
                let from = places.get(random.below(places.len())).unwrap();
                if let Some(place) = document.pointer_mut(from) {
                    *place = json!({ "$ref": format!("#{to}") });
                }
            }
            answer(&Source {
                name: "mutated.json".into(),
                text: document.to_string(),
            });
        }
    }
}

/// The pointers to all values in a document.
fn places(document: &Value) -> Vec<String> {
    let mut places = Vec::new();
    let mut left = vec![(String::new(), document)];
    while let Some((at, value)) = left.pop() {
        match value {
            Value::Object(members) => left.extend(members.iter().map(|(name, value)| {
                let token = name.replace('~', "~0").replace('/', "~1");
                (format!("{at}/{token}"), value)
            })),
            Value::Array(items) => {
                let items = items.iter().enumerate();
                left.extend(items.map(|(i, item)| (format!("{at}/{i}"), item)));
            }
            _ => {}
        }
        places.push(at);
    }
    places
}

/// Each schema refers to the next one many times: following every reference would take for ever.
#[test]
fn answers_schemas_that_refer_to_others_many_times() {
    let eight =
        |next: usize| vec![format!("{{ $ref: '#/components/schemas/S{next}' }}"); 8].join(", ");
    for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        for last in [
            "type: string",
            "type: object",
            "anyOf: [{ type: string }, { $ref: '#/components/schemas/S0' }]",
        ] {
            let schemas =
                (0..10).map(|at| format!("    S{at}: {{ {keyword}: [{}] }}\n", eight(at + 1)));
            let schemas: String = schemas.collect();
            answer(&Source {
                name: "many.yaml".into(),
                text: format!(
                    "openapi: 3.1.1\ninfo: {{ title: Many, version: 1.0.0 }}\npaths:\n  /s:\n    post:\n      operationId: s\n      requestBody: {{ content: {{ application/json: {{ schema: {{ $ref: '#/components/schemas/S0' }} }} }} }}\n      responses: {{ '204': {{ description: Done. }} }}\ncomponents:\n  schemas:\n{schemas}    S10: {{ {last} }}\n"
                ),
            });
        }
    }
}

#[test]
fn answers_odd_texts() {
    for text in [
        "",
        "\u{feff}",
        "\n\n",
        "\0",
        "}",
        "- ",
        "a: b: c",
        "&a *a",
        "? {a: 1}\n: 2",
        "openapi: 3.1.1",
        "{\"a\":",
        "a:\r\n  b: 1\r\n  b: 2\r",
        "%YAML 9.9",
        "--- 1\n--- 2",
        "é: {é: 1, é: 2}",
    ] {
        for name in ["odd.yaml", "odd.json"] {
            answer(&Source {
                name: name.into(),
                text: text.into(),
            });
        }
    }
}

/// Runs the generator, the rules and the renderer on a document; a panic fails the test.
fn answer(source: &Source) {
    let found = codegen::lint::lint(source, &Reading::default());
    found.render_for(source, Look::Coloured);
    let options = Options {
        crate_name: "mutated".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Copy,
        strict: false,
        samples: SampleLanguage::ALL.to_vec(),
        ..Options::default()
    };
    match codegen::generate(source, &options) {
        Ok(output) => output.warnings.render(source),
        Err(found) => found.render(source),
    };
}

fn documents() -> Vec<String> {
    let mut paths: Vec<_> = entries(&folder("golden"))
        .iter()
        .map(|path| path.join("spec.yaml"))
        .collect();
    for kind in ["reject", "behaviour"] {
        let all = entries(&folder(kind)).into_iter();
        paths.extend(all.filter(|path| {
            let extension = path.extension().unwrap_or_default();
            extension == "yaml" || extension == "json"
        }));
    }
    paths
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}

/// Replaces a word, takes out a line, or cuts the text off.
fn mutate(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let line = random.below(lines.len());
    match random.below(8) {
        0 => lines.get(..line).unwrap().join("\n"),
        1 | 2 => {
            let kept = lines.iter().enumerate().filter(|(at, _)| *at != line);
            kept.map(|(_, line)| format!("{line}\n")).collect()
        }
        _ => {
            let word = WORDS.get(random.below(WORDS.len())).unwrap();
            let known: Vec<&&str> = WORDS.iter().filter(|word| text.contains(**word)).collect();
            let Some(old) = known.get(random.below(known.len().max(1))) else {
                return text.to_owned();
            };
            let places: Vec<usize> = text.match_indices(**old).map(|(at, _)| at).collect();
            let at = places.get(random.below(places.len())).unwrap();
            let (before, after) = text.split_at(*at);
            format!("{before}{word}{}", after.get(old.len()..).unwrap())
        }
    }
}

/// Pseudo-random numbers that are the same in every run (Knuth's MMIX generator).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// One of several texts, of which there must be some.
    pub(crate) fn one_of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all.get(self.below(all.len())).unwrap()
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}
