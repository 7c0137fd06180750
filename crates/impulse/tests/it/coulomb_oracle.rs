//! A body on a vibrating plate by Coulomb's law, integrated apart from the engine: the plain equations of sticking, slipping and
//! flying, each followed to the event that ends it.

/// Acceleration of gravity, m/s^2.
const G: f64 = 9.81;

/// Steps in a period of the plate.
const STEPS: f64 = 4000.0;

/// Bisections in the step in which something ends.
const BISECTIONS: usize = 60;

/// Time by which an event is left behind, s: smaller than any error that is looked for.
const INSTANT: f64 = 1e-9;

/// A plate at `amplitude sin(rate t)`, and what lies on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plate {
    /// Along the plate and upwards, m.
    pub(crate) amplitude: [f64; 2],
    /// rad/s.
    pub(crate) rate: f64,
    pub(crate) friction: f64,
    /// Share of the plate's acceleration that a body follows while it sticks: 1 for a block, 2/7 for a ball that rolls.
    pub(crate) followed: f64,
}

/// What a body does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Sticks,
    /// In this direction, relative to the plate.
    Slips(f64),
    Flies,
}

/// A body that began with the velocity of the plate, rolling on it if it is a ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    plate: Plate,
    time: f64,
    mode: Mode,
    /// Of the centre, along the plate and upwards, m and m/s.
    pub(crate) at: [f64; 2],
    velocity: [f64; 2],
    /// Velocity of its contact relative to the plate, m/s.
    slip: f64,
}

impl Plate {
    /// Frequency in Hz, amplitudes in mm.
    pub(crate) fn new(hertz: f64, amplitude: [f64; 2], friction: f64) -> Self {
        let amplitude = amplitude.map(|a| 1e-3 * a);
        Self { amplitude, rate: hertz * std::f64::consts::TAU, friction, followed: 1.0 }
    }

    pub(crate) fn velocity(&self, t: f64) -> [f64; 2] {
        self.amplitude.map(|a| a * self.rate * (self.rate * t).cos())
    }

    fn height(&self, t: f64) -> f64 {
        self.amplitude[1] * (self.rate * t).sin()
    }

    fn acceleration(&self, t: f64) -> [f64; 2] {
        self.amplitude.map(|a| -a * self.rate * self.rate * (self.rate * t).sin())
    }

    /// Acceleration with which a body on the plate is pressed on it.
    fn press(&self, t: f64) -> f64 {
        G + self.acceleration(t)[1]
    }

    /// Acceleration of a body's centre.
    fn carried(&self, mode: Mode, t: f64) -> [f64; 2] {
        let [along, up] = self.acceleration(t);
        match mode {
            Mode::Sticks => [self.followed * along, up],
            Mode::Slips(direction) => [-direction * self.friction * self.press(t), up],
            Mode::Flies => [0.0, -G],
        }
    }
}

impl Carried {
    pub(crate) fn new(plate: Plate) -> Self {
        Self { plate, time: 0.0, mode: Mode::Sticks, at: [0.0; 2], velocity: plate.velocity(0.0), slip: 0.0 }
    }

    /// Follows the body up to a time.
    pub(crate) fn run(&mut self, until: f64) {
        let step = std::f64::consts::TAU / self.plate.rate / STEPS;
        while self.time < until {
            let length = step.min(until - self.time);
            let next = self.moved(length);
            if next.margin() >= 0.0 {
                *self = next;
                continue;
            }
            let (mut before, mut after) = (0.0, length);
            for _ in 0..BISECTIONS {
                let middle = 0.5 * (before + after);
                *(if self.moved(middle).margin() >= 0.0 { &mut before } else { &mut after }) = middle;
            }
            *self = self.moved(after).changed();
            *self = self.moved(INSTANT);
        }
    }

    /// After a step in the same mode, by Simpson's rule: accelerations depend on time alone.
    fn moved(&self, length: f64) -> Self {
        let times = [0.0, 0.5, 1.0].map(|share| self.time + share * length);
        let [start, middle, end] = times.map(|t| self.plate.carried(self.mode, t));
        let mut next = Self { time: self.time + length, ..*self };
        for i in 0..2 {
            next.velocity[i] += length / 6.0 * (start[i] + 4.0 * middle[i] + end[i]);
            next.at[i] += length * self.velocity[i] + length * length / 6.0 * (start[i] + 2.0 * middle[i]);
        }
        let gained = (next.velocity[0] - self.velocity[0]) / self.plate.followed;
        next.slip += gained - (self.plate.velocity(next.time)[0] - self.plate.velocity(self.time)[0]);
        next
    }

    /// Negative once the mode has ended.
    fn margin(&self) -> f64 {
        let Plate { friction, followed, .. } = self.plate;
        let press = self.plate.press(self.time);
        match self.mode {
            Mode::Sticks => (friction * press - followed * self.plate.acceleration(self.time)[0].abs()).min(press),
            Mode::Slips(direction) => (direction * self.slip).min(press),
            Mode::Flies => self.at[1] - self.plate.height(self.time),
        }
    }

    /// With the next mode. A landing is plastic, with friction as the impulse allows.
    fn changed(&self) -> Self {
        let Plate { friction, followed, .. } = self.plate;
        let mut next = *self;
        if self.mode == Mode::Flies {
            let hit = self.plate.velocity(self.time)[1] - self.velocity[1];
            let stopped = self.slip.signum() * self.slip.abs().min(friction * hit / followed);
            next.slip -= stopped;
            next.velocity[0] -= followed * stopped;
            next.velocity[1] += hit;
        }
        let (press, along) = (self.plate.press(self.time), self.plate.acceleration(self.time)[0]);
        let holds = followed * along.abs() <= friction * press && self.mode != Mode::Sticks;
        next.mode = if press <= 0.0 {
            Mode::Flies
        } else if self.mode == Mode::Flies && next.slip != 0.0 {
            Mode::Slips(next.slip.signum())
        } else if holds {
            Mode::Sticks
        } else {
            Mode::Slips(-along.signum())
        };
        if next.mode != Mode::Flies && self.mode != Mode::Flies {
            next.slip = 0.0;
        }
        next
    }
}
