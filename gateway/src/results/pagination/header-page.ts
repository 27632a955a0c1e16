import type { Json, JsonObject, Operation } from '../../operations/index.ts';
import { nextPage } from '../next-page.ts';
import { pageParameters, plain } from './page-parameters.ts';

/** `X-Next-Page`, `X-Cursor`, `x-ms-continuationtoken`, `opc-next-page`: in lower case. */
const LEADS_ON =
  /(?:^|-)(?:next|cursor|continuation|marker)(?:-?(?:page|cursor|token|link|url|uri|marker|key)){0,2}$/;
/** What may choose a page by a name that could mean something else: it is told, not acted on. */
const MAY_LEAD_ON =
  /(?:^|-)(?:start-?after|last-?evaluated-?key|(?:next|page)-?(?:offset|id|start|after|token|key))$/;
/** A cursor may begin with a slash; only an address has a query. */
const ADDRESS = /^(?:https?:\/\/|\/[^<>?]*\?|\?)[^<>]*$/i;
const MAX_VALUE = 4096;

/** A header of this name chooses a page, as it does in answers. */
export function leadsOn(header: string): boolean {
  return LEADS_ON.test(header.toLowerCase());
}

/** A header of this name says that there is more, and where. */
export function saysThereIsMore(header: string): boolean {
  return leadsOn(header) || MAY_LEAD_ON.test(header.toLowerCase());
}

/**
 * The arguments that lead to the page which a header of the answer names: an address like that of a `Link` header, or
 * the value of the argument that is called like the header or takes cursors. Undefined for the page that was asked for.
 */
export function headerPage(
  headers: Readonly<Record<string, string>>,
  url: string,
  operation: Operation,
): JsonObject | undefined {
  for (const name in headers) {
    const value = headers[name]!;
    if (value === '' || value.length > MAX_VALUE || !LEADS_ON.test(name)) continue;
    const next = ADDRESS.test(value)
      ? nextPage(`<${value}>; rel="next"`, url, operation)
      : byValue(name, value, url, operation);
    if (next !== undefined) return next;
  }
  return undefined;
}

function byValue(name: string, value: string, url: string, operation: Operation): JsonObject | undefined {
  const { invocation } = operation;
  if (invocation.kind !== 'http') return undefined;
  const same = invocation.bindings.find((one) => one.in === 'header' && one.name.toLowerCase() === name);
  if (same?.arg !== undefined) return { [same.arg]: value };
  const { cursor, page } = pageParameters(operation);
  const isNumber = /^\d{1,15}$/.test(value);
  const chosen =
    page !== undefined && isNumber && (cursor === undefined || name.endsWith('page')) ? page : cursor;
  const asked = chosen?.name ?? textualPage(operation);
  if (asked === undefined || isAsked(asked, value, url, operation)) return undefined;
  const argument: Json = chosen !== undefined && chosen === page ? Number(value) : value;
  return { [asked]: argument };
}

/** Some services call their cursor a page. */
function textualPage({ invocation, input }: Operation): string | undefined {
  if (invocation.kind !== 'http') return undefined;
  const properties = (input['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;
  return invocation.bindings.find(
    ({ in: place, name, arg }) =>
      place === 'query' &&
      arg !== undefined &&
      plain(name) === 'page' &&
      properties[arg]?.['type'] === 'string',
  )?.arg;
}

function isAsked(arg: string, value: string, url: string, { invocation }: Operation): boolean {
  if (invocation.kind !== 'http') return false;
  const name = invocation.bindings.find((one) => one.in === 'query' && one.arg === arg)?.name;
  return name !== undefined && URL.parse(url)?.searchParams.get(name) === value;
}
