//! Lasting contacts as CSV: where bodies touch, how hard in the mean since the last sample, and how they move on each other.

use super::tables::{Table, joined, quoted};
use glam::DVec3;
use impulse::world::{BodyId, ContactMode, ImpactRecord, LastingContact, World};
use std::collections::BTreeMap;
use std::path::Path;

/// One row per point of contact per sample. Forces are those on the first body.
pub(super) struct ContactTable {
    table: Table,
    /// Time of the last sample, s.
    since: f64,
    /// Impulses since then, by pair of bodies, the lower number first.
    pushes: BTreeMap<[BodyId; 2], Vec<Push>>,
    /// Of pushes that go on, when they began (s) and what was in the last sample already, point by point.
    written: BTreeMap<[BodyId; 2], (f64, Vec<DVec3>)>,
}

/// An impulse on the first body of a pair, world frame.
#[derive(Clone, Copy)]
struct Push {
    point: DVec3,
    normal: DVec3,
    impulse: DVec3,
}

/// A row in the making.
struct Row {
    point: DVec3,
    normal: DVec3,
    impulse: DVec3,
    mode: &'static str,
}

impl ContactTable {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let table = Table::create(path, "t,body1,body2,x,y,z,nx,ny,nz,fx,fy,fz,mode")?;
        Ok(Self { table, since: 0.0, pushes: BTreeMap::new(), written: BTreeMap::new() })
    }

    /// Takes note of an impact.
    pub(super) fn note(&mut self, record: &ImpactRecord) {
        let ImpactRecord { time, point, normal, impulse, duration, bodies: [first, second], .. } = *record;
        let (pair, sign) = if first < second { ([first, second], 1.0) } else { ([second, first], -1.0) };
        // Of a push that lasts, what the last sample did not have yet.
        let begun_before = duration > 0.0 && time - duration < self.since;
        let written = if begun_before { self.written.remove(&pair) } else { None };
        let written = written.map_or(DVec3::ZERO, |(_, impulses)| impulses.iter().sum());
        let push = Push { point, normal: sign * normal, impulse: sign * impulse - written };
        self.pushes.entry(pair).or_default().push(push);
    }

    /// Adds the contacts of now, and those that have opened since the last sample.
    pub(super) fn write(&mut self, world: &World) -> anyhow::Result<()> {
        let window = world.time() - self.since;
        let mut pushes = std::mem::take(&mut self.pushes);
        let mut written = std::mem::take(&mut self.written);
        self.since = world.time();
        for (pair, contacts) in lasting(world) {
            let pushes = pushes.remove(&pair).unwrap_or_default();
            let before = written.remove(&pair);
            self.rows(world, pair, &lasting_rows(&contacts, &pushes, before), window)?;
            if let Some(since) = contacts[0].steady_since {
                self.written.insert(pair, (since, contacts.iter().map(|contact| contact.steady_impulse).collect()));
            }
        }
        for (pair, pushes) in pushes {
            self.rows(world, pair, &[open_row(&pushes)], window)?;
        }
        Ok(())
    }

    fn rows(&mut self, world: &World, pair: [BodyId; 2], rows: &[Row], window: f64) -> anyhow::Result<()> {
        let [first, second] = pair.map(|body| quoted(world.name(body).unwrap_or_default()));
        for row in rows {
            let force = if window > 0.0 { row.impulse / window } else { DVec3::ZERO };
            let numbers = [row.point, row.normal, force].map(|v| v.to_array()).concat();
            self.table.row(&format!("{:?},{first},{second},{},{}", world.time(), joined(&numbers), row.mode))?;
        }
        Ok(())
    }

    /// Writes rows that have waited for long.
    pub(super) fn keep_up(&mut self) -> anyhow::Result<()> {
        self.table.keep_up()
    }

    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.table.flush()
    }
}

/// The lasting contacts of all pairs.
fn lasting(world: &World) -> BTreeMap<[BodyId; 2], Vec<LastingContact>> {
    let mut pairs: BTreeMap<[BodyId; 2], Vec<LastingContact>> = BTreeMap::new();
    for body in world.body_refs() {
        for contact in body.contacts().into_iter().filter(|contact| contact.bodies[0] < contact.bodies[1]) {
            pairs.entry(contact.bodies).or_default().push(contact);
        }
    }
    pairs
}

/// Shares what happened among the points of today: each impulse goes to the nearest. Of what goes on without events, the part that was
/// written before is left out.
fn lasting_rows(contacts: &[LastingContact], pushes: &[Push], written: Option<(f64, Vec<DVec3>)>) -> Vec<Row> {
    let mut rows: Vec<Row> = contacts
        .iter()
        .map(|c| Row { point: c.point, normal: c.normal, impulse: DVec3::ZERO, mode: mode_name(c.mode) })
        .collect();
    for push in pushes {
        let distance = |row: &&mut Row| row.point.distance_squared(push.point);
        if let Some(row) = rows.iter_mut().min_by(|a, b| distance(a).total_cmp(&distance(b))) {
            row.impulse += push.impulse;
        }
    }
    let goes_on = |(since, _): &(f64, Vec<DVec3>)| contacts.iter().all(|contact| contact.steady_since == Some(*since));
    let written = written.filter(goes_on).map_or(Vec::new(), |(_, impulses)| impulses);
    for (i, (row, contact)) in rows.iter_mut().zip(contacts).enumerate() {
        row.impulse += contact.steady_impulse - written.get(i).copied().unwrap_or_default();
    }
    rows
}

/// Two bodies that have pushed each other and are not in lasting contact now: at the mean point, weighted by impulse.
fn open_row(pushes: &[Push]) -> Row {
    let impulse: DVec3 = pushes.iter().map(|push| push.impulse).sum();
    let weight: f64 = pushes.iter().map(|push| push.impulse.length()).sum();
    let first: DVec3 = pushes.iter().map(|push| push.impulse.length() * push.point).sum();
    let last = pushes.last().map_or((DVec3::ZERO, DVec3::Z), |push| (push.point, push.normal));
    let point = if weight > 0.0 { first / weight } else { last.0 };
    Row { point, normal: last.1, impulse, mode: "open" }
}

/// How surfaces move on each other, in a word.
pub(super) fn mode_name(mode: ContactMode) -> &'static str {
    match mode {
        ContactMode::Rest => "rest",
        ContactMode::Roll => "roll",
        ContactMode::Slide => "slide",
    }
}
