import type { OutgoingRequest } from '../../egress/index.ts';
import type { Operation } from '../../operations/index.ts';
import type { HttpAnswer } from '../executor.ts';

const MOST_NAMED = 3;
/** What services say to a body that is missing: RFC 9110 §15.5 has no status of its own for it. */
const REFUSALS: ReadonlySet<number> = new Set([400, 411, 415, 422]);
const METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Many documents call a body optional that the service wants, if only an empty one: any of its arguments makes one. */
export function unsentBody(
  { invocation }: Operation,
  { method, body }: OutgoingRequest,
  status: number,
): Pick<HttpAnswer, 'advice'> {
  if (body !== undefined || !REFUSALS.has(status) || !METHODS.has(method) || invocation.kind !== 'http')
    return {};
  const names = invocation.bindings.flatMap(({ in: place, arg }) =>
    place === 'body' && arg !== undefined ? [arg] : [],
  );
  if (names.length === 0) return {};
  const named = names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? ', …' : '');
  const text =
    names.length === 1
      ? `No body was sent, since ${named} was not given.`
      : `No body was sent, since none of its arguments was given: any of them makes one (${named}).`;
  return { advice: { text, details: {} } };
}
