//! A body that lies on a plane with three points or more and does not turn (beside section 3.5): it slides along a line and stops
//! in closed form.
//!
//! A force `N n + f` holds such a body from turning where it acts at the centre of pressure, `d = -h f / N` from the foot of the
//! centre of mass, whose height is `h`. As long as that lies within the polygon of support, some pushes of the points, all upwards and all
//! with friction along `f`, come to that force.

use super::ball_on_plane::{PARALLEL, are_parallel};
use glam::{DVec2, DVec3};

/// Distance of a centre of pressure from the edge of the polygon, relative to the size of that, from which on it lies within.
const INSIDE: f64 = 1e-6;

/// Velocity (m/s) of rotation about the normal, and of slip across the pull, that an approach ends as well, relative to the
/// velocity of the approach.
const ENDED: f64 = 1e-3;

/// A body over a plane, world frame.
#[derive(Clone, Copy, Debug)]
pub struct FlatOnPlane<'a> {
    /// Of the plane, towards the body.
    pub normal: DVec3,
    /// Kilograms.
    pub mass: f64,
    /// By all forces but contact, m/s^2.
    pub acceleration: DVec3,
    /// Coefficients of friction, kinetic and static.
    pub friction: [f64; 2],
    /// From the centre of mass to the points that touch, m.
    pub points: &'a [DVec3],
}

/// Steady sliding of a body, or its rest, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// Of the centre of mass, m/s.
    pub velocity: DVec3,
    /// Metres per second squared.
    pub acceleration: DVec3,
    /// Of the plane on the body, N.
    pub force: DVec3,
    /// Where that acts, from the centre of mass, m.
    pub centre: DVec3,
    /// When the body comes to a stop, s; infinite where it does not.
    pub stops_after: f64,
}

/// The end of an approach without a bounce.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatLanding {
    /// Velocity afterwards, m/s; the body does not turn.
    pub velocity: DVec3,
    /// On the body, N s.
    pub impulse: DVec3,
    /// Where that acts, from the centre of mass, m.
    pub centre: DVec3,
}

impl Slide {
    /// Whether the body stands still, for good.
    pub fn is_rest(&self) -> bool {
        self.velocity == DVec3::ZERO && self.acceleration == DVec3::ZERO
    }
}

impl FlatOnPlane<'_> {
    /// Ends the approach and the rotation of a body with this velocity and angular momentum; `None` where the plane cannot do
    /// that by pushing at its points, with static friction if it did not slip before.
    pub fn land(&self, velocity: DVec3, angular_momentum: DVec3, stuck: bool) -> Option<FlatLanding> {
        let (approach, along) = (-velocity.dot(self.normal), self.along_plane(velocity));
        if angular_momentum == DVec3::ZERO && approach.abs() <= PARALLEL * velocity.length() {
            return Some(FlatLanding { velocity: along, impulse: DVec3::ZERO, centre: -self.height() * self.normal });
        }
        if approach <= 0.0 {
            return None;
        }
        let held = stuck && along.length() <= self.friction[1] * approach;
        let most = self.friction[0] * approach;
        let mut after = if held { DVec3::ZERO } else { along - along.clamp_length_max(most) };
        let pull = self.pull();
        let across = after.reject_from_normalized(pull.normalize_or(after.normalize_or(DVec3::X)));
        // Slip across the pull that is a matter of rounding has no closed form, but an end.
        if across != DVec3::ZERO && across.length() <= ENDED * most {
            after -= across;
        }
        let push = self.mass * approach;
        let friction = self.mass * (after - along);
        let tilting = self.along_plane(angular_momentum);
        let centre = (-self.height() * friction - self.normal.cross(tilting)) / push;
        let spinning = angular_momentum.dot(self.normal) + centre.cross(friction).dot(self.normal);
        if spinning.abs() > ENDED * push * self.size() || !self.is_within(centre) {
            return None;
        }
        let centre = centre - self.height() * self.normal;
        Some(FlatLanding { velocity: after, impulse: self.normal * push + friction, centre })
    }

    /// How a body that does not turn goes on, with a velocity along the plane; `None` where it tips over, or where its way is
    /// no line.
    pub fn slide(&self, velocity: DVec3) -> Option<Slide> {
        let (press, pull) = (-self.acceleration.dot(self.normal), self.pull());
        if press <= 0.0 {
            return None;
        }
        let holds = velocity == DVec3::ZERO && pull.length() <= self.friction[1] * press;
        let direction = velocity.try_normalize().unwrap_or(pull.normalize_or_zero());
        if !holds && self.friction[0] > 0.0 && !are_parallel(pull, direction) {
            return None;
        }
        let by_friction = if holds { -pull } else { -direction * (self.friction[0] * press) };
        let acceleration = pull + by_friction;
        let centre = -self.height() / press * by_friction;
        let slowing = -acceleration.dot(direction);
        self.is_within(centre).then(|| Slide {
            velocity,
            acceleration: if holds { DVec3::ZERO } else { acceleration },
            force: self.mass * (press * self.normal + by_friction),
            centre: centre - self.height() * self.normal,
            stops_after: if slowing > 0.0 && velocity != DVec3::ZERO {
                velocity.length() / slowing
            } else {
                f64::INFINITY
            },
        })
    }

    /// Shares of a force that acts at a place (from the centre of mass, m) among the points: those of the flattest pressure there is, none below
    /// zero.
    pub fn shares(&self, centre: DVec3) -> Vec<f64> {
        let count = self.points.len() as f64;
        let middle = self.points.iter().sum::<DVec3>() / count;
        let [x, y] = self.axes();
        let place = |p: DVec3| DVec2::new((p - middle).dot(x), (p - middle).dot(y));
        let [mut xx, mut xy, mut yy] = [0.0; 3];
        for p in self.points.iter().map(|&p| place(p)) {
            (xx, xy, yy) = (xx + p.x * p.x, xy + p.x * p.y, yy + p.y * p.y);
        }
        let (d, determinant) = (place(centre), xx * yy - xy * xy);
        let slope = if determinant > 0.0 {
            DVec2::new(yy * d.x - xy * d.y, xx * d.y - xy * d.x) / determinant
        } else {
            DVec2::ZERO
        };
        self.points.iter().map(|&p| (1.0 / count + slope.dot(place(p))).max(0.0)).collect()
    }

    /// Whether a place on the plane lies within the polygon of support, given from the foot of the centre of mass, m.
    fn is_within(&self, place: DVec3) -> bool {
        let [x, y] = self.axes();
        let from_place = |p: &DVec3| DVec2::new((*p - place).dot(x), (*p - place).dot(y));
        let margin = INSIDE * self.size();
        // A line through two points that has all others on one side is an edge.
        let is_outside = |a: &DVec3, b: &DVec3| {
            let (a, edge) = (from_place(a), from_place(b) - from_place(a));
            let length = edge.length();
            let height = |p: &DVec3| edge.perp_dot(from_place(p) - a) / length;
            length > margin && self.points.iter().all(|p| height(p) >= -margin) && edge.perp_dot(-a) / length < margin
        };
        let mut farthest = 0.0f64;
        for (i, a) in self.points.iter().enumerate() {
            for b in &self.points[..i] {
                if is_outside(a, b) || is_outside(b, a) {
                    return false;
                }
                farthest = farthest.max(a.distance(*b));
            }
        }
        farthest > margin
    }

    /// Height of the centre of mass over the plane, m.
    fn height(&self) -> f64 {
        self.points.iter().map(|p| -p.dot(self.normal)).fold(0.0, f64::max)
    }

    /// Distance of the farthest point, m.
    fn size(&self) -> f64 {
        self.points.iter().map(|p| p.length()).fold(0.0, f64::max)
    }

    fn axes(&self) -> [DVec3; 2] {
        let x = crate::math::any_perpendicular(self.normal);
        [x, self.normal.cross(x)]
    }

    /// Acceleration along the plane by all forces but contact, m/s^2; zero where it is that but for rounding.
    fn pull(&self) -> DVec3 {
        let pull = self.along_plane(self.acceleration);
        if pull.length() > PARALLEL * self.acceleration.length() { pull } else { DVec3::ZERO }
    }

    fn along_plane(&self, v: DVec3) -> DVec3 {
        v - self.normal * v.dot(self.normal)
    }
}
