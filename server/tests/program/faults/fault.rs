//! A fault under test: its observations are compared with the rows of the table.

use std::net::SocketAddr;
use std::process::Command;
use std::time::{Duration, Instant};

use super::expectation::{Connection, Observation};
use super::requests;
use super::table::{self, Row};
use crate::folder::{Folder, Outcome};
use crate::serving::{Serving, serve_among};
use crate::wire::{Answer, Wire};

/// The polling interval.
const PAUSE: Duration = Duration::from_millis(20);

/// The rows of one fault, with those that were observed.
pub(crate) struct Fault {
    rows: Vec<(Row, bool)>,
    /// The arguments of the last start of the server.
    arguments: Vec<String>,
}

impl Fault {
    /// Runs the test of a fault, which must make every observation of the table.
    pub(crate) fn inject(test: &str, injecting: impl FnOnce(&mut Fault)) {
        let named = |row: &Row| row.fault == table::words(test);
        let rows: Vec<_> = table::rows().into_iter().filter(named).collect();
        assert!(!rows.is_empty(), "the table has no such fault");
        let mut fault = Fault {
            rows: rows.into_iter().map(|row| (row, false)).collect(),
            arguments: Vec::new(),
        };
        injecting(&mut fault);
        let unseen = fault.rows.iter().filter(|(_, seen)| !seen);
        let unseen: Vec<_> = unseen.map(|(row, _)| &row.asked).collect();
        assert!(unseen.is_empty(), "never asked: {unseen:?}");
    }

    /// Skips the fault, because the machine lacks something, which was reported already.
    pub(super) fn skip(&mut self) {
        self.rows.iter_mut().for_each(|(_, seen)| *seen = true);
    }

    /// Starts a server with these arguments, whose values the table may name.
    pub(crate) fn serve(&mut self, folder: &Folder, arguments: &[&str]) -> Serving {
        self.serve_among(folder, arguments, &[])
    }

    /// The same, with variables in its environment.
    pub(crate) fn serve_among(
        &mut self,
        folder: &Folder,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Serving {
        self.arguments = arguments.iter().copied().map(str::to_owned).collect();
        serve_among(folder, arguments, variables)
    }

    /// Sends `request`, which the server need not read to its end, and compares the response with the
    /// row.
    #[track_caller]
    pub(crate) fn ask(
        &mut self,
        asked: &str,
        wire: &mut Wire,
        request: impl AsRef<[u8]>,
    ) -> Option<Answer> {
        let started = Instant::now();
        let _ = wire.try_send(request.as_ref());
        self.await_answer(asked, wire, started)
    }

    /// Waits for the response to a request that was sent at `started`.
    #[track_caller]
    pub(crate) fn await_answer(
        &mut self,
        asked: &str,
        wire: &mut Wire,
        started: Instant,
    ) -> Option<Answer> {
        let answer = wire.try_answer().ok().flatten();
        self.hold(
            asked,
            &Observation::answer(answer.as_ref(), started.elapsed()),
        );
        match self.row(asked).expectation.connection {
            Some(Connection::Closed) => assert!(wire.is_closed(), "{asked}: it stays open"),
            Some(Connection::Kept) => {
                let next = wire.ask(requests::get("/openapi", "").as_bytes());
                assert_eq!(next.status, 200, "{asked}: {next:?}");
            }
            None => {}
        }
        answer
    }

    /// Sends a request on a new connection.
    #[track_caller]
    pub(crate) fn request(
        &mut self,
        asked: &str,
        to: impl Into<SocketAddr>,
        request: impl AsRef<[u8]>,
    ) -> Answer {
        let answer = self.ask(asked, &mut Wire::connect(to.into()), request);
        answer.unwrap_or_else(|| panic!("{asked}: no answer"))
    }

    /// Repeats a request until its response matches the row, for as long as the row allows. The state
    /// of the connections is not checked.
    #[track_caller]
    pub(crate) fn becomes<A: Into<Option<Answer>>>(
        &mut self,
        asked: &str,
        mut ask: impl FnMut() -> A,
    ) -> Option<Answer> {
        let expectation = &self.row(asked).expectation;
        let within = expectation.within(&self.arguments);
        assert_eq!(expectation.connection, None, "{asked}");
        let started = Instant::now();
        loop {
            let late = started.elapsed() > within;
            let answer = ask().into();
            let seen = Observation::answer(answer.as_ref(), Duration::ZERO);
            if late || self.row(asked).expectation.check(&seen).is_ok() {
                self.hold(asked, &seen);
                return answer;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Compares an answer with the row, but not how long it took, nor the connection.
    #[track_caller]
    pub(crate) fn observe(&mut self, asked: &str, answer: &Answer) {
        assert_eq!(self.row(asked).expectation.connection, None, "{asked}");
        self.hold(asked, &Observation::answer(Some(answer), Duration::ZERO));
    }

    /// Runs a command of the program to its end.
    #[track_caller]
    pub(crate) fn run(&mut self, asked: &str, folder: &Folder, arguments: &[&str]) -> Outcome {
        self.command(asked, &mut folder.command(arguments))
    }

    /// Runs a command to its end.
    #[track_caller]
    pub(crate) fn command(&mut self, asked: &str, command: &mut Command) -> Outcome {
        let started = Instant::now();
        let outcome = Outcome::of(&command.output().unwrap());
        self.ended(asked, &outcome, started.elapsed());
        outcome
    }

    /// Holds a process that has ended against the row.
    #[track_caller]
    pub(crate) fn ended(&mut self, asked: &str, outcome: &Outcome, took: Duration) {
        self.hold(asked, &Observation::exit(outcome, took));
    }

    /// Waits until the server has ended.
    #[track_caller]
    pub(crate) fn end(&mut self, asked: &str, serving: &mut Serving) {
        let (code, took) = serving.ended();
        let outcome = Outcome {
            code,
            stdout: String::new(),
            stderr: serving.log(),
        };
        self.ended(asked, &outcome, took);
    }

    #[track_caller]
    fn hold(&mut self, asked: &str, seen: &Observation) {
        let within = self.row(asked).expectation.within(&self.arguments);
        let checked = self.row(asked).expectation.check(seen);
        if let Err(wrong) = checked {
            panic!("{asked}: {wrong}, but was {seen:?}");
        }
        assert!(
            seen.took <= within,
            "{asked}: {within:?} it may take, but {seen:?}"
        );
        self.mark(asked);
    }

    #[track_caller]
    fn row(&self, asked: &str) -> &Row {
        let found = self.rows.iter().find(|(row, _)| row.asked == asked);
        &found
            .unwrap_or_else(|| panic!("the table has no row of {asked}"))
            .0
    }

    fn mark(&mut self, asked: &str) {
        for (row, seen) in &mut self.rows {
            *seen |= row.asked == asked;
        }
    }
}
