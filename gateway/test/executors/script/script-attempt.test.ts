import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createScriptAttempt, createScriptReady } from '../../../src/executors/script/index.ts';
import type { AttemptOutcome } from '../../../src/executors/skill/attempt.ts';
import {
  type Call,
  DEFAULT_LIMITS,
  DEFAULT_SKILL_POLICY,
  LOCAL_PRINCIPAL,
  type ScriptInvocation,
  type SkillMode,
} from '../../../src/operations/index.ts';
import type { IsolationInForce } from '../../../src/sandbox/index.ts';
import { canIsolate, has, isolations, type Package, packageOf } from './support.ts';

const python = await has('python3');
const NOTHING_ISOLATES: IsolationInForce = {
  available: false,
  reason: 'bubblewrap (bwrap) is not installed',
};

let files: Package;
beforeAll(async () => {
  files = await packageOf({
    'argv.sh': 'for a in "$@"; do echo "[$a]"; done\n',
    'stdin.sh': 'cat\n',
    'env.sh':
      'echo "{\\"ok\\":true,\\"data\\":{\\"key\\":\\"$KEY\\",\\"left\\":\\"$1\\"}}"; echo "uses $KEY" >&2\n',
    'fail.sh': 'echo "step one" >&2; echo "cannot reach it" >&2; exit 4\n',
    'refuse.sh': `echo '{"ok":false,"error":"no such board"}'\n`,
    'hang.sh': 'echo begun >&2; sleep 60\n',
    'where.py':
      'import json, os, sys, helper\nprint(json.dumps({"cwd": os.getcwd(), "argv": sys.argv[1:], "helper": helper.NAME}))\n',
    'helper.py': 'NAME = "beside it"\n',
    'types.ts':
      'const n: number = JSON.parse(await new Response(process.stdin as never).text()).n;\nconsole.log(JSON.stringify({ ok: true, data: { n: n + 1 } }));\n',
    'no-run-bit': '#!/bin/sh\necho never\n',
    'throw.mjs': 'function read() {\n  throw new TypeError("no header");\n}\nread();\n',
    'lost.sh':
      'echo "{\\"ok\\":false,\\"error\\":\\"$PWD/data.csv is not there\\"}"; echo "$PWD/data.csv: gone" >&2\n',
    'bytes.sh': String.raw`printf 'a\211PNG\000b'`,
    'write.sh': 'echo x > out.txt\n',
    'connect.mjs': 'import { connect } from "node:net";\nconnect(9, "127.0.0.1");\n',
    'by-env': '#!/usr/bin/env no-such-language\n',
    nowhere: '#!/opt/nowhere/python9 -u\nprint(1)\n',
    windows: '#!/bin/sh\r\necho 1\r\n',
  });
});
afterAll(() => files.remove());

interface Given {
  readonly invocation?: Partial<ScriptInvocation>;
  readonly call?: Partial<Call>;
  readonly mode?: SkillMode;
  readonly isolation?: IsolationInForce;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const released = vi.fn();

function attempt(entry: string, given: Given = {}): Promise<AttemptOutcome> {
  const { mode = 'permissive', secrets = {}, isolation, signal = new AbortController().signal } = given;
  const invocation: ScriptInvocation = {
    ...{ kind: 'script', skill: 'boards', version: 'sha256:1', entry, timeoutMs: 10_000, network: false },
    ...{ retry: { maxAttempts: 1, backoffMs: 0 }, interpreter: 'sh' as const },
    ...given.invocation,
  };
  const run = createScriptAttempt({
    packages: {
      async open(source, skill, version) {
        expect([source, skill, version]).toEqual(['skills', 'boards', 'sha256:1']);
        return { folder: files.folder, release: released };
      },
    },
    secrets: { read: async (_source, _skill, name) => secrets[name]! },
    policy: () => ({ ...DEFAULT_SKILL_POLICY, mode }),
    ...(isolation === undefined ? {} : { isolation: async () => isolation }),
  });
  const deadline = Date.now() + (given.timeoutMs ?? 10_000);
  const operation = {
    id: 'boards/list',
    name: 'list',
    source: 'skills',
    invocation,
  } as unknown as Call['operation'];
  const call: Call = {
    ...{
      id: 'abc',
      principal: LOCAL_PRINCIPAL,
      tool: 'list_boards',
      operation,
      arguments: {},
      deadline,
      signal,
    },
    ...{ channel: {}, dryRun: false, depth: 0 },
    ...given.call,
  };
  const connection = { name: 'skills', source: 'skills', securitySchemes: {}, limits: DEFAULT_LIMITS };
  return run(call, { connection, signal, deadline, attempt: 1 });
}

const text = (outcome: AttemptOutcome) => {
  if (outcome.kind !== 'done' || outcome.result.kind !== 'value') throw new Error(JSON.stringify(outcome));
  const [block] = outcome.result.content ?? [];
  return block?.type === 'text' ? block.text : undefined;
};

describe('what a script is given', () => {
  it('one argument for each template, groups and flags', async () => {
    const args = ['--board', '{{args.board}}', ['--limit', '{{args.limit}}'], ['--page', '{{args.page}}']];
    const flag = { flag: '--json', when: 'args.json' };
    const outcome = await attempt('argv.sh', {
      invocation: { args: [...args, flag, '{{context.tool_name}}'] },
      call: { arguments: { board: 'a b; $(id)', limit: 5, json: true } },
    });
    expect(text(outcome)).toBe('[--board]\n[a b; $(id)]\n[--limit]\n[5]\n[--json]\n[list]\n');
    expect(released).toHaveBeenCalledOnce();
  });

  it('the arguments as JSON on stdin, where its manifest says nothing', async () => {
    const outcome = await attempt('stdin.sh', { call: { arguments: { a: [1, 'ü'] } } });
    expect(outcome).toMatchObject({ kind: 'done', result: { structured: { a: [1, 'ü'] } } });
    expect(text(await attempt('stdin.sh', { invocation: { args: [] } }))).toBe('Done.');
  });

  it('a template as JSON on stdin, values with their types', async () => {
    const outcome = await attempt('stdin.sh', {
      invocation: { stdin: { limit: '{{args.limit}}', who: 'for {{context.skill_id}}' } },
      call: { arguments: { limit: 5 } },
    });
    expect(outcome).toMatchObject({ result: { structured: { limit: 5, who: 'for boards' } } });
  });

  it('as many arguments as a list has items, in place', async () => {
    const args = [
      '-c',
      { each: 'args.files' },
      { each: 'args.tags', flag: '--tag' },
      { each: 'args.none' },
      'z',
    ];
    const outcome = await attempt('argv.sh', {
      invocation: { args },
      call: { arguments: { files: ['a b', '$(id)', '', 7], tags: ['--x', true], none: [] } },
    });
    expect(text(outcome)).toBe(
      ['-c', 'a b', '$(id)', '', '7', '--tag', '--x', '--tag', 'true', 'z']
        .map((one) => `[${one}]\n`)
        .join(''),
    );
    const refused = attempt('argv.sh', { invocation: { args }, call: { arguments: { files: [{}] } } });
    await expect(refused).rejects.toMatchObject({ code: 'arguments_invalid', pointer: '/files/0' });
  });

  it('text on stdin as it is, and no JSON', async () => {
    const invocation = { stdinText: '{{args.text}}' };
    const given = 'two "lines"\nü {{args.x}} €\n';
    expect(text(await attempt('stdin.sh', { invocation, call: { arguments: { text: given } } }))).toBe(given);
    const around = { args: ['x'], stdinText: '<{{args.n}}|{{args.gone|default:}}>' };
    expect(text(await attempt('stdin.sh', { invocation: around, call: { arguments: { n: [1] } } }))).toBe(
      '<[1]|>',
    );
    await expect(attempt('stdin.sh', { invocation })).rejects.toMatchObject({
      code: 'template_value_missing',
      message: 'args.text has no value, and the template at stdin_text has no default for it.',
    });
    const half = attempt('stdin.sh', { invocation, call: { arguments: { text: '\ud800' } } });
    await expect(half).rejects.toMatchObject({ code: 'arguments_invalid' });
    const dry = await attempt('stdin.sh', {
      invocation: { ...invocation, args: ['-', { each: 'args.f', flag: '-f' }] },
      call: { arguments: { text: 'a', f: ['b'] }, dryRun: true },
    });
    expect(dry).toMatchObject({
      result: { structured: { stdin: 'a', argv: ['stdin.sh', '-', '-f', 'b'] } },
    });
  });

  it('secrets in its environment only, and none comes back', async () => {
    const lines: string[] = [];
    const progress = async (_done: number, _total?: number, line?: string) => void lines.push(line!);
    const outcome = await attempt('env.sh', {
      invocation: { env: { KEY: 'Bearer {{secrets.TOKEN}}' } },
      secrets: { TOKEN: 'tok-"1234567' },
      call: { channel: { progress } },
    });
    expect(JSON.stringify([outcome, lines])).not.toContain('1234567');
    expect(lines).toEqual(['uses Bearer [redacted]']);
    const inArguments = attempt('argv.sh', {
      invocation: { args: ['{{secrets.TOKEN}}'] },
      secrets: { TOKEN: 'x' },
    });
    await expect(inArguments).rejects.toMatchObject({ code: 'template_value_missing' });
  });

  it('nothing where a value is missing', async () => {
    const missing = attempt('argv.sh', { invocation: { args: ['{{args.board}}'] } });
    await expect(missing).rejects.toMatchObject({ code: 'template_value_missing', pointer: '/board' });
  });

  it.skipIf(!python)(
    'its package as working folder, where nothing is written beside its modules',
    async () => {
      const outcome = await attempt('where.py', {
        invocation: { interpreter: 'python3', args: ['{{context.skill_dir}}'] },
      });
      const { folder } = files;
      expect(outcome).toMatchObject({
        result: { structured: { cwd: folder, argv: [folder], helper: 'beside it' } },
      });
      expect(text(await attempt('argv.sh', { invocation: { args: [] } }))).toBe('Done.');
      expect(readdirSync(folder)).not.toContain('__pycache__');
    },
  );

  it('the node that runs the gateway, types and all', async () => {
    const outcome = await attempt('types.ts', {
      invocation: { interpreter: 'node' },
      call: { arguments: { n: 1 } },
    });
    expect(outcome).toMatchObject({ result: { structured: { n: 2 } } });
  });
});

describe('what becomes of it', () => {
  it.each([
    ['fail.sh', 'script_failed', 'yes', 'The script of list_boards exited with code 4: cannot reach it'],
    ['refuse.sh', 'script_failed', 'yes', 'The script of list_boards reports a failure: no such board'],
    [
      'gone.sh',
      'script_unavailable',
      'no',
      'The script of list_boards did not start: gone.sh is not in its package.',
    ],
    [
      '../x.sh',
      'script_unavailable',
      'no',
      'The script of list_boards did not start: ../x.sh is not in its package.',
    ],
    ['../../usr/bin/env', 'script_unavailable', 'no', expect.stringMatching(/package\.$/)],
  ])('%s is %s', async (entry, code, ran, message) => {
    expect(await attempt(entry)).toMatchObject({ kind: 'failed', error: { code, message }, ran });
  });

  it('a program without its run bit did not run', async () => {
    const { interpreter: _, ...executed } = { interpreter: 'sh' };
    const outcome = await attempt('no-run-bit', {
      invocation: { ...executed, interpreter: undefined as never },
    });
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'script_unavailable' }, ran: 'no' });
  });

  it('bytes that are no text are told of, since they are lost', async () => {
    const outcome = await attempt('bytes.sh');
    expect(text(outcome)).toBe('a\ufffdPNG\0b');
    expect(outcome).toMatchObject({ result: { warnings: [expect.stringContaining('no UTF-8 text')] } });
    expect(await attempt('argv.sh', { invocation: { args: ['ü'] } })).not.toHaveProperty('result.warnings');
  });

  it('what it says of its failure names files as its author knows them', async () => {
    const lines: string[] = [];
    const progress = async (_done: number, _total?: number, line?: string) => void lines.push(line!);
    const thrown = await attempt('throw.mjs', {
      invocation: { interpreter: 'node' },
      call: { channel: { progress } },
    });
    const lost = await attempt('lost.sh', { call: { channel: { progress } } });
    expect(thrown).toMatchObject({
      error: { message: 'The script of list_boards exited with code 1: TypeError: no header (throw.mjs:2)' },
    });
    expect(lost).toMatchObject({ error: { message: expect.stringMatching(/: data\.csv is not there$/) } });
    expect(JSON.stringify([thrown, lost, lines])).not.toContain(files.folder);
  });

  it.each(isolations)('a program that is missing in its first line is named: %s', async (_how, isolation) => {
    for (const name of ['nowhere', 'windows']) await chmod(join(files.folder, name), 0o755);
    const mode = isolation === 'none' ? 'permissive' : 'strict';
    const start = (entry: string) =>
      attempt(entry, { mode, invocation: { interpreter: undefined as never } });
    expect(await start('nowhere')).toMatchObject({
      error: {
        code: 'script_unavailable',
        message: expect.stringContaining(
          'did not start: nowhere:1 names /opt/nowhere/python9, which is not there',
        ),
      },
      ran: 'no',
      final: true,
    });
    expect(await start('windows')).toMatchObject({
      error: { message: expect.stringContaining('windows:1 names /bin/sh and has Windows line ends') },
    });
  });

  it('a program that its first line asks `env` for is named where there is none', async () => {
    await chmod(join(files.folder, 'by-env'), 0o755);
    const answer = await attempt('by-env', {
      mode: 'permissive',
      invocation: { interpreter: undefined as never },
    });
    expect(answer).toMatchObject({
      error: {
        code: 'script_unavailable',
        message: expect.stringContaining(
          'did not start: by-env:1 asks for no-such-language, and there is no program of that name in the PATH',
        ),
      },
      ran: 'no',
      final: true,
    });
  });

  it('its deadline leaves open whether it was done', async () => {
    const outcome = await attempt('hang.sh', { timeoutMs: 100 });
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'deadline_exceeded' }, ran: 'maybe' });
  });

  it('a caller who leaves ends it; a call whose time is up does not count as one', async () => {
    const caller = new AbortController();
    const progress = async () => caller.abort(new Error('gone'));
    const left = attempt('hang.sh', { signal: caller.signal, call: { channel: { progress } } });
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    const late = new AbortController();
    const over = async () => late.abort(new DOMException('over', 'TimeoutError'));
    const timed = await attempt('hang.sh', { signal: late.signal, call: { channel: { progress: over } } });
    expect(timed).toMatchObject({ error: { code: 'deadline_exceeded' }, ran: 'maybe' });
    const before = await attempt('hang.sh', { signal: late.signal });
    expect(before).toMatchObject({ error: { code: 'deadline_exceeded' }, ran: 'no' });
  });
});

describe('isolation', () => {
  const REACH = { invocation: { entry: 'argv.sh', args: ['x'] } };

  it('strict refuses what cannot be isolated, before anything is read', async () => {
    released.mockClear();
    const refused = attempt('argv.sh', { mode: 'strict', isolation: NOTHING_ISOLATES });
    await expect(refused).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringContaining('bubblewrap (bwrap) is not installed'),
    });
    expect(released).not.toHaveBeenCalled();
  });

  it('balanced goes without where there is none', async () => {
    expect(text(await attempt('argv.sh', { ...REACH, mode: 'balanced', isolation: NOTHING_ISOLATES }))).toBe(
      '[x]\n',
    );
  });

  it.skipIf(!canIsolate)(
    'strict and balanced isolate where that is possible, permissive does not',
    async () => {
      const before = files;
      files = await packageOf({ 'space.sh': 'readlink /proc/self/ns/pid\n' });
      const space = async (mode: SkillMode) =>
        text(await attempt('space.sh', { mode, invocation: { args: [] } }));
      try {
        const ours = `${readlinkSync('/proc/self/ns/pid')}\n`;
        expect(await space('permissive')).toBe(ours);
        expect(await space('balanced')).not.toBe(ours);
        expect(await space('strict')).toMatch(/^pid:/);
        expect(await space('strict')).not.toBe(ours);
      } finally {
        await files.remove();
        files = before;
      }
    },
  );

  it.skipIf(!canIsolate)('tells an author who did not know of it what it forbids', async () => {
    const next = async (entry: string, interpreter: 'sh' | 'node', network = false) => {
      const outcome = await attempt(entry, { mode: 'strict', invocation: { interpreter, network } });
      return outcome.kind === 'failed' ? outcome.error.next : '';
    };
    expect(await next('write.sh', 'sh')).toMatch(
      /^Its folder is read-only: let it write files below `\$TMPDIR`/,
    );
    expect(await next('connect.mjs', 'node')).toMatch(/^It ran without a network: `network: true`/);
    expect(await next('connect.mjs', 'node', true)).toBe('Read what the script says and correct the call.');
  });

  it.skipIf(!(canIsolate && python))('a script finds its interpreter and its modules inside', async () => {
    const outcome = await attempt('where.py', {
      mode: 'strict',
      invocation: { interpreter: 'python3', args: [] },
    });
    expect(outcome).toMatchObject({ result: { structured: { helper: 'beside it' } } });
    const node = await attempt('types.ts', {
      mode: 'strict',
      invocation: { interpreter: 'node' },
      call: { arguments: { n: 2 } },
    });
    expect(node).toMatchObject({ result: { structured: { n: 3 } } });
  });
});

it.skipIf(!(canIsolate && python))(
  'the python of a virtual environment brings its packages, isolated too',
  async () => {
    const venv = join(files.folder, 'venv');
    const { PATH } = process.env;
    execFileSync('python3', ['-m', 'venv', '--without-pip', venv]);
    const [version] = readdirSync(join(venv, 'lib'));
    await writeFile(join(venv, 'lib', version!, 'site-packages/helper.py'), 'NAME = "installed"\n');
    const before = files;
    files = await packageOf({ 'where.py': 'import helper, sys\nprint(helper.NAME, sys.prefix)\n' });
    process.env['PATH'] = `${join(venv, 'bin')}:${PATH}`;
    try {
      for (const mode of ['permissive', 'strict'] as const)
        expect(
          text(await attempt('where.py', { mode, invocation: { interpreter: 'python3', args: [] } })),
        ).toBe(`installed ${venv}\n`);
    } finally {
      process.env['PATH'] = PATH;
      await files.remove();
      files = before;
    }
  },
);

it('a dry run shows what would be started, reads no secret and starts nothing', async () => {
  released.mockClear();
  const outcome = await attempt('fail.sh', {
    mode: 'balanced',
    isolation: NOTHING_ISOLATES,
    invocation: {
      args: ['--board', '{{args.board}}'],
      stdin: { n: '{{args.n}}' },
      env: { KEY: '{{secrets.TOKEN}}' },
    },
    call: { dryRun: true, arguments: { board: 'b', n: 1 } },
    secrets: { TOKEN: 'never shown' },
  });
  expect(outcome).toEqual({
    kind: 'done',
    result: {
      kind: 'value',
      structured: {
        program: 'sh',
        argv: ['fail.sh', '--board', 'b'],
        stdin: '{"n":1}',
        env: ['KEY'],
        isolation: 'none: bubblewrap (bwrap) is not installed',
        network: true,
      },
    },
  });
  expect(released).not.toHaveBeenCalled();
});

describe('before a person is asked about it', () => {
  const readyWith = (mode: SkillMode, secret: string | undefined) => {
    const ready = createScriptReady({
      secrets: {
        read: async (_source, skill, name) => {
          if (secret === undefined) throw new Error(`${skill} has no ${name}`);
          return secret;
        },
      },
      policy: () => ({ ...DEFAULT_SKILL_POLICY, mode }),
      isolation: async () => NOTHING_ISOLATES,
    });
    const invocation = { kind: 'script', skill: 'boards', env: { KEY: '{{secrets.key}}' }, network: false };
    const call = { operation: { id: 'list', source: 'skills', invocation } } as unknown as Call;
    const connection = { name: 'skills', source: 'skills', securitySchemes: {}, limits: DEFAULT_LIMITS };
    return ready(call, { connection, signal: new AbortController().signal });
  };

  it('its isolation and its secrets are looked at, and nothing is started', async () => {
    await readyWith('balanced', 'k3y');
    await expect(readyWith('balanced', undefined)).rejects.toThrow('boards has no key');
    await expect(readyWith('strict', 'k3y')).rejects.toMatchObject({ code: 'sandbox_unavailable' });
  });
});
