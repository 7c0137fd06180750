//! The kinds of scenes by name, and scenes drawn from kind and seed.

use super::places::Draft;
use super::random::Stream;
use super::scene::Scene;
use super::{driven, piles, singles, stacks};

/// A kind of scenes.
type Kind = (&'static str, fn(&mut Stream) -> Draft);

/// All kinds.
pub(crate) const KINDS: [Kind; 34] = [
    ("cylinder_flat", singles::cylinder_flat),
    ("cone_flat", singles::cone_flat),
    ("cone_side", singles::cone_side),
    ("coin", singles::coin),
    ("box_flat", singles::box_flat),
    ("tumble", singles::tumble),
    ("elastic_friction", singles::elastic_friction),
    ("thrown", singles::thrown),
    ("gas", piles::gas),
    ("cloud", piles::cloud),
    ("tower_of_boxes", stacks::tower_of_boxes),
    ("tower_of_all", stacks::tower_of_all),
    ("tilted_stack", stacks::tilted_stack),
    ("heavy_on_light", stacks::heavy_on_light),
    ("plates_and_coins", stacks::plates_and_coins),
    ("dominos", stacks::dominos),
    ("ramp", stacks::ramp),
    ("on_two_blocks", stacks::on_two_blocks),
    ("boxes", piles::boxes),
    ("wedges", piles::wedges),
    ("capsules", piles::capsules),
    ("ellipsoids", piles::ellipsoids),
    ("cones", piles::cones),
    ("hulls", piles::hulls),
    ("compounds", piles::compounds),
    ("all_shapes", piles::all_shapes),
    ("balls_in_box", piles::balls_in_box),
    ("cavity", piles::cavity),
    ("groove", piles::groove),
    ("shaken_tray", driven::shaken_tray),
    ("platter", driven::platter),
    ("conveyor", driven::conveyor),
    ("paddle", driven::paddle),
    ("pusher", driven::pusher),
];

/// Draws after which a kind that cannot be placed without overlap gives up.
const DRAWS: u64 = 50;

/// The scene of a kind, by number, and a seed: the first draw in which nothing overlaps.
pub(crate) fn drawn(kind: usize, seed: u64, duration: f64) -> Scene {
    let (name, draft) = KINDS[kind];
    let draw = |attempt: u64| {
        let Draft { weightless, surfaces, things } = draft(&mut Stream::of(kind, seed, attempt));
        let kept = u64::MAX >> (64 - things.len());
        Scene { kind: name, seed, kept, duration, weightless, envelope: None, surfaces, things }
    };
    let good = (0..DRAWS).map(draw).find(|scene| scene.build().is_ok());
    good.unwrap_or_else(|| draw(DRAWS))
}
