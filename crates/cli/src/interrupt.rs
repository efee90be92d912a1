//! Ctrl-C, SIGTERM and the end of the terminal (SIGHUP), taken as the wish to end a run and to keep what it has
//! computed; temporary folders vanish before a signal ends the process.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use std::{fs, io, thread};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::low_level::emulate_default_handler;
use tempfile::TempDir;

/// Added to the number of a signal to give the exit code of what it has ended.
const EXIT_CODE: i32 = 128;

/// Period of the checks whether a signal must end the process.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// What signals change.
struct Flags {
    /// There is neither a [`Guard`] nor a [`Folder`]: signals end the process as always.
    is_idle: Arc<AtomicBool>,
    /// A signal has been received.
    is_reached: Arc<AtomicBool>,
    /// Its number.
    number: Arc<AtomicUsize>,
}

/// While it lives, the first signal ends runs and the second one the process.
pub struct Guard(());

impl Guard {
    /// Takes over the signals.
    pub fn hold() -> Self {
        let mut held = held();
        begin(&held);
        held.guards += 1;
        Self(())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut held = held();
        held.guards -= 1;
        if held.guards == 0 {
            // What came has ended the work for which it was held.
            forget();
        }
        end_if_idle(&held);
    }
}

/// A temporary folder. It vanishes with this, or before a signal ends the process.
pub struct Folder {
    /// None when it has vanished.
    folder: Option<TempDir>,
    path: PathBuf,
    is_filled: bool,
}

impl Folder {
    /// An empty folder. While it is filled, signals wait: who fills it ends early when one is [`received`].
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn new() -> io::Result<Self> {
        let mut held = held();
        begin(&held);
        let made = tempfile::Builder::new().prefix("mbfmu-").tempdir();
        if let Ok(folder) = &made {
            held.folders.push(folder.path().to_path_buf());
            held.filling += 1;
        }
        end_if_idle(&held);
        let folder = made?;
        Ok(Self { path: folder.path().to_path_buf(), folder: Some(folder), is_filled: false })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The same folder, with everything in it: from now on signals end the process, but for those that a [`Guard`]
    /// waits for.
    #[must_use]
    pub fn filled(mut self) -> Self {
        let mut held = held();
        self.is_filled = true;
        held.filling -= 1;
        if !held.is_watched {
            // Without the thread, signals end runs only.
            held.is_watched = thread::Builder::new().spawn(watch).is_ok();
        }
        drop(held);
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let mut held = held();
        self.folder = None;
        held.folders.retain(|path| *path != self.path);
        held.filling -= usize::from(!self.is_filled);
        end_if_idle(&held);
    }
}

/// Who waits for signals, in one process.
#[derive(Debug, Default)]
struct Held {
    guards: usize,
    folders: Vec<PathBuf>,
    /// Folders that are not filled yet.
    filling: usize,
    /// Whether the thread lives that removes folders.
    is_watched: bool,
}

static HELD: Mutex<Held> = Mutex::new(Held { guards: 0, folders: Vec::new(), filling: 0, is_watched: false });

fn held() -> MutexGuard<'static, Held> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes over the signals, if nobody has.
fn begin(held: &Held) {
    if held.guards == 0 && held.folders.is_empty() {
        forget();
        flags().is_idle.store(false, Ordering::SeqCst);
    }
}

/// Lets signals end the process, if nobody waits for them any more.
fn end_if_idle(held: &Held) {
    flags().is_idle.store(held.guards == 0 && held.folders.is_empty(), Ordering::SeqCst);
}

/// Forgets what has come.
fn forget() {
    flags().is_reached.store(false, Ordering::SeqCst);
    flags().number.store(0, Ordering::SeqCst);
}

/// Removes the folders and ends the process when a signal has come that nobody else waits for.
fn watch() {
    loop {
        thread::sleep(POLL_INTERVAL);
        let mut held = held();
        if held.folders.is_empty() {
            held.is_watched = false;
            return;
        }
        if let Some(signal) = received().filter(|_| held.guards == 0 && held.filling == 0) {
            for folder in &held.folders {
                // What cannot be removed stays, as nobody is left to be told.
                let _ = fs::remove_dir_all(folder);
            }
            let _ = emulate_default_handler(signal);
        }
    }
}

/// Number of the signal that came while a [`Guard`] or a [`Folder`] lived.
pub fn received() -> Option<i32> {
    let flags = FLAGS.get()?;
    i32::try_from(flags.number.load(Ordering::SeqCst)).ok().filter(|number| *number != 0)
}

/// Exit code of a process whose work was ended by a signal.
pub fn exit_code(signal: i32) -> u8 {
    u8::try_from(EXIT_CODE + signal).unwrap_or(1)
}

static FLAGS: OnceLock<Flags> = OnceLock::new();

fn flags() -> &'static Flags {
    FLAGS.get_or_init(|| {
        let flags = Flags { is_idle: Arc::default(), is_reached: Arc::default(), number: Arc::default() };
        for signal in ending() {
            // Where the system refuses, signals end the process as always. Actions are taken in this order.
            let _ = flag::register_conditional_default(signal, flags.is_idle.clone())
                .and_then(|_| flag::register_conditional_shutdown(signal, EXIT_CODE + signal, flags.is_reached.clone()))
                .and_then(|_| flag::register_usize(signal, flags.number.clone(), signal as usize))
                .and_then(|_| flag::register(signal, flags.is_reached.clone()));
        }
        flags
    })
}

/// Signals that end a run. What the parent process lets this one ignore, as `nohup` does with the end of the terminal,
/// stays ignored.
fn ending() -> Vec<i32> {
    #[allow(unused_mut)]
    let mut signals = vec![SIGINT, SIGTERM];
    #[cfg(target_os = "linux")]
    if !is_ignored(signal_hook::consts::SIGHUP) {
        signals.push(signal_hook::consts::SIGHUP);
    }
    signals
}

/// Whether the system ignores a signal for this process: a bit of a mask in hexadecimal digits.
#[cfg(target_os = "linux")]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Lets writes beyond the limit of a file's size (`ulimit -f`) fail as on a full disk, where the signal would end the
/// process without a word.
pub fn outlive_file_limit() {
    #[cfg(unix)]
    // Where the system refuses, the signal ends the process as always.
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}
