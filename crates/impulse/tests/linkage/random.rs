//! Random trees and numbers for the tests of linkages.

use glam::{DQuat, DVec3};
use impulse::body::PrincipalMass;
use impulse::math::Pose;
use impulse::multibody::{Joint, JointPlace, Link, Tree};

/// A file of the repository's test data.
pub(crate) fn data(name: &str) -> String {
    let path = format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A small generator of random numbers.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub(crate) fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.within(-size, size), self.within(-size, size), self.within(-size, size))
    }

    pub(crate) fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector(1.0);
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub(crate) fn rotation(&mut self) -> DQuat {
        let (a, b) = (self.vector(1.0), self.unit());
        DQuat::from_xyzw(a.x, a.y, a.z, b + 0.1).normalize()
    }

    pub(crate) fn mass(&mut self, size: f64) -> PrincipalMass {
        let half = DVec3::new(self.within(0.2, 1.0), self.within(0.2, 1.0), self.within(0.2, 1.0)) * size;
        let mass = self.within(0.5, 2.0);
        let s = half * half;
        PrincipalMass::new(mass, DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (mass / 3.0)).unwrap()
    }

    /// A joint of any kind near a place, but for those that let a link slide away without end.
    pub(crate) fn joint(&mut self, at: DVec3) -> JointPlace {
        match self.below(8) {
            0 => JointPlace::Weld,
            1 | 2 => JointPlace::Slider { axis: self.direction() },
            3 | 4 => JointPlace::Socket { through: at },
            _ => JointPlace::Hinge { axis: self.direction(), through: at },
        }
    }

    /// A tree of so many links, with the poses of its links at the start; chains where `reach` is 1.
    pub(crate) fn tree(&mut self, links: usize, floats: bool, reach: usize) -> (Tree, Vec<Pose>) {
        let mut poses: Vec<Pose> = Vec::new();
        let mut list = Vec::new();
        for i in 0..links {
            let parent = (i > 0).then(|| i - 1 - self.below(reach.min(i)));
            let from = parent.map_or(Pose::IDENTITY, |p| poses[p]);
            let step = self.direction() * self.within(0.4, 1.0);
            let pose = Pose { rotation: self.rotation(), translation: from.translation + step };
            let place = match self.below(6) {
                0 => JointPlace::Planar { normal: self.direction() },
                _ => self.joint(from.translation + step * 0.5),
            };
            let joint = if i == 0 && floats { Joint::FLOATING } else { Joint::new(&place, &from, &pose) };
            let mut link = Link::new(parent, joint, self.mass(0.4));
            link.armature = if self.below(3) == 0 && !(i == 0 && floats) { self.within(0.0, 0.1) } else { 0.0 };
            list.push(link);
            poses.push(pose);
        }
        (Tree::new(list).unwrap(), poses)
    }
}
