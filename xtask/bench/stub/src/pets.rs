//! The application code of both servers: a pet costs at least the strings that reading one from a store
//! would make.

pub fn name(id: i64) -> String {
    format!("pet {id}")
}

pub fn tag(id: i64) -> Option<String> {
    (id % 3 != 0).then(|| "cat".to_owned())
}

pub fn age(id: i64) -> i64 {
    id % 20
}
