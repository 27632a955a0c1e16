import type { EgressResponse, OutgoingRequest } from '../egress/egress.ts';
import { isToolcribError } from '../errors.ts';
import type { Connection } from '../operations/index.ts';
import type { Range } from '../telemetry/piece-map.ts';
import { redactWith } from '../telemetry/redact.ts';
import { createSecretSearch, maskRanges, type SecretSearch } from '../telemetry/secret-search.ts';
import { hidesValue } from '../telemetry/sensitive-names.ts';
import { type EchoNeedles, echoNeedles, plainForms, SHORTEST_ECHO } from './echo-needles.ts';

/** Keeps a credential that went out from coming back: services repeat requests in answers and in complaints. */
export interface Echoes {
  /** What this request carries; kept as long as the request. */
  remember(request: OutgoingRequest, secrets: readonly string[]): void;
  concealAnswer(answer: EgressResponse, request: OutgoingRequest, connection: Connection): EgressResponse;
  concealError(error: unknown, request: OutgoingRequest, connection: Connection): unknown;
}

interface Lookout {
  readonly needles: EchoNeedles;
  readonly plain: readonly string[];
  readonly search: SecretSearch;
  /** How far from a needle the rest of the secret may stand, in characters. */
  readonly reach: number;
}

const MAX_LOOKOUTS = 200;
/** Undoing encodings takes time: longer texts, in characters, are searched around what was found in them. */
const MAX_SEARCHED = 64 * 1024;
const MAX_ENCODED = 100;
const WITHHELD = `The answer is withheld: it repeats the credential of the request ${MAX_ENCODED} times or more, encoded.`;
/** The longest way to write a byte: `&#x00e9;`. */
const LONGEST_ESCAPE = 8;

export function createEchoes(): Echoes {
  const carried = new WeakMap<OutgoingRequest, readonly string[]>();
  const fixed = new WeakMap<Connection, readonly string[]>();
  const lookouts = new Map<string, Lookout>();

  const lookoutFor = (request: OutgoingRequest, connection: Connection): Lookout | undefined => {
    const secrets = [...(carried.get(request) ?? []), ...fixedSecrets(connection)];
    if (secrets.length === 0) return undefined;
    const key = secrets.join('\0');
    const before = lookouts.get(key);
    if (before !== undefined) return before;
    const lookout = {
      needles: echoNeedles(secrets),
      plain: plainForms(secrets),
      search: createSecretSearch(secrets),
      reach: 64 + LONGEST_ESCAPE * Math.max(...secrets.map((secret) => secret.length)),
    };
    lookouts.set(key, lookout);
    if (lookouts.size > MAX_LOOKOUTS) lookouts.delete(lookouts.keys().next().value!);
    return lookout;
  };

  /** Keys that the configuration puts into a header of every request. */
  const fixedSecrets = (connection: Connection): readonly string[] => {
    if (connection.headers === undefined) return [];
    const before = fixed.get(connection);
    if (before !== undefined) return before;
    const values = Object.entries(connection.headers).filter(([name, value]) => hidesValue(name, value));
    const secrets = worthHiding(values.map(([, value]) => value));
    fixed.set(connection, secrets);
    return secrets;
  };

  return {
    remember: (request, secrets) => void carried.set(request, worthHiding(secrets)),
    concealAnswer(answer, request, connection) {
      const lookout = lookoutFor(request, connection);
      if (lookout === undefined) return answer;
      const body = concealBytes(answer.body, lookout);
      const { url, headers } = concealHead(answer, lookout);
      const same = body === answer.body && headers === answer.headers && url === answer.url;
      return same ? answer : { ...answer, body, headers, url };
    },
    concealError(error, request, connection) {
      if (!isToolcribError(error)) return error;
      const lookout = lookoutFor(request, connection);
      return lookout === undefined ? error : redactWith(error, lookout.search);
    },
  };
}

/** Without the scheme before the token, and without what contains another of them. */
function worthHiding(values: readonly string[]): readonly string[] {
  const plain = values.map((value) => value.replace(/^[A-Za-z][\w-]* +(?=\S+$)/, ''));
  const long = [...new Set(plain)].filter((value) => value.length >= SHORTEST_ECHO);
  return long.filter((value) => !long.some((other) => other !== value && value.includes(other)));
}

/** One look at all of it: hardly any answer has more to hide. */
function concealHead(
  { url, headers }: EgressResponse,
  lookout: Lookout,
): Pick<EgressResponse, 'url' | 'headers'> {
  const whole = [url, ...Object.values(headers)].join('\n');
  if (!lookout.needles.mayHold(Buffer.from(whole, 'utf8'))) return { url, headers };
  const clean = Object.entries(headers).map(([name, value]) => [name, concealText(value, lookout)]);
  return { url: concealText(url, lookout), headers: Object.fromEntries(clean) };
}

function concealText(text: string, lookout: Lookout): string {
  return lookout.needles.mayHold(Buffer.from(text, 'utf8')) ? masked(text, lookout) : text;
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

/** The plain forms go quickly, however many there are; what is encoded takes a closer look, which has its limits. */
function masked(text: string, lookout: Lookout): string {
  const { needles, plain, search } = lookout;
  let clean = text;
  for (const form of plain) clean = clean.replaceAll(form, search.mask);
  if (!needles.mayHold(Buffer.from(clean, 'utf8'))) return clean;
  for (let round = 0; round < 4; round++) {
    const ranges = encodedRanges(clean, lookout);
    if (ranges === undefined) return WITHHELD;
    if (ranges.length === 0) return clean;
    clean = maskRanges(clean, ranges, search.mask);
  }
  return encodedRanges(clean, lookout)?.length === 0 ? clean : search.mask;
}

/** In a long text only around the needles; undefined where there are too many of them. */
function encodedRanges(text: string, { needles, search, reach }: Lookout): readonly Range[] | undefined {
  if (text.length <= MAX_SEARCHED) return search.rangesIn(text);
  const positions = needles.positions(text, MAX_ENCODED);
  if (positions.length >= MAX_ENCODED) return undefined;
  return positions.flatMap((at) => {
    const start = Math.max(0, at - reach);
    return search
      .rangesIn(text.slice(start, at + reach))
      .map(([first, after]): Range => [first + start, after + start]);
  });
}

/** Bytes that are no text keep their length. */
function overwritten(bytes: Buffer, search: SecretSearch): Buffer | undefined {
  const ranges = search.rangesIn(bytes.toString('latin1'));
  if (ranges.length === 0) return undefined;
  const clean = Buffer.from(bytes);
  for (const [start, end] of ranges) clean.fill('*', start, end);
  return clean;
}
