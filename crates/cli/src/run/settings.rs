//! Settings of the engine on the command line.

use crate::mass::positive;
use clap::{Args, ValueEnum};
use glam::DVec3;
use impulse::world::{ContactRule, Settings};

/// Settings of the engine; each has a default that suits worlds of any size.
#[derive(Args)]
#[command(next_help_heading = "Settings of the engine")]
pub(super) struct EngineSettings {
    /// Height of all hops of bodies in lasting contact, relative to the smaller body's bounding radius: larger is cheaper and coarser
    /// [default: the scene's, or up to 1e-3 as `--hop-turn` allows]
    #[arg(long, value_name = "X", value_parser = positive, allow_negative_numbers = true)]
    envelope: Option<f64>,
    /// How far bodies that touch each other turn in a hop at most, in radians: where there is no envelope, hops are as high as that
    /// allows, from 1e-5 to 1e-4 of a bounding radius
    #[arg(long, value_name = "X", default_value_t = 0.05, value_parser = positive, allow_negative_numbers = true)]
    hop_turn: f64,
    /// How lasting contact is carried
    #[arg(long, value_name = "RULE", default_value = "joint")]
    contact: Contact,
    /// Acceleration of gravity in m/s^2, in place of the scene's
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    gravity: Option<DVec3>,
    /// Distance at which bodies touch, relative to the smaller body's bounding radius
    #[arg(long, value_name = "X", default_value_t = Settings::default().touch_distance, value_parser = positive, allow_negative_numbers = true)]
    touch_distance: f64,
    /// Distance a body may fly, in bounding radii, before its box is renewed: changes the cost only
    #[arg(long, value_name = "X", default_value_t = Settings::default().box_travel, value_parser = positive, allow_negative_numbers = true)]
    box_travel: f64,
    /// How far a body may stray, in bounding radii, and turn, in radians, and still count as at rest
    #[arg(long, value_name = "X", default_value_t = Settings::default().settle_distance, value_parser = positive, allow_negative_numbers = true)]
    settle_distance: f64,
    /// How long it must have stayed so, in seconds
    #[arg(long, value_name = "T", default_value_t = Settings::default().settle_time, value_parser = positive, allow_negative_numbers = true)]
    settle_time: f64,
}

impl EngineSettings {
    /// The engine's settings; gravity and envelope are the scene's.
    pub(super) fn engine(&self) -> Settings {
        Settings {
            contact: self.contact.rule(),
            hop_turn: Some(self.hop_turn),
            touch_distance: self.touch_distance,
            box_travel: self.box_travel,
            settle_distance: self.settle_distance,
            settle_time: self.settle_time,
            ..Settings::default()
        }
    }

    /// Height of hops in place of the scene's, in bounding radii.
    pub(super) fn envelope(&self) -> Option<f64> {
        self.envelope
    }

    /// Gravity in place of the scene's, m/s^2.
    pub(super) fn gravity(&self) -> Option<DVec3> {
        self.gravity
    }
}

/// How lasting contact is carried, see [`ContactRule`].
#[derive(Clone, Copy, ValueEnum)]
enum Contact {
    /// Hops in which all points of all bodies in contact get their impulses together
    Joint,
    /// The thesis' microcollisions, point by point, for comparison: they creep
    Thesis,
    /// Ordinary impacts only: nothing ever comes to rest
    Impacts,
}

impl Contact {
    fn rule(self) -> ContactRule {
        match self {
            Self::Joint => ContactRule::Joint,
            Self::Thesis => ContactRule::Thesis,
            Self::Impacts => ContactRule::Impacts,
        }
    }
}

fn vector(text: &str) -> Result<DVec3, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse::<f64>()).collect();
    match numbers.as_deref() {
        Ok(&[x, y, z]) if [x, y, z].iter().all(|number| number.is_finite()) => Ok(DVec3::new(x, y, z)),
        _ => Err("give three numbers, such as 0,0,-9.81".to_owned()),
    }
}
