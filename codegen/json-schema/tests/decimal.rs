//! Decimals of any length, against arithmetic that is done another way.

use json_schema::number::decimal::Decimal;

macro_rules! decimal {
    ($text:expr) => {
        Decimal::parse($text).unwrap()
    };
}

#[test]
fn a_number_has_one_form_however_it_is_written() {
    for same in ["100", "1e2", "1E+2", "100.00", "0.1e3", "1000e-1"] {
        assert_eq!(decimal!(same), decimal!("100"), "{same}");
        assert_eq!(decimal!(same).to_string(), "100");
    }
    for zero in ["0", "-0", "0.000", "-0e99999999999999999999"] {
        assert_eq!(decimal!(zero), decimal!("0"), "{zero}");
    }
    for none in ["", "-", "1e", "NaN", "inf", "1e99999999999999999999", "1_0"] {
        assert_eq!(Decimal::parse(none), None, "{none}");
    }
}

#[test]
fn order_is_that_of_the_numbers() {
    let ascending = [
        "-1e400",
        "-18446744073709551617",
        "-18446744073709551616",
        "-1.5",
        "-1",
        "-0.1",
        "0",
        "1e-400",
        "0.09999999999999999999",
        "0.1",
        "0.10000000000000000001",
        "9",
        "10",
        "12",
        "123",
        "124e0",
        "18446744073709551616",
        "1e400",
    ];
    for pair in ascending.windows(2) {
        let [low, high] = pair else { continue };
        assert!(decimal!(low) < decimal!(high), "{low} {high}");
    }
}

#[test]
fn floors_go_down() {
    for (text, floor) in [
        ("1.5", 1),
        ("-1.5", -2),
        ("0.001", 0),
        ("-0.001", -1),
        ("12e2", 1200),
        ("1e400", i128::MAX),
        ("-1e400", i128::MIN),
    ] {
        assert_eq!(decimal!(text).floor(), floor, "{text}");
    }
}

#[test]
fn multiples_are_those_of_other_arithmetic() {
    let divisors = [1_i128, 2, 3, 7, 8, 25, 64, 1_000_000_007, 1 << 100, 3 << 90];
    let values = [
        0_i128,
        1,
        6,
        64,
        1_000_000_007 << 60,
        (3 << 90) * 5,
        i128::MAX,
        10_i128.pow(38),
    ];
    for divisor in divisors {
        for value in values {
            let (own, unit) = (Decimal::from(value), Decimal::from(divisor));
            assert_eq!(
                own.is_multiple_of(&unit),
                value % divisor == 0,
                "{value} {divisor}"
            );
        }
    }
    // One of more digits than 128 bits hold.
    let long = decimal!("123456789012345678901234567890123456789012345678901");
    let twice = decimal!("246913578024691357802469135780246913578024691357802");
    assert!(twice.is_multiple_of(&long) && !long.is_multiple_of(&twice));
    assert!(decimal!("0.3").is_multiple_of(&decimal!("0.1")));
    assert!(decimal!("1e1000000000").is_multiple_of(&decimal!("1024")));
    assert!(!decimal!("1e1000000000").is_multiple_of(&decimal!("3")));
    assert!(!decimal!("1").is_multiple_of(&decimal!("1e1000000000")));
    assert!(!decimal!("0").is_multiple_of(&decimal!("0")));
}
