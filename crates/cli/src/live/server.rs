//! Requests on the loopback interface: one page, and the commands that it posts.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use mbs_present::view::{LiveView, Poses, render_frames, render_live};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::http::{self, Reply, Request};
use super::model::LiveModel;
use super::protocol::{Answer, Cancel, Request as Posted};
use crate::error::{Error, Result};
use crate::files::output;
use crate::run::Supervisor;

/// Only programs of this machine reach it.
const HOST: &str = "127.0.0.1";

/// Period of the checks for signals.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Where the page posts its commands.
const COMMANDS: &str = "commands";

/// Where the page posts that a command shall end.
const CANCEL: &str = "cancel";

/// Reply to an outdated page.
const OLDER_PAGE: &str = "the view was opened in another window, which has taken over";

/// Reply to what comes after the end.
const ENDED: &str =
    "The server of this page has ended. `mbfmu view MODEL --live` starts it again: open the address that it prints.";

/// A server of one live view.
pub(super) struct Server {
    http: http::Server,
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
        let http = http::Server::bind(HOST, port).map_err(|error| {
            let hint = "without --port, a free one is taken".to_owned();
            Error::hinted(format!("cannot serve on port {port}: {error}"), Some(hint))
        })?;
        let mut secret = [0_u8; 16];
        getrandom::fill(&mut secret).map_err(|error| Error::failed(format!("no random numbers: {error}")))?;
        let path: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        let server = Self { http, path: format!("/{path}/"), page: AtomicU64::new(0) };
        output::print(&format!(
            "{name} runs at http://{HOST}:{}{}\nopen it in a browser; Ctrl-C ends it\n",
            server.http.port(),
            server.path
        ))?;
        Ok(server)
    }

    /// Serves until a signal comes. One thread listens, so that a running command can be ended.
    ///
    /// # Errors
    /// Systems that give no thread.
    pub fn run(self, model: &mut LiveModel) -> Result {
        let stop = model.stop_flag();
        let supervisor = Supervisor::begin(stop.clone(), None, None)?;
        let is_over = AtomicBool::new(false);
        let (sender, requests) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| self.listen(&sender, &stop, &is_over));
            self.serve(model, &requests, &supervisor, &stop);
            is_over.store(true, Ordering::SeqCst);
        });
        // What has come in between.
        requests.try_iter().for_each(|request| request.respond(&Reply::refused(503, ENDED)));
        Ok(())
    }

    /// Hands requests over, and ends commands as the page wishes.
    fn listen(&self, sender: &mpsc::Sender<Request>, stop: &AtomicBool, is_over: &AtomicBool) {
        while !is_over.load(Ordering::SeqCst) {
            let Some(request) = self.http.request_within(POLL_INTERVAL) else { continue };
            if request.path().strip_prefix(&self.path) == Some(CANCEL) {
                self.cancel(request, stop);
            } else if sender.send(request).is_err() {
                return;
            }
        }
    }

    fn cancel(&self, request: Request, stop: &AtomicBool) {
        let sent = self.foreign(&request).unwrap_or_else(|| match posted::<Cancel>(&request) {
            _ if request.method() != "POST" => Reply::refused(405, "this cannot be done here"),
            Ok(posted) if posted.page == self.page() => {
                stop.store(true, Ordering::SeqCst);
                Reply { status: 200, kind: "application/json", text: "{}".to_owned() }
            }
            Ok(_) => Reply::refused(409, OLDER_PAGE),
            Err(refused) => refused,
        });
        request.respond(&sent);
    }

    fn serve(
        &self,
        model: &mut LiveModel,
        requests: &mpsc::Receiver<Request>,
        supervisor: &Supervisor,
        stop: &AtomicBool,
    ) {
        while supervisor.found().is_none() {
            let Ok(request) = requests.recv_timeout(POLL_INTERVAL) else { continue };
            // What was ended is over, but for a signal.
            stop.store(false, Ordering::SeqCst);
            stop.fetch_or(supervisor.found().is_some(), Ordering::SeqCst);
            let sent = self.answer(&request, model);
            for note in model.take_notes() {
                output::note(&note);
            }
            request.respond(&sent);
        }
    }

    fn page(&self) -> u64 {
        self.page.load(Ordering::SeqCst)
    }

    /// The reply to a page of another site whose name resolves to this server: it gets no data.
    fn foreign(&self, request: &Request) -> Option<Reply> {
        let port = self.http.port();
        let is_own = [HOST, "localhost"].iter().any(|name| request.host() == format!("{name}:{port}"));
        (!is_own).then(|| Reply::refused(403, "this server is for pages of this machine"))
    }

    fn answer(&self, request: &Request, model: &mut LiveModel) -> Reply {
        if let Some(refused) = self.foreign(request) {
            return refused;
        }
        let Some(below) = request.path().strip_prefix(&self.path) else {
            return Reply::refused(
                404,
                "nothing is here; the address that `mbfmu view --live` has printed is complete",
            );
        };
        match (request.method(), below) {
            ("GET", "") => self.open(model),
            ("POST", COMMANDS) => self.execute(request, model),
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

    fn execute(&self, request: &Request, model: &mut LiveModel) -> Reply {
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
fn posted<T: DeserializeOwned>(request: &Request) -> std::result::Result<T, Reply> {
    serde_json::from_slice(request.body()).map_err(|error| Reply::refused(400, format!("this is no request: {error}")))
}

/// Adds the frames, if any, to a reply.
fn add_frames(answer: &mut Answer, frames: &mbs_present::view::Animation) -> std::result::Result<(), String> {
    if !frames.times.is_empty() {
        let json = render_frames(frames).map_err(|error| error.to_string())?;
        answer.frames = Some(RawValue::from_string(json).map_err(|error| error.to_string())?);
    }
    Ok(())
}
