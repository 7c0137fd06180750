//! Hash buckets (section 2.4.1): lists of items under a hash. Cells whose hashes collide share a bucket: readers meet a few
//! unrelated items, but there are no keys, no probing and no tombstones.

use super::cells::CellClip;

/// A table of lists. Some entries of a bucket lie in the table itself, the others in a chain of full chunks behind it.
#[derive(Clone, Debug)]
pub(super) struct Buckets {
    /// The first chunk of every bucket; their number is a power of two.
    table: Vec<Chunk>,
    chained: Vec<Chunk>,
    /// Head of the list of free chained chunks.
    free: u32,
    entries: usize,
}

/// An item in a bucket, and the part of the cell that it takes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BucketEntry {
    pub(super) item: u32,
    pub(super) clip: CellClip,
}

/// A pair of adjacent cache lines, which processors fetch together.
#[derive(Clone, Copy, Debug)]
#[repr(align(128))]
struct Chunk {
    items: [u32; CHUNK],
    clips: [CellClip; CHUNK],
    len: u32,
    next: u32,
}

impl Chunk {
    fn entry(&self, at: usize) -> BucketEntry {
        BucketEntry { item: self.items[at], clip: self.clips[at] }
    }

    fn put(&mut self, at: usize, entry: BucketEntry) {
        (self.items[at], self.clips[at]) = (entry.item, entry.clip);
    }

    /// The entries whose clips meet the given one, one bit each.
    #[inline]
    fn meeting(&self, clip: CellClip) -> u32 {
        // All at once, vacant ones too: cheaper than a branch for each, and it vectorises.
        let mut set = 0;
        for i in 0..CHUNK {
            set |= u32::from(self.clips[i].gap(clip) == 0) << i;
        }
        set & ((1 << self.len) - 1)
    }

    fn find(&self, entry: BucketEntry) -> Option<usize> {
        let mut same = (0..CHUNK).fold(0u32, |set, i| set | u32::from(self.items[i] == entry.item) << i);
        same &= (1 << self.len) - 1;
        while same != 0 && self.clips[same.trailing_zeros() as usize] != entry.clip {
            same &= same - 1;
        }
        (same != 0).then(|| same.trailing_zeros() as usize)
    }
}

const CHUNK: usize = 15;
const CHAIN_END: u32 = u32::MAX;
const VACANT_CHUNK: Chunk =
    Chunk { items: [CHAIN_END; CHUNK], clips: [CellClip::WHOLE; CHUNK], len: 0, next: CHAIN_END };

impl Buckets {
    pub(super) fn new(size: usize) -> Self {
        Self { table: vec![VACANT_CHUNK; size.next_power_of_two()], chained: Vec::new(), free: CHAIN_END, entries: 0 }
    }

    pub(super) fn size(&self) -> usize {
        self.table.len()
    }

    /// Number of entries in all buckets.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// Visits the items in a bucket whose clips meet the given one.
    pub(super) fn visit(&self, hash: u64, clip: CellClip, mut visit: impl FnMut(u32)) {
        let mut chunk = &self.table[self.index(hash)];
        loop {
            let mut meeting = chunk.meeting(clip);
            while meeting != 0 {
                visit(chunk.items[meeting.trailing_zeros() as usize]);
                meeting &= meeting - 1;
            }
            let Some(next) = self.chained.get(chunk.next as usize) else { return };
            chunk = next;
        }
    }

    pub(super) fn add(&mut self, hash: u64, entry: BucketEntry) {
        let index = self.index(hash);
        if self.table[index].len as usize == CHUNK {
            let full = self.table[index];
            self.table[index] = Chunk { next: self.chain(full), ..VACANT_CHUNK };
        }
        let first = &mut self.table[index];
        first.put(first.len as usize, entry);
        first.len += 1;
        self.entries += 1;
    }

    /// Removes an entry that is in the bucket; the last one of the first chunk takes its place.
    pub(super) fn remove(&mut self, hash: u64, entry: BucketEntry) {
        let index = self.index(hash);
        let first = &self.table[index];
        let last = first.entry(first.len as usize - 1);
        self.replace(hash, entry, last);
        self.table[index].len -= 1;
        if self.table[index].len == 0 {
            self.unchain(index);
        }
        self.entries -= 1;
    }

    /// Overwrites an entry that is in the bucket.
    pub(super) fn replace(&mut self, hash: u64, old: BucketEntry, new: BucketEntry) {
        let index = self.index(hash);
        let mut chunk = &mut self.table[index];
        loop {
            if let Some(at) = chunk.find(old) {
                chunk.put(at, new);
                return;
            }
            let next = chunk.next as usize;
            chunk = self.chained.get_mut(next).expect("the entry is in its bucket");
        }
    }

    pub(super) fn bytes(&self) -> usize {
        (self.table.capacity() + self.chained.capacity()) * size_of::<Chunk>()
    }

    #[cfg(test)]
    pub(super) fn contents(&self, hash: u64) -> Vec<BucketEntry> {
        let first = &self.table[self.index(hash)];
        let chunks = std::iter::successors(Some(first), |chunk| self.chained.get(chunk.next as usize));
        chunks.flat_map(|chunk| (0..chunk.len as usize).map(|at| chunk.entry(at))).collect()
    }

    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.table.len() - 1)
    }

    fn chain(&mut self, chunk: Chunk) -> u32 {
        let Some(free) = self.chained.get_mut(self.free as usize) else {
            self.chained.push(chunk);
            return u32::try_from(self.chained.len() - 1).expect("fewer than 2^32 chunks");
        };
        let at = self.free;
        self.free = free.next;
        *free = chunk;
        at
    }

    /// Moves the second chunk of a bucket, if any, into the first, which is empty.
    fn unchain(&mut self, index: usize) {
        let at = self.table[index].next;
        if let Some(second) = self.chained.get_mut(at as usize) {
            self.table[index] = *second;
            second.next = self.free;
            self.free = at;
        }
    }
}
