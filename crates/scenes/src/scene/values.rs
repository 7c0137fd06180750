//! Converts script values to numbers, vectors and options. Every error says what the value is for.

use super::error::{Fault, shortened};
use super::suggest::similar;
use glam::{DMat3, DQuat, DVec2, DVec3};
use impulse::math::Pose;
use rhai::{Array, Dynamic, Map};

/// A converted script value, or the fault to report.
pub(super) type Given<T> = Result<T, Fault>;

/// A finite number; integers are accepted.
pub(super) fn number(what: &str, value: &Dynamic) -> Given<f64> {
    let number = as_number(value).ok_or_else(|| wrong(what, "a number", value))?;
    if number.is_finite() { Ok(number) } else { Err(Fault::NotFinite { what: what.to_owned(), value: number }) }
}

/// A whole number; integral floats are accepted.
pub(super) fn whole(what: &str, value: &Dynamic) -> Given<i64> {
    if let Ok(whole) = value.as_int() {
        return Ok(whole);
    }
    let number = number(what, value)?;
    let fits = number.fract() == 0.0 && number.abs() < 9e15;
    if fits { Ok(number as i64) } else { Err(wrong(what, "a whole number", value)) }
}

/// A count, at most `most`.
pub(super) fn count(what: &str, value: &Dynamic, most: usize) -> Given<usize> {
    let whole = whole(what, value)?;
    usize::try_from(whole).ok().filter(|count| *count <= most).ok_or_else(|| Fault::Range {
        what: what.to_owned(),
        value: whole as f64,
        expected: "at least 0 and at most 100000",
    })
}

/// Three numbers.
pub(super) fn vector(what: &str, value: &Dynamic) -> Given<DVec3> {
    numbers::<3>(what, "three numbers [x, y, z]", value).map(DVec3::from_array)
}

/// Two numbers.
pub(super) fn plane_vector(what: &str, value: &Dynamic) -> Given<DVec2> {
    numbers::<2>(what, "two numbers [x, y]", value).map(DVec2::from_array)
}

/// A rotation: a quaternion, real part first, of any length but zero.
pub(super) fn rotation(what: &str, value: &Dynamic) -> Given<DQuat> {
    let [w, x, y, z] = numbers::<4>(what, "a quaternion [w, x, y, z], real part first", value)?;
    let pose = Pose::new(DQuat::from_xyzw(x, y, z, w), DVec3::ZERO);
    pose.map(|pose| pose.rotation).ok_or_else(|| wrong(what, "a quaternion that is not zero", value))
}

/// An inertia tensor: a number, three moments, or three rows.
pub(super) fn inertia(what: &str, value: &Dynamic) -> Given<DMat3> {
    if as_number(value).is_some() {
        return number(what, value).map(|moment| DMat3::from_diagonal(DVec3::splat(moment)));
    }
    let rows = array(what, "a number, [3] or [3][3]", value)?;
    if !rows.iter().any(Dynamic::is_array) {
        return vector(what, value).map(DMat3::from_diagonal);
    }
    let [x, y, z] = &rows[..] else {
        return Err(wrong(what, "a number, [3] or [3][3]", value));
    };
    let rows = DMat3::from_cols(vector(what, x)?, vector(what, y)?, vector(what, z)?);
    if rows == rows.transpose() { Ok(rows) } else { Err(wrong(what, "a symmetric matrix", value)) }
}

/// A text.
pub(super) fn text(what: &str, value: &Dynamic) -> Given<String> {
    value.clone().into_string().map_err(|_| wrong(what, "a text", value))
}

/// An array.
pub(super) fn array(what: &str, expected: &'static str, value: &Dynamic) -> Given<Array> {
    value.clone().into_array().map_err(|_| wrong(what, expected, value))
}

/// A value of one of the types of scenes.
pub(super) fn own<T: Clone + 'static>(what: &str, expected: &'static str, value: &Dynamic) -> Given<T> {
    value.clone().try_cast::<T>().ok_or_else(|| wrong(what, expected, value))
}

/// A value for a message.
pub(super) fn found(value: &Dynamic) -> String {
    if let Some(number) = as_number(value) {
        return if value.is_int() { format!("{number}") } else { format!("{number:?}") };
    }
    match value.type_name() {
        "()" => "nothing".to_owned(),
        "bool" => value.to_string(),
        "string" => format!("the text \"{}\"", shortened(&value.to_string(), 40)),
        "array" => format!("the array {}", shortened(&value.to_string(), 60)),
        "map" => "options #{ ... }".to_owned(),
        "Fn" => "a function".to_owned(),
        other => format!("a {other}"),
    }
}

pub(super) fn wrong(what: &str, expected: &'static str, value: &Dynamic) -> Fault {
    Fault::WrongType { what: what.to_owned(), expected, found: found(value) }
}

fn as_number(value: &Dynamic) -> Option<f64> {
    value.as_float().or_else(|_| value.as_int().map(|whole| whole as f64)).ok()
}

/// One number, or an array of them.
pub(super) fn numbers_or_one(what: &str, value: &Dynamic) -> Given<Vec<f64>> {
    if !value.is_array() {
        return number(what, value).map(|one| vec![one]);
    }
    array(what, "a number, or an array of numbers", value)?.iter().map(|item| number(what, item)).collect()
}

fn numbers<const N: usize>(what: &str, expected: &'static str, value: &Dynamic) -> Given<[f64; N]> {
    let items = array(what, expected, value)?;
    if items.len() != N {
        return Err(wrong(what, expected, value));
    }
    let mut numbers = [0.0; N];
    for (number, item) in numbers.iter_mut().zip(&items) {
        *number = self::number(what, item)?;
    }
    Ok(numbers)
}

/// The options passed to a function; all of them are known.
pub(super) struct Options {
    of: String,
    given: Map,
}

impl Options {
    /// Checks the names of the options of `of`.
    pub(super) fn new(of: String, given: &Dynamic, known: &'static [&'static str]) -> Given<Self> {
        let Some(given) = given.clone().try_cast::<Map>() else {
            return Err(wrong(&format!("{of}: the last argument"), "options #{ name: value, ... }", given));
        };
        if let Some(option) = given.keys().find(|key| !known.contains(&key.as_str())) {
            let similar = similar(option, known.iter().copied());
            return Err(Fault::UnknownOption { of, option: option.to_string(), similar, known });
        }
        Ok(Self { of, given })
    }

    /// What the options belong to.
    pub(super) fn of(&self) -> &str {
        &self.of
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// An option, converted by one of the functions above.
    pub(super) fn get<T>(&self, name: &str, read: impl Fn(&str, &Dynamic) -> Given<T>) -> Given<Option<T>> {
        let what = || format!("{}: {name}", self.of);
        self.given.get(name).map(|value| read(&what(), value)).transpose()
    }

    pub(super) fn flag(&self, name: &str) -> Given<bool> {
        let read = |what: &str, value: &Dynamic| value.as_bool().map_err(|_| wrong(what, "true or false", value));
        Ok(self.get(name, read)?.unwrap_or(false))
    }

    pub(super) fn missing(&self, needed: &'static str) -> Fault {
        Fault::Missing { of: self.of.clone(), needed }
    }

    pub(super) fn conflict(&self, conflict: &'static str) -> Fault {
        Fault::Conflict { of: self.of.clone(), conflict }
    }
}
