//! Threads that share out a loop.
//!
//! An evaluation of a model has loops over thousands of pairs; one loop takes some hundred microseconds. Threads that
//! are started for it, or tasks that are queued for a pool, would take about as long. Here helpers wait for the next
//! loop, and the calling thread always works as well: helpers that come late find that the loop has ended, and nobody
//! waits for them. So a shared loop takes hardly longer than the same loop without helpers, unless the system takes the
//! processor from one that has begun.
//!
//! Every thread begins with a part of the list that is the same in every loop, because the data of these items is near
//! its processor, and then takes from the parts of others. Which items these are is left to chance, so results are the
//! same with any number of threads if the task depends on its item alone. Sums are for the caller, afterwards.
//!
//! There is no pool of the process: helpers start at the first loop that is worth it, and have ended when the last
//! clone of their [`Workers`] is gone, so that a library may be unloaded then. In a process that was forked there are
//! no helpers; loops run in the calling thread.

mod helper;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::{fmt, hint, mem, process, thread};

pub use helper::is_helper;

use helper::Helper;

/// Most threads of one [`Workers`].
pub const MOST: usize = 256;

/// How often a helper looks for the next loop before it sleeps: some tens of microseconds.
const LOOKS: u32 = 1000;

/// Looks after which another thread may have the processor.
const LOOKS_AT_A_TIME: u32 = 100;

/// Shares that every thread has of a loop about, so that none has to wait long for another one at its end.
const SHARES: usize = 4;

/// Most items that are handed out at a time.
const MOST_AT_A_TIME: usize = 64;

/// Threads that share out loops; clones share them.
#[derive(Clone, Default)]
pub struct Workers {
    crew: Option<Arc<Crew>>,
}

/// Helpers of a calling thread.
struct Crew {
    /// Threads that work on a loop, the calling one included.
    threads: usize,
    /// The process that started the helpers.
    process: u32,
    board: Arc<Board>,
    /// Started at the first loop; locked during a loop.
    helpers: Mutex<Option<Vec<Helper>>>,
}

/// What a thread does in a loop, given its number.
type Task = dyn Fn(usize) + Sync;

/// Where helpers find what there is to do.
#[derive(Default)]
struct Board {
    notice: Mutex<Notice>,
    changed: Condvar,
    /// Number of the present notice.
    number: AtomicUsize,
    /// Helpers that work on the present loop.
    busy: AtomicUsize,
    ends: AtomicBool,
}

#[derive(Default)]
struct Notice {
    /// The present loop, while it is open to helpers.
    task: Option<&'static Task>,
    asleep: usize,
    /// What the first helper that panicked said.
    panic: Option<Box<dyn Any + Send>>,
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers").field("threads", &self.threads()).finish()
    }
}

impl Workers {
    /// So many threads, the calling one included; at most [`MOST`].
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let crew = |threads| {
            Arc::new(Crew { threads, process: process::id(), board: Arc::default(), helpers: Mutex::default() })
        };
        Self { crew: (threads > 1).then(|| crew(threads.min(MOST))) }
    }

    /// Number of threads, the calling one included.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.crew.as_ref().map_or(1, |crew| crew.threads)
    }

    /// A number of items that is fair to hand out at a time, of so many that take about as long as each other.
    #[must_use]
    pub fn grain(&self, items: usize) -> usize {
        (items / (SHARES * self.threads())).clamp(1, MOST_AT_A_TIME)
    }

    /// Calls `task` for every item, in any order. Items are handed out `grain` at a time; a list of less than two
    /// grains is not shared out. Every thread takes one element of `scratch`, which grows to their number; what the
    /// last task has left there is any one's.
    ///
    /// # Panics
    /// As `task`.
    pub fn for_each<T: Send, S: Send + Default>(
        &self,
        items: &mut [T],
        scratch: &mut Vec<S>,
        grain: usize,
        task: impl Fn(&mut T, &mut S) + Sync,
    ) {
        let grain = grain.max(1);
        let shares = (items.len() / grain).min(self.threads());
        if scratch.len() < shares.max(1) {
            scratch.resize_with(shares.max(1), S::default);
        }
        let crew = self.crew.as_ref().filter(|crew| shares > 1 && crew.process == process::id());
        let helpers = crew.and_then(|crew| match crew.helpers.try_lock() {
            Ok(helpers) => Some(helpers),
            Err(TryLockError::Poisoned(after_a_panic)) => Some(after_a_panic.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        });
        let (Some(crew), Some(mut helpers)) = (crew, helpers) else {
            return items.iter_mut().for_each(|item| task(item, &mut scratch[0]));
        };
        helpers.get_or_insert_with(|| crew.start());
        let part = items.len().div_ceil(shares);
        let parts: Vec<_> = items.chunks_mut(part).map(|part| Mutex::new(part.chunks_mut(grain))).collect();
        let places: Vec<_> = scratch.iter_mut().take(shares).map(Mutex::new).collect();
        crew.board.share(&|thread| {
            let Some(place) = places.get(thread) else { return };
            let scratch = &mut **lock(place);
            for k in 0..parts.len() {
                while let Some(chunk) = next(&parts[(thread + k) % parts.len()]) {
                    chunk.iter_mut().for_each(|item| task(item, scratch));
                }
            }
        });
    }
}

/// The next item of an iterator that threads share.
fn next<I: Iterator>(items: &Mutex<I>) -> Option<I::Item> {
    lock(items).next()
}

/// Nothing that is locked here is left half changed by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Crew {
    /// Starts the helpers; fewer if the system does not grant as many.
    fn start(&self) -> Vec<Helper> {
        let start = |thread| {
            let board = Arc::clone(&self.board);
            Helper::start(move || board.help(thread))
        };
        (1..self.threads).map_while(start).collect()
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        let helpers = self.helpers.get_mut().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
        if self.process != process::id() {
            // The threads are those of another process.
            return mem::forget(helpers);
        }
        self.board.ends.store(true, Ordering::Release);
        self.board.post(None);
        helpers.into_iter().for_each(Helper::join);
    }
}

/// Closes a loop to helpers and waits for those that work on it.
struct Closing<'a>(&'a Board);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        lock(&self.0.notice).task = None;
        let mut looks = 0_u32;
        while self.0.busy.load(Ordering::Acquire) > 0 {
            look_again(&mut looks);
        }
    }
}

/// Waits a moment, and now and then leaves the processor to others.
fn look_again(looks: &mut u32) {
    *looks = looks.wrapping_add(1);
    if looks.is_multiple_of(LOOKS_AT_A_TIME) { thread::yield_now() } else { hint::spin_loop() }
}

impl Board {
    /// Runs a task here and in all helpers that come before it has ended here.
    fn share(&self, task: &(dyn Fn(usize) + Sync)) {
        // SAFETY: only the lifetime changes. A helper takes the reference from the notice under its lock and counts as
        // busy from then on; `closing` takes it from the notice and waits until nobody is busy. It is dropped before
        // this function returns or unwinds, so that no helper uses the task after that.
        let task: &'static Task = unsafe { mem::transmute::<&(dyn Fn(usize) + Sync), _>(task) };
        let closing = Closing(self);
        self.post(Some(task));
        task(0);
        drop(closing);
        let panic = lock(&self.notice).panic.take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// Posts the next loop.
    fn post(&self, task: Option<&'static Task>) {
        let mut notice = lock(&self.notice);
        (notice.task, notice.panic) = (task, None);
        self.number.fetch_add(1, Ordering::Release);
        if notice.asleep > 0 {
            self.changed.notify_all();
        }
    }

    /// The life of a helper.
    fn help(&self, thread: usize) {
        let mut seen = 0;
        loop {
            let task = self.next_task(&mut seen);
            if self.ends.load(Ordering::Acquire) {
                return;
            }
            let Some(task) = task else { continue };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| task(thread))) {
                lock(&self.notice).panic.get_or_insert(panic);
            }
            self.busy.fetch_sub(1, Ordering::Release);
        }
    }

    /// Waits for the notice after that with the number `seen`; its task, if it is still open, counts as taken.
    fn next_task(&self, seen: &mut usize) -> Option<&'static Task> {
        let mut looks = 0;
        while looks < LOOKS && self.number.load(Ordering::Acquire) == *seen {
            look_again(&mut looks);
        }
        let mut notice = lock(&self.notice);
        while self.number.load(Ordering::Acquire) == *seen {
            notice.asleep += 1;
            notice = self.changed.wait(notice).unwrap_or_else(PoisonError::into_inner);
            notice.asleep -= 1;
        }
        *seen = self.number.load(Ordering::Acquire);
        let task = notice.task;
        if task.is_some() {
            self.busy.fetch_add(1, Ordering::Relaxed);
        }
        task
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::collections::HashSet;

    /// Squares of numbers, each by itself.
    fn squares(workers: &Workers, count: u64, grain: usize) -> Vec<u64> {
        let mut numbers: Vec<u64> = (0..count).collect();
        workers.for_each(&mut numbers, &mut Vec::<()>::new(), grain, |number, ()| *number *= *number);
        numbers
    }

    #[test]
    fn every_item_is_visited_once_with_any_number_of_threads() {
        for threads in [0, 1, 2, 3, 16] {
            let workers = Workers::new(threads);
            for count in [0, 1, 5, 1000] {
                for grain in [0, 1, 7, 600] {
                    let expected: Vec<u64> = (0..count).map(|k| k * k).collect();
                    assert_eq!(squares(&workers, count, grain), expected, "{threads} threads, {count} by {grain}");
                }
            }
        }
    }

    #[test]
    fn threads_work_at_the_same_time_and_each_has_its_own_scratch() {
        let (workers, met) = (Workers::new(3), AtomicUsize::new(0));
        let (mut items, mut scratch) = ([thread::current().id(); 3], Vec::<u32>::new());
        // Nobody goes on before three threads have an item.
        workers.for_each(&mut items, &mut scratch, 1, |item, scratch| {
            (*item, *scratch) = (thread::current().id(), *scratch + 1);
            met.fetch_add(1, Ordering::SeqCst);
            while met.load(Ordering::SeqCst) < 3 {
                thread::yield_now();
            }
        });
        assert_eq!(items.iter().collect::<HashSet<_>>().len(), 3);
        assert_eq!(scratch, [1, 1, 1]);
    }

    #[test]
    fn a_panic_of_any_thread_reaches_the_caller_and_the_next_loop_runs() {
        let workers = Workers::new(4);
        for bad in 0..20 {
            let mut items: Vec<u32> = (0..20).collect();
            let loop_with_a_panic = || {
                workers.for_each(&mut items, &mut Vec::<()>::new(), 1, |item, ()| {
                    assert!(*item != bad, "item {item}");
                });
            };
            let panic = catch_unwind(AssertUnwindSafe(loop_with_a_panic));
            assert_eq!(*panic.unwrap_err().downcast::<String>().unwrap(), format!("item {bad}"));
            assert_eq!(squares(&workers, 4, 1), [0, 1, 4, 9]);
        }
    }

    #[test]
    fn a_loop_within_a_loop_and_loops_of_several_threads_run_as_well() {
        let workers = Workers::new(2);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let mut items = [0; 6];
                        workers.for_each(&mut items, &mut Vec::<()>::new(), 1, |item, ()| {
                            *item = squares(&workers, 10, 1).iter().sum::<u64>();
                        });
                        assert_eq!(items, [285; 6]);
                    }
                });
            }
        });
    }

    #[test]
    fn helpers_have_ended_when_the_last_clone_is_gone() {
        let workers = Workers::new(2);
        let clone = workers.clone();
        squares(&workers, 10, 1);
        let board = Arc::downgrade(&workers.crew.as_ref().unwrap().board);
        drop(workers);
        assert_eq!(squares(&clone, 3, 1), [0, 1, 4]);
        drop(clone);
        assert!(board.upgrade().is_none(), "a helper lives on");
    }
}
