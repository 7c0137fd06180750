//! Colours in scripts.

use super::error::Fault;
use super::suggest::similar;
use super::values::{Given, text, vector, wrong};
use rhai::Dynamic;

/// Named colours.
pub(super) const NAMED: [(&str, u32); 13] = [
    ("black", 0x20_20_20),
    ("white", 0xf5_f5_f5),
    ("grey", 0x80_80_80),
    ("red", 0xd6_27_28),
    ("orange", 0xff_7f_0e),
    ("yellow", 0xf2_c8_0f),
    ("green", 0x2c_a0_2c),
    ("cyan", 0x17_be_cf),
    ("blue", 0x1f_77_b4),
    ("purple", 0x94_67_bd),
    ("pink", 0xe3_77_c2),
    ("brown", 0x8c_56_4b),
    ("steel", 0xa8_b2_bd),
];

/// `"#ff8800"`, a name, or `[red, green, blue]` within [0, 1].
pub(super) fn color(what: &str, value: &Dynamic) -> Given<[f64; 3]> {
    if !value.is_string() {
        let parts = vector(what, value)?;
        let within = parts.to_array().iter().all(|part| (0.0..=1.0).contains(part));
        return if within {
            Ok(parts.to_array())
        } else {
            Err(wrong(what, "[red, green, blue], each between 0 and 1", value))
        };
    }
    let text = text(what, value)?;
    if let Some((_, code)) = NAMED.iter().find(|(name, _)| *name == text) {
        return Ok(parts(*code));
    }
    let code =
        text.strip_prefix('#').filter(|code| code.len() == 6).and_then(|code| u32::from_str_radix(code, 16).ok());
    code.map(parts).ok_or_else(|| match &similar(&text, NAMED.map(|(name, _)| name))[..] {
        [] => wrong(what, "a colour such as \"#ff8800\", \"red\" or [1, 0.5, 0]", value),
        names => Fault::UnknownOption {
            of: what.to_owned(),
            option: text.clone(),
            similar: names.to_vec(),
            known: &["\"#rrggbb\"", "[red, green, blue]", "names"],
        },
    })
}

fn parts(code: u32) -> [f64; 3] {
    [16, 8, 0].map(|shift| f64::from(code >> shift & 0xff) / 255.0)
}
