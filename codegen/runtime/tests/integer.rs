//! Whole numbers of any size.

use runtime::Integer;

#[test]
fn integers_are_read_from_json_and_written_to_it() {
    for (text, written) in [
        ("0", "0"),
        ("-0.0", "0"),
        ("1e30", "1000000000000000000000000000000"),
        ("-12345678901234567890.0", "-12345678901234567890"),
        ("1e400", "1e+400"),
    ] {
        let read: Integer = serde_json::from_str(text).expect("an integer");
        assert_eq!(serde_json::to_string(&read).expect("text"), written);
        let value: serde_json::Value = serde_json::from_str(text).expect("a value");
        assert_eq!(
            serde_json::from_value::<Integer>(value).expect("an integer"),
            read
        );
    }
    for none in ["0.5", "1e-1", "\"1\"", "null", "[1]", "{}"] {
        assert!(serde_json::from_str::<Integer>(none).is_err(), "{none}");
    }
}
