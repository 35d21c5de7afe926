//! The tokens of some Rust in a row, with the text that they are on one line.

/// Tokens and their text. Groups stay what they are: each bracket knows its partner.
#[derive(Default)]
pub(in crate::rust) struct Flat {
    /// Everything on one line, as it is spaced. Only documentation has lines of its own here.
    pub(super) text: String,
    pub(super) tokens: Vec<Token>,
    /// How often a line has to end within.
    pub(super) breaks: u32,
}

/// A token: where it is, and what it does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The other bracket of a group, else nothing of use.
    pub(super) partner: u32,
    /// How often a line has to end before it.
    pub(super) breaks: u32,
    pub(in crate::rust) kind: Kind,
}

/// What a token is to those around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rust) enum Kind {
    /// Nothing: what is before the first token and after the last.
    None,
    /// Lines of a doc comment.
    Doc,
    /// A name, or a keyword that stands for a value.
    Word,
    /// A word after which a value or a type begins.
    Keyword,
    /// A literal.
    Value,
    Lifetime,
    Comma,
    Semicolon,
    Dot,
    Colon,
    /// `::`
    Path,
    /// `#`
    Pound,
    /// `!` of a macro.
    Bang,
    /// `?` after a value.
    Question,
    /// `->`
    Arrow,
    /// `=>`
    FatArrow,
    /// `=`, `+=` and the like.
    Assign,
    /// `..` and `..=`
    Range,
    /// An operator before its only operand.
    Prefix,
    /// An operator between two.
    Infix(Strength),
    /// `||` of a closure without arguments.
    NoArguments,
    Open(Shape),
    Close(Shape),
}

/// How tightly operators bind that a line may end before; the loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::rust) enum Strength {
    Or,
    And,
    Comparison,
    /// `|`, mostly of patterns.
    Alternative,
    Sum,
    /// No line ends here.
    Tight,
}

/// What a group holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rust) enum Shape {
    Parenthesis,
    Bracket,
    /// `<…>`
    Angle,
    /// `|…|`, the arguments of a closure.
    Bars,
    /// The names of an import.
    Names,
    /// The members of a value or a pattern.
    Members,
    /// The definitions of members or variants.
    Definitions,
    /// The items of an implementation or a trait.
    Items,
    /// The statements of a function.
    Body,
    /// Other statements.
    Block,
    /// The arms of a `match`.
    Arms,
}

impl Shape {
    /// Whether it is in braces that have room within.
    pub(super) fn is_roomy(self) -> bool {
        !matches!(
            self,
            Shape::Parenthesis | Shape::Bracket | Shape::Angle | Shape::Bars | Shape::Names
        )
    }

    /// Whether it holds statements or arms.
    pub(super) fn is_block(self) -> bool {
        matches!(self, Shape::Body | Shape::Block | Shape::Arms)
    }

    /// Whether it takes lines of its own unless it is empty.
    pub(super) fn is_tall(self) -> bool {
        matches!(
            self,
            Shape::Definitions | Shape::Items | Shape::Body | Shape::Arms
        )
    }
}

impl Kind {
    /// Whether a value or a type may end here, so that an operator that follows stands between two.
    pub(super) fn ends_operand(self) -> bool {
        match self {
            Kind::Word | Kind::Value | Kind::Question => true,
            Kind::Close(shape) => shape != Shape::Bars && !shape.is_block(),
            _ => false,
        }
    }
}

impl Flat {
    /// The token at a place; `None` beyond the last.
    pub(super) fn token(&self, at: usize) -> Token {
        let end = Token {
            start: self.text.len() as u32,
            end: self.text.len() as u32,
            partner: at as u32,
            breaks: self.breaks,
            kind: Kind::None,
        };
        self.tokens.get(at).copied().unwrap_or(end)
    }

    /// What the token at a place is.
    pub(in crate::rust) fn kind(&self, at: usize) -> Kind {
        self.token(at).kind
    }

    /// The text of the token at a place.
    pub(in crate::rust) fn word(&self, at: usize) -> &str {
        let Token { start, end, .. } = self.token(at);
        self.text
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }

    /// The place behind a token, or behind the group that it opens.
    pub(super) fn after(&self, at: usize) -> usize {
        let token = self.token(at);
        match token.kind {
            Kind::Open(_) => (token.partner as usize).max(at) + 1,
            _ => at + 1,
        }
    }
}
