//! Joints inside the factorisation against dense joint coordinates.

use super::general::GeneralMatrix;
use super::naive::{Contact, masses, product, sites};
use super::problem::{ContactPoint, Mover, MoverIndex};
use super::solve::{JointSolver, Problem};
use super::sparse::BlockMatrix;
use super::tie::{Bound, Tie, Velocity};
use super::ties::Ties;
use crate::math::outer;
use glam::{DMat3, DVec3};

const MOVERS: u32 = 12;

struct Chance(u64);

impl Chance {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.bits() as f64 / (1u64 << 31) as f64
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.within(-1.0, 1.0), self.within(-1.0, 1.0), self.within(-1.0, 1.0))
    }

    /// Trees among some movers: each is joined to an earlier one, to the ground, or to nothing.
    fn ties(&mut self, count: u32) -> (Vec<Tie>, Vec<f64>) {
        let (mut ties, mut besides) = (Vec::new(), Vec::new());
        for child in 0..count {
            let to = self.below(u64::from(child) + 3);
            if to > u64::from(child) + 1 {
                continue;
            }
            let parent = (to < u64::from(child)).then_some(MoverIndex(to as u32));
            let kind = self.below(9);
            let arm_of_pivot = self.vector();
            let about = |axis: DVec3| Velocity { linear: axis.cross(arm_of_pivot), angular: axis };
            let mut columns = [Velocity::default(); 3];
            let freedoms = match kind {
                0 => 0,
                1 | 2 | 8 => 3,
                _ => 1,
            };
            match kind {
                1 | 2 => columns = DVec3::AXES.map(about),
                3 | 4 => columns[0].linear = self.vector().normalize(),
                8 => {
                    let normal = self.vector().normalize();
                    let (first, second) = normal.any_orthonormal_pair();
                    (columns[0].linear, columns[1].linear, columns[2].angular) = (first, second, normal);
                }
                _ => columns[0] = about(self.vector().normalize()),
            }
            let carried = Velocity::default();
            let armature = if self.below(2) == 0 { self.within(0.0, 0.5) } else { 0.0 };
            let child = MoverIndex(child);
            ties.push(Tie { child, parent, arm: self.vector(), carried, columns, freedoms, armature, bound: None });
            besides.push(if self.below(4) == 0 { self.within(0.0, 1e3) } else { 0.0 });
        }
        (ties, besides)
    }

    fn contacts(&mut self) -> Vec<Contact> {
        let count = self.below(25);
        (0..count)
            .map(|_| {
                let [a, b] = [self.below(12) as u32, self.below(13) as u32];
                (a, b, self.vector(), self.vector(), self.within(0.1, 10.0))
            })
            .collect()
    }
}

/// The velocities of all movers by a unit of every freedom, column by column, and what meets each freedom besides.
fn freedoms(count: u32, ties: &[Tie], besides: &[f64]) -> (Vec<Vec<f64>>, Vec<f64>) {
    let n = count as usize;
    let (mut columns, mut extra): (Vec<Vec<f64>>, Vec<f64>) = (Vec::new(), Vec::new());
    let tie_of = |i: usize| ties.iter().position(|tie| tie.child.get() == i);
    for i in 0..n {
        let tie = tie_of(i);
        let own = tie.map_or(6, |k| ties[k].freedoms);
        for f in 0..own {
            let mut velocity = vec![Velocity::default(); n];
            velocity[i] = match tie {
                Some(k) => ties[k].columns[f],
                None if f < 3 => Velocity { linear: DVec3::AXES[f], angular: DVec3::ZERO },
                None => Velocity { linear: DVec3::ZERO, angular: DVec3::AXES[f - 3] },
            };
            for j in i + 1..n {
                if let Some(tie) = tie_of(j).map(|k| &ties[k])
                    && let Some(parent) = tie.parent
                {
                    velocity[j] = velocity[parent.get()].shifted(tie.arm);
                }
            }
            columns.push(velocity.iter().flat_map(|v| [v.linear.to_array(), v.angular.to_array()].concat()).collect());
            extra.push(tie.map_or(0.0, |k| ties[k].armature + if f == 0 { besides[k] } else { 0.0 }));
        }
    }
    (columns, extra)
}

/// Gauss with partial pivoting.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let largest = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap_or(k);
        a.swap(k, largest);
        b.swap(k, largest);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            let (above, below) = a.split_at_mut(i);
            below[0][k..].iter_mut().zip(&above[k][k..]).for_each(|(x, y)| *x -= factor * y);
            b[i] -= factor * b[k];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

/// The velocities that dense joint coordinates give, for a matrix given by its product.
fn dense(columns: &[Vec<f64>], extra: &[f64], times: impl Fn(&[f64]) -> Vec<f64>, right: &[f64]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let n = columns.len();
    let products: Vec<_> = columns.iter().map(|column| times(column)).collect();
    let mut a = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            a[i][j] = dot(&columns[i], &products[j]);
        }
        a[i][i] += extra[i];
    }
    let rates = solve(a, columns.iter().map(|column| dot(column, right)).collect());
    let mut velocities = vec![0.0; right.len()];
    for (column, rate) in columns.iter().zip(rates) {
        velocities.iter_mut().zip(column).for_each(|(v, c)| *v += c * rate);
    }
    velocities
}

/// An island with joints, and what acts on it.
struct Island {
    masses: Vec<(f64, DMat3)>,
    ties: Vec<Tie>,
    besides: Vec<f64>,
    points: Vec<(ContactPoint, DMat3)>,
    right: Vec<f64>,
}

impl Island {
    /// The velocities that a factorisation gives.
    fn factorised(&self, general: bool) -> Vec<f64> {
        let plain: Vec<_> = self.points.iter().map(|(point, _)| *point).collect();
        let mut found = self.right.clone();
        let stiffnesses = || self.ties.iter().zip(&self.besides);
        if general {
            let mut matrix = GeneralMatrix::default();
            matrix.lay_out(self.masses.len(), &plain, &self.ties);
            matrix.set_masses(&self.masses);
            stiffnesses().for_each(|(tie, &more)| matrix.set_stiffness(tie, more));
            self.points.iter().for_each(|(point, b)| matrix.add_point(point, b));
            assert!(matrix.factorise());
            matrix.solve(&mut found);
        } else {
            let mut matrix = BlockMatrix::default();
            matrix.lay_out(self.masses.len(), &plain, &self.ties);
            matrix.set_masses(&self.masses);
            stiffnesses().for_each(|(tie, &more)| matrix.set_stiffness(tie, more));
            self.points.iter().for_each(|(point, s)| matrix.add_point(point, s));
            assert!(matrix.factorise());
            matrix.solve(&mut found);
        }
        found
    }

    /// How far that is from dense joint coordinates, relative to the largest velocity.
    fn error(&self, general: bool) -> f64 {
        let (columns, extra) = freedoms(self.masses.len() as u32, &self.ties, &self.besides);
        let wanted = dense(&columns, &extra, |v| product(&self.masses, &self.points, v), &self.right);
        let size = wanted.iter().fold(1e-3f64, |most, x| most.max(x.abs()));
        let found = self.factorised(general);
        found.iter().zip(&wanted).fold(0.0f64, |far, (a, b)| far.max((a - b).abs())) / size
    }
}

/// Both factorisations on random islands with joints; sliding points make the second one unsymmetric.
#[test]
fn joints_inside_the_factorisation_are_dense_joint_coordinates() {
    let mut chance = Chance(20);
    let sticking = |contact: &Contact| DMat3::from_diagonal(DVec3::new(contact.4, 1.0, 0.0));
    let sliding = |contact: &Contact| {
        let across = 0.3 * DVec3::new(contact.2.x, contact.2.y, 0.0);
        DMat3::IDENTITY * 0.1 + outer(DVec3::Z + across, DVec3::Z) * contact.4
    };
    for case in 0..300 {
        let count = 1 + chance.below(u64::from(MOVERS)) as u32;
        let (ties, besides) = chance.ties(count);
        let contacts = chance.contacts();
        let right: Vec<f64> = (0..6 * count).map(|_| chance.within(-1.0, 1.0)).collect();
        let points = sites(count, &contacts, sticking);
        let mut island = Island { masses: masses(count), ties, besides, points, right };
        let symmetric = island.error(false);
        island.points = sites(count, &contacts, sliding);
        let general = island.error(true);
        assert!(symmetric < 1e-12 && general < 1e-12, "case {case}: {symmetric:e} {general:e}");
    }
}

/// A coil of capsules on sockets, each pivot far from the parent's centre of mass and near the child's. Rounding that is not symmetric once
/// grew by a factor of 2.4 from link to link.
#[test]
fn long_chains_keep_their_digits() {
    let count = 60u32;
    let inertia = DMat3::from_diagonal(DVec3::new(2.7e-6, 2.7e-6, 6e-7));
    let place = |i: u32| {
        let angle = 0.35 * f64::from(i);
        DVec3::new(0.1 * libm::sin(angle), 0.1 * libm::cos(angle), 0.035 * f64::from(i))
    };
    let tie = |i: u32| Tie {
        child: MoverIndex(i),
        parent: Some(MoverIndex(i - 1)),
        arm: place(i) - place(i - 1),
        carried: Velocity::default(),
        columns: DVec3::AXES.map(|axis| Velocity { linear: axis.cross(DVec3::Z * 0.0175), angular: axis }),
        freedoms: 3,
        armature: 0.0,
        bound: None,
    };
    let mut chance = Chance(50);
    let island = Island {
        masses: vec![(0.02, inertia); count as usize],
        ties: (1..count).map(tie).collect(),
        besides: vec![0.0; count as usize - 1],
        points: Vec::new(),
        right: (0..count)
            .flat_map(|_| [chance.vector().to_array(), (0.01 * chance.vector()).to_array()].concat())
            .collect(),
    };
    // The dense reference loses digits, too.
    let (symmetric, general) = (island.error(false), island.error(true));
    assert!(symmetric < 1e-8 && general < 1e-8, "{symmetric:e} {general:e}");
    let [first, second] = [false, true].map(|general| island.factorised(general));
    let size = first.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let far = first.iter().zip(&second).fold(0.0f64, |far, (a, b)| far.max((a - b).abs()));
    assert!(far < 1e-12 * size, "{far:e} of {size:e}");
}

/// An island with smooth points, stops and joint friction, moving as its joints allow.
fn bounded_island(chance: &mut Chance) -> (Vec<Mover>, Vec<ContactPoint>, Ties) {
    let count = 1 + chance.below(u64::from(MOVERS)) as u32;
    let (list, _) = chance.ties(count);
    let sites = sites(count, &chance.contacts(), |_| DMat3::ZERO);
    let points = sites.iter().map(|(point, _)| ContactPoint { friction: 0.0, ..*point }).collect();
    let right: Vec<f64> = (0..6 * count).map(|_| chance.within(-1.0, 1.0)).collect();
    let besides = vec![0.0; list.len()];
    let island = Island { masses: masses(count), ties: list.clone(), besides, points: Vec::new(), right };
    let velocities = island.factorised(false);
    let part = |at: usize| DVec3::from_slice(&velocities[at..at + 3]);
    let body =
        |(i, &(mass, inertia)): (usize, &(f64, DMat3))| Mover::new(mass, inertia).moving(part(6 * i), part(6 * i + 3));
    let movers = island.masses.iter().enumerate().map(body).collect();
    let mut ties = Ties::default();
    ties.list = list;
    // Nothing acts within bounds in planar joints.
    let has_bounds = |tie: &&mut Tie| tie.freedoms == 1 || tie.freedoms == 3 && tie.columns[0].angular != DVec3::ZERO;
    for tie in ties.list.iter_mut().filter(has_bounds) {
        let range = match chance.below(4) {
            0 => [0.0, f64::INFINITY],
            1 => [f64::NEG_INFINITY, 0.0],
            2 => [-chance.within(0.0, 0.5), chance.within(0.0, 0.5)],
            _ => continue,
        };
        tie.bound = Some(Bound::new(range, 0.0));
    }
    (movers, points, ties)
}

/// Smooth points, stops and joint friction on random islands with joints, from no guess at all: each impulse is within its bounds, and where it
/// is at neither, what it acts on is on target.
#[test]
fn smooth_points_and_bounds_are_found_from_nothing() {
    let mut chance = Chance(21);
    let (mut solver, mut held, mut bounded) = (JointSolver::default(), 0, 0);
    for case in 0..300 {
        let (mut movers, mut points, mut ties) = bounded_island(&mut chance);
        let problem = Problem { movers: &mut movers, points: &mut points, resistances: &mut [], ties: &mut ties };
        let solved = solver.solve_tied(problem, 1.0);
        assert!(solved.converged, "case {case}: {solved:?}");
        for point in &points {
            let rate = point.velocity(&movers).z;
            assert!(point.impulse.z >= -1e-6 && rate > -2e-2, "case {case}: {rate}");
            assert!(point.impulse.z < 2e-2 || rate < 2e-2, "case {case}: {rate}");
        }
        for tie in &ties.list {
            let Some(bound) = tie.bound else { continue };
            let rate = tie.rates(&movers)[0] * bound.lever;
            let [low, high] = bound.range;
            assert!(low <= bound.impulse && bound.impulse <= high, "case {case}");
            assert!(rate < 2e-2 || bound.impulse - low < 2e-2 * bound.inertia, "case {case}: {rate} {bound:?}");
            assert!(rate > -2e-2 || high - bound.impulse < 2e-2 * bound.inertia, "case {case}: {rate} {bound:?}");
            bounded += 1;
            held += usize::from(bound.holds());
        }
    }
    assert!(held > 100 && bounded - held > 100, "{held} of {bounded}");
}
