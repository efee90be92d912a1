//! Memory that is set aside for the moment in which the system has no more.
//!
//! An allocation that fails ends the process: Rust cannot recover from there, and an allocator must not panic. A
//! library must not end its host. So every call runs with a [`Reserve`] of untouched memory. When the system refuses an
//! [`Allocator`], the reserve is returned to the system, which then grants the request, and the call is marked as short
//! of memory. The call ends soon after: at the next [`check`], which unwinds, or regularly. Then the reserve is
//! allocated again. If that fails, the caller is notified.
//!
//! The reserve grows with what an instance holds: it is never smaller than that and the largest array together, so that
//! all arrays may double, and a phase of a computation may take as much as all phases before it. If the system refuses
//! a larger reserve, the call is short of memory as well, before any allocation has failed. So between two checks a
//! call may take [`LEAST`] bytes and as much as the instance had before.
//!
//! Native programs have no reserve; for them nothing changes. A reserve costs addresses, and no memory until it is
//! used.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::panic::resume_unwind;
use std::ptr;

/// Smallest size of a reserve [bytes]. (The allocator of glibc requests 128 KiB more than it needs.)
pub const LEAST: usize = 512 << 10;

/// Alignment of reserves.
const ALIGNMENT: usize = 16;

thread_local! {
    /// The reserve of the call that this thread runs. Plain data: no destructor could run after a library is unloaded.
    /// (Since Rust 1.93 an allocator may use such variables on every platform; before, Windows with GNU's tools
    /// allocated for them.)
    static PRESENT: Cell<*const Reserve> = const { Cell::new(ptr::null()) };
}

/// Panic payload of a computation that was aborted for want of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted;

/// Memory for the calls of one instance, in which it is short of it.
#[derive(Debug)]
pub struct Reserve {
    block: Cell<*mut u8>,
    size: Cell<usize>,
    /// Bytes that the instance held after the last call that was kept.
    kept: Cell<isize>,
    /// Bytes that it holds now.
    held: Cell<isize>,
    /// The largest of its blocks so far \[bytes\].
    largest: Cell<isize>,
    /// Both together, from which the reserve would be too small.
    limit: Cell<isize>,
    short: Cell<bool>,
}

// SAFETY: the block is owned, and nothing in here belongs to a thread.
unsafe impl Send for Reserve {}

impl Reserve {
    /// A reserve without memory.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            block: Cell::new(ptr::null_mut()),
            size: Cell::new(0),
            kept: Cell::new(0),
            held: Cell::new(0),
            largest: Cell::new(0),
            limit: Cell::new(isize::MAX),
            short: Cell::new(false),
        }
    }

    /// A reserve, if there is memory for it.
    #[must_use]
    pub fn new() -> Option<Self> {
        let reserve = Self::empty();
        reserve.resize(LEAST).then_some(reserve)
    }

    /// Runs a call on this thread, which may use the reserve.
    pub fn during<T>(&self, call: impl FnOnce() -> T) -> T {
        /// Puts the reserve of the outer call back, also when `call` panics.
        struct Outer<'a>(&'a Cell<*const Reserve>, *const Reserve);
        impl Drop for Outer<'_> {
            fn drop(&mut self) {
                self.0.set(self.1);
            }
        }
        self.held.set(self.kept.get());
        PRESENT.with(|present| {
            let _outer = Outer(present, present.replace(self));
            call()
        })
    }

    /// Counts what the last call took as part of the instance: not what it only stored for the host.
    pub fn keep(&self) {
        self.kept.set(self.held.get());
    }

    /// Whether the last call was short of memory.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.short.get()
    }

    /// Makes the reserve whole for the next call; false if there is not enough memory.
    pub fn refill(&self) -> bool {
        let needed = self.held.get().saturating_add(self.largest.get()).max(0).unsigned_abs();
        let size = self.size.get().max(LEAST.saturating_add(needed));
        let is_whole = !self.block.get().is_null() && size == self.size.get() || self.resize(size);
        self.short.set(!is_whole);
        is_whole
    }

    /// Takes another size; keeps the former one if the system refuses.
    fn resize(&self, size: usize) -> bool {
        let former = self.size.get();
        self.give_back();
        let is_new = self.take(size);
        if !is_new {
            self.take(former);
        }
        is_new
    }

    fn take(&self, size: usize) -> bool {
        let Ok(layout) = Layout::from_size_align(size, ALIGNMENT) else { return false };
        if size == 0 {
            return false;
        }
        // SAFETY: the size is not zero.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() {
            return false;
        }
        self.block.set(block);
        self.size.set(size);
        self.limit.set(isize::try_from(size - LEAST.min(size)).unwrap_or(isize::MAX).max(LEAST as isize / 2));
        true
    }

    /// Returns the memory to the system and keeps the size; false if there is none.
    fn give_back(&self) -> bool {
        let block = self.block.replace(ptr::null_mut());
        if block.is_null() {
            return false;
        }
        if let Ok(layout) = Layout::from_size_align(self.size.get(), ALIGNMENT) {
            // SAFETY: `take` has allocated it with this layout, and nobody else knows it.
            unsafe { System.dealloc(block, layout) };
        }
        true
    }

    /// The system has refused: makes room for another try.
    #[cold]
    fn use_up(&self) -> bool {
        self.short.set(true);
        self.give_back()
    }

    /// Counts a block that was taken, and how many bytes more that is than there were before.
    fn count(&self, size: usize, growth: isize) {
        let held = self.held.get().saturating_add(growth);
        let largest = self.largest.get().max(size as isize);
        self.held.set(held);
        self.largest.set(largest);
        if held.saturating_add(largest) > self.limit.get() {
            self.follow(held.saturating_add(largest));
        }
    }

    /// Makes the reserve larger than what may be needed at once, by half.
    #[cold]
    fn follow(&self, needed: isize) {
        if self.short.get() {
            return;
        }
        let needed = needed.unsigned_abs();
        let size = LEAST.saturating_add(needed).saturating_add(needed / 2);
        if !self.resize(size) {
            self.short.set(true);
        }
    }
}

impl Default for Reserve {
    fn default() -> Self {
        Self::empty()
    }
}

impl Drop for Reserve {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// The reserve of the call that this thread runs.
fn present() -> Option<&'static Reserve> {
    // An allocator must not panic, not even at the end of a thread.
    let present = PRESENT.try_with(Cell::get).unwrap_or(ptr::null());
    // SAFETY: `during` borrows the reserve until it takes the pointer away; the reference is used within one function
    // only.
    unsafe { present.as_ref() }
}

/// Whether the call that this thread runs is short of memory.
#[must_use]
pub fn is_short() -> bool {
    present().is_some_and(Reserve::is_short)
}

/// Gives the present call up if it is short of memory: unwinds with [`Exhausted`], as a panic would, without a message.
pub fn check() {
    if is_short() {
        give_up();
    }
}

#[cold]
fn give_up() -> ! {
    resume_unwind(Box::new(Exhausted))
}

/// Whether the system has so much memory at this moment, without touching the reserve.
#[must_use]
pub fn is_there(bytes: usize) -> bool {
    let Ok(layout) = Layout::from_size_align(bytes.max(1), ALIGNMENT) else { return false };
    // SAFETY: the size is not zero.
    let block = unsafe { System.alloc(layout) };
    // Otherwise the compiler removes code without a visible effect.
    let block = std::hint::black_box(block);
    if block.is_null() {
        return false;
    }
    // SAFETY: allocated above with this layout.
    unsafe { System.dealloc(block, layout) };
    true
}

/// The system's allocator, with the reserve of the present call behind it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Allocator;

/// Tries, with and without the reserve, and counts.
fn attempt(size: usize, growth: isize, try_it: impl Fn() -> *mut u8) -> *mut u8 {
    let mut block = try_it();
    if let Some(reserve) = present() {
        if block.is_null() && reserve.use_up() {
            block = try_it();
        }
        if !block.is_null() {
            reserve.count(size, growth);
        }
    }
    block
}

// SAFETY: every block comes from the system's allocator and returns to it with the same layout; nothing here panics or
// allocates in another way.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is passed on; a try that was refused has no effect.
        attempt(layout.size(), layout.size() as isize, || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        attempt(layout.size(), layout.size() as isize, || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let growth = (size as isize).saturating_sub(layout.size() as isize);
        // SAFETY: as above; a block that could not be moved is still there.
        attempt(size, growth, || unsafe { System.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(block, layout) };
        if let Some(reserve) = present() {
            reserve.held.set(reserve.held.get().saturating_sub(layout.size() as isize));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::alloc::{GlobalAlloc, Layout};
    use std::panic::catch_unwind;

    use super::{Allocator, Exhausted, LEAST, Reserve, check, is_short, is_there};

    /// Requests this much memory; whether it was granted.
    fn ask(bytes: usize) -> bool {
        let Ok(layout) = Layout::from_size_align(bytes, 8) else { return false };
        // SAFETY: the size is not zero; what was allocated is freed with the same layout.
        unsafe {
            let block = Allocator.alloc(layout);
            if !block.is_null() {
                Allocator.dealloc(block, layout);
            }
            !block.is_null()
        }
    }

    const TOO_MUCH: usize = isize::MAX as usize / 2;

    #[test]
    fn a_call_that_is_refused_memory_ends_at_the_next_check() {
        let reserve = Reserve::new().unwrap_or_default();
        reserve.during(|| {
            check();
            assert!(ask(1 << 16) && !is_short());
            assert!(!ask(TOO_MUCH) && is_short());
            let end = catch_unwind(check);
            assert!(end.is_err_and(|payload| payload.is::<Exhausted>()));
        });
        assert!(!is_short(), "outside of the call");
        assert!(reserve.is_short() && reserve.refill() && !reserve.is_short());
        reserve.during(check);
    }

    #[test]
    fn calls_within_calls_have_reserves_of_their_own() {
        let [outer, inner] = [(); 2].map(|()| Reserve::new().unwrap_or_default());
        outer.during(|| {
            inner.during(|| assert!(!ask(TOO_MUCH)));
            assert!(!is_short());
        });
        assert!(inner.is_short() && !outer.is_short());
    }

    #[test]
    fn a_reserve_is_as_large_as_what_is_held() {
        let reserve = Reserve::new().unwrap_or_default();
        let layout = Layout::from_size_align(16 * LEAST, 8).unwrap_or(Layout::new::<u64>());
        // SAFETY: the size is not zero; the block is freed with the same layout.
        unsafe {
            let block = reserve.during(|| Allocator.alloc(layout));
            assert!(reserve.size.get() >= LEAST + 2 * layout.size(), "room for the block and one as large");
            reserve.keep();
            reserve.during(|| Allocator.dealloc(block, layout));
        }
        assert_eq!(reserve.held.get(), 0);
    }

    #[test]
    fn what_is_there_is_asked_without_the_reserve() {
        let reserve = Reserve::new().unwrap_or_default();
        reserve.during(|| assert!(is_there(1 << 20) && !is_there(TOO_MUCH) && !is_short()));
    }
}
