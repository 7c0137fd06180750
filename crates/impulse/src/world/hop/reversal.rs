//! Friction where slip turns (beside section 3.5): Coulomb's law, followed through the time that a kick stands for.
//!
//! The press of a kick stands for that between the middles of two flights, and so does its friction. Where the slip goes one way,
//! friction is against the slip of the coming flight. Where it turns round, comes to a stop or changes its direction within that
//! time, friction is what Coulomb's law gives from the slip in the middle of the last flight on: a few stages, each with friction
//! of one direction, from one stop to the next. Stages begin where the last one ended, and each is a joint solve of what is left.

use super::super::data::World;
use super::super::pair::WarmStart;
use super::super::pairs::site::Site;
use super::course::Course;
use super::island::{Hop, Island};
use super::laws::{STICKING_SLIP, solve_once};
use crate::contact::{ContactPoint, Solved};
use glam::DVec2;

/// Sine of the angle by which slip turns between two flights, above which friction is not that of the coming flight alone.
const TURNED: f64 = 1e-6;

/// Virtual slip that gives friction the direction of the slip at the beginning of a stage, relative to all slips.
const AS_NOW: f64 = 1e3;

/// Stages in which slip may turn; what is left is one stage, with friction against the slip at its end.
const MOST_STAGES: usize = 8;

/// Bodies of an island up to which slip that turns is followed: one, on what cannot be moved.
const MOST_BODIES: usize = 1;

/// What friction in a stage is directed against.
#[derive(Clone, Copy, PartialEq)]
enum Against {
    /// The slip at its beginning.
    Beginning,
    /// The mean of that and the slip at its end.
    Mean,
    /// The slip at its end.
    End,
}

impl World {
    /// Follows friction through the time that the kick stands for where slip turns in it, given the impulses for friction against
    /// the slip of the coming flight.
    pub(crate) fn centre_friction(&self, island: &mut Island, hop: Hop, solved: Solved) -> Solved {
        if island.bodies.len() > MOST_BODIES || !island.linkages.is_empty() || !self.slip_turns(island, hop) {
            return solved;
        }
        let mut course = std::mem::take(&mut island.course);
        course.plain.keep(&island.movers, &island.points, &island.resistances);
        self.reset_movers(island);
        course.begin(&island.movers, &island.points, sticking(hop));
        let followed = self.follow(island, hop, &mut course);
        island.points.iter_mut().zip(&course.targets).for_each(|(point, &target)| point.target = target);
        let sticks = |(i, point): (usize, &ContactPoint)| {
            let ends = [&course.plain, &course.reached].map(|end| course.end_slip(i, point, &end.movers));
            ends.iter().all(|slip| slip.length() <= sticking(hop))
        };
        // Where all that slips comes to a stop, one stage says as much as several.
        let is_plain = !followed.converged || island.points.iter().enumerate().all(sticks);
        let reached = if is_plain { &course.plain } else { &course.reached };
        reached.give(&mut island.movers, &mut island.points, &mut island.resistances);
        island.course = course;
        if is_plain { solved } else { followed }
    }

    /// Whether one of the bodies follows a script.
    pub(crate) fn is_on_scripted_body(&self, site: &Site) -> bool {
        site.colliders.iter().any(|&c| self.member(c).is_scripted())
    }

    /// Finds the slip of all points in the middle of the last flight, and says whether that in the coming one has another
    /// direction anywhere.
    fn slip_turns(&self, island: &mut Island, hop: Hop) -> bool {
        let Island { sites, points, movers, course, .. } = island;
        course.slips.clear();
        course.slips.extend(sites.iter().zip(&*points).map(|(site, point)| self.slip_before(site, point, hop)));
        sites.iter().zip(&*points).zip(&course.slips).any(|((site, point), &before)| {
            let after = (point.velocity(movers) - point.target).truncate();
            let turned = before.perp_dot(after).abs() > TURNED * before.length() * after.length();
            let sticks = [before, after].map(|slip| slip.length() <= sticking(hop));
            // On bodies that do not accelerate, what begins to slip does so from the beginning.
            let begins = sticks[0] && !sticks[1] && self.is_on_scripted_body(site);
            let ends = !sticks[0] && (turned || before.dot(after) <= 0.0 || sticks[1]);
            point.impulse.z > 0.0 && point.friction > 0.0 && (begins || ends)
        })
    }

    /// Slip of a point in the middle of the last flight, contact axes, m/s; zero where it stuck.
    fn slip_before(&self, site: &Site, point: &ContactPoint, hop: Hop) -> DVec2 {
        let launched = site.colliders.iter().filter_map(|&c| self.member(c).launch_time()).fold(0.0, f64::max);
        let hopped = self.lasted(site).filter(|last| last.time >= launched);
        let stuck = |last: &WarmStart| last.nearest(site.point()).is_some_and(|p| p.slip.length() <= sticking(hop));
        if hopped.is_some_and(stuck) {
            return DVec2::ZERO;
        }
        let now = point.frame.transpose() * site.sliding_velocity();
        // What was struck since its last hop has slipped as it does now from then on, or from the highest point of its fall.
        let since = match hopped {
            Some(last) => 0.5 * (self.now - last.time),
            None => fall_time(-now.z, hop).min(self.now - launched),
        };
        (now + point.frame.transpose() * self.free_change(site, -since)[1]).truncate()
    }

    /// Goes through both halves of the time, since the press and the motion of other bodies change in it; what turns but little
    /// does so in one.
    fn follow(&self, island: &mut Island, hop: Hop, course: &mut Course) -> Solved {
        course.head_for_end();
        let is_smooth = course.slips.iter().all(|&slip| slip != DVec2::ZERO)
            && course.is_smooth(&course.plain.movers, &island.points);
        if is_smooth {
            return self.follow_leg(island, hop, course, 1.0);
        }
        course.head_for_kick(&island.points);
        let first = self.follow_leg(island, hop, course, 0.5);
        course.head_for_end();
        let second = self.follow_leg(island, hop, course, 0.5);
        let (converged, met) = (first.converged && second.converged, first.met && second.met);
        Solved { sweeps: first.sweeps + second.sweeps, converged, met, ..second }
    }

    /// Goes from stop to stop.
    fn follow_leg(&self, island: &mut Island, hop: Hop, course: &mut Course, mut left: f64) -> Solved {
        let mut total = Solved { converged: true, met: true, ..Solved::default() };
        let mut solve = |island: &mut Island, course: &Course, against: Against, left: f64| {
            let solved = self.solve_stage(island, hop, course, (against, left));
            total.sweeps += solved.sweeps;
            total.converged &= solved.converged;
            total.met &= solved.met;
        };
        for _ in 0..MOST_STAGES {
            solve(island, course, Against::Mean, left);
            let mut share = 1.0;
            if !course.is_smooth(&island.movers, &island.points) {
                solve(island, course, Against::Beginning, left);
                share = course.first_stop(&island.movers, &island.points);
            }
            course.advance(&island.movers, &island.points, &island.resistances, share);
            if share == 1.0 {
                return total;
            }
            left *= 1.0 - share;
        }
        solve(island, course, Against::End, left);
        course.advance(&island.movers, &island.points, &island.resistances, 1.0);
        total
    }

    /// Solves what is left of the time, this share of the whole, with friction of one direction.
    fn solve_stage(&self, island: &mut Island, hop: Hop, course: &Course, (against, left): (Against, f64)) -> Solved {
        for (i, point) in island.points.iter_mut().enumerate() {
            let slip = course.slips[i];
            let friction = self.pairs[island.sites[i].pair].material.friction;
            let grip = island.static_friction.get(i).map_or(friction, |&grip| grip.max(friction));
            point.friction = if slip == DVec2::ZERO { grip } else { friction };
            point.impulse = left * course.plain.impulses[i];
            let shift = match against {
                Against::Beginning if slip != DVec2::ZERO => {
                    let direction = slip.normalize();
                    point.impulse = (-friction * point.impulse.z * direction).extend(point.impulse.z);
                    AS_NOW * (hop.velocity + slip.length()) * direction
                }
                Against::Mean => slip,
                Against::Beginning | Against::End => DVec2::ZERO,
            };
            point.target = course.goals[i] - shift.extend(0.0);
        }
        for (resistance, couple) in island.resistances.iter_mut().zip(&course.plain.couples) {
            resistance.impulse = left * *couple;
        }
        loop {
            island.movers.clone_from(&course.reached.movers);
            let solved = solve_once(island, hop);
            if !self.let_slip(island, hop) {
                return solved;
            }
        }
    }
}

/// Slip up to which a point sticks, m/s.
fn sticking(hop: Hop) -> f64 {
    STICKING_SLIP * hop.velocity
}

/// How long it takes to gain a velocity (m/s) by a hop's acceleration, half a flight at most, s.
fn fall_time(velocity: f64, hop: Hop) -> f64 {
    0.5 * hop.duration * (velocity / hop.velocity).clamp(0.0, 1.0)
}
