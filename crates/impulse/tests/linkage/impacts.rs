//! Impacts on linkages (section 5.3): against single bodies that are the same, against other bases, and what impacts keep.

use super::flight::{builder, hinge, rod};
use super::random::Chance;
use impulse::geometry::Shape;
use impulse::multibody::{BaseState, Joint, JointPlace, Link, LinkPoint, Placing, Posture, Tree};
use impulse::prelude::*;

fn floor(builder: &mut WorldBuilder) {
    builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap())).unwrap();
}

fn turned() -> DQuat {
    DQuat::from_xyzw(0.3, -0.2, 0.5, 0.8).normalize()
}

/// The states of all free bodies at a few times of a run, and how many collisions there were.
fn seen(world: &mut World, names: &[&str], until: f64) -> (Vec<Pose>, u64) {
    let mut poses = Vec::new();
    for k in 1..=20 {
        world.run_to(until * f64::from(k) / 20.0).unwrap();
        poses.extend(names.iter().map(|name| world.body(world.find(name).unwrap()).unwrap().pose()));
    }
    (poses, world.counters().collisions)
}

fn far(a: &[Pose], b: &[Pose]) -> f64 {
    let turned = |p: &Pose, q: &Pose| (p.rotation.conjugate() * q.rotation).xyz().length();
    let apart = |(p, q): (&Pose, &Pose)| p.translation.distance(q.translation) + turned(p, q);
    a.iter().zip(b).map(apart).fold(0.0, f64::max)
}

fn die(name: &str) -> FreeBodySpec {
    BodySpec::free(name, Cuboid::new(DVec3::new(0.2, 0.25, 0.3)).unwrap())
        .at(DVec3::Z * 0.8)
        .rotated(turned())
        .velocity(DVec3::new(0.4, -0.3, 0.5))
        .spin(DVec3::new(5.0, -7.0, 3.0))
        .density(800.0)
}

#[test]
fn a_linkage_of_one_link_is_a_ballistic_body() {
    let run = |as_linkage: bool| {
        let mut builder = builder(9.81);
        floor(&mut builder);
        let body = builder.add_body(die("die")).unwrap();
        if as_linkage {
            builder.float(body);
        }
        seen(&mut builder.build().unwrap(), &["die"], 0.75)
    };
    let ((one, collisions), (other, others)) = (run(false), run(true));
    let difference = far(&one, &other);
    println!("one link: {difference:e} from the ballistic body, {collisions} and {others} impacts");
    assert!(difference < 1e-9 && collisions == others && collisions >= 2, "{difference:e} {collisions} {others}");
}

#[test]
fn a_weld_of_two_is_one() {
    let half: Shape = Cuboid::new(DVec3::new(0.2, 0.2, 0.3)).unwrap().into();
    let place = |x: f64| Pose { rotation: turned(), translation: DVec3::Z * 0.8 + turned() * (DVec3::X * x) };
    let (velocity, spin) = (DVec3::new(0.4, -0.3, 0.5), DVec3::new(5.0, -7.0, 3.0));
    let welded = {
        let mut builder = builder(9.81);
        floor(&mut builder);
        let spec = |name: &str, x: f64| {
            BodySpec::free(name, half.clone()).at(place(x).translation).rotated(turned()).density(800.0)
        };
        // The velocity of the left half follows from that of the whole.
        let arm = turned() * (DVec3::X * -0.1);
        let whirl = turned() * spin;
        let left = builder.add_body(spec("left", -0.1).velocity(velocity + whirl.cross(arm)).spin(spin)).unwrap();
        let right = builder.add_body(spec("right", 0.1)).unwrap();
        builder.add_joint(JointSpec::new("weld", [Some(left), Some(right)], JointPlace::Weld)).unwrap();
        let mut world = builder.build().unwrap();
        seen(&mut world, &["left"], 0.75)
    };
    let whole = {
        let mut builder = builder(9.81);
        floor(&mut builder);
        let piece = |x: f64| Piece { shape: half.clone(), compound_from_piece: Pose::from_translation(DVec3::X * x) };
        let shape = Compound::new(vec![piece(-0.1), piece(0.1)]).unwrap();
        let spec = BodySpec::free("whole", shape).at(DVec3::Z * 0.8).rotated(turned());
        builder.add_body(spec.velocity(velocity).spin(spin).density(800.0)).unwrap();
        let (poses, collisions) = seen(&mut builder.build().unwrap(), &["whole"], 0.75);
        let left = |pose: &Pose| *pose * Pose::from_translation(DVec3::X * -0.1);
        (poses.iter().map(left).collect::<Vec<_>>(), collisions)
    };
    let difference = far(&welded.0, &whole.0);
    println!("weld: {difference:e} from one body, {} and {} impacts", welded.1, whole.1);
    assert!(difference < 1e-9 && welded.1 == whole.1 && whole.1 >= 2, "{difference:e} {} {}", welded.1, whole.1);
}

#[test]
fn another_base_is_the_same_linkage() {
    let names = ["a", "b", "c"];
    let run = |order: [usize; 3]| {
        let mut builder = builder(9.81);
        floor(&mut builder);
        // Moves as one at first, so that every order is given the same motion.
        let spec = |k: usize| rod(names[k], DVec3::new(k as f64 * 1.1, 0.0, 1.5)).velocity(DVec3::new(0.5, 0.0, 0.0));
        let mut ids = [None; 3];
        for k in order {
            ids[k] = Some(builder.add_body(spec(k)).unwrap());
        }
        builder.add_joint(hinge("ab", [ids[0], ids[1]], DVec3::new(0.55, 0.0, 1.5))).unwrap();
        let ball = JointPlace::Socket { through: DVec3::new(1.65, 0.0, 1.5) };
        builder.add_joint(JointSpec::new("bc", [ids[1], ids[2]], ball)).unwrap();
        let mut world = builder.build().unwrap();
        let b = world.find("b").unwrap();
        world.apply_impulse(b, DVec3::new(1.3, 0.1, 1.5), DVec3::new(0.3, 0.8, 0.6)).unwrap();
        seen(&mut world, &names, 0.8)
    };
    let first = run([0, 1, 2]);
    for order in [[1, 0, 2], [2, 1, 0]] {
        let other = run(order);
        let difference = far(&first.0, &other.0);
        println!("base {}: {difference:e}, {} and {} impacts", order[0], first.1, other.1);
        assert!(difference < 1e-9 && first.1 == other.1 && first.1 >= 2, "{difference:e} {} {}", first.1, other.1);
    }
}

/// A chain of bodies in any order, with the joints between neighbours.
struct Chain {
    poses: Vec<Pose>,
    masses: Vec<PrincipalMass>,
    places: Vec<JointPlace>,
}

impl Chain {
    fn any(chance: &mut Chance) -> Self {
        let n = 2 + chance.below(8);
        let pose = |chance: &mut Chance| Pose { rotation: chance.rotation(), translation: chance.vector(1.0) };
        let place = |chance: &mut Chance| {
            let at = chance.vector(1.0);
            chance.joint(at)
        };
        Self {
            poses: (0..n).map(|_| pose(chance)).collect(),
            masses: (0..n).map(|_| chance.mass(0.4)).collect(),
            places: (1..n).map(|_| place(chance)).collect(),
        }
    }

    /// As a tree that floats at the first body of an order.
    fn built(&self, order: &[usize]) -> (Tree, Posture) {
        let links = order.iter().enumerate().map(|(i, &body)| {
            let parent = i.checked_sub(1);
            let joint = parent.map_or(Joint::FLOATING, |p| {
                Joint::new(&self.places[body.min(order[p])], &self.poses[order[p]], &self.poses[body])
            });
            Link::new(parent, joint, self.masses[body])
        });
        let tree = Tree::new(links.collect()).unwrap();
        let sorted: Vec<Pose> = order.iter().map(|&body| self.poses[body]).collect();
        let (coordinates, rates) = (tree.start(&sorted), vec![0.0; tree.freedoms()]);
        let mut posture = Posture::new(&tree);
        posture.place(&tree, &Placing { coordinates: &coordinates, rates: &rates, base: BaseState::GROUND });
        posture.articulate(&tree);
        (tree, posture)
    }
}

/// The collision matrix does not depend on the base either: random chains turned over.
#[test]
fn another_base_has_the_same_collision_matrix() {
    let mut chance = Chance(5);
    let mut worst: f64 = 0.0;
    for _ in 0..300 {
        let chain = Chain::any(&mut chance);
        let n = chain.poses.len();
        let (tree, mut posture) = chain.built(&(0..n).collect::<Vec<_>>());
        let (back, mut turned) = chain.built(&(0..n).rev().collect::<Vec<_>>());
        let (a, b) = (chance.below(n), chance.below(n));
        let [p, q] = [chance.vector(1.0), chance.vector(1.0)];
        let at = |link, point| LinkPoint { link, point };
        let k = posture.comp_multibody_k(&tree, [at(a, p), at(b, q)]);
        let other = turned.comp_multibody_k(&back, [at(n - 1 - a, p), at(n - 1 - b, q)]);
        let own = posture.comp_multibody_k(&tree, [at(a, p), at(a, p)]);
        let size = |m: DMat3| m.to_cols_array().iter().fold(0.0f64, |m, x| m.max(x.abs()));
        worst = worst.max(size(k - other) / size(own));
    }
    println!("K from another base: {worst:e}");
    assert!(worst < 1e-9, "{worst:e}");
}

#[test]
fn impacts_keep_the_momenta() {
    let (mut worst, mut impacts) = (0.0f64, 0);
    for seed in 0..60 {
        let mut chance = Chance(seed);
        let mut builder = builder(0.0);
        let a = builder.add_body(rod("a", DVec3::ZERO).velocity(chance.vector(1.0)).spin(chance.vector(4.0))).unwrap();
        let b = builder.add_body(rod("b", DVec3::X * 1.1)).unwrap();
        builder.add_joint(hinge("ab", [Some(a), Some(b)], DVec3::X * 0.55).rate(chance.within(-3.0, 3.0))).unwrap();
        for k in 0..4 {
            let at = chance.direction() * 2.0 + DVec3::X * 0.5;
            let ball = BodySpec::free(format!("ball {k}"), Sphere::new(0.15).unwrap()).at(at);
            builder.add_body(ball.velocity(-at * chance.within(1.0, 5.0)).mass(chance.within(0.1, 3.0))).unwrap();
        }
        let Ok(mut world) = builder.build() else { continue };
        while world.time() < 2.0 {
            let before = (world.momentum(), world.angular_momentum());
            match world.step().unwrap() {
                Some(Event::Impact(_)) => impacts += 1,
                Some(_) => continue,
                None => break,
            }
            let size = |id| world.body(id).and_then(|b| Some(b.mass()? * b.velocity().length())).unwrap_or(0.0);
            let sizes: f64 = world.bodies().map(size).sum();
            let change = (world.momentum() - before.0).length().max((world.angular_momentum() - before.1).length());
            worst = worst.max(change / sizes);
        }
    }
    println!("{impacts} impacts: momenta kept to {worst:e}");
    assert!(impacts > 60 && worst < 1e-12, "{impacts}: {worst:e}");
}

/// Contacts of links that would last are struck again and again, each time with a hop's velocity: nothing sinks, nothing stalls.
#[test]
fn chains_come_down_and_neither_sink_nor_stall() {
    for hinged in [false, true] {
        let mut builder = builder(9.81);
        floor(&mut builder);
        let mut last = None;
        for i in 0..5 {
            let x = f64::from(i);
            let at = DVec3::new(0.05 * x, 0.0, 0.6 + 0.3 * x);
            let spec = if hinged {
                BodySpec::free(format!("link {i}"), Cuboid::new(DVec3::new(0.08, 0.08, 0.25)).unwrap())
            } else {
                BodySpec::free(format!("link {i}"), Capsule::new(0.04, 0.2).unwrap())
            };
            let body = builder.add_body(spec.at(at).mass(0.5)).unwrap();
            let through = at - DVec3::new(0.025, 0.0, 0.15);
            if last.is_some() {
                let place =
                    if hinged { JointPlace::Hinge { axis: DVec3::Y, through } } else { JointPlace::Socket { through } };
                builder.add_joint(JointSpec::new(format!("joint {i}"), [last, Some(body)], place)).unwrap();
            }
            last = Some(body);
        }
        let mut world = builder.build().unwrap();
        let reached = world.run_until(1.5, Some(60_000)).unwrap().reached();
        let c = world.counters();
        println!("hinged {hinged}: {} s, {} collisions, {} events", world.time(), c.collisions, c.events);
        assert!(reached && world.min_separation() > 0.0);
        assert!(world.energy_rise() <= world.energy_allowance(), "{:e}", world.energy_rise());
        assert!(world.body_refs().filter(|body| body.is_free()).all(|body| body.centre_of_mass().z < 0.6));
    }
}
