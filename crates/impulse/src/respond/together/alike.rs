//! Points that all move alike, such as the corners of a box that falls flat: one impact in closed form.

use super::reduced::Reduced;

/// Difference of velocities, relative to the largest one, that counts as rounding.
const ROUNDING: f64 = 1e-14;

/// The normal impulse of each point, if equal impulses at all points move all of them alike, along their normals, and friction
/// has nothing to do. All springs are then equally compressed all along, as one spring.
pub(super) fn common_impulse(reduced: &Reduced, push: &mut Vec<f64>) -> Option<f64> {
    let first = reduced.contacts.first()?;
    let velocity = first.initial[0];
    push.clear();
    push.resize(reduced.freedoms(), 0.0);
    for contact in &reduced.contacts {
        let alike = (contact.initial[0] - velocity).abs() <= ROUNDING && contact.restitution == first.restitution;
        let slips = contact.initial[1].abs().max(contact.initial[2].abs()) > ROUNDING;
        if !alike || contact.friction > 0.0 && slips {
            return None;
        }
        contact.strike([1.0, 0.0, 0.0], push);
    }
    let yielding = first.change(push)[0];
    for contact in &reduced.contacts {
        let [normal, s, t] = contact.change(push);
        let slips = s.abs().max(t.abs()) > ROUNDING * yielding;
        if (normal - yielding).abs() > ROUNDING * yielding || contact.friction > 0.0 && slips {
            return None;
        }
    }
    Some(-(1.0 + first.restitution) * velocity / yielding)
}
