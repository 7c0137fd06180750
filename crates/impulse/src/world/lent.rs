//! Large working memory that is taken and given back without being copied.

/// Memory that one piece of work at a time borrows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lent<T>(Option<Box<T>>);

impl<T: Default> Lent<T> {
    /// Takes it; new memory if it is taken already.
    pub(crate) fn take(&mut self) -> Box<T> {
        self.0.take().unwrap_or_default()
    }

    /// What is in it, if it is there.
    pub(crate) fn get(&self) -> Option<&T> {
        self.0.as_deref()
    }

    /// Gives it back.
    pub(crate) fn give(&mut self, memory: Box<T>) {
        self.0 = Some(memory);
    }
}
