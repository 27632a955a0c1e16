/** Names the extension in the capabilities of both sides (MCP 2026-07-28, extension Tasks). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
