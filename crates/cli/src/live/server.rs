//! HTTP on the loopback interface: one page, and the commands that it posts.

use std::io::Read;
use std::time::Duration;

use mbs_present::view::{LiveView, Poses, render_frames, render_live};
use serde_json::value::RawValue;
use tiny_http::{Header, Method, Request, Response, StatusCode};

use super::model::LiveModel;
use super::protocol::{Answer, Request as Posted};
use crate::error::{Error, Result};
use crate::output;
use crate::run::Supervisor;

/// Only programs of this machine reach it.
const HOST: &str = "127.0.0.1";

/// Time between two looks for signals.
const LOOK: Duration = Duration::from_millis(100);

/// Largest request that is read \[bytes\].
const LARGEST_REQUEST: u64 = 1 << 20;

/// Where the page posts its commands.
const COMMANDS: &str = "commands";

/// What is sent back.
struct Sent {
    status: u16,
    kind: &'static str,
    text: String,
}

impl Sent {
    fn refused(status: u16, text: impl Into<String>) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", text: text.into() }
    }
}

/// A server of one live view.
pub(super) struct Server {
    http: tiny_http::Server,
    port: u16,
    /// Path of the page. Other users and web pages do not know it.
    path: String,
    /// Number of the page opened last, which alone may send commands.
    page: u64,
}

impl Server {
    /// Takes a port, 0 for any that is free, and tells the user the address.
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
        let server = Self { http, port, path: format!("/{path}/"), page: 0 };
        output::print(&format!(
            "{name} runs at http://{HOST}:{port}{}\nopen it in a browser; Ctrl-C ends it\n",
            server.path
        ))?;
        Ok(server)
    }

    /// Serves until a signal comes.
    ///
    /// # Errors
    /// A network that fails.
    pub fn run(mut self, model: &mut LiveModel) -> Result {
        let supervisor = Supervisor::begin(model.stop_flag(), None, None)?;
        while supervisor.reason().is_none() {
            let request = self.http.recv_timeout(LOOK);
            if let Some(mut request) = request.map_err(|error| Error::failed(format!("the server ends: {error}")))? {
                let sent = self.answer(&mut request, model);
                for note in model.take_notes() {
                    output::note(&note);
                }
                respond(request, sent);
            }
        }
        Ok(())
    }

    fn answer(&mut self, request: &mut Request, model: &mut LiveModel) -> Sent {
        // A page of another site that has its name point here is told nothing.
        let host = header(request, "Host").unwrap_or_default();
        if ![HOST, "localhost"].iter().any(|name| host == format!("{name}:{}", self.port)) {
            return Sent::refused(403, "this server is for pages of this machine");
        }
        let Some(below) = request.url().strip_prefix(&self.path) else {
            return Sent::refused(404, "nothing is here; the address that `mbfmu view --live` has printed is complete");
        };
        match (request.method(), below) {
            (Method::Get, "") => self.open(model),
            (Method::Post, COMMANDS) => self.obey(request, model),
            (_, "" | COMMANDS) => Sent::refused(405, "this cannot be done here"),
            _ => Sent::refused(404, "nothing is here"),
        }
    }

    /// The page at the present point; an older one may not send commands any more.
    fn open(&mut self, model: &mut LiveModel) -> Sent {
        let page = model.open().and_then(|(animation, controls)| {
            let moving = animation.bodies.iter().map(|body| matches!(body.poses, Poses::Moving(_))).collect();
            let live = LiveView { address: COMMANDS.to_owned(), page: self.page + 1, moving, controls };
            render_live(&animation, &live).map_err(|error| Error::failed(error.to_string()))
        });
        match page {
            Ok(text) => {
                self.page += 1;
                Sent { status: 200, kind: "text/html; charset=utf-8", text }
            }
            Err(error) => Sent::refused(500, error.to_string()),
        }
    }

    fn obey(&self, request: &mut Request, model: &mut LiveModel) -> Sent {
        let mut text = String::new();
        let read = request.as_reader().take(LARGEST_REQUEST).read_to_string(&mut text);
        let posted = read.map_err(|error| error.to_string());
        let posted = posted.and_then(|_| serde_json::from_str::<Posted>(&text).map_err(|error| error.to_string()));
        let posted = match posted {
            Ok(posted) => posted,
            Err(error) => return Sent::refused(400, format!("this is no request: {error}")),
        };
        if posted.page != self.page {
            return Sent::refused(409, "the view was opened in another window, which has taken over");
        }
        let (mut answer, frames) = model.obey(&posted.commands);
        answer.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
        let written =
            pictures(&mut answer, &frames).and_then(|()| serde_json::to_string(&answer).map_err(|e| e.to_string()));
        match written {
            Ok(text) => Sent { status: 200, kind: "application/json", text },
            Err(error) => Sent::refused(500, error),
        }
    }
}

/// Puts pictures into an answer, if there are any.
fn pictures(answer: &mut Answer, frames: &mbs_present::view::Animation) -> std::result::Result<(), String> {
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

fn respond(request: Request, sent: Sent) {
    let headers = [("Content-Type", sent.kind), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")];
    let mut response =
        Response::from_string(sent.text).with_status_code(StatusCode(sent.status)).with_chunked_threshold(usize::MAX);
    for header in headers.iter().filter_map(|(name, value)| Header::from_bytes(*name, *value).ok()) {
        response.add_header(header);
    }
    // A page that has been closed does not wait for its answer.
    let _ = request.respond(response);
}
