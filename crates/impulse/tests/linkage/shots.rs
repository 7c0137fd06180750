//! Balls and dice shot at tumbling linkages (sections 2.3, 5.2): none is missed, none gets inside.

use super::random::Chance;
use super::scenes::{Hanging, Scale, add_linkage};
use impulse::geometry::closest::{PairCache, closest};
use impulse::prelude::*;

/// Shots in all; the binary of benchmarks makes more.
const SHOTS: u64 = 10_000;

struct Shot {
    world: World,
    links: Vec<BodyId>,
    bullet: BodyId,
    speed: f64,
}

fn shot(seed: u64) -> Shot {
    let mut chance = Chance(seed);
    let settings = Settings { gravity: DVec3::ZERO, ..Settings::default() };
    let mut builder = WorldBuilder::new(settings).unwrap();
    builder.add_material(Material { friction: 0.3, restitution: 0.5, law: Law::Stronge }).unwrap();
    let count = 2 + chance.below(2);
    let links =
        add_linkage(&mut builder, &mut chance, ("l", DVec3::ZERO, Hanging::Nothing), (Scale::ONE, count, false));
    let speed = 10f64.powf(chance.within(0.0, 3.0));
    let target = DVec3::new(chance.within(-0.3, 0.3), chance.within(-0.3, 0.3), chance.within(-1.2, 0.1));
    let from = chance.direction() * 2.5 + DVec3::Z * -0.5;
    let shape: Shape = if seed.is_multiple_of(2) {
        Sphere::new(0.02).unwrap().into()
    } else {
        Cuboid::new(DVec3::splat(0.04)).unwrap().into()
    };
    let spec = BodySpec::free("bullet", shape).at(from).rotated(chance.rotation()).mass(0.05);
    let bullet =
        builder.add_body(spec.velocity((target - from).normalize() * speed).spin(chance.vector(20.0))).unwrap();
    Shot { world: builder.build().unwrap(), links, bullet, speed }
}

/// The smallest distance between the bullet and the links at a time.
fn distance(world: &World, shot: (&[BodyId], BodyId), time: f64) -> f64 {
    let bullet = world.body(shot.1).unwrap();
    let pose = bullet.pose_at(time);
    let of = |&id: &BodyId| {
        let link = world.body(id).unwrap();
        let between = pose.inverse() * link.pose_at(time);
        let found = closest(bullet.shape(), link.shape(), &between, &mut PairCache::default());
        if found.overlapping { -1.0 } else { found.distance }
    };
    shot.0.iter().map(of).fold(f64::INFINITY, f64::min)
}

#[test]
fn no_shot_is_missed() {
    let (mut hits, mut looks, mut through) = (0, 0, 0);
    for seed in 0..SHOTS {
        let Shot { mut world, links, bullet, speed } = shot(seed);
        let until = 5.0 / speed;
        let (mut struck, mut events) = (false, 0);
        // Looks at the way until the first blow, in steps of a quarter of the bullet.
        while !struck && world.time() < until {
            let now = world.time();
            let next = world.next_event().unwrap_or(until).min(until);
            let step = 0.005 / (speed + 5.0);
            let looking = ((next - now) / step).min(50.0);
            for k in 0..looking as u32 {
                let t = now + (next - now) * f64::from(k) / looking;
                let gap = distance(&world, (&links, bullet), t);
                assert!(gap > 0.0, "seed {seed}: inside at {t}");
                looks += 1;
            }
            events += 1;
            assert!(events < 5000, "seed {seed}: no end at {} s of {until}", world.time());
            match world.step().unwrap_or_else(|e| panic!("seed {seed}: {e}")) {
                Some(Event::Impact(_)) => struck = true,
                Some(_) => {}
                None => break,
            }
        }
        let _ = world.run_until(world.time() + 0.2 / speed, Some(5000)).unwrap();
        assert!(world.min_separation() > 0.0 && distance(&world, (&links, bullet), world.time()) > 0.0, "seed {seed}");
        hits += u32::from(struck);
        through += u32::from(!struck);
    }
    println!("{SHOTS} shots: {hits} hit, {through} flew past, {looks} looks, none inside");
    assert!(hits > 2000, "{hits}");
}

#[test]
#[ignore]
fn debug_one() {
    let seed: u64 = std::env::var("SEED").unwrap().parse().unwrap();
    let Shot { mut world, links, .. } = shot(seed);
    for j in world.joints() {
        let j = world.joint(j).unwrap();
        println!("{:?} {:?} {:?}", j.name(), j.kind(), j.limits());
    }
    for k in 0..5000 {
        let e = world.step().unwrap();
        if k > 4960 {
            println!(
                "{} {:?} until {:?}",
                world.time(),
                e.map(|e| format!("{e:?}").chars().take(60).collect::<String>()),
                links.iter().map(|&l| world.motion(l).unwrap().known_until(world.time())).collect::<Vec<_>>()
            );
        }
    }
}
