//! Robots of scripts: `robot(file, #{ options })` puts the robot of a URDF file into the scene.

use super::description::{
    BodyDescription, JointDescription, MaterialId, MotionDescription, PlaceDescription, RobotDescription,
    ShapeDescription,
};
use super::error::Fault;
use super::layout::{written, written_rotation};
use super::robot_forms::{Files, Look, extent, lowest};
use super::stage::{Answer, SharedStage, Stage};
use super::suggest::similar;
use super::surfaces::material_of;
use super::values::{Given, Options, number, rotation, text, vector};
use crate::urdf::{self, JointType, Moving, Robot, Skeleton};
use glam::{DQuat, DVec3};
use impulse::geometry::Aabb;
use impulse::math::Pose;
use impulse::multibody::{Elements, JointPlace, LimitRange, Limits};
use rhai::{Array, Dynamic, Engine, Map};
use std::sync::Arc;

/// The options of a robot.
const OPTIONS: &[&str] = &[
    "at",
    "rotation",
    "above",
    "base",
    "packages",
    "material",
    "self_collision",
    "prefix",
    "positions",
    "velocity",
    "spin",
];

/// The name of a root that stands for what never moves.
const WORLD: &str = "world";

/// Bytes of a file that count for one step.
const BYTES_PER_STEP: usize = 10;

/// Registers `robot`, which returns the names of what it has added.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    let shared = stage.clone();
    engine.register_fn("robot", move |file: Dynamic, options: Dynamic| -> Answer<Map> {
        Ok(robot(&mut shared.borrow_mut(), &file, &options)?)
    });
    let shared = stage.clone();
    engine.register_fn("robot", move |file: Dynamic| -> Answer<Map> {
        Ok(robot(&mut shared.borrow_mut(), &file, &Map::new().into())?)
    });
}

/// What the root of a robot is on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    /// Nothing.
    Free,
    /// The ground.
    Fixed,
    /// A body.
    On(usize),
}

impl Base {
    /// The body that it is.
    fn body(self) -> Option<usize> {
        if let Self::On(body) = self { Some(body) } else { None }
    }
}

/// A robot on its way into a scene.
struct Placing {
    robot: Robot,
    skeleton: Skeleton,
    base: Base,
    prefix: String,
    material: MaterialId,
    self_collision: bool,
    /// Coordinate of each joint of the skeleton at the start.
    starts: Vec<f64>,
    /// Collision shapes and looks of the bodies of the skeleton.
    shapes: Vec<(ShapeDescription, Look)>,
    /// World frames of the bodies of the skeleton.
    poses: Vec<Pose>,
    /// Of the root.
    motion: [DVec3; 2],
    notes: Vec<String>,
}

fn robot(stage: &mut Stage, file: &Dynamic, options: &Dynamic) -> Given<Map> {
    let file = text("robot: the file", file)?;
    let options = Options::new(format!("robot \"{}\"", super::error::shortened(&file, 60)), options, OPTIONS)?;
    if stage.scope().is_some() {
        return Err(
            options.conflict("a creature cannot hold a robot: place it in the scene, and join or steer it there")
        );
    }
    let (_, xml) = stage.folder.read_text(&file, urdf::MAX_BYTES)?;
    stage.steps.spend(xml.len() / BYTES_PER_STEP, 1);
    let robot = urdf::parse(&file, &xml)?;
    let placing = Placing::new(stage, robot, &options)?;
    placing.add(stage, &options)
}

impl Placing {
    fn new(stage: &mut Stage, robot: Robot, options: &Options) -> Given<Self> {
        let base = base(stage, options, &robot)?;
        let skeleton = Skeleton::new(&robot, base == Base::Free)?;
        let packages = options.get("packages", text)?.unwrap_or_default();
        let files = Files { robot: &robot, packages: &packages };
        let (mut shapes, mut notes) = (Vec::with_capacity(skeleton.bodies.len()), Vec::new());
        for body in &skeleton.bodies {
            shapes.push((files.shape(stage, &body.members)?, files.look(stage, &body.members, &mut notes)));
        }
        let mut placing = Self {
            starts: starts(options, &robot, &skeleton, &mut notes)?,
            base,
            prefix: options.get("prefix", text)?.unwrap_or_default(),
            material: match options.get("material", material_of)? {
                Some(material) => material,
                None => stage.default_material(),
            },
            self_collision: options.flag("self_collision")?,
            shapes,
            poses: Vec::new(),
            motion: motion(options, base)?,
            notes,
            robot,
            skeleton,
        };
        placing.note_ignored();
        placing.place(options)?;
        Ok(placing)
    }

    /// One note for all that is not used.
    fn note_ignored(&mut self) {
        let mut ignored = self.robot.ignored.clone();
        let limited = self.robot.joints.iter().filter(|joint| joint.dynamics.velocity.is_some()).count();
        if limited > 0 {
            ignored.insert("attribute velocity of <limit>".to_owned(), limited);
        }
        if !ignored.is_empty() {
            let each = ignored.iter().map(|(what, count)| format!("{what} ({count})"));
            self.notes.insert(0, format!("not used: {}", each.collect::<Vec<_>>().join(", ")));
        }
    }

    /// Where the root link is in its body, whose frame may be that of another link.
    fn root_from_link(&self) -> Pose {
        let root_link = self.robot.order[0].0;
        let of_root = self.skeleton.bodies[0].members.iter().find(|member| member.link == root_link);
        of_root.map_or(Pose::IDENTITY, |member| member.body_from_link)
    }

    /// Finds the frames of all bodies.
    fn place(&mut self, options: &Options) -> Given<()> {
        let world_from_root = Pose {
            rotation: options.get("rotation", rotation)?.unwrap_or(DQuat::IDENTITY),
            translation: options.get("at", vector)?.unwrap_or(DVec3::ZERO),
        };
        self.poses.push(world_from_root * self.root_from_link().inverse());
        for (moving, &start) in self.skeleton.joints.iter().zip(&self.starts) {
            let joint = &self.robot.joints[moving.joint];
            let frame = self.poses[moving.parent] * moving.parent_from_joint * moved(joint, start);
            self.poses.push(frame * moving.child_from_joint.inverse());
        }
        if let Some(above) = options.get("above", number)? {
            let heights = self.shapes.iter().zip(&self.poses).filter_map(|((shape, _), pose)| lowest(shape, pose));
            let Some(lowest) = heights.reduce(f64::min) else {
                return Err(options.conflict("it has nothing to collide with: give its height by `at`, not by `above`"));
            };
            self.poses.iter_mut().for_each(|pose| pose.translation.z += above - lowest);
        }
        Ok(())
    }

    /// Boxes around the shapes of all links, in their frames.
    fn extents(&self) -> Vec<Option<Aabb>> {
        let mut extents = vec![None; self.robot.links.len()];
        for (body, (shape, _)) in self.skeleton.bodies.iter().zip(&self.shapes) {
            let mut parts = shape.parts.as_slice();
            for member in &body.members {
                let (own, rest) = parts.split_at(self.robot.links[member.link].collisions.len());
                extents[member.link] = extent(own, &member.body_from_link.inverse());
                parts = rest;
            }
        }
        extents
    }

    /// Mass and centre of mass of all links, world frame.
    fn mass(&self) -> (f64, DVec3) {
        let masses = self.skeleton.bodies.iter().zip(&self.poses).filter_map(|(body, pose)| Some((body.mass?, pose)));
        let (mass, moment) = masses.fold((0.0, DVec3::ZERO), |(mass, moment), (own, pose)| {
            (mass + own.mass, moment + own.mass * pose.point(own.com))
        });
        (mass, if mass > 0.0 { moment / mass } else { moment })
    }

    /// Adds bodies and joints to the scene.
    fn add(mut self, stage: &mut Stage, options: &Options) -> Given<Map> {
        let (extents, mass, world_from_root) = (self.extents(), self.mass(), self.poses[0] * self.root_from_link());
        let [first_body, first_joint] = [stage.scene.bodies.len(), stage.scene.joints.len()];
        let mut numbers = Vec::with_capacity(self.poses.len());
        for body in 0..self.poses.len() {
            numbers.push(self.add_body(stage, options, body)?);
        }
        for (child, moving) in self.skeleton.joints.iter().enumerate() {
            if let Some(joint) = self.joint(moving, self.starts[child], [numbers[moving.parent], numbers[child + 1]]) {
                if stage.scene.joints.iter().any(|known| known.name == joint.name) {
                    return Err(options.conflict(
                        "there is another joint of one of its joints' names: give it a prefix: #{ prefix: \"left \" }",
                    ));
                }
                joint.check().map_err(|fault| Fault::Joint { of: format!("joint `{}`", joint.name), fault })?;
                stage.scene.joints.push(joint);
            }
        }
        let described = RobotDescription {
            name: self.robot.name.clone(),
            file: self.robot.file.clone(),
            bodies: first_body..stage.scene.bodies.len(),
            joints: first_joint..stage.scene.joints.len(),
            places: self.places(&stage.scene.bodies, &numbers),
            notes: std::mem::take(&mut self.notes),
            extents,
            mass,
            world_from_root,
            source: Arc::new(self.robot),
        };
        let answer = answer(stage, &described);
        hold_root(stage, numbers[0], (self.base, self.self_collision));
        stage.scene.robots.push(described);
        Ok(answer)
    }

    /// The name of a link in the scene.
    fn name(&self, options: &Options, link: usize) -> Given<String> {
        let name = format!("{}{}", self.prefix, self.robot.links[link].name);
        if name.len() > 200 || name.chars().any(char::is_control) {
            return Err(options
                .conflict("the names of its links do not fit with this prefix: one line of at most 200 characters"));
        }
        Ok(name)
    }

    /// Adds a body and tells its number; none for a root that is nothing but a frame of what never moves.
    fn add_body(&mut self, stage: &mut Stage, options: &Options, number: usize) -> Given<Option<usize>> {
        let body = &self.skeleton.bodies[number];
        let (shape, look) = std::mem::take(&mut self.shapes[number]);
        let is_root = number == 0;
        let motion = match (body.mass, is_root && self.base != Base::Free) {
            (Some(mass), false) => {
                let [velocity, spin] = if is_root { self.motion } else { [DVec3::ZERO; 2] };
                MotionDescription::Free { mass, velocity, spin }
            }
            (Some(mass), true) if matches!(self.base, Base::On(_)) => {
                MotionDescription::Free { mass, velocity: DVec3::ZERO, spin: DVec3::ZERO }
            }
            _ if shape.parts.is_empty() => {
                return Ok(self.base.body());
            }
            _ if matches!(self.base, Base::On(_)) => {
                return Err(
                    options.conflict("its root has a shape and no mass: give its link an <inertial>, or another base")
                );
            }
            _ => MotionDescription::Fixed,
        };
        let added = BodyDescription {
            name: self.name(options, body.head)?,
            visual: look.differs(&shape).then_some(look.shape),
            shape,
            world_from_shape: self.poses[number],
            com: body.mass.map_or(DVec3::ZERO, |mass| mass.com),
            material: self.material,
            motion,
            color: look.color,
        };
        let another = "there is another body of one of its links' names: give it a prefix: #{ prefix: \"left \" }";
        stage.add_body(added).map_err(|fault| match fault {
            Fault::DuplicateBody { .. } => options.conflict(another),
            other => other,
        })?;
        Ok(Some(stage.scene.bodies.len() - 1))
    }

    /// The joint of a file as a scene's; none if it does not hold.
    fn joint(&self, moving: &Moving, start: f64, bodies: [Option<usize>; 2]) -> Option<JointDescription> {
        let joint = &self.robot.joints[moving.joint];
        let frame = self.poses[moving.parent] * moving.parent_from_joint;
        let axis = frame.vector(joint.axis);
        let place = match joint.kind {
            JointType::Revolute | JointType::Continuous => JointPlace::Hinge { axis, through: frame.translation },
            JointType::Prismatic => JointPlace::Slider { axis },
            JointType::Planar => JointPlace::Planar { normal: axis },
            JointType::Fixed | JointType::Floating => return None,
        };
        let limits = joint.limits.map(|ends| Limits { range: LimitRange::Interval(ends), restitution: 0.0 });
        let urdf::Dynamics { damping, friction, effort, .. } = joint.dynamics;
        Some(JointDescription {
            name: format!("{}{}", self.prefix, joint.name),
            bodies,
            place,
            elements: Elements { damping, friction, limits, ..Elements::default() },
            rate: DVec3::ZERO,
            collides: self.self_collision,
            start,
            effort,
        })
    }

    /// Links that are parts of other bodies.
    fn places(&self, bodies: &[BodyDescription], numbers: &[Option<usize>]) -> Vec<PlaceDescription> {
        let mut places = Vec::new();
        for (own, (body, &number)) in self.skeleton.bodies.iter().zip(numbers).enumerate() {
            // A root that is a mere frame has no body of its own.
            let is_frame = number.is_none() || own == 0 && number == self.base.body();
            let world_from_body = number.map_or(Pose::IDENTITY, |number| bodies[number].world_from_shape);
            for member in body.members.iter().filter(|member| is_frame || member.link != body.head) {
                let body_from_place = if is_frame {
                    world_from_body.inverse() * self.poses[own] * member.body_from_link
                } else {
                    member.body_from_link
                };
                let name = format!("{}{}", self.prefix, self.robot.links[member.link].name);
                places.push(PlaceDescription { name, body: number, body_from_place });
            }
        }
        places
    }
}

/// Holds the root to a body that it is on, and lets what is not next to a fixed root pass it.
fn hold_root(stage: &mut Stage, root: Option<usize>, (base, self_collision): (Base, bool)) {
    let (Some(root), links) = (root, stage.scene.bodies.len()) else { return };
    match base {
        Base::On(other) if other != root => stage.scene.joints.push(JointDescription {
            name: format!("{} on {}", stage.scene.bodies[root].name, stage.scene.bodies[other].name),
            bodies: [Some(other), Some(root)],
            place: JointPlace::Weld,
            elements: Elements::default(),
            rate: DVec3::ZERO,
            collides: self_collision,
            start: 0.0,
            effort: None,
        }),
        Base::Fixed if !self_collision => stage.scene.ignored.extend((root + 1..links).map(|link| [root, link])),
        Base::On(_) | Base::Fixed | Base::Free => {}
    }
}

/// What the option `base` says.
fn base(stage: &Stage, options: &Options, robot: &Robot) -> Given<Base> {
    let word = options.get("base", text)?.unwrap_or_else(|| "auto".to_owned());
    match word.as_str() {
        "auto" => {
            let root = &robot.links[robot.order[0].0];
            let is_world = root.name == WORLD && root.inertial.is_none();
            let has_no_mass = || Skeleton::new(robot, false).is_ok_and(|bones| bones.bodies[0].mass.is_none());
            Ok(if is_world || has_no_mass() { Base::Fixed } else { Base::Free })
        }
        "free" => Ok(Base::Free),
        "fixed" => Ok(Base::Fixed),
        name => {
            let bodies = &stage.scene.bodies;
            let Some(index) = bodies.iter().position(|body| body.name == name) else {
                let known = bodies.iter().map(|body| body.name.as_str()).chain(["fixed", "free"]);
                let similar = similar(name, known);
                return Err(Fault::UnknownBody { of: options.of().to_owned(), name: name.to_owned(), similar });
            };
            let is_fixed = matches!(bodies[index].motion, MotionDescription::Fixed);
            Ok(if is_fixed { Base::Fixed } else { Base::On(index) })
        }
    }
}

/// Velocity and spin of a free root.
fn motion(options: &Options, base: Base) -> Given<[DVec3; 2]> {
    let given = [options.get("velocity", vector)?, options.get("spin", vector)?];
    if base != Base::Free && given.iter().any(Option::is_some) {
        return Err(options.conflict("only a robot with a free base takes velocity or spin: leave them out"));
    }
    Ok(given.map(|given| given.unwrap_or(DVec3::ZERO)))
}

/// Where the joints of a skeleton begin: as the option `positions` says, or at zero, or at the limit nearest to zero.
fn starts(options: &Options, robot: &Robot, skeleton: &Skeleton, notes: &mut Vec<String>) -> Given<Vec<f64>> {
    let given = options.get("positions", |what, value| {
        value.clone().try_cast::<Map>().ok_or_else(|| super::values::wrong(what, "#{ joint: position, ... }", value))
    })?;
    let given = given.unwrap_or_default();
    let moves = |name: &str| {
        skeleton.joints.iter().any(|moving| {
            let joint = &robot.joints[moving.joint];
            joint.name == name && !matches!(joint.kind, JointType::Floating | JointType::Planar)
        })
    };
    if let Some(unknown) = given.keys().find(|name| !moves(name)) {
        let names = skeleton.joints.iter().map(|moving| robot.joints[moving.joint].name.as_str());
        let (of, name) = (options.of().to_owned(), unknown.to_string());
        return Err(Fault::UnknownJoint { of, similar: similar(&name, names), name });
    }
    let start = |moving: &Moving| {
        let joint = &robot.joints[moving.joint];
        let value = given.get(joint.name.as_str());
        let value =
            value.map(|value| number(&format!("{}: position of {}", options.of(), joint.name), value)).transpose()?;
        let [low, high] = joint.limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        match value {
            Some(value) if !(low..=high).contains(&value) => Err(Fault::Range {
                what: format!("{}: position of {}", options.of(), joint.name),
                value,
                expected: "within the limits of the joint",
            }),
            Some(value) => Ok(value),
            None => {
                let nearest = 0.0_f64.clamp(low, high);
                if nearest != 0.0 {
                    notes.push(format!(
                        "joint {} begins at {nearest}, since its limits {low} to {high} exclude 0",
                        joint.name
                    ));
                }
                Ok(nearest)
            }
        }
    };
    skeleton.joints.iter().map(start).collect()
}

/// What a joint does to its frame at a coordinate.
fn moved(joint: &urdf::Joint, at: f64) -> Pose {
    match joint.kind {
        JointType::Revolute | JointType::Continuous => {
            let (s, c) = libm::sincos(0.5 * at);
            let turn = joint.axis * s;
            Pose::from_rotation(DQuat::from_xyzw(turn.x, turn.y, turn.z, c))
        }
        JointType::Prismatic => Pose::from_translation(joint.axis * at),
        JointType::Fixed | JointType::Floating | JointType::Planar => Pose::IDENTITY,
    }
}

/// What a script learns: names of bodies and joints, places, and the mass of all that moves.
fn answer(stage: &Stage, robot: &RobotDescription) -> Map {
    let bodies = &stage.scene.bodies[robot.bodies.clone()];
    let names: Array = bodies.iter().map(|body| body.name.clone().into()).collect();
    let joints: Array =
        stage.scene.joints[robot.joints.clone()].iter().map(|joint| joint.name.clone().into()).collect();
    let mass: f64 = bodies
        .iter()
        .map(|body| match &body.motion {
            MotionDescription::Free { mass, .. } => mass.mass,
            MotionDescription::Fixed | MotionDescription::Scripted(_) => 0.0,
        })
        .sum();
    let place = |place: &PlaceDescription| {
        let body = place.body.map_or("ground", |number| stage.scene.bodies[number].name.as_str());
        let frame = |pose: &Pose| {
            [
                ("at".into(), written(pose.translation).into()),
                ("rotation".into(), written_rotation(pose.rotation).into()),
            ]
        };
        let world_from_body = place.body.map_or(Pose::IDENTITY, |number| stage.scene.bodies[number].world_from_shape);
        let start: Map = frame(&(world_from_body * place.body_from_place)).into_iter().collect();
        let mut told: Map = frame(&place.body_from_place).into_iter().collect();
        told.insert("body".into(), body.to_owned().into());
        told.insert("start".into(), start.into());
        (place.name.as_str().into(), told.into())
    };
    Map::from([
        ("name".into(), robot.name.clone().into()),
        ("bodies".into(), names.into()),
        ("joints".into(), joints.into()),
        ("mass".into(), mass.into()),
        ("places".into(), robot.places.iter().map(place).collect::<Map>().into()),
    ])
}
