//! A mail server that does not answer.

use super::fault::Fault;
use super::requests::get;
use crate::folder::Folder;

pub(super) fn a_mail_server_that_is_away(fault: &mut Fault) {
    let folder = Folder::new();
    let mail = [
        "--mail",
        "smtp://localhost:1?tls=none",
        "--mail-from",
        "catalog@example.org",
    ];
    let serving = fault.serve(&folder, &[&["--dashboard"], &mail[..]].concat());
    let (host, form) = (
        format!("localhost:{}", serving.api.port()),
        "email=ada%40example.org",
    );
    let asking = format!(
        "POST /dashboard/sign-in HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
        form.len()
    );
    fault.request("asking to sign in", &serving, asking);
    fault.request("a request to the API", &serving, get("/chains", ""));
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
}
