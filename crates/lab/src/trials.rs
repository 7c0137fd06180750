//! The trial runner: anything that is run many times, on several threads, with results that do not depend on their number.
//!
//! Trial `i` draws from a stream of its own ([`Random::of_trial`](impulse_scenes::Random::of_trial)), and results come in the order of
//! `i`. A trial that fails is a result like others.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

/// Trials that a thread takes at a time.
const BATCH: u64 = 8;

/// What the caller of a long study shares with it: how far it is, and whether it shall stop.
#[derive(Debug, Default)]
pub struct Control {
    done: AtomicU64,
    stop: AtomicBool,
}

impl Control {
    /// Trials that are done, of all studies that share this.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Asks the study to stop: trials that have begun are finished, no more are begun.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Runs trials, `threads` at a time, and returns their results in order: of all, or, if stopped, of the first so many.
///
/// A panic in a trial becomes the trial's error and leaves the others alone.
///
/// ```
/// use impulse_lab::{Control, run_trials};
///
/// let squares = run_trials(0..5, 2, &Control::default(), |i| Ok::<_, String>(i * i));
/// assert_eq!(squares, [0, 1, 4, 9, 16].map(Ok));
/// ```
pub fn run_trials<T, E, F>(trials: Range<u64>, threads: usize, control: &Control, trial: F) -> Vec<Result<T, E>>
where
    T: Send,
    E: Send + From<String>,
    F: Fn(u64) -> Result<T, E> + Sync,
{
    let next = AtomicU64::new(trials.start);
    let work = || {
        let mut batches: Vec<(u64, Vec<Result<T, E>>)> = Vec::new();
        while !control.is_stopped() {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= trials.end {
                break;
            }
            let batch = first..(first + BATCH).min(trials.end);
            let run = |i| {
                let result = guarded(|| trial(i)).unwrap_or_else(|panic| Err(E::from(panic)));
                control.count();
                result
            };
            batches.push((first, batch.map(run).collect()));
        }
        batches
    };
    let mut batches = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        all.extend(others.into_iter().flat_map(joined));
        all
    });
    // Batches are handed out in order and finished once begun, so those that are done leave no gap.
    batches.sort_unstable_by_key(|(first, _)| *first);
    batches.into_iter().flat_map(|(_, results)| results).collect()
}

/// Trials whose results are handed on as they come, so that nothing piles up.
pub trait Trials: Sync {
    /// What each thread has for itself.
    type State;
    /// The result of a trial.
    type Output;
    /// Why results could not be handed on.
    type Error: Send;
    /// The state of a thread that begins.
    fn begin(&self) -> Self::State;
    /// Runs a trial.
    fn run(&self, state: &mut Self::State, trial: u64) -> Self::Output;
    /// Whether the results so far shall be handed on before the chunk is complete.
    fn is_due(&self, state: &Self::State) -> bool;
    /// Takes the results of trials that follow each other, the first of which is given.
    fn put(&self, state: &mut Self::State, first: u64, results: Vec<Self::Output>) -> Result<(), Self::Error>;
}

/// Runs chunks of trials, `threads` at a time, in whatever order. The first error stops everything and is returned.
pub fn run_chunks<T: Trials>(
    trials: &T,
    chunks: &[Range<u64>],
    threads: usize,
    control: &Control,
) -> Result<(), T::Error> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), T::Error> {
        let mut state = trials.begin();
        while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !control.is_stopped()) {
            run_chunk(trials, &mut state, chunk, control).inspect_err(|_| control.stop())?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let first = work();
        others.into_iter().fold(first, |known, thread| known.and(joined(thread)))
    })
}

fn run_chunk<T: Trials>(
    trials: &T,
    state: &mut T::State,
    chunk: &Range<u64>,
    control: &Control,
) -> Result<(), T::Error> {
    let (mut first, mut results) = (chunk.start, Vec::new());
    for i in chunk.clone() {
        if control.is_stopped() {
            break;
        }
        results.push(trials.run(state, i));
        control.count();
        if trials.is_due(state) {
            trials.put(state, first, std::mem::take(&mut results))?;
            first = i + 1;
        }
    }
    if results.is_empty() { Ok(()) } else { trials.put(state, first, results) }
}

impl Control {
    fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

/// What a thread returns. One that died is not one that is done: its panic goes on here.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Runs something; if it panics, what it said is the error.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
        format!("a bug, please report it: {}", text.unwrap_or_default())
    })
}
