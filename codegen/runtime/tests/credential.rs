//! Texts of a request that are credentials, and texts that are not.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use http::Request;
use http::header::AUTHORIZATION;
use http::request::Parts;
use runtime::{AuthError, credential};

fn parts(authorization: &str) -> Parts {
    let request = Request::builder().header(AUTHORIZATION, authorization);
    request.body(()).unwrap().into_parts().0
}

#[test]
fn basic_takes_the_one_base64_text_of_a_name_and_a_password() {
    for (text, user, password) in [
        ("Og==", "", ""),
        ("YTo=", "a", ""),
        ("YTpi", "a", "b"),
        ("Oj8+", "", "?>"),
    ] {
        let login = credential::basic(&parts(&format!("Basic {text}"))).unwrap();
        assert_eq!((&*login.user, &*login.password), (user, password), "{text}");
    }
}

#[test]
fn basic_refuses_every_other_base64_text() {
    for (text, reason) in [
        ("", "nothing"),
        ("Og", "no padding"),
        ("Og=", "one padding of two"),
        ("YTo", "no padding"),
        ("Og===", "three paddings"),
        ("YTpi=", "padding after a whole group"),
        ("====", "padding alone"),
        ("O===", "one letter"),
        ("Oh==", "spare bits that are set"),
        ("YTp=", "spare bits that are set"),
        ("YTpi\t", "white space"),
        ("YTp i", "white space"),
        ("Oj8-", "the alphabet of URLs"),
        ("Zg==", "no colon"),
        ("Zh==", "no colon, and spare bits that are set"),
    ] {
        let login = credential::basic(&parts(&format!("Basic {text}")));
        assert_eq!(
            login,
            Err(AuthError::CredentialInvalid),
            "{text:?}: {reason}"
        );
    }
}
