import type { EgressResponse, OutgoingRequest } from '../egress/egress.ts';
import { isToolcribError } from '../errors.ts';
import type { Connection } from '../operations/index.ts';
import { redactWith } from '../telemetry/redact.ts';
import type { SecretSearch } from '../telemetry/secret-search.ts';
import { hidesValue } from '../telemetry/sensitive-names.ts';
import { secretsOfAddress } from './address-secrets.ts';
import { concealText, type Lookout, lookoutFor, masked, worthHiding } from './lookout.ts';

/** Keeps a credential that went out from coming back: services repeat requests in answers and in complaints. */
export interface Echoes {
  /** What this request carries; kept as long as the request. */
  remember(request: OutgoingRequest, secrets: readonly string[]): void;
  concealAnswer(answer: EgressResponse, request: OutgoingRequest, connection: Connection): EgressResponse;
  concealError(error: unknown, request: OutgoingRequest, connection: Connection): unknown;
}

const MAX_LOOKOUTS = 200;

export function createEchoes(): Echoes {
  const carried = new WeakMap<OutgoingRequest, readonly string[]>();
  const fixed = new WeakMap<Connection, readonly string[]>();
  const lookouts = new Map<string, Lookout>();

  const lookoutOf = (request: OutgoingRequest, connection: Connection): Lookout | undefined => {
    const secrets = [...(carried.get(request) ?? []), ...fixedSecrets(connection)];
    if (secrets.length === 0) return undefined;
    const key = secrets.join('\0');
    const before = lookouts.get(key);
    if (before !== undefined) return before;
    const lookout = lookoutFor(secrets);
    lookouts.set(key, lookout);
    if (lookouts.size > MAX_LOOKOUTS) lookouts.delete(lookouts.keys().next().value!);
    return lookout;
  };

  /** Keys that the configuration puts into every request, by a header or by the query of the base URL. */
  const fixedSecrets = (connection: Connection): readonly string[] => {
    const { headers, baseUrl } = connection;
    if (headers === undefined && !baseUrl?.includes('?')) return [];
    const before = fixed.get(connection);
    if (before !== undefined) return before;
    const values = Object.entries(headers ?? {}).filter(([name, value]) => hidesValue(name, value));
    const secrets = worthHiding([
      ...values.map(([, value]) => value),
      ...secretsOfAddress(baseUrl).map(({ value }) => value),
    ]);
    fixed.set(connection, secrets);
    return secrets;
  };

  return {
    remember: (request, secrets) => void carried.set(request, worthHiding(secrets)),
    concealAnswer(answer, request, connection) {
      const lookout = lookoutOf(request, connection);
      if (lookout === undefined) return answer;
      const body = concealBytes(answer.body, lookout);
      const { url, headers } = concealHead(answer, lookout);
      const same = body === answer.body && headers === answer.headers && url === answer.url;
      return same ? answer : { ...answer, body, headers, url };
    },
    concealError(error, request, connection) {
      if (!isToolcribError(error)) return error;
      const lookout = lookoutOf(request, connection);
      return lookout === undefined ? error : redactWith(error, lookout.search);
    },
  };
}

/** One look at all of it: hardly any answer has more to hide. */
function concealHead(
  { url, headers }: EgressResponse,
  lookout: Lookout,
): Pick<EgressResponse, 'url' | 'headers'> {
  const whole = [url, ...Object.values(headers)].join('\n');
  if (!lookout.needles.mayHold(whole)) return { url, headers };
  const clean = Object.entries(headers).map(([name, value]) => [name, concealText(value, lookout)]);
  return { url: concealText(url, lookout), headers: Object.fromEntries(clean) };
}

function concealBytes(body: Uint8Array, lookout: Lookout): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!lookout.needles.mayHold(bytes)) return body;
  const text = bytes.toString('utf8');
  if (bytes.equals(Buffer.from(text, 'utf8'))) {
    const clean = masked(text, lookout);
    return clean === text ? body : Buffer.from(clean, 'utf8');
  }
  return overwritten(bytes, lookout.search) ?? body;
}

/** Bytes that are no text keep their length. */
function overwritten(bytes: Buffer, search: SecretSearch): Buffer | undefined {
  const ranges = search.rangesIn(bytes.toString('latin1'));
  if (ranges.length === 0) return undefined;
  const clean = Buffer.from(bytes);
  for (const [start, end] of ranges) clean.fill('*', start, end);
  return clean;
}
