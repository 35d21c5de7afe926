//! Random schemas: some as people write them, some with arbitrary keywords.

use crate::total::Random;
use serde_json::{Map, Value, json};

/// Few names, so that schemas and values often share them.
pub(super) const NAMES: &[&str] = &["a", "b", "c", "kind"];

pub(super) const TEXTS: &[&str] = &[
    "", "a", "b", "ab", "aab", "abc", "x", "12", "é", "😀", "a😀b", "kind",
];

/// Numbers in the spellings of JSON, some of which are equal.
pub(super) const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "1.0",
    "2.0",
    "1.5",
    "0.5",
    "-0.5",
    "-0",
    "1e2",
    "100",
    "0.1",
    "0.3",
    "9007199254740993",
    "12345678901234567890",
    "18446744073709551616",
    "1e30",
    "-1e30",
];

const PATTERNS: &[&str] = &[
    "^a",
    "b$",
    "^[a-c]+$",
    "^(?!x)",
    "^(?=.*b)a",
    "a{2}",
    r"^\d+$",
    r"\S",
    "^.$",
    "^(a|b)*$",
    "^kind$",
    "a(?!b)",
    "(?<!a)b(?=c)|^$",
    "^(?:(?!ab).)+$",
];

/// How deep schemas are nested.
const DEPTH: usize = 3;

/// A schema.
pub(super) fn schema(random: &mut Random) -> Value {
    let mut maker = Maker {
        defined: random.below(4),
        random,
        within: None,
        stepped: false,
    };
    let mut root = maker.members(DEPTH);
    let mut defined = Map::new();
    for index in 0..maker.defined {
        maker.within = Some(index);
        defined.insert(format!("D{index}"), maker.schema(DEPTH - 1));
    }
    if !defined.is_empty() {
        root.insert("$defs".into(), defined.into());
    }
    root.into()
}

struct Maker<'r> {
    random: &'r mut Random,
    /// How many definitions there are.
    defined: usize,
    /// The index of the definition that contains this schema.
    within: Option<usize>,
    /// Whether it describes a part of the definition's value.
    stepped: bool,
}

impl Maker<'_> {
    fn one_in(&mut self, bound: usize) -> bool {
        self.random.below(bound) == 0
    }

    fn text(&mut self, of: &[&str]) -> Value {
        self.random.one_of(of).into()
    }

    fn number(&mut self) -> Value {
        serde_json::from_str(self.random.one_of(NUMBERS)).unwrap()
    }

    fn count(&mut self) -> Value {
        self.random.below(4).into()
    }

    /// A schema for the value itself.
    fn schema(&mut self, depth: usize) -> Value {
        match self.random.below(24) {
            0 => true.into(),
            1 => false.into(),
            _ => self.members(depth).into(),
        }
    }

    /// A schema for a part of the value.
    fn part(&mut self, depth: usize) -> Value {
        let before = std::mem::replace(&mut self.stepped, true);
        let schema = self.schema(depth);
        self.stepped = before;
        schema
    }

    fn schemas(&mut self, depth: usize) -> Value {
        let count = 1 + self.random.below(3);
        (0..count).map(|_| self.schema(depth)).collect()
    }

    fn members(&mut self, depth: usize) -> Map<String, Value> {
        let mut members = match self.random.below(if depth == 0 { 5 } else { 10 }) {
            0 => json!({ "type": "string" }),
            1 => json!({ "type": "integer" }),
            2 => json!({ "type": "number" }),
            3 => json!({ "type": ["boolean", "null", "string", "integer"] }),
            4 => json!({}),
            5 => json!({ "type": "array", "items": self.part(depth - 1) }),
            6 => self.union(depth - 1),
            7 => match self.reference() {
                Some(reference) => json!({ "$ref": reference }),
                None => json!({ "type": "boolean" }),
            },
            _ => self.object(depth - 1),
        };
        let more = match self.random.below(4) {
            0 => 0,
            1 | 2 => 1,
            _ => 3,
        };
        let members = members.as_object_mut().unwrap();
        for _ in 0..more {
            self.keyword(depth, members);
        }
        std::mem::take(members)
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut object = json!({
            "type": if self.one_in(5) { json!(["object", "null"]) } else { "object".into() },
            "properties": self.properties(depth),
        });
        let members = object.as_object_mut().unwrap();
        if !self.one_in(3) {
            members.insert("required".into(), self.names());
        }
        let additional = match self.random.below(5) {
            0 => Some(false.into()),
            1 => Some(self.part(depth)),
            _ => None,
        };
        members.extend(additional.map(|schema| ("additionalProperties".to_owned(), schema)));
        object
    }

    fn union(&mut self, depth: usize) -> Value {
        let keyword = self.random.one_of(&["oneOf", "anyOf"]);
        let count = 2 + self.random.below(2);
        let told = self.one_in(2);
        let variants = (0..count).map(|index| {
            let mut variant = self.object(depth);
            if told && let Value::Object(members) = &mut variant {
                let kind = json!({ "const": TEXTS.get(1 + index) });
                if let Some(Value::Object(properties)) = members.get_mut("properties") {
                    properties.insert("kind".into(), kind);
                }
                members.insert("required".into(), json!(["kind"]));
            }
            match self.random.below(6) {
                0 => self.schema(depth),
                1 => json!({ "type": "null" }),
                _ => variant,
            }
        });
        let variants: Vec<Value> = variants.collect();
        json!({ keyword: variants })
    }

    /// A reference to a definition; to its own only if it describes a part of the value.
    fn reference(&mut self) -> Option<String> {
        let first = match self.within {
            Some(within) if !self.stepped => within + 1,
            _ => 0,
        };
        let count = self.defined.saturating_sub(first);
        (count > 0).then(|| format!("#/$defs/D{}", first + self.random.below(count)))
    }

    fn properties(&mut self, depth: usize) -> Value {
        let mut properties = Map::new();
        for _ in 0..1 + self.random.below(3) {
            let name = self.random.one_of(NAMES);
            properties.insert(name.into(), self.part(depth));
        }
        properties.into()
    }

    fn names(&mut self) -> Value {
        let mut names: Vec<&str> = NAMES.to_vec();
        names.retain(|_| self.one_in(3));
        names.into()
    }

    fn value(&mut self) -> Value {
        match self.random.below(8) {
            0 => Value::Null,
            1 => true.into(),
            2 | 3 => self.number(),
            4 => json!([1]),
            5 => json!({ "a": 1 }),
            _ => self.text(TEXTS),
        }
    }

    fn keyword(&mut self, depth: usize, into: &mut Map<String, Value>) {
        let mut set = |name: &str, value: Value| _ = into.insert(name.into(), value);
        match self.random.below(if depth == 0 { 17 } else { 34 }) {
            0 => set("minLength", self.count()),
            1 => set("maxLength", self.count()),
            2 => set("pattern", self.text(PATTERNS)),
            3 => set("minimum", self.number()),
            4 => set("maximum", self.number()),
            5 => set("exclusiveMinimum", self.number()),
            6 => set("exclusiveMaximum", self.number()),
            7 => {
                let of = self.random.one_of(&["1", "2", "0.5", "0.1", "3", "1e2"]);
                set("multipleOf", serde_json::from_str(of).unwrap());
            }
            8 => set("minItems", self.count()),
            9 => set("maxItems", self.count()),
            10 => set("uniqueItems", true.into()),
            11 => set("minProperties", self.count()),
            12 => set("maxProperties", self.count()),
            13 => set("const", self.value()),
            14 => set("enum", json!([self.value(), self.value(), self.value()])),
            15 => set("required", self.names()),
            16 => {
                let name = self.random.one_of(NAMES);
                set("dependentRequired", json!({ name: self.names() }));
            }
            17 => set("items", self.part(depth - 1)),
            18 => set("prefixItems", {
                let first = self.part(depth - 1);
                json!([first, self.part(depth - 1)])
            }),
            19 => set("contains", self.part(depth - 1)),
            20 => {
                set("contains", self.part(depth - 1));
                set("minContains", self.count());
            }
            21 => {
                set("contains", self.part(depth - 1));
                set("maxContains", self.count());
            }
            22 => set("properties", self.properties(depth - 1)),
            23 => set("additionalProperties", self.part(depth - 1)),
            24 => {
                let pattern = self.random.one_of(PATTERNS);
                set(
                    "patternProperties",
                    json!({ pattern: self.part(depth - 1) }),
                );
            }
            25 => set("propertyNames", self.part(depth - 1)),
            26 => {
                let name = self.random.one_of(NAMES);
                set("dependentSchemas", json!({ name: self.schema(depth - 1) }));
            }
            27 => set("allOf", self.schemas(depth - 1)),
            28 => set("anyOf", self.schemas(depth - 1)),
            29 => set("oneOf", self.schemas(depth - 1)),
            30 => set("not", self.schema(depth - 1)),
            31 => {
                set("if", self.schema(depth - 1));
                let branch = self.random.one_of(&["then", "else"]);
                set(branch, self.schema(depth - 1));
            }
            32 => set("unevaluatedProperties", self.part(depth - 1)),
            _ => set("unevaluatedItems", self.part(depth - 1)),
        }
    }
}
