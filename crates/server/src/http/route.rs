//! Routes to handlers, like those of [`axum::routing`], but behind one type.
//!
//! Axum wraps each handler in a dozen generic types of its own. For our two hundred handlers, the
//! compiler spent longer on those than on the handlers.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{self, MethodRouter};

use crate::app::App;

type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

/// Any handler.
#[derive(Clone)]
struct Erased(Arc<dyn Fn(Request, Arc<App>) -> Answering + Send + Sync>);

impl Handler<Infallible, Arc<App>> for Erased {
    type Future = Answering;

    fn call(self, request: Request, app: Arc<App>) -> Answering {
        (self.0)(request, app)
    }
}

fn erased<T>(handler: impl Handler<T, Arc<App>>) -> Erased {
    Erased(Arc::new(move |request, app| Box::pin(handler.clone().call(request, app))))
}

/// Routes GET and HEAD to `handler`.
pub fn get<T>(handler: impl Handler<T, Arc<App>>) -> MethodRouter<Arc<App>> {
    routing::get(erased(handler))
}

/// Routes POST to `handler`.
pub fn post<T>(handler: impl Handler<T, Arc<App>>) -> MethodRouter<Arc<App>> {
    routing::post(erased(handler))
}

/// Routes PATCH to `handler`.
pub fn patch<T>(handler: impl Handler<T, Arc<App>>) -> MethodRouter<Arc<App>> {
    routing::patch(erased(handler))
}

/// Routes DELETE to `handler`.
pub fn delete<T>(handler: impl Handler<T, Arc<App>>) -> MethodRouter<Arc<App>> {
    routing::delete(erased(handler))
}
