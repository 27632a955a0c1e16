import { secretsOfAddress } from '../../credentials/address-secrets.ts';
import type { OutgoingRequest } from '../../egress/index.ts';

const MASK = '••••';
const SECRET_NAME = /auth|key|token|secret|passw|credential|session|signature|cookie/i;

/**
 * A request as a person may see it: every header, query parameter and cookie that `authorised` has and `plain`
 * has not is masked, and so is every header whose name speaks of a secret, and what the base URL holds of one. For dry
 * runs; never sent.
 */
export function redactRequest(plain: OutgoingRequest, authorised: OutgoingRequest): OutgoingRequest {
  const before = new Set(plain.headers.map(headerLine));
  const secret = new Set(authorised.credentialHeaders ?? []);
  const plainCookies = new Set(cookiesOf(plain));
  const headers = authorised.headers.map((header) => {
    const [name, value] = header;
    const lower = name.toLowerCase();
    if (lower === 'cookie') return [name, maskCookies(value, plainCookies)] as const;
    const masked = secret.has(lower) || !before.has(headerLine(header)) || SECRET_NAME.test(lower);
    return masked ? ([name, MASK] as const) : header;
  });
  return {
    method: authorised.method,
    url: maskQuery(authorised.url, plain),
    headers,
    ...(authorised.socketPath === undefined ? {} : { socketPath: authorised.socketPath }),
    ...(authorised.body === undefined ? {} : { body: authorised.body }),
  };
}

/** Names stay readable. A cookie that was there before, and is no credential, stays whole. */
function maskCookies(value: string, plain: ReadonlySet<string>): string {
  return value
    .split('; ')
    .map((cookie) => (plain.has(cookie) ? cookie : masked(cookie)))
    .join('; ');
}

function cookiesOf(request: OutgoingRequest): string[] {
  return request.headers
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .flatMap(([, value]) => value.split('; '));
}

function maskQuery(url: string, plain: OutgoingRequest): string {
  const [path = '', query] = cut(url);
  if (query === undefined) return path;
  const before = new Set((cut(plain.url)[1] ?? '').split('&'));
  for (const { pair } of secretsOfAddress(plain.base)) before.delete(pair);
  return `${path}?${query
    .split('&')
    .map((pair) => (before.has(pair) ? pair : masked(pair)))
    .join('&')}`;
}

function cut(url: string): [string, string | undefined] {
  const mark = url.indexOf('?');
  return mark < 0 ? [url, undefined] : [url.slice(0, mark), url.slice(mark + 1)];
}

const masked = (pair: string): string => `${pair.split('=', 1)[0]}=${MASK}`;
const headerLine = ([name, value]: readonly [string, string]): string => `${name.toLowerCase()}:${value}`;
