//! The life of a linkage between impulses from outside: launched, gone on step by step, with its stops (sections 5.1, 5.4.1).

use super::element::{Hold, LimitRange, Limits};
use super::joint::JointKind;
use super::linkage::{Ending, Linkage, StopBlow};
use glam::DQuat;

impl Linkage {
    /// Goes on from a state at a time: blows on stops first, then a step. Blows are added to `blows`.
    pub(crate) fn launch(&mut self, time: f64, [coordinates, rates]: [&[f64]; 2], blows: &mut Vec<StopBlow>) {
        self.course.start = time;
        self.course.frozen = false;
        self.gathered.forget();
        self.course.coordinates.clear();
        self.course.coordinates.extend_from_slice(coordinates);
        self.course.rates.clear();
        self.course.rates.extend_from_slice(rates);
        self.normalise();
        self.bounce(None, blows);
        self.set_out(None);
    }

    /// Goes on from the end of the step. Blows on stops are added to `blows`.
    pub(crate) fn go_on(&mut self, blows: &mut Vec<StopBlow>) {
        let (end, ending) = (self.course.end, self.course.ending);
        let mut state = [std::mem::take(&mut self.room.coordinates), std::mem::take(&mut self.room.rates)];
        self.coordinates_at(end, &mut state[0]);
        self.rates_at(end, &mut state[1]);
        std::mem::swap(&mut self.course.coordinates, &mut state[0]);
        std::mem::swap(&mut self.course.rates, &mut state[1]);
        [self.room.coordinates, self.room.rates] = state;
        let released = match ending {
            Ending::Release(link) => Some((link, self.way_of_release(link))),
            _ => None,
        };
        self.course.start = end;
        self.normalise();
        match ending {
            Ending::Rest(link) => {
                let freedom = self.tree.links()[link].freedom;
                self.course.rates[freedom] = 0.0;
            }
            Ending::Lower(link) | Ending::Upper(link) => {
                self.put_on_stop(link, ending);
                self.bounce(Some(ending), blows);
            }
            Ending::Step | Ending::Release(_) => {}
        }
        if ending != Ending::Step {
            self.course.guess = self.course.guess.min(self.course.length);
        }
        self.set_out(released);
    }

    /// Makes the next step no longer than this, s; those after it may be as long as before.
    pub(crate) fn shorten_step(&mut self, longest: f64) {
        self.room.longest = Some(longest);
    }

    fn set_out(&mut self, released: Option<(usize, Hold)>) {
        self.find_holds(released);
        self.integrate();
        self.find_ending();
    }

    fn put_on_stop(&mut self, link: usize, ending: Ending) {
        if let Some(Limits { range: LimitRange::Interval([low, high]), .. }) = self.elements[link].limits {
            let coordinate = self.tree.links()[link].coordinate;
            self.course.coordinates[coordinate] = if ending == Ending::Lower(link) { low } else { high };
        }
    }

    fn normalise(&mut self) {
        for link in self.tree.links() {
            let attitude = match link.joint.kind {
                JointKind::Floating => link.coordinate + 3..link.coordinate + 7,
                JointKind::Socket => link.coordinates(),
                JointKind::Hinge | JointKind::Slider | JointKind::Planar | JointKind::Weld => continue,
            };
            let own = &mut self.course.coordinates[attitude];
            let unit = DQuat::from_slice(own).normalize();
            own.copy_from_slice(&unit.to_array());
        }
    }
}
