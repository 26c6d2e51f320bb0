//! The protocol: the description of the server, and the transports.

use std::sync::Arc;

use payspec_sandbox::Router;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::io::stdio_pipes;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler, ServiceExt};

use super::answer::{Answer, Refusal};
use super::arguments::Arguments;
use super::tools;
use super::workbench::Workbench;
use crate::failure::Failure;

/// The description that clients give to their model.
const INSTRUCTIONS: &str = "A sandbox of a payment service, and the library with its rules. Create payments with \
    create_payment: the argument `order` is the idempotency key, and a key belongs to an order and not to a call. \
    If an answer is lost or has a status of 500 or more, call create_payment again with the same `order`, and with the same \
    request: no second payment is created. Never use a new `order` to repeat. A program under test reaches the sandbox \
    over HTTP at the address and with the token that the tool `sandbox` returns. The clock stops with the first \
    advance_clock, which also delivers callbacks that are due. Card numbers and security codes are masked in results.";

impl Workbench {
    async fn call(&self, request: CallToolRequestParams) -> Result<Answer, Refusal> {
        let tool = tools::find(&request.name).ok_or_else(|| {
            // The name may be a pasted secret: it is not repeated.
            let names: Vec<_> = tools::TOOLS.iter().map(|tool| tool.name).collect();
            Refusal::new(format!(
                "unknown tool: expected one of {}",
                names.join(", ")
            ))
        })?;
        let schema = (tool.schema)();
        let arguments = Arguments::read(request.arguments.unwrap_or_default(), &schema)?;
        (tool.run)(self, arguments).await
    }
}

impl ServerHandler for Workbench {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut server = Implementation::new("payspec", env!("CARGO_PKG_VERSION"));
        server.title = Some("payspec: sandbox and rules of a payment interface".to_owned());
        let mut config = ServerConfig::new(capabilities);
        config.server_info = server;
        config.instructions = Some(INSTRUCTIONS.to_owned());
        config
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(
            tools::TOOLS.iter().map(tools::listed).collect(),
        ))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name).map(tools::listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let result = match self.call(request).await {
            Ok(answer) => answer.redacted(&self.engine),
            Err(refusal) => {
                let text = self.engine.redact_text(&refusal.0);
                CallToolResult::error(vec![ContentBlock::text(text)])
            }
        };
        Ok(result.into())
    }

    /// Receives requests that the protocol does not have: of another method, or with other parameters.
    /// The default implementation repeats the name of the method, which may be a pasted secret.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "tools/call" => {
                let expected = "params: expected name, a string, and arguments, an object";
                ErrorData::invalid_params(expected, None)
            }
            "tools/list" | "initialize" | "ping" => {
                ErrorData::invalid_params("params: expected those of the protocol", None)
            }
            _ => {
                let code = ErrorCode::METHOD_NOT_FOUND;
                ErrorData::new(code, "the server has no such method", None)
            }
        })
    }
}

/// Serves a client at standard input and output until it closes them.
pub(super) async fn over_pipes(tools: Workbench) -> Result<(), Failure> {
    let failed = || Failure::new("standard input: expected messages of the Model Context Protocol");
    let server = tools.serve(stdio_pipes()).await.map_err(|_| failed())?;
    server.waiting().await.map_err(|_| failed())?;
    Ok(())
}

/// Returns the routes of streamable HTTP. The sandbox checks host and origin of each request before.
pub(super) fn over_http(tools: Workbench) -> Router {
    // Every call is one request with one answer, so a session would only expire.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts();
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(tools.clone()), sessions, config);
    Router::new().route_service("/mcp", service)
}
