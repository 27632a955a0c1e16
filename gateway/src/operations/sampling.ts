import type { JsonObject } from './json/json.ts';

/** Of a request for sampling: the model may use tools, so it goes to those alone who declared that too (MCP sampling). */
export function samplesWithTools(params: JsonObject = {}): boolean {
  return params['tools'] !== undefined || params['toolChoice'] !== undefined;
}
