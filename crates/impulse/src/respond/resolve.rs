//! The impulse of a collision (thesis 3.2-3.4): [`resolve`].

use super::collision_matrix::checked;
use super::error::ImpactError;
use super::flow::Flow;
use super::impact::{Impact, Mode, Modes, Outcome};
use super::material::Material;
use super::path_piece::PathPiece;
use super::progress::{Progress, Stretch};
use super::restitution::Normal;
use super::slide_state::Sliding;
use super::sliding::{VANISHED, slide};
use super::sticking::{Sticking, diverging_ray};
use super::straight::Straight;
use crate::math::{SymmetricEigen, symmetric_eigen};
use glam::{DMat3, DVec2, DVec3};

/// Resolves a collision: integrates sliding, sticking and slipping along the diverging ray, from first touch through maximum
/// compression to the end that the law of restitution defines. Impulses are accumulated along the path, not recovered from
/// `K^-1`, so nearly singular matrices lose no digits. Does not allocate.
///
/// ```
/// use impulse::respond::{Impact, Law, Material, Mode, resolve};
/// use impulse::{DMat3, DVec3};
///
/// let impact = Impact {
///     matrix: DMat3::from_diagonal(DVec3::new(1.75, 1.75, 0.5)),
///     material: Material { friction: 0.3, restitution: 0.5, law: Law::Newton },
///     velocity: DVec3::new(0.5, 0.0, -1.0),
/// };
/// let outcome = resolve(&impact)?;
/// assert!((outcome.velocity.z - 0.5).abs() < 1e-12 && outcome.impulse.z > 0.0);
/// // Friction stops the sliding before the impact ends.
/// assert_eq!(outcome.modes.as_slice().last().map(|start| start.mode), Some(Mode::Stick));
/// # Ok::<(), impulse::respond::ImpactError>(())
/// ```
pub fn resolve(impact: &Impact) -> Result<Outcome, ImpactError> {
    follow_impact(impact, &mut |_, _| {})
}

/// [`resolve`], passing every piece of the path, and the parameter up to which it was followed, to `watch`.
pub(super) fn follow_impact(
    impact: &Impact,
    watch: &mut impl FnMut(PathPiece<'_>, f64),
) -> Result<Outcome, ImpactError> {
    let k = checked(&impact.matrix)?;
    check_material_and_velocity(impact)?;
    let sticking = Sticking::new(&k);
    let mut run = Run::new(impact, &k, &sticking);
    if impact.material.friction == 0.0 {
        run.slip_freely(&k, watch);
    } else if run.tangential != DVec2::ZERO {
        run.slide(watch)?;
    }
    if !run.finished && sticking.rate == 0.0 && run.stable {
        run.end_at_rest(impact, &k)?;
    } else if !run.finished {
        run.leave_zero(&sticking, watch);
    }
    Ok(run.outcome(impact))
}

fn check_material_and_velocity(impact: &Impact) -> Result<(), ImpactError> {
    let Material { friction, restitution, .. } = impact.material;
    if !impact.velocity.is_finite() {
        return Err(ImpactError::NotFinite { what: "relative velocity" });
    }
    if impact.velocity.z >= 0.0 {
        return Err(ImpactError::NotApproaching { velocity: impact.velocity.z });
    }
    check_coefficients(friction, restitution)
}

/// Refuses coefficients that no contact has.
pub(super) fn check_coefficients(friction: f64, restitution: f64) -> Result<(), ImpactError> {
    if !friction.is_finite() {
        return Err(ImpactError::NotFinite { what: "friction" });
    }
    if friction < 0.0 {
        return Err(ImpactError::Friction { friction });
    }
    if !(0.0..=1.0).contains(&restitution) {
        return Err(ImpactError::Restitution { restitution });
    }
    Ok(())
}

/// Mean of `-ln(1 - y)` for `y` from 0 to `x`, at most 1/2: the mean turn of the sliding direction, in units of `C / D`, while
/// the speed falls to `1 - x` of its first value.
fn mean_log(x: f64) -> f64 {
    if x < 1e-4 {
        return 0.5 * x + x * x / 6.0;
    }
    1.0 + (1.0 - x) * libm::log1p(-x) / x
}

/// Normal velocity, relative to the first velocity, that counts as none where it ought to vanish with the sliding.
const LEFT_BY_ROUNDING: f64 = 1e-9;

/// Eigenvalues of a singular collision matrix that are rounding, relative to the largest.
const NO_EIGENVALUE: f64 = 1e-10;

/// `K^+ u`.
fn pseudo_inverse_times(k: &DMat3, u: DVec3) -> DVec3 {
    let SymmetricEigen { values, axes } = symmetric_eigen(*k);
    let least = NO_EIGENVALUE * values.abs().max_element();
    let along = axes.transpose() * u;
    let divided = |i: usize| if values[i] > least { along[i] / values[i] } else { 0.0 };
    axes * DVec3::new(divided(0), divided(1), divided(2))
}

/// An impact under way.
struct Run {
    flow: Flow,
    progress: Progress,
    impulse: DVec3,
    tangential: DVec2,
    normal: Normal,
    modes: Modes,
    ray: Option<DVec2>,
    stable: bool,
    finished: bool,
}

impl Run {
    fn new(impact: &Impact, k: &DMat3, sticking: &Sticking) -> Self {
        let Material { friction, restitution, law } = impact.material;
        let approach = impact.velocity.z;
        Self {
            flow: Flow::new(k, friction),
            progress: Progress::new(law, restitution, approach),
            impulse: DVec3::ZERO,
            tangential: impact.velocity.truncate(),
            normal: Normal { impulse: 0.0, velocity: approach, work: 0.0 },
            modes: Modes::none(),
            ray: None,
            stable: sticking.is_stable(friction),
            finished: false,
        }
    }

    /// Without friction the impulse is along the normal, whatever the tangential velocity is.
    fn slip_freely(&mut self, k: &DMat3, watch: &mut impl FnMut(PathPiece<'_>, f64)) {
        self.modes.push(Mode::Slide, 0.0);
        self.go_straight(DVec3::Z, k.z_axis, f64::INFINITY, watch);
    }

    fn slide(&mut self, watch: &mut impl FnMut(PathPiece<'_>, f64)) -> Result<(), ImpactError> {
        self.modes.push(Mode::Slide, 0.0);
        let speed = self.tangential.length();
        let mut now = Sliding { direction: self.tangential / speed, speed, normal: self.normal };
        if self.flow.turns(now.direction) && self.flow.hardly_turns(now.direction) {
            self.slide_nearly_straight(watch);
            return Ok(());
        }
        if self.flow.turns(now.direction) {
            let slid = slide(&self.flow, &mut self.progress, &now, watch)?;
            now = slid.end;
            self.impulse = slid.impulse;
            self.tangential = now.direction * now.speed;
            self.normal = now.normal;
            self.finished = slid.finished;
        }
        if !self.finished && now.speed > 0.0 {
            self.slide_straight(now.direction, now.speed, watch);
        }
        Ok(())
    }

    /// Slides with so little turning that the exponents of the series would overflow: in straight stretches, each to half the
    /// speed or to the end, along the mean direction of the stretch.
    fn slide_nearly_straight(&mut self, watch: &mut impl FnMut(PathPiece<'_>, f64)) {
        let first = self.tangential.length();
        while !self.finished && self.tangential.length() > VANISHED * first {
            let speed = self.tangential.length();
            let n = self.tangential / speed;
            let (rate, slow) = (self.flow.tangential_rate(n), -self.flow.tangential_rate(n).dot(n));
            let length = 0.5 * speed / slow;
            // First along n, to find how far the stretch goes; then along the mean direction over that stretch.
            let trial = Straight { start: self.normal, rate: self.flow.normal_rate(n) };
            let way = { self.progress }.advance(&trial, trial.from(), trial.to(length)).unwrap_or(length);
            let mean = (n + n.perp() * (n.perp_dot(rate) / slow * mean_log(way * slow / speed))).normalize();
            let rate = self.flow.tangential_rate(mean).extend(self.flow.normal_rate(mean));
            let stretch = Straight { start: self.normal, rate: rate.z };
            let end = self.progress.advance(&stretch, stretch.from(), stretch.to(length));
            let s = end.unwrap_or(length);
            watch(PathPiece::Straight { stretch: &stretch, from: self.tangential, rate: rate.truncate() }, s);
            self.impulse += self.flow.sliding_vector(mean) * s;
            self.tangential += rate.truncate() * s;
            self.normal = stretch.normal(s);
            self.finished = end.is_some();
        }
        if !self.finished {
            self.tangential = DVec2::ZERO;
        }
    }

    /// Slides along a ray, or in a flow that does not turn at all.
    fn slide_straight(&mut self, n: DVec2, speed: f64, watch: &mut impl FnMut(PathPiece<'_>, f64)) {
        let growth = self.flow.tangential_rate(n).dot(n);
        // From u_t = 0 growth is positive, except for rounding where sticking is barely unstable.
        let length = if growth < 0.0 && speed > 0.0 { -speed / growth } else { f64::INFINITY };
        let rate = (n * growth).extend(self.flow.normal_rate(n));
        self.go_straight(self.flow.sliding_vector(n), rate, length, watch);
    }

    /// From `u_t = 0` on: sticks if sticking is stable (Theorem 9), else slips along the diverging ray (Theorem 16). Either
    /// lasts to the end.
    fn leave_zero(&mut self, sticking: &Sticking, watch: &mut impl FnMut(PathPiece<'_>, f64)) {
        if self.stable {
            self.modes.push(Mode::Stick, self.normal.impulse);
            self.go_straight(sticking.impulse, DVec3::Z * sticking.rate, f64::INFINITY, watch);
        } else {
            let n = diverging_ray(&self.flow);
            self.ray = Some(n);
            self.modes.push(Mode::SlipAlongRay, self.normal.impulse);
            self.slide_straight(n, 0.0, watch);
        }
    }

    /// Friction holds a contact that cannot give way along the normal (5.3.4): where its linkage's sliding has died out all velocity
    /// has, and the impact ends there for any restitution. The impulse is the limit for matrices that are not quite singular.
    fn end_at_rest(&mut self, impact: &Impact, k: &DMat3) -> Result<(), ImpactError> {
        if self.normal.velocity < -LEFT_BY_ROUNDING * impact.velocity.length() {
            return Err(ImpactError::NormalOutsideRange);
        }
        self.modes.push(Mode::Stick, self.normal.impulse);
        self.impulse = -pseudo_inverse_times(k, impact.velocity);
        self.normal = Normal { impulse: self.impulse.z, velocity: 0.0, work: self.normal.work };
        self.tangential = DVec2::ZERO;
        self.progress.compressed = Some(self.normal);
        self.finished = true;
        Ok(())
    }

    /// Goes to the end of the impact with constant `d p / d p_z` and `d u / d p_z`, or until `u_t` vanishes after the normal
    /// impulse `length`.
    fn go_straight(
        &mut self,
        impulse_rate: DVec3,
        rate: DVec3,
        length: f64,
        watch: &mut impl FnMut(PathPiece<'_>, f64),
    ) {
        let stretch = Straight { start: self.normal, rate: rate.z };
        let end = self.progress.advance(&stretch, stretch.from(), stretch.to(length));
        let s = end.unwrap_or(length);
        assert!(s < f64::INFINITY, "a contact that does not come to rest opens (Theorem 17)");
        watch(PathPiece::Straight { stretch: &stretch, from: self.tangential, rate: rate.truncate() }, s);
        self.impulse += impulse_rate * s;
        self.tangential = if end.is_some() { self.tangential + rate.truncate() * s } else { DVec2::ZERO };
        self.normal = stretch.normal(s);
        self.finished = end.is_some();
    }

    fn outcome(&self, impact: &Impact) -> Outcome {
        let compressed = self.progress.compressed.expect("an impact that has ended was at maximum compression");
        let velocity = self.tangential.extend(self.normal.velocity);
        Outcome {
            impulse: self.impulse,
            velocity,
            work: 0.5 * self.impulse.dot(velocity + impact.velocity),
            normal_work: self.normal.work,
            compression_impulse: compressed.impulse,
            compression_work: compressed.work,
            modes: self.modes,
            ray: self.ray,
            sticking_is_stable: self.stable,
        }
    }
}
