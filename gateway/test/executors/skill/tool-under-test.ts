import type { SkillExecutorOptions } from '../../../src/executors/skill/index.ts';
import {
  type Call,
  type Connection,
  DEFAULT_LIMITS,
  DEFAULT_SKILL_POLICY,
  type DynamicToolEvent,
  LOCAL_PRINCIPAL,
  type Operation,
  type ScriptInvocation,
  type SkillPolicy,
  type TemplateInvocation,
} from '../../../src/operations/index.ts';

export const SCRIPT: ScriptInvocation = {
  kind: 'script',
  skill: 'marking',
  version: 'sha256:01',
  entry: 'scripts/mark.sh',
  interpreter: 'sh',
  retry: { maxAttempts: 3, backoffMs: 300 },
  timeoutMs: 20_000,
  network: false,
};

export const REQUEST: TemplateInvocation = {
  kind: 'template',
  skill: 'marking',
  version: 'sha256:01',
  method: 'GET',
  url: 'https://api.example.com/v1/marks',
  headers: {},
  retry: { maxAttempts: 3, backoffMs: 300 },
  timeoutMs: 20_000,
  network: true,
};

/** A tool of a skill; it reads unless told otherwise. */
export function toolOf(
  invocation: ScriptInvocation | TemplateInvocation,
  rest: Partial<Operation> = {},
): Operation {
  return {
    id: 'marking/mark.all',
    name: 'mark_all',
    source: 'teaching',
    description: '',
    input: { type: 'object' },
    access: 'read',
    tags: ['marking'],
    safety: { network: true, file: false, destructive: false, idempotent: false, openWorld: true },
    invocation,
    ...rest,
  };
}

export const WRITES: Partial<Operation> = { access: 'write' };
export const WRITES_THE_SAME: Partial<Operation> = {
  access: 'write',
  safety: { network: true, file: false, destructive: false, idempotent: true, openWorld: true },
};

export const CONNECTION: Connection = {
  name: 'teaching',
  source: 'teaching',
  securitySchemes: {},
  limits: DEFAULT_LIMITS,
};

export function callOf(operation: Operation, rest: Partial<Call> = {}): Call {
  return {
    id: 'c1',
    principal: { ...LOCAL_PRINCIPAL, id: 'ada', organisation: 'school' },
    run: 'r1',
    tool: 'mark_all',
    operation,
    arguments: {},
    deadline: Number.MAX_SAFE_INTEGER,
    signal: new AbortController().signal,
    channel: {},
    dryRun: false,
    depth: 0,
    ...rest,
  };
}

/** Time that passes only when somebody waits, and what is told meanwhile. */
export function startStage(policy: Partial<SkillPolicy> = {}) {
  let time = 1_000_000;
  const waits: number[] = [];
  const events: DynamicToolEvent[] = [];
  return {
    waits,
    events,
    now: () => time,
    pass(milliseconds: number) {
      time += milliseconds;
    },
    sleep: (async (milliseconds, signal) => {
      signal.throwIfAborted();
      waits.push(milliseconds);
      time += milliseconds;
    }) satisfies SkillExecutorOptions['sleep'],
    policy: () => ({ ...DEFAULT_SKILL_POLICY, ...policy }),
    note: (event: DynamicToolEvent) => void events.push(event),
    remaining: () => ({ count: 2, names: ['read_file', 'search'] }),
    /** One line an event: what, attempt, status, code. */
    told: () =>
      events.map(({ type, attempt, status, error_code }) =>
        [type.replace('dynamic_tool.', ''), attempt, status, error_code]
          .filter((one) => one !== undefined)
          .join(' '),
      ),
  };
}

export type Stage = ReturnType<typeof startStage>;
