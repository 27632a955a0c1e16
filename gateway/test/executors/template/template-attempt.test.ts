import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { createEgress, type Egress } from '../../../src/egress/index.ts';
import { ToolcribError } from '../../../src/errors.ts';
import { createSkillExecutor } from '../../../src/executors/skill/index.ts';
import { createTemplateAttempt, createTemplateReady } from '../../../src/executors/template/index.ts';
import type { Call, JsonObject, Operation, TemplateInvocation } from '../../../src/operations/index.ts';
import { normalizeResult } from '../../../src/results/index.ts';
import {
  CONNECTION,
  callOf,
  REQUEST,
  startStage,
  toolOf,
  WRITES,
  WRITES_THE_SAME,
} from '../skill/tool-under-test.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server;
let other: Server;
let egress: Egress;
let origin: string;
let otherOrigin: string;
let answers: Answer[];
let seen: Seen[];
const SECRET = 'tea-pot-4711';

async function listen(): Promise<{ server: Server; origin: string }> {
  const opened = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      (answers.length > 1 ? answers.shift()! : answers[0]!)(response, request);
    });
  });
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
  return { server: opened, origin: `http://127.0.0.1:${(opened.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  ({ server, origin } = await listen());
  ({ server: other, origin: otherOrigin } = await listen());
  egress = createEgress({ allow: [origin, otherOrigin] });
});
afterAll(async () => {
  await egress.close();
  for (const one of [server, other]) {
    one.closeAllConnections();
    await new Promise((resolve) => one.close(resolve));
  }
});
beforeEach(() => {
  seen = [];
  answers = [json(200, { ok: true })];
});

const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(value));
const reset: Answer = (response) => void response.socket?.destroy();
/** The head and half of the answer, then nothing. */
const stall: Answer = (response) =>
  void response.writeHead(200, { 'content-length': '100' }).write('{"half":');
const silent: Answer = () => undefined;

interface Run {
  readonly invocation?: Partial<TemplateInvocation>;
  readonly operation?: Partial<Operation>;
  readonly call?: Partial<Call>;
  readonly args?: JsonObject;
  readonly door?: Pick<Egress, 'request'>;
}

/** Attempts and retries against the server; only waiting takes no time. */
function open() {
  const stage = startStage();
  const asked: string[] = [];
  const secrets = {
    read: async (source: string, skill: string, name: string, to: string | undefined) => {
      asked.push([source, skill, name, to].join(' '));
      if (name === 'token') return SECRET;
      if (name === 'broken') return `${SECRET}\nX-Other: 1`;
      throw new ToolcribError('skill_forbidden', `The skill may not use ${name}.`);
    },
  };
  const run = ({ invocation, operation, call: rest, args = {}, door = egress }: Run = {}) => {
    const template = createTemplateAttempt({ egress: door, secrets });
    const executor = createSkillExecutor(stage, {
      sleep: stage.sleep,
      attempts: { template, script: () => Promise.reject(new Error('no script')) },
    });
    const tool = toolOf({ ...REQUEST, url: `${origin}/v1/marks`, ...invocation }, operation);
    const call = callOf(tool, { arguments: args, ...rest });
    return executor.execute(call, { connection: CONNECTION, signal: call.signal, deadline: call.deadline });
  };
  const fails = (given: Run = {}): Promise<ToolcribError> =>
    run(given).then(
      () => Promise.reject(new Error('it succeeded')),
      (error: unknown) => error as ToolcribError,
    );
  return { stage, asked, run, fails };
}

describe('an answer', () => {
  it('reaches the caller as those of all services do', async () => {
    const { run, stage } = open();
    const raw = await run({ args: { p: 'a/b' }, invocation: { url: `${origin}/v1/{{args.p}}` } });
    expect(raw).toMatchObject({ kind: 'http', status: 200, attempts: 1 });
    const result = await normalizeResult(raw, toolOf(REQUEST), CONNECTION.limits);
    expect(result).toMatchObject({ kind: 'completed', structured: { ok: true } });
    expect(seen[0]?.line).toBe('GET /v1/a%2Fb');
    expect(stage.told()).toEqual(['call 1 ok']);
    expect(stage.events[0]).toMatchObject({ executor: 'http', skill_id: 'marking', tool_name: 'mark.all' });
  });

  it('is asked for with a body and headers in place', async () => {
    const { run } = open();
    await run({
      args: { name: 'Ada', n: 3 },
      invocation: {
        method: 'POST',
        headers: { 'X-Teacher': '{{context.teacher_id}}', 'X-Run': '{{context.run_id}}' },
        body: { pupil: '{{args.name}}', count: '{{args.n}}', by: '{{context.organisation}}' },
      },
    });
    expect(seen[0]).toMatchObject({
      line: 'POST /v1/marks',
      body: '{"pupil":"Ada","count":3,"by":"school"}',
      headers: { 'content-type': 'application/json', 'x-teacher': 'ada', 'x-run': 'r1' },
    });
  });

  it('of more than 2 MiB is an error, packed or not, and not asked for again', async () => {
    const large = Buffer.alloc(2 * 1024 * 1024 + 1, 0x20);
    for (const answer of [
      ((response) => void response.writeHead(200).end(large)) as Answer,
      ((response) =>
        void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large))) as Answer,
    ]) {
      answers = [answer];
      const { fails, stage } = open();
      expect(await fails()).toMatchObject({
        code: 'dynamic_tool_failed_after_retries',
        details: { attempts: 1, last_code: 'upstream_too_large' },
        next: expect.stringMatching(/^Ask for less: filter or page\. A tool of a skill reads 2097152 bytes/),
      });
      expect(stage.waits).toEqual([]);
    }
    answers = [(response) => void response.writeHead(200).end(large.subarray(1))];
    expect(await open().run()).toMatchObject({ status: 200 });
  });

  it('that says no tells why, once', async () => {
    answers = [json(422, { message: 'pupil is \u202eunknown' })];
    const { fails, stage } = open();
    const error = await fails();
    expect(error).toMatchObject({
      code: 'dynamic_tool_failed_after_retries',
      status: 422,
      details: {
        attempts: 1,
        last_code: 'upstream_status',
        status: 422,
        body: { message: 'pupil is unknown' },
      },
    });
    expect(error.message).toContain('answered 422 Unprocessable Entity: pupil is unknown');
    expect(error.next).toMatch(/^The service refuses the arguments: .* go on without this one\.$/);
    expect(stage.told()).toEqual([
      'call 1 failed upstream_status',
      'failed 1 failed upstream_status',
      'degraded 1 failed dynamic_tool_failed_after_retries',
    ]);
    expect(stage.events[0]?.message).toBe('The service answered 422.');
  });
});

describe('attempts', () => {
  test.each<[string, Partial<Operation>, readonly Answer[], number, readonly number[], string]>([
    ['500s, reading', {}, [json(500, 0)], 3, [300, 600], 'dynamic_tool_failed_after_retries'],
    ['500, then good', {}, [json(500, 0), json(200, 0)], 2, [300], 'ok'],
    ['500, a write', WRITES, [json(500, 0)], 1, [], 'dynamic_tool_failed_after_retries'],
    ['500s, idempotent', WRITES_THE_SAME, [json(500, 0)], 3, [300, 600], 'dynamic_tool_failed_after_retries'],
    ['501', {}, [json(501, 0)], 1, [], 'dynamic_tool_failed_after_retries'],
    ['404', {}, [json(404, 0)], 1, [], 'dynamic_tool_failed_after_retries'],
    ['408, reading', {}, [json(408, 0), json(200, 0)], 2, [300], 'ok'],
    ['408, a write', WRITES, [json(408, 0)], 1, [], 'dynamic_tool_failed_after_retries'],
    [
      '429 with a time, a write',
      WRITES,
      [json(429, 0, { 'retry-after': '4' }), json(200, 0)],
      2,
      [4000],
      'ok',
    ],
    ['429 without, a write', WRITES, [json(429, 0), json(200, 0)], 2, [300], 'ok'],
    [
      '503 with a time, a write',
      WRITES,
      [json(503, 0, { 'retry-after': '2' }), json(200, 0)],
      2,
      [2000],
      'ok',
    ],
    ['503 without, a write', WRITES, [json(503, 0)], 1, [], 'dynamic_tool_failed_after_retries'],
    ['reset, reading', {}, [reset, json(200, 0)], 2, [300], 'ok'],
    ['reset, a write', WRITES, [reset], 1, [], 'outcome_unknown'],
    ['reset, idempotent', WRITES_THE_SAME, [reset, json(200, 0)], 2, [300], 'ok'],
  ])('%s', async (_, operation, given, attempts, waits, end) => {
    answers = [...given];
    const { run, stage } = open();
    const ended = await run({ operation, invocation: { method: 'POST' } }).then(
      () => 'ok',
      ({ code }: ToolcribError) => code,
    );
    expect([ended, seen.length, stage.waits]).toEqual([end, attempts, waits]);
    expect(stage.events.filter(({ type }) => type === 'dynamic_tool.call')).toHaveLength(attempts);
  });

  it('not again where a redirect answered a write, whatever it led to', async () => {
    answers = [json(303, 0, { location: '/done' }), json(429, 0), json(201, 0)];
    const { fails } = open();
    const error = await fails({ operation: WRITES, invocation: { method: 'POST' } });
    expect(error).toMatchObject({ details: { attempts: 1 } });
    expect(seen.map(({ line }) => line)).toEqual(['POST /v1/marks', 'GET /done']);
  });

  it('again where nothing listens: nothing was sent, whatever the method', async () => {
    const { origin: gone, server: closed } = await listen();
    await new Promise((resolve) => closed.close(resolve));
    const door = createEgress({ allow: [gone] });
    const { fails, stage } = open();
    const error = await fails({ operation: WRITES, invocation: { url: `${gone}/x`, method: 'POST' }, door });
    await door.close();
    expect(error).toMatchObject({ details: { attempts: 3, last_code: 'upstream_unreachable' } });
    expect(stage.waits).toEqual([300, 600]);
  });

  test.each([
    ['silent', silent],
    ['stalled', stall],
  ])(
    'that the service leaves %s end on time: unknown for a write, repeated for a read',
    async (_, answer) => {
      const allowed: number[] = [];
      // the clock of an attempt rings once the service has the request
      const door: Pick<Egress, 'request'> = {
        request(request, limits, signal) {
          allowed.push(limits.timeoutMs);
          const clock = new AbortController();
          answers = [
            (response, asked) => {
              answer(response, asked);
              clock.abort(new DOMException('late', 'TimeoutError'));
            },
          ];
          return egress.request(request, limits, AbortSignal.any([signal, clock.signal]));
        },
      };
      const write = open();
      expect(await write.fails({ operation: WRITES, invocation: { method: 'POST' }, door })).toMatchObject({
        code: 'outcome_unknown',
        details: { attempts: 1, last_code: 'deadline_exceeded', outcome: 'unknown_outcome' },
      });
      expect(await open().fails({ door })).toMatchObject({
        code: 'dynamic_tool_failed_after_retries',
        details: { attempts: 3, last_code: 'deadline_exceeded' },
        next: expect.stringContaining('`timeout_sec` of the tool in the manifest of its skill'),
      });
      expect(Math.max(...allowed)).toBeLessThanOrEqual(20_000);
      expect(Math.min(...allowed)).toBeGreaterThan(0);
    },
  );

  it('end with the caller', async () => {
    const caller = new AbortController();
    answers = [() => caller.abort()];
    const { fails, stage } = open();
    expect(await fails({ call: { signal: caller.signal } })).toMatchObject({ code: 'cancelled' });
    expect(stage.told()).toEqual(['call 1 failed cancelled', 'failed 1 failed cancelled']);
  });

  it('never reach a place that the door keeps closed', async () => {
    const { fails } = open();
    expect(await fails({ invocation: { url: 'http://127.0.0.1:9/latest' } })).toMatchObject({
      code: 'egress_blocked',
    });
  });

  it('are none while a value is missing or would lead elsewhere', async () => {
    const { fails, asked } = open();
    const headers = { 'X-Key': '{{secrets.token}}' };
    expect(await fails({ invocation: { url: `${origin}/{{args.p}}`, headers } })).toMatchObject({
      code: 'template_value_missing',
      pointer: '/p',
    });
    expect(
      await fails({ invocation: { url: `${origin}/{{args.p}}`, headers }, args: { p: '..' } }),
    ).toMatchObject({
      code: 'arguments_invalid',
    });
    expect([seen, asked]).toEqual([[], []]);
  });
});

describe('secrets', () => {
  const headers = { Authorization: 'Bearer {{secrets.token}}' };

  it('are read by source, skill and origin, for each attempt, and go out', async () => {
    answers = [json(500, 0), json(200, 0)];
    const { run, asked } = open();
    await run({ invocation: { headers } });
    expect(asked).toEqual(Array(2).fill(`teaching marking token ${origin}`));
    expect(seen[1]?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  it('come back in no answer, no failure and no event', async () => {
    const echo: Answer = (response, { headers: sent }) =>
      json(500, {
        message: `refused: ${sent.authorization}`,
        base64: Buffer.from(SECRET).toString('base64'),
      })(response, undefined as unknown as IncomingMessage);
    answers = [echo];
    const { fails, stage } = open();
    const error = await fails({ invocation: { headers } });
    const told = JSON.stringify([error.message, error.next, error.details, stage.events]);
    expect(told).toContain('refused: ');
    expect(told).not.toContain(SECRET);
    expect(told).not.toContain(Buffer.from(SECRET).toString('base64'));
    answers = [(response) => json(200, { said: SECRET })(response, undefined as unknown as IncomingMessage)];
    const raw = await open().run({ invocation: { headers } });
    expect(Buffer.from((raw as { body: Uint8Array }).body).toString()).not.toContain(SECRET);
  });

  it('stay here when the service points to another origin', async () => {
    answers = [
      (response) => void response.writeHead(302, { location: `${otherOrigin}/elsewhere` }).end(),
      json(200, 0),
    ];
    await open().run({ invocation: { headers: { ...headers, 'X-Class': 'b' } } });
    expect(seen.map(({ line }) => line)).toEqual(['GET /v1/marks', 'GET /elsewhere']);
    expect(seen[1]?.headers).not.toHaveProperty('authorization');
    expect(seen[1]?.headers).not.toHaveProperty('x-class');
  });

  it('that a skill may not use keep their code, and nothing is sent', async () => {
    const { fails } = open();
    expect(await fails({ invocation: { headers: { 'X-Key': '{{secrets.foreign}}' } } })).toMatchObject({
      code: 'skill_forbidden',
    });
    const broken = await fails({ invocation: { headers: { 'X-Key': '{{secrets.broken}}' } } });
    expect(broken).toMatchObject({ code: 'configuration_invalid' });
    expect(broken.message).not.toContain(SECRET);
    expect(seen).toEqual([]);
  });

  it('are neither read nor shown in a dry run', async () => {
    const { run, asked, stage } = open();
    const raw = await run({
      invocation: { headers, body: { a: '{{args.a}}' } },
      args: { a: 1 },
      call: { dryRun: true },
    });
    expect(raw).toMatchObject({ kind: 'request', request: { url: `${origin}/v1/marks`, body: '{"a":1}' } });
    expect(JSON.stringify(raw)).not.toMatch(/secrets|Bearer/);
    expect([asked, seen, stage.events]).toEqual([[], [], []]);
  });
});

it('goes to no private address that the configuration names for a source', async () => {
  const others = createEgress({ allow: [origin], redirects: [] });
  try {
    const { run } = open();
    await expect(run({ door: others })).rejects.toMatchObject({
      code: 'egress_blocked',
      message: expect.stringContaining('the configuration names it for others'),
    });
    expect(seen).toEqual([]);
  } finally {
    await others.close();
  }
});

it('a write is not carried to another origin by a redirect', async () => {
  answers = [(response) => void response.writeHead(307, { location: `${otherOrigin}/x` }).end()];
  const { fails } = open();
  expect(await fails({ operation: WRITES, invocation: { method: 'POST', body: { a: 1 } } })).toMatchObject({
    code: 'dynamic_tool_failed_after_retries',
    details: { attempts: 1, last_code: 'upstream_failed' },
  });
  expect(seen).toHaveLength(1);
});

it('an address that the operator closed is not asked', async () => {
  const { stage } = open();
  const attempt = createTemplateAttempt({
    egress,
    secrets: { read: () => Promise.reject(new Error('not asked for')) },
    guard: (url) => {
      throw new ToolcribError('path_blocked', `Closed: ${new URL(url).pathname}`);
    },
  });
  const call = callOf(toolOf({ ...REQUEST, url: `${origin}/v1/marks` }));
  const context = { connection: CONNECTION, signal: call.signal, deadline: stage.now(), attempt: 1 };
  await expect(attempt(call, context)).rejects.toMatchObject({ code: 'path_blocked' });
  expect(seen).toEqual([]);
});

describe('before a person is asked about it', () => {
  const readyWith = async (name: string, args: JsonObject = {}) => {
    const read = async (_source: string, _skill: string, secret: string) => {
      if (secret === 'token') return SECRET;
      throw new ToolcribError('credentials_missing', `There is no ${secret}.`);
    };
    const guarded: string[] = [];
    const ready = createTemplateReady({ secrets: { read }, guard: (url) => void guarded.push(url) });
    const headers = { Authorization: `Bearer {{secrets.${name}}}` };
    const call = callOf(toolOf({ ...REQUEST, url: `${origin}/v1/{{args.p}}`, headers }), { arguments: args });
    await ready(call, { connection: CONNECTION, signal: call.signal });
    return guarded;
  };

  it('its secrets and its address are looked at, and nothing is sent', async () => {
    expect(await readyWith('token', { p: 'one' })).toEqual([`${origin}/v1/one`]);
    await expect(readyWith('other', { p: 'one' })).rejects.toMatchObject({ code: 'credentials_missing' });
    await expect(readyWith('token')).rejects.toMatchObject({ code: 'template_value_missing' });
    expect(seen).toEqual([]);
  });
});
