//! Ctrl-C, SIGTERM and the end of the terminal (SIGHUP), taken as the wish to end a run and to keep what it has
//! computed.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Added to the number of a signal to give the exit code of what it has ended.
const EXIT_CODE: i32 = 128;

/// What signals change.
struct Flags {
    /// Nobody holds a [`Guard`]: signals end the process as always.
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
        let flags = flags();
        flags.is_reached.store(false, Ordering::SeqCst);
        flags.number.store(0, Ordering::SeqCst);
        flags.is_idle.store(false, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        flags().is_idle.store(true, Ordering::SeqCst);
    }
}

/// Number of the signal that came while a [`Guard`] lived.
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
