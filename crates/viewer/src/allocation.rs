//! Counts the bytes that are allocated, so that the memory of a keyframe is known and not guessed.
#![expect(unsafe_code, reason = "an allocator is an unsafe trait; every call is handed on unchanged")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes allocated and not yet freed.
static BYTES: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes allocated now.
pub(crate) fn bytes() -> usize {
    BYTES.load(Ordering::Relaxed)
}

// SAFETY: memory comes from the system's allocator and goes back to it, by the same layouts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are those of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the memory is the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}
