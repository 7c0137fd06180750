//! Hash buckets (section 2.4.1): lists of items under a number. Cells whose numbers meet share a bucket, which costs the reader
//! a few strangers and saves keys, probing and tombstones.

/// A table of lists. The first entries of a bucket lie in the table itself, the others in a chain of full chunks behind it.
#[derive(Clone, Debug)]
pub(super) struct Buckets {
    /// A power of two of them.
    table: Vec<Chunk>,
    chained: Vec<Chunk>,
    /// Head of the list of free chained chunks.
    free: u32,
    entries: usize,
}

/// Half a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Chunk {
    items: [u32; CHUNK],
    len: u32,
    next: u32,
}

const CHUNK: usize = 6;
const END: u32 = u32::MAX;
const VACANT: Chunk = Chunk { items: [0; CHUNK], len: 0, next: END };

impl Buckets {
    pub(super) fn new(size: usize) -> Self {
        Self { table: vec![VACANT; size.next_power_of_two()], chained: Vec::new(), free: END, entries: 0 }
    }

    pub(super) fn size(&self) -> usize {
        self.table.len()
    }

    /// Entries in all buckets.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    pub(super) fn visit(&self, hash: u64, mut visit: impl FnMut(u32)) {
        let mut chunk = &self.table[self.index(hash)];
        loop {
            chunk.items[..chunk.len as usize].iter().for_each(|item| visit(*item));
            let Some(next) = self.chained.get(chunk.next as usize) else { return };
            chunk = next;
        }
    }

    pub(super) fn add(&mut self, hash: u64, item: u32) {
        let index = self.index(hash);
        if self.table[index].len as usize == CHUNK {
            let full = self.table[index];
            self.table[index] = Chunk { next: self.chain(full), ..VACANT };
        }
        let first = &mut self.table[index];
        first.items[first.len as usize] = item;
        first.len += 1;
        self.entries += 1;
    }

    /// Takes out one entry of an item that is in the bucket; the last of the first chunk takes its place.
    pub(super) fn remove(&mut self, hash: u64, item: u32) {
        let index = self.index(hash);
        let first = &mut self.table[index];
        first.len -= 1;
        let last = first.items[first.len as usize];
        let (emptied, mut next) = (first.len == 0, first.next);
        match first.items[..=first.len as usize].iter_mut().find(|i| **i == item) {
            Some(entry) => *entry = last,
            None => loop {
                let chunk = self.chained.get_mut(next as usize).expect("the item is in its bucket");
                match chunk.items.iter_mut().find(|i| **i == item) {
                    Some(entry) => break *entry = last,
                    None => next = chunk.next,
                }
            },
        }
        if emptied {
            self.unchain(index);
        }
        self.entries -= 1;
    }

    pub(super) fn bytes(&self) -> usize {
        (self.table.capacity() + self.chained.capacity()) * size_of::<Chunk>()
    }

    /// The low bits of a hash are as good as the high ones.
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
