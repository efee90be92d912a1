//! Panics inside a guarded call: caught, silent, and reported with their place in the source.
//!
//! Rust's default hook writes to stderr before unwinding starts, which a library must not do. While instances live, a
//! hook of ours is in place that stays silent on threads inside a guarded call, notes the place of the panic, and hands
//! every other panic to the hook that was there before. With the last instance the former hook returns.
//! In an FMU this touches nobody: a cdylib has its own copy of the standard library, hence its own hook. The two
//! thread-local cells hold plain data, so they register no destructor that could run after the library is unloaded.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, Location, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex, PoisonError};

use crate::float_environment::DefaultEnvironment;

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

struct Installed {
    users: usize,
    previous: Option<Arc<Hook>>,
}

/// Number of users of the hook, and the hook before.
static INSTALLED: Mutex<Installed> = Mutex::new(Installed { users: 0, previous: None });

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static PLACE: Cell<Option<Place>> = const { Cell::new(None) };
}

/// End of a source path, and a line.
#[derive(Clone, Copy)]
struct Place {
    file: [u8; Place::LENGTH],
    length: usize,
    line: u32,
}

impl Place {
    const LENGTH: usize = 120;

    fn of(location: &Location<'_>) -> Self {
        let bytes = location.file().as_bytes();
        let tail = &bytes[bytes.len().saturating_sub(Self::LENGTH)..];
        let mut file = [0; Self::LENGTH];
        file[..tail.len()].copy_from_slice(tail);
        Self { file, length: tail.len(), line: location.line() }
    }

    fn text(&self) -> String {
        format!("{}:{}", String::from_utf8_lossy(&self.file[..self.length]), self.line)
    }
}

/// Runs `body` in the default floating-point environment; a panic becomes `Err` with its message and place.
pub(crate) fn guarded<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    let _environment = DefaultEnvironment::enter();
    DEPTH.set(DEPTH.get() + 1);
    // The caller marks whatever `body` was changing as broken, so no half-changed value is used afterwards.
    let result = catch_unwind(AssertUnwindSafe(body));
    DEPTH.set(DEPTH.get().saturating_sub(1));
    result.map_err(describe)
}

fn describe(payload: Box<dyn Any + Send>) -> String {
    let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (None, Some(text)) => text.clone(),
        // Dropping a foreign payload could panic again.
        (None, None) => {
            std::mem::forget(payload);
            "panic without a message".to_owned()
        }
    };
    match PLACE.take() {
        Some(place) => format!("{message} (at {})", place.text()),
        None => message,
    }
}

/// Counts a user of the hook; the first one installs it.
#[inline(never)] // Tools that watch threads know the counter by these names.
pub(crate) fn acquire() {
    let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    installed.users += 1;
    if installed.users == 1 && !std::thread::panicking() {
        let previous: Arc<Hook> = Arc::new(take_hook());
        installed.previous = Some(Arc::clone(&previous));
        set_hook(Box::new(move |info| on_panic(info, &previous)));
    }
}

/// Drops a user of the hook; the last one puts the former hook back.
#[inline(never)]
pub(crate) fn release() {
    let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    installed.users = installed.users.saturating_sub(1);
    if installed.users > 0 || std::thread::panicking() {
        return;
    }
    if let Some(previous) = installed.previous.take() {
        drop(take_hook());
        match Arc::try_unwrap(previous) {
            Ok(hook) => set_hook(hook),
            // Another thread is panicking through our hook right now.
            Err(shared) => set_hook(Box::new(move |info| shared(info))),
        }
    }
}

fn on_panic(info: &PanicHookInfo<'_>, previous: &Hook) {
    if DEPTH.get() == 0 {
        // A helper of a call hands its panic over to the thread of the call.
        if !workers::is_helper() {
            previous(info);
        }
        return;
    }
    PLACE.set(info.location().map(Place::of));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_panic_becomes_a_message_with_its_place() {
        acquire();
        let number = 7;
        let message = guarded(|| panic!("broken by {number}")).unwrap_err();
        release();
        assert!(message.starts_with("broken by 7 (at ") && message.contains("panic_hook.rs:"), "{message}");
    }

    #[test]
    fn a_panic_with_a_strange_payload_is_caught() {
        acquire();
        let message = guarded(|| std::panic::panic_any(5_u8)).unwrap_err();
        release();
        assert!(message.starts_with("panic without a message"), "{message}");
    }
}
