import { foldName } from '../operations/http/path-names.ts';
import { standsForMethod } from '../operations/http/stands-for-method.ts';
import { isObject, type Json, type JsonObject, type ProviderFacts } from '../operations/index.ts';
import { REFUSALS, type Refusal } from './answers.ts';
import type { ProxyRequest } from './proxy-types.ts';

/** RFC 9110 §9.1, less what opens tunnels or echoes. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** RFC 9110 §9.3.1: a body of theirs means nothing. An empty one is dropped, as is none. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The members of a proxy request, or why it is none. Members that it does not know are not read. */
export function readProxyRequest(given: unknown): ProxyRequest | Refusal {
  if (!isObject(given)) return REFUSALS.missingFields;
  const { provider, method, path, query, body, headers } = given;
  if (![provider, method, path].every((field) => typeof field === 'string' && field.trim() !== '')) {
    return REFUSALS.missingFields;
  }
  const verb = (method as string).trim().toUpperCase();
  if (!METHODS.has(verb)) {
    return REFUSALS.invalidMember('method', `one of ${[...METHODS].join(', ')}`);
  }
  if (!absent(query) && !isQuery(query)) {
    return REFUSALS.invalidMember('query', 'an object of texts, numbers, booleans or lists of them');
  }
  if (!absent(headers) && !(isObject(headers) && Object.values(headers).every(isText))) {
    return REFUSALS.invalidMember('headers', 'an object of texts');
  }
  const carries = !absent(body) && !(BODILESS.has(verb) && isEmpty(body));
  if (BODILESS.has(verb) && carries) {
    return REFUSALS.invalidMember('body', 'left out with GET and HEAD, which carry none');
  }
  return {
    provider: (provider as string).trim(),
    method: verb,
    path: path as string,
    ...(absent(query) ? {} : { query: withoutNull(query as JsonObject) }),
    ...(carries ? { body: body as Json } : {}),
    ...(absent(headers) ? {} : { headers: headers as Record<string, string> }),
  };
}

export function isRefusal(value: object): value is Refusal {
  return 'status' in value && 'message' in value;
}

/** Frameworks that take the method from a member would turn one request into another. */
export function smugglesMethod({ query, body }: ProxyRequest): boolean {
  const names = [...Object.keys(query ?? {}), ...(isObject(body) ? Object.keys(body) : [])];
  return names.some(standsForMethod);
}

/** Who acts is the caller's mapping, never a parameter (docs/providers.md), in whatever way a framework spells it. */
export function namesActingUser(
  { query }: ProxyRequest,
  { actingUser }: Pick<ProviderFacts, 'actingUser'>,
): boolean {
  if (actingUser?.in !== 'query') return false;
  const place = actingUser.name.toLowerCase();
  return Object.keys(query ?? {}).some((name) => foldName(name)?.split(/[[.]/, 1)[0]?.trim() === place);
}

function absent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isEmpty(body: unknown): boolean {
  return body === '' || (isObject(body) && Object.keys(body).length === 0);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isQuery(value: unknown): value is JsonObject {
  const primitive = (one: unknown) => one === null || ['string', 'number', 'boolean'].includes(typeof one);
  return (
    isObject(value) &&
    Object.values(value).every((one) => primitive(one) || (Array.isArray(one) && one.every(primitive)))
  );
}

function withoutNull(query: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null));
}
