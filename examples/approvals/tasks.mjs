// What a client sends that follows tasks: requests of MCP 2026-07-28 that declare the extension.
import { setTimeout as passing } from 'node:timers/promises';

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'patient-agent', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

export function followTasks(address) {
  let id = 0;
  const request = async (method, params) => {
    id += 1;
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        'mcp-name': params.name ?? params.taskId,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: META } }),
    });
    const { result, error } = await response.json();
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return {
    request,
    /** Asks as often as the gateway wants to be asked, until the task has ended. */
    async ended(taskId) {
      for (;;) {
        const task = await request('tasks/get', { taskId });
        if (!['working', 'input_required'].includes(task.status)) return task;
        await passing(task.pollIntervalMs);
      }
    },
  };
}
