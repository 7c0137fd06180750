//! Values of scripts as plain data: what behaviours remember and use can be copied, kept and sent anywhere.

use super::error::Fault;
use super::values::{Given, wrong};
use rhai::{Dynamic, FnPtr, Map};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How deep arrays and maps may be nested.
const MAX_DEPTH: usize = 32;

/// A value of a script: what behaviours remember.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Plain {
    /// `()`.
    Nothing,
    /// True or false.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(#[serde(with = "to_the_bit")] f64),
    /// A text.
    Text(String),
    /// Several values.
    Array(Vec<Plain>),
    /// Values by name.
    Map(BTreeMap<String, Plain>),
    /// A function of the script.
    Function(Function),
}

/// A function of a script with the values of the variables that it uses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    pub(crate) name: String,
    pub(crate) captured: Vec<Plain>,
}

impl From<f64> for Plain {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl Plain {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Integer(whole) => Some(*whole as f64),
            _ => None,
        }
    }

    /// A value that a script gives.
    pub(super) fn new(what: &str, value: &Dynamic) -> Given<Self> {
        Self::within(what, value, 0)
    }

    fn within(what: &str, value: &Dynamic, depth: usize) -> Given<Self> {
        if depth > MAX_DEPTH {
            return Err(Fault::Limit("arrays and maps of a behaviour are nested more than 32 deep: nest them less"));
        }
        let inner = |value: &Dynamic| Self::within(what, value, depth + 1);
        if value.is_unit() {
            return Ok(Self::Nothing);
        }
        if let Ok(flag) = value.as_bool() {
            return Ok(Self::Flag(flag));
        }
        if let Ok(whole) = value.as_int() {
            return Ok(Self::Integer(whole));
        }
        if let Ok(number) = value.as_float() {
            return Ok(Self::Number(number));
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            return Ok(Self::Text(text.to_string()));
        }
        if let Ok(array) = value.as_array_ref() {
            return array.iter().map(inner).collect::<Given<_>>().map(Self::Array);
        }
        if let Ok(map) = value.as_map_ref() {
            let entries = map.iter().map(|(key, value)| Ok((key.to_string(), inner(value)?)));
            return entries.collect::<Given<_>>().map(Self::Map);
        }
        if let Some(function) = value.clone().try_cast::<FnPtr>() {
            return Function::within(what, &function, depth + 1).map(Self::Function);
        }
        Err(wrong(what, "numbers, texts, true, false, arrays and maps of these", value))
    }

    /// The value for a script.
    pub(super) fn dynamic(&self) -> Dynamic {
        match self {
            Self::Nothing => Dynamic::UNIT,
            Self::Flag(flag) => (*flag).into(),
            Self::Integer(whole) => (*whole).into(),
            Self::Number(number) => (*number).into(),
            Self::Text(text) => text.clone().into(),
            Self::Array(array) => Dynamic::from_array(array.iter().map(Self::dynamic).collect()),
            Self::Map(map) => Dynamic::from_map(entries(map)),
            Self::Function(function) => function.pointer().map_or(Dynamic::UNIT, Dynamic::from),
        }
    }

    /// Whether a script still has this value.
    pub(super) fn is(&self, value: &Dynamic) -> bool {
        match self {
            Self::Nothing => value.is_unit(),
            Self::Flag(flag) => value.as_bool() == Ok(*flag),
            Self::Integer(whole) => value.as_int() == Ok(*whole),
            Self::Number(number) => value.as_float().is_ok_and(|value| value.to_bits() == number.to_bits()),
            Self::Text(text) => value.as_immutable_string_ref().is_ok_and(|value| value.as_str() == text),
            Self::Array(array) => value.as_array_ref().is_ok_and(|values| {
                values.len() == array.len() && array.iter().zip(values.iter()).all(|(own, value)| own.is(value))
            }),
            Self::Map(map) => value.as_map_ref().is_ok_and(|values| {
                let same = |(key, own): (&String, &Self)| values.get(key.as_str()).is_some_and(|value| own.is(value));
                values.len() == map.len() && map.iter().all(same)
            }),
            // A function cannot be changed, only replaced.
            Self::Function(function) => {
                value.clone().try_cast::<FnPtr>().is_some_and(|value| value.fn_name() == function.name)
            }
        }
    }
}

impl Function {
    /// A function that a script gives.
    pub(super) fn new(what: &str, function: &FnPtr) -> Given<Self> {
        Self::within(what, function, 0)
    }

    fn within(what: &str, function: &FnPtr, depth: usize) -> Given<Self> {
        let captured = function.curry().iter().map(|value| Plain::within(what, value, depth)).collect::<Given<_>>()?;
        Ok(Self { name: function.fn_name().to_owned(), captured })
    }

    fn pointer(&self) -> Option<FnPtr> {
        let mut pointer = FnPtr::new(self.name.as_str()).ok()?;
        pointer.set_curry(self.captured.iter().map(Plain::dynamic));
        Some(pointer)
    }
}

/// The entries of a map for a script.
pub(super) fn entries(map: &BTreeMap<String, Plain>) -> Map {
    map.iter().map(|(key, value)| (key.as_str().into(), value.dynamic())).collect()
}

/// Numbers in files: those that are not finite by their bits.
mod to_the_bit {
    use serde::{Deserialize, Deserializer, Serializer, de};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(f64),
        Bits(String),
    }

    pub(super) fn serialize<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
        if number.is_finite() {
            to.serialize_f64(*number)
        } else {
            to.serialize_str(&format!("{:x}", number.to_bits()))
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        match Written::deserialize(from)? {
            Written::Number(number) => Ok(number),
            Written::Bits(bits) => u64::from_str_radix(&bits, 16).map(f64::from_bits).map_err(de::Error::custom),
        }
    }
}
