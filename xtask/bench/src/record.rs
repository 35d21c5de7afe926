//! The file of figures, which is committed: a section for each bench, made anew whenever that runs
//! with `--markdown`.

use std::path::Path;
use std::process::Command;
use std::{fs, io, thread};

const HEAD: &str = "# What was measured\n\nEach section was written by the command that it names, with \
                    `--markdown` and this file.\n";

/// A bench that has a section.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bench {
    Generation,
    Edit,
    Requests,
    Bodies,
    Serving,
    Limiter,
    Import,
    Follow,
    Webhooks,
    Leaderboard,
    Latency,
    Size,
    Soak,
}

impl Bench {
    const ALL: [Bench; 13] = [
        Bench::Generation,
        Bench::Edit,
        Bench::Requests,
        Bench::Bodies,
        Bench::Serving,
        Bench::Limiter,
        Bench::Import,
        Bench::Follow,
        Bench::Webhooks,
        Bench::Leaderboard,
        Bench::Latency,
        Bench::Size,
        Bench::Soak,
    ];

    fn title(self) -> &'static str {
        match self {
            Bench::Generation => "Generation, and checking what was generated",
            Bench::Edit => "From saving the contract to the compiler's verdict",
            Bench::Requests => "Requests",
            Bench::Bodies => "Bodies",
            Bench::Serving => "A request to the server",
            Bench::Limiter => "A check of the limiter",
            Bench::Import => "Importing donations",
            Bench::Follow => "From a line to an answer and to a webhook",
            Bench::Webhooks => "A million events to a hundred endpoints",
            Bench::Leaderboard => "A page of the leaderboard",
            Bench::Latency => "The slowest pages of the leaderboard",
            Bench::Size => "A database that has grown",
            Bench::Soak => "Ten minutes of everything at once",
        }
    }
}

/// Puts a bench's section into the file, in the place of an earlier one.
///
/// # Errors
/// When the file cannot be read or written.
pub(crate) fn record(file: &Path, bench: Bench, command: &str, text: &str) -> io::Result<()> {
    let known = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let section = format!("`{command}`, {}\n\n{}\n", circumstances(), text.trim_end());
    fs::write(file, replaced(&known, bench, &section))
}

fn replaced(known: &str, bench: Bench, section: &str) -> String {
    let mut text = HEAD.to_owned();
    for each in Bench::ALL {
        let heading = format!("\n## {}\n\n", each.title());
        let earlier = known
            .split_once(&heading)
            .map(|(_, rest)| match rest.find("\n## ") {
                Some(end) => rest.get(..end).unwrap_or(rest),
                None => rest,
            });
        let body = if each == bench {
            Some(section)
        } else {
            earlier
        };
        if let Some(body) = body {
            text.push_str(&heading);
            text.push_str(body);
        }
    }
    text
}

/// The date and machine of the measurement, as far as the system reports them.
fn circumstances() -> String {
    let said = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let mut lines = cpuinfo.lines();
    let model = lines.find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let machine = model.map(|(_, model)| format!("{} ({threads} threads)", model.trim()));
    let rustc = said("rustc", &["--version"]);
    let rustc = rustc.and_then(|text| text.split(" (").next().map(str::to_owned));
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().map(|load| format!("load {load}"));
    let all = [said("date", &["-u", "+%F"]), machine, rustc, load];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_records_of_other_benches() {
        let one = replaced("", Bench::Bodies, "`a`\n\n| x |\n");
        assert_eq!(one, format!("{HEAD}\n## Bodies\n\n`a`\n\n| x |\n"));
        let two = replaced(&one, Bench::Requests, "`b`\n");
        let expected = format!("{HEAD}\n## Requests\n\n`b`\n\n## Bodies\n\n`a`\n\n| x |\n");
        assert_eq!(two, expected);
        assert_eq!(replaced(&two, Bench::Requests, "`b`\n"), expected);
    }
}
