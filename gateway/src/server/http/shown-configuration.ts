import type { Configuration } from '../../config/configuration.ts';
import { percentDecoded } from '../../operations/http/percent-decoded.ts';
import type { Json } from '../../operations/index.ts';
import { isWrittenReference } from '../../operations/secret-references.ts';
import { createRedactor, type Redactor } from '../../telemetry/redactor.ts';
import { hidesValue } from '../../telemetry/sensitive-names.ts';

const HIDDEN = '(secret)';
/** Whatever stands below them goes into a request or a program, where names say little. */
const VALUES_ARE_SECRET: ReadonlySet<string> = new Set([
  'headers',
  'env',
  'credentials',
  'connectionHeaders',
]);
/** A value that only says which variable holds it: `${TOKEN}`, `Bearer ${TOKEN}`. */
const REFERENCE_IN_TEXT = /^(?:[A-Za-z][\w-]{0,20} )?\$\{\w+\}$/;
/** Levels of a configuration; what lies deeper is not shown. */
const DEEPEST = 12;

/**
 * A configuration for people: secrets as references (`env:NAME`, `file:PATH`, `command:PROGRAM`), values that stand in it hidden. What
 * cannot be told from a secret is hidden, too.
 */
export function shownConfiguration(configuration: Configuration): Json {
  const redactor = createRedactor();
  for (const secret of resolvedSecrets(configuration)) redactor.add(secret);
  const { file: _file, presetFiles: _presets, baseDirectory: _folder, ...rest } = configuration;
  return shown(rest, { name: '', secret: false, depth: 0, redactor }) ?? null;
}

/** Whether a part of a configuration, as it is written, holds a text that would not be shown. */
export function hidesText(part: Json): boolean {
  return hides(part, { name: '', secret: false, depth: 0, redactor: createRedactor() });
}

function hides(value: Json | undefined, place: Place): boolean {
  if (typeof value === 'string') return shownText(value, place) !== value;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    const list = shownList(value, place);
    return value.some((item, index) =>
      typeof item === 'string' ? list[index] !== item : hides(item, place),
    );
  }
  if (referenceOf(value) !== undefined) return false;
  return Object.entries(value).some(([name, member]) =>
    hides(member, { ...place, name, secret: place.secret || VALUES_ARE_SECRET.has(name) }),
  );
}

interface Place {
  readonly name: string;
  /** Texts here are secret unless they are references. */
  readonly secret: boolean;
  readonly depth: number;
  readonly redactor: Redactor;
}

/** Undefined for what is no data: functions, absent members. */
function shown(value: unknown, place: Place): Json | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return shownText(value, place);
  if (typeof value !== 'object' || place.depth > DEEPEST) return undefined;
  const inside = { ...place, depth: place.depth + 1 };
  if (Array.isArray(value)) return shownList(value, inside);
  const reference = referenceOf(value);
  if (reference !== undefined) return reference;
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const secret = place.secret || VALUES_ARE_SECRET.has(name);
    const text = shown(member, { ...inside, name, secret });
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(members);
}

/** Arguments of a program: `--token VALUE` and `--token=VALUE` hide what they name. */
function shownList(list: readonly unknown[], place: Place): Json[] {
  return list.flatMap((member, index): Json[] => {
    const before = list[index - 1];
    const named =
      typeof before === 'string' && /^--?[A-Za-z][\w-]*$/.test(before)
        ? before.replace(/^-+/, '')
        : place.name;
    const [, option, value] = typeof member === 'string' ? (/^--?([\w-]+)=(.+)$/s.exec(member) ?? []) : [];
    if (option !== undefined && hidesValue(option, value)) return [`--${option}=${HIDDEN}`];
    const text = shown(member, { ...place, name: named });
    return text === undefined ? [] : [text];
  });
}

function shownText(text: string, { name, secret, redactor }: Place): string {
  if (REFERENCE_IN_TEXT.test(text)) return text;
  if (text !== '' && (secret || hidesValue(name, text))) {
    return /^(?:none|basic|body|bearer|header|query|nango|azcli|env|envvar|interactive)$/.test(text)
      ? text
      : HIDDEN;
  }
  return redactor.redact(withoutPassword(text));
}

function referenceOf(value: object): string | undefined {
  // arguments of a program may be anything
  if (isWrittenReference(value) && 'command' in value) return `command:${value.command[0]}`;
  const [[kind, name] = [], ...more] = Object.entries(value);
  if (more.length > 0 || typeof name !== 'string') return undefined;
  return kind === 'env' || kind === 'file' ? `${kind}:${name}` : undefined;
}

function withoutPassword(text: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null) return text;
  const secretQuery = [...url.searchParams].some(([name, value]) => hidesValue(name, value, 'parameter'));
  if (url.password === '' && !secretQuery) return text;
  if (url.password !== '') url.password = 'secret';
  for (const [name, value] of [...url.searchParams]) {
    if (hidesValue(name, value, 'parameter')) url.searchParams.set(name, 'secret');
  }
  return url.href;
}

/** References that were read at start already. */
function resolvedSecrets({ server, store }: Configuration): string[] {
  const password = URL.parse(store)?.password ?? '';
  return [server.token ?? '', password, percentDecoded(password)].filter((secret) => secret !== '');
}
