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
        "crate::runtime",
        &[
            ("body", Named::Head),
            ("check", Named::Head),
            ("condition", Named::Head),
            ("constant", Named::Head),
            ("credential", Named::Head),
            ("events", Named::Head),
            ("expression", Named::Head),
            ("fault", Named::Head),
            ("fields", Named::Head),
            ("format", Named::Head),
            ("formatted", Named::Head),
            ("integer", Named::Head),
            ("media", Named::Head),
            ("object", Named::Head),
            ("union", Named::Head),
        ],
    ),
    (
        "crate::runtime::check",
        &[("Check", Named::Method("is_valid"))],
    ),
    ("crate::runtime::call", &[("Call", Named::Word)]),
    ("crate::runtime::encoded", &[("Encoded", Named::Word)]),
    (
        "crate::runtime::fault",
        &[
            ("Answer", Named::Word),
            ("Fault", Named::Word),
            ("Plain", Named::Word),
        ],
    ),
    (
        "crate::runtime::events",
        &[("Event", Named::Word), ("Events", Named::Word)],
    ),
    ("crate::runtime::host", &[("Host", Named::Word)]),
    (
        "crate::runtime::issue",
        &[("Issue", Named::Word), ("Place", Named::Word)],
    ),
    (
        "crate::runtime::items",
        &[("Framing", Named::Word), ("Items", Named::Word)],
    ),
    ("crate::runtime::multipart", &[("File", Named::Word)]),
    (
        "crate::runtime::multipart_field",
        &[("Field", Named::Word), ("Fields", Named::Word)],
    ),
    (
        "crate::runtime::multipart_headers",
        &[("Headed", Named::Word), ("PartHeaders", Named::Word)],
    ),
    ("crate::runtime::multipart_read", &[("Form", Named::Word)]),
    (
        "crate::runtime::multipart_write",
        &[("FormWriter", Named::Word)],
    ),
    (
        "crate::runtime::object_writer",
        &[("ObjectWriter", Named::Word), ("Part", Named::Word)],
    ),
    (
        "crate::runtime::operation",
        &[
            ("Operation", Named::Word),
            ("Scheme", Named::Word),
            ("SchemeKind", Named::Word),
            ("SchemeUse", Named::Word),
            ("Want", Named::Word),
        ],
    ),
    (
        "crate::runtime::param",
        &[
            ("Param", Named::Word),
            ("Shape", Named::Word),
            ("Style", Named::Word),
        ],
    ),
    ("crate::runtime::pattern", &[("Pattern", Named::Word)]),
    ("crate::runtime::reader", &[("Reader", Named::Word)]),
    (
        "crate::runtime::respond",
        &[
            ("respond", Named::Call),
            ("status", Named::Call),
            ("within", Named::Call),
        ],
    ),
    (
        "crate::runtime::stream",
        &[("ByteStream", Named::Word), ("Trouble", Named::Word)],
    ),
    (
        "crate::runtime::service",
        &[
            ("Dispatch", Named::Word),
            ("Limits", Named::Word),
            ("Reply", Named::Word),
            ("Service", Named::Word),
        ],
    ),
    (
        "crate::runtime::upload",
        &[("Formed", Named::Word), ("Upload", Named::Word)],
    ),
    ("crate::runtime::schema", &[("Schemas", Named::Word)]),
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
