//! Shapes of everyday things, to be written into scripts.

use super::chance::short;
use super::random::Stream;
use impulse::DVec3;
use std::fmt;

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    Ball(f64),
    Box(DVec3),
    Rounded(DVec3, f64),
    Capsule(f64, f64),
    Cylinder(f64, f64),
    Cone(f64, f64),
    Ellipsoid(DVec3),
    Hull(Vec<DVec3>),
    Joined(Vec<(Form, DVec3)>),
    HalfSpace(DVec3, f64),
}

impl Form {
    /// Whether it can roll, or wobble on a rim, without end.
    pub(crate) fn is_round(&self) -> bool {
        match self {
            Self::Box(_) | Self::Hull(_) | Self::HalfSpace(..) => false,
            Self::Joined(parts) => parts.iter().any(|(part, _)| part.is_round()),
            _ => true,
        }
    }

    /// Lowest and highest point along the shape's z-axis, m.
    pub(crate) fn heights(&self) -> [f64; 2] {
        let half = match self {
            Self::Ball(r) => *r,
            Self::Box(size) | Self::Rounded(size, _) => 0.5 * size.z,
            Self::Capsule(r, l) => r + 0.5 * l,
            Self::Cylinder(_, h) | Self::Cone(_, h) => 0.5 * h,
            Self::Ellipsoid(axes) => axes.z,
            Self::Hull(points) => return extent(points.iter().map(|p| [p.z, p.z])),
            Self::Joined(parts) => return extent(parts.iter().map(|(part, at)| part.heights().map(|h| h + at.z))),
            Self::HalfSpace(..) => 0.0,
        };
        [-half, half]
    }

    /// Radius about the origin that contains it, m.
    pub(crate) fn reach(&self) -> f64 {
        match self {
            Self::Ball(r) => *r,
            Self::Box(size) | Self::Rounded(size, _) => 0.5 * size.length(),
            Self::Capsule(r, l) => r + 0.5 * l,
            Self::Cylinder(r, h) | Self::Cone(r, h) => libm::hypot(*r, 0.5 * h),
            Self::Ellipsoid(axes) => axes.max_element(),
            Self::Hull(points) => points.iter().map(|p| p.length()).fold(0.0, f64::max),
            Self::Joined(parts) => parts.iter().map(|(part, at)| part.reach() + at.length()).fold(0.0, f64::max),
            Self::HalfSpace(..) => f64::INFINITY,
        }
    }
}

fn extent(all: impl Iterator<Item = [f64; 2]>) -> [f64; 2] {
    all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], [a, b]| [low.min(a), high.max(b)])
}

/// As a script says it.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let three = |v: &DVec3| format!("{:?}, {:?}, {:?}", v.x, v.y, v.z);
        let list = |all: Vec<String>| all.join(", ");
        match self {
            Self::Ball(r) => write!(f, "sphere({r:?})"),
            Self::Box(size) => write!(f, "cuboid({})", three(size)),
            Self::Rounded(size, r) => write!(f, "rounded_cuboid({}, {r:?})", three(size)),
            Self::Capsule(r, l) => write!(f, "capsule({r:?}, {l:?})"),
            Self::Cylinder(r, h) => write!(f, "cylinder({r:?}, {h:?})"),
            Self::Cone(r, h) => write!(f, "cone({r:?}, {h:?})"),
            Self::Ellipsoid(axes) => write!(f, "ellipsoid({})", three(axes)),
            Self::Hull(points) => {
                write!(f, "hull([{}])", list(points.iter().map(|p| format!("[{}]", three(p))).collect()))
            }
            Self::Joined(parts) => {
                let part = |(form, at): &(Form, DVec3)| format!("part({form}, #{{ at: [{}] }})", three(at));
                write!(f, "compound([{}])", list(parts.iter().map(part).collect()))
            }
            Self::HalfSpace(normal, offset) => write!(f, "half_space([{}], {offset:?})", three(normal)),
        }
    }
}

/// The names of shapes that can be asked for.
pub(crate) const ALL_FORMS: [&str; 10] =
    ["box", "ball", "cylinder", "capsule", "cone", "ellipsoid", "rounded", "hull", "wedge", "compound"];

impl Stream {
    /// Any shape of about a size, m.
    pub(crate) fn form(&mut self, size: f64) -> Form {
        let name = self.one_of(&ALL_FORMS);
        self.form_named(name, size)
    }

    /// A convex shape of about a size, m.
    pub(crate) fn convex_form(&mut self, size: f64) -> Form {
        let name = self.one_of(&ALL_FORMS[..ALL_FORMS.len() - 1]);
        self.form_named(name, size)
    }

    /// A shape of a name and about a size, m.
    pub(crate) fn form_named(&mut self, name: &str, size: f64) -> Form {
        let [a, b, c] = [(); 3].map(|()| self.between(0.4 * size, size));
        match name {
            "ball" => Form::Ball(short(0.5 * a)),
            "cylinder" => Form::Cylinder(short(0.5 * a), b),
            "capsule" => Form::Capsule(short(0.3 * a), short(0.7 * b)),
            "cone" => Form::Cone(short(0.5 * a), b),
            "ellipsoid" => Form::Ellipsoid(DVec3::new(short(0.5 * a), short(0.5 * b), short(0.5 * c))),
            "rounded" => Form::Rounded(DVec3::new(a, b, c), short(0.1 * a.min(b).min(c))),
            "hull" => self.hull(0.5 * a),
            "wedge" => wedge(DVec3::new(a, b, 0.6 * c)),
            "compound" => self.compound(size),
            _ => Form::Box(DVec3::new(a, b, c)),
        }
    }

    fn hull(&mut self, radius: f64) -> Form {
        let count = self.whole(6, 14);
        let point = |stream: &mut Self| {
            let direction = (stream.vector(1.0) + DVec3::splat(1e-3)).normalize();
            super::chance::short_vector(direction * radius)
        };
        Form::Hull((0..count).map(|_| point(self)).collect())
    }

    /// A cross, a corner, a dumbbell, a table or a hammer.
    fn compound(&mut self, size: f64) -> Form {
        let (long, thin) = (self.between(0.6 * size, size), short(0.2 * size));
        let bar = |i: usize, length: f64| {
            let mut sides = DVec3::splat(thin);
            sides[i] = length;
            Form::Box(sides)
        };
        let off = |x: f64| short(0.5 * (x - thin));
        match self.whole(0, 4) {
            0 => Form::Joined((0..3).map(|i| (bar(i, long), DVec3::ZERO)).collect()),
            1 => Form::Joined(vec![(bar(0, long), DVec3::ZERO), (bar(1, long), DVec3::new(off(long), off(long), 0.0))]),
            2 => Form::Joined(vec![
                (Form::Ball(thin), DVec3::X * short(-0.4 * long)),
                (bar(0, short(0.8 * long)), DVec3::ZERO),
                (Form::Ball(thin), DVec3::X * short(0.4 * long)),
            ]),
            3 => Form::Joined(vec![
                (Form::Box(DVec3::new(long, long, thin)), DVec3::ZERO),
                (bar(2, long), DVec3::new(off(long), off(long), off(-long))),
                (bar(2, long), DVec3::new(-off(long), off(long), off(-long))),
                (bar(2, long), DVec3::new(0.0, -off(long), off(-long))),
            ]),
            _ => Form::Joined(vec![
                (Form::Cylinder(short(0.5 * thin), long), DVec3::ZERO),
                (bar(0, short(0.5 * long)), DVec3::Z * off(long)),
            ]),
        }
    }
}

/// A ramp that rises along x.
pub(crate) fn wedge(size: DVec3) -> Form {
    let half = super::chance::short_vector(0.5 * size);
    let corner = |x: f64, y: f64, z: f64| half * DVec3::new(x, y, z);
    Form::Hull(vec![
        corner(-1.0, -1.0, -1.0),
        corner(-1.0, 1.0, -1.0),
        corner(1.0, -1.0, -1.0),
        corner(1.0, 1.0, -1.0),
        corner(1.0, -1.0, 1.0),
        corner(1.0, 1.0, 1.0),
    ])
}
