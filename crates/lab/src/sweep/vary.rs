//! What a parameter is varied over.

use crate::statistics::normal_quantile;
use impulse_scenes::scene::ParamValue;

/// Most values of one parameter.
const MAX_VALUES: u64 = 1_000_000_000;

/// The values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Vary {
    /// These, one after the other.
    Listed(Vec<String>),
    /// `count` numbers at equal distances, both ends included.
    Range {
        /// The first.
        low: f64,
        /// The last.
        high: f64,
        /// How many.
        count: u64,
    },
    /// Drawn uniformly between two numbers.
    Uniform(f64, f64),
    /// Drawn from a normal distribution: mean and standard deviation.
    Normal(f64, f64),
    /// Drawn so that its logarithm is uniform.
    LogUniform(f64, f64),
}

/// Why a text says nothing that a parameter can be varied over.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum VaryError {
    /// A number is missing or not finite.
    #[error("`{0}` is not a finite number")]
    Number(String),
    /// The number of values is not a positive whole number, or too large.
    #[error("`{0}` is no number of values: write LO..HI:N with N from 1 to 1000000000")]
    Count(String),
    /// A range with one value has two ends.
    #[error("{0}..{1}:1 has two ends and one value: write {0}, or N of at least 2")]
    OneValue(f64, f64),
    /// The upper end is not above the lower one.
    #[error("the upper end {1} is not above the lower end {0}")]
    Order(f64, f64),
    /// A standard deviation must be positive.
    #[error("normal(m,s): the standard deviation {0} is not positive")]
    Deviation(f64),
    /// A logarithm needs positive numbers.
    #[error("log_uniform(a,b): {0} is not positive")]
    Logarithm(f64),
    /// There is no such distribution.
    #[error("there is no distribution `{0}`: write uniform(a,b), normal(m,s) or log_uniform(a,b)")]
    Distribution(String),
    /// An element of a list is empty.
    #[error("a value is missing: write a,b,c")]
    Empty,
}

impl Vary {
    /// Reads `LO..HI:N`, `LO..HI` (uniform), `a,b,c`, `uniform(a,b)`, `normal(m,s)` or `log_uniform(a,b)`.
    pub fn parse(text: &str) -> Result<Self, VaryError> {
        let text = text.trim();
        if let Some((name, arguments)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            return distribution(name.trim(), arguments);
        }
        if let Some((low, rest)) = text.split_once("..") {
            return range(low, rest);
        }
        let values: Vec<String> = text.split(',').map(|value| value.trim().to_owned()).collect();
        for value in &values {
            let number = value.parse::<f64>();
            if value.is_empty() {
                return Err(VaryError::Empty);
            }
            if number.is_ok_and(|number| !number.is_finite()) {
                return Err(VaryError::Number(value.clone()));
            }
        }
        Ok(Self::Listed(values))
    }

    /// How many values it has; none if they are drawn.
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::Listed(values) => Some(values.len() as u64),
            Self::Range { count, .. } => Some(*count),
            Self::Uniform(..) | Self::Normal(..) | Self::LogUniform(..) => None,
        }
    }

    /// Value number `i` of one that has a number of values, for a parameter with this default.
    pub(super) fn listed(&self, i: u64, default: &ParamValue) -> ParamValue {
        match self {
            Self::Listed(values) => typed(&values[i as usize], default),
            Self::Range { low, high, count } => {
                // The ends are exact.
                let share = i as f64 / (*count as f64 - 1.0).max(1.0);
                whole(if i + 1 == *count && i > 0 { *high } else { low + (high - low) * share }, default)
            }
            _ => self.quantile(0.5, default),
        }
    }

    /// The value below which a share of all draws is.
    pub(super) fn quantile(&self, share: f64, default: &ParamValue) -> ParamValue {
        let value = match *self {
            Self::Uniform(low, high) => low + (high - low) * share,
            Self::Normal(mean, deviation) => mean - deviation * normal_quantile(share),
            Self::LogUniform(low, high) => {
                let (a, b) = (libm::log(low), libm::log(high));
                libm::exp(a + (b - a) * share).clamp(low, high)
            }
            Self::Range { low, .. } => low,
            Self::Listed(_) => return self.listed(0, default),
        };
        whole(value, default)
    }
}

/// A whole number stays one where the default is one, so that `0..n` works and tables say `3`.
fn whole(value: f64, default: &ParamValue) -> ParamValue {
    let integral = matches!(default, ParamValue::Integer(_)) && value == libm::trunc(value) && value.abs() < 9e15;
    if integral { ParamValue::Integer(value as i64) } else { ParamValue::Number(value) }
}

/// A text as a value of the kind of the default; one that does not fit is left for the script to refuse.
fn typed(text: &str, default: &ParamValue) -> ParamValue {
    let as_text = || ParamValue::Text(text.to_owned());
    match default {
        ParamValue::Integer(_) | ParamValue::Number(_) => {
            text.parse().map_or_else(|_| as_text(), |x| whole(x, default))
        }
        ParamValue::Flag(_) => text.parse().map_or_else(|_| as_text(), ParamValue::Flag),
        ParamValue::Text(_) => as_text(),
    }
}

fn number(text: &str) -> Result<f64, VaryError> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| VaryError::Number(text.trim().to_owned()))
}

fn range(low: &str, rest: &str) -> Result<Vary, VaryError> {
    let Some((high, count)) = rest.split_once(':') else {
        return ordered(number(low)?, number(rest)?).map(|(low, high)| Vary::Uniform(low, high));
    };
    let (low, high) = (number(low)?, number(high)?);
    // `1e3` is a number of values too.
    let n = count.trim().parse::<f64>().ok().filter(|n| (1.0..=MAX_VALUES as f64).contains(n) && *n == libm::trunc(*n));
    let count = n.ok_or_else(|| VaryError::Count(count.trim().to_owned()))? as u64;
    if count == 1 && low != high {
        return Err(VaryError::OneValue(low, high));
    }
    Ok(Vary::Range { low, high, count })
}

fn distribution(name: &str, arguments: &str) -> Result<Vary, VaryError> {
    if !["uniform", "normal", "log_uniform"].contains(&name) {
        return Err(VaryError::Distribution(name.to_owned()));
    }
    let (a, b) = arguments.split_once(',').ok_or_else(|| VaryError::Number(arguments.to_owned()))?;
    let (a, b) = (number(a)?, number(b)?);
    match name {
        "uniform" => ordered(a, b).map(|(a, b)| Vary::Uniform(a, b)),
        "normal" if b > 0.0 => Ok(Vary::Normal(a, b)),
        "normal" => Err(VaryError::Deviation(b)),
        _ if a <= 0.0 => Err(VaryError::Logarithm(a)),
        _ => ordered(a, b).map(|(a, b)| Vary::LogUniform(a, b)),
    }
}

fn ordered(low: f64, high: f64) -> Result<(f64, f64), VaryError> {
    if low < high { Ok((low, high)) } else { Err(VaryError::Order(low, high)) }
}

#[cfg(test)]
mod tests {
    use super::{Vary, VaryError};
    use impulse_scenes::scene::ParamValue;

    #[test]
    fn ranges_lists_and_distributions_are_read() {
        let read = |text: &str| Vary::parse(text).unwrap();
        assert_eq!(read("0..1:3"), Vary::Range { low: 0.0, high: 1.0, count: 3 });
        assert_eq!(read("-1e-3 .. 2"), Vary::Uniform(-1e-3, 2.0));
        assert_eq!(read("a, b"), Vary::Listed(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(read("normal(1, 0.1)"), Vary::Normal(1.0, 0.1));
        assert_eq!(read("log_uniform(1e-3,1)"), Vary::LogUniform(1e-3, 1.0));
        let values: Vec<_> = (0..3).map(|i| read("1..3:3").listed(i, &ParamValue::Integer(7))).collect();
        assert_eq!(values, [1, 2, 3].map(ParamValue::Integer));
        assert_eq!(read("0..0.3:4").listed(3, &ParamValue::Number(0.0)), ParamValue::Number(0.3));
    }

    #[test]
    fn what_cannot_be_varied_over_is_refused() {
        for text in ["NaN", "1,inf", "0..NaN:3", "nan..1:3", "uniform(0,NaN)"] {
            assert!(matches!(Vary::parse(text), Err(VaryError::Number(_))), "{text}");
        }
        for text in ["0..1:0", "0..1:1e12", "0..1:2.5", "0..1:x", "0..1:-3"] {
            assert!(matches!(Vary::parse(text), Err(VaryError::Count(_))), "{text}");
        }
        assert_eq!(Vary::parse("1..0"), Err(VaryError::Order(1.0, 0.0)));
        assert_eq!(Vary::parse("normal(1,0)"), Err(VaryError::Deviation(0.0)));
        assert_eq!(Vary::parse("log_uniform(0,1)"), Err(VaryError::Logarithm(0.0)));
        assert_eq!(Vary::parse("gauss(0,1)"), Err(VaryError::Distribution("gauss".to_owned())));
        assert_eq!(Vary::parse("1,,2"), Err(VaryError::Empty));
        assert_eq!(Vary::parse("0..1:1"), Err(VaryError::OneValue(0.0, 1.0)));
    }
}
