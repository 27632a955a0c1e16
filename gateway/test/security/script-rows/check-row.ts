import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
import { resolveProgram } from '../../../src/executors/script/resolve-program.ts';
import { runScript } from '../../../src/executors/script/run-script.ts';
import type { ScriptOutcome } from '../../../src/executors/script/script-run.ts';

/** One hostile script, in the format of the corpora that products are compared by. */
export interface ScriptRow {
  readonly id: string;
  readonly group: string;
  readonly lang: 'bash' | 'python' | 'node' | 'missing';
  /** `@MARK@`, `@PORT@` and `@DIR@` are filled in. */
  readonly script: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly stdin?: string;
  readonly stdinBytes?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly expect: {
    readonly class: readonly string[];
    readonly exitCode?: number;
    readonly json?: unknown;
    readonly noJson?: boolean;
    readonly cut?: boolean;
    readonly noCanary?: boolean;
    readonly noFile?: string;
    readonly noHits?: boolean;
    /** Holds only where something isolates. */
    readonly sandbox?: boolean;
  };
  readonly why: string;
}

const CANARY = 'canary-of-the-parent-7c41';
const FILES = { bash: 'script.sh', python: 'script.py', node: 'script.cjs', missing: 'script.x' };
const INTERPRETERS = { bash: 'bash', python: 'python3', node: 'node' } as const;

export function scriptRows(): ScriptRow[] {
  const file = join(dirname(fileURLToPath(import.meta.url)), 'script-runner.jsonl');
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Runs one row and holds it to what it promises, and to what holds for all: limits, and nobody left behind. */
export async function checkRow(row: ScriptRow, isIsolated: boolean): Promise<void> {
  const mark = `m${randomBytes(5).toString('hex')}`;
  const root = mkdtempSync(join(tmpdir(), 'toolcrib-script-row-'));
  const folder = join(root, 'work');
  mkdirSync(folder);
  let hits = 0;
  const server = createServer((socket) => {
    hits++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const filled = (text: string) =>
    text.replaceAll('@MARK@', mark).replaceAll('@PORT@', String(port)).replaceAll('@DIR@', folder);
  writeFileSync(join(folder, FILES[row.lang]), filled(row.script));
  process.env['CANARY_OF_ROWS'] = CANARY;
  try {
    const timeoutMs = timeoutOf(row);
    const outcome = await run({ ...row, timeoutMs }, folder, isIsolated, mark);
    // each look holds up the thread that hunts: seldom, or they would be there for ever on a busy machine
    await vi.waitFor(
      () => {
        // who moves on all the time is easily missed
        for (let look = 0; look < 3; look++) expect(leftBehind(mark, folder)).toEqual([]);
      },
      { timeout: 30_000, interval: 1_000 },
    );
    expect(row.expect.class).toContain(outcome.class);
    // a second on a machine at rest
    expect(outcome.durationMs).toBeLessThan(timeoutMs + 30_000);
    judge(row, outcome);
    if (row.expect.noFile !== undefined) {
      const file = filled(row.expect.noFile).replace(/^\.\./, root).replace(/^~/, homedir());
      const isThere = existsSync(file);
      rmSync(file, { force: true });
      expect(isThere).toBe(false);
    }
    if (row.expect.noHits) expect(hits).toBe(0);
  } finally {
    server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Starting an interpreter takes seconds on a busy machine, which is no fault where the row is not about the time. */
function timeoutOf({ timeoutMs, expect: promised }: ScriptRow): number {
  return promised.class.includes('timeout') ? timeoutMs : timeoutMs * 8;
}

async function run(row: ScriptRow, cwd: string, isIsolated: boolean, mark: string): Promise<ScriptOutcome> {
  const { lang, stdin, stdinBytes, env = {}, timeoutMs, maxOutputBytes } = row;
  const found = lang === 'missing' ? undefined : await resolveProgram(INTERPRETERS[lang]);
  return runScript({
    program: found?.program ?? 'no-such-interpreter-4711',
    args: [FILES[lang]],
    cwd,
    env: { ...env, ROW: mark },
    stdin: stdinBytes === undefined ? (stdin ?? '') : 'x'.repeat(stdinBytes),
    timeoutMs,
    maxOutputBytes,
    signal: new AbortController().signal,
    isolation: isIsolated ? { network: false, read: found?.read ?? [], write: [] } : 'none',
  });
}

function judge({ expect: promised, maxOutputBytes }: ScriptRow, outcome: ScriptOutcome): void {
  const text = `${outcome.stdout}${outcome.stderr}`;
  for (const stream of [outcome.stdout, outcome.stderr])
    expect(stream.length).toBeLessThanOrEqual(maxOutputBytes);
  if (promised.exitCode !== undefined) expect(outcome.exitCode).toBe(promised.exitCode);
  if (promised.json !== undefined) expect(outcome.json).toEqual(promised.json);
  if (promised.noJson) expect(outcome.json).toBeUndefined();
  if (promised.cut) expect(outcome.stdoutCut || outcome.stderrCut).toBe(true);
  if (promised.noCanary) {
    const encoded = text.match(/[A-Za-z0-9+/=]{40,}/g) ?? [];
    const decoded = encoded.map((one) => Buffer.from(one, 'base64').toString('latin1'));
    expect([text, ...decoded].some((one) => one.includes(CANARY))).toBe(false);
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
}

/** Processes that carry the mark in their words or variables, or work in the folder. */
function leftBehind(mark: string, folder: string): string[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      // of one that has ended there is nothing more to read
      if (words === '') return [];
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return words.includes(mark) || variables.includes(mark) || `${cwdOf(pid)}/`.startsWith(`${folder}/`)
        ? [words.slice(0, 80)]
        : [];
    } catch {
      return [];
    }
  });
}

function cwdOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
