//! Shapes that tests and benches share.

use glam::DVec3;

/// Triangles of an octahedron whose faces are divided `n` times along each edge and blown up to the unit sphere, outwards;
/// `8 n^2` of them. Common corners are equal to the last bit.
pub(crate) fn sphere(n: i32) -> impl Iterator<Item = [DVec3; 3]> {
    let octants = (0..8).map(|octant| [0, 1, 2].map(|axis| if octant >> axis & 1 == 0 { 1 } else { -1 }));
    octants.flat_map(move |signs: [i32; 3]| {
        let mirrored = signs[0] * signs[1] * signs[2] < 0;
        let point = move |i: i32, j: i32| {
            let integers = [i * signs[0], j * signs[1], (n - i - j) * signs[2]];
            DVec3::from_array(integers.map(f64::from)).normalize()
        };
        (0..n).flat_map(move |i| {
            (0..n - i).flat_map(move |j| {
                let up = [point(i, j), point(i + 1, j), point(i, j + 1)];
                let down = (i + j < n - 1).then(|| [point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)]);
                let turn = move |t: [DVec3; 3]| if mirrored { [t[0], t[2], t[1]] } else { t };
                std::iter::once(turn(up)).chain(down.map(turn))
            })
        })
    })
}

/// Triangles as binary STL, with any 80 bytes of header.
pub(crate) fn stl_bytes(triangles: impl Iterator<Item = [DVec3; 3]>) -> Vec<u8> {
    let mut bytes = vec![0; 84];
    let mut count = 0u32;
    for triangle in triangles {
        bytes.extend([0; 12]);
        for value in triangle.iter().flat_map(DVec3::to_array) {
            bytes.extend((value as f32).to_le_bytes());
        }
        bytes.extend([0; 2]);
        count += 1;
    }
    bytes[80..84].copy_from_slice(&count.to_le_bytes());
    bytes
}
