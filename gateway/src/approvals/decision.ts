import { isDeepStrictEqual } from 'node:util';
import { type ApprovalDecision, isObject, type JsonObject } from '../operations/index.ts';
import { editedArguments, hasPrototypeKey } from './edited-arguments.ts';

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

/** What a person chose in a form, where the arguments stand as JSON text that they may edit. */
export interface FormFields {
  readonly decision?: unknown;
  readonly arguments?: unknown;
  readonly reason?: unknown;
}

/**
 * The decision of a form whose person was `shown` these arguments; `slip`: a sentence on why choice and text cannot be
 * taken together, such as text that was edited beside a choice for the arguments as they were.
 */
export function readForm(
  { decision, arguments: text, reason }: FormFields,
  shown: JsonObject,
): ApprovalDecision | { readonly slip: string } {
  switch (decision) {
    case 'edit': {
      const args = editedArguments(text);
      return typeof args === 'string' ? { slip: args } : { decision, arguments: args };
    }
    case 'approve':
    case 'approve_always': {
      const isUntouched =
        text === undefined || text === '' || isDeepStrictEqual(editedArguments(text), shown);
      return isUntouched ? { decision } : { slip: EDITED };
    }
    default:
      return readDecision({ reason });
  }
}

const EDITED = 'The arguments were edited, and the choice was to approve the call as it was.';

/** The same of a form that cannot be asked again: a slip rejects, and the caller is told which. */
export function readFormDecision(fields: FormFields, shown: JsonObject): ApprovalDecision {
  const read = readForm(fields, shown);
  return 'slip' in read ? readDecision({ reason: read.slip }) : read;
}

function isArguments(value: unknown): value is JsonObject {
  return isObject(value) && !hasPrototypeKey(value);
}
