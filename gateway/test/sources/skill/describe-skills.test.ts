import { describe, expect, it } from 'vitest';
import { backoffBefore } from '../../../src/operations/index.ts';
import {
  artifactsOf,
  type CompiledSkill,
  compileSkill,
  describeSkills,
  packageVersion,
  type SkillSnapshot,
} from '../../../src/sources/skill/index.ts';
import { mimeTypeOf, parseSkillUri, skillUri } from '../../../src/sources/skill/resources.ts';
import { callTimeoutMs } from '../../../src/sources/skill/tool-limits.ts';
import { packageOf } from './package.ts';

const skill = (id: string, manifest: string, more: Record<string, string> = {}) =>
  compileSkill(
    packageOf({
      'SKILL.md': `---\nname: ${id}\ndescription: The skill ${id}.\n---\n`,
      'tool-manifest.yaml': manifest,
      'run.py': 'print(1)',
      ...more,
    }),
    { folder: `/skills/${id}`, root: '/skills' },
  );

async function described(skills: readonly CompiledSkill[], more: Partial<SkillSnapshot> = {}) {
  const snapshot: SkillSnapshot = { skills, overridden: [], problems: [], ...more };
  return describeSkills({ roots: ['/skills'], secrets: {} }, '/state/snapshot.json', {
    name: 'teaching',
    baseDirectory: '/',
    signal: new AbortController().signal,
    reader: {
      read: async (location) => {
        expect(location).toBe('/state/snapshot.json');
        return Buffer.from(JSON.stringify(snapshot));
      },
    },
  });
}

const TOOL = '- { name: docs.search, description: Searches., entry: run.py, network: true, title: Search }';

describe('operations of skills', () => {
  it('says everything that the router needs', async () => {
    const compiled = await skill('reader', TOOL);
    const { operations } = await described([compiled]);
    expect(operations).toEqual([
      {
        id: 'reader/docs.search',
        source: 'teaching',
        name: 'docs.search',
        title: 'Search',
        description: 'Searches.',
        input: { type: 'object' },
        access: 'write',
        tags: ['reader'],
        safety: {
          ...{ network: true, file: true, destructive: false, idempotent: false, openWorld: true },
          destructiveUnknown: true,
        },
        limits: { timeoutMs: 3 * 20_000 + 300 + 600 + 2_500, maxAttempts: 3 },
        invocation: compiled.tools[0]?.invocation,
      },
    ]);
  });

  it('keeps a name with dots as the title', async () => {
    const { operations } = await described([await skill('reader', TOOL.replace(', title: Search', ''))]);
    expect(operations[0]?.title).toBe('docs.search');
  });

  it('conflict resolution: the second skill’s tool of one name carries the name of its skill', async () => {
    const { operations, diagnostics } = await described([await skill('aa', TOOL), await skill('bb', TOOL)]);
    expect(operations.map(({ id, name }) => [id, name])).toEqual([
      ['aa/docs.search', 'docs.search'],
      ['bb/docs.search', 'bb_docs.search'],
    ]);
    expect(diagnostics).toEqual([
      {
        code: 'skill-tool-renamed',
        severity: 'warning',
        message: 'Skill aa has a tool docs.search, too: that of bb is called bb_docs.search.',
        location: '/skills/bb/tool-manifest.yaml:1',
      },
    ]);
  });

  it('tells what is invalid, unusable, kept and overridden', async () => {
    const compiled = await skill('reader', '- { name: aa, description: A., entry: gone.py, importnt: x }');
    const { operations, diagnostics } = await described([compiled], {
      overridden: [{ id: 'reader', folder: '/low/reader', by: '/skills/reader' }],
      problems: [
        { folder: '/skills/broken', message: 'There is no SKILL.md.' },
        {
          folder: '/skills/half',
          message: 'name is missing.',
          location: '/skills/half/SKILL.md:2',
          kept: true,
        },
      ],
    });
    expect(operations).toEqual([]);
    expect(diagnostics.map(({ code, severity, location }) => [code, severity, location])).toEqual([
      ['skill-unusable', 'error', '/skills/broken'],
      ['skill-unusable', 'warning', '/skills/half/SKILL.md:2'],
      ['skill-overridden', 'info', '/low/reader'],
      ['skill-tool-executor', 'error', '/skills/reader/tool-manifest.yaml:1'],
      ['skill-key-unknown', 'warning', '/skills/reader/tool-manifest.yaml:1'],
    ]);
  });

  it('has another fingerprint when a script changes', async () => {
    const one = await described([await skill('reader', TOOL)]);
    const same = await described([await skill('reader', TOOL)]);
    const other = await described([await skill('reader', TOOL, { 'run.py': 'print(2)' })]);
    expect(same.fingerprint).toBe(one.fingerprint);
    expect(other.fingerprint).not.toBe(one.fingerprint);
  });

  it('refuses a file that is no snapshot', async () => {
    const context = { name: 's', baseDirectory: '/', signal: new AbortController().signal };
    for (const text of ['', '[]', '{"skills":{}}'])
      await expect(
        describeSkills({ roots: [], secrets: {} }, '/x', {
          ...context,
          reader: { read: async () => Buffer.from(text) },
        }),
      ).rejects.toMatchObject({ code: 'source_invalid' });
  });
});

describe('resources and prompts', () => {
  it('offers every text file, the instructions first, and a prompt a skill', async () => {
    const { resources, prompts } = await described([
      await skill('reader', TOOL, {
        'assets/a.png': '',
        'references/Guide (1).md': 'x',
        LICENSE: 'y',
        'bin/x': '',
      }),
    ]);
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['skill://reader/SKILL.md', 'text/markdown'],
      ['skill://reader/LICENSE', 'text/plain'],
      ['skill://reader/references/Guide%20(1).md', 'text/markdown'],
      ['skill://reader/run.py', 'text/x-python'],
      ['skill://reader/tool-manifest.yaml', 'application/yaml'],
    ]);
    expect(resources[0]).toMatchObject({ name: 'reader', description: 'The skill reader.' });
    expect(prompts).toEqual([{ name: 'reader', description: 'The skill reader.' }]);
  });

  it.each(['SKILL.md', 'a b/ü#?.md', 'x/%2e%2e/y', '..%2f', 'q&a.txt'])('finds %s again', (path) => {
    expect(parseSkillUri(skillUri('my-skill', path))).toEqual({ skill: 'my-skill', path });
  });

  it.each([
    'file:///etc/passwd',
    'skill://',
    'skill://a',
    'skill://a/',
    'skill://a/b//c',
    'skill:///b',
    'skill://a/../b',
    'skill://a/%2e%2e/b',
    'skill://a/b%2fc',
    'skill://a/b%5cc',
    'skill://a/%00',
    'skill://a/%zz',
  ])('takes %s for no file of a skill', (uri) => {
    expect(parseSkillUri(uri)).toBeUndefined();
  });

  it('knows types by extension only', () => {
    expect(['a.MD', 'README', 'x.constructor', '.env', 'a.bin'].map(mimeTypeOf)).toEqual([
      'text/markdown',
      'text/plain',
      'application/octet-stream',
      'application/octet-stream',
      'application/octet-stream',
    ]);
  });
});

describe('retry and backoff calculator', () => {
  it('doubles each pause up to five seconds', () => {
    const retry = { maxAttempts: 6, backoffMs: 1000 };
    expect([2, 3, 4, 5, 6].map((next) => backoffBefore(next, retry))).toEqual([1000, 2000, 4000, 5000, 5000]);
  });

  it('gives a call time for every attempt, every pause and the end of a process', () => {
    expect(callTimeoutMs({ timeoutMs: 1000, retry: { maxAttempts: 1, backoffMs: 300 } })).toBe(3500);
    expect(callTimeoutMs({ timeoutMs: 1000, retry: { maxAttempts: 4, backoffMs: 2000 } })).toBe(
      4 * 1000 + 2000 + 4000 + 5000 + 2500,
    );
  });
});

describe('version of a package', () => {
  const version = (files: Record<string, string>) => packageVersion(packageOf(files).files);

  it('is the content, whatever the order', () => {
    expect(version({ a: '1', b: '2' })).toBe(version({ b: '2', a: '1' }));
    expect(version({ a: '1', b: '2' })).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('changes with a path, a run bit and a byte', () => {
    const versions = [{ a: '1' }, { b: '1' }, { 'a*': '1' }, { a: '2' }, { a: '1', b: '' }].map(version);
    expect(new Set(versions).size).toBe(5);
  });
});

describe('artifacts', () => {
  it('have the shapes that other platforms read', async () => {
    const compiled = await skill(
      'reader',
      `- { name: one, description: One., entry: run.py, args: ["{{args.q|default:1}}"] }
- { name: two, description: Two., url: "https://a.test", headers: { X-A: b } }
- { name: three, description: Three., entry: gone.py }`,
    );
    const { tools, lock, report } = artifactsOf(compiled, {
      shadowed: ['two'],
      updatedAt: '2026-01-02T03:04:05.000Z',
    });
    expect(tools).toEqual({
      tools: [
        {
          name: 'one',
          description: 'One.',
          input_schema: { type: 'object' },
          executor: {
            type: 'script',
            entry: 'run.py',
            interpreter: 'python3',
            args_template: ['{{args.q|default:1}}'],
            timeout_sec: 20,
            retry: { max_attempts: 3, backoff_ms: 300 },
            network: false,
          },
          access: 'write',
          idempotent: false,
          skill_dir: '/skills/reader',
        },
      ],
      manifest_hash: expect.stringMatching(/^sha256:/),
      skill_id: 'reader',
      version: compiled.version,
      updated_at: '2026-01-02T03:04:05.000Z',
    });
    expect(lock).toMatchObject({ compiled_ok: 1, manifest_hash: tools['manifest_hash'] });
    expect(lock['source_files']).toEqual(
      compiled.files.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
    );
    expect(report).toMatchObject({
      compiled_ok: 1,
      valid: [{ name: 'one', source: 'tool-manifest.yaml:1' }],
      invalid: [
        {
          source: 'tool-manifest.yaml:3',
          name: 'three',
          error: 'entry gone.py is not there, or no plain file.',
        },
      ],
      shadowed: [{ name: 'two', reason: 'conflicts_with_static_tool', source: 'tool-manifest.yaml:2' }],
      findings: [],
    });
  });

  it('conflict resolution: static names win, and the report says what they stand before', async () => {
    const compiled = await skill('reader', TOOL);
    const { tools, report } = artifactsOf(compiled, { shadowed: ['docs.search'], updatedAt: '' });
    expect(tools['tools']).toEqual([]);
    expect(report).toMatchObject({
      compiled_ok: 0,
      shadowed: [{ name: 'docs.search', reason: 'conflicts_with_static_tool' }],
    });
  });

  it('hashes manifests apart from scripts, and every file in the version', async () => {
    const at = { shadowed: [], updatedAt: '' };
    const one = await skill('reader', TOOL);
    const other = await skill('reader', TOOL, { 'run.py': 'print(2)' });
    expect(artifactsOf(other, at).lock['manifest_hash']).toBe(artifactsOf(one, at).lock['manifest_hash']);
    expect(artifactsOf(other, at).lock['version']).not.toBe(artifactsOf(one, at).lock['version']);
  });
});

it('tells of scripts that no manifest makes tools of', async () => {
  const compiled = await compileSkill(
    packageOf({
      'SKILL.md': '---\nname: reader\ndescription: Reads.\n---\n',
      'scripts/read.py': 'print(1)',
      'scripts/test_read.py': '',
    }),
    { folder: '/skills/reader', root: '/skills' },
  );
  const { diagnostics } = await described([compiled]);
  expect(diagnostics).toEqual([
    {
      code: 'skill-scripts',
      severity: 'info',
      message:
        'No tool is made of 1 script: there is no tool-manifest.yaml. `toolcrib skills infer` proposes one.',
      location: '/skills/reader/scripts/read.py',
    },
  ]);
});
