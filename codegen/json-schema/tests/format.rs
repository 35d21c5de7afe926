//! The values of `format` that are checked.

use json_schema::format::is_valid;

#[test]
fn formats_are_those_of_their_standards() {
    let yes = [
        ("uuid", "2EB8AA08-aa98-11ea-b4aa-73b441d16380"),
        ("date", "2024-02-29"),
        ("date-time", "2026-11-20T06:30:00.123Z"),
        ("date-time", "1998-12-31t15:59:60.1-08:00"),
        ("time", "23:59:60Z"),
        ("uri", "https://user:pw@[::1]:80/a%20b?q=1#f"),
        ("uri", "tag:example.org,2026:charity:1"),
        ("ipv4", "192.0.2.1"),
        ("ipv6", "::ffff:192.0.2.1"),
        ("byte", "aGk="),
        ("duration", "P1Y2M3DT4H5M6S"),
        ("duration", "pt5m"),
        ("duration", "P4W"),
        ("uri-reference", "//host/a?b:c#d"),
        ("uri-reference", "./a:b"),
        ("uri-reference", ""),
        ("decimal", "-007.50"),
        ("unknown", "anything"),
    ];
    for (format, text) in yes {
        assert!(is_valid(format, text), "{text} is a {format}");
    }
    let no = [
        ("uuid", "2eb8aa08aa9811eab4aa73b441d16380"),
        ("date", "2023-02-29"),
        ("date", "2023-2-01"),
        ("date", "٢٠٢٣-02-01"),
        ("date-time", "2026-11-20 06:30:00Z"),
        ("date-time", "2026-11-20T06:30:00"),
        ("date-time", "2026-11-20T06:30:00.Z"),
        ("time", "22:59:60Z"),
        ("time", "24:00:00Z"),
        ("uri", "/relative"),
        ("uri", "http://a b"),
        ("uri", "http://[::1"),
        ("uri", "http://a/%zz"),
        ("ipv4", "192.0.02.1"),
        ("ipv6", "fe80::1%eth0"),
        ("byte", "aGk"),
        ("byte", "a==="),
        ("duration", "P"),
        ("duration", "P1DT"),
        ("duration", "P1Y1D"),
        ("duration", "P1W1D"),
        ("duration", "PT1.5S"),
        ("uri-reference", "1:a"),
        ("uri-reference", "a b"),
        ("uri-reference", "é"),
        ("decimal", "+1"),
        ("decimal", "1e3"),
        ("decimal", ".5"),
    ];
    for (format, text) in no {
        assert!(!is_valid(format, text), "{text} is no {format}");
    }
}
