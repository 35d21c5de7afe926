//! The orders, in memory, which the application had before the contract.

use orders_api::models::{NewOrder, Order};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All orders, in the order of their numbers, which begin with 1.
#[derive(Debug, Default)]
pub(crate) struct Orders(Mutex<Vec<Order>>);

impl Orders {
    pub(crate) fn count(&self) -> usize {
        self.all().len()
    }

    /// Keeps an order and gives it its number.
    pub(crate) fn place(&self, NewOrder { item, quantity }: NewOrder) -> Order {
        let mut all = self.all();
        let id = i64::try_from(all.len() + 1).unwrap_or(i64::MAX);
        let order = Order { item, quantity, id };
        all.push(order.clone());
        order
    }

    pub(crate) fn get(&self, id: i64) -> Option<Order> {
        let index = usize::try_from(id).ok()?.checked_sub(1)?;
        self.all().get(index).cloned()
    }

    fn all(&self) -> MutexGuard<'_, Vec<Order>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
