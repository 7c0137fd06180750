//! An independent integrator for tests: extrapolated midpoint steps (Gragg, Bulirsch and Stoer).

use impulse::{DQuat, DVec3};

/// Attitude and body-frame angular velocity, as seven numbers: x, y, z, w of the quaternion, then the spin.
pub(crate) type Seven = [f64; 7];

/// A rigid body that turns under a torque given in the world frame.
pub(crate) struct Turning {
    pub(crate) moments: DVec3,
    pub(crate) torque: DVec3,
}

impl Turning {
    /// The attitude and spin after `t` seconds (may be negative).
    pub(crate) fn after(&self, orientation: DQuat, spin: DVec3, t: f64) -> (DQuat, DVec3) {
        // A few steps per radian; more would only add rounding.
        let least = self.moments.min_element();
        let fastest = (spin.dot(self.moments * spin) / least).sqrt() + self.torque.length() / least * t.abs();
        let steps = (8.0 * fastest * t.abs()).ceil().max(1.0) as usize;
        let [x, y, z, w] = orientation.to_array();
        let mut state = [x, y, z, w, spin.x, spin.y, spin.z];
        for _ in 0..steps {
            state = self.extrapolated(state, t / steps as f64);
        }
        (DQuat::from_xyzw(state[0], state[1], state[2], state[3]).normalize(), DVec3::new(state[4], state[5], state[6]))
    }

    fn rate(&self, y: &Seven) -> Seven {
        let q = DQuat::from_xyzw(y[0], y[1], y[2], y[3]);
        let w = DVec3::new(y[4], y[5], y[6]);
        let dq = q * DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * 0.5;
        let torque = q.normalize().conjugate() * self.torque;
        let dw = ((self.moments * w).cross(w) + torque) / self.moments;
        [dq.x, dq.y, dq.z, dq.w, dw.x, dw.y, dw.z]
    }

    /// Aitken and Neville's table over midpoint rules with twice as many substeps as `HALVES` says: order 12.
    fn extrapolated(&self, y: Seven, h: f64) -> Seven {
        let mut row: Vec<Seven> = Vec::new();
        const HALVES: [usize; 6] = [1, 2, 3, 4, 6, 8];
        for (k, halves) in HALVES.into_iter().enumerate() {
            let mut next = vec![self.midpoint(y, h, 2 * halves)];
            for (j, previous) in row.iter().enumerate() {
                let ratio = (halves as f64 / HALVES[k - 1 - j] as f64).powi(2);
                let last = next[j];
                next.push(std::array::from_fn(|i| last[i] + (last[i] - previous[i]) / (ratio - 1.0)));
            }
            row = next;
        }
        row[row.len() - 1]
    }

    fn midpoint(&self, y: Seven, h: f64, n: usize) -> Seven {
        let h = h / n as f64;
        let along = |a: &Seven, rate: &Seven, h: f64| -> Seven { std::array::from_fn(|i| a[i] + h * rate[i]) };
        let (mut before, mut now) = (y, along(&y, &self.rate(&y), h));
        for _ in 1..n {
            (before, now) = (now, along(&before, &self.rate(&now), 2.0 * h));
        }
        let last = along(&before, &self.rate(&now), h);
        std::array::from_fn(|i| 0.5 * (now[i] + last[i]))
    }
}
