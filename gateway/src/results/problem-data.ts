import { isObject, type Json, type JsonObject } from '../operations/index.ts';
import { isSentence } from './problem-text.ts';

/** Where services put the facts of a failure, beside its sentences: oRPC and JSON-RPC, Stripe, Azure, GraphQL. */
const FACTS = ['data', 'param', 'target', 'context', 'meta', 'metadata', 'extensions', 'extra', 'info'];
/** What is the status once more, or says something to those who run the service alone. */
const OF_THE_SERVICE =
  /^(?:type|status|instance|issues|errors|code|name|success|ok|path|method|stack|stackTrace|exception|httpStatus|statusCode|status_code|timestamp|time|date|.*(?:trace|(?:trace|request|correlation|span)[-_]?id))$/i;
/** Characters of all facts: a message stays one. */
const MOST = 500;

/**
 * What a body of an error knows beside what its sentences say: how many there are left, or which account has enough.
 * RFC 9457 §3.2 lets a problem have members of its own for that; others have one of the usual names. Empty: nothing.
 *
 * @param said the sentences
 */
export function problemData(body: Json, mediaType: string, said: string): string {
  if (!isObject(body)) return '';
  const nested = isObject(body['error']) ? body['error'] : {};
  const own = mediaType === 'application/problem+json' ? Object.keys(body) : FACTS;
  let text = '';
  for (const [name, value] of [...pick(body, own), ...pick(nested, FACTS)]) {
    const fact = factOf(value, said);
    const more = fact === undefined ? '' : `; ${name}: ${fact}`;
    if (text.length + more.length <= MOST) text += more;
  }
  return text;
}

function pick(object: JsonObject, names: readonly string[]): (readonly [string, Json])[] {
  return names
    .filter((name) => Object.hasOwn(object, name) && !OF_THE_SERVICE.test(name) && !isSentence(name))
    .map((name) => [name, object[name]!]);
}

function factOf(value: Json, said: string): string | undefined {
  if (value === null || value === '' || (typeof value === 'string' && said.includes(value))) return undefined;
  // of objects they are faults, which the sentences have
  if (Array.isArray(value))
    return value.length === 0 || value.some(isObject) ? undefined : JSON.stringify(value);
  if (!isObject(value)) return JSON.stringify(value);
  const facts = Object.entries(value).filter(
    ([name, one]) => one !== null && one !== '' && !OF_THE_SERVICE.test(name),
  );
  return facts.length === 0 ? undefined : JSON.stringify(Object.fromEntries(facts));
}
