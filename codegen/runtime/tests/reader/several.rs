//! Lists and objects, which are several texts or parts of one.

use super::*;

/// A list of numbers, each a pair of the query.
const NUMBERS: Param = param(
    Place::Query,
    Style::Form,
    true,
    ParamShape::Array,
    "Numbers",
);

#[test]
fn arrays_are_read_in_every_style() {
    let list = |items: &[&str]| {
        Ok(Some(
            items.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ))
    };
    let array = |place, style, explode| param(place, style, explode, ParamShape::Array, "Texts");
    assert_eq!(
        query(array(Place::Query, Style::Form, true), "p=a&p=b%2Cc"),
        list(&["a", "b,c"])
    );
    let deep = |text| query(array(Place::Query, Style::DeepObject, true), text);
    for written in [
        "p[]=a&p[]=b",
        "p[0]=a&p[1]=b",
        "p%5B1%5D=b&p[0]=a",
        "p=a&p=b",
    ] {
        assert_eq!(deep(written), list(&["a", "b"]), "{written}");
    }
    assert_eq!(deep("p[]=a&p[x]=b"), refused(&["query p type"]));
    assert_eq!(
        query(array(Place::Query, Style::Form, false), "p=a,b%2Cc"),
        list(&["a", "b,c"])
    );
    assert_eq!(
        query(array(Place::Query, Style::Form, false), "p="),
        list(&[])
    );
    assert_eq!(
        query(array(Place::Query, Style::Form, true), "p="),
        list(&[""])
    );
    assert_eq!(
        query(
            array(Place::Query, Style::SpaceDelimited, false),
            "p=a%20b+c"
        ),
        list(&["a", "b", "c"])
    );
    assert_eq!(
        query(
            array(Place::Query, Style::PipeDelimited, false),
            "p=a|b%7Cc"
        ),
        list(&["a", "b", "c"])
    );
    assert_eq!(
        path(array(Place::Path, Style::Simple, false), "a,b%2Cc"),
        list(&["a", "b,c"])
    );
    assert_eq!(
        path(array(Place::Path, Style::Label, false), ".a,b"),
        list(&["a", "b"])
    );
    assert_eq!(
        path(array(Place::Path, Style::Label, true), ".a.b"),
        list(&["a", "b"])
    );
    assert_eq!(
        path(array(Place::Path, Style::Matrix, false), ";p=a,b"),
        list(&["a", "b"])
    );
    assert_eq!(
        path(array(Place::Path, Style::Matrix, true), ";p=a;p=b"),
        list(&["a", "b"])
    );
    assert_eq!(
        query::<Vec<i64>>(NUMBERS, "p=1&p=x&p=3&p="),
        refused(&["query p/1 type", "query p/3 type"])
    );
}

#[test]
fn objects_are_read_in_every_style() {
    let point = Ok(Some(Point { x: 1, y: Some(2) }));
    let object = |place, style, explode| param(place, style, explode, POINT, "Point");
    assert_eq!(
        query(object(Place::Query, Style::Form, true), "x=1&y=2"),
        point
    );
    assert_eq!(
        query(object(Place::Query, Style::Form, false), "p=x,1,y,2"),
        point
    );
    assert_eq!(
        query(
            object(Place::Query, Style::DeepObject, true),
            "p[x]=1&p%5By%5D=2"
        ),
        point
    );
    assert_eq!(
        query(
            object(Place::Query, Style::PipeDelimited, false),
            "p=x|1|y|2"
        ),
        point
    );
    assert_eq!(
        path(object(Place::Path, Style::Simple, false), "x,1,y,2"),
        point
    );
    assert_eq!(
        path(object(Place::Path, Style::Simple, true), "x=1,y=2"),
        point
    );
    assert_eq!(
        path(object(Place::Path, Style::Label, true), ".x=1.y=2"),
        point
    );
    assert_eq!(
        path(object(Place::Path, Style::Matrix, true), ";x=1;y=2"),
        point
    );
    assert_eq!(
        path(object(Place::Path, Style::Matrix, false), ";p=x,1,y,2"),
        point
    );
    let deep = || object(Place::Query, Style::DeepObject, true);
    assert_eq!(
        query::<Point>(deep(), "p[y]=a&p[z]=1"),
        refused(&[
            "query p/x required",
            "query p/y type",
            "query p/z additionalProperties",
        ])
    );
    for malformed in ["p[x=1", "p[x]y=1", "p[x[y]]=1", "p[x]=1&p[x][y]=2"] {
        assert_eq!(
            query::<Point>(deep(), malformed),
            refused(&["query p type"]),
            "{malformed}"
        );
    }
    let deeper = format!("p{}=1", "[a]".repeat(1_000));
    assert_eq!(query::<Point>(deep(), &deeper), refused(&["query p type"]));
    assert_eq!(
        query::<Point>(object(Place::Query, Style::Form, false), "p=x,1,y"),
        refused(&["query p type"])
    );
}

#[test]
fn an_open_object_takes_the_names_that_nobody_declares() {
    let open = || {
        param(
            Place::Query,
            Style::Form,
            true,
            ParamShape::Object(&[]),
            "Open",
        )
    };
    let expected = BTreeMap::from([
        ("a".to_owned(), "1".to_owned()),
        ("b".to_owned(), String::new()),
    ]);
    assert_eq!(query(open(), "a=1&b"), Ok(Some(expected)));
    assert_eq!(query::<BTreeMap<String, String>>(open(), ""), Ok(None));
}

#[test]
fn an_object_that_names_no_members_takes_any_unless_it_is_closed() {
    let object = |schema| {
        param(
            Place::Query,
            Style::Form,
            true,
            ParamShape::Object(&[]),
            schema,
        )
    };
    let expected = BTreeMap::from([("a".to_owned(), "x".to_owned())]);
    assert_eq!(query(object("Free"), "a=x"), Ok(Some(expected)));
    assert_eq!(
        query::<BTreeMap<String, String>>(object("Nameless"), "a=x"),
        refused(&["query a undeclared"])
    );
}

#[test]
fn encoded_commas_divide_a_list_whose_items_have_none() {
    let numbers = |place, style| param(place, style, false, ParamShape::Array, "Numbers");
    let few = param(Place::Query, Style::Form, false, ParamShape::Array, "Texts");
    let read = |text| query::<Vec<i32>>(numbers(Place::Query, Style::Form), text);
    assert_eq!(read("p=1%2C2"), Ok(Some(vec![1, 2])));
    assert_eq!(read("p=1%2C%202"), Ok(Some(vec![1, 2])));
    assert_eq!(
        path::<Vec<i32>>(numbers(Place::Path, Style::Simple), "1%2c2"),
        Ok(Some(vec![1, 2]))
    );
    // Each item is told by itself.
    assert_eq!(
        read("p=1%2Cx%2Cy"),
        refused(&["query p/1 type", "query p/2 type"])
    );
    // A comma that is none of the delimiters is an item's.
    assert_eq!(read("p=1,2%2C3"), refused(&["query p/1 type"]));
    // An item may be any text.
    assert_eq!(query(few, "p=a%2Cb"), Ok(Some(vec!["a,b".to_owned()])));
    // Each pair is an item.
    assert_eq!(
        query::<Vec<i32>>(NUMBERS, "p=1%2C2"),
        refused(&["query p/0 type"])
    );
}
