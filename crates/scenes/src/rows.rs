//! States and impacts as rows of plain numbers: what the command's tables and the viewer's page show is the same to the bit.

use impulse::respond::{Mode, Modes};
use impulse::world::{BodyId, ImpactRecord, MeanMotion, World};

/// Numbers of a body's row: `x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz`.
pub type BodyRow = [f64; 13];

/// Numbers of an impact's row: `x,y,z,nx,ny,nz,px,py,pz,ux0,uy0,uz0,ux1,uy1,uz1`.
pub type ImpactRow = [f64; 15];

/// A body now: centre of mass and its velocity in the world frame, the rotation from the shape's axes to the world's (real part
/// first), angular velocity in the shape's axes. Velocities are those of `mean`, if it is given. `None` for a body that was removed.
pub fn body_row(world: &World, body: BodyId, mean: Option<MeanMotion>) -> Option<BodyRow> {
    let t = world.time();
    let (state, pose) = (world.principal_state_at(body, t)?, world.pose_at(body, t)?);
    let (v, w) = match mean {
        Some(mean) => (mean.velocity, mean.spin),
        None => (state.velocity, world.spin_at(body, t)?),
    };
    let (x, q) = (state.world_from_body.translation, pose.rotation);
    Some([x.x, x.y, x.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z])
}

/// An impact: point, normal from the second body to the first, impulse on the first, relative velocity before and after.
pub fn impact_row(record: &ImpactRecord) -> ImpactRow {
    let mut row = [0.0; 15];
    let vectors = [record.point, record.normal, record.impulse, record.before, record.after];
    for (numbers, vector) in row.as_chunks_mut::<3>().0.iter_mut().zip(vectors) {
        *numbers = vector.to_array();
    }
    row
}

/// How a contact moved in an impact, in words: `slide>stick`, or `hop` for a reversing microcollision.
pub fn mode_path(modes: Option<&Modes>) -> String {
    let name = |mode: Mode| match mode {
        Mode::Slide => "slide",
        Mode::Stick => "stick",
        Mode::SlipAlongRay => "slip_along_ray",
    };
    let path = |modes: &Modes| modes.as_slice().iter().map(|m| name(m.mode)).collect::<Vec<_>>().join(">");
    modes.map_or_else(|| "hop".to_owned(), path)
}
