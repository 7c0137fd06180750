//! Contacts with triangles, corrected to contacts with the surface they belong to (compare section 2.2.1).

use super::assembly::{Assemblies, Assembly};
use super::part_pair::PartPair;
use super::proximity::Proximity;
use crate::geometry::static_mesh::MeshContact;

/// The result for a pair of parts with the normal of the whole surface; `None` if one of the parts is a triangle and another
/// triangle of its surface is nearer to the same point.
pub(super) fn correct(assemblies: &Assemblies<'_>, pair: PartPair, found: Proximity) -> Option<Proximity> {
    if found.overlapping {
        return Some(found);
    }
    let pose = &assemblies.first_from_second;
    match (&assemblies.first, &assemblies.second) {
        (Assembly::Mesh(_), Assembly::Mesh(_)) => Some(found),
        (Assembly::Mesh(mesh), _) => {
            let contact = MeshContact { on_mesh: found.on_first, on_body: found.on_second, normal: -found.normal };
            let normal = -mesh.surface_normal(pair.first, &contact)?;
            Some(Proximity { normal, ..found })
        }
        (_, Assembly::Mesh(mesh)) => {
            let contact = MeshContact {
                on_mesh: pose.inverse_point(found.on_second),
                on_body: pose.inverse_point(found.on_first),
                normal: pose.inverse_vector(found.normal),
            };
            let normal = pose.vector(mesh.surface_normal(pair.second, &contact)?);
            Some(Proximity { normal, ..found })
        }
        _ => Some(found),
    }
}
