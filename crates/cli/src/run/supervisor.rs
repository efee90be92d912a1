//! What ends a run from outside, also in the middle of a step: a signal, the limit of wall time, a flag of the caller.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use signal_hook::consts::SIGINT;

use crate::error::{Error, Result};
use crate::interrupt;
use crate::progress::ProgressLine;

/// Period of the checks.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Number of checks per update of the progress line.
const LOOKS_PER_PICTURE: u32 = 4;

/// Why a run was ended.
#[derive(Debug, Clone, Copy)]
pub enum Reason {
    /// A signal with this number.
    Signal(i32),
    /// So much wall time has passed.
    WallLimit(Duration),
}

/// A thread that checks whether the run must end.
pub struct Supervisor {
    stop: Arc<AtomicBool>,
    reason: Arc<OnceLock<Reason>>,
    /// The thread ends with it.
    alive: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Supervisor {
    /// Starts the checks; raises `stop` when the run must end, at the latest after `limit`, and draws the progress now
    /// and then.
    pub fn begin(stop: Arc<AtomicBool>, limit: Option<Duration>, line: Option<ProgressLine>) -> Result<Self> {
        let (alive, ended) = mpsc::channel::<()>();
        let reason = Arc::new(OnceLock::new());
        let (raised, found, begin) = (stop.clone(), reason.clone(), Instant::now());
        let mut line = line;
        let look = move || {
            let mut looks = 0_u32;
            let pause =
                || limit.map_or(POLL_INTERVAL, |limit| limit.saturating_sub(begin.elapsed()).min(POLL_INTERVAL));
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(pause()) {
                let limit = limit.filter(|limit| begin.elapsed() >= *limit).map(Reason::WallLimit);
                if let Some(reason) = interrupt::received().map(Reason::Signal).or(limit) {
                    found.get_or_init(|| reason);
                    raised.store(true, Ordering::SeqCst);
                    return;
                }
                looks += 1;
                if let Some(line) = line.as_mut().filter(|_| looks.is_multiple_of(LOOKS_PER_PICTURE)) {
                    line.draw();
                }
            }
        };
        let thread = thread::Builder::new().spawn(look).map_err(|e| Error::failed(format!("cannot run: {e}")))?;
        Ok(Self { stop, reason, alive: Some(alive), thread: Some(thread) })
    }

    /// The signal or limit that has occurred, if any; a flag that the caller has raised does not count.
    pub fn found(&self) -> Option<Reason> {
        self.reason.get().copied()
    }

    /// Why the run must end, if it must.
    pub fn reason(&self) -> Option<Reason> {
        let is_raised = self.stop.load(Ordering::SeqCst);
        // A flag that is raised without a reason is the caller's, who passes an interrupt on.
        is_raised.then(|| self.reason.get().copied().unwrap_or(Reason::Signal(SIGINT)))
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.alive = None;
        if let Some(thread) = self.thread.take() {
            // It has nothing to say.
            let _ = thread.join();
        }
    }
}
