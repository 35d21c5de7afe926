//! A queue that is small while it is empty, and grows by half.

/// Elements, first in, first out. How many there are is known to whoever they belong to, who can keep it
/// where it is nearer at hand; it is told to those who ask for it.
#[derive(Debug, Default)]
pub(super) struct Ring<T> {
    places: Box<[T]>,
    /// The place of the first element.
    head: u32,
}

/// How many places there are once there are any.
const FEWEST: usize = 2;

impl<T: Copy + Default> Ring<T> {
    /// The element at an index, which counts from the first and is below how many there are.
    pub(super) fn get(&self, index: u32) -> Option<&T> {
        self.places.get(self.place(index))
    }

    /// The same, to be changed.
    pub(super) fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        let place = self.place(index);
        self.places.get_mut(place)
    }

    /// Adds an element behind `length` others, which is how many there are.
    pub(super) fn push(&mut self, length: u32, element: T) {
        if length as usize == self.places.len() {
            self.grow();
        }
        if let Some(place) = self.get_mut(length) {
            *place = element;
        }
    }

    /// Takes the first element away, which must be there.
    pub(super) fn pop(&mut self) -> T {
        let first = self.get(0).copied().unwrap_or_default();
        self.head = self.place(1) as u32;
        first
    }

    fn place(&self, index: u32) -> usize {
        let place = self.head as usize + index as usize;
        place.checked_sub(self.places.len()).unwrap_or(place)
    }

    /// Makes room where every place is taken.
    fn grow(&mut self) {
        let taken = self.places.len();
        let size = (taken + taken / 2).max(FEWEST);
        let mut places = Vec::with_capacity(size);
        places.extend((0..taken).filter_map(|index| self.get(index as u32).copied()));
        places.resize(size, T::default());
        self.places = places.into();
        self.head = 0;
    }
}
