import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** Something that was written down, by a name that tells where. */
export interface Trace {
  readonly where: string;
  readonly bytes: Buffer;
}

/** A secret by the name under which a finding reports it: the value itself must not stand in a test's output. */
export type Secrets = Readonly<Record<string, string>>;

/** `<secret> <encoding> in <trace>` for every place where a secret stands. Independent of the code under test. */
export function hunt(traces: readonly Trace[], secrets: Secrets): string[] {
  const found: string[] = [];
  const needles = Object.entries(secrets).flatMap(([name, secret]) =>
    encodingsOf(secret).map(([encoding, needle]) => ({ name, encoding, needle })),
  );
  for (const { where, bytes } of traces) {
    const lower = Buffer.from(bytes.toString('latin1').toLowerCase(), 'latin1');
    for (const { name, encoding, needle } of needles) {
      const inCase = encoding === 'hex' || encoding.startsWith('percent');
      const standsThere = inCase
        ? lower.includes(Buffer.from(needle.toString('latin1').toLowerCase(), 'latin1'))
        : bytes.includes(needle);
      if (standsThere) found.push(`${name} (${encoding}) in ${where}`);
    }
  }
  return [...new Set(found)];
}

/** Raw, half, percent, JSON, HTML, hex, base64 and base64url at every offset. */
function encodingsOf(secret: string): (readonly [string, Buffer])[] {
  const bytes = Buffer.from(secret, 'utf8');
  const percentAll = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const texts: [string, string][] = [
    ['raw', secret],
    ['latin1', Buffer.from(secret, 'latin1').toString('latin1')],
    ['percent', encodeURIComponent(secret)],
    ['percent form', new URLSearchParams({ x: secret }).toString().slice(2)],
    ['percent all', percentAll],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['JSON twice', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['HTML', secret.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)],
    ['hex', bytes.toString('hex')],
    ['reversed', [...secret].reverse().join('')],
    ['second half', secret.slice(Math.ceil(secret.length / 2))],
  ];
  for (const offset of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const whole = Math.floor(padded.length / 3) * 4;
    const inner = padded.toString('base64').slice(offset === 0 ? 0 : 4, whole);
    texts.push([`base64+${offset}`, inner]);
    texts.push([`base64url+${offset}`, inner.replaceAll('+', '-').replaceAll('/', '_')]);
  }
  return texts.map(([encoding, text]) => [
    encoding,
    Buffer.from(text, encoding === 'latin1' ? 'latin1' : 'utf8'),
  ]);
}

/** Every file below a folder, also decompressed where it is compressed, and every row of every database. */
export async function traceFolder(folder: string): Promise<Trace[]> {
  const traces: Trace[] = [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const where = path.slice(folder.length + 1);
    const bytes = await readFile(path);
    traces.push({ where: `the name ${where}`, bytes: Buffer.from(where) }, { where, bytes });
    for (const undo of [gunzipSync, inflateSync, brotliDecompressSync, zstdDecompressSync]) {
      const inner = decompressed(undo, bytes);
      if (inner !== undefined) traces.push({ where: `${where} (decompressed)`, bytes: inner });
    }
    if (bytes.subarray(0, 15).toString() === 'SQLite format 3') traces.push(...traceDatabase(path, where));
  }
  return traces;
}

function decompressed(undo: (bytes: Buffer) => Buffer, bytes: Buffer): Buffer | undefined {
  try {
    return undo(bytes);
  } catch {
    return undefined;
  }
}

/** Rows as JSON: a long text lies on several pages of the file. */
function traceDatabase(path: string, where: string): Trace[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
    return tables.map(({ name }) => {
      const rows = database.prepare(`select * from "${name}"`).all();
      const text = rows.flatMap((row) => Object.values(row).map(String)).join('\n');
      return { where: `${where} table ${name}`, bytes: Buffer.from(text) };
    });
  } finally {
    database.close();
  }
}

/** What the process writes to its standard streams from now on; they still get it. */
export function traceOutput(): { traces(): Trace[]; restore(): void } {
  const written: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  const originals = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name];
    const write = stream.write;
    stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      written[name].push(Buffer.from(chunk as string));
      const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
      done?.();
      return true;
    }) as typeof stream.write;
    return () => {
      stream.write = write;
    };
  });
  return {
    traces: () =>
      (['stdout', 'stderr'] as const).map((name) => ({ where: name, bytes: Buffer.concat(written[name]) })),
    restore: () => {
      for (const restore of originals) restore();
    },
  };
}
