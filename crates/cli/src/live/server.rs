//! HTTP on the loopback interface: one page, and the commands that it posts.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use mbs_present::view::{LiveView, Poses, render_frames, render_live};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tiny_http::{Header, Method, Request, Response, StatusCode};

use super::model::LiveModel;
use super::protocol::{Answer, Cancel, Request as Posted};
use crate::error::{Error, Result};
use crate::files::output;
use crate::run::Supervisor;

/// Only programs of this machine reach it.
const HOST: &str = "127.0.0.1";

/// Period of the checks for signals.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Largest request that is read \[bytes\].
const LARGEST_REQUEST: u64 = 1 << 20;

/// Where the page posts its commands.
const COMMANDS: &str = "commands";

/// Where the page posts that a command shall end.
const CANCEL: &str = "cancel";

/// Reply to an outdated page.
const OLDER_PAGE: &str = "the view was opened in another window, which has taken over";

/// Reply to what comes after the end.
const ENDED: &str =
    "The server of this page has ended. `mbfmu view MODEL --live` starts it again: open the address that it prints.";

/// What is sent back.
struct Reply {
    status: u16,
    kind: &'static str,
    text: String,
}

impl Reply {
    fn refused(status: u16, text: impl Into<String>) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", text: text.into() }
    }
}

/// A server of one live view.
pub(super) struct Server {
    http: tiny_http::Server,
    port: u16,
    /// Path of the page, a secret for other users and web pages.
    path: String,
    /// Number of the page opened last, which alone may send commands.
    page: AtomicU64,
}

impl Server {
    /// Binds a port, 0 for any that is free, and prints the address.
    ///
    /// # Errors
    /// Ports that are taken.
    pub fn bind(port: u16, name: &str) -> Result<Self> {
        let http = tiny_http::Server::http((HOST, port)).map_err(|error| {
            let hint = "without --port, a free one is taken".to_owned();
            Error::hinted(format!("cannot serve on port {port}: {error}"), Some(hint))
        })?;
        let port = http.server_addr().to_ip().map_or(port, |address| address.port());
        let mut secret = [0_u8; 16];
        getrandom::fill(&mut secret).map_err(|error| Error::failed(format!("no random numbers: {error}")))?;
        let path: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        let server = Self { http, port, path: format!("/{path}/"), page: AtomicU64::new(0) };
        output::print(&format!(
            "{name} runs at http://{HOST}:{port}{}\nopen it in a browser; Ctrl-C ends it\n",
            server.path
        ))?;
        Ok(server)
    }

    /// Serves until a signal comes. One thread listens, so that a running command can be ended.
    ///
    /// # Errors
    /// A network that fails.
    pub fn run(self, model: &mut LiveModel) -> Result {
        let stop = model.stop_flag();
        let supervisor = Supervisor::begin(stop.clone(), None, None)?;
        let is_over = AtomicBool::new(false);
        let (sender, requests) = mpsc::channel();
        let served = thread::scope(|scope| {
            scope.spawn(|| self.listen(&sender, &stop, &is_over));
            let served = self.serve(model, &requests, &supervisor, &stop);
            is_over.store(true, Ordering::SeqCst);
            served
        });
        // What has come in between.
        requests.try_iter().flatten().for_each(|request| respond(request, Reply::refused(503, ENDED)));
        served
    }

    /// Hands requests over, and ends commands as the page wishes.
    fn listen(&self, sender: &mpsc::Sender<io::Result<Request>>, stop: &AtomicBool, is_over: &AtomicBool) {
        while !is_over.load(Ordering::SeqCst) {
            let passed = match self.http.recv_timeout(POLL_INTERVAL) {
                Ok(None) => Ok(()),
                Ok(Some(request)) if request.url().strip_prefix(&self.path) == Some(CANCEL) => {
                    self.cancel(request, stop);
                    Ok(())
                }
                Ok(Some(request)) => sender.send(Ok(request)),
                Err(error) => {
                    // The other thread ends with it.
                    let _ = sender.send(Err(error));
                    return;
                }
            };
            if passed.is_err() {
                return;
            }
        }
    }

    fn cancel(&self, mut request: Request, stop: &AtomicBool) {
        let is_post = *request.method() == Method::Post;
        let sent = self.foreign(&request).unwrap_or_else(|| match posted::<Cancel>(&mut request) {
            _ if !is_post => Reply::refused(405, "this cannot be done here"),
            Ok(posted) if posted.page == self.page() => {
                stop.store(true, Ordering::SeqCst);
                Reply { status: 200, kind: "application/json", text: "{}".to_owned() }
            }
            Ok(_) => Reply::refused(409, OLDER_PAGE),
            Err(refused) => refused,
        });
        respond(request, sent);
    }

    fn serve(
        &self,
        model: &mut LiveModel,
        requests: &mpsc::Receiver<io::Result<Request>>,
        supervisor: &Supervisor,
        stop: &AtomicBool,
    ) -> Result {
        while supervisor.found().is_none() {
            let Ok(request) = requests.recv_timeout(POLL_INTERVAL) else { continue };
            let mut request = request.map_err(|error| Error::failed(format!("the server ends: {error}")))?;
            // What was ended is over, but for a signal.
            stop.store(false, Ordering::SeqCst);
            stop.fetch_or(supervisor.found().is_some(), Ordering::SeqCst);
            let sent = self.answer(&mut request, model);
            for note in model.take_notes() {
                output::note(&note);
            }
            respond(request, sent);
        }
        Ok(())
    }

    fn page(&self) -> u64 {
        self.page.load(Ordering::SeqCst)
    }

    /// The reply to a page of another site whose name resolves to this server: it gets no data.
    fn foreign(&self, request: &Request) -> Option<Reply> {
        let host = header(request, "Host").unwrap_or_default();
        let is_own = [HOST, "localhost"].iter().any(|name| host == format!("{name}:{}", self.port));
        (!is_own).then(|| Reply::refused(403, "this server is for pages of this machine"))
    }

    fn answer(&self, request: &mut Request, model: &mut LiveModel) -> Reply {
        if let Some(refused) = self.foreign(request) {
            return refused;
        }
        let Some(below) = request.url().strip_prefix(&self.path) else {
            return Reply::refused(
                404,
                "nothing is here; the address that `mbfmu view --live` has printed is complete",
            );
        };
        match (request.method(), below) {
            (Method::Get, "") => self.open(model),
            (Method::Post, COMMANDS) => self.execute(request, model),
            (_, "" | COMMANDS) => Reply::refused(405, "this cannot be done here"),
            _ => Reply::refused(404, "nothing is here"),
        }
    }

    /// The page at the present point; an older one may not send commands any more.
    fn open(&self, model: &mut LiveModel) -> Reply {
        let number = self.page() + 1;
        let page = model.open().and_then(|(animation, controls)| {
            let moving = animation.bodies.iter().map(|body| matches!(body.poses, Poses::Moving(_))).collect();
            let (address, cancel) = (COMMANDS.to_owned(), CANCEL.to_owned());
            let live = LiveView { address, cancel, page: number, moving, controls };
            render_live(&animation, &live).map_err(|error| Error::failed(error.to_string()))
        });
        match page {
            Ok(text) => {
                self.page.store(number, Ordering::SeqCst);
                Reply { status: 200, kind: "text/html; charset=utf-8", text }
            }
            Err(error) => Reply::refused(500, error.to_string()),
        }
    }

    fn execute(&self, request: &mut Request, model: &mut LiveModel) -> Reply {
        let posted = match posted::<Posted>(request) {
            Ok(posted) => posted,
            Err(refused) => return refused,
        };
        if posted.page != self.page() {
            return Reply::refused(409, OLDER_PAGE);
        }
        let (mut answer, frames) = model.execute(&posted.commands);
        answer.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
        let written =
            add_frames(&mut answer, &frames).and_then(|()| serde_json::to_string(&answer).map_err(|e| e.to_string()));
        match written {
            Ok(text) => Reply { status: 200, kind: "application/json", text },
            Err(error) => Reply::refused(500, error),
        }
    }
}

/// The body of a request, or the reply if there is none.
fn posted<T: DeserializeOwned>(request: &mut Request) -> std::result::Result<T, Reply> {
    let mut text = String::new();
    let read = request.as_reader().take(LARGEST_REQUEST).read_to_string(&mut text);
    let posted = read.map_err(|error| error.to_string());
    let posted = posted.and_then(|_| serde_json::from_str::<T>(&text).map_err(|error| error.to_string()));
    posted.map_err(|error| Reply::refused(400, format!("this is no request: {error}")))
}

/// Adds the frames, if any, to a reply.
fn add_frames(answer: &mut Answer, frames: &mbs_present::view::Animation) -> std::result::Result<(), String> {
    if !frames.times.is_empty() {
        let json = render_frames(frames).map_err(|error| error.to_string())?;
        answer.frames = Some(RawValue::from_string(json).map_err(|error| error.to_string())?);
    }
    Ok(())
}

fn header(request: &Request, name: &'static str) -> Option<String> {
    let found = request.headers().iter().find(|header| header.field.equiv(name));
    found.map(|header| header.value.as_str().to_owned())
}

fn respond(request: Request, sent: Reply) {
    let headers = [("Content-Type", sent.kind), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")];
    let mut response =
        Response::from_string(sent.text).with_status_code(StatusCode(sent.status)).with_chunked_threshold(usize::MAX);
    for header in headers.iter().filter_map(|(name, value)| Header::from_bytes(*name, *value).ok()) {
        response.add_header(header);
    }
    // A page that has been closed does not wait for its answer.
    let _ = request.respond(response);
}
