import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScriptInvocation, TemplateInvocation } from '../../../src/operations/index.ts';
import { artifactsOf } from '../../../src/sources/skill/artifacts.ts';
import { compileSkill } from '../../../src/sources/skill/index.ts';
import { compileManifest, compileTool, PLACE, packageOf, SKILL_MD } from './package.ts';

const script = async (lines: string) => {
  const { tools, invalid } = await compileTool(lines);
  expect(invalid).toEqual([]);
  return tools[0]!.invocation as ScriptInvocation;
};
const request = async (lines: string) => {
  const { tools, invalid } = await compileTool(lines);
  expect(invalid).toEqual([]);
  return tools[0]!.invocation as TemplateInvocation;
};

describe('manifest parser: normalization and alias fields', () => {
  it('fills in every default of a script', async () => {
    const { tools, findings, version } = await compileTool(
      'executor: { type: script, entry: scripts/run.py }',
    );
    expect(findings).toEqual([]);
    expect(tools).toEqual([
      {
        name: 'run',
        description: 'Runs.',
        input: { type: 'object' },
        access: 'write',
        destructiveUnknown: true,
        idempotent: false,
        invocation: {
          kind: 'script',
          skill: 'reader',
          version,
          retry: { maxAttempts: 3, backoffMs: 300 },
          timeoutMs: 20_000,
          network: false,
          entry: 'scripts/run.py',
          interpreter: 'python3',
        },
        place: 'tool-manifest.yaml:2',
      },
    ]);
  });

  it('fills in every default of a request', async () => {
    expect(await request('executor: { type: http, url: "https://api.test/v1" }')).toMatchObject({
      kind: 'template',
      method: 'POST',
      url: 'https://api.test/v1',
      headers: {},
      network: true,
      retry: { maxAttempts: 3, backoffMs: 300 },
      timeoutMs: 20_000,
    });
  });

  it('takes every other spelling for its key', async () => {
    const { tools, findings } = await compileManifest(`
- name: one
  description: One.
  parameters: { type: object, properties: { q: { type: string } }, required: [q] }
  executor: { type: script, script: scripts/run.sh, args: ["{{args.q}}"], stdin: { q: "{{args.q}}" } }
- name: two
  description: Two.
  parameters: { type: object, properties: { q: { type: string } }, required: [q] }
  executor: { type: http, endpoint: "https://api.test/{{args.q}}", headers: { X-Q: "{{args.q}}" }, body: { q: "{{args.q}}" } }
`);
    expect(findings).toEqual([]);
    expect(tools.map(({ invocation }) => invocation)).toMatchObject([
      { entry: 'scripts/run.sh', interpreter: 'sh', args: ['{{args.q}}'], stdin: { q: '{{args.q}}' } },
      { url: 'https://api.test/{{args.q}}', headers: { 'X-Q': '{{args.q}}' }, body: { q: '{{args.q}}' } },
    ]);
    expect(tools[0]?.input).toMatchObject({ required: ['q'] });
  });

  it.each([
    ['entry: scripts/run.py', 'script'],
    ['script: scripts/run.py', 'script'],
    ['url: https://api.test', 'template'],
    ['endpoint: https://api.test', 'template'],
    ['executor: { entry: scripts/run.py }', 'script'],
    ['executor: { url: "https://api.test" }', 'template'],
    ['executor: script\nentry: scripts/run.py', 'script'],
    ['type: http\nurl: https://api.test\nmethod: get', 'template'],
  ])('infers from %j how it runs', async (lines, kind) => {
    const { tools, invalid } = await compileTool(lines);
    expect(invalid).toEqual([]);
    expect(tools[0]?.invocation.kind).toBe(kind);
  });

  it('lets the proper key count where both are written, and says so', async () => {
    const { tools, findings } = await compileTool(
      'executor: { type: script, script: scripts/run.sh, entry: scripts/run.py }',
    );
    expect(tools[0]?.invocation).toMatchObject({ entry: 'scripts/run.py' });
    expect(findings.map(({ code, location }) => [code, location])).toEqual([
      ['skill-key-twice', '/skills/reader/tool-manifest.yaml:4'],
    ]);
  });

  it('reads a bare list, one tool a file, and tools/*.yaml in order; runtime of the first file alone', async () => {
    const tool = (name: string) => `name: ${name}\nentry: scripts/run.py\ndescription: It.\n`;
    const { tools, invalid, findings } = await compileSkill(
      packageOf({
        'SKILL.md': SKILL_MD,
        'scripts/run.py': '',
        'tool-manifest.yml': 'runtime: { default_timeout_sec: 5 }\ntools: []\n',
        'tools/b.yml': `runtime: { default_timeout_sec: 9 }\n${tool('bb')}`,
        'tools/a.yaml': `- ${tool('aa').replaceAll('\n', '\n  ')}`,
        'tools/deep/c.yaml': tool('cc'),
        'tools/readme.md': 'not a tool',
      }),
      PLACE,
    );
    expect(invalid).toEqual([]);
    expect(tools.map(({ name, place, invocation }) => [name, place, invocation.timeoutMs])).toEqual([
      ['aa', 'tools/a.yaml:1', 5000],
      ['bb', 'tools/b.yml:1', 5000],
    ]);
    expect(findings.map(({ code, location }) => [code, location])).toEqual([
      ['skill-runtime', '/skills/reader/tools/b.yml:1'],
    ]);
  });

  it('prefers tool-manifest.yaml to .yml', async () => {
    const { tools } = await compileManifest('- { name: aa, entry: scripts/run.py }', {
      'tool-manifest.yml': '- { name: bb, entry: scripts/run.py }',
    });
    expect(tools.map(({ name }) => name)).toEqual(['aa']);
  });

  it('says which key was meant', async () => {
    const { findings } = await compileTool(
      'excutor: 1\nexecutor: { type: script, entry: scripts/run.py, timout_sec: 1 }',
    );
    expect(findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warning: excutor is unknown. Did you mean "executor"?',
      'warning: timout_sec is unknown. Did you mean "timeout_sec"?',
    ]);
  });

  it('names a tool by its name where it has no description', async () => {
    const { tools, findings } = await compileManifest('- { name: aa, entry: scripts/run.py }');
    expect(tools[0]?.description).toBe('aa');
    expect(findings.map(({ code }) => code)).toEqual(['skill-tool-description']);
  });

  it('keeps arguments, groups and flags as they are, scalars as text', async () => {
    const { args, env } =
      await script(`input_schema: { type: object, properties: { q: {}, f: { type: array }, json: { type: boolean } } }
executor:
  type: script
  entry: scripts/run.py
  args_template:
    [-n, 3, ["--q", "{{args.q}}"], { flag: --json, when: "{{args.json}}" }, { each: args.f }, { each: "{{ args.f }}", flag: -f }]
env: { LEVEL: 2, TOKEN: "{{secrets.KEY}}" }`);
    expect(args).toEqual([
      ...['-n', '3', ['--q', '{{args.q}}'], { flag: '--json', when: 'args.json' }],
      ...[{ each: 'args.f' }, { each: 'args.f', flag: '-f' }],
    ]);
    expect(env).toEqual({ LEVEL: '2', TOKEN: '{{secrets.KEY}}' });
  });

  it('takes text for standard input, and says so in the artifact', async () => {
    const { tools, invalid } = await compileTool(
      'input_schema: { required: [q] }\nexecutor: { entry: scripts/run.sh, stdin_text: "for {{args.q}}\\n" }',
    );
    expect(invalid).toEqual([]);
    expect(tools[0]?.invocation).toMatchObject({ stdinText: 'for {{args.q}}\n' });
    expect(tools[0]?.invocation).not.toHaveProperty('stdin');
    expect((await script('executor: { entry: scripts/run.sh, stdin_text: 7 }')).stdinText).toBe('7');
    const compiled = await compileTool(
      'executor: { entry: scripts/run.sh, args: [{ each: args.f, flag: -f }], stdin_text: "a" }',
    );
    const { tools: artifact } = artifactsOf(compiled, { shadowed: [], updatedAt: '2026-01-01T00:00:00Z' });
    expect(artifact).toMatchObject({
      tools: [{ executor: { args_template: [{ each: 'args.f', flag: '-f' }], stdin_text: 'a' } }],
    });
  });

  it('warns of optional arguments that calls without them would fail on', async () => {
    const { findings } = await compileTool(
      `input_schema: { type: object, properties: { q: {}, r: {}, s: {} }, required: [q] }
executor: { entry: scripts/run.py, args: ["{{args.q}}", "{{args.r|default:1}}", "{{args.s}}", [a, "{{args.s}}"]] }`,
    );
    expect(findings.map(({ code, message }) => [code, message.slice(0, 48)])).toEqual([
      ['skill-template-optional', 's is optional and has no default: calls without '],
    ]);
    const more = await compileTool(
      `input_schema: { type: object, properties: { q: {}, f: { type: array } } }
executor: { entry: scripts/run.py, args: [{ each: args.f }], stdin_text: "{{args.q}}" }`,
    );
    expect(more.findings.map(({ message }) => message.slice(0, 13))).toEqual(['q is optional']);
  });
});

it('warns of arguments that a request does not send', async () => {
  const schema = 'input_schema: { type: object, properties: { q: {}, r: {} }, required: [q, r] }';
  const { findings } = await compileTool(`${schema}\nurl: "https://a.test/{{args.q}}"\nmethod: GET`);
  expect(findings.map(({ code, message }) => [code, message.slice(0, 38)])).toEqual([
    ['skill-template-unused', 'No template of the request names r: it'],
  ]);
  const whole = await compileTool(`${schema}\nurl: "https://a.test/{{args.q}}"\nbody: { r: "{{args.r}}" }`);
  expect(whole.findings).toEqual([]);
});

it('warns of arguments that a script is not given', async () => {
  const schema =
    'input_schema: { type: object, properties: { q: {}, r: {}, s: {}, t: {} }, required: [q, r, s, t] }';
  const messages = async (executor: string) =>
    (await compileTool(`${schema}\nexecutor: { entry: scripts/run.py, ${executor} }`)).findings.map(
      ({ message }) => message.split(':')[0],
    );
  expect(await messages('args: ["{{args.q}}", "${args.r}"], env: { S: "{{args.s}}" }')).toEqual([
    'No template of the script names r, t',
  ]);
  expect(await messages('stdin_template: { q: "{{args.q}}" }')).toEqual([
    'No template of the script names r, s, t',
  ]);
  const all =
    'args: [{ flag: -r, when: args.r }, { each: args.s }, [-q, "{{args.q}}"]], stdin_text: "{{args.t}}"';
  expect(await messages(all)).toEqual([]);
  expect(await messages('args: [], stdin_template: "{{args}}"')).toEqual([]);
  expect(await messages('timeout_sec: 5')).toEqual([]);
});

it('warns of what not every call has', async () => {
  const { findings } = await compileTool(
    'url: "https://a.test/{{context.run_id}}?o={{context.organisation|default:none}}&s={{context.skill_id}}"',
  );
  expect(findings.map(({ message }) => message)).toEqual([
    'Not every call has context.run_id: write {{context.run_id|default:}}.',
  ]);
});

describe('limits and retries: tool and executor over runtime over system, within bounds', () => {
  it('takes each from the nearest place', async () => {
    const { tools } = await compileManifest(`
runtime: { default_timeout_sec: 30, default_retry: { max_attempts: 2, backoff_ms: 100 } }
tools:
  - { name: t1, entry: scripts/run.py }
  - { name: t2, timeout_sec: 7, retry: { backoff_ms: 50 }, executor: { entry: scripts/run.py } }
  - { name: t3, timeout_sec: 7, executor: { entry: scripts/run.py, timeout_sec: 0.5, retry: { max_attempts: 1 } } }
`);
    expect(tools.map(({ invocation: { timeoutMs, retry } }) => [timeoutMs, retry])).toEqual([
      [30_000, { maxAttempts: 2, backoffMs: 100 }],
      [7000, { maxAttempts: 2, backoffMs: 50 }],
      [500, { maxAttempts: 1, backoffMs: 100 }],
    ]);
  });

  it.each([
    ['timeout_sec: 601', 600_000, 3, 300],
    ['timeout_sec: 0', 20_000, 3, 300],
    ['timeout_sec: -1', 20_000, 3, 300],
    ['timeout_sec: soon', 20_000, 3, 300],
    ['retry: { max_attempts: 7 }', 20_000, 6, 300],
    ['retry: { max_attempts: 0 }', 20_000, 1, 300],
    ['retry: { max_attempts: many }', 20_000, 3, 300],
    ['retry: { backoff_ms: 5001 }', 20_000, 3, 5000],
    ['retry: { backoff_ms: -5 }', 20_000, 3, 0],
    ['retry: often', 20_000, 3, 300],
  ])('cuts %s to its bounds and says so', async (line, timeoutMs, maxAttempts, backoffMs) => {
    const { tools, findings } = await compileTool(`entry: scripts/run.py\n${line}`);
    expect(tools[0]?.invocation).toMatchObject({ timeoutMs, retry: { maxAttempts, backoffMs } });
    expect(findings.map(({ code }) => code)).toEqual(['skill-limit']);
  });

  it('takes numbers that are written as text', async () => {
    expect(await script('entry: scripts/run.py\ntimeout_sec: "12"')).toMatchObject({ timeoutMs: 12_000 });
  });
});

describe('what a tool does', () => {
  it.each([
    ['entry: scripts/run.py', 'write', false, false],
    ['entry: scripts/run.py\naccess: read', 'read', true, false],
    ['entry: scripts/run.py\naccess: delete\nidempotent: true\nnetwork: true', 'delete', true, true],
    ['url: https://a.test\nmethod: GET', 'read', true, true],
    ['url: https://a.test\nmethod: delete', 'delete', true, true],
    ['url: https://a.test\nmethod: PUT', 'write', true, true],
    ['url: https://a.test', 'write', false, true],
    ['url: https://a.test\naccess: read', 'read', true, true],
    ['url: https://a.test\nmethod: PATCH\nidempotent: true', 'write', true, true],
  ])('of %j: %s, idempotent %s, network %s', async (lines, access, idempotent, network) => {
    const { tools, findings } = await compileTool(lines);
    expect(findings).toEqual([]);
    expect(tools[0]).toMatchObject({ access, idempotent, invocation: { network } });
  });

  it('is by its name where nobody says it, and then no client is told that it destroys nothing', async () => {
    const tools = [
      '{ name: remove_all, entry: scripts/run.py }',
      '{ name: list_deleted, entry: scripts/run.py }',
      '{ name: purge, url: "https://a.test" }',
      '{ name: delete_draft, entry: scripts/run.py, access: write }',
      '{ name: add, url: "https://a.test" }',
      '{ name: delete_get, url: "https://a.test", method: GET }',
    ];
    const compiled = await compileManifest(`tools: [${tools.join(', ')}]`);
    expect(
      compiled.tools.map(({ name, access, destructiveUnknown = false }) => [
        name,
        access,
        destructiveUnknown,
      ]),
    ).toEqual([
      ['remove_all', 'delete', false],
      ['list_deleted', 'write', true],
      ['purge', 'delete', false],
      ['delete_draft', 'write', false],
      ['add', 'write', true],
      ['delete_get', 'read', false],
    ]);
  });

  it.each([
    ['method: DELETE\naccess: read', 'delete'],
    ['method: PATCH\naccess: read', 'write'],
  ])('lets no manifest make a request less than its method (%j)', async (lines, access) => {
    const { tools, findings } = await compileTool(`url: https://a.test\n${lines}`);
    expect(tools[0]?.access).toBe(access);
    expect(findings.map(({ code }) => code)).toEqual(['skill-tool-access']);
  });
});

describe('a manifest that is none', () => {
  const findings = async (contents: Readonly<Record<string, string>>) => {
    const skill = await compileSkill(packageOf({ 'SKILL.md': SKILL_MD, ...contents }), PLACE);
    expect(skill.tools).toEqual([]);
    return skill.findings.map(({ code, severity, location }) => [code, severity, location]);
  };

  it.each(['tool_manifest.yaml', 'Tool-Manifest.yml', 'tools-manifest.yaml', 'tool-manifest.json'])(
    'as %s, which is not read, is told of',
    async (name) => {
      expect(await findings({ [name]: 'tools: []\n' })).toEqual([
        ['skill-manifest-name', 'warning', join('/skills/reader', name)],
      ]);
    },
  );

  it.each(['', '# nothing yet\n', 'tools:\n', 'tools: []\n', '[]\n'])(
    'of %j, which holds no tool, is told of',
    async (text) => {
      expect(await findings({ 'tool-manifest.yaml': text })).toEqual([
        ['skill-tools', 'warning', expect.stringMatching(/reader.tool-manifest\.yaml(?::1)?$/)],
      ]);
    },
  );

  it('is no proposal, which waits for a person', async () => {
    expect(await findings({ 'tool-manifest.proposed.yaml': '' })).toEqual([]);
  });
});

it('warns of a shell script with Windows line ends, and of no other', async () => {
  const findings = async (entry: string) => {
    const windows = {
      'scripts/a*': '#!/usr/bin/perl\r\n',
      'scripts/a.bash': 'for i in 1 2; do\r\necho $i\r\ndone\r\n',
      'scripts/a.py': 'print(1)\r\n',
    };
    return (await compileTool(`entry: ${entry}`, windows)).findings.map(({ message }) => message);
  };
  expect(await findings('scripts/a.bash')).toEqual([
    'entry scripts/a.bash has Windows line ends, which a shell, or the system in a "#!" line, takes for a part of its words: save it with LF.',
  ]);
  expect(await findings('scripts/a')).toEqual([
    expect.stringMatching(/^entry scripts\/a has Windows line ends/),
  ]);
  expect(await findings('scripts/a.py')).toEqual([]);
  expect(await findings('scripts/run.sh')).toEqual([]);
});
