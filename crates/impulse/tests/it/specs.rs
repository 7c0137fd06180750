//! Specs as text and as bytes: read back to the bit, and refused where they are damaged (section 2.5).

use crate::samples::{KINDS, Numbers, shape};
use crate::zoo::Habitat;
use impulse::body::ScriptClock;
use impulse::geometry::icosphere;
use impulse::prelude::*;
use serde_json::{Value, json};

/// All kinds of shapes.
fn shapes() -> Vec<Shape> {
    let mut numbers = Numbers(17);
    let mut all: Vec<Shape> = (0..KINDS.len()).map(|kind| shape(kind, 1.0, &mut numbers)).collect();
    let shared = shape(7, 1.0, &mut numbers);
    let pieces = (0..9).map(|kind| Piece {
        shape: if kind < 8 { shape(kind, 0.7, &mut numbers) } else { shared.clone() },
        compound_from_piece: Pose::new(numbers.rotation(), numbers.direction()).unwrap(),
    });
    let twice = Piece { shape: shared.clone(), compound_from_piece: Pose::IDENTITY };
    all.push(Compound::new(pieces.chain([twice]).collect()).unwrap().into());
    all.push(HalfSpace::new(numbers.direction(), -0.3).unwrap().into());
    all.push(StaticMesh::new(icosphere(2)).unwrap().into());
    all
}

/// Cycles of every kind, and keyframes with quaternions on both sides.
fn scripts() -> Vec<Scripted> {
    let mut numbers = Numbers(23);
    let mut pose = || Pose::new(numbers.rotation(), numbers.direction()).unwrap();
    let clock = ScriptClock { start: 0.3, phase: -1.0 };
    let spinner = Cycle::spinner(pose(), DVec3::new(1.0, 2.0, -0.5), DVec3::X, 3.0).unwrap();
    let oscillator = Cycle::oscillator(pose(), DVec3::Y * 0.01, 300.0).unwrap().with_clock(clock).unwrap();
    let near = |angle: f64, sign: f64| DQuat::from_rotation_y(angle) * sign;
    let key = |time: f64, sign: f64| Keyframe {
        time,
        world_from_body: Pose { rotation: near(time, sign), translation: DVec3::Z * time },
    };
    let keys = [key(0.0, 1.0), key(0.5, -1.0), key(0.7, -1.0), key(1.1, 1.0), key(1.2, -1.0)];
    vec![spinner.into(), oscillator.into(), Keyframes::new(&keys).unwrap().into()]
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

fn refusal<T: serde::de::DeserializeOwned>(value: Value) -> String {
    serde_json::from_value::<T>(value).err().expect("it is damaged").to_string()
}

#[test]
fn shapes_are_read_back_to_the_bit() {
    for shape in shapes() {
        let by_text: Shape = serde_json::from_str(&text(&shape)).unwrap();
        let by_bytes: Shape = postcard::from_bytes(&postcard::to_stdvec(&shape).unwrap()).unwrap();
        for copy in [by_text, by_bytes] {
            assert_eq!(format!("{copy:?}"), format!("{shape:?}"));
            assert_eq!(text(&copy), text(&shape));
        }
    }
}

#[test]
fn scripts_are_read_back_to_the_bit() {
    for script in scripts() {
        let by_text: Scripted = serde_json::from_str(&text(&script)).unwrap();
        let by_bytes: Scripted = postcard::from_bytes(&postcard::to_stdvec(&script).unwrap()).unwrap();
        assert_eq!((&by_text, &by_bytes), (&script, &script));
    }
}

/// A body of every shape and motion.
fn bodies() -> Vec<BodySpec> {
    let mut numbers = Numbers(29);
    let inertia = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 2.5));
    let properties = MassProperties { mass: 3.0, com: DVec3::X, inertia };
    let mut all: Vec<BodySpec> = Vec::new();
    for shape in shapes() {
        let name = format!("fixed {}", all.len());
        all.push(BodySpec::fixed(name, shape.clone()).rotated(numbers.rotation()));
        if shape.volume_integrals().is_none() {
            continue;
        }
        let free = BodySpec::free(format!("free {}", all.len()), shape).at(DVec3::Y).spin(numbers.direction());
        all.extend([free.clone(), free.clone().mass(2.5), free.mass_properties(properties)].map(BodySpec::from));
    }
    let ball = Sphere::new(0.1).unwrap();
    all.extend(scripts().into_iter().map(|script| BodySpec::scripted("scripted", ball, script)));
    all
}

#[test]
fn bodies_are_read_back_to_the_bit() {
    for spec in bodies() {
        let by_text: BodySpec = serde_json::from_str(&text(&spec)).unwrap();
        let by_bytes: BodySpec = postcard::from_bytes(&postcard::to_stdvec(&spec).unwrap()).unwrap();
        assert_eq!([by_text, by_bytes].map(|copy| format!("{copy:?}")), [(); 2].map(|()| format!("{spec:?}")));
    }
    let free = BodySpec::free("ball", Sphere::new(0.1).unwrap()).velocity(DVec3::X).density(500.0);
    let copy: FreeBodySpec = serde_json::from_str(&text(&free)).unwrap();
    assert_eq!(format!("{copy:?}"), format!("{free:?}"));
    let fixed = serde_json::to_value(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    assert!(refusal::<FreeBodySpec>(fixed).contains("\"floor\" is fixed or scripted"));
}

#[test]
fn settings_surfaces_and_clocks_are_read_back() {
    let settings = Settings { gravity: DVec3::new(0.1, 0.2, -1.62), hop_height: 1e-4, ..Settings::default() };
    assert_eq!(serde_json::from_str::<Settings>(&text(&settings)).unwrap(), settings);
    assert_eq!(postcard::from_bytes::<Settings>(&postcard::to_stdvec(&settings).unwrap()).unwrap(), settings);
    // What is left out has its default; what is misspelt is refused.
    assert_eq!(serde_json::from_value::<Settings>(json!({})).unwrap(), Settings::default());
    assert!(refusal::<Settings>(json!({ "hop_hight": 1e-4 })).contains("hop_hight"));
    let surface = Surface { rolling_resistance: 1e-3, ..Surface::from(crate::world_support::surface(0.3, 0.7)) };
    assert_eq!(serde_json::from_str::<Surface>(&text(&surface)).unwrap(), surface);
    let clock = ClockSpec { start: 0.1, ..ClockSpec::tick(1e-3) };
    assert_eq!(serde_json::from_str::<ClockSpec>(&text(&clock)).unwrap(), clock);
}

#[test]
fn damaged_shapes_are_refused() {
    let says = |shape: Value, why: &str| {
        let said = refusal::<Shape>(shape.clone());
        assert!(said.contains(why), "{shape}: {said}");
    };
    says(json!([]), "no entries");
    says(json!([{ "Sphere": -1.0 }]), "radius is -1");
    says(json!([{ "Sphere": null }]), "invalid type");
    says(json!([{ "Cuboid": [1.0, 0.0, 1.0] }]), "size y is 0");
    says(json!([{ "RoundedCuboid": [[1.0, 1.0, 1.0], 0.6] }]), "at most half the smallest side");
    says(json!([{ "HalfSpace": [[0.0, 0.0, 2.0], 0.0] }]), "unit vector");
    says(json!([{ "Pyramid": 1.0 }]), "unknown variant");
    says(json!([{ "Mesh": { "vertices": [[0.0, 0.0, 0.0]], "triangles": [[0, 1, 2]] } }]), "names vertex 1");
    let mut numbers = Numbers(31);
    let mut hull = serde_json::to_value(shape(7, 1.0, &mut numbers)).unwrap();
    hull[0]["Convex"][0][0] = json!([0.0, 0.0, 0.0]);
    says(hull, "convex");
    let pieces = vec![Piece { shape: shape(1, 1.0, &mut numbers), compound_from_piece: Pose::IDENTITY }];
    let compound = serde_json::to_value(Shape::from(Compound::new(pieces).unwrap())).unwrap();
    let mut forward = compound.clone();
    forward[1]["Compound"][0][0][0] = json!(1);
    says(forward, "entry 1 (from 0) of the shape: a piece of a compound");
    let mut bent = compound;
    bent[1]["Compound"][0][0][1]["rotation"] = json!([0.0, 0.0, 0.0, 2.0]);
    says(bent, "a piece of a compound");
}

#[test]
fn damaged_scripts_are_refused() {
    let [spinner, oscillator, keyframes] = &scripts()[..] else { panic!("three scripts") };
    let says = |script: &Scripted, change: &dyn Fn(&mut Value), why: &str| {
        let mut value = serde_json::to_value(script).unwrap();
        change(&mut value);
        let said = refusal::<Scripted>(value);
        assert!(said.contains(why), "{said}");
    };
    says(spinner, &|v| v["Cycle"]["axis"] = json!([0.0, 0.0, 2.0]), "axis");
    says(oscillator, &|v| v["Cycle"]["orientation"] = json!([0.0, 0.0, 0.0, 0.5]), "unit quaternion");
    says(oscillator, &|v| v["Cycle"]["rate"] = Value::Null, "invalid type");
    says(keyframes, &|v| v["Keyframes"][2]["time"] = json!(0.1), "keyframe 2 (from 0)");
    says(keyframes, &|v| v["Keyframes"][1]["world_from_body"]["rotation"] = json!([0.0, 0.0, 0.0, 3.0]), "pose 1");
    says(keyframes, &|v| v["Keyframes"] = json!([]), "at least two");
    let endless = Keyframe { time: f64::INFINITY, world_from_body: Pose::IDENTITY };
    let bytes = postcard::to_stdvec(&vec![endless, endless]).unwrap();
    assert!(postcard::from_bytes::<Keyframes>(&bytes).is_err());
}

#[test]
fn numbers_that_are_wrong_in_a_spec_are_refused_by_the_world() {
    let refused = |spec: BodySpec| {
        let mut builder = WorldBuilder::new(Settings::default()).unwrap();
        builder.add_material(crate::world_support::surface(0.3, 0.5)).unwrap();
        builder.add_body(spec).unwrap_err()
    };
    let ball = || BodySpec::free("ball", Sphere::new(0.1).unwrap());
    let doubled = refused(ball().rotated(DQuat::IDENTITY * 2.0).into());
    assert_eq!(doubled, BuildError::NotUnit { name: "ball".into(), length: 2.0 });
    assert!(matches!(refused(ball().at(DVec3::NAN).into()), BuildError::NotFinite { .. }));
    assert!(matches!(refused(ball().mass(-1.0).into()), BuildError::Mass { .. }));
}

/// A body's contacts are the world's, with the body first.
#[test]
fn forces_of_a_bodys_contacts_act_on_it() {
    let zoo = Habitat { seed: 3, bodies: 27, closed: true, mixed: true, convex: false, settings: Settings::default() };
    let mut world = zoo.build().world;
    world.run_to(0.7).unwrap();
    let mut swapped = 0;
    for body in world.body_refs() {
        let (mine, listed) = (body.contacts(), world.lasting_contacts(body.id()));
        assert_eq!(mine.len(), listed.len());
        for (mine, listed) in mine.iter().zip(&listed) {
            let sign = if listed.bodies[0] == body.id() { 1.0 } else { -1.0 };
            assert_eq!((mine.bodies[0], mine.point, mine.mode), (body.id(), listed.point, listed.mode));
            assert_eq!((mine.force, mine.normal), (sign * listed.force, sign * listed.normal));
            swapped += usize::from(sign < 0.0);
        }
    }
    assert!(swapped > 0, "some bodies come second in the world's list");
}

#[test]
fn a_body_says_what_the_world_says() {
    let zoo = Habitat { seed: 3, bodies: 27, closed: true, mixed: true, convex: false, settings: Settings::default() };
    let mut world = zoo.build().world;
    world.run_to(0.7).unwrap();
    let (t, later) = (world.time(), world.time() + 1e-3);
    let mut rows = vec![[f64::NAN; 13]; 3];
    world.write_states(&mut rows);
    assert_eq!(rows.len(), world.len());
    let mut energy = 0.0;
    for ((id, pose), row) in world.poses().zip(&rows) {
        let body = world.body(id).unwrap();
        let state = world.principal_state_at(id, t).unwrap();
        assert_eq!((body.id(), Some(body.name())), (id, world.name(id)));
        assert_eq!((Some(pose), Some(body.pose_at(later))), (world.pose_at(id, t), world.pose_at(id, later)));
        assert_eq!((body.centre_of_mass(), body.velocity()), (state.world_from_body.translation, state.velocity));
        assert!((body.pose().vector(body.spin()) - body.angular_velocity()).length() < 1e-12);
        assert_eq!(
            (Some(body.settled()), Some(body.in_lasting_contact())),
            (world.settled(id), world.in_lasting_contact(id))
        );
        assert_eq!([body.is_fixed(), body.is_free(), body.is_scripted()].iter().filter(|&&is| is).count(), 1);
        let (p, w) = (pose.translation, body.angular_velocity());
        let numbers = [p.to_array(), state.velocity.to_array(), w.to_array()];
        assert_eq!([&row[..3], &row[7..10], &row[10..]], numbers.each_ref().map(<[f64; 3]>::as_slice));
        assert_eq!(row[3..7], pose.rotation.to_array());
        energy += body.kinetic_energy();
        let Some(mass) = body.mass_properties() else { continue };
        assert!(body.is_free() && body.mass() == Some(mass.mass));
        assert!((pose.point(mass.com) - body.centre_of_mass()).length() < 1e-12);
        let moments = mass.principal_frame().moments;
        let mut known = world.principal_mass(id).unwrap().moments().to_array();
        known.sort_by(f64::total_cmp);
        assert!((moments - DVec3::from_array(known)).length() < 1e-12 * moments.length());
        let farthest = body.shape().bounding_radius(mass.com);
        assert!((body.bounding_radius() - farthest).abs() < 1e-12 * farthest);
    }
    assert!((energy - world.kinetic_energy()).abs() < 1e-12 * energy);
    let gone = world.bodies().last().unwrap();
    world.remove_body(gone).unwrap();
    assert!(world.body(gone).is_none() && world.body_refs().all(|body| body.id() != gone));
}
