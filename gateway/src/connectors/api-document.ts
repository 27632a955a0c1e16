import { decodeText, type Egress, EgressFailure, type EgressResponse } from '../egress/index.ts';
import { isToolcribError, ToolcribError } from '../errors.ts';
import { withRetry } from '../executors/http/retry.ts';
import type { JsonObject } from '../operations/index.ts';
import { parseLenientJson } from '../sources/azure/lenient-json.ts';
import { ARM_RETRY, type ArmClient } from './arm-client.ts';
import { findSwagger } from './find-swagger.ts';

const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const NO_SCHEMA = 'no swagger schema returned';

export interface ApiDocumentOptions {
  readonly client: ArmClient;
  readonly egress: Egress;
  readonly armEndpoint: string;
  readonly retry?: typeof ARM_RETRY;
}

/**
 * The Swagger document of one API as JSON text, on one line. Throws ToolcribError: `upstream_status` and its like as the
 * client does, `source_invalid` where there is none in the answer.
 */
export async function fetchApiDocument(
  api: { readonly name: string; readonly path: string },
  options: ApiDocumentOptions,
  signal: AbortSignal,
): Promise<string> {
  const purpose = { what: `export the API ${api.name}`, action: 'Microsoft.Web/locations/managedApis/read' };
  const request = { method: 'GET', path: api.path, query: { export: 'true' } } as const;
  const answer = await options.client.ask(request, purpose, signal, { maxBytes: MAX_DOCUMENT_BYTES });
  const found = findSwagger(readJson(answer));
  if (found === undefined) {
    throw new ToolcribError('source_invalid', NO_SCHEMA);
  }
  if ('document' in found) return textOf(found.document);
  return fromAddresses(found.addresses, options, signal);
}

/** The first that brings a document; where none does, what was wrong with the first. */
async function fromAddresses(
  addresses: readonly string[],
  options: ApiDocumentOptions,
  signal: AbortSignal,
): Promise<string> {
  let first: unknown;
  for (const address of addresses) {
    try {
      const found = findSwagger(readJson(await fetchElsewhere(address, options, signal)));
      if (found !== undefined && 'document' in found) return textOf(found.document);
      throw new ToolcribError('source_invalid', `${hostOf(address)} returned no swagger schema`);
    } catch (error) {
      signal.throwIfAborted();
      first ??= error;
    }
  }
  throw first;
}

/** Signed addresses of a storage service: without the token, and what they are signed with stays out of messages. */
async function fetchElsewhere(
  address: string,
  { egress, armEndpoint, retry = ARM_RETRY }: ApiDocumentOptions,
  signal: AbortSignal,
): Promise<EgressResponse> {
  const url = URL.parse(address);
  const secure = url?.protocol === 'https:';
  const own = url?.protocol === 'http:' && url.hostname === new URL(armEndpoint).hostname;
  if (url === null || !(secure || own)) {
    throw new ToolcribError(
      'egress_blocked',
      `its schema lies at ${hostOf(address)}, which is neither an https address nor the ARM endpoint: not fetched`,
    );
  }
  const outgoing = { method: 'GET', url: url.href, headers: [['Accept', 'application/json']] } as const;
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_DOCUMENT_BYTES, maxRedirects: 0 };
  const { response } = await withRetry(
    () => egress.request(outgoing, limits, signal),
    { method: 'GET' },
    { ...retry, deadlineMs: TIMEOUT_MS },
    signal,
  );
  if (response.status === 200) return response;
  throw new ToolcribError('upstream_status', `${url.host} answered ${response.status} for its schema`, {
    status: response.status,
  });
}

function readJson({ body, headers }: EgressResponse): unknown {
  try {
    return parseLenientJson(decodeText(body, headers['content-type']));
  } catch (cause) {
    const at = /position (\d+)/.exec(cause instanceof Error ? cause.message : '')?.[1];
    const where = at === undefined ? '' : ` (position ${at})`;
    throw new ToolcribError('source_invalid', `the schema is no JSON${where}`, { cause });
  }
}

function textOf(document: JsonObject): string {
  try {
    return JSON.stringify(document);
  } catch (cause) {
    // RangeError: nested deeper than the stack
    throw new ToolcribError('source_invalid', 'the schema is nested too deeply', { cause });
  }
}

function hostOf(address: string): string {
  const url = URL.parse(address);
  return url === null || url.host === '' ? 'no address' : `${url.protocol}//${url.host}`;
}

/** Why an API has no document; the API's name goes in front. */
export function documentProblem(error: unknown): string {
  if (isToolcribError(error) && error.message === NO_SCHEMA) return error.message;
  const why =
    isToolcribError(error) || error instanceof EgressFailure ? error.message : 'an unexpected fault';
  return `schema fetch failed — ${why}`;
}
