import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSecretReader } from '../../src/credentials/secret-reference.ts';
import type { UpstreamEvent } from '../../src/operations/index.ts';
import {
  createUpstreams,
  openStdio,
  type UpstreamDefinition,
  type UpstreamRequest,
  type Upstreams,
} from '../../src/upstreams/index.ts';

const SERVER = join(import.meta.dirname, 'fixtures', 'scripted-server.mjs');

/** What the scripted server does; see its head. */
export type Script = Readonly<Record<string, unknown>>;

export function definition(
  script: Script = {},
  changes: Partial<UpstreamDefinition> & { env?: Record<string, string> } = {},
): UpstreamDefinition {
  const { env = {}, ...rest } = changes;
  return {
    name: 'scripted',
    transport: {
      kind: 'stdio',
      command: process.execPath,
      args: [SERVER],
      env: { ...env, SCRIPT: JSON.stringify(script) },
      inherit: [],
      isolation: { mode: 'none', network: true, read: [], write: [] },
    },
    era: 'auto',
    share: 'one',
    startTimeoutMs: 10_000,
    idleMs: 0,
    hangMs: 5_000,
    restart: true,
    ...rest,
  };
}

export interface Running {
  readonly upstreams: Upstreams;
  readonly events: readonly UpstreamEvent[];
}

/** Upstreams over real processes, closed when the test ends. */
export function started(...definitions: readonly UpstreamDefinition[]): Running {
  const events: UpstreamEvent[] = [];
  const secrets = createSecretReader(process.env, () => undefined);
  const upstreams = createUpstreams({
    record: (event) => void events.push(event),
    openTransport: (definition, _principal, signal) => openStdio(definition, { secrets }, signal),
  });
  onTestFinished(() => upstreams.close());
  upstreams.configure(definitions);
  return { upstreams, events };
}

export function request(changes: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    principal: 'ann',
    signal: new AbortController().signal,
    deadline: Date.now() + 20_000,
    channel: {},
    repeatable: true,
    ...changes,
  };
}

/** The text of the first block of an answer. */
export function textOf(answer: Awaited<ReturnType<Upstreams['call']>>): string {
  if (answer.kind !== 'answer') throw new Error(`no answer but ${answer.kind}`);
  const [block] = answer.content;
  return block?.type === 'text' ? block.text : '';
}

/** A folder that is gone after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'toolcrib-upstreams-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** False also for a process that has ended and was not collected by its parent yet. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const [, state] = linesOf(`/proc/${pid}/stat`).join('').split(') ');
  return state === undefined || !state.startsWith('Z');
}
