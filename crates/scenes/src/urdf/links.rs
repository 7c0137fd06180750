//! Links of a robot's file: inertia, collision and visual geometry.

use super::error::UrdfFault;
use super::frames::origin;
use super::model::{Form, Geometry, Inertial, Link};
use super::xml::{Element, Read};
use glam::{DMat3, DVec3};
use impulse::geometry::MassProperties;
use std::collections::BTreeMap;

/// Colours by the name of a material.
pub(super) type Colors = BTreeMap<String, [f64; 3]>;

pub(super) fn link(element: Element<'_>, colors: &Colors) -> Read<Link> {
    element.know(&["inertial", "collision", "visual"], &["name"])?;
    let forms = |tag: &'static str| element.children().filter(move |child| child.tag() == tag);
    Ok(Link {
        name: element.name("name")?,
        line: element.line(),
        inertial: element.child("inertial")?.map(inertial).transpose()?.flatten(),
        collisions: forms("collision").map(|form| shape(form, colors)).collect::<Read<_>>()?,
        visuals: forms("visual").map(|form| shape(form, colors)).collect::<Read<_>>()?,
    })
}

/// The colour of a `<material>`, its own or that of the name.
pub(super) fn color(material: Element<'_>, known: &Colors) -> Read<Option<[f64; 3]>> {
    material.know(&["color", "texture"], &["name"])?;
    if let Some(texture) = material.child("texture")? {
        texture.ignore();
    }
    if let Some(color) = material.child("color")? {
        color.know(&[], &["rgba"])?;
        return own_color(material);
    }
    // What has no colour anywhere is drawn in one of ours: looks are no reason to refuse a robot.
    Ok(material.text("name").and_then(|name| known.get(name)).copied())
}

fn own_color(material: Element<'_>) -> Read<Option<[f64; 3]>> {
    let Some(color) = material.child("color")? else { return Ok(None) };
    let Some([red, green, blue, _]) = color.numbers("rgba", "four numbers from 0 to 1")? else {
        return Err(color.fault(Some("rgba"), UrdfFault::MissingAttribute));
    };
    if let Some(&value) = [red, green, blue].iter().find(|part| !(0.0..=1.0).contains(*part)) {
        return Err(color.fault(Some("rgba"), UrdfFault::Range { value, expected: "within 0 and 1" }));
    }
    Ok(Some([red, green, blue]))
}

/// The colours that materials of a link define: others may refer to them by name.
pub(super) fn define_colors(link: Element<'_>, colors: &mut Colors) -> Read<()> {
    for form in link.children().filter(|child| child.tag() == "visual") {
        let Some(material) = form.child("material")? else { continue };
        let (Some(name), Some(color)) = (material.text("name"), own_color(material)?) else { continue };
        colors.entry(name.to_owned()).or_insert(color);
    }
    Ok(())
}

/// Mass and inertia in the link's frame; none for a mass of zero, whatever inertia stands beside it.
fn inertial(element: Element<'_>) -> Read<Option<Inertial>> {
    element.know(&["origin", "mass", "inertia"], &[])?;
    let needed = |tag: &'static str| {
        let missing = if tag == "mass" { "a <mass value=\"...\"/>" } else { "an <inertia ixx=\"...\" .../>" };
        element.child(tag)?.ok_or_else(|| element.fault(None, UrdfFault::MissingElement(missing)))
    };
    let (mass, tensor) = (needed("mass")?, needed("inertia")?);
    mass.know(&[], &["value"])?;
    tensor.know(&[], &["ixx", "ixy", "ixz", "iyy", "iyz", "izz"])?;
    let value = mass.needed_number("value")?;
    if value < 0.0 {
        return Err(
            mass.fault(Some("value"), UrdfFault::Range { value, expected: "positive, or zero for a mere frame" })
        );
    }
    let [xx, xy, xz, yy, yz, zz] = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].map(|name| tensor.needed_number(name));
    let (xy, xz, yz) = (xy?, xz?, yz?);
    let columns = [DVec3::new(xx?, xy, xz), DVec3::new(xy, yy?, yz), DVec3::new(xz, yz, zz?)];
    let inertia = DMat3::from_cols(columns[0], columns[1], columns[2]);
    if value == 0.0 {
        if inertia != DMat3::ZERO {
            tensor.note("<inertia> of a link without mass".to_owned());
        }
        return Ok(None);
    }
    let own = MassProperties { mass: value, com: DVec3::ZERO, inertia };
    Ok(Some(Inertial { mass: own.transformed(&origin(element)?), line: element.line() }))
}

/// A collision or visual geometry.
fn shape(element: Element<'_>, colors: &Colors) -> Read<Form> {
    element.know(&["origin", "geometry", "material"], &["name"])?;
    let missing = UrdfFault::MissingElement("a <geometry>");
    let holder = element.child("geometry")?.ok_or_else(|| element.fault(None, missing))?;
    let mut inside = holder.children();
    let missing =
        || holder.fault(None, UrdfFault::MissingElement("a <box>, <cylinder>, <sphere>, <capsule> or <mesh>"));
    let first = inside.next().ok_or_else(missing)?;
    if let Some(second) = inside.next() {
        return Err(second.fault(None, UrdfFault::Twice));
    }
    let color = element.child("material")?.map(|material| color(material, colors)).transpose()?.flatten();
    Ok(Form { geometry: geometry(first)?, link_from_form: origin(element)?, color, line: first.line() })
}

fn geometry(element: Element<'_>) -> Read<Geometry> {
    let length = |attribute: &str| {
        let value = element.needed_number(attribute)?;
        if value > 0.0 {
            return Ok(value);
        }
        Err(element.fault(Some(attribute), UrdfFault::Range { value, expected: "a positive number of metres" }))
    };
    match element.tag() {
        "box" => {
            element.know(&[], &["size"])?;
            let size = element.vector("size")?;
            let size = size.ok_or_else(|| element.fault(Some("size"), UrdfFault::MissingAttribute))?;
            if size.min_element() > 0.0 {
                return Ok(Geometry::Box(size));
            }
            let (value, expected) = (size.min_element(), "three positive numbers of metres");
            Err(element.fault(Some("size"), UrdfFault::Range { value, expected }))
        }
        "cylinder" | "capsule" => {
            element.know(&[], &["radius", "length"])?;
            let (radius, length) = (length("radius")?, length("length")?);
            let is_cylinder = element.tag() == "cylinder";
            Ok(if is_cylinder { Geometry::Cylinder { radius, length } } else { Geometry::Capsule { radius, length } })
        }
        "sphere" => {
            element.know(&[], &["radius"])?;
            Ok(Geometry::Sphere(length("radius")?))
        }
        "mesh" => mesh(element),
        _ => {
            let known = "a <box>, <cylinder>, <sphere>, <capsule> or <mesh> in its place";
            Err(element.fault(None, UrdfFault::MissingElement(known)))
        }
    }
}

fn mesh(element: Element<'_>) -> Read<Geometry> {
    element.know(&[], &["filename", "scale"])?;
    let scale = element.vector("scale")?.unwrap_or(DVec3::ONE);
    if scale.to_array().contains(&0.0) {
        return Err(element.fault(Some("scale"), UrdfFault::Range { value: 0.0, expected: "three numbers but zero" }));
    }
    Ok(Geometry::Mesh { file: element.name("filename")?, scale })
}
