//! A queue that is small while it is empty: a `VecDeque` in three quarters of its size.

/// Elements, first in, first out.
#[derive(Debug, Default)]
pub(super) struct Ring<T> {
    /// None, or a power of two of them.
    places: Box<[T]>,
    /// The place of the first element.
    head: u32,
    length: u32,
}

/// How many places there are once there are any.
const FEWEST: usize = 2;

impl<T: Copy + Default> Ring<T> {
    pub(super) fn len(&self) -> u32 {
        self.length
    }

    /// The element at an index, which counts from the first.
    pub(super) fn get(&self, index: u32) -> Option<&T> {
        let place = self.places.get(self.place(index));
        place.filter(|_| index < self.length)
    }

    /// The same, to be changed.
    pub(super) fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        let (place, is_there) = (self.place(index), index < self.length);
        self.places.get_mut(place).filter(|_| is_there)
    }

    /// Adds an element at the end.
    pub(super) fn push(&mut self, element: T) {
        if self.length as usize == self.places.len() {
            self.grow();
        }
        let place = self.place(self.length);
        if let Some(place) = self.places.get_mut(place) {
            *place = element;
        }
        self.length = self.length.saturating_add(1);
    }

    /// Takes the first element away.
    pub(super) fn pop(&mut self) -> Option<T> {
        let first = *self.get(0)?;
        self.head = self.head.wrapping_add(1);
        self.length -= 1;
        Some(first)
    }

    fn place(&self, index: u32) -> usize {
        let mask = self.places.len().wrapping_sub(1);
        self.head.wrapping_add(index) as usize & mask
    }

    fn grow(&mut self) {
        let size = (self.places.len() * 2).max(FEWEST);
        let mut places = Vec::with_capacity(size);
        places.extend((0..self.length).filter_map(|index| self.get(index).copied()));
        places.resize(size, T::default());
        self.places = places.into();
        self.head = 0;
    }
}
