import { isDeepStrictEqual } from 'node:util';
import { ToolcribError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../operations/index.ts';
import { parseToml } from './toml.ts';

/**
 * The text with the table `key.name`, behind everything else or where it stood. What else the file says stays byte for
 * byte; that it still says the same is checked, since only lines are looked at here.
 */
export async function withTable(
  text: string,
  key: string,
  name: string,
  entry: object,
  file: string,
): Promise<string> {
  const before = await parseToml(text, file);
  const cut = await withoutLines(text, key, name);
  const table = await tableOf(key, name, entry);
  const block = text.includes('\r\n') ? table.replaceAll('\n', '\r\n') : table;
  const { text: rest, at } = cut ?? { text, at: text.length };
  const [head, tail] = [rest.slice(0, at), rest.slice(at)];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = tail === '' || /^\s*\n/.test(tail) ? '' : eol;
  const next = head + separation(head, eol) + block + gap + tail;
  const servers = isObject(before[key]) ? before[key] : {};
  const expected = { ...before, [key]: { ...servers, [name]: JSON.parse(JSON.stringify(entry)) } };
  if (await says(next, expected, file)) return next;
  throw new ToolcribError(
    'file_conflict',
    `The file has "${key}" in a form to which no table can be added.`,
    {
      location: file,
      next: `Write it there by hand:\n${table.trimEnd()}`,
    },
  );
}

/** The text without the table `key.name` and the tables within it. */
export async function withoutTable(text: string, key: string, name: string, file: string): Promise<string> {
  const before = await parseToml(text, file);
  const servers = before[key];
  if (!isObject(servers) || !Object.hasOwn(servers, name)) return text;
  const { [name]: _gone, ...others } = servers;
  const cut = await withoutLines(text, key, name);
  const expected = { ...before, [key]: others };
  const { [key]: _empty, ...without } = before;
  if (cut !== undefined) {
    const head = cut.text.slice(0, cut.at);
    const tail = cut.text.slice(cut.at);
    // of the empty lines before and behind it one is enough
    const next = head + (/\n\r?\n$/.test(head) ? tail.replace(/^\r?\n/, '') : tail);
    if (await says(next, expected, file)) return next;
    // a table that has no lines of its own ends with its last member
    if (Object.keys(others).length === 0 && (await says(next, without, file))) return next;
  }
  throw new ToolcribError(
    'file_conflict',
    `"${key}.${name}" is written in a form that is not changed here.`,
    {
      location: file,
      next: 'Take it out by hand.',
    },
  );
}

/** The table as it is written, with a line end behind it. */
export async function tableOf(key: string, name: string, entry: object): Promise<string> {
  const { stringify } = await import('smol-toml');
  return `${stringify({ [key]: { [name]: entry } }).trimEnd()}\n`;
}

async function says(text: string, expected: JsonObject, file: string): Promise<boolean> {
  return await parseToml(text, file).then(
    (value) => isDeepStrictEqual(value, expected),
    () => false,
  );
}

/** Without the lines of the table and of those within it, and where the first of them stood; undefined without any. */
async function withoutLines(
  text: string,
  key: string,
  name: string,
): Promise<{ readonly text: string; readonly at: number } | undefined> {
  const lines = text.split(/(?<=\n)/);
  const kept: string[] = [];
  let at: number | undefined;
  let inside = false;
  let held: string[] = [];
  const put = (more: readonly string[]) => {
    for (const line of more) kept.push(line);
  };
  let before = '';
  for (const line of lines) {
    const path = await headerPath(before, line);
    before += line;
    if (path !== undefined) {
      const wasInside = inside;
      inside = path[0] === key && path[1] === name;
      // comments above the next table are that table's
      if (wasInside && !inside) put(held);
      if (inside) at ??= kept.join('').length;
      held = [];
    }
    if (!inside) kept.push(line);
    else if (path === undefined && /^(?:#.*)?$/.test(line.trim())) held.push(line);
    else held = [];
  }
  if (at === undefined) return undefined;
  if (held.some((line) => line.includes('#'))) put(held);
  const rest = kept.join('');
  // the empty lines that stood before it
  return rest.slice(at).trim() === ''
    ? { text: rest.replace(/(\r?\n)[ \t\r\n]+$/, '$1'), at: Math.min(at, rest.length) }
    : { text: rest, at };
}

/** The names in a `[header]`; undefined for any other line, and within a text or a list of several lines. */
async function headerPath(before: string, line: string): Promise<readonly string[] | undefined> {
  if (!/^\uFEFF?[ \t]*\[/.test(line)) return undefined;
  const { parse } = await import('smol-toml');
  const path: string[] = [];
  try {
    parse(before);
    let table: unknown = parse(line);
    while (isObject(table) || (Array.isArray(table) && table.length === 1)) {
      const [first] = Array.isArray(table) ? [['', table[0]] as const] : Object.entries(table as object);
      if (first === undefined) break;
      if (!Array.isArray(table)) path.push(first[0]);
      table = first[1];
    }
    return path;
  } catch {
    return undefined;
  }
}

/** An empty line between what stands before and the table. */
function separation(before: string, eol: string): string {
  if (before.replace('\uFEFF', '').trim() === '') return '';
  if (/\n\r?\n$/.test(before)) return '';
  return before.endsWith('\n') ? eol : eol + eol;
}
