//! The collision heap (section 2.3.1): events in the order of their times, each reachable through a handle.

/// Events by time, ties by key: a heap with four children per node in which every event can be found by its slot. Inserting an
/// event returns a *slot*, its handle until it is removed or popped; freed slots are reused, the latest first. An infinite time
/// parks the event: it keeps its slot and costs nothing until it is given a finite time. The same calls give the same answers;
/// events that can have the same time should have different keys, since their order is unspecified otherwise.
#[derive(Clone, Debug)]
pub struct EventQueue<K> {
    heap: Vec<HeapNode>,
    slots: Vec<Slot<K>>,
    /// Head of the list of free slots.
    free: u32,
}

/// An event in the queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event<K> {
    /// When it happens, s; infinite while parked.
    pub time: f64,
    /// What happens; smaller keys come first at equal times.
    pub key: K,
    /// Its handle.
    pub slot: u32,
}

/// Sixteen bytes, so that four children share a cache line; keys are looked up only at ties.
#[derive(Clone, Copy, Debug)]
struct HeapNode {
    time: f64,
    slot: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot<K> {
    key: K,
    place: SlotPlace,
}

#[derive(Clone, Copy, Debug)]
enum SlotPlace {
    Queued(u32),
    Parked,
    Free { next: u32 },
}

const CHILDREN: usize = 4;
const NO_SLOT: u32 = u32::MAX;

impl<K> Default for EventQueue<K> {
    fn default() -> Self {
        Self { heap: Vec::new(), slots: Vec::new(), free: NO_SLOT }
    }
}

impl<K: Ord + Copy> EventQueue<K> {
    /// Number of events with a finite time.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether no event has a finite time.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// The earliest event; parked ones never come up.
    pub fn peek(&self) -> Option<Event<K>> {
        self.heap.first().map(|top| self.event(*top))
    }

    /// Removes the earliest event and frees its slot.
    pub fn pop(&mut self) -> Option<Event<K>> {
        let top = self.peek()?;
        self.remove(top.slot);
        Some(top)
    }

    /// Adds an event and returns its slot. The time must not be NaN; an infinite time parks the event.
    pub fn insert(&mut self, time: f64, key: K) -> u32 {
        let slot = self.take_slot(key);
        self.update(slot, time);
        slot
    }

    /// Changes the time of an event; an infinite time parks it. Panics if the slot is free.
    pub fn update(&mut self, slot: u32, time: f64) {
        assert!(!time.is_nan(), "the time of an event is a number");
        let node = HeapNode { time, slot };
        match (self.place(slot), time < f64::INFINITY) {
            (SlotPlace::Queued(at), true) => self.settle(at as usize, node),
            (SlotPlace::Queued(at), false) => self.take_out(at as usize),
            (_, true) => {
                self.heap.push(node);
                self.rise(self.heap.len() - 1, node);
            }
            (_, false) => {}
        }
        if time == f64::INFINITY {
            self.slots[slot as usize].place = SlotPlace::Parked;
        }
    }

    /// Removes an event and frees its slot. Panics if the slot is free.
    pub fn remove(&mut self, slot: u32) {
        if let SlotPlace::Queued(at) = self.place(slot) {
            self.take_out(at as usize);
        }
        self.slots[slot as usize].place = SlotPlace::Free { next: self.free };
        self.free = slot;
    }

    /// The event in a slot. Panics if the slot is free.
    pub fn get(&self, slot: u32) -> Event<K> {
        match self.place(slot) {
            SlotPlace::Queued(at) => self.event(self.heap[at as usize]),
            _ => self.event(HeapNode { time: f64::INFINITY, slot }),
        }
    }

    fn event(&self, node: HeapNode) -> Event<K> {
        Event { time: node.time, key: self.slots[node.slot as usize].key, slot: node.slot }
    }

    fn place(&self, slot: u32) -> SlotPlace {
        let place = self.slots[slot as usize].place;
        assert!(!matches!(place, SlotPlace::Free { .. }), "slot {slot} holds an event");
        place
    }

    fn take_slot(&mut self, key: K) -> u32 {
        let new = Slot { key, place: SlotPlace::Parked };
        let Some(free) = self.slots.get_mut(self.free as usize) else {
            self.slots.push(new);
            return u32::try_from(self.slots.len() - 1).ok().filter(|s| *s != NO_SLOT).expect("fewer than 2^32 events");
        };
        let slot = self.free;
        if let SlotPlace::Free { next } = free.place {
            self.free = next;
        }
        *free = new;
        slot
    }

    fn take_out(&mut self, at: usize) {
        let last = self.heap.pop().expect("a queued event is in the heap");
        if at < self.heap.len() {
            self.settle(at, last);
        }
    }

    /// Puts a node into a vacant place and lets it rise or sink to where it belongs.
    fn settle(&mut self, at: usize, node: HeapNode) {
        if at > 0 && self.before(node, self.heap[(at - 1) / CHILDREN]) {
            self.rise(at, node);
        } else {
            self.sink(at, node);
        }
    }

    fn rise(&mut self, mut at: usize, node: HeapNode) {
        while at > 0 {
            let parent = (at - 1) / CHILDREN;
            if !self.before(node, self.heap[parent]) {
                break;
            }
            self.put(at, self.heap[parent]);
            at = parent;
        }
        self.put(at, node);
    }

    fn sink(&mut self, mut at: usize, node: HeapNode) {
        loop {
            let first = CHILDREN * at + 1;
            let children = first..(first + CHILDREN).min(self.heap.len());
            let Some(least) = children.reduce(|a, b| if self.before(self.heap[b], self.heap[a]) { b } else { a })
            else {
                break;
            };
            if !self.before(self.heap[least], node) {
                break;
            }
            self.put(at, self.heap[least]);
            at = least;
        }
        self.put(at, node);
    }

    fn put(&mut self, at: usize, node: HeapNode) {
        self.heap[at] = node;
        // There are fewer than 2^32 slots, and none is queued twice.
        self.slots[node.slot as usize].place = SlotPlace::Queued(at as u32);
    }

    fn before(&self, a: HeapNode, b: HeapNode) -> bool {
        let key = |n: HeapNode| self.slots[n.slot as usize].key;
        a.time < b.time || (a.time == b.time && key(a) < key(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_by_key_and_parked_events_never_come_up() {
        let mut queue = EventQueue::default();
        let parked = queue.insert(f64::INFINITY, 0);
        for key in [5, 3, 4, 1, 2] {
            queue.insert(1.0, key);
        }
        queue.insert(-0.0, 9);
        queue.insert(0.0, 8);
        assert_eq!(queue.len(), 7);
        let order: Vec<i32> = std::iter::from_fn(|| queue.pop()).map(|e| e.key).collect();
        assert_eq!(order, [8, 9, 1, 2, 3, 4, 5]);
        assert_eq!(queue.get(parked), Event { time: f64::INFINITY, key: 0, slot: parked });
        queue.update(parked, 2.0);
        assert_eq!(queue.pop().map(|e| (e.time, e.slot)), Some((2.0, parked)));
    }

    #[test]
    fn a_steady_number_of_events_allocates_nothing() {
        let mut queue = EventQueue::default();
        (0..100).for_each(|key| _ = queue.insert(f64::from(key), key));
        let held = (queue.heap.capacity(), queue.slots.capacity());
        for step in 0..10_000 {
            let event = queue.pop().expect("a hundred events");
            let slot = queue.insert(event.time + f64::from(step * 7919 % 101), event.key);
            assert_eq!(slot, event.slot, "the latest freed slot is used first");
            queue.update(slot, event.time + f64::from(step % 13));
        }
        assert_eq!((queue.heap.capacity(), queue.slots.capacity()), held);
    }

    #[test]
    #[should_panic(expected = "slot 0 holds an event")]
    fn a_freed_slot_is_no_handle() {
        let mut queue = EventQueue::default();
        let slot = queue.insert(1.0, ());
        queue.remove(slot);
        queue.update(slot, 2.0);
    }

    #[test]
    #[should_panic(expected = "is a number")]
    fn nan_is_no_time() {
        EventQueue::default().insert(f64::NAN, ());
    }
}
