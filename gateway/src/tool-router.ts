import type { CallRequest } from './gateway-core.ts';
import type { Result } from './operations/index.ts';

/** A call as an agent runtime makes it: tool name, arguments, and who calls. */
export type ToolCall = CallRequest;

/** What came of it, in one shape whatever carried it out. A failure is in `error`. */
export type ToolResult = Result;

/**
 * All that an agent graph needs of a gateway, which is one: every call is authorised, validated, budgeted and recorded,
 * and its tools may be functions, HTTP APIs, MCP servers or workflows without the graph knowing.
 */
export interface ToolRouter {
  /** Throws ToolcribError (`tool_unknown`, `tool_quarantined`) where there is nothing to call. */
  call(call: ToolCall): Promise<ToolResult>;
}
