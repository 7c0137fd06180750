//! What holds in every scene, on random ones with linkages: no overlap, no energy from nothing, one trace, snapshots to the bit, no special
//! length.

use super::scenes::{Scale, zoo, zoo_by};
use impulse::geometry::judge::{Outline, Verdict, overlap};
use impulse::prelude::*;

/// Pairs that may collide and overlap at a time, by an independent judge.
fn overlapping(world: &World, outlines: &[Outline], linkages: &[Vec<BodyId>], time: f64) -> Option<String> {
    let bodies: Vec<_> = world
        .body_refs()
        .map(|body| {
            let radius = body.shape().bounding_radius(DVec3::ZERO);
            (body, radius, linkages.iter().position(|l| l.contains(&body.id())))
        })
        .collect();
    for (i, (a, ra, la)) in bodies.iter().enumerate() {
        for (b, rb, lb) in &bodies[..i] {
            let is_base = |x: &BodyRef<'_>, y: &BodyRef<'_>| {
                x.name().ends_with("base") && y.name().starts_with(x.name().trim_end_matches(" base"))
            };
            if !(a.is_free() || b.is_free()) || (la.is_some() && la == lb) || is_base(a, b) || is_base(b, a) {
                continue;
            }
            let [p, q] = [a, b].map(|body| body.pose_at(time));
            if p.translation.distance(q.translation) > ra + rb {
                continue;
            }
            let [first, second] = [a, b].map(|body| &outlines[body.id().index()]);
            let verdict = overlap(first, second, &(p.inverse() * q));
            if let Verdict::Overlapping { depth, .. } = verdict {
                return Some(format!("{} and {} by {depth:e} at {time}", a.name(), b.name()));
            }
        }
    }
    None
}

#[test]
fn nothing_overlaps_and_no_energy_comes_from_nothing() {
    let (mut collisions, mut stops) = (0, 0);
    for seed in 0..24 {
        let (mut world, linkages) = zoo(seed, Scale::ONE, if seed % 3 == 0 { 0.0 } else { 9.81 }, seed % 4 != 3);
        let outline = |body: BodyRef<'_>| {
            Outline::inside(body.shape(), 0.02 * body.shape().bounding_radius(DVec3::ZERO)).unwrap()
        };
        let outlines: Vec<Outline> = world.body_refs().map(outline).collect();
        for k in 0..1500 {
            if world.step().unwrap_or_else(|e| panic!("seed {seed}: {e}")).is_none() {
                break;
            }
            if k % 40 == 0 {
                let now = world.time();
                let next = world.next_event().unwrap_or(now);
                for t in [now, 0.5 * (now + next)] {
                    assert_eq!(overlapping(&world, &outlines, &linkages, t), None, "seed {seed}, event {k}");
                }
            }
        }
        assert!(world.min_separation() >= 0.0, "seed {seed}");
        let (rise, allowed) = (world.energy_rise(), world.energy_allowance());
        assert!(rise <= allowed, "seed {seed}: rise {rise:e}, allowed {allowed:e}");
        collisions += world.counters().collisions;
        stops += world.counters().stops;
    }
    println!("24 zoos: {collisions} collisions, {stops} stops");
    assert!(collisions > 500 && stops > 50, "{collisions} {stops}");
}

#[test]
fn one_input_one_trace() {
    for seed in 0..8 {
        let run = |naive: bool| {
            let (mut world, _) = zoo_by(seed, Scale::ONE, 9.81, (true, naive));
            (0..1000).for_each(|_| {
                world.step().unwrap();
            });
            let c = world.counters();
            (world.trace_hash(), [c.events, c.checks, c.collisions, c.stops])
        };
        assert_eq!(run(false), run(true), "seed {seed}");
    }
}

#[test]
fn snapshots_go_on_to_the_bit() {
    for seed in 0..8 {
        let (mut world, _) = zoo(seed, Scale::ONE, 9.81, true);
        for part in 0..5 {
            (0..137).for_each(|_| {
                world.step().unwrap();
            });
            let text = serde_json::to_string(&world.snapshot()).unwrap();
            let bytes = postcard::to_stdvec(&world.snapshot()).unwrap();
            let mut copy = World::restore(serde_json::from_str(&text).unwrap()).unwrap();
            let mut other = World::restore(postcard::from_bytes(&bytes).unwrap()).unwrap();
            (0..300).for_each(|_| {
                copy.step().unwrap();
                other.step().unwrap();
            });
            let mut original = world.clone();
            (0..300).for_each(|_| {
                original.step().unwrap();
            });
            assert_eq!(original.trace_hash(), copy.trace_hash(), "seed {seed}, part {part}");
            assert_eq!(original.trace_hash(), other.trace_hash(), "seed {seed}, part {part}");
            assert_eq!(original.counters(), copy.counters());
            assert_eq!(original.stops(), copy.stops());
        }
    }
}

/// Everything that can be seen of all bodies, in units of the unscaled world.
fn states(world: &World, scale: Scale) -> Vec<[u64; 13]> {
    let speed = scale.length / scale.time;
    let seen = |id| {
        let s = world.principal_state_at(id, world.time()).unwrap();
        let (x, q) = (s.world_from_body.translation / scale.length, s.world_from_body.rotation);
        let (v, w) = (s.velocity / speed, s.spin * scale.time);
        [x.x, x.y, x.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z].map(f64::to_bits)
    };
    world.bodies().map(seen).collect()
}

#[test]
fn linkages_scale_to_the_bit() {
    for seed in [1, 2, 4] {
        for k in [-5, 2] {
            let scale = Scale::binary(k);
            let ((mut one, _), (mut other, _)) = (zoo(seed, Scale::ONE, 9.81, true), zoo(seed, scale, 9.81, true));
            for step in 1..=10 {
                let t = 0.1 * f64::from(step);
                one.run_to(t).unwrap();
                other.run_to(t * scale.time).unwrap();
                assert_eq!(states(&one, Scale::ONE), states(&other, scale), "seed {seed}, 4^{k} at {t}");
            }
            assert_eq!(one.counters(), other.counters());
        }
    }
}
