import { percentDecoded } from '../operations/http/percent-decoded.ts';
import type { Json, JsonObject, SecretReference } from '../operations/index.ts';
import { hidesValue } from '../telemetry/sensitive-names.ts';
import { concealText, isPassword, LIKE_A_KEY, type Lookout, lookoutFor, worthHiding } from './lookout.ts';

/** Takes what a server was given as a secret out of what it says: servers put keys into complaints and descriptions. */
export interface MessageEchoes {
  /** What is sent from now on, too. */
  learn(secret: string): void;
  /** No text and no key of it holds one of them; what needs no change is returned as it came. */
  conceal<T extends Json>(value: T): T;
}

/** Tokens that are renewed: the one before may still come back. */
const MOST_LEARNED = 4;
/** Levels of nesting that are looked into. */
const MAX_DEPTH = 256;

export function createMessageEchoes(given: readonly string[]): MessageEchoes {
  let learned: readonly string[] = [];
  let lookout = lookoutOf(given);
  return {
    learn(secret) {
      if (learned.includes(secret)) return;
      learned = [...learned, secret].slice(-MOST_LEARNED);
      lookout = lookoutOf([...given, ...learned]);
    },
    conceal: <T extends Json>(value: T) =>
      lookout === undefined || !mayHold(value, lookout, 0) ? value : (concealed(value, lookout, 0) as T),
  };
}

/**
 * Whether a value that a server gets must not come back from it: its name tells, or it looks like nothing but a key. A
 * region or a folder that stands in a variable stays readable.
 */
export function isKeptFrom(name: string, reference: SecretReference, value: string): boolean {
  if (isPathOfSecrets(reference, value)) return false;
  if (hidesValue(name, value)) return true;
  if (typeof reference === 'string') return false;
  return !('env' in reference) || hidesValue(reference.env, value) || LIKE_A_KEY.test(value);
}

const PATH_OF_FILE =
  /^(?:~?\/|\.{1,2}\/|[A-Za-z]:[\\/])[^\0\r\n]*\.(?:json|jsonc|ya?ml|toml|ini|conf|env|pem|key|crt|cer|p8|p12|pfx|txt)$/i;

/** `GOOGLE_APPLICATION_CREDENTIALS=/home/ada/key.json`: where a secret lies is none, and complaints name it. */
export function isPathOfSecrets(reference: SecretReference, value: string): boolean {
  return (typeof reference === 'string' || 'env' in reference) && PATH_OF_FILE.test(value);
}

/** Of the arguments of a program: what an option's name tells, and passwords in addresses (`postgres://user:…@host`). */
export function keptArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((argument, index) => {
    const [, option, given] = /^--?([\w-]+)=(.+)$/s.exec(argument) ?? [];
    const name = option ?? /^--?([A-Za-z][\w-]*)$/.exec(args[index - 1] ?? '')?.[1];
    const value = given ?? argument;
    return name !== undefined && hidesValue(name, value) ? [value] : passwordIn(value);
  });
}

/** A word that is no more than the user's stands in answers that are about something else. */
export function passwordIn(address: string): readonly string[] {
  const { username = '', password = '' } = URL.parse(address) ?? {};
  const plain = percentDecoded(password);
  return isPassword(plain) && password !== username ? [plain] : [];
}

function lookoutOf(values: readonly string[]): Lookout | undefined {
  const secrets = worthHiding(values);
  return secrets.length === 0 ? undefined : lookoutFor(secrets);
}

/** Nearly every message holds none: that is found out without a copy. */
function mayHold(value: Json, lookout: Lookout, depth: number): boolean {
  if (typeof value === 'string') return lookout.needles.mayHold(value);
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.some((item) => mayHold(item, lookout, depth + 1));
  const members = value as JsonObject;
  for (const name in members)
    if (lookout.needles.mayHold(name) || mayHold(members[name]!, lookout, depth + 1)) return true;
  return false;
}

function concealed(value: Json, lookout: Lookout, depth: number): Json {
  if (typeof value === 'string') return concealText(value, lookout);
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => concealed(item, lookout, depth + 1));
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, member]) => [
      concealText(name, lookout),
      concealed(member, lookout, depth + 1),
    ]),
  );
}
