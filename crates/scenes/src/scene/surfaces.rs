//! Materials of scripts and pairs of them (section 3.1).

use super::description::{ContactDescription, MaterialId};
use super::error::Fault;
use super::stage::{Answer, SharedStage, Stage};
use super::values::{Given, Options, number, own, text};
use impulse::respond::{Law, Material};
use impulse::world::combine;
use rhai::{Dynamic, Engine};

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

/// A material given to some function.
pub(super) fn material_of(what: &str, value: &Dynamic) -> Given<MaterialId> {
    own(what, "a material made by material(#{ ... })", value)
}

fn material(stage: &mut Stage, options: &Dynamic) -> Given<MaterialId> {
    let options = Options::new("material".to_owned(), options, &["friction", "restitution", "law", "name"])?;
    if stage.scene.materials.len() >= MAX_MATERIALS {
        return Err(Fault::Limit("the scene has more than 10000 materials: make them once, outside loops"));
    }
    let surface = Material {
        friction: friction(&options)?.ok_or_else(|| options.missing("friction"))?,
        restitution: restitution(&options)?.ok_or_else(|| options.missing("restitution"))?,
        law: options.get("law", law)?.unwrap_or_default(),
    };
    let name = options.get("name", text)?;
    Ok(stage.add_material(name, surface))
}

fn contact(stage: &mut Stage, materials: [&Dynamic; 2], options: &Dynamic) -> Given<()> {
    let options = Options::new("contact".to_owned(), options, &["friction", "restitution", "law"])?;
    let [a, b] = [
        material_of("contact: the first material", materials[0])?,
        material_of("contact: the second material", materials[1])?,
    ];
    let pair = [a.min(b), a.max(b)];
    if stage.scene.contacts.iter().any(|contact| contact.pair == pair) {
        return Err(Fault::DuplicateContact);
    }
    let usual = combine(&stage.scene.materials[a.0].surface, &stage.scene.materials[b.0].surface);
    let surface = Material {
        friction: friction(&options)?.unwrap_or(usual.friction),
        restitution: restitution(&options)?.unwrap_or(usual.restitution),
        law: options.get("law", law)?.unwrap_or(usual.law),
    };
    stage.scene.contacts.push(ContactDescription { pair, surface });
    Ok(())
}

fn friction(options: &Options) -> Given<Option<f64>> {
    in_range(options, "friction", f64::MAX, "at least 0")
}

fn restitution(options: &Options) -> Given<Option<f64>> {
    in_range(options, "restitution", 1.0, "between 0 and 1")
}

fn in_range(options: &Options, name: &str, most: f64, expected: &'static str) -> Given<Option<f64>> {
    let value = options.get(name, number)?;
    match value {
        Some(value) if !(0.0..=most).contains(&value) => {
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
