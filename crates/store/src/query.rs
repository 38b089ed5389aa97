//! Queries behind one type, whatever they return. If the code between the store and a connection
//! were generic over the answer, all of it would be compiled again for each query.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Error;
use crate::rows::Rows;

/// A query that puts its answer where its [`Answer`] finds it. May run more than once.
pub(crate) type Query = Box<dyn FnMut(&Rows) -> Result<(), Error> + Send>;

/// Where the answer of a query appears.
pub(crate) struct Answer<T>(Arc<Mutex<Option<T>>>);

/// A query of any type, and where its answer will be.
pub(crate) fn erased<T: Send + 'static>(
    mut query: impl FnMut(&Rows) -> Result<T, Error> + Send + 'static,
) -> (Query, Answer<T>) {
    let place = Arc::new(Mutex::new(None));
    let answer = Answer(Arc::clone(&place));
    let query = move |rows: &Rows| {
        let found = query(rows)?;
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        Ok(())
    };
    (Box::new(query), answer)
}

/// Like [`erased`], for a query that can run only once.
pub(crate) fn erased_once<T: Send + 'static>(
    query: impl FnOnce(&Rows) -> Result<T, Error> + Send + 'static,
) -> (Query, Answer<T>) {
    let mut once = Some(query);
    erased(move |rows| once.take().ok_or(Error::Panicked)?(rows))
}

impl<T> Answer<T> {
    /// Takes the answer of a query that has succeeded.
    ///
    /// # Errors
    /// [`Error::Panicked`] if it has not.
    pub(crate) fn take(self) -> Result<T, Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or(Error::Panicked)
    }
}
