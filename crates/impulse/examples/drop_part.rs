//! A bracket is dropped on a table; then its pose and its contacts tell which side it rests on.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use impulse::prelude::*;

/// An angle bracket: a plate with a flange at one end, m.
fn bracket() -> Result<Compound, Box<dyn std::error::Error>> {
    let plate = Piece {
        shape: Cuboid::new(DVec3::new(0.06, 0.03, 0.005))?.into(),
        compound_from_piece: Pose::from_translation(DVec3::new(0.03, 0.0, 0.0025)),
    };
    let flange = Piece {
        shape: Cuboid::new(DVec3::new(0.005, 0.03, 0.035))?.into(),
        compound_from_piece: Pose::from_translation(DVec3::new(0.0025, 0.0, 0.0225)),
    };
    Ok(Compound::new(vec![plate, flange])?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = WorldBuilder::new(Settings::default())?;
    builder.add_material(Material { friction: 0.4, restitution: 0.3, law: Law::Stronge })?;
    builder.add_body(BodySpec::fixed("table", HalfSpace::new(DVec3::Z, 0.0)?))?;
    let bracket = BodySpec::free("bracket", bracket()?)
        .at(DVec3::Z * 0.15)
        .rotated(DQuat::from_xyzw(0.3, -0.5, 0.2, 0.7).normalize())
        .spin(DVec3::new(3.0, -8.0, 5.0))
        .density(7850.0);
    let bracket = builder.add_body(bracket)?;
    let mut world = builder.build()?;

    // Until it has come to rest: asked a hundred times a second.
    world.add_clock(ClockSpec::sample(0.01))?;
    while let StopReason::Sample(tick) = world.run_until(5.0, None)? {
        if world.settled(bracket) == Some(true) {
            println!("at rest after {:.2} s", tick.time);
            break;
        }
    }

    let body = world.body(bracket).ok_or("the bracket is there")?;
    let down = body.pose().inverse_vector(-DVec3::Z);
    println!("down, in its own frame: ({:.4}, {:.4}, {:.4})", down.x, down.y, down.z);
    for contact in body.contacts() {
        let on_part = body.pose().inverse_point(contact.point);
        println!("touches at ({:.4}, {:.4}, {:.4}) m, {:?}", on_part.x, on_part.y, on_part.z, contact.mode);
    }
    // The table carries its weight.
    let force: DVec3 = body.contacts().iter().map(|contact| contact.force).sum();
    let weight = 9.81 * body.mass().unwrap_or(0.0);
    println!("is held with {:.4} N and weighs {weight:.4} N", force.z);
    assert!(body.settled() && body.in_lasting_contact() && body.contacts().len() >= 3);
    assert!((force.z / weight - 1.0).abs() < 0.05);
    Ok(())
}
