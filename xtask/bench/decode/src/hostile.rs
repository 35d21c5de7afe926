//! Hostile bodies that are costly to decode, each of about a given length.

pub fn body(case: &str, length: usize) -> Option<(&'static str, String)> {
    let times = |part: &str| part.repeat(length / part.len());
    let list = |name: &str, item: &dyn Fn(usize) -> String| {
        let (mut text, mut n) = (format!(r#"{{"{name}":["#), 0);
        while text.len() < length {
            text.push_str(&item(n));
            text.push(',');
            n += 1;
        }
        text.pop();
        text + "]}"
    };
    Some(match case {
        "nested arrays" => ("Shapes", format!(r#"{{"shapes":{}"#, times("["))),
        "nested unions" => (
            "Shapes",
            format!(r#"{{"shapes":[{}"#, times(r#"{"kind":"group","shapes":["#)),
        ),
        // As deep as it may be, with everything in the innermost, and the tag at the end of each.
        "late tags" => {
            let inner = list("shapes", &|n| {
                format!(r#"{{"kind":"circle","x":{n},"y":0,"radius":1}}"#)
            });
            let open = r#"{"shapes":["#.repeat(55);
            let close = r#"],"kind":"group"}"#.repeat(55);
            let inner = format!(r#"{},"kind":"group"}}"#, inner.trim_end_matches('}'));
            ("Shapes", format!(r#"{{"shapes":[{open}{inner}{close}]}}"#))
        }
        "violations" => (
            "Payments",
            list("payments", &|_| r#"{"code":1,"amount":-1}"#.into()),
        ),
        "undecided" => (
            "Payments",
            list("payments", &|_| {
                r#"{"code":"abcd","iban":"DE893704004405"}"#.into()
            }),
        ),
        "huge number" => ("Sets", format!(r#"{{"shares":[{}]}}"#, times("9"))),
        "huge fraction" => ("Sets", format!(r#"{{"shares":[0.{}]}}"#, times("3"))),
        "multiples" => ("Sets", list("shares", &|n| format!("{n}.017e{}", n % 290))),
        "one name" => ("Closed", format!(r#"{{{}"a":"a"}}"#, times(r#""a":"a","#))),
        "names" => {
            let text = list("", &|n| format!(r#""{n}":0"#));
            ("Closed", text.replace(r#""":["#, "").replace(']', ""))
        }
        "distinct objects" => ("Sets", list("set", &|n| format!(r#"{{"a":{n}}}"#))),
        "distinct words" => ("Sets", list("words", &|n| format!(r#""{n}""#))),
        "near match of a pattern" => ("Closed", format!(r#"{{"a":"{}b"}}"#, times("a"))),
        "escapes" => ("Closed", format!(r#"{{"a":"{}"}}"#, times(r"\u0061"))),
        _ => return None,
    })
}

pub const CASES: &[&str] = &[
    "nested arrays",
    "nested unions",
    "late tags",
    "violations",
    "undecided",
    "huge number",
    "huge fraction",
    "multiples",
    "one name",
    "names",
    "distinct objects",
    "distinct words",
    "near match of a pattern",
    "escapes",
];
