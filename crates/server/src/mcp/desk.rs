//! The tools and resources for one call of an account.

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::request::Parts;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, ErrorData, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ReadResourceRequestParams, ReadResourceResponse, ServerConfig, Tool as Described,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use super::tools::{self, Tool};
use super::{INSTRUCTIONS, answer, arguments, info, resources};
use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::http::bodies::BodyMemory;
use crate::http::request_id::Carrier;

/// How long clients may keep the lists of tools and resources, in milliseconds: they change only with
/// another version of the server.
const LISTS_KEPT_MS: u64 = 3_600_000;

/// The tools and resources for one call.
#[derive(Clone)]
pub(super) struct Desk {
    pub(super) app: Arc<App>,
    pub(super) incoming: Arc<Incoming>,
    pub(super) carrier: Carrier,
}

/// A call: who makes it, and the memory for it.
pub(super) struct Incoming {
    pub(super) caller: Caller,
    /// The head of the request.
    pub(super) parts: Parts,
    /// Memory for the message, until a tool takes it.
    memory: Mutex<Option<BodyMemory>>,
    /// Memory for the answer.
    pub(super) reply: BodyMemory,
}

impl Incoming {
    /// A call with memory for its message and its answer.
    pub(super) fn new(caller: Caller, parts: Parts, memory: (BodyMemory, BodyMemory)) -> Self {
        let (message, reply) = memory;
        Self { caller, parts, memory: Mutex::new(Some(message)), reply }
    }

    /// The memory for the message, once.
    pub(super) fn take_memory(&self) -> Option<BodyMemory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl ServerHandler for Desk {
    fn get_info(&self) -> ServerConfig {
        info(INSTRUCTIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Described> {
        tools::all().iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(tools::all().to_vec());
        Ok(list.with_ttl_ms(LISTS_KEPT_MS).with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = Tool::find(&request.name).ok_or_else(tools::unknown)?;
        begin(&context).await;
        let given = request.arguments.unwrap_or_default();
        let desk = self.clone();
        let work = self.carrier.carry(async move { desk.carry_out(tool, given).await });
        let result = Box::pin(work).await;
        let failed = |error: ApiError| {
            self.app.metrics.answered_error(error.code.row().name);
            answer::failure(&arguments::in_our_words(error))
        };
        Ok(result.unwrap_or_else(failed).into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let list = ListResourcesResult::with_all_items(vec![resources::manual()]);
        Ok(list.with_ttl_ms(LISTS_KEPT_MS).with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let list = ListResourceTemplatesResult::with_all_items(vec![resources::generations()]);
        Ok(list.with_ttl_ms(LISTS_KEPT_MS).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if let Some(manual) = resources::read_manual(&request.uri) {
            return Ok(manual.into());
        }
        let uri = request.uri;
        let uuid = resources::uuid(&uri).ok_or_else(|| resources::unknown(&uri))?.to_owned();
        let desk = self.clone();
        let work = self.carrier.carry(async move { desk.generation(&uuid).await });
        let view = work.await.map_err(|error| resources::refused(&uri, &error))?;
        Ok(resources::read_generation(&uri, &view)?.into())
    }
}

/// Tells a client that asks for progress that the work has begun. From then on, its stream is open and
/// says regularly that it is alive.
async fn begin(context: &RequestContext<RoleServer>) {
    if let Some(token) = context.meta.get_progress_token() {
        // A client that has gone is noticed when the result is sent.
        let _ = context.peer.notify_progress(ProgressNotificationParam::new(token, 0.0)).await;
    }
}
