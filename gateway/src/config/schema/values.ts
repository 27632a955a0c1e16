import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { DESTINATION, isDestination } from '../../operations/http/allow-list.ts';
import { includesCredentials } from '../../operations/http/includes-credentials.ts';
import { didYouMean, itTakes } from '../../operations/text/nearest-name.ts';
import { expected } from '../../operations/text/schema-problems.ts';
import { bytes, DAYS, DURATION, milliseconds, SIZE } from '../measures.ts';

/**
 * An object that refuses keys it does not know, naming the nearest one that it does, or what `elsewhere` says of one.
 * `otherwise`: what is said where something else than an object stands; default: the keys, where they are few.
 */
export function closed<T extends z.core.$ZodShape>(
  shape: T,
  elsewhere: (key: string) => string | undefined = () => undefined,
  otherwise?: string,
) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? (issue['keys'] as string[])
            .map(
              (key) =>
                `Unknown key "${key}".${elsewhere(key) ?? (didYouMean(key, known) || fewTaken(known))}`,
            )
            .join('\n')
        : issue.code === 'invalid_type'
          ? (otherwise ?? objectOf(known, issue.input))
          : undefined,
  });
}

/** More are looked up in the reference. */
const FEW_KEYS = 12;

/** Undefined: what is always said. */
function objectOf(known: readonly string[], value: unknown): string | undefined {
  const taken = fewTaken(known);
  return taken === '' ? undefined : `${expected(['object'], value)}${taken}`;
}

function fewTaken(known: readonly string[]): string {
  return known.length > FEW_KEYS ? '' : itTakes(known);
}

const NO_INTERPOLATION = 'Write { env: NAME } to read an environment variable; text is taken as it stands.';
export const text = z.string().min(1, 'Must not be empty.');
/** As a shell, PowerShell, Windows, other clients' files and --auth of the command line name a variable. */
const REFERENCES = [
  /\$\{(?:env:)?[A-Za-z_]\w*(?::?-[^{}]*)?\}/,
  /^\$(?:env:)?\w+$/i,
  /^%\w+%$/,
  // and no `file:`, which begins addresses that programs are given
  /^env:[A-Za-z_]\w*$/,
];
const literalText = text
  .refine((value) => !REFERENCES.some((reference) => reference.test(value)), NO_INTERPOLATION)
  .refine((value) => value === '' || value.trim() !== '', 'Must not be blank.');
/** Windows has names with brackets (`ProgramFiles(x86)`); none begins as a reference to one does, or has a `=`. */
const variable = text.refine(
  (value) => !/[$=%]/.test(value) && !value.startsWith('env:'),
  'Write the name of the variable alone: { env: NAME }.',
);
export const httpUrl = text.refine(isHttpUrl, 'Must be an absolute http or https URL.');
/** As the egress door reads it. */
export const destination = text.refine(
  (value) => value === '' || isDestination(value),
  `Must be a ${DESTINATION}.`,
);
/** The same, or a domain with all below it. */
export const bypassed = text.refine(
  (value) => value === '' || /^\.[^*\s/:]+$/.test(value) || isDestination(value),
  `Must be a ${DESTINATION}, or .suffix for a domain.`,
);
/** An address without a path: none is served below one, since pages, cookies and well-known addresses are not. */
export const publicOrigin = httpUrl.refine(
  (value) => !isHttpUrl(value) || isOrigin(value),
  'Must be an origin such as https://tools.example.com: the gateway is served at the root of its host.',
);
/** As browsers write it (RFC 6454); those of extensions and editors have schemes of their own. */
export const pageOrigin = text.refine(
  (value) => value === '' || value === 'null' || PAGE_ORIGIN.test(value),
  {
    error: ({ input }) =>
      `Must be an origin such as https://app.example.com, without a path or wildcard.${meant(input, 'origin')}`,
  },
);
/** As the `Host` header names it. */
export const hostName = text.refine((value) => value === '' || isHostName(value), {
  error: ({ input }) =>
    `Must be a host such as tools.example.com, or host:port, without scheme, path or wildcard.${meant(input, 'host')}`,
});
/** RFC 6749 §3.3. */
export const scope = text.regex(
  /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/,
  'A scope has no blanks, quotes or backslashes: write several as a list.',
);
/** RFC 8252 §7.3. */
export const redirectUri = z
  .string()
  .regex(
    /^http:\/\/(?:127\.0\.0\.1|localhost):[1-9]\d{0,4}\/[^?#\s]*$/,
    'Use http://127.0.0.1:PORT/PATH or http://localhost:PORT/PATH.',
  )
  .describe('As it is registered at the provider. Default: 127.0.0.1 on a random port, /callback.');
/** Read once, when the gateway starts. */
export const startSecret = z
  .union([literalText, closed({ env: variable }, notAtStart), closed({ file: text }, notAtStart)])
  .describe('The value itself, { env: NAME } or { file: PATH }.');
export const secret = z
  .union([
    literalText,
    closed({ env: variable }),
    closed({ file: text }),
    closed({ command: z.array(z.string()).min(1, 'Name the program, then its arguments.') }),
  ])
  .describe(
    'The value itself, { env: NAME }, { file: PATH } or { command: [PROGRAM, ARGUMENT, …] }, which prints it; read when it is needed.',
  );

function notAtStart(key: string): string | undefined {
  return key === 'command'
    ? ' This one is read once, at the start: use { env: NAME } or { file: PATH }.'
    : undefined;
}

const WRITE_DURATION = 'Write a duration such as 30s, 500ms or 2m, or a number of milliseconds.';
const WRITE_SIZE = 'Write a size such as 10MB or 512KiB, or a number of bytes.';
/** A timer of Node's that is longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const LONGEST_MS = 3650 * 24 * 3_600_000;

const writtenDuration = z.string().regex(DURATION, WRITE_DURATION);
/** Of a key with bounds of its own. */
export const boundedDuration = z.union([z.int().min(0), writtenDuration]);
/** That something is waited for. */
export const duration = lasting(writtenDuration, LONGEST_TIMER_MS, 'Must last from 1ms to 596h.');
/** That something counts, or is kept. */
export const lifetime = lasting(writtenDuration, LONGEST_MS, 'Must last from 1ms to 87600h.');
/** The same in days, too. */
export const days = (otherwise: string) =>
  lasting(
    z.string().refine((given) => DURATION.test(given) || DAYS.test(given), otherwise),
    LONGEST_MS,
    'Must last from 1ms to 3650d.',
  );
export const size = z.union([
  z.int().positive(),
  z
    .string()
    .regex(SIZE, WRITE_SIZE)
    .refine((given) => !SIZE.test(given) || isWithin(bytes(given), Number.MAX_SAFE_INTEGER), {
      error: 'Must be from 1 to 9007199254740991 bytes.',
    }),
]);
const SOURCE_NAME = /^(?!constructor$|prototype$)[A-Za-z][A-Za-z0-9_-]{0,31}$/;
export const sourceName = z
  .string()
  .regex(SOURCE_NAME, 'A source name is a letter, then at most 31 letters, digits, "_" or "-".');

const PAGE_ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*\\]+\/?$/i;

function isHostName(value: string): boolean {
  return isIPv6(value) || (!/[\s/?#@*\\]/.test(value) && URL.canParse(`http://${value}`));
}

/** What an address was written for, where only a part of it is asked for. */
function meant(input: unknown, part: 'origin' | 'host'): string {
  const url = typeof input === 'string' && !input.includes('*') ? URL.parse(input) : null;
  const isAddress = url !== null && /^https?:$/.test(url.protocol);
  return isAddress ? ` Did you mean "${url[part]}"?` : '';
}

function isOrigin(value: string): boolean {
  const { pathname, search, hash } = new URL(value);
  return pathname === '/' && search === '' && hash === '' && !/[?#]/.test(value);
}

export function isHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || includesCredentials(url)) return false;
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** What the text's own schema refuses is not measured. */
function lasting<T extends z.ZodType<string, string>>(written: T, most: number, outside: string) {
  const isMeasured = (given: string) => DURATION.test(given) || DAYS.test(given);
  return z.union([
    z.int().positive().max(most, outside),
    written.refine((given) => !isMeasured(given) || isWithin(milliseconds(given), most), outside),
  ]);
}

function isWithin(value: number, most: number): boolean {
  return value >= 1 && value <= most;
}
