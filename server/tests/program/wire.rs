//! A client that writes raw bytes and reads responses, so that it can send invalid requests.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;
use tokio::net::TcpSocket;
use tokio::runtime::Builder;

/// How long to wait for bytes before it counts as never.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A connection.
pub(crate) struct Wire {
    reader: BufReader<TcpStream>,
}

/// An answer, its body read to the end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, Vec<String>>,
    pub(crate) body: String,
}

impl Wire {
    pub(crate) fn connect(to: SocketAddr) -> Self {
        Self::try_connect(to).unwrap()
    }

    /// Fails if the port is closed.
    pub(crate) fn try_connect(to: SocketAddr) -> io::Result<Self> {
        TcpStream::connect(to).map(Self::over)
    }

    /// A connection from another of this machine's addresses.
    pub(crate) fn connect_from(from: IpAddr, to: SocketAddr) -> Self {
        Self::connect_with(|socket| socket.bind((from, 0).into()), to)
    }

    /// The same, which takes few bytes before they are read.
    pub(crate) fn connect_narrow(from: IpAddr, to: SocketAddr) -> Self {
        let narrow = |socket: &TcpSocket| {
            socket.set_recv_buffer_size(4096)?;
            socket.bind((from, 0).into())
        };
        Self::connect_with(narrow, to)
    }

    fn connect_with(prepare: impl Fn(&TcpSocket) -> io::Result<()>, to: SocketAddr) -> Self {
        let runtime = Builder::new_current_thread().enable_io().build().unwrap();
        let stream = runtime.block_on(async {
            let socket = match to {
                SocketAddr::V4(_) => TcpSocket::new_v4(),
                SocketAddr::V6(_) => TcpSocket::new_v6(),
            };
            let socket = socket.unwrap();
            prepare(&socket).unwrap();
            socket.connect(to).await.unwrap().into_std().unwrap()
        });
        stream.set_nonblocking(false).unwrap();
        Self::over(stream)
    }

    fn over(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.set_write_timeout(Some(TIMEOUT)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            reader: BufReader::new(stream),
        }
    }

    /// Writes; fails when the server has closed the connection.
    pub(crate) fn try_send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.reader.get_mut().write_all(bytes)
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.try_send(bytes).unwrap();
    }

    /// Sends a request whose response has a body of known length.
    pub(crate) fn ask(&mut self, request: &[u8]) -> Answer {
        self.send(request);
        self.answer()
    }

    /// The answer to a request that the server need not take all of; `None` if there is none.
    pub(crate) fn try_ask(&mut self, request: &[u8]) -> Option<Answer> {
        // The server may have refused the request before its end.
        let _ = self.try_send(request);
        self.try_answer().ok().flatten()
    }

    /// Reads an answer, interim ones included: the body is as long as its head says.
    #[track_caller]
    pub(crate) fn answer(&mut self) -> Answer {
        self.try_answer()
            .unwrap()
            .expect("an answer before the connection is closed")
    }

    /// `None` if the connection is closed instead.
    pub(crate) fn try_answer(&mut self) -> io::Result<Option<Answer>> {
        let Some(mut answer) = self.try_head()? else {
            return Ok(None);
        };
        let length = answer.header("content-length");
        let length = length.map_or(0, |text| text.parse().unwrap());
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body)?;
        answer.body = String::from_utf8(body).unwrap();
        Ok(Some(answer))
    }

    /// Reads an answer to HEAD.
    #[track_caller]
    pub(crate) fn head(&mut self) -> Answer {
        self.try_head().unwrap().expect("an answer")
    }

    /// Reads the next bytes of an answer, if none was read yet: their number, 0 if the connection was closed.
    pub(crate) fn bytes(&mut self, most: usize) -> io::Result<usize> {
        let mut bytes = vec![0; most];
        self.reader.get_mut().read(&mut bytes)
    }

    fn try_head(&mut self) -> io::Result<Option<Answer>> {
        let Some(first) = self.line()? else {
            return Ok(None);
        };
        let status = first[9..12].parse().unwrap();
        let mut headers = BTreeMap::<_, Vec<_>>::new();
        while let Some(line) = self.line()?.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(": ").unwrap();
            let values = headers.entry(name.to_ascii_lowercase()).or_default();
            values.push(value.to_owned());
        }
        Ok(Some(Answer {
            status,
            headers,
            body: String::new(),
        }))
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let read = self.reader.read_line(&mut line)?;
        Ok((read > 0).then(|| line.trim_end().to_owned()))
    }

    /// Waits for the server to close the connection; returns whether it does so without sending more.
    pub(crate) fn is_closed(&mut self) -> bool {
        match self.reader.read(&mut [0]) {
            Ok(0) => true,
            Ok(_) => false,
            Err(error) => error.kind() == io::ErrorKind::ConnectionReset,
        }
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers_named(name).last().map(String::as_str)
    }

    /// The values of a header that may stand there several times.
    pub(crate) fn headers_named(&self, name: &str) -> &[String] {
        self.headers.get(name).map_or(&[], Vec::as_slice)
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
