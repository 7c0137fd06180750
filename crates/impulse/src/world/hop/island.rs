//! Bodies in lasting contact with each other, gathered when one of them hops (8.1): one island, one instant.

use super::super::index::{ColliderIndex, LinkageIndex, PairIndex};
use super::super::pairs::rounds::Rounds;
use super::super::pairs::site::{Site, SiteSearch};
use super::course::Course;
use super::loads::Loads;
use crate::body::State;
use crate::contact::{ContactPoint, JointSolver, Mover, MoverIndex, Resistance, Tie, Ties, Velocity};
use glam::DVec3;
use std::ops::Range;

/// A hop of bodies in lasting contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hop {
    /// Of the flight, s.
    pub(crate) duration: f64,
    /// With which it begins, m/s.
    pub(crate) velocity: f64,
}

/// How a point is to set out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outset {
    /// What acceleration alone raises it by in the flight, m.
    pub(crate) rise: f64,
    /// Velocity, contact axes, m/s.
    pub(crate) target: DVec3,
}

/// A tie of an island: the linkage, by its place in the island, and the link whose joint it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TiePlace {
    pub(crate) linkage: usize,
    pub(crate) link: usize,
}

/// Movable bodies, and the points where they touch each other and the rest. Kept from hop to hop for its memory alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    /// The movable bodies, and their states now.
    pub(crate) bodies: Vec<ColliderIndex>,
    pub(crate) states: Vec<State>,
    /// The planes that carried them until now, if they are balls, and go on to carry them where no other body presses on them.
    pub(crate) carriers: Vec<Option<ColliderIndex>>,
    /// Contact points in the world frame, pair after pair.
    pub(crate) sites: Vec<Site>,
    /// The pairs, and where the points of each begin.
    pub(crate) pairs: Vec<(PairIndex, usize)>,
    /// What is solved.
    pub(crate) movers: Vec<Mover>,
    pub(crate) points: Vec<ContactPoint>,
    /// How the points were to set out at first.
    pub(crate) outsets: Vec<Outset>,
    pub(crate) resistances: Vec<Resistance>,
    /// Linkages of which bodies are links, their joints, and where these belong.
    pub(crate) linkages: Vec<LinkageIndex>,
    pub(crate) ties: Ties,
    pub(crate) tie_places: Vec<TiePlace>,
    /// States of links at the end of a flight that is tried.
    pub(crate) ahead: Vec<State>,
    /// Static friction of every point, where there are optional laws.
    pub(crate) static_friction: Vec<f64>,
    /// Where slip turns.
    pub(crate) course: Course,
    pub(crate) solver: JointSolver,
    pub(crate) search: SiteSearch,
    pub(crate) loads: Loads,
    /// Whether an impact finds its bodies with the velocities they would have without their hops.
    pub(crate) rid_of_hops: bool,
    /// Pairs of the bodies, in contact or not, each once.
    pub(crate) partners: Vec<PairIndex>,
    met_pairs: Rounds,
    met_bodies: Rounds,
    /// Place among the movable bodies of those that were met.
    places: Vec<u32>,
}

impl Island {
    /// Forgets what was gathered, for a world with so many colliders and pairs.
    pub(crate) fn begin(&mut self, colliders: usize, pairs: usize) {
        self.bodies.clear();
        self.states.clear();
        self.sites.clear();
        self.pairs.clear();
        self.partners.clear();
        self.linkages.clear();
        self.ties.list.clear();
        self.tie_places.clear();
        self.met_pairs.begin(pairs);
        self.met_bodies.begin(colliders);
        self.places.resize(colliders.max(self.places.len()), 0);
    }

    /// Adds those of some pairs that were not met before; gives where.
    pub(crate) fn new_pairs(&mut self, pairs: impl Iterator<Item = PairIndex>) -> Range<usize> {
        let start = self.partners.len();
        self.partners.extend(pairs.filter(|&pair| self.met_pairs.meet(pair)));
        start..self.partners.len()
    }

    /// Place of a body among the movable ones.
    pub(crate) fn place(&self, body: ColliderIndex) -> Option<u32> {
        self.met_bodies.was_met(body).then(|| self.places[body.0 as usize])
    }

    /// Adds a movable body, unless it is there.
    pub(crate) fn enter(&mut self, body: ColliderIndex, state: State) {
        if self.met_bodies.meet(body) {
            self.places[body.0 as usize] = self.bodies.len() as u32;
            self.bodies.push(body);
            self.states.push(state);
        }
    }

    /// Finds which of the bodies carry each other.
    pub(crate) fn find_loads(&mut self) {
        self.loads.begin(self.bodies.len());
        for point in self.points.iter().filter(|point| point.impulse != DVec3::ZERO) {
            if let [Some(a), Some(b)] = point.movers {
                self.loads.join(a.get(), b.get());
            }
        }
    }

    /// A pair and its points.
    pub(crate) fn pair(&self, k: usize) -> (PairIndex, Range<usize>) {
        let (pair, begin) = self.pairs[k];
        (pair, begin..self.pairs.get(k + 1).map_or(self.sites.len(), |next| next.1))
    }

    /// The angular impulses of what resists rotation at some points, world frame, N m s.
    pub(crate) fn couples_of(&self, points: Range<usize>) -> impl Iterator<Item = DVec3> {
        let these = self.resistances.iter().filter(move |resistance| points.contains(&resistance.points[0]));
        these.map(|resistance| resistance.frame * resistance.impulse)
    }

    /// Energy that what acts in joints within bounds gives, J.
    fn energy_of_bounds(&self) -> f64 {
        let before = |i: MoverIndex| {
            let state = &self.states[i.get()];
            Velocity { linear: state.velocity, angular: state.angular_velocity() }
        };
        let given = |tie: &Tie| {
            let rates = || tie.rates_by(before)[0] + tie.rates(&self.movers)[0];
            tie.bound.map_or(0.0, |bound| 0.5 * bound.impulse * rates())
        };
        self.ties.list.iter().map(given).sum()
    }

    /// Energy that what resists rotation and what acts in joints give, J: below zero but for what hops account for.
    pub(crate) fn energy_of_couples(&self) -> f64 {
        let given = |resistance: &Resistance| {
            let spin = |i: Option<MoverIndex>| i.map_or(DVec3::ZERO, |i| self.states[i.get()].angular_velocity());
            let before = resistance.drift + spin(resistance.movers[0]) - spin(resistance.movers[1]);
            let after = resistance.frame * resistance.velocity(&self.movers);
            0.5 * (resistance.frame * resistance.impulse).dot(before + after)
        };
        let of_couples: f64 = self.resistances.iter().map(given).sum();
        if self.ties.is_empty() { of_couples } else { of_couples + self.energy_of_bounds() }
    }
}

/// What a solve of an island without joints has found.
pub(crate) struct Answer {
    movers: Vec<Mover>,
    points: Vec<ContactPoint>,
    resistances: Vec<Resistance>,
}

impl Answer {
    pub(crate) fn of(island: &Island) -> Self {
        Self { movers: island.movers.clone(), points: island.points.clone(), resistances: island.resistances.clone() }
    }

    /// Goes back to it.
    pub(crate) fn restore(self, island: &mut Island) {
        (island.movers, island.points, island.resistances) = (self.movers, self.points, self.resistances);
    }
}
