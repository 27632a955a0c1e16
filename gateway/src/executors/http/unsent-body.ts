import type { OutgoingRequest } from '../../egress/index.ts';
import type { HttpInvocation, Operation } from '../../operations/index.ts';
import { firstFew } from '../../operations/text/first-few.ts';
import type { HttpAnswer } from '../executor.ts';

const MOST_NAMED = 3;
/** It may have done a part: what comes next is said for failures of writes. */
const FALLEN_OVER = 500;
/**
 * What services say to a body that is missing: RFC 9110 §15.5 has no status of its own for it, and a handler that reads
 * a member of none falls over.
 */
const REFUSALS: ReadonlySet<number> = new Set([400, 411, 415, 422, FALLEN_OVER]);
/** Those that speak of the body, and of nothing else. */
const OF_THE_BODY: ReadonlySet<number> = new Set([411, 415]);
const METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const UNDESCRIBED = {
  text: 'No body was sent, since none is described.',
  next: 'Heed what the service says. If it wants a body, the operator describes one by an overlay: `requestBody` of this operation.',
  details: {},
};

/** Many documents call a body optional that the service wants, if only an empty one, or say nothing of it. */
export function unsentBody(
  { invocation }: Operation,
  { method, body }: OutgoingRequest,
  status: number,
): Pick<HttpAnswer, 'advice'> {
  if (body !== undefined || !REFUSALS.has(status) || !METHODS.has(method) || invocation.kind !== 'http')
    return {};
  const isOfBody = OF_THE_BODY.has(status);
  if (invocation.body === undefined) {
    if (!isOfBody && takesArguments(invocation)) return {};
    return { advice: status === FALLEN_OVER ? { text: UNDESCRIBED.text, details: {} } : UNDESCRIBED };
  }
  const names = invocation.bindings.flatMap(({ in: place, arg }) =>
    place === 'body' && arg !== undefined ? [arg] : [],
  );
  if (names.length === 0) return {};
  const named = firstFew(names, MOST_NAMED);
  const text =
    names.length === 1
      ? `No body was sent, since ${named} was not given.`
      : `No body was sent, since none of its arguments was given: any of them makes one (${named}).`;
  const next = 'The service wants a body, if only an empty one: call again with it.';
  return { advice: { text, details: {}, ...(isOfBody ? { next } : {}) } };
}

/** A refusal may be about one of them. */
function takesArguments({ bindings }: HttpInvocation): boolean {
  return bindings.some(({ arg }) => arg !== undefined);
}
