//! Balls and dice shot at tumbling linkages (sections 2.3, 5.2): none is missed, none gets inside.

use super::random::Chance;
use super::scenes::{Hanging, Scale, add_linkage};
use impulse::geometry::closest::{PairCache, closest};
use impulse::prelude::*;

/// Shots in all, unless `IMPULSE_SHOTS` says otherwise.
const SHOTS: u64 = 1000;

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
    let target = DVec3::new(chance.within(-0.2, 0.2), chance.within(-0.2, 0.2), chance.within(-0.7, -0.2));
    let from = target + chance.direction() * 1.5;
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
    let shots = std::env::var("IMPULSE_SHOTS").map_or(SHOTS, |n| n.parse().unwrap());
    let (mut hits, mut looks, mut through) = (0, 0, 0);
    for seed in 0..shots {
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
    println!("{shots} shots: {hits} hit, {through} flew past, {looks} looks, none inside");
    assert!(u64::from(hits) > shots / 5, "{hits}");
}
