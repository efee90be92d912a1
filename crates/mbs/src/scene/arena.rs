//! Storage with ids that notice when what they named is gone.

use std::marker::PhantomData;

/// Identifies an item of an [`Arena`]; a generation distinguishes it from an item that takes the same slot later.
pub struct Id<T> {
    index: u32,
    generation: u32,
    marker: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// Position in the arena, for arrays that run parallel to it.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.index, self.generation) == (other.index, other.generation)
    }
}
impl<T> Eq for Id<T> {}
impl<T> std::fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}.{}", self.index, self.generation)
    }
}

/// Items with stable ids, iterated in order of their places.
#[derive(Debug, Clone)]
pub struct Arena<T> {
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Arena<T> {
    /// Makes place for a number of items to come.
    pub fn reserve(&mut self, additional: usize) {
        self.slots.reserve_exact(additional);
    }

    /// Adds an item.
    pub fn insert(&mut self, item: T) -> Id<T> {
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.1 = Some(item);
            return Id { index, generation: slot.0, marker: PhantomData };
        }
        self.slots.push((0, Some(item)));
        Id { index: (self.slots.len() - 1) as u32, generation: 0, marker: PhantomData }
    }

    /// Removes an item; its id is void from now on.
    pub fn remove(&mut self, id: Id<T>) -> Option<T> {
        let slot = self.slots.get_mut(id.index())?;
        if slot.0 != id.generation {
            return None;
        }
        let item = slot.1.take()?;
        slot.0 += 1;
        self.free.push(id.index);
        Some(item)
    }

    /// The item, if it still exists.
    #[must_use]
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        let slot = self.slots.get(id.index())?;
        if slot.0 == id.generation { slot.1.as_ref() } else { None }
    }

    /// The item, if it still exists.
    pub fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        let slot = self.slots.get_mut(id.index())?;
        if slot.0 == id.generation { slot.1.as_mut() } else { None }
    }

    /// Id of the first place.
    #[must_use]
    pub fn first_id(&self) -> Id<T> {
        Id { index: 0, generation: self.slots.first().map_or(0, |slot| slot.0), marker: PhantomData }
    }

    /// Id of the item at a place, if there is one.
    #[must_use]
    pub fn id_at(&self, index: usize) -> Option<Id<T>> {
        let (generation, item) = self.slots.get(index)?;
        item.as_ref().map(|_| Id { index: index as u32, generation: *generation, marker: PhantomData })
    }

    /// All items with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (Id<T>, &T)> {
        self.slots.iter().enumerate().filter_map(|(index, (generation, item))| {
            item.as_ref().map(|item| (Id { index: index as u32, generation: *generation, marker: PhantomData }, item))
        })
    }

    /// All items with their ids, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Id<T>, &mut T)> {
        self.slots.iter_mut().enumerate().filter_map(|(index, (generation, item))| {
            let id = Id { index: index as u32, generation: *generation, marker: PhantomData };
            item.as_mut().map(|item| (id, item))
        })
    }

    /// Number of places, including empty ones: the length of arrays that run parallel.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Whether there is no item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T> std::ops::Index<Id<T>> for Arena<T> {
    type Output = T;

    /// # Panics
    /// When the item is gone; use [`Arena::get`] where that may happen.
    #[allow(clippy::expect_used)]
    fn index(&self, id: Id<T>) -> &T {
        self.get(id).expect("id of an item that was removed")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_id_does_not_find_the_item_that_took_its_place() {
        let mut arena = Arena::default();
        let a = arena.insert("a");
        assert_eq!(arena.remove(a), Some("a"));
        let b = arena.insert("b");
        assert_eq!(a.index(), b.index());
        assert_eq!(arena.get(a), None);
        assert_eq!(arena.get(b), Some(&"b"));
        assert_eq!(arena.remove(a), None);
        assert_eq!(arena.len(), 1);
    }
}
