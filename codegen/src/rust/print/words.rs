//! Words and marks: which of them are keywords, and between which there is a space.

use super::flat::{Kind, Shape, Strength};

/// A word as a token.
pub(super) fn word(text: &str) -> Kind {
    const BEFORE_OPERANDS: &[&str] = &[
        "as", "async", "break", "const", "dyn", "else", "enum", "for", "if", "impl", "in", "let",
        "loop", "match", "move", "mut", "ref", "return", "static", "struct", "trait", "type",
        "unsafe", "use", "where", "while",
    ];
    // All of them are short.
    if text.len() <= 6 && BEFORE_OPERANDS.contains(&text) {
        return Kind::Keyword;
    }
    Kind::Word
}

/// Whether a character makes a longer operator of what is before it.
pub(super) fn goes_on(read: &str, character: char) -> bool {
    match character {
        '=' => matches!(
            read,
            "=" | "!"
                | "<"
                | ">"
                | "+"
                | "-"
                | "*"
                | "/"
                | "%"
                | "^"
                | "&"
                | "|"
                | "<<"
                | ">>"
                | ".."
        ),
        '>' => matches!(read, "-" | "=" | ">"),
        ':' | '&' | '|' | '<' => read.len() == 1 && read.starts_with(character),
        '.' => matches!(read, "." | ".."),
        _ => false,
    }
}

/// A mark as a token, after another.
pub(super) fn mark(text: &str, before: Kind) -> Kind {
    let operand = before.ends_operand();
    let infix = |strength| match operand {
        true => Kind::Infix(strength),
        false => Kind::Prefix,
    };
    match text {
        "," => Kind::Comma,
        ";" => Kind::Semicolon,
        "." => Kind::Dot,
        ":" => Kind::Colon,
        "::" => Kind::Path,
        "#" => Kind::Pound,
        "->" => Kind::Arrow,
        "=>" => Kind::FatArrow,
        ".." | "..=" | "..." => Kind::Range,
        "!" if before == Kind::Word => Kind::Bang,
        "?" if operand => Kind::Question,
        "!" | "?" | "$" => Kind::Prefix,
        "||" if !operand => Kind::NoArguments,
        "||" => Kind::Infix(Strength::Or),
        "&&" => infix(Strength::And),
        "==" | "!=" | "<=" | ">=" | "<" | ">" => Kind::Infix(Strength::Comparison),
        "|" => Kind::Infix(Strength::Alternative),
        "+" => Kind::Infix(Strength::Sum),
        "-" => infix(Strength::Sum),
        "&" | "*" => infix(Strength::Tight),
        "/" | "%" | "^" | "<<" | ">>" | "@" => Kind::Infix(Strength::Tight),
        _ => Kind::Assign,
    }
}

/// Whether there is a space between two tokens that follow each other on a line.
pub(super) fn spaced(before: Kind, token: Kind) -> bool {
    use Kind::{
        Arrow, Assign, Bang, Close, Colon, Comma, Doc, Dot, FatArrow, Infix, Keyword, NoArguments,
        None, Open, Path, Pound, Prefix, Question, Range, Semicolon,
    };
    match (before, token) {
        (None | Doc, _) | (_, Comma | Semicolon | Question | Dot | Colon) => false,
        (Open(_), Close(_)) => false,
        (Open(shape), _) | (_, Close(shape)) => shape.is_roomy(),
        (Dot | Path | Prefix | Pound | Range | Bang, _) => false,
        (_, Assign | FatArrow | Arrow | Infix(_)) => true,
        (Comma | Semicolon | Colon | Assign | FatArrow | Arrow | Infix(_) | NoArguments, _) => true,
        (Keyword, Open(Shape::Angle)) => false,
        (Keyword, _) => true,
        (_, Bang | Path | Range) => false,
        (_, Open(Shape::Parenthesis | Shape::Bracket)) => !before.ends_operand(),
        (_, Open(Shape::Angle)) => false,
        _ => true,
    }
}
