//! Signing in by a provider of OpenID Connect.

use serde_json::json;

use super::browser::{Browser, between};
use super::demo;
use super::provider::{Answer, Provider, State, now};
use crate::folder::Folder;
use crate::wire;

const CALLBACK: &str = "/dashboard/sign-in/oidc/callback";

impl Browser<'_> {
    /// Sends a form that leads to the provider, and gives where it leads.
    #[track_caller]
    pub(super) fn sent(&mut self, form: &str) -> String {
        let answer = self.post(form, &[]);
        assert_eq!(answer.status, 200, "{answer:?}");
        let way = "<a class=\"button primary wide\" href=\"";
        between(&answer.body, way, |c| c != '"').replace("&#38;", "&")
    }

    /// Comes back from the provider.
    pub(super) fn comes_back(&mut self, url: &str) -> wire::Answer {
        self.get(url.strip_prefix(&self.origin()).unwrap())
    }

    /// Signs in, or whatever the form is for, as the person that the provider knows.
    #[track_caller]
    pub(super) fn by(&mut self, provider: &Provider, form: &str) -> wire::Answer {
        let url = self.sent(form);
        self.comes_back(&provider.agree(&url))
    }

    #[track_caller]
    pub(super) fn signs_in_by(&mut self, provider: &Provider) {
        let answer = self.by(provider, "/dashboard/sign-in/oidc");
        assert_eq!(answer.status, 303, "{answer:?}");
    }

    /// The address of the account that is signed in.
    #[track_caller]
    fn address(&mut self) -> String {
        let page = self.page("/dashboard/account");
        between(&page, "<dt>Email address</dt><dd>", |c| !"< ".contains(c)).to_owned()
    }
}

#[track_caller]
pub(super) fn refused(answer: &wire::Answer, status: u16, reason: &str) {
    assert_eq!(answer.status, status, "{answer:?}");
    assert!(answer.body.contains(reason), "{reason}: {answer:?}");
    let begins = |line: &String| line.starts_with("session=");
    assert!(!answer.headers_named("set-cookie").iter().any(begins));
}

#[test]
fn a_first_sign_in_by_a_provider_makes_an_account_and_a_later_one_finds_it() {
    let folder = Folder::new();
    let provider = Provider::start();
    let serving = provider.demo(&folder);
    let mut browser = Browser::new(&serving);
    let page = browser.page("/dashboard/sign-in");
    assert!(page.contains("Continue with Example"), "{page}");
    browser.signs_in_by(&provider);
    assert_eq!(browser.address(), "ada@example.org");
    // Its person made the account just now, so it may do everything.
    let project = browser.makes_project("A wallet");
    browser.issues_key(&project, "production", "90d");
    let mails = Browser::new(&serving).page("/dashboard/demo/mail");
    assert!(mails.contains("Example is now linked to your"), "{mails}");
    // Whatever the address is by then, and whoever has it here.
    Browser::of(&serving, "eve@example.org");
    for claims in [
        json!({ "email": "eve@example.org" }),
        json!({ "email": "new@example.org", "email_verified": false }),
        json!({ "email": null }),
    ] {
        provider.state().claims = claims;
        let mut later = Browser::new(&serving);
        later.signs_in_by(&provider);
        assert_eq!(later.address(), "ada@example.org");
        later.page(&format!("/dashboard/projects/{project}"));
    }
    // By mail it is the same account.
    let mut by_mail = Browser::of(&serving, "ada@example.org");
    by_mail.page(&format!("/dashboard/projects/{project}"));
}

type Misbehaves = fn(&mut State);

/// Misbehaviour of providers, the status of the page that follows, and its text.
const WRONG: &[(&str, Misbehaves, u16, &str)] = &[
    (
        "another nonce",
        |it| it.claims = json!({ "nonce": "x" }),
        422,
        UNVERIFIED,
    ),
    (
        "no nonce",
        |it| it.claims = json!({ "nonce": null }),
        422,
        UNVERIFIED,
    ),
    (
        "another audience",
        |it| it.claims = json!({ "aud": "other" }),
        422,
        UNVERIFIED,
    ),
    (
        "a second audience",
        |it| it.claims = json!({ "aud": ["catalog", "other"] }),
        422,
        UNVERIFIED,
    ),
    (
        "another issuer",
        |it| it.claims = json!({ "iss": "http://127.0.0.1:1" }),
        422,
        UNVERIFIED,
    ),
    (
        "expired",
        |it| it.claims = json!({ "exp": now() - 1 }),
        422,
        UNVERIFIED,
    ),
    (
        "no subject",
        |it| it.claims = json!({ "sub": "" }),
        422,
        UNVERIFIED,
    ),
    (
        "a long subject",
        |it| it.claims = json!({ "sub": "x".repeat(256) }),
        422,
        UNVERIFIED,
    ),
    (
        "another signature",
        |it| it.signs_right = false,
        422,
        UNVERIFIED,
    ),
    (
        "no signature",
        |it| it.head = json!({ "alg": "none", "kid": null }),
        422,
        UNVERIFIED,
    ),
    (
        "signed with the secret",
        |it| it.head = json!({ "alg": "HS256" }),
        422,
        UNVERIFIED,
    ),
    (
        "an unknown key",
        |it| it.head = json!({ "kid": "other" }),
        422,
        UNVERIFIED,
    ),
    (
        "no ID token",
        |it| it.answers = [("/token", Answer::Garbage)].into(),
        422,
        UNVERIFIED,
    ),
    (
        "an error for the code",
        |it| it.answers = [("/token", Answer::Error)].into(),
        422,
        UNVERIFIED,
    ),
    (
        "a redirect of the code",
        |it| it.answers = [("/token", Answer::Redirect)].into(),
        422,
        UNVERIFIED,
    ),
    (
        "a huge answer",
        |it| it.answers = [("/token", Answer::Huge)].into(),
        503,
        SILENT,
    ),
    (
        "no answer",
        |it| it.answers = [("/token", Answer::Silence)].into(),
        503,
        SILENT,
    ),
    (
        "an address that is not verified",
        |it| it.claims = json!({ "email_verified": false }),
        422,
        NO_ADDRESS,
    ),
    (
        "a string that says it is",
        |it| it.claims = json!({ "email_verified": "true" }),
        422,
        NO_ADDRESS,
    ),
    (
        "a token of tomorrow",
        |it| it.claims = json!({ "iat": jiff::Timestamp::now().as_second() + 86_400 }),
        422,
        UNVERIFIED,
    ),
    (
        "a token of long ago",
        |it| it.claims = json!({ "iat": 1_000_000_000 }),
        422,
        UNVERIFIED,
    ),
    (
        "no word whether it is",
        |it| it.claims = json!({ "email_verified": null }),
        422,
        NO_ADDRESS,
    ),
    (
        "no address",
        |it| it.claims = json!({ "email": null }),
        422,
        NO_ADDRESS,
    ),
    (
        "what is no address",
        |it| it.claims = json!({ "email": "ada" }),
        422,
        NO_ADDRESS,
    ),
];
const UNVERIFIED: &str = "The provider’s response could not be verified";
const SILENT: &str = "The provider does not respond";
const NO_ADDRESS: &str = "has not verified your email address";

/// As a malicious provider mixes up who answered (RFC 9207).
#[test]
fn an_answer_that_names_another_issuer_signs_nobody_in() {
    let folder = Folder::new();
    let provider = Provider::start();
    let serving = provider.demo(&folder);
    for (issuer, is_signed_in) in [
        ("https://evil.example".to_owned(), false),
        (provider.issuer(), true),
    ] {
        let mut browser = Browser::new(&serving);
        let url = browser.sent("/dashboard/sign-in/oidc");
        let back = format!("{}&iss={issuer}", provider.agree(&url));
        let answer = browser.comes_back(&back);
        let projects = browser.get("/dashboard/projects").status;
        let expected = if is_signed_in { 200 } else { 303 };
        assert_eq!(projects, expected, "{issuer}: {answer:?}");
    }
}

#[test]
fn a_provider_that_misbehaves_signs_nobody_in() {
    let folder = Folder::new();
    let provider = Provider::start();
    let serving = provider.demo(&folder);
    for (what, misbehaves, status, reason) in WRONG {
        let mut browser = Browser::new(&serving);
        let url = browser.sent("/dashboard/sign-in/oidc");
        let back = provider.agree(&url);
        misbehaves(&mut provider.state());
        let answer = browser.comes_back(&back);
        eprintln!("{what}");
        refused(&answer, *status, reason);
        assert!(answer.body.contains("Sign in by email"), "{answer:?}");
        assert_eq!(browser.get("/dashboard/projects").status, 303);
        let mut state = provider.state();
        (state.claims, state.head, state.signs_right) = (json!({}), json!({}), true);
        state.answers.clear();
    }
    // Nothing was left behind, and nothing of it stops one that behaves.
    let mut browser = Browser::new(&serving);
    browser.signs_in_by(&provider);
    assert_eq!(browser.address(), "ada@example.org");
}

/// Misbehaviour of providers that shows in their metadata, before a browser is sent there.
const USELESS: &[(&str, Misbehaves)] = &[
    ("an error", |it| answers(it, DISCOVERY, Answer::Error)),
    ("a redirect", |it| answers(it, DISCOVERY, Answer::Redirect)),
    ("a huge answer", |it| answers(it, DISCOVERY, Answer::Huge)),
    ("no answer", |it| answers(it, DISCOVERY, Answer::Silence)),
    ("no JSON", |it| answers(it, DISCOVERY, Answer::Garbage)),
    ("keys elsewhere", |it| {
        answers(it, "/keys", Answer::Redirect)
    }),
    ("another issuer", |it| {
        it.metadata = json!({ "issuer": "http://127.0.0.1:1" })
    }),
    (
        "a script to sign in at",
        |it| it.metadata = json!({ "authorization_endpoint": "javascript:alert(1)" }),
    ),
];
const DISCOVERY: &str = "/.well-known/openid-configuration";

fn answers(state: &mut State, path: &'static str, answer: Answer) {
    state.answers.insert(path, answer);
}

#[test]
fn mail_signs_in_while_the_provider_does_not() {
    let folder = Folder::new();
    let provider = Provider::start();
    let serving = provider.demo(&folder);
    for (what, misbehaves) in USELESS {
        misbehaves(&mut provider.state());
        let mut browser = Browser::new(&serving);
        let answer = browser.post("/dashboard/sign-in/oidc", &[]);
        eprintln!("{what}");
        refused(&answer, 503, SILENT);
        assert!(
            answer.body.contains("href=\"/dashboard/sign-in\""),
            "{answer:?}"
        );
        let mut state = provider.state();
        state.answers.clear();
        state.metadata = json!({});
    }
    Browser::of(&serving, "ada@example.org");
    // Nothing was kept of it.
    Browser::new(&serving).sent("/dashboard/sign-in/oidc");
}

#[test]
fn what_is_not_the_answer_for_this_browser_signs_nobody_in() {
    let folder = Folder::new();
    let provider = Provider::start();
    let serving = provider.demo(&folder);
    let mut browser = Browser::new(&serving);
    let url = browser.sent("/dashboard/sign-in/oidc");
    let back = provider.agree(&url);
    let another = "started in another browser";
    // A thief's own answer, planted in this browser, and this browser's answer elsewhere.
    let mut thief = Browser::new(&serving);
    let planted = provider.agree(&thief.sent("/dashboard/sign-in/oidc"));
    refused(&browser.comes_back(&planted), 422, another);
    refused(&thief.comes_back(&back), 422, another);
    refused(&Browser::new(&serving).comes_back(&back), 422, another);
    let (_, state) = back.split_once("state=").unwrap();
    for query in [
        "".to_owned(),
        "?code=code0".to_owned(),
        format!("?code=code0&state={state}x"),
    ] {
        refused(&browser.get(&format!("{CALLBACK}{query}")), 422, another);
    }
    // None of it ends what the browser waits for, which works once.
    let mut again = browser.clone();
    assert_eq!(browser.comes_back(&back).status, 303);
    assert_eq!(browser.address(), "ada@example.org");
    assert_eq!(browser.cookie("authorization"), None);
    refused(&again.comes_back(&back), 422, "already used");
    for secret in ["code0", state] {
        assert!(!serving.log().contains(secret), "{}", serving.log());
    }
}

#[test]
fn who_says_no_at_the_provider_is_told_what_to_do() {
    let folder = Folder::new();
    let provider = Provider::start();
    let serving = provider.demo(&folder);
    let mut browser = Browser::new(&serving);
    let url = browser.sent("/dashboard/sign-in/oidc");
    let answer = browser.comes_back(&provider.deny(&url));
    refused(&answer, 422, "You did not allow it there");
    assert!(answer.body.contains("Try Example again"), "{answer:?}");
    let url = browser.sent("/dashboard/sign-in/oidc");
    let other = provider
        .deny(&url)
        .replace("access_denied", "temporarily_unavailable");
    refused(
        &browser.comes_back(&other),
        422,
        "The provider rejected the sign-in",
    );
    browser.signs_in_by(&provider);
}

#[test]
fn a_provider_is_asked_for_its_keys_seldom_and_when_one_is_unknown() {
    let folder = Folder::new();
    let provider = Provider::start();
    let serving = provider.demo(&folder);
    let sign_in = || Browser::new(&serving).by(&provider, "/dashboard/sign-in/oidc");
    let asked = || {
        let state = provider.state();
        [DISCOVERY, "/keys"].map(|path| state.asked.get(path).copied().unwrap_or_default())
    };
    assert_eq!(asked(), [0, 0], "never before somebody signs in by it");
    for _ in 0..3 {
        assert_eq!(sign_in().status, 303);
    }
    assert_eq!(asked(), [1, 1]);
    provider.state().key = "2";
    assert_eq!(sign_in().status, 303, "a new key");
    assert_eq!(asked(), [2, 2]);
    provider.state().head = json!({ "kid": "nobody knows" });
    for _ in 0..3 {
        assert_eq!(sign_in().status, 422);
    }
    assert_eq!(asked(), [2, 2], "not again within a minute");
    provider.state().head = json!({ "alg": "RS256", "kid": "rsa" });
    assert_eq!(sign_in().status, 303, "another algorithm");
}

#[test]
fn a_session_that_was_planted_is_replaced() {
    let folder = Folder::new();
    let provider = Provider::start();
    let serving = provider.demo(&folder);
    let thief = Browser::of(&serving, "eve@example.org");
    let planted = thief.cookie("session").unwrap().to_owned();
    let mut victim = Browser::new(&serving);
    victim.set_cookie("session", &planted);
    victim.signs_in_by(&provider);
    assert_ne!(victim.cookie("session"), Some(&*planted));
    assert_eq!(victim.address(), "ada@example.org");
    let mut holder = Browser::new(&serving);
    holder.set_cookie("session", &planted);
    assert_eq!(holder.get("/dashboard/projects").status, 303);
}

#[test]
fn without_a_provider_nothing_of_it_is_there() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of(&serving, "ada@example.org");
    let sign_in = Browser::new(&serving).page("/dashboard/sign-in");
    let pages = ["/dashboard/step-up", "/dashboard/account"].map(|page| browser.page(page));
    for page in pages.into_iter().chain([sign_in]) {
        assert!(
            !page.contains("oidc") && !page.contains("identities"),
            "{page}"
        );
    }
    for path in [CALLBACK, "/dashboard/identities"] {
        assert_eq!(browser.get(path).status, 404, "{path}");
    }
    for path in ["sign-in/oidc", "step-up/oidc", "identities"] {
        let answer = browser.post(&format!("/dashboard/{path}"), &[]);
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
    }
}

#[test]
fn settings_of_a_provider_that_are_not_whole_stop_the_start() {
    let folder = Folder::new();
    let secret = folder.write("client-secret", "");
    let issuer = ["--oidc-issuer", "https://accounts.example.org"];
    let client = ["--oidc-client-id", "catalog"];
    let file = ["--oidc-client-secret-file", secret];
    let missing = ["--oidc-client-secret-file", "no-such-file"];
    for (settings, reason) in [
        (vec![client, file], "--oidc-issuer is required"),
        (vec![issuer, file], "--oidc-client-id is required"),
        (
            vec![issuer, client],
            "--oidc-client-secret-file is required",
        ),
        (
            vec![["--oidc-name", "Example"]],
            "--oidc-issuer is required",
        ),
        (vec![issuer, client, file], "is empty"),
        (vec![issuer, client, missing], "cannot read the file"),
        (
            vec![["--oidc-issuer", "http://accounts.example.org"]],
            "is not an https URL",
        ),
    ] {
        let flags = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
        let arguments = [&["serve", "--demo"], &flags[..], &settings.concat()].concat();
        let outcome = folder.run(&arguments);
        assert_ne!(outcome.code, Some(0), "{arguments:?}");
        assert!(
            outcome.stderr.contains(reason),
            "{reason}: {}",
            outcome.stderr
        );
    }
}
