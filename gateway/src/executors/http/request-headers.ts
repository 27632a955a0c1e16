import { attachmentNamed } from '../../operations/http/attachment-disposition.ts';
import { makesItRead, NEVER_FROM_ARGUMENTS } from '../../operations/http/caller-headers.ts';
import { familyMember, namesFamily } from '../../operations/http/header-family.ts';
import { HTTP_TOKEN } from '../../operations/http/http-token.ts';
import {
  type Connection,
  type HttpInvocation,
  isObject,
  type JsonObject,
  type ParameterBinding,
} from '../../operations/index.ts';
import { boundValue, refusedValue, serialised } from './bound-value.ts';
import { cookieHeader } from './cookie-header.ts';
import { expandText, plainDelimiter } from './expand-style.ts';
import { contentText } from './parameter-content.ts';
import { asciiJson } from './text-charset.ts';

type Header = readonly [name: string, value: string];

const DISPOSITION = 'content-disposition';
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const HARD_BREAK = /[\u0000-\u0008\u000a-\u001f\u007f]/;

export interface HeaderParts {
  readonly invocation: HttpInvocation;
  readonly connection: Connection;
  /** Bindings of headers and cookies. */
  readonly bindings: readonly ParameterBinding[];
  readonly bodyType: string | undefined;
  /** File name of the body; the configuration's and the operation's own Content-Disposition win. */
  readonly bodyName?: string | undefined;
  readonly credentials: ReadonlySet<string>;
  readonly credentialCookies: ReadonlySet<string>;
}

/** The connection's own headers win over arguments; Accept and Content-Type come from the operation. */
export function requestHeaders(parts: HeaderParts, args: JsonObject): Header[] {
  const { invocation, connection, bindings, bodyType, bodyName } = parts;
  const headers: Header[] = [];
  const taken = new Set<string>();
  let configuredCookie: string | undefined;
  for (const [name, value] of Object.entries(connection.headers ?? {})) {
    const lower = name.toLowerCase();
    if (lower === 'content-type' && bodyType !== undefined) continue;
    taken.add(lower);
    if (lower === 'cookie') configuredCookie = value;
    else headers.push([name, value]);
  }
  if (!taken.has('accept')) headers.push(['accept', acceptOf(invocation.accept)]);
  if (bodyType !== undefined) headers.push(['content-type', bodyType]);
  const cookies: ParameterBinding[] = [];
  for (const binding of bindings) {
    if (binding.in === 'cookie') cookies.push(binding);
    else headers.push(...boundHeaders(binding, args, taken, parts.credentials));
  }
  if (
    bodyName !== undefined &&
    !taken.has(DISPOSITION) &&
    !headers.some(([name]) => name.toLowerCase() === DISPOSITION)
  )
    headers.push([DISPOSITION, attachmentNamed(bodyName)]);
  const cookie = cookieHeader(configuredCookie, cookies, args, parts.credentialCookies);
  if (cookie !== '') headers.push(['cookie', cookie]);
  return headers;
}

/** The header of a binding, or each of a family of them. */
function boundHeaders(
  binding: ParameterBinding,
  args: JsonObject,
  configured: ReadonlySet<string>,
  credentials: ReadonlySet<string>,
): Header[] {
  const members = namesFamily(binding.name) ? boundValue(binding, args) : undefined;
  if (!isObject(members)) {
    const header = boundHeader(binding, args, configured, credentials);
    return header === undefined ? [] : [header];
  }
  const { const: _const, inject: _inject, arg: _arg, ...how } = binding;
  return Object.keys(members).flatMap((arg) => {
    const member = { ...how, arg, name: familyMember(binding.name, arg) };
    const header = boundHeader(member, members, configured, credentials);
    return header === undefined ? [] : [header];
  });
}

/**
 * One header of a binding; undefined: nothing is sent. Throws `arguments_invalid`, `source_invalid`. Names are lower
 * case: `configured` ones win, `credentials` ones are refused, `allowed` ones may come from arguments after all.
 */
export function boundHeader(
  binding: ParameterBinding,
  args: JsonObject,
  configured: ReadonlySet<string>,
  credentials: ReadonlySet<string>,
  allowed?: ReadonlySet<string>,
): Header | undefined {
  const value = boundValue(binding, args);
  if (value === undefined || value === null) return undefined;
  const name = binding.name.toLowerCase();
  const isOfDocument = binding.arg === undefined && makesItRead(name, value);
  const never = NEVER_FROM_ARGUMENTS.has(name) && !allowed?.has(name) && !isOfDocument;
  if (never || name.startsWith('proxy-') || credentials.has(name)) {
    if (binding.arg === undefined) return undefined;
    throw refusedValue(binding, `would set the header ${binding.name}, which no argument may`);
  }
  if (!HTTP_TOKEN.test(binding.name))
    throw refusedValue(binding, `names a header ${JSON.stringify(binding.name)} that no request can carry`);
  if (configured.has(name)) return undefined;
  const text = headerText(binding, value);
  if (text === undefined) return undefined;
  if (FIELD_VALUE.test(text)) return [binding.name, text];
  throw refusedValue(
    binding,
    HARD_BREAK.test(text)
      ? `holds a line break or another control character, which the header ${binding.name} cannot carry`
      : `holds characters outside Latin-1, which the header ${binding.name} cannot carry`,
  );
}

/** An item whose commas stand in quoted strings (RFC 9110 §5.6.1, as entity tags have them): no list is cut there. */
const IS_QUOTED = /^(?:(?:^|[=/])"(?:[^"\\]|\\.)*"|[^",])*$/;

/** `simple` style, not percent-encoded (OpenAPI 3.1.1 §4.8.12.3) but for a comma within an item. */
function headerText(
  binding: ParameterBinding,
  value: NonNullable<ReturnType<typeof boundValue>>,
): string | undefined {
  if (binding.contentType !== undefined)
    return contentInHeader(contentText(value, binding.contentType, binding.members), binding.contentType);
  const delimiter = binding.delimiter ?? plainDelimiter(binding.style ?? 'simple');
  if (typeof value !== 'object')
    return expandText(
      value,
      plain(binding, delimiter, (text) => text),
    );
  const text = serialised(binding, () =>
    expandText(
      value,
      plain(binding, delimiter, (item) =>
        delimiter === ',' && IS_QUOTED.test(item)
          ? item
          : [delimiter, ...(binding.nested ?? [])].reduce(
              (all, one) => all.replaceAll(one, encodeURIComponent),
              item,
            ),
      ),
    ),
  );
  return text === '' ? undefined : text;
}

const plain = (binding: ParameterBinding, delimiter: string, encode: (text: string) => string) =>
  ({
    name: binding.name,
    style: 'simple',
    explode: binding.explode ?? false,
    delimiter,
    nested: binding.nested,
    encode,
  }) as const;

/** A header cannot say any character. */
function contentInHeader(text: string, contentType: string): string {
  return /json/i.test(contentType) ? asciiJson(text) : text;
}

/** A vendor's own JSON (RFC 6838 §3.2, §4.2.8), which often says the version of the API that is asked. */
const VENDOR_JSON = /^application\/vnd\.[^;,]+\+json\s*(?:;|$)/i;

/**
 * Best first, with falling quality (RFC 9110 §12.5.1); anything rather than no answer. A vendor's type alone stands
 * alone: services that read their version there compare the whole header (Ceph: 415 for anything beside it).
 */
function acceptOf(types: readonly string[]): string {
  if (types.length === 0) return 'application/json, */*;q=0.5';
  const [only] = types;
  if (types.length === 1 && VENDOR_JSON.test(only!)) return only!;
  const ranked = types
    .slice(0, 8)
    .map((type, rank) =>
      rank === 0 || /;\s*q=/i.test(type) ? type : `${type};q=${(1 - rank / 10).toFixed(1)}`,
    );
  if (!types.includes('*/*')) ranked.push('*/*;q=0.1');
  return ranked.join(', ');
}
