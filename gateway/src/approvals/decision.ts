import { isDeepStrictEqual } from 'node:util';
import { type ApprovalDecision, isObject, type Json, type JsonObject } from '../operations/index.ts';

const LONGEST_NOTE = 500;

/** A decision as it came in. Whatever cannot be read as one is a rejection. */
export function readDecision(given: unknown): ApprovalDecision {
  if (!isObject(given)) return { decision: 'reject' };
  const { decision, arguments: args, reason } = given;
  switch (decision) {
    case 'approve':
      return args === undefined ? { decision } : { decision: 'reject' };
    case 'approve_always':
      return args === undefined ? { decision } : { decision: 'reject' };
    case 'edit':
      return isArguments(args) ? { decision, arguments: args } : { decision: 'reject' };
    default:
      return {
        decision: 'reject',
        ...(typeof reason === 'string' && reason !== '' ? { reason: reason.slice(0, LONGEST_NOTE) } : {}),
      };
  }
}

/** Tells the caller, who is asked what became of it. */
const UNCLEAR = 'The arguments were edited, and the choice was to approve the call as it was.';

/**
 * A decision from a form, where the arguments stand as JSON text that a person may edit: text that is no object rejects,
 * and so does an edit beside a choice for the arguments as they were `shown`.
 */
export function readFormDecision(
  fields: { readonly decision?: unknown; readonly arguments?: unknown; readonly reason?: unknown },
  shown: JsonObject,
): ApprovalDecision {
  const { decision, reason } = fields;
  const given = jsonOf(fields.arguments);
  if (decision === 'edit') return readDecision({ decision, arguments: given });
  const isUnclear = given !== undefined && !isDeepStrictEqual(given, shown);
  return readDecision(isUnclear && decision !== 'reject' ? { reason: UNCLEAR } : { decision, reason });
}

/** Undefined where nothing was written; null for what cannot be read. */
function jsonOf(text: unknown): Json | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text as string) as Json;
  } catch {
    return null;
  }
}

function isArguments(value: unknown): value is JsonObject {
  return isObject(value) && !hasPrototypeKey(value);
}

function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, '__proto__')) return true;
  return Object.values(value).some(hasPrototypeKey);
}
