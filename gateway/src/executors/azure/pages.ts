import { isToolcribError } from '../../errors.ts';
import { includesCredentials } from '../../operations/http/includes-credentials.ts';
import {
  type AzureInvocation,
  canonicalJson,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
} from '../../operations/index.ts';
import { decodedFully } from '../http/percent-encoding.ts';
import { azureOf, type ConnectorRequest } from './envelope.ts';
import { parseExact } from './exact-json.ts';
import { queriesOfUrl } from './queries.ts';
import type { ConnectorAnswer } from './read-answer.ts';
import type { Sent } from './send.ts';

/** An answer with the rows of all pages that were read. */
export interface PagedAnswer extends Sent {
  /** Why rows are missing; absent: none are, or the caller asked for no more. */
  readonly warning?: string;
}

export interface PageLimits {
  /** The most pages, the first one included. */
  readonly pages: number;
  /** Of all pages together. */
  readonly maxBytes: number;
}

type Pageable = NonNullable<AzureInvocation['pageable']>;

interface Page {
  readonly value: JsonObject;
  readonly rows: readonly Json[];
  /** As the connector says it; undefined: this is the last. */
  readonly next: string | undefined;
}

/**
 * Follows `x-ms-pageable` from the first answer on. A page is the same request with another query: of the next link
 * only its query is taken, and only where its path is the operation's own. Rows are joined under their member; of the
 * other members the last page's count. Only reading operations are followed. `send` resolves for every status.
 */
export async function followPages(
  operation: Operation,
  args: JsonObject,
  request: ConnectorRequest,
  first: Sent,
  limits: PageLimits,
  send: (request: ConnectorRequest) => Promise<Sent>,
): Promise<PagedAnswer> {
  const { pageable } = azureOf(operation);
  if (pageable === undefined || operation.access !== 'read' || limits.pages <= 1) return first;
  let page = readPage(first.answer, pageable);
  if (page?.next === undefined) return first;
  const wanted = wantedRows(operation, args, pageable);
  const rows = [...page.rows];
  const seen = new Set<string>();
  let { attempts } = first;
  let bytes = first.answer.body.length;
  let warning: string | undefined;
  for (let count = 1; page.next !== undefined; count++) {
    if (wanted !== undefined && rows.length >= wanted) break;
    const next = count < limits.pages ? nextRequest(page.next, request) : undefined;
    if (count >= limits.pages) warning = `more than ${count} pages`;
    else if (next === undefined) warning = 'the next page lies at another address than the operation';
    else if (seen.has(canonicalJson(next.queries))) warning = 'the next page was read before';
    if (warning !== undefined || next === undefined) break;
    seen.add(canonicalJson(next.queries));
    const read = await nextPage(next, pageable, send);
    if (typeof read === 'string') {
      warning = read;
      break;
    }
    bytes += read.sent.answer.body.length;
    if (bytes > limits.maxBytes) {
      warning = `more than ${limits.maxBytes} bytes`;
      break;
    }
    attempts += read.sent.attempts;
    for (const row of read.page.rows) rows.push(row);
    page = read.page;
  }
  const said =
    warning === undefined
      ? {}
      : { warning: `The list goes on behind these ${rows.length} rows: ${warning}.` };
  return { ...first, attempts, answer: joined(first.answer, page, rows, pageable), ...said };
}

async function nextPage(
  request: ConnectorRequest,
  pageable: Pageable,
  send: (request: ConnectorRequest) => Promise<Sent>,
): Promise<{ readonly sent: Sent; readonly page: Page } | string> {
  try {
    const sent = await send(request);
    const { status } = sent.answer;
    if (status < 200 || status >= 300) return `the connector answered the next page with ${status}`;
    const page = readPage(sent.answer, pageable);
    return page === undefined ? 'the next page is no list' : { sent, page };
  } catch (error) {
    if (!isToolcribError(error) || error.code === 'cancelled') throw error;
    return `the next page could not be read (${error.message.replace(/\.$/, '')})`;
  }
}

function readPage({ body }: ConnectorAnswer, { nextLink, rows = 'value' }: Pageable): Page | undefined {
  const value = parseExact(Buffer.from(body).toString());
  if (!isObject(value) || !Object.hasOwn(value, rows)) return undefined;
  const list = value[rows];
  if (!Array.isArray(list)) return undefined;
  const next = Object.hasOwn(value, nextLink) ? value[nextLink] : undefined;
  return { value, rows: list, next: typeof next === 'string' && next !== '' ? next : undefined };
}

function wantedRows({ input }: Operation, args: JsonObject, { limit }: Pageable): number | undefined {
  if (limit === undefined) return undefined;
  const properties = input['properties'];
  const schema = isObject(properties) && Object.hasOwn(properties, limit) ? properties[limit] : undefined;
  const value = Object.hasOwn(args, limit) ? args[limit] : isObject(schema) ? schema['default'] : undefined;
  return typeof value === 'number' && value > 0 ? value : undefined;
}

/** Undefined: the link leads elsewhere. Connectors write it with the prefix of their own gateway, or without. */
function nextRequest(link: string, request: ConnectorRequest): ConnectorRequest | undefined {
  const url = URL.parse(link, `https://connector.invalid${request.path}`);
  if (url === null || includesCredentials(url)) return undefined;
  const own = decodedFully(request.path);
  const path = decodedFully(url.pathname);
  if (path !== own && path.replace(/^\/apim\/[^/]+\/[^/]+(?=\/)/, '') !== own) return undefined;
  return { ...request, queries: Object.assign(Object.create(null), request.queries, queriesOfUrl(url)) };
}

function joined(
  answer: ConnectorAnswer,
  last: Page,
  all: readonly Json[],
  { nextLink, rows = 'value' }: Pageable,
): ConnectorAnswer {
  const value: JsonObject = { ...last.value, [rows]: [...all] };
  if (last.next === undefined) delete value[nextLink];
  return {
    ...answer,
    headers: { ...answer.headers, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  };
}
