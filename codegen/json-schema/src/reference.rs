//! References between the named schemas of a bundle: `#/KEY`, where the key is
//! one token of a JSON pointer in a URI fragment (RFC 6901, section 6).

use serde_json::Value;

/// The key that a reference names.
#[must_use]
pub fn key_of_reference(reference: &str) -> Option<String> {
    // Percents are decoded before the rest.
    let key = reference.strip_prefix("#/")?.replace("%25", "%");
    Some(key.replace("~1", "/").replace("~0", "~"))
}

/// The key that the `$ref` of a schema names.
#[must_use]
pub fn key_in(schema: &Value) -> Option<String> {
    key_of_reference(schema.get("$ref")?.as_str()?)
}

/// The reference to a key.
#[must_use]
pub fn reference_to(key: &str) -> String {
    let token = key.replace('%', "%25").replace('~', "~0");
    format!("#/{}", token.replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::{key_of_reference, reference_to};

    #[test]
    fn a_reference_names_the_key_that_it_was_made_from() {
        for key in ["Pet", "/paths/~1a/get", "100%25", "~1", ""] {
            assert_eq!(key_of_reference(&reference_to(key)).as_deref(), Some(key));
        }
        assert_eq!(reference_to("a/b~c%"), "#/a~1b~0c%25");
        assert_eq!(key_of_reference("other.json#/Pet"), None);
    }
}
