//! Tables of comma-separated values (RFC 4180).

/// The fields of each line; `None` if the text is no table.
pub fn read(text: &str) -> Option<Vec<Vec<String>>> {
    let mut lines = vec![Vec::new()];
    let mut rest = text;
    while !rest.is_empty() {
        let (field, after) = match rest.strip_prefix('"') {
            Some(quoted) => read_quoted(quoted)?,
            None => {
                let end = rest.find([',', '\r'])?;
                (rest[..end].to_owned(), &rest[end..])
            }
        };
        lines.last_mut()?.push(field);
        rest = match after.strip_prefix("\r\n") {
            Some(next) => {
                lines.push(Vec::new());
                next
            }
            None => after.strip_prefix(',')?,
        };
    }
    // Every line ends, the last one too.
    lines.pop()?.is_empty().then_some(lines)
}

/// A field and the text after its closing quote.
fn read_quoted(text: &str) -> Option<(String, &str)> {
    let mut field = String::new();
    let mut rest = text;
    loop {
        let (part, after) = rest.split_once('"')?;
        field += part;
        rest = match after.strip_prefix('"') {
            Some(more) => {
                field.push('"');
                more
            }
            None => return Some((field, after)),
        };
    }
}

#[test]
fn fields_are_read() {
    let read_one = |text| read(text).map(|lines| lines.concat());
    let table = read("a,\"b, \"\"c\"\"\r\n\"\r\n,\r\n").unwrap();
    assert_eq!(table, [vec!["a", "b, \"c\"\r\n"], vec!["", ""]]);
    for text in ["a", "a\n", "\"a\r\n", "\"a\"b\r\n", "a,\"b\""] {
        assert_eq!(read_one(text), None, "{text:?}");
    }
}
