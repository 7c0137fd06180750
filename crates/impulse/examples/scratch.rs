//! scratch
use impulse::geometry::*;
use impulse::math::Pose;
use impulse::respond::{Law, Material};
use impulse::world::*;
use impulse::{DQuat, DVec3};
const G: f64 = 9.81;
fn builder(envelope: f64) -> WorldBuilder { WorldBuilder::new(Settings { envelope, ..Settings::default() }).unwrap() }
fn fixed(name: &str, shape: impl Into<Shape>, at: Pose, material: MaterialId) -> BodySpec {
    BodySpec { name: name.into(), shape: shape.into(), world_from_shape: at, material, motion: MotionSpec::Fixed }
}
fn free(name: &str, shape: impl Into<Shape>, at: Pose, material: MaterialId, velocity: DVec3) -> BodySpec {
    let motion = MotionSpec::Free { mass: MassSpec::Density(1000.0), velocity, spin: DVec3::ZERO };
    BodySpec { name: name.into(), shape: shape.into(), world_from_shape: at, material, motion }
}
fn surface(friction: f64, restitution: f64) -> Material { Material { friction, restitution, law: Law::Stronge } }
fn ramp(friction: f64, speed: f64) -> (World, BodyId, DVec3) {
    let angle = 30f64.to_radians();
    let mut b = builder(1e-5);
    let m = b.material(surface(friction, 0.3)).unwrap();
    let n = DVec3::new(angle.sin(), 0.0, angle.cos());
    let downhill = DVec3::new(angle.cos(), 0.0, -angle.sin());
    b.body(fixed("ramp", HalfSpace::new(n, 0.0).unwrap(), Pose::IDENTITY, m)).unwrap();
    let at = Pose { rotation: DQuat::from_rotation_y(angle), translation: n * 0.05 };
    let id = b.body(free("block", Cuboid::new(DVec3::splat(0.1)).unwrap(), at, m, downhill * speed)).unwrap();
    (b.build().unwrap(), id, downhill)
}
fn main() {
    let angle = 30f64.to_radians();
    let which = std::env::args().nth(1).unwrap_or_default();
    if which == "ramp" {
    for (friction, speed, until) in [(0.9, 5.48, 3.0), (0.6, 0.3, 3.0), (0.578, 0.3, 70.0)] {
        let (mut world, id, downhill) = ramp(friction, speed);
        let start = world.state_at(id, 0.0).world_from_body.translation;
        world.run_until(until, Some(200_000)).unwrap();
        let travelled = (world.state_at(id, until).world_from_body.translation - start).dot(downhill);
        let wanted = speed * speed / (2.0 * G * (friction * angle.cos() - angle.sin()));
        println!("mu {friction}: {travelled} of {wanted}, error {:e}; {} {:?}", travelled - wanted, world.time(), world.counters());
    }
    }
    if which == "trace" {
        let (mut world, id, downhill) = ramp(std::env::args().nth(2).unwrap().parse().unwrap(), std::env::args().nth(3).unwrap().parse().unwrap());
        let skip: usize = std::env::args().nth(4).unwrap().parse().unwrap();
        for k in 0..skip + 60 {
            let h = world.step().unwrap().unwrap();
            if k >= skip {
                let s = world.state_at(id, world.time());
                println!("{k} {:.9} {:?} v {:e} vn {:e} w {:?} c {:?}", world.time(), match h { Happened::Impact(_) => "impact", Happened::Hop(..) => "hop", Happened::Checked(..) => "check", Happened::Boxed(_) => "box" },
                    s.velocity.dot(downhill), s.velocity.dot(DVec3::new(0.5, 0., 3f64.sqrt()/2.)), s.spin.to_array(), world.counters().sweeps);
            }
        }
    }

    let arg = |n: usize, d: f64| std::env::args().nth(n).and_then(|s| s.parse().ok()).unwrap_or(d);
    if which == "platter" {
        let h = arg(2, 1e-5);
        let mut b = builder(h);
        let m = b.material(surface(0.8, 0.3)).unwrap();
        let top = Cylinder::new(1.0, 0.02).unwrap();
        let script = impulse::body::Cycle::spinner(Pose::from_translation(DVec3::new(0.0, 0.0, -0.01)), DVec3::Z, 6.0, Default::default()).unwrap();
        b.body(BodySpec { name: "platter".into(), shape: top.into(), world_from_shape: Pose::IDENTITY, material: m, motion: MotionSpec::Scripted { script: script.into(), centre: DVec3::ZERO } }).unwrap();
        // ball circles with radius R about its orbit centre at 2/7 w; choose centre at axis: velocity = 2/7 w x r
        let r = 0.025;
        let rad = 0.3;
        let w = 6.0 * 2.0 / 7.0;
        let mut s = free("ball", Sphere::new(r).unwrap(), Pose::from_translation(DVec3::new(rad, 0.0, r)), m, DVec3::new(0.0, w * rad, 0.0));
        // no slip: v + spin x (-r z) = W x r: v_y + (s_x) r... spin x (0,0,-r) = (-s_y r, s_x r, 0)
        if let MotionSpec::Free { spin, .. } = &mut s.motion { *spin = DVec3::new((6.0 * rad - w * rad) / r, 0.0, 0.0); }
        let id = b.body(s).unwrap();
        let mut world = b.build().unwrap();
        let t0 = std::time::Instant::now();
        for t in [0.1, 1.0, 5.0, 10.0, 20.0] {
            world.run_until(t, Some(3_000_000)).unwrap();
            let p = world.state_at(id, t).world_from_body.translation;
            let v = world.state_at(id, t).velocity;
            let rate = (p.x * v.y - p.y * v.x) / (p.x * p.x + p.y * p.y);
            println!("{t} radius {} err {:e} rate/W {} {:?} {:?}", p.truncate().length(), p.truncate().length() / rad - 1.0, rate / 6.0, t0.elapsed(), world.counters());
        }
    }
    if which == "rattle" {
        let h = arg(2, 1e-5);
        let mut b = builder(h);
        let m = b.material(surface(1.0, 0.0)).unwrap();
        b.body(fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap(), Pose::IDENTITY, m)).unwrap();
        let el = Ellipsoid::new(DVec3::new(0.2, 0.03, 0.02)).unwrap();
        let rot = DQuat::from_rotation_x(0.5f64.to_radians()) * DQuat::from_rotation_y(0.5f64.to_radians());
        let n_b = rot.conjugate() * -DVec3::Z;
        let shape: Shape = el.into();
        let low = shape.support(n_b).unwrap(); // in shape frame
        let centre = DVec3::new(0.0, 0.0, 0.0);
        let height = -(rot * low).z;
        let inertia = impulse::DMat3::from_cols(DVec3::new(2e-4, -0.2e-4, 0.0), DVec3::new(-0.2e-4, 16e-4, 0.0), DVec3::new(0.0, 0.0, 17e-4));
        let com = DVec3::new(0.0, 0.0, -0.01);
        let at = Pose { rotation: rot, translation: DVec3::new(0.0, 0.0, height) + centre };
        let w = DVec3::new(0.0, 0.0, -5.0);
        let arm = rot * (low - com);
        let velocity = -w.cross(arm);
        let mass = MassSpec::Properties(MassProperties { mass: 1.0, com, inertia });
        let motion = MotionSpec::Free { mass, velocity, spin: rot.conjugate() * w };
        let id = b.body(BodySpec { name: "top".into(), shape, world_from_shape: at, material: m, motion }).unwrap();
        let mut world = b.build().unwrap();
        let t0 = std::time::Instant::now();
        let mut last = -5.0; let mut k = 0;
        while world.time() < 4.0 {
            k += 1; let t = k as f64 * 1e-3;
            world.run_until(t, Some(3_000_000)).unwrap();
            let wz = world.state_at(id, t).angular_velocity().z;
            if last < 0.0 && wz >= 0.0 { println!("reversal at {}", t - 1e-3 * wz / (wz - last)); }
            last = wz;
            if k % 500 == 0 || k == 3070 || k == 3400 { println!("{t} wz {wz} {:?} {:?} E {}", t0.elapsed(), world.counters(), world.energy()); }
        }
    }
    if which == "coin" {
        let h = arg(2, 1e-5);
        let mut b = builder(h);
        let m = b.material(surface(0.5, 0.3)).unwrap();
        b.body(fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap(), Pose::IDENTITY, m)).unwrap();
        let (r, th) = (0.012, 0.002);
        // disc axis tilted from horizontal by lean; rolling along x at 0.5 m/s
        let lean = arg(3, 0.3);
        let rot = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2 - lean);
        let shape: Shape = Cylinder::new(r, th).unwrap().into();
        let low = shape.support(rot.conjugate() * -DVec3::Z).unwrap();
        let height = -(rot * low).z;
        let v = 0.5;
        // spin about the axis so that contact rests: w x arm = -v
        let axis = rot * DVec3::Z;
        let arm = rot * low;
        let vx = axis.cross(arm);
        let s = -v / vx.x;
        let mut spec = free("coin", shape, Pose { rotation: rot, translation: DVec3::new(0.0, 0.0, height) }, m, DVec3::new(v, 0.0, 0.0));
        if let MotionSpec::Free { spin, .. } = &mut spec.motion { *spin = DVec3::Z * s; }
        let id = b.body(spec).unwrap();
        let mut world = b.build().unwrap();
        let e0 = world.energy();
        let t0 = std::time::Instant::now();
        for k in 1..=30 {
            let t = k as f64 * 0.1;
            if !world.run_until(t, Some(300_000)).unwrap() { println!("storm at {}", world.time()); break; }
            let st = world.state_at(id, t);
            println!("{t} E err {:e} axis z {} p {} {:?} {:?}", world.energy() / e0 - 1.0, (st.world_from_body.rotation * DVec3::Z).z, st.world_from_body.translation, t0.elapsed(), world.counters());
        }
    }
    if which == "stack" {
        let n = arg(2, 2.0) as usize;
        let mut b = builder(arg(3, 1e-5));
        let m = b.material(surface(0.5, 0.3)).unwrap();
        b.body(fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap(), Pose::IDENTITY, m)).unwrap();
        let gap = arg(4, 0.0);
        let ids: Vec<_> = (0..n).map(|i| b.body(free(&format!("b{i}"), Cuboid::new(DVec3::splat(0.1)).unwrap(), Pose::from_translation(DVec3::new(0.001 * (i % 2) as f64, 0.0, 0.05 + (0.1 + gap) * i as f64)), m, DVec3::ZERO)).unwrap()).collect();
        let mut world = b.build().unwrap();
        let e0 = world.energy();
        let t0 = std::time::Instant::now();
        for k in 1..=20 {
            let t = k as f64 * arg(5, 0.1);
            match world.run_until(t, Some(100_000)) { Ok(true) => {}, Ok(false) => { println!("storm at {}", world.time()); break; } Err(e) => { println!("{e}"); break; } }
            let st = world.state_at(ids[n - 1], t);
            println!("{t} E {:e} top {:?} w {} {:?} {:?}", world.energy() - e0, st.world_from_body.translation.to_array(), st.spin.length(), t0.elapsed(), world.counters());
        }
    }
}
