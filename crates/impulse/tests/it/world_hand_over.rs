//! Scripted bodies that give way and are taken up again, against closed forms (Moore and Wilhelms 1988, section 3.3).

use crate::world_support::{floor, surface};
use impulse::body::{Cycle, Keyframe, Keyframes, Scripted};
use impulse::geometry::{Cuboid, MassProperties, Shape, Sphere, StaticMesh};
use impulse::math::Pose;
use impulse::multibody::JointPlace;
use impulse::world::{ActError, BodyId, BodySpec, JointSpec, MassSpec, Settings, World, WorldBuilder};
use impulse::{DMat3, DQuat, DVec3};

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

fn builder(gravity: DVec3, friction: f64, restitution: f64) -> WorldBuilder {
    let mut builder = WorldBuilder::new(Settings { gravity, ..Settings::default() }).unwrap();
    builder.add_material(surface(friction, restitution)).unwrap();
    builder
}

/// Straight from a place at a time to another, with soft ends.
fn way(from: (f64, DVec3), to: (f64, DVec3)) -> Scripted {
    let key = |(time, at): (f64, DVec3)| Keyframe { time, world_from_body: Pose::from_translation(at) };
    Keyframes::new(&[key(from), key(to)]).unwrap().into()
}

fn ball(radius: f64) -> Sphere {
    Sphere::new(radius).unwrap()
}

fn centre(world: &World, body: BodyId) -> DVec3 {
    world.body(body).unwrap().centre_of_mass()
}

/// A propeller with its mass off the axis flies off along the tangent, and goes on turning.
#[test]
fn a_released_body_has_the_velocity_of_its_script() {
    let mut builder = builder(GRAVITY, 0.3, 0.5);
    let (rate, through) = (4.0, DVec3::new(1.0, 0.0, 5.0));
    let turning = Cycle::spinner(Pose::from_translation(through), DVec3::Y, through, rate).unwrap();
    let blade = Shape::from(Cuboid::new(DVec3::new(0.4, 0.02, 0.05)).unwrap());
    let blade = builder.add_body(BodySpec::scripted("blade", blade, turning)).unwrap();
    let mut world = builder.build().unwrap();
    world.run_to(0.7).unwrap();
    assert_eq!(world.kinetic_energy(), 0.0);
    let com = DVec3::new(0.1, 0.0, 0.0);
    let inertia = DMat3::from_diagonal(DVec3::new(0.01, 0.05, 0.04));
    let mass = MassProperties { mass: 2.0, com, inertia };
    let pose = world.body(blade).unwrap().pose();
    world.release(blade, MassSpec::Properties(mass)).unwrap();
    let now = world.body(blade).unwrap();
    let (spin, arm) = (DVec3::Y * rate, pose.vector(com));
    assert!((now.velocity() - spin.cross(arm)).length() < 1e-14);
    assert!(now.pose().translation.distance(pose.translation) < 1e-15 && now.is_free());
    assert!((now.spin() - DVec3::Y * rate).length() < 1e-14, "{}", now.spin());
    let energy = 0.5 * 2.0 * (rate * 0.1).powi(2) + 0.5 * 0.05 * rate * rate;
    assert!((world.kinetic_energy() - energy).abs() < 1e-13);
    assert!((world.momentum() - 2.0 * spin.cross(arm)).length() < 1e-14);
    let start = pose.point(com);
    world.run_to(1.2).unwrap();
    let wanted = start + 0.5 * spin.cross(arm) + 0.5 * 0.25 * GRAVITY;
    assert!(centre(&world, blade).distance(wanted) < 1e-13);
    // It turns about an axis of inertia: on by 2 rad.
    let turned = DQuat::from_rotation_y(0.5 * rate) * pose.rotation;
    assert!(world.body(blade).unwrap().pose().rotation.dot(turned).abs() > 1.0 - 1e-13);
    // The free body stays as it is if it is released again.
    let hash = world.trace_hash();
    world.release(blade, MassSpec::Mass(7.0)).unwrap();
    assert_eq!((world.body(blade).unwrap().mass(), world.trace_hash()), (Some(2.0), hash));
}

/// A ball on rails is let go and meets another of its mass: they exchange their velocities, and nothing is lost. Before, the other one
/// would have been struck by something that never gives way, and gone off twice as fast.
#[test]
fn what_gives_way_conserves_momentum_and_energy() {
    for is_released in [true, false] {
        let mut builder = builder(DVec3::ZERO, 0.0, 1.0);
        let script = way((0.0, DVec3::ZERO), (4.0, DVec3::X * 8.0));
        let rails = builder.add_body(BodySpec::scripted("rails", ball(0.1), script)).unwrap();
        let target = BodySpec::free("target", ball(0.1)).at(DVec3::X * 6.0).mass(3.0);
        let target = builder.add_body(target).unwrap();
        let mut world = builder.build().unwrap();
        world.run_to(2.0).unwrap();
        // In the middle of its way: half again as fast as in the mean.
        let speed = 3.0;
        if is_released {
            world.release(rails, MassSpec::Mass(3.0)).unwrap();
            assert!((world.momentum().x - 3.0 * speed).abs() < 1e-13);
        }
        let energy = world.energy();
        world.run_to(3.9).unwrap();
        let struck = world.body(target).unwrap().velocity();
        if is_released {
            assert!((struck - DVec3::X * speed).length() < 1e-9, "{struck}");
            assert!(world.body(rails).unwrap().velocity().length() < 1e-9);
            assert!((world.energy() - energy).abs() < 1e-12 * energy && (world.momentum().x - 9.0).abs() < 1e-12);
        } else {
            assert!(struck.x > 1.2 * speed, "{struck}");
        }
        assert!(world.energy_rise() < 1e-9, "{}", world.energy_rise());
        assert_eq!(world.counters().collisions, 1);
    }
}

/// A platform with a box on it is let go: both fall as one, and end on the floor.
#[test]
fn what_stands_on_a_released_body_falls_with_it() {
    let mut builder = builder(GRAVITY, 0.5, 0.2);
    builder.add_body(floor(impulse::world::MaterialId::default())).unwrap();
    let still = way((0.0, DVec3::Z * 2.0), (1.0, DVec3::Z * 2.0));
    let platform = Cuboid::new(DVec3::new(0.5, 0.5, 0.05)).unwrap();
    let platform = builder.add_body(BodySpec::scripted("platform", platform, still)).unwrap();
    let load = BodySpec::free("load", Cuboid::new(DVec3::splat(0.1)).unwrap()).at(DVec3::Z * 2.15).mass(1.0);
    let load = builder.add_body(load).unwrap();
    let mut world = builder.build().unwrap();
    world.run_to(1.0).unwrap();
    assert!(world.body(load).unwrap().settled());
    world.release(platform, MassSpec::Mass(10.0)).unwrap();
    let heights = [platform, load].map(|body| centre(&world, body).z);
    world.run_to(1.5).unwrap();
    for (body, height) in [platform, load].into_iter().zip(heights) {
        // Their last hop parts them by its impulse.
        let wanted = height - 0.5 * 9.81 * 0.25;
        assert!((centre(&world, body).z - wanted).abs() < 1e-3, "{} {wanted}", centre(&world, body).z);
    }
    world.run_to(6.0).unwrap();
    let ends = [platform, load].map(|body| centre(&world, body));
    assert!((ends[0].z - 0.025).abs() < 1e-6 && (ends[1].z - 0.1).abs() < 1e-6, "{ends:?}");
    assert!([platform, load].iter().all(|&body| world.body(body).unwrap().settled()));
    assert!(world.min_separation() > 0.0 && world.energy_rise() <= world.energy_allowance());
}

/// Thrown up, caught at its height, carried to the side, and let go again.
#[test]
fn a_free_body_is_taken_up_and_let_go() {
    let mut builder = builder(GRAVITY, 0.3, 0.5);
    let thrown = BodySpec::free("ball", ball(0.1)).velocity(DVec3::Z * 9.81).mass(2.0);
    let caught = builder.add_body(thrown).unwrap();
    let stone = BodySpec::free("stone", ball(0.1)).at(DVec3::new(1.0, 0.0, 28.84)).mass(2.0);
    let stone = builder.add_body(stone).unwrap();
    let mut world = builder.build().unwrap();
    world.run_to(1.0).unwrap();
    let at = centre(&world, caught);
    assert!(at.distance(DVec3::Z * 0.5 * 9.81) < 1e-13);
    world.script(caught, way((1.0, at), (2.0, at + DVec3::X))).unwrap();
    let before = centre(&world, stone).z - at.z;
    world.run_to(2.5).unwrap();
    // Nothing moves it off its way, though the stone has fallen on it.
    assert!(centre(&world, caught).distance(at + DVec3::X) < 1e-15 && before > 0.0);
    assert!(world.counters().collisions > 0 && !world.body(caught).unwrap().is_free());
    assert!(centre(&world, stone).z > at.z, "the stone was thrown back");
    assert_eq!(world.apply_impulse(caught, at, DVec3::X), Err(ActError::NotFree("ball".to_owned())));
    world.release(caught, MassSpec::Mass(2.0)).unwrap();
    world.run_to(2.7).unwrap();
    assert!((centre(&world, caught).z - (at.z - 0.5 * 9.81 * 0.04)).abs() < 1e-12);
}

/// Eight trays that swing, each with a die above it.
fn trays(naive_broad_phase: bool) -> (World, Vec<BodyId>) {
    let settings = Settings { gravity: GRAVITY, naive_broad_phase, ..Settings::default() };
    let mut builder = WorldBuilder::new(settings).unwrap();
    builder.add_material(surface(0.4, 0.4)).unwrap();
    builder.add_body(floor(impulse::world::MaterialId::default())).unwrap();
    let mut ids = Vec::new();
    for i in 0..8 {
        let at = DVec3::new(0.25 * f64::from(i), 0.0, 0.6);
        let script = Cycle::oscillator(Pose::from_translation(at), DVec3::new(0.01, 0.0, 0.1), 6.0).unwrap();
        let shape = Cuboid::new(DVec3::new(0.1, 0.15, 0.05)).unwrap();
        ids.push(builder.add_body(BodySpec::scripted(format!("tray {i}"), shape, script)).unwrap());
        let die = BodySpec::free(format!("die {i}"), Cuboid::new(DVec3::splat(0.04)).unwrap());
        builder.add_body(die.at(at + DVec3::Z * 0.2).density(500.0)).unwrap();
    }
    (builder.build().unwrap(), ids)
}

/// Many bodies, released and taken up: the same bits from a snapshot in between, and with every pair looked at.
#[test]
fn snapshots_and_broad_phases_change_no_bit() {
    let act = |world: &mut World, ids: &[BodyId], from: usize| {
        for (i, &tray) in ids.iter().enumerate().skip(from) {
            world.run_to(0.5 + 0.1 * i as f64).unwrap();
            world.release(tray, MassSpec::Density(700.0)).unwrap();
            if i % 3 == 2 {
                let at = centre(world, ids[i - 1]);
                let body = world.body(ids[i - 1]).unwrap();
                let pose = Pose { translation: at, ..body.pose() };
                let keys = [0.0, 0.5].map(|later| Keyframe { time: world.time() + later, world_from_body: pose });
                world.script(ids[i - 1], Keyframes::new(&keys).unwrap()).unwrap();
            }
        }
        world.run_to(2.0).unwrap();
    };
    let (mut straight, ids) = trays(false);
    act(&mut straight, &ids, 0);
    let (mut naive, _) = trays(true);
    act(&mut naive, &ids, 0);
    let (mut first, _) = trays(false);
    for (i, &tray) in ids.iter().enumerate().take(2) {
        first.run_to(0.5 + 0.1 * i as f64).unwrap();
        first.release(tray, MassSpec::Density(700.0)).unwrap();
    }
    let written = serde_json::to_string(&first.snapshot()).unwrap();
    let mut restored = World::restore(serde_json::from_str(&written).unwrap()).unwrap();
    act(&mut restored, &ids, 2);
    let outcome = |world: &World| (world.trace_hash(), world.counters().collisions, world.momentum());
    assert_eq!(outcome(&straight), outcome(&restored));
    assert_eq!(straight.momentum(), naive.momentum());
    assert!(straight.counters().collisions > 30 && straight.min_separation() > 0.0);
}

#[test]
fn what_cannot_be_handed_over_is_refused_and_goes_on() {
    let mut builder = builder(GRAVITY, 0.3, 0.5);
    let ground = builder.add_body(floor(impulse::world::MaterialId::default())).unwrap();
    let still = |at: DVec3| way((0.0, at), (1.0, at));
    let sunk = builder.add_body(BodySpec::scripted("sunk", ball(0.2), still(DVec3::Z * 0.1))).unwrap();
    let cube = impulse::geometry::Cuboid::new(DVec3::splat(0.1)).unwrap();
    let surface = StaticMesh::new(Shape::from(cube).tessellate(0.0).unwrap()).unwrap();
    let hollow = BodySpec::scripted("hollow", Shape::from(surface), still(DVec3::new(3.0, 0.0, 1.0)));
    let hollow = builder.add_body(hollow).unwrap();
    let base = builder.add_body(BodySpec::scripted("base", ball(0.1), still(DVec3::new(6.0, 0.0, 3.0)))).unwrap();
    let arm = BodySpec::free("arm", ball(0.1)).at(DVec3::new(6.0, 0.0, 2.5)).mass(1.0);
    let arm = builder.add_body(arm).unwrap();
    let axle = JointPlace::Hinge { axis: DVec3::Y, through: DVec3::new(6.0, 0.0, 3.0) };
    builder.add_joint(JointSpec::new("axle", [Some(base), Some(arm)], axle)).unwrap();
    let loose = builder.add_body(BodySpec::free("loose", ball(0.1)).at(DVec3::new(9.0, 0.0, 1.0)).mass(1.0)).unwrap();
    let mut world = builder.build().unwrap();
    let mut twin = world.clone();
    world.run_to(0.2).unwrap();
    let mass = MassSpec::Mass(1.0);
    let told = |refused: Result<(), ActError>| refused.unwrap_err().to_string();
    assert!(told(world.release(ground, mass)).contains("\"floor\" is fixed"));
    assert!(told(world.script(ground, still(DVec3::ZERO))).contains("\"floor\" is fixed"));
    assert!(told(world.release(sunk, mass)).contains("\"sunk\" overlaps \"floor\" by about 1.0"));
    assert!(told(world.release(hollow, mass)).contains("\"hollow\" is a triangle surface"));
    assert!(told(world.release(base, mass)).contains("\"base\" is joined to others"));
    assert!(told(world.script(arm, still(DVec3::ZERO))).contains("\"arm\" is joined to others"));
    assert!(told(world.script(loose, still(DVec3::ZERO))).contains("\"loose\" would jump"));
    assert!(told(world.release(sunk, MassSpec::Mass(-1.0))).contains("\"sunk\""));
    let turned = Pose { rotation: DQuat::from_rotation_x(1.0), translation: centre(&world, loose) };
    let keys = [0.0, 1.0].map(|time| Keyframe { time, world_from_body: turned });
    assert!(matches!(world.script(loose, Keyframes::new(&keys).unwrap()), Err(ActError::Jump { .. })));
    let gone = world.add_body(BodySpec::free("gone", ball(0.1)).at(DVec3::Z * 9.0)).unwrap();
    world.remove_body(gone).unwrap();
    assert_eq!(world.release(gone, mass), Err(ActError::NoSuchBody));
    for world in [&mut world, &mut twin] {
        world.run_to(1.5).unwrap();
    }
    assert_eq!(centre(&world, loose), centre(&twin, loose));
    assert_eq!(centre(&world, arm), centre(&twin, arm));
    assert_eq!(world.energy(), twin.energy());
}
