//! The part of HTTP/1.1 that a page on this machine needs. Memory is allocated for received bytes only, whatever length
//! a request announces, and a stalled connection blocks only its own thread.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Largest body that is read \[bytes\].
const LARGEST_BODY: u64 = 1 << 20;

/// Largest request line with all headers \[bytes\].
const LARGEST_HEAD: u64 = 1 << 14;

/// Longest pause within a request, and while an answer is taken.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Pause after the system has refused a connection, as it does when too many are open.
const PAUSE: Duration = Duration::from_millis(100);

/// What is sent back.
pub(super) struct Reply {
    pub status: u16,
    pub kind: &'static str,
    pub text: String,
}

impl Reply {
    pub fn refused(status: u16, text: impl Into<String>) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", text: text.into() }
    }

    /// Sends it; `has_body` is false in answers to HEAD.
    fn send(&self, stream: &mut TcpStream, has_body: bool, is_last: bool) -> io::Result<()> {
        let connection = if is_last { "close" } else { "keep-alive" };
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
             Referrer-Policy: no-referrer\r\nConnection: {connection}\r\n\r\n",
            self.status,
            words(self.status),
            self.kind,
            self.text.len()
        );
        // In one piece, which the page then does not wait for twice.
        let body = if has_body { self.text.as_str() } else { "" };
        stream.write_all([head.as_str(), body].concat().as_bytes())
    }
}

fn words(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Other",
    }
}

/// What a request says before its body.
#[derive(Debug, Default, PartialEq)]
struct Head {
    method: String,
    path: String,
    host: String,
    /// Length of the body \[bytes\].
    length: u64,
    /// Whether no other request follows on the connection.
    is_last: bool,
    /// Whether the sender waits for `100 Continue` before the body.
    expects_continue: bool,
}

/// A whole request, to be answered.
pub(super) struct Request {
    head: Head,
    body: Vec<u8>,
    stream: TcpStream,
    /// Tells the thread of the connection whether to read on.
    goes_on: Sender<bool>,
}

impl Request {
    pub fn method(&self) -> &str {
        &self.head.method
    }

    pub fn path(&self) -> &str {
        &self.head.path
    }

    /// The name under which the server was found.
    pub fn host(&self) -> &str {
        &self.head.host
    }

    pub fn body(&self) -> &[u8] {
        &self.body
    }

    pub fn respond(mut self, reply: &Reply) {
        let sent = reply.send(&mut self.stream, self.head.method != "HEAD", self.head.is_last);
        // A page that has been closed does not wait for its answer.
        let _ = self.goes_on.send(sent.is_ok() && !self.head.is_last);
    }
}

/// Listens on a port until it is dropped.
pub(super) struct Server {
    /// Only one thread asks for them.
    requests: Mutex<Receiver<Request>>,
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
}

impl Server {
    /// # Errors
    /// Ports that are taken.
    pub fn bind(host: &str, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((host, port))?;
        let address = listener.local_addr()?;
        let (sender, requests) = mpsc::channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let ended = is_over.clone();
        thread::Builder::new().spawn(move || accept(&listener, &sender, &ended))?;
        Ok(Self { requests: Mutex::new(requests), address, is_over })
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The next request, if one comes within `time`.
    pub fn request_within(&self, time: Duration) -> Option<Request> {
        self.requests.lock().ok()?.recv_timeout(time).ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes the thread that accepts connections.
        let _ = TcpStream::connect(self.address);
    }
}

/// Gives every connection a thread.
fn accept(listener: &TcpListener, sender: &Sender<Request>, is_over: &AtomicBool) {
    for stream in listener.incoming() {
        if is_over.load(Ordering::SeqCst) {
            return;
        }
        let sender = sender.clone();
        // A connection that fails does not concern the others.
        let begun = stream.and_then(|stream| thread::Builder::new().spawn(move || drop(converse(stream, &sender))));
        if begun.is_err() {
            thread::sleep(PAUSE);
        }
    }
}

/// Hands over the requests of a connection, one after the other.
fn converse(stream: TcpStream, sender: &Sender<Request>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut stream = stream;
    loop {
        // A page may pause as long as it likes between requests, but not within one.
        stream.set_read_timeout(None)?;
        if reader.fill_buf()?.is_empty() {
            return Ok(());
        }
        stream.set_read_timeout(Some(TIMEOUT))?;
        let head = match read_head(&mut reader)? {
            Ok(head) => head,
            Err(refused) => return refuse(&mut stream, reader, &refused),
        };
        if head.expects_continue {
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        let mut body = Vec::new();
        reader.by_ref().take(head.length).read_to_end(&mut body)?;
        if (body.len() as u64) < head.length {
            return Ok(());
        }
        let (goes_on, answered) = mpsc::channel();
        let request = Request { head, body, stream: stream.try_clone()?, goes_on };
        if sender.send(request).is_err() || !answered.recv().unwrap_or(false) {
            return stream.shutdown(Shutdown::Both);
        }
    }
}

/// Refuses a request whose end is not known, and closes the connection.
fn refuse(stream: &mut TcpStream, reader: impl Read, reply: &Reply) -> io::Result<()> {
    reply.send(stream, true, true)?;
    stream.shutdown(Shutdown::Write)?;
    // If something remained unread, the system would take back the reply.
    io::copy(&mut reader.take(LARGEST_BODY), &mut io::sink()).map(drop)
}

/// Reads up to the empty line.
///
/// # Errors
/// Connections that end; what is no request that can be read, with a reply.
fn read_head(reader: &mut impl BufRead) -> io::Result<Result<Head, Reply>> {
    let mut head = reader.take(LARGEST_HEAD);
    let mut text = Vec::new();
    loop {
        let begin = text.len();
        if head.read_until(b'\n', &mut text)? == 0 || text.last() != Some(&b'\n') {
            return match head.limit() {
                0 => Ok(Err(Reply::refused(431, format!("the head of a request has at most {LARGEST_HEAD} bytes")))),
                _ => Err(io::ErrorKind::UnexpectedEof.into()),
            };
        }
        if begin > 0 && text[begin..].trim_ascii().is_empty() {
            return Ok(parse_head(&text));
        }
    }
}

/// Headers that a request may have.
const MOST_HEADERS: usize = 64;

fn parse_head(text: &[u8]) -> Result<Head, Reply> {
    let wrong = |what: &str| Reply::refused(400, format!("this is no request: {what}"));
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(text) {
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) => return Err(wrong("it is not complete")),
        Err(error) => return Err(wrong(&error.to_string())),
    }
    let mut head = Head {
        method: request.method.unwrap_or_default().to_owned(),
        path: request.path.unwrap_or_default().to_owned(),
        is_last: request.version == Some(0),
        ..Head::default()
    };
    let mut length = None;
    for httparse::Header { name, value } in request.headers.iter() {
        let value = String::from_utf8_lossy(value.trim_ascii());
        match name.to_ascii_lowercase().as_str() {
            "host" => head.host = value.into_owned(),
            "connection" => head.is_last |= value.eq_ignore_ascii_case("close"),
            "expect" => head.expects_continue = value.eq_ignore_ascii_case("100-continue"),
            "content-length" if length.is_some() => return Err(wrong("it has two lengths")),
            "content-length" => length = Some(value.into_owned()),
            "transfer-encoding" => return Err(Reply::refused(411, "a request must tell its length")),
            _ => {}
        }
    }
    let length = length.as_deref().unwrap_or("0");
    if length.is_empty() || !length.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(wrong("its length"));
    }
    // Lengths beyond all numbers are too large as well.
    head.length = length.parse().unwrap_or(u64::MAX);
    if head.length > LARGEST_BODY {
        return Err(Reply::refused(413, format!("a request has at most {LARGEST_BODY} bytes")));
    }
    Ok(head)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn head(text: &str) -> Result<Head, u16> {
        read_head(&mut text.as_bytes()).unwrap().map_err(|refused| refused.status)
    }

    #[test]
    fn a_head_is_read_whatever_the_case_of_its_names() {
        let read =
            head("POST /x HTTP/1.1\r\nHOST: a:1\r\ncontent-length:  7\r\nConnection: Close\r\n\r\nbody").unwrap();
        assert_eq!((read.method.as_str(), read.path.as_str(), read.host.as_str()), ("POST", "/x", "a:1"));
        assert_eq!((read.length, read.is_last, read.expects_continue), (7, true, false));
    }

    #[test]
    fn what_is_no_request_or_announces_too_much_is_refused() {
        for (line, status) in [
            ("Content-Length: 99999999999999", 413),
            ("Content-Length: 1048577", 413),
            ("Content-Length: 99999999999999999999999", 413),
            ("Content-Length: -1", 400),
            ("Content-Length: +1", 400),
            ("Content-Length: 1\r\nContent-Length: 2", 400),
            ("Transfer-Encoding: chunked", 411),
            ("no colon", 400),
        ] {
            assert_eq!(head(&format!("GET / HTTP/1.1\r\n{line}\r\n\r\n")), Err(status), "{line}");
        }
        assert_eq!(head("GET /\r\n\r\n"), Err(400));
        assert_eq!(head(&format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(20_000))), Err(431));
    }

    #[test]
    fn a_head_that_ends_early_is_no_request() {
        assert!(read_head(&mut b"GET / HTTP/1.1\r\nHost: a".as_slice()).is_err());
    }
}
