//! What impulses do to movers that are tied to each other (section 5.3): summed up first, then propagated once.

use super::block::Block6;
use super::flat::{part, push, read_masses};
use super::problem::{ContactPoint, Mover, MoverIndex, worse};
use super::resist::Resistance;
use super::sparse::BlockMatrix;
use super::tie::Tie;
use crate::math::cross_matrix;
use glam::{DMat3, DVec3};

/// Share of a mover's own inverse mass that a point's matrix has at least: what joints do not let give way at all has a scale, too.
const LEAST_GIVING: f64 = 1e-3;

/// The joints of an island, and the factorised masses that they tie together. Its buffers are kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct Ties {
    /// The joints; every mover has at most one as a child.
    pub list: Vec<Tie>,
    mass: BlockMatrix,
    masses: Vec<(f64, DMat3)>,
    momenta: Vec<f64>,
    /// For every mover the velocity that a unit of each of six impulses on it gives.
    responses: Vec<Block6>,
}

impl Ties {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Factorises the masses, for movers as they are; without joints nothing is done.
    pub fn prepare(&mut self, movers: &[Mover]) {
        if self.list.is_empty() {
            return;
        }
        read_masses(movers, &mut self.masses);
        self.mass.lay_out(movers.len(), &[], &self.list);
        self.mass.set_masses(&self.masses);
        self.list.iter().for_each(|tie| self.mass.set_stiffness(tie, 0.0));
        let is_positive = self.mass.factorise();
        debug_assert!(is_positive, "masses are positive");
        self.find_responses(movers);
        let Self { list, mass, .. } = self;
        for tie in list.iter_mut() {
            let place = mass.pattern.place[tie.child.get()] as usize;
            if let (Some(bound), Some(knot)) = (&mut tie.bound, &mass.knots[place]) {
                bound.inertia = 1.0 / knot.inverse.x_axis.x;
                let turns = tie.columns[0].angular != DVec3::ZERO;
                bound.lever = if turns { (bound.inertia * movers[tie.child.get()].inverse_mass).sqrt() } else { 1.0 };
            }
        }
    }

    /// Responses of all movers to impulses on themselves, parents before children.
    fn find_responses(&mut self, movers: &[Mover]) {
        let Self { mass, responses, momenta, .. } = self;
        responses.clear();
        responses.resize(movers.len(), Block6::default());
        for column in (0..movers.len()).rev() {
            let body = mass.pattern.order[column] as usize;
            responses[body] = match &mass.knots[column] {
                Some(knot) => {
                    let block = mass.pattern.begin[column];
                    let parent = mass.pattern.rows[block..mass.pattern.begin[column + 1]].first();
                    let of_parent = parent.map(|&p| &responses[mass.pattern.order[p as usize] as usize]);
                    knot.response(of_parent.map(|response| (response, &mass.below[block])))
                }
                None => std::array::from_fn(|k| {
                    momenta.clear();
                    momenta.resize(6, 0.0);
                    momenta[k] = 1.0;
                    mass.solve_alone(column, momenta);
                    std::array::from_fn(|i| momenta[i])
                }),
            };
        }
    }

    /// Fills in the collision matrix of a point. What two movers of one linkage do to each other is left out: the matrix sets scales.
    pub(super) fn prepare_point(&self, point: &mut ContactPoint, movers: &[Mover]) {
        let mut k = DMat3::ZERO;
        for (mover, arm) in point.movers.iter().zip(point.arms) {
            let Some(i) = mover else { continue };
            let [linear, coupling, turning] = self.parts(*i);
            let r = cross_matrix(arm);
            // u = v + w x r = v - r~ w, and the moment is r x p = r~ p.
            k += linear + coupling * r - r * coupling.transpose() - r * turning * r;
            k += DMat3::from_diagonal(DVec3::splat(LEAST_GIVING * movers[i.get()].inverse_mass));
        }
        point.matrix = point.frame.transpose() * k * point.frame;
    }

    pub(super) fn prepare_resistance(&self, resistance: &mut Resistance, movers: &[Mover]) {
        let mut turning = DMat3::ZERO;
        resistance.inverse_mass = 0.0;
        for i in resistance.movers.iter().flatten() {
            let mover = &movers[i.get()];
            turning += self.parts(*i)[2] + mover.inverse_inertia * LEAST_GIVING;
            resistance.inverse_mass += mover.inverse_mass;
        }
        resistance.matrix = resistance.frame.transpose() * turning * resistance.frame;
    }

    /// Velocity by force, velocity by moment, angular velocity by moment.
    fn parts(&self, i: MoverIndex) -> [DMat3; 3] {
        let response = &self.responses[i.get()];
        let take = |column: usize, row: usize| {
            DMat3::from_cols(
                part(&response[column], row),
                part(&response[column + 1], row),
                part(&response[column + 2], row),
            )
        };
        [take(0, 0), take(3, 0), take(3, 3)]
    }

    /// Begins to collect impulses.
    pub(super) fn begin(&mut self, movers: &[Mover]) {
        self.momenta.clear();
        self.momenta.resize(6 * movers.len(), 0.0);
    }

    /// Collects an impulse at a point, contact axes.
    pub(super) fn add_point(&mut self, point: &ContactPoint, impulse: DVec3) {
        push(&mut self.momenta, point, point.frame * impulse);
    }

    /// Collects an angular impulse, contact axes.
    pub(super) fn add_couple(&mut self, resistance: &Resistance, impulse: DVec3) {
        resistance.turn(&mut self.momenta, resistance.frame * impulse);
    }

    /// Collects the impulses of all bounds.
    pub(super) fn add_bounds(&mut self) {
        let Self { list, momenta, .. } = self;
        for tie in list.iter() {
            if let Some(bound) = &tie.bound {
                tie.push(momenta, [bound.impulse, 0.0, 0.0]);
            }
        }
    }

    /// Collects an impulse along the freedom of a tie.
    pub(super) fn add_bound(&mut self, k: usize, impulse: f64) {
        let Self { list, momenta, .. } = self;
        list[k].push(momenta, [impulse, 0.0, 0.0]);
    }

    /// Applies what was collected.
    pub(super) fn propagate(&mut self, movers: &mut [Mover]) {
        self.mass.solve(&mut self.momenta);
        for (mover, change) in movers.iter_mut().zip(self.momenta.chunks_exact(6)) {
            mover.velocity += part(change, 0);
            mover.angular_velocity += part(change, 3);
        }
    }

    /// Applies impulses at points, of resistances and of bounds to movers that have not felt them.
    pub fn apply(&mut self, movers: &mut [Mover], points: &[ContactPoint], resistances: &[Resistance]) {
        self.begin(movers);
        points.iter().for_each(|point| self.add_point(point, point.impulse));
        resistances.iter().for_each(|resistance| self.add_couple(resistance, resistance.impulse));
        self.add_bounds();
        self.propagate(movers);
    }

    /// Applies an impulse at one point, contact axes, N s.
    pub fn apply_at(&mut self, movers: &mut [Mover], point: &ContactPoint, impulse: DVec3) {
        self.begin(movers);
        self.add_point(point, impulse);
        self.propagate(movers);
    }

    /// The largest error of all bounds, m/s.
    pub(super) fn error(&self, movers: &[Mover]) -> f64 {
        let of = |tie: &Tie| tie.bound.as_ref().map_or(0.0, |bound| bound.error(tie.rates(movers)[0]));
        self.list.iter().map(of).fold(0.0, worse)
    }
}
