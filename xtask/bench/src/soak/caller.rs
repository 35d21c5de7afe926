//! A caller that sends requests one after the other, to all servers of a deployment in turn.

use super::answer::{Answer, Seen};
use super::contract::Contract;
use super::deployment::Deployment;
use crate::load;
use std::io::{self, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The longest that an answer may take: longer than a server may work on a request.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A caller, with a connection to each server.
pub(super) struct Caller<'a> {
    contract: &'a Contract,
    ports: Vec<u16>,
    connections: Vec<Option<TcpStream>>,
    turn: usize,
    pub(super) seen: Seen,
}

impl<'a> Caller<'a> {
    /// A caller that is not connected yet.
    pub(super) fn of(deployment: &Deployment, contract: &'a Contract) -> Caller<'a> {
        let ports: Vec<u16> = deployment.servers.iter().map(|it| it.port).collect();
        Caller {
            contract,
            connections: ports.iter().map(|_| None).collect(),
            ports,
            turn: 0,
            seen: Seen::default(),
        }
    }

    /// Sends a request for an operation, and notes its answer; `None` if there is none.
    pub(super) fn ask(&mut self, operation: &str, request: &str) -> Option<Answer> {
        let start = Instant::now();
        let answer = self.exchange(request);
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        match answer {
            Ok(answer) => {
                self.seen.note(answer.status, milliseconds);
                self.seen
                    .failures
                    .extend(self.contract.deviation(operation, &answer));
                Some(answer)
            }
            Err(error) => {
                self.seen.failures.push(format!("{operation}: {error}"));
                None
            }
        }
    }

    /// Sends a request to the next server. It may have closed an open connection, because that was
    /// idle or had too many refusals: then the request is sent again on a new one.
    fn exchange(&mut self, request: &str) -> io::Result<Answer> {
        let turn = self.turn % self.ports.len();
        self.turn += 1;
        let (Some(port), Some(held)) = (self.ports.get(turn), self.connections.get_mut(turn))
        else {
            return Err(io::Error::other("there is no server"));
        };
        if let Some(mut stream) = held.take()
            && let Ok(answer) = send(&mut stream, request)
        {
            *held = Some(stream);
            return Ok(answer);
        }
        let mut stream = TcpStream::connect(("127.0.0.1", *port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        let answer = send(&mut stream, request)?;
        *held = Some(stream);
        Ok(answer)
    }
}

fn send(stream: &mut TcpStream, request: &str) -> io::Result<Answer> {
    let mut bytes = Vec::new();
    stream.write_all(request.as_bytes())?;
    load::read_answer(stream, &mut bytes)?;
    Answer::of(&bytes).ok_or_else(|| io::Error::other("the answer has no status"))
}
