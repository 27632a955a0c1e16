import { type ApprovalDecision, isObject, type JsonObject } from '../operations/index.ts';

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

/** A decision from a form or a terminal, where edited arguments are JSON text; text that is no object rejects. */
export function readFormDecision(fields: {
  readonly decision?: unknown;
  readonly arguments?: unknown;
  readonly reason?: unknown;
}): ApprovalDecision {
  if (fields.decision !== 'edit') return readDecision({ decision: fields.decision, reason: fields.reason });
  if (typeof fields.arguments !== 'string') return { decision: 'reject' };
  try {
    return readDecision({ decision: 'edit', arguments: JSON.parse(fields.arguments) });
  } catch {
    return { decision: 'reject' };
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
