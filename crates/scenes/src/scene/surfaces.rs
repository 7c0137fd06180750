//! Materials in scripts, and pairs of materials (section 3.1).

use super::description::{ContactDescription, MaterialId};
use super::error::Fault;
use super::stage::{Answer, SharedStage, Stage};
use super::values::{Given, Options, number, own, text};
use impulse::respond::{Law, Material};
use impulse::world::{Surface, combine};
use rhai::{Dynamic, Engine};
use std::ops::RangeInclusive;

/// Most materials of a scene.
const MAX_MATERIALS: usize = 10_000;

/// Registers `material` and `contact`.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    engine.register_type_with_name::<MaterialId>("material");
    let shared = stage.clone();
    engine.register_fn("material", move |options: Dynamic| -> Answer<MaterialId> {
        Ok(material(&mut shared.borrow_mut(), &options)?)
    });
    let shared = stage.clone();
    engine.register_fn("contact", move |a: Dynamic, b: Dynamic, options: Dynamic| -> Answer<()> {
        Ok(contact(&mut shared.borrow_mut(), [&a, &b], &options)?)
    });
}

/// A material that was passed to a function.
pub(super) fn material_of(what: &str, value: &Dynamic) -> Given<MaterialId> {
    own(what, "a material made by material(#{ ... })", value)
}

/// The options of a contact.
const COEFFICIENTS: &[&str] =
    &["friction", "restitution", "law", "static_friction", "rolling_resistance", "spinning_resistance"];

/// The options of a material.
const OF_MATERIALS: &[&str] =
    &["friction", "restitution", "law", "static_friction", "rolling_resistance", "spinning_resistance", "name"];

fn material(stage: &mut Stage, options: &Dynamic) -> Given<MaterialId> {
    let options = Options::new("material".to_owned(), options, OF_MATERIALS)?;
    if stage.scene.materials.len() >= MAX_MATERIALS {
        return Err(Fault::Limit("the scene has more than 10000 materials: make them once, outside loops"));
    }
    let surface = surface(&options, None)?;
    let name = options.get("name", text)?;
    Ok(stage.add_material(name, surface))
}

fn contact(stage: &mut Stage, materials: [&Dynamic; 2], options: &Dynamic) -> Given<()> {
    let options = Options::new("contact".to_owned(), options, COEFFICIENTS)?;
    let [a, b] = [
        material_of("contact: the first material", materials[0])?,
        material_of("contact: the second material", materials[1])?,
    ];
    let pair = [a.min(b), a.max(b)];
    if stage.scene.contacts.iter().any(|contact| contact.pair == pair) {
        return Err(Fault::DuplicateContact);
    }
    let usual = combine(&stage.scene.materials[a.0].surface, &stage.scene.materials[b.0].surface);
    let surface = surface(&options, Some(&usual))?;
    stage.scene.contacts.push(ContactDescription { pair, surface });
    Ok(())
}

/// A surface from options. Missing ones are taken from `usual`. If only `friction` is given, it is the static friction too.
fn surface(options: &Options, usual: Option<&Surface>) -> Given<Surface> {
    let usual_number = |of: fn(&Surface) -> f64| usual.map(of);
    let given = in_range(options, "friction", 0.0..=f64::MAX, "at least 0")?;
    let friction = given.or(usual_number(|s| s.material.friction)).ok_or_else(|| options.missing("friction"))?;
    let restitution = in_range(options, "restitution", 0.0..=1.0, "between 0 and 1")?
        .or(usual_number(|s| s.material.restitution))
        .ok_or_else(|| options.missing("restitution"))?;
    let law = options.get("law", law)?.or(usual.map(|s| s.material.law)).unwrap_or_default();
    let gripping = in_range(options, "static_friction", friction..=f64::MAX, "at least the friction")?
        .or(usual_number(|s| s.static_friction).filter(|_| given.is_none()));
    let length = |name: &str| in_range(options, name, 0.0..=f64::MAX, "a length of at least 0 m");
    Ok(Surface {
        material: Material { friction, restitution, law },
        static_friction: gripping.unwrap_or(friction),
        rolling_resistance: length("rolling_resistance")?.or(usual_number(|s| s.rolling_resistance)).unwrap_or(0.0),
        spinning_resistance: length("spinning_resistance")?.or(usual_number(|s| s.spinning_resistance)).unwrap_or(0.0),
    })
}

fn in_range(options: &Options, name: &str, range: RangeInclusive<f64>, expected: &'static str) -> Given<Option<f64>> {
    let value = options.get(name, number)?;
    match value {
        Some(value) if !range.contains(&value) => {
            Err(Fault::Range { what: format!("{}: {name}", options.of()), value, expected })
        }
        _ => Ok(value),
    }
}

fn law(what: &str, value: &Dynamic) -> Given<Law> {
    match text(what, value)?.as_str() {
        "stronge" => Ok(Law::Stronge),
        "poisson" => Ok(Law::Poisson),
        "newton" => Ok(Law::Newton),
        _ => Err(super::values::wrong(what, "\"stronge\", \"poisson\" or \"newton\"", value)),
    }
}
