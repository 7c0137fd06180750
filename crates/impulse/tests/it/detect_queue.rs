//! The event queue (section 2.3.1) against a list that is searched from end to end.

use impulse::detect::{Event, EventQueue};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Call {
    Insert(f64),
    /// The n-th of the events that are there, modulo their number.
    Update(usize, f64),
    Remove(usize),
    Pop,
}

/// Few different times, so that ties are frequent.
fn any_time() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (0..6u8).prop_map(f64::from),
        4 => -10.0..10.0f64,
        1 => Just(f64::INFINITY),
        1 => Just(f64::NEG_INFINITY),
    ]
}

fn any_call() -> impl Strategy<Value = Call> {
    prop_oneof![
        4 => any_time().prop_map(Call::Insert),
        3 => (any::<usize>(), any_time()).prop_map(|(n, t)| Call::Update(n, t)),
        1 => any::<usize>().prop_map(Call::Remove),
        2 => Just(Call::Pop),
    ]
}

fn earliest(list: &[Event<u32>]) -> Option<Event<u32>> {
    let finite = list.iter().copied().filter(|e| e.time < f64::INFINITY);
    finite.min_by(|a, b| a.time.partial_cmp(&b.time).unwrap().then(a.key.cmp(&b.key)))
}

/// Makes a call of both and compares the answers.
fn play(call: &Call, key: u32, queue: &mut EventQueue<u32>, list: &mut Vec<Event<u32>>) -> Result<(), TestCaseError> {
    let place = |n: usize| (!list.is_empty()).then(|| n % list.len());
    match *call {
        Call::Insert(time) => {
            let slot = queue.insert(time, key);
            prop_assert!(list.iter().all(|e| e.slot != slot), "slot {} was taken", slot);
            list.push(Event { time, key, slot });
        }
        Call::Update(n, time) => {
            if let Some(at) = place(n) {
                list[at].time = time;
                queue.update(list[at].slot, time);
            }
        }
        Call::Remove(n) => {
            if let Some(at) = place(n) {
                queue.remove(list.swap_remove(at).slot);
            }
        }
        Call::Pop => {
            let expected = earliest(list);
            prop_assert_eq!(queue.pop(), expected);
            list.retain(|e| Some(e.slot) != expected.map(|e| e.slot));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_queue_is_a_sorted_list(calls in prop::collection::vec(any_call(), 1..300)) {
        let (mut queue, mut list) = (EventQueue::default(), Vec::new());
        // Keys in an order of their own, so that neither age nor slot can stand in for them.
        for (key, call) in (0u32..).map(|i| i.wrapping_mul(0x9e37_79b1)).zip(&calls) {
            play(call, key, &mut queue, &mut list)?;
            prop_assert_eq!(queue.len(), list.iter().filter(|e| e.time < f64::INFINITY).count());
            prop_assert_eq!(queue.peek(), earliest(&list));
            for event in &list {
                prop_assert_eq!(queue.get(event.slot), *event);
            }
        }
        let mut copy = queue.clone();
        while let Some(event) = queue.pop() {
            prop_assert_eq!(copy.pop(), Some(event));
            prop_assert_eq!(Some(event), earliest(&list));
            list.retain(|e| e.slot != event.slot);
        }
        prop_assert!(list.iter().all(|e| e.time == f64::INFINITY));
    }
}
