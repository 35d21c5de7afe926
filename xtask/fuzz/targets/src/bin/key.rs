//! Keys: a text that is one is shown as it was written.

#![no_main]

use server::keys::Key;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(key) = Key::parse(text) {
        assert_eq!(key.reveal(), text);
        assert!(!format!("{key:?}").contains(text), "the key is shown");
    }
});
