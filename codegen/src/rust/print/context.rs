//! What the tokens read so far say of the one that comes next.

use super::flat::{Flat, Kind, Shape};

impl Flat {
    /// Whether the innermost parentheses are arguments, or a tuple of more than one: a comma at their
    /// end then means nothing.
    pub(super) fn ends_in_list(&self) -> bool {
        let mut open = self.tokens.len();
        let mut commas = false;
        while let Some(before) = open.checked_sub(1) {
            open = before;
            let token = self.token(open);
            match token.kind {
                Kind::Open(Shape::Parenthesis) => break,
                Kind::Close(_) => open = token.partner as usize,
                Kind::Comma => commas = true,
                _ => {}
            }
        }
        let before = open.checked_sub(1).map_or(Kind::None, |at| self.kind(at));
        before.ends_operand() || (commas && before != Kind::Bang)
    }

    /// Whether a `<` begins generics: after a type, or where no value has ended.
    pub(super) fn opens_angle(&self) -> bool {
        let at = self.tokens.len();
        let before = at.checked_sub(1).map_or(Kind::None, |at| self.kind(at));
        match before {
            Kind::Word => {
                let name = at.checked_sub(1).map_or("", |at| self.word(at));
                let declared = at.checked_sub(2).is_some_and(|at| self.word(at) == "fn");
                declared || name.starts_with(|c: char| c.is_uppercase())
            }
            _ => !before.ends_operand(),
        }
    }
}
