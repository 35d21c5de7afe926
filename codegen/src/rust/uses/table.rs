//! What generated files may import, and how they name it.

/// How an item names an import.
#[derive(Clone, Copy)]
pub(super) enum Named {
    /// As the head of a path: `check::unique`.
    Head,
    /// By itself: a type, a trait, a macro's argument.
    Word,
    /// By a call: `respond(…)`.
    Call,
    /// By itself or by one of its methods, which take nothing: `.is_valid()`.
    Method(&'static str),
}

/// Everything that generated files import, by module, in the order in which it is printed.
pub(super) const IMPORTS: &[(&str, &[(&str, Named)])] = &[
    (
        "crate",
        &[
            ("api", Named::Head),
            ("conditions", Named::Head),
            ("formats", Named::Head),
            ("models", Named::Head),
            ("patterns", Named::Head),
            ("security", Named::Head),
        ],
    ),
    (
        "runtime",
        &[
            ("ByteStream", Named::Word),
            ("Check", Named::Method("is_valid")),
            ("Encoded", Named::Word),
            ("Event", Named::Word),
            ("Events", Named::Word),
            ("Fault", Named::Word),
            ("File", Named::Word),
            ("Host", Named::Word),
            ("Issue", Named::Word),
            ("Items", Named::Word),
            ("Limits", Named::Word),
            ("Operation", Named::Word),
            ("Place", Named::Word),
            ("Schemas", Named::Word),
            ("Scheme", Named::Word),
            ("SchemeKind", Named::Word),
            ("SchemeUse", Named::Word),
            ("Service", Named::Word),
            ("Upload", Named::Word),
        ],
    ),
    (
        "runtime::__private",
        &[
            ("Answer", Named::Word),
            ("body", Named::Head),
            ("Call", Named::Word),
            ("check", Named::Head),
            ("condition", Named::Head),
            ("constant", Named::Head),
            ("credential", Named::Head),
            ("Dispatch", Named::Word),
            ("events", Named::Head),
            ("expression", Named::Head),
            ("fault", Named::Head),
            ("Field", Named::Word),
            ("Fields", Named::Word),
            ("fields", Named::Head),
            ("Form", Named::Word),
            ("format", Named::Head),
            ("formatted", Named::Head),
            ("Formed", Named::Word),
            ("FormWriter", Named::Word),
            ("Framing", Named::Word),
            ("Headed", Named::Word),
            ("integer", Named::Head),
            ("media", Named::Head),
            ("object", Named::Head),
            ("ObjectWriter", Named::Word),
            ("Param", Named::Word),
            ("Part", Named::Word),
            ("PartHeaders", Named::Word),
            ("Pattern", Named::Word),
            ("Plain", Named::Word),
            ("Reader", Named::Word),
            ("Reply", Named::Word),
            ("respond", Named::Call),
            ("Shape", Named::Word),
            ("status", Named::Call),
            ("Style", Named::Word),
            ("Trouble", Named::Word),
            ("union", Named::Head),
            ("Want", Named::Word),
            ("within", Named::Call),
        ],
    ),
    ("axum::body", &[("Body", Named::Word)]),
    ("bytes", &[("Bytes", Named::Word)]),
    (
        "http",
        &[
            ("HeaderMap", Named::Word),
            ("HeaderName", Named::Word),
            ("Request", Named::Word),
            ("Response", Named::Word),
            ("StatusCode", Named::Word),
        ],
    ),
    (
        "serde",
        &[("Deserialize", Named::Word), ("Serialize", Named::Word)],
    ),
    ("std::future", &[("Future", Named::Word)]),
    ("std::sync", &[("Arc", Named::Word)]),
];
