//! A mail server, and a provider of OpenID Connect, that do not answer.

use super::fault::Fault;
use super::requests::get;
use crate::folder::Folder;
use crate::serving::Serving;

/// A form of the dashboard.
fn sends(serving: &Serving, path: &str, form: &str) -> String {
    let host = format!("localhost:{}", serving.api.port());
    format!(
        "POST {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
        form.len()
    )
}

/// Asking to sign in by mail.
fn by_mail(serving: &Serving) -> String {
    sends(serving, "/dashboard/sign-in", "email=ada%40example.org")
}

pub(super) fn a_mail_server_that_is_away(fault: &mut Fault) {
    let folder = Folder::new();
    let mail = [
        "--mail",
        "smtp://localhost:1?tls=none",
        "--mail-from",
        "catalog@example.org",
    ];
    let serving = fault.serve(&folder, &[&["--dashboard"], &mail[..]].concat());
    fault.request("asking to sign in", &serving, by_mail(&serving));
    fault.request("a request to the API", &serving, get("/chains", ""));
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
}

pub(super) fn a_provider_that_is_away(fault: &mut Fault) {
    let folder = Folder::new();
    let secret = folder.write("client-secret", "secret");
    let settings = [
        ["--mail", "console"],
        ["--oidc-issuer", "http://127.0.0.1:1"],
        ["--oidc-client-id", "catalog"],
        ["--oidc-client-secret-file", secret],
    ];
    let serving = fault.serve(
        &folder,
        &[&["--dashboard"], &settings.concat()[..]].concat(),
    );
    let by_it = sends(&serving, "/dashboard/sign-in/oidc", "");
    fault.request("asking to sign in by it", &serving, by_it);
    fault.request("asking to sign in by mail", &serving, by_mail(&serving));
    fault.request("a request to the API", &serving, get("/chains", ""));
}
