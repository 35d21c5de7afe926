
pub fn file(length: usize) -> subject::runtime::File {
    subject::runtime::File {
        name: Some("file.txt".to_owned()),
        // The client knows which are declared.
        content_type: None,
        bytes: vec![b'-'; length].into(),
    }
}
