use super::*;

fn read(text: &str) -> Result<Settings, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("api").join(SETTINGS_FILE);
    fs::create_dir(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    let settings = Settings::read(&file).map_err(|failure| failure.to_string())?;
    let below = |path: PathBuf| path.strip_prefix(folder.path()).unwrap().to_owned();
    Ok(Settings {
        spec: settings.spec.map(below),
        out: settings.out.map(below),
        formats: settings.formats.map(below),
        ..settings
    })
}

#[test]
fn paths_are_relative_to_the_settings_file() {
    let settings = read("out = \"../crates/api\"\nformats = \"./formats.yaml\"").unwrap();
    assert_eq!(settings.spec, Some("api/openapi.yaml".into()));
    assert_eq!(settings.out, Some("crates/api".into()));
    assert_eq!(settings.formats, Some("api/formats.yaml".into()));
    assert_eq!(read("").unwrap().out, Some("api/generated".into()));
}

#[test]
fn every_setting_can_be_read_from_the_file() {
    let settings = read(
        "name = \"shop-api\"\nruntime = \"version=1.2\"\nfeatures = [\"client\"]\nmember = true
         strict = true\nsamples = []\nserver = \"shop\"\nlints = { path-case = \"allow\" }
         derive = { \"*\" = [\"Eq\"], Book = [\"a::B\"] }\ndependencies = { a = \"1\" }",
    );
    let settings = settings.unwrap();
    assert_eq!(settings.name, Some(CrateName("shop-api".into())));
    assert_eq!(settings.runtime, Some(Runtime::Version("1.2".into())));
    assert_eq!(settings.features, Some(List(vec![Feature::Client])));
    assert_eq!(settings.samples, Some(List(Vec::new())));
    assert_eq!(settings.lints["path-case"], Level::Allow);
    assert_eq!(settings.derive["Book"], List(vec!["a::B".parse().unwrap()]));
    assert_eq!(settings.server, Some(PackageName("shop".into())));
    assert!(settings.dependencies.contains_key("a"));
    assert!(settings.member && settings.strict);
}

#[test]
fn errors_name_the_file_and_the_mistake() {
    for (text, expected) in [
        ("\nnmae = \"shop\"", "line 2"),
        ("name = \"Shop\"", "small letters"),
        ("runtime = \"latest\"", "path=DIR"),
        ("server = \"\"", "line 1"),
        ("server = \"\"", "must not be empty"),
        ("features = [\"cli\"]", "there is no feature `cli`"),
        ("samples = [\"cobol\"]", "there are no samples in `cobol`"),
        (
            "derive = { Book = [\"a b\"] }",
            "`a b` is not the path of a trait",
        ),
        (
            "lints = { no-rule = \"allow\" }",
            "there is no lint rule `no-rule`",
        ),
        (
            "lints = { syntax = \"allow\" }",
            "there is no lint rule `syntax`",
        ),
        (
            "lints = { path-case = \"never\" }",
            "unknown variant `never`",
        ),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
        assert!(error.contains(SETTINGS_FILE), "{text}: {error}");
    }
}

#[test]
fn names_that_are_not_snake_or_kebab_case_are_refused() {
    assert!("pet-store_2".parse::<CrateName>().is_ok());
    for wrong in [
        "", "2fa", "a b", "-x", "a\"", "café", "a--b", "a-", "a-_b", "Pets",
    ] {
        assert!(wrong.parse::<CrateName>().is_err(), "{wrong}");
    }
    for reserved in [
        "std",
        "core",
        "test",
        "proc-macro",
        "self",
        "crate",
        "async",
        "gen",
    ] {
        let refused = reserved.parse::<CrateName>();
        assert!(refused.is_err_and(|why| why.contains("Rust")), "{reserved}");
    }
}
