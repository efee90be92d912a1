//! Threads that the host of a library does not notice.
//!
//! `std` lets every thread that starts another one run a destructor at its end, which keeps a library in memory as long as
//! the host's thread lives, or ends the process if the system does not count such destructors. And a thread inherits
//! which signals it takes. So on Unix these threads are started by the system's own function, with all signals blocked.

use std::cell::Cell;

thread_local! {
    /// Plain data: no destructor.
    static HELPS: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is a helper, whose panics the thread reports that it helps.
#[must_use]
pub fn is_helper() -> bool {
    HELPS.get()
}

/// The beginning of a helper's life.
fn live(life: impl FnOnce()) {
    HELPS.set(true);
    life();
}

#[cfg(unix)]
pub(super) use unix::Helper;

#[cfg(not(unix))]
pub(super) use portable::Helper;

#[cfg(unix)]
mod unix {
    use std::ffi::c_void;
    use std::mem::MaybeUninit;
    use std::ptr;

    /// Memory of a helper's stack \[bytes\].
    const STACK: usize = 1 << 20;

    /// A thread, to be joined.
    pub struct Helper(libc::pthread_t);

    // SAFETY: any thread may join another one.
    unsafe impl Send for Helper {}

    /// What a thread does; it ends by itself and does not panic.
    type Life = Box<dyn FnOnce() + Send>;

    extern "C" fn run(life: *mut c_void) -> *mut c_void {
        // SAFETY: `start` has made this pointer of a box for this thread alone.
        let life = unsafe { Box::from_raw(life.cast::<Life>()) };
        super::live(*life);
        ptr::null_mut()
    }

    impl Helper {
        /// Starts a thread; none if the system refuses it.
        pub fn start(life: impl FnOnce() + Send + 'static) -> Option<Self> {
            let life: Box<Life> = Box::new(Box::new(life));
            let life = Box::into_raw(life);
            let (mut thread, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
            let (mut all, mut attributes) = (MaybeUninit::uninit(), MaybeUninit::uninit());
            // SAFETY: all pointers are those of variables above, each is initialised by the first function that gets
            // it, and the new thread owns the box if there is one.
            let started = unsafe {
                libc::sigfillset(all.as_mut_ptr());
                let masked = libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr()) == 0;
                let has_attributes = libc::pthread_attr_init(attributes.as_mut_ptr()) == 0;
                let started = masked && has_attributes && {
                    libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), STACK);
                    libc::pthread_create(thread.as_mut_ptr(), attributes.as_ptr(), run, life.cast()) == 0
                };
                if has_attributes {
                    libc::pthread_attr_destroy(attributes.as_mut_ptr());
                }
                if masked {
                    libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
                }
                started
            };
            if !started {
                // SAFETY: no thread has taken it.
                drop(unsafe { Box::from_raw(life) });
                return None;
            }
            // SAFETY: `pthread_create` has succeeded.
            Some(Self(unsafe { thread.assume_init() }))
        }

        /// Waits for its end.
        pub fn join(self) {
            // SAFETY: the thread was started joinable and is joined once.
            unsafe { libc::pthread_join(self.0, ptr::null_mut()) };
        }
    }
}

#[cfg(not(unix))]
mod portable {
    use std::thread::{Builder, JoinHandle};

    /// A thread, to be joined.
    pub struct Helper(JoinHandle<()>);

    impl Helper {
        /// Starts a thread; none if the system refuses it.
        pub fn start(life: impl FnOnce() + Send + 'static) -> Option<Self> {
            Builder::new().spawn(move || super::live(life)).ok().map(Self)
        }

        /// Waits for its end.
        pub fn join(self) {
            // A helper catches the panics of its tasks.
            let _ = self.0.join();
        }
    }
}
