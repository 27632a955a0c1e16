import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompileKey } from '../../../src/assembly/compiling/compile-key.ts';
import {
  type CompiledInProcess,
  CompileProcess,
} from '../../../src/assembly/compiling/run-compile-process.ts';
import { decodeCompiled } from '../../../src/catalog/compiled-codec.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolcrib-compile-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function job(text: string) {
  const file = join(directory, 'pets.json');
  await writeFile(file, text);
  const key: CompileKey = {
    version: '1',
    name: 'pets',
    source: { kind: 'openapi', settings: file, prefix: 'none', access: [], include: [], exclude: [] },
    output: { schemas: true, strict: false },
    schemaProfile: 'portable',
    baseDirectory: directory,
  } as CompileKey;
  return { key, egress: { allow: [] } };
}

const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } } } },
});
const { signal } = new AbortController();

/** Processes that this one started, with their state as the kernel says it. */
function children(): Map<number, string> {
  const found = new Map<number, string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ');
      if (Number(parent) === process.pid) found.set(Number(pid), state!);
    } catch {
      // it has ended meanwhile
    }
  }
  return found;
}

/** Lets nothing else run here until a process of ours has ended; it is not waited for yet. */
function blockUntilEnded(pid: number): void {
  for (const until = performance.now() + 20_000; children().get(pid) !== 'Z'; )
    if (performance.now() > until) throw new Error(`${pid} did not end`);
}

async function decoded({ index, details }: CompiledInProcess) {
  const bytes = Buffer.from(await details);
  return decodeCompiled(index, {
    length: bytes.length,
    read: (offset, length) => bytes.toString('utf8', offset, offset + length),
  })!;
}

describe('a compile process', () => {
  it('answers what can be listed, then what can be called', async () => {
    const answer = await new CompileProcess().run(await job(document), signal);
    expect(answer.inputs).toMatchObject([{ location: join(directory, 'pets.json') }]);
    const { tools } = await decoded(answer);
    expect(tools.map((tool) => [tool.name, tool.operation().invocation])).toMatchObject([
      ['listPets', { method: 'GET', path: '/pets' }],
    ]);
  });

  it.skipIf(process.platform !== 'linux')(
    'is believed what it said, also where its end is noticed first (skipped where there is no /proc)',
    async () => {
      const work = await job(document);
      const before = children();
      const running = new CompileProcess().run(work, signal);
      const [compiler] = [...children().keys()].filter((pid) => !before.has(pid));
      // ends are looked for once for all processes, behind the answers that lay there when the turn began
      const other = spawn('echo', ['ended']);
      blockUntilEnded(other.pid!);
      other.stdout.once('data', () => blockUntilEnded(compiler!));
      expect((await decoded(await running)).tools).toHaveLength(1);
    },
  );

  it('may be started before there is a job, and takes one', async () => {
    const ahead = new CompileProcess();
    expect(ahead.free).toBe(true);
    const running = ahead.run(await job(document), signal);
    expect(ahead.free).toBe(false);
    ahead.release();
    expect((await decoded(await running)).tools).toHaveLength(1);
  });

  it('ends without a job when it is released', async () => {
    const ahead = new CompileProcess();
    ahead.release();
    await ahead.ended;
    expect(ahead.free).toBe(false);
    await expect(ahead.run(await job(document), signal)).rejects.toMatchObject({
      code: 'source_invalid',
      message: expect.stringContaining('its process ended with SIGTERM'),
    });
  });

  it('gives the error of the source', async () => {
    await expect(new CompileProcess().run(await job('{"openapi":'), signal)).rejects.toMatchObject({
      code: 'source_invalid',
      location: expect.stringContaining('pets.json'),
    });
  });

  it('ends without a word when the gateway has ended', async () => {
    const program = new URL('../../../src/assembly/compiling/compile-process.ts', import.meta.url);
    const child = fork(program, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr!.on('data', (chunk) => {
      said += chunk;
    });
    child.send(await job(document), () => child.disconnect());
    const [code] = await once(child, 'exit');
    expect([code, said]).toEqual([0, '']);
  });

  it('ends when nobody waits any longer, in either part', async () => {
    const first = new AbortController();
    const process = new CompileProcess();
    await expect(process.run(await job(document), first.signal, () => first.abort('closing'))).rejects.toBe(
      'closing',
    );
    await process.ended;
    const second = new AbortController();
    const { details } = await new CompileProcess().run(await job(document), second.signal).then((answer) => {
      second.abort('closing');
      return answer;
    });
    await details.catch((reason) => expect(reason).toBe('closing'));
  });
});
