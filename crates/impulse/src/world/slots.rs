//! Things that come and go, each in a numbered slot. Vacant slots are taken again, the last one left first.

use super::index::Index;
use std::marker::PhantomData;

/// Values by index.
#[derive(Clone, Debug)]
pub(crate) struct Slots<I, T> {
    values: Vec<Option<T>>,
    /// How many values each slot held before.
    generations: Vec<u32>,
    vacant: Vec<I>,
    index: PhantomData<I>,
}

impl<I, T> Default for Slots<I, T> {
    fn default() -> Self {
        Self { values: Vec::new(), generations: Vec::new(), vacant: Vec::new(), index: PhantomData }
    }
}

impl<I: Index, T> Slots<I, T> {
    /// Slots as they were saved: values with generations, and the vacant ones in the order in which they were left. `None` where
    /// those are not the slots without values.
    pub(crate) fn restored(slots: Vec<(u32, Option<T>)>, vacant: Vec<I>) -> Option<Self> {
        let (generations, values): (Vec<u32>, Vec<Option<T>>) = slots.into_iter().unzip();
        let mut sorted = vacant.clone();
        sorted.sort_unstable();
        let without = (0..).zip(&values).filter(|(_, value)| value.is_none()).map(|(slot, _)| I::new(slot));
        without.eq(sorted).then_some(Self { values, generations, vacant, index: PhantomData })
    }

    /// Index and generation of the value that is inserted next.
    pub(crate) fn next(&self) -> (I, u32) {
        match self.vacant.last() {
            Some(&index) => (index, self.generations[index.number()]),
            None => (I::new(self.values.len()), 0),
        }
    }

    pub(crate) fn insert(&mut self, value: T) -> I {
        if let Some(index) = self.vacant.pop() {
            self.values[index.number()] = Some(value);
            return index;
        }
        self.values.push(Some(value));
        self.generations.push(0);
        I::new(self.values.len() - 1)
    }

    /// Takes a value out; whatever has its slot next is of another generation.
    pub(crate) fn remove(&mut self, index: I) -> Option<T> {
        let removed = self.values.get_mut(index.number())?.take()?;
        self.generations[index.number()] += 1;
        self.vacant.push(index);
        Some(removed)
    }

    pub(crate) fn get(&self, index: I) -> Option<&T> {
        self.values.get(index.number())?.as_ref()
    }

    /// All values by index.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.values.iter().flatten()
    }

    /// All slots by index, with their generations.
    pub(crate) fn slots(&self) -> impl Iterator<Item = (u32, Option<&T>)> {
        self.generations.iter().copied().zip(self.values.iter().map(Option::as_ref))
    }

    pub(crate) fn vacant(&self) -> &[I] {
        &self.vacant
    }

    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.values.len() - self.vacant.len()
    }

    /// Number of slots, vacant ones included.
    pub(crate) fn capacity(&self) -> usize {
        self.values.len()
    }
}

impl<I: Index, T> std::ops::Index<I> for Slots<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, index: I) -> &T {
        self.values[index.number()].as_ref().expect("the slot is taken")
    }
}

impl<I: Index, T> std::ops::IndexMut<I> for Slots<I, T> {
    #[inline]
    fn index_mut(&mut self, index: I) -> &mut T {
        self.values[index.number()].as_mut().expect("the slot is taken")
    }
}

#[cfg(test)]
mod tests {
    use super::super::index::{ColliderIndex, Index};
    use super::Slots;

    #[test]
    fn vacant_slots_are_taken_again_by_another_generation() {
        let mut slots: Slots<ColliderIndex, char> = Slots::default();
        let [a, b, c] = ['a', 'b', 'c'].map(|value| slots.insert(value));
        assert_eq!((slots.remove(a), slots.remove(c), slots.remove(a)), (Some('a'), Some('c'), None));
        assert_eq!((slots.next(), slots.len(), slots.get(c)), ((c, 1), 1, None));
        assert_eq!((slots.insert('d'), slots.insert('e'), slots.insert('f')), (c, a, ColliderIndex::new(3)));
        assert_eq!((slots[b], slots[c], slots.iter().collect::<String>().as_str()), ('b', 'd', "ebdf"));
    }

    #[test]
    fn only_slots_without_values_can_be_vacant() {
        let slots = || vec![(0, Some('a')), (3, None), (1, None)];
        let [a, b, c] = [0, 1, 2].map(ColliderIndex::new);
        assert_eq!(Slots::restored(slots(), vec![c, b]).map(|s| s.next()), Some((b, 3)));
        for wrong in [vec![], vec![b], vec![a, b, c], vec![b, b, c]] {
            assert!(Slots::restored(slots(), wrong).is_none());
        }
    }
}
