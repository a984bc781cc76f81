//! Memory has an end: an input that asks for more than it should fails at the very allocation, not when the system runs out.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that everything together may have at a time: [`crate::scenes::BUDGET`] for the scene, and as much as its text, what is written
/// of it and a second run of it need.
const MOST: usize = 512 << 20;

#[global_allocator]
static COUNTED: Counted = Counted { used: AtomicUsize::new(0) };

/// The system's allocator, up to [`MOST`].
struct Counted {
    used: AtomicUsize,
}

impl Counted {
    /// Whether so many bytes more are left; they are taken then.
    fn take(&self, bytes: usize) -> bool {
        let fits = self.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) <= MOST;
        if !fits {
            self.give(bytes);
        }
        fits
    }

    fn give(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

// SAFETY: every call goes on to the system's allocator as it came; where none does, null says that there is no memory.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if self.take(layout.size()) { unsafe { System.alloc(layout) } } else { std::ptr::null_mut() }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if self.take(layout.size()) { unsafe { System.alloc_zeroed(layout) } } else { std::ptr::null_mut() }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        self.give(layout.size());
        unsafe { System.dealloc(old, layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !self.take(size) {
            return std::ptr::null_mut();
        }
        let new = unsafe { System.realloc(old, layout, size) };
        self.give(if new.is_null() { size } else { layout.size() });
        new
    }
}
