import { escapeToken, isObject, type Json } from '../../operations/index.ts';

/** Members that hold a secret wherever they stand in a source. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  'bearer',
  'password',
  'apiKey',
  'clientSecret',
  'refreshToken',
  'secretKey',
  'accessToken',
  'token',
]);
/** Names of headers, variables and options that say that their value is one. */
const SECRET_NAME =
  /(?:^|[-_])(?:key|apikey|token|secret|password|passwd|credentials?|authorization|cookie|auth)(?:$|[-_])/i;
const WHOLE_VARIABLE = /^(?:Bearer +)?\$\{(?:env:)?[A-Za-z_]\w*\}$/;

/**
 * Pointers to secrets that stand as text in an entry of `sources` or `mcpServers`, where `{ env: NAME }` or `${NAME}`
 * belongs. Judged by names: a secret that hides in a path is not found.
 */
export function literalSecrets(entry: Json | undefined, pointer = ''): readonly string[] {
  if (Array.isArray(entry)) {
    return entry.flatMap((item, index) =>
      typeof item === 'string' && (isSecretOption(item) || isSecretValue(item, entry[index - 1]))
        ? [`${pointer}/${index}`]
        : literalSecrets(item, `${pointer}/${index}`),
    );
  }
  if (!isObject(entry)) return isUrlWithUser(entry) ? [pointer] : [];
  return Object.entries(entry).flatMap(([name, value]) => {
    const place = `${pointer}/${escapeToken(name)}`;
    if (typeof value !== 'string' || value === '') return literalSecrets(value, place);
    const named =
      SECRET_MEMBERS.has(name) ||
      (isNamed(pointer) && SECRET_NAME.test(name)) ||
      (pointer.endsWith('/tls') && /^(?:key|passphrase)$/.test(name));
    return (named && !WHOLE_VARIABLE.test(value)) || isUrlWithUser(value) ? [place] : [];
  });
}

/** Members of these are named by whoever writes them. */
function isNamed(pointer: string): boolean {
  return /\/(?:headers|env)$/.test(pointer);
}

function isSecretOption(text: string): boolean {
  const [, name, value] = /^--?([\w-]+)=(.+)$/.exec(text) ?? [];
  return name !== undefined && SECRET_NAME.test(name) && !WHOLE_VARIABLE.test(value!);
}

/** `--token VALUE` as two arguments; a path names a file. */
function isSecretValue(text: string, before: Json | undefined): boolean {
  const [, name] = (typeof before === 'string' && /^--?([A-Za-z][\w-]*)$/.exec(before)) || [];
  if (name === undefined || !SECRET_NAME.test(name)) return false;
  return !/^(?:-|(?:~|\.{0,2})\/)/.test(text) && !WHOLE_VARIABLE.test(text);
}

function isUrlWithUser(value: Json | undefined): boolean {
  if (typeof value !== 'string') return false;
  const url = URL.parse(value);
  return url !== null && url.password !== '';
}

/** Names of environment variables that an entry reads, sorted. */
export function environmentNames(entry: Json | undefined): readonly string[] {
  const names = new Set<string>();
  const look = (value: Json | undefined) => {
    if (typeof value === 'string')
      for (const [, name] of value.matchAll(/\$\{(?:env:)?([A-Za-z_]\w*)(?::-[^{}]*)?\}/g)) names.add(name!);
    else if (Array.isArray(value)) value.forEach(look);
    else if (isObject(value)) {
      const { env } = value;
      if (typeof env === 'string' && Object.keys(value).length === 1) names.add(env);
      else Object.values(value).forEach(look);
    }
  };
  look(entry);
  return [...names].sort();
}
