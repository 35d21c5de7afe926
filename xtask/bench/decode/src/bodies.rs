//! Valid bodies.

fn list(count: usize, item: impl FnMut(usize) -> String) -> String {
    format!("[{}]", (0..count).map(item).collect::<Vec<_>>().join(","))
}

pub fn flat() -> String {
    r#"{"id":4711,"name":"Ada Lovelace","email":"ada@example.org","age":36,"score":99.5,"active":true,"role":"editor","nickname":null,"bio":"Wrote the first program."}"#.into()
}

pub fn order() -> String {
    let lines = list(50, |n| {
        format!(
            r#"{{"sku":"SKU-{n:06}","quantity":{},"price":{}.25,"address":{{"street":"Long Street {n}","city":"Springfield","zip":"{:05}"}},"tags":["red","large","t{n}"]}}"#,
            n + 1,
            n * 7,
            n * 11
        )
    });
    format!(r#"{{"number":1001,"lines":{lines}}}"#)
}

/// The member that names the variant comes first, or last.
pub fn shapes(first: bool) -> String {
    let item = |n: usize| {
        let (kind, rest) = match n % 3 {
            0 => ("circle", format!(r#""x":{n}.5,"y":2,"radius":7.25"#)),
            1 => ("box", format!(r#""x":1,"y":{n},"width":10.5,"height":20"#)),
            _ => (
                "label",
                format!(r#""text":"A label with number {n}","size":12"#),
            ),
        };
        if first {
            format!(r#"{{"kind":"{kind}",{rest}}}"#)
        } else {
            format!(r#"{{{rest},"kind":"{kind}"}}"#)
        }
    };
    let inner = list(25, item);
    let group = if first {
        format!(r#"{{"kind":"group","shapes":{inner}}}"#)
    } else {
        format!(r#"{{"shapes":{inner},"kind":"group"}}"#)
    };
    let outer = list(24, item);
    format!(r#"{{"shapes":{},{group}]}}"#, outer.trim_end_matches(']'))
}

pub fn payments() -> String {
    let payments = list(50, |n| match n % 3 {
        0 => format!(r#"{{"number":"4111111111111111","expires":"12/2030","amount":{n}.99}}"#),
        1 => format!(r#"{{"amount":{n},"iban":"DE89370400440532013000","bic":"COBADEFFXXX"}}"#),
        _ => format!(r#"{{"code":"SUMMER-{n}","amount":{n}.5}}"#),
    });
    format!(r#"{{"payments":{payments}}}"#)
}

pub fn mixed() -> String {
    let values = list(60, |n| match n % 3 {
        0 => format!(r#""value number {n}""#),
        1 => format!("{}", n * 1001),
        _ => "true".into(),
    });
    format!(r#"{{"values":{values}}}"#)
}

pub fn prices() -> String {
    let members: Vec<String> = (0..60)
        .map(|n| format!(r#""article-{n:04}":{n}.95"#))
        .collect();
    format!(r#"{{"prices":{{{}}}}}"#, members.join(","))
}

pub fn texts() -> String {
    let rows = list(20, |n| {
        format!(
            r#"{{"address":"0xcA7a106000000000000000000000000000DEca{n:02}","slug":"save-the-whales-{n}","currency":"EUR","amount":"{}.{n:02}","code":"save_whales_{n}","title":"Save the whales, part {n}"}}"#,
            n * 1000
        )
    });
    format!(r#"{{"rows":{rows}}}"#)
}
