//! Vectors and rotations in scripts, and positions in rows, grids and racks.

use super::error::Fault;
use super::stage::Answer;
use super::steps::Steps;
use super::values::{Given, array, count, number, rotation, vector, wrong};
use glam::{DQuat, DVec3};
use rhai::{Array, Dynamic, Engine};

/// Most places that one call may lay out.
const MAX_PLACES: usize = 100_000;

/// Registers the functions for vectors, rotations and layouts.
pub(super) fn register(engine: &mut Engine, counted: &Steps) {
    vectors(engine);
    rotations(engine);
    let layouts: [(&str, Layout); 3] = [("row", row), ("grid", grid), ("rack", rack)];
    for (name, layout) in layouts {
        let steps = counted.clone();
        engine.register_fn(name, move |count: Dynamic, first: Dynamic, spacing: Dynamic| -> Answer<Array> {
            let places = layout(&count, &first, &spacing)?;
            steps.spend(places.len(), 2);
            Ok(places)
        });
    }
}

/// Lays out places: how many, the first one, and how they are spaced.
type Layout = fn(&Dynamic, &Dynamic, &Dynamic) -> Given<Array>;

/// A vector as a script value.
pub(super) fn written(v: DVec3) -> Array {
    v.to_array().map(Dynamic::from).to_vec()
}

/// A rotation as a script value, real part first.
pub(super) fn written_rotation(q: DQuat) -> Array {
    [q.w, q.x, q.y, q.z].map(Dynamic::from).to_vec()
}

fn vectors(engine: &mut Engine) {
    engine.register_fn("add", |a: Dynamic, b: Dynamic| -> Answer<Array> {
        Ok(written(vector("add: the first vector", &a)? + vector("add: the second vector", &b)?))
    });
    engine.register_fn("sub", |a: Dynamic, b: Dynamic| -> Answer<Array> {
        Ok(written(vector("sub: the first vector", &a)? - vector("sub: the second vector", &b)?))
    });
    engine.register_fn("scale", |v: Dynamic, factor: Dynamic| -> Answer<Array> {
        Ok(written(vector("scale: the vector", &v)? * number("scale: the factor", &factor)?))
    });
    engine.register_fn("dot", |a: Dynamic, b: Dynamic| -> Answer<f64> {
        Ok(vector("dot: the first vector", &a)?.dot(vector("dot: the second vector", &b)?))
    });
    engine.register_fn("cross", |a: Dynamic, b: Dynamic| -> Answer<Array> {
        Ok(written(vector("cross: the first vector", &a)?.cross(vector("cross: the second vector", &b)?)))
    });
    engine.register_fn("length", |v: Dynamic| -> Answer<f64> { Ok(vector("length: the vector", &v)?.length()) });
    engine.register_fn("unit", |v: Dynamic| -> Answer<Array> { Ok(written(unit("unit: the vector", &v)?)) });
}

fn rotations(engine: &mut Engine) {
    engine.register_fn("axis_angle", |axis: Dynamic, angle: Dynamic| -> Answer<Array> {
        let (axis, angle) = (unit("axis_angle: the axis", &axis)?, number("axis_angle: the angle", &angle)?);
        let (s, c) = libm::sincos(0.5 * angle);
        Ok([c, axis.x * s, axis.y * s, axis.z * s].map(Dynamic::from).to_vec())
    });
    engine.register_fn("then", |first: Dynamic, second: Dynamic| -> Answer<Array> {
        let (first, second) = (rotation("then: the first rotation", &first)?, rotation("then: the second", &second)?);
        Ok(written_rotation((second * first).normalize()))
    });
    engine.register_fn("rotate", |turn: Dynamic, v: Dynamic| -> Answer<Array> {
        Ok(written(rotation("rotate: the rotation", &turn)? * vector("rotate: the vector", &v)?))
    });
}

fn unit(what: &str, value: &Dynamic) -> Given<DVec3> {
    vector(what, value)?.try_normalize().ok_or_else(|| wrong(what, "a vector with a direction", value))
}

fn row(n: &Dynamic, first: &Dynamic, step: &Dynamic) -> Given<Array> {
    let n = count("row: the number", n, MAX_PLACES)?;
    let (first, step) = (vector("row: the first place", first)?, vector("row: the step", step)?);
    Ok((0..n).map(|i| written(first + step * i as f64).into()).collect())
}

fn grid(counts: &Dynamic, first: &Dynamic, spacing: &Dynamic) -> Given<Array> {
    let counts = array("grid: the numbers", "three whole numbers [nx, ny, nz]", counts)?;
    let [nx, ny, nz] = &counts[..] else {
        return Err(wrong("grid: the numbers", "three whole numbers [nx, ny, nz]", &counts.into()));
    };
    let count = |n: &Dynamic| count("grid: a number", n, MAX_PLACES);
    let (nx, ny, nz) = (count(nx)?, count(ny)?, count(nz)?);
    if (nx * ny).saturating_mul(nz) > MAX_PLACES {
        return Err(Fault::Limit("a grid may have 100000 places: make it smaller"));
    }
    let first = vector("grid: the first place", first)?;
    let spacing = match number("grid: the spacing", spacing) {
        Ok(equal) => DVec3::splat(equal),
        Err(_) => vector("grid: the spacing", spacing)?,
    };
    let mut places = Array::with_capacity(nx * ny * nz);
    for (k, j, i) in (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| (k, j, i)))) {
        places.push(written(first + spacing * DVec3::new(i as f64, j as f64, k as f64)).into());
    }
    Ok(places)
}

/// A triangle as of pool balls: the tip first, then the rows behind it along x.
fn rack(rows: &Dynamic, first: &Dynamic, spacing: &Dynamic) -> Given<Array> {
    let rows = count("rack: the number of rows", rows, MAX_PLACES)?;
    if rows * (rows + 1) / 2 > MAX_PLACES {
        return Err(Fault::Limit("a rack may have 100000 places: make it smaller"));
    }
    let first = vector("rack: the first place", first)?;
    let spacing = number("rack: the spacing", spacing)?;
    let place = |(i, j): (usize, usize)| {
        let across = j as f64 - 0.5 * i as f64;
        let along = i as f64 * 0.75_f64.sqrt();
        written(first + spacing * DVec3::new(along, across, 0.0)).into()
    };
    Ok((0..rows).flat_map(|i| (0..=i).map(move |j| (i, j))).map(place).collect())
}
