//! The recipes, with their programs copied from the guides.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command};

use features::keys::demo::ENTERPRISE;

use super::browser::drive_in;
use super::code::{printed, program};
use crate::folder::Folder;
use crate::instances::free_port;
use crate::serving::{Serving, eventually, followed, serve};
use crate::world::{PROJECT, furnished};

/// Writes the program of a recipe into the folder.
fn save(folder: &Folder, serving: &Serving, recipe: &str, language: &str, name: &str) {
    let page = serving.page(&format!("/docs/guides/{recipe}"));
    let text = program(&page, language);
    assert!(!text.is_empty(), "{recipe} has a program");
    fs::write(folder.path().join(name), text).unwrap();
}

#[test]
fn a_donor_picks_a_charity_on_another_site() {
    if !installed::present(&["node", "chromium"], &["node:playwright-core"]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    save(&folder, &serving, "charity-picker", "html", "picker.html");
    drive_in(&folder, &serving, "picker.mjs");
}

/// A program that is killed when it is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_leaderboard_page_shows_the_ranking_without_the_key() {
    if !installed::present(&["node"], &[]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    save(
        &folder,
        &serving,
        "leaderboard-page",
        "js",
        "leaderboard.mjs",
    );
    let port = free_port();
    let mut command = Command::new("node");
    command.arg("leaderboard.mjs").current_dir(folder.path());
    command
        .env("SERVICE_API_KEY", ENTERPRISE)
        .env("PORT", port.to_string());
    let _running = Running(command.spawn().unwrap());
    let page = eventually("the page is served", || {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
        let head = b"GET / HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n";
        stream.write_all(head).ok()?;
        let mut page = String::new();
        stream.read_to_string(&mut page).ok()?;
        Some(page)
    });
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert_eq!(page.matches("<li>Fictional ").count(), 18, "{page}");
    assert!(!page.contains(ENTERPRISE));
}

#[test]
fn an_export_has_every_config() {
    if !installed::present(&["python3"], &[]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    save(&folder, &serving, "nightly-export", "python", "export.py");
    printed(export(&folder).env("API", format!("http://{}/api/v1", serving.api)));
    let csv = fs::read_to_string(folder.path().join("configs.csv")).unwrap();
    let mut rows = csv.lines();
    assert_eq!(rows.next(), Some("config,usd,donations,last donation"));
    assert_eq!(rows.count(), 20, "{csv}");
}

fn export(folder: &Folder) -> Command {
    let mut command = Command::new("python3");
    command.arg("export.py").current_dir(folder.path());
    command.env("SERVICE_API_KEY", ENTERPRISE);
    command
}

#[test]
fn an_export_waits_where_it_is_refused() {
    if !installed::present(&["python3"], &[]) {
        return;
    }
    let folder = Folder::new();
    save(
        &folder,
        &serve(&folder, &["--demo"]),
        "nightly-export",
        "python",
        "export.py",
    );
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let api = format!("http://{}", listener.local_addr().unwrap());
    let answering = std::thread::spawn(move || {
        let body = r#"{"pageKey":null,"response":[]}"#;
        for head in ["429 Too Many Requests", "503 Service Unavailable", "200 OK"] {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]).unwrap();
            let answer = format!(
                "HTTP/1.1 {head}\r\nretry-after: 0\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    printed(export(&folder).env("API", api));
    answering.join().unwrap();
}

#[test]
fn a_key_is_changed_without_a_refused_call() {
    if !installed::present(&["node"], &[]) {
        return;
    }
    let folder = furnished();
    let serving = serve(&folder, &[]);
    save(&folder, &serving, "key-rotation", "js", "client.mjs");
    let issue = || folder.ask(&["key", "issue", "--project", PROJECT]);
    let call = |keys: &[&str]| {
        fs::write(folder.path().join("keys.txt"), keys.join("\n")).unwrap();
        let mut command = Command::new("node");
        command.arg("client.mjs").current_dir(folder.path());
        command.env("API", format!("http://{}/api/v1", serving.api));
        command.output().unwrap()
    };
    let (old, new) = (issue(), issue());
    for key in [&old, &new] {
        followed("a new key works", || {
            (serving.get("/configs", Some(key)).status == 200).then_some(())
        });
    }
    assert!(call(&[&old]).status.success());
    assert!(call(&[&new, &old]).status.success());
    let list = folder.ask(&["key", "list", "--project", PROJECT]);
    let row = list.lines().find(|row| row.contains(&old[..11])).unwrap();
    folder.ask(&["key", "revoke", &row[..36]]);
    followed("a revoked key is refused", || {
        (serving.get("/configs", Some(&old)).status == 403).then_some(())
    });
    assert!(
        call(&[&old, &new]).status.success(),
        "the next key is tried"
    );
    let refused = call(&[&old]);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("403 INVALID_API_KEY"));
}
