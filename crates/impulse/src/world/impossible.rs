//! Runs that cannot go on, and why: bodies that are crushed by what cannot give way, or a fault of the engine.

use super::data::World;
use super::error::RunError;
use super::index::ColliderIndex;

impl World {
    /// The error of bodies found inside each other.
    pub(crate) fn overlap(&mut self, colliders: [ColliderIndex; 2]) -> RunError {
        self.crushed(colliders).unwrap_or_else(|| {
            let [first, second] = self.names(colliders);
            RunError::Overlap { event: self.records.counters.events, time: self.now, first, second }
        })
    }

    /// The error of bodies whose impacts do not end.
    pub(crate) fn endless(&mut self, colliders: [ColliderIndex; 2]) -> RunError {
        self.crushed(colliders).unwrap_or_else(|| {
            let [first, second] = self.names(colliders);
            RunError::Endless { event: self.records.counters.events, time: self.now, first, second }
        })
    }

    /// The error of a scene that is impossible: a scripted body drives others against something that cannot give way.
    pub(crate) fn crushed(&mut self, colliders: [ColliderIndex; 2]) -> Option<RunError> {
        let touched = self.touched(colliders);
        let is_scripted = |&(immovable, _): &(ColliderIndex, ColliderIndex)| self.member(immovable).is_scripted();
        let &(scripted, body) = touched.iter().find(|touch| is_scripted(touch))?;
        let name = |c: ColliderIndex| self.colliders[c].name.clone();
        let against = match touched.iter().find(|&&(immovable, _)| immovable != scripted) {
            Some(&(against, _)) => name(against),
            // Joints hold a body as well.
            None => touched.iter().find_map(|&(_, body)| self.held_on(body))?,
        };
        Some(RunError::Crushed {
            event: self.records.counters.events,
            time: self.now,
            scripted: name(scripted),
            body: name(body),
            against,
        })
    }

    /// The name of what joints hold a body on, if that cannot be moved.
    fn held_on(&self, body: ColliderIndex) -> Option<String> {
        let place = self.group_of(body).link.filter(|_| self.is_held_by_joints(body))?;
        let base = self.linked(place.linkage).base;
        Some(base.map_or("the ground".to_owned(), |base| self.colliders[base].name.clone()))
    }

    /// What cannot move and touches a free body of those that hang together with a pair, each with the body that it touches.
    fn touched(&mut self, colliders: [ColliderIndex; 2]) -> Vec<(ColliderIndex, ColliderIndex)> {
        let mut bodies: Vec<_> = colliders.into_iter().filter(|&c| self.member(c).is_free()).collect();
        let mut touched: Vec<(ColliderIndex, ColliderIndex)> = Vec::new();
        let mut done = 0;
        while done < bodies.len() {
            let body = bodies[done];
            let partners: Vec<_> = self.pairs.of(body).collect();
            for (pair, partner) in partners {
                let measured = self.measure(pair, self.now);
                if !measured.overlapping && measured.distance > self.contact_distance(pair) {
                    continue;
                }
                if !self.member(partner).is_free() {
                    touched.push((partner, body));
                } else if !bodies.contains(&partner) {
                    bodies.push(partner);
                }
            }
            done += 1;
        }
        touched
    }
}
