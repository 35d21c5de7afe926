//! Names of categories of charities.

use features::charities::Category;

/// The name of a category, such as `Animal welfare`.
pub(crate) fn name(category: Category) -> String {
    let words = category.as_str().replace('-', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_words_and_one_capital() {
        for category in Category::ALL {
            let name = name(category);
            let capitals = name.chars().filter(char::is_ascii_uppercase).count();
            assert!(
                name.starts_with(|first: char| first.is_ascii_uppercase()),
                "{name}"
            );
            assert!(capitals == 1 && !name.contains('-'), "{name}");
        }
    }
}
