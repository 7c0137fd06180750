//! Random surfaces, damaged in ways that have one repair.

use crate::shapes::sphere;
use crate::support::{Triangle, assert_close, read_soup, signed_volume, volume};
use glam::DVec3;
use impulse_scenes::part::Note;
use proptest::prelude::{ProptestConfig, Strategy, any, prop, prop_assert, prop_assert_eq, proptest};
use std::collections::HashMap;

/// A star-shaped surface: a sphere whose vertices are moved along their rays, or an ellipsoid where all move alike.
fn star() -> impl Strategy<Value = Vec<Triangle>> {
    let radii = prop::collection::vec(0.3..2.0f64, 102);
    (1..5i32, radii, [0.2..5.0f64, 0.2..5.0, 0.2..5.0], any::<bool>()).prop_map(|(n, radii, axes, convex)| {
        let mut numbers = HashMap::new();
        let mut place = |p: DVec3| {
            let next = numbers.len();
            let number = *numbers.entry(p.to_array().map(|c| (c + 0.0).to_bits())).or_insert(next);
            if convex { p * DVec3::from_array(axes) } else { p * radii[number] }
        };
        sphere(n).map(|t| t.map(&mut place)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn shuffled_and_flipped_facets_bound_the_same_volume(
        star in star(),
        order in any::<u64>(),
        flips in prop::collection::vec(any::<bool>(), 128),
    ) {
        let expected = signed_volume(&star);
        let flip = |(&[a, b, c], &flip): (&Triangle, &bool)| if flip { [a, c, b] } else { [a, b, c] };
        let mut damaged: Vec<Triangle> = star.iter().zip(&flips).map(flip).collect();
        // Any fixed permutation, and any corner first.
        let mix = |hash: u64, c: &f64| (hash ^ c.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        damaged.sort_by_cached_key(|t| (t[0] + t[1] + t[2]).to_array().iter().fold(order, mix));
        for (i, triangle) in damaged.iter_mut().enumerate() {
            triangle.rotate_left(i % 3);
        }
        let part = read_soup(&damaged).unwrap();
        prop_assert!((volume(&part) - expected).abs() <= 1e-12 * expected);
        prop_assert_eq!(part.polyhedron.faces().len(), star.len());
    }
}

/// A point of the unit sphere moved along its ray.
fn rough(p: DVec3) -> DVec3 {
    p * (1.2 + (p.dot(DVec3::new(12.9, 78.2, 37.7))).sin())
}

/// Rough spheres rounded to coarse lattices, still closed, are full of slivers, folds, inner walls and flat parts. All are
/// accepted, and where no shell was turned and no facet was taken for a duplicate the volume is that of the triangles.
#[test]
fn collapsed_surfaces_keep_their_volume() {
    let (mut checked, mut slivers) = (0, 0);
    for n in 2..6 {
        for step in 0..125 {
            let cells = [step % 5, step / 5 % 5, step / 25].map(|i: usize| [0.8, 1.3, 1.9, 2.7, 4.1][i]);
            let round = |p: DVec3| (DVec3::from_array(cells) * rough(p)).round();
            let snapped: Vec<Triangle> = sphere(n).map(|t| t.map(round)).collect();
            let part = read_soup(&snapped).unwrap();
            let has = |accept: fn(&Note) -> bool| part.report.notes.iter().any(accept);
            if !has(|note| matches!(note, Note::Duplicates { .. } | Note::Turned { .. })) {
                checked += 1;
                slivers += usize::from(has(|note| matches!(note, Note::ZeroArea { .. })));
                assert_close(volume(&part), signed_volume(&snapped), 1e-12);
            }
        }
    }
    assert!(checked > 450 && slivers > 200, "{checked} checked, {slivers} with slivers");
}
