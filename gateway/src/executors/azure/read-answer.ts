import { EgressFailure, type EgressResponse } from '../../egress/index.ts';
import { isSecretHeader } from '../../operations/http/secret-header.ts';
import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { decodeUtf8 } from '../../results/decode-text.ts';
import { isJsonType, mediaTypeOf } from '../../results/media-type.ts';
import { parseExact } from './exact-json.ts';
import { readStatusCode } from './status-code.ts';

/** What one `dynamicInvoke` brought: the connector's answer, or that of Azure Resource Manager itself. */
export interface ConnectorAnswer extends EgressResponse {
  /** True: Resource Manager answered, and the connector was not reached or its answer is not known. */
  readonly own: boolean;
}

/** What a connection's caller must be allowed to do. */
const ACTION = 'Microsoft.Web/connections/dynamicInvoke/action';

/**
 * The connector's answer out of Resource Manager's: status, body bytes and its headers; of Resource Manager's own only
 * content type and Retry-After. `{response: {statusCode, body, headers}}`, the same without `response`, `{statusCode, message}` of a
 * refusal, or the body itself. Throws EgressFailure: `too_large` where the body is longer than `maxBytes`, `malformed`
 * where it is nested too deeply.
 */
export function readAnswer(response: EgressResponse, maxBytes: number): ConnectorAnswer {
  const ok = response.status >= 200 && response.status < 300;
  const text = decodeUtf8(response.body);
  const value = text === undefined ? undefined : parseExact(text);
  const inner = ok ? innerOf(value) : undefined;
  const answer = inner === undefined ? armAnswer(response, value, ok) : connectorAnswer(inner, response);
  if (answer.body.length <= maxBytes) return answer;
  throw new EgressFailure(
    'too_large',
    'all',
    `The answer of the connector is longer than ${maxBytes} bytes`,
    { status: answer.status },
  );
}

interface Inner {
  readonly status: Json | undefined;
  readonly body: Json | undefined;
  readonly headers: Json | undefined;
}

const BARE: ReadonlySet<string> = new Set(['statusCode', 'body', 'headers']);

function innerOf(value: Json | undefined): Inner | undefined {
  if (!isObject(value)) return undefined;
  const { response } = value;
  if (isObject(response) && ('statusCode' in response || 'body' in response)) return partsOf(response);
  const status = readStatusCode(value['statusCode']);
  if (status === undefined) return undefined;
  if (Object.keys(value).every((name) => BARE.has(name))) return partsOf(value);
  // how the runtime of connectors refuses: it stands in no schema of an answer
  const refusal = status >= 400 && typeof value['message'] === 'string' && Object.keys(value).length === 2;
  return refusal ? { status, body: value, headers: undefined } : undefined;
}

const partsOf = ({ statusCode, body, headers }: JsonObject): Inner => ({ status: statusCode, body, headers });

/** A status that nobody can read is no success. */
function connectorAnswer({ status, body, headers }: Inner, response: EgressResponse): ConnectorAnswer {
  const given = headerOf(headers, 'content-type');
  const { bytes, contentType } = bodyOf(body, given);
  return {
    status: status === undefined || status === null ? response.status : (readStatusCode(status) ?? 502),
    headers: {
      ...headersOf(headers),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    },
    body: bytes,
    url: response.url,
    own: false,
  };
}

interface Body {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

const JSON_TYPE = 'application/json';
const EMPTY = new Uint8Array();

/** Bytes as base64, a JSON value, JSON as text, or text. */
function bodyOf(body: Json | undefined, given: string | undefined): Body {
  if (body === undefined || body === null) return { bytes: EMPTY, contentType: undefined };
  const json = isJsonType(mediaTypeOf(given));
  if (typeof body === 'string') {
    if (body === '') return { bytes: EMPTY, contentType: undefined };
    const structured =
      /^\s*[{[]/.test(body) && (json || given === undefined) && parseExact(body) !== undefined;
    const text = given === undefined || json ? 'text/plain; charset=utf-8' : utf8(given);
    return { bytes: Buffer.from(body), contentType: structured ? JSON_TYPE : text };
  }
  const file = fileOf(body);
  if (file !== undefined) return file;
  return { bytes: written(body), contentType: json ? utf8(given!) : JSON_TYPE };
}

/** Nothing of ours reads what is nested deeper than the stack. */
function written(body: Json): Uint8Array {
  try {
    return Buffer.from(JSON.stringify(body));
  } catch {
    throw new EgressFailure('malformed', 'all', 'The answer of the connector is nested too deeply');
  }
}

function fileOf(body: Json): Body | undefined {
  if (!isObject(body) || typeof body['$content'] !== 'string') return undefined;
  const type = body['$content-type'];
  return {
    bytes: Buffer.from(body['$content'], 'base64'),
    contentType: typeof type === 'string' && type !== '' ? type : 'application/octet-stream',
  };
}

/** What came in another encoding is UTF-8 by now. */
function utf8(contentType: string): string {
  return contentType.replace(/;\s*charset=(?:"[^"]*"|[^;]*)/i, '; charset=utf-8');
}

const MAX_HEADERS = 100;
/** What spoke of the body as it came. */
const OF_THE_BODY: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
]);

/** By their names in lower case, of those that repeat the first; no session. */
function headersOf(headers: Json | undefined): Record<string, string> {
  if (!isObject(headers)) return {};
  const names = Object.keys(headers).slice(0, MAX_HEADERS);
  const read = names.flatMap((name) => {
    const lower = name.toLowerCase();
    const isLeftOut = OF_THE_BODY.has(lower) || isSecretHeader(lower);
    const text = isLeftOut ? undefined : headerOf(headers, lower);
    return text === undefined ? [] : [[lower, text] as const];
  });
  return Object.fromEntries(read);
}

function headerOf(headers: Json | undefined, name: string): string | undefined {
  if (!isObject(headers)) return undefined;
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  const text = Array.isArray(value) ? value[0] : value;
  return typeof text === 'string' ? text : typeof text === 'number' ? String(text) : undefined;
}

/** Resource Manager's own answer; where it refuses us, with what is missing. */
function armAnswer(response: EgressResponse, value: Json | undefined, ok: boolean): ConnectorAnswer {
  const { status, headers, url } = response;
  const type = headers['content-type'];
  const retryAfter = headers['retry-after'];
  const explained = ok ? undefined : withAction(value);
  return {
    status,
    headers: {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    },
    body: explained === undefined ? response.body : Buffer.from(JSON.stringify(explained)),
    url,
    own: !ok,
  };
}

function withAction(value: Json | undefined): Json | undefined {
  const error = isObject(value) ? value['error'] : undefined;
  if (!isObject(error) || error['code'] !== 'AuthorizationFailed') return undefined;
  const said = typeof error['message'] === 'string' ? `${error['message']} ` : '';
  const message = `${said}Whom the gateway signs in as needs the action ${ACTION} on the connection, e.g. by the role Logic App Contributor.`;
  return { ...(value as JsonObject), error: { ...error, message } };
}
