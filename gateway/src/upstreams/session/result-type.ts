import type { Json, JsonObject } from '../../operations/index.ts';
import { malformedAnswer } from './session-error.ts';

/** Those of the core, and of the extension Tasks; a result of an older server has none. */
const KNOWN: ReadonlySet<Json | undefined> = new Set([undefined, 'complete', 'input_required', 'task']);

/** The result itself. Throws `malformed` for one of a type that we do not know (MCP 2026-07-28, "ResultType"). */
export function ofKnownType(result: JsonObject): JsonObject {
  if (KNOWN.has(result['resultType'])) return result;
  throw malformedAnswer('its result is of a type that MCP does not know');
}
