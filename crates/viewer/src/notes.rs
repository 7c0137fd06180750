//! Every impact of a run in a few bytes each: for ticks on the time line, rates, tables, and to step from impact to impact.
//! What else there is to know about one is found by going there.

use impulse::world::ImpactRecord;
use std::ops::Range;

/// An impact in short.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    /// When, s.
    pub time: f64,
    /// Number of the event in which it happened, from 1.
    pub event: u32,
    /// The bodies by number.
    pub bodies: [u32; 2],
    /// Size of the impulse, N s.
    pub impulse: f32,
    /// Kinetic energy lost, J.
    pub lost: f32,
    /// Whether it was a microcollision.
    pub micro: bool,
}

/// All impacts so far, by event; times do not decrease but for pushes that lasted.
#[derive(Debug, Default)]
pub struct Notes {
    all: Vec<Note>,
    /// Which of them are collisions.
    collisions: Vec<u32>,
}

/// What happened in a part of the time line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Density {
    /// Collisions.
    pub collisions: u32,
    /// Microcollisions.
    pub micros: u32,
    /// Largest impulse of a collision, N s.
    pub hardest: f32,
}

impl Notes {
    /// Forgets what happened after an event.
    pub(crate) fn truncate(&mut self, event: u64) {
        self.all.truncate(first(0..self.all.len(), |k| u64::from(self.all[k].event) > event));
        self.collisions.retain(|&number| (number as usize) < self.all.len());
    }

    /// Takes note of what an event did to two bodies.
    pub(crate) fn add(&mut self, event: u64, record: &ImpactRecord, bodies: [usize; 2]) {
        if !record.micro {
            self.collisions.push(self.all.len() as u32);
        }
        self.all.push(Note {
            time: record.time,
            event: event as u32,
            bodies: bodies.map(|number| number as u32),
            impulse: record.impulse.length() as f32,
            lost: record.energy_lost as f32,
            micro: record.micro,
        });
    }

    /// All impacts.
    pub fn all(&self) -> &[Note] {
        &self.all
    }

    /// The hardest collision so far.
    pub fn hardest(&self) -> Option<&Note> {
        let collisions = self.collisions.iter().map(|&number| &self.all[number as usize]);
        collisions.max_by(|a, b| a.impulse.total_cmp(&b.impulse).then(b.event.cmp(&a.event)))
    }

    /// The next event after one, or the last one before it, in which there was a collision (with `micros`: any impact).
    pub fn beside(&self, event: u64, forward: bool, micros: bool) -> Option<u64> {
        let count = if micros { self.all.len() } else { self.collisions.len() };
        let number = |k: usize| if micros { k } else { self.collisions[k] as usize };
        let at = |k: usize| u64::from(self.all[number(k)].event);
        let found = if forward {
            first(0..count, |k| at(k) > event)
        } else {
            first(0..count, |k| at(k) >= event).checked_sub(1)?
        };
        (found < count).then(|| at(found))
    }

    /// Impacts of a body, the latest first: at most so many that happened up to an event.
    pub fn of_body(&self, body: usize, up_to: u64, most: usize, micros: bool) -> Vec<Note> {
        let end = first(0..self.all.len(), |k| u64::from(self.all[k].event) > up_to);
        let index = body as u32;
        let wanted = |note: &&Note| note.bodies.contains(&index) && (micros || !note.micro);
        self.all[..end].iter().rev().filter(wanted).take(most).copied().collect()
    }

    /// What happened in each of equal parts of a span of time.
    pub fn densities(&self, span: Range<f64>, parts: usize) -> Vec<Density> {
        let mut found = vec![Density::default(); parts];
        let width = (span.end - span.start) / parts as f64;
        let from = first(0..self.all.len(), |k| self.all[k].time >= span.start);
        for note in self.all[from..].iter().take_while(|note| note.time <= span.end) {
            let part = (((note.time - span.start) / width) as usize).min(parts.saturating_sub(1));
            let Some(density) = found.get_mut(part) else { break };
            if note.micro {
                density.micros += 1;
            } else {
                density.collisions += 1;
                density.hardest = density.hardest.max(note.impulse);
            }
        }
        found
    }
}

/// The first number of a range from which on something holds; its end if it never does.
fn first(range: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::{Density, Note, Notes};

    fn notes() -> Notes {
        let note = |event: u32, micro: bool| {
            let time = f64::from(event);
            Note { time, event, bodies: [0, event % 3], impulse: event as f32, lost: 0.0, micro }
        };
        let all = vec![note(2, false), note(2, false), note(4, true), note(5, false), note(9, true)];
        Notes { all, collisions: vec![0, 1, 3] }
    }

    #[test]
    fn the_impacts_beside_an_event_are_found() {
        let notes = notes();
        assert_eq!(
            [0, 1, 2, 4, 5, 9].map(|event| notes.beside(event, true, false)),
            [Some(2), Some(2), Some(5), Some(5), None, None]
        );
        assert_eq!(
            [0, 2, 3, 5, 9].map(|event| notes.beside(event, false, true)),
            [None, None, Some(2), Some(4), Some(5)]
        );
        assert_eq!(notes.beside(5, true, true), Some(9));
        assert_eq!(notes.hardest().map(|note| note.event), Some(5));
    }

    #[test]
    fn a_span_is_counted_in_parts() {
        let found = notes().densities(0.0..10.0, 2);
        let first = Density { collisions: 2, micros: 1, hardest: 2.0 };
        assert_eq!(found, [first, Density { collisions: 1, micros: 1, hardest: 5.0 }]);
        assert_eq!(notes().densities(0.0..0.0, 0), []);
    }
}
