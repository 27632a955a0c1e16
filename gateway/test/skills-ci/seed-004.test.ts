import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { createSkillSelection } from '../../src/index.ts';
import { DEFAULT_SKILL_POLICY, type Event } from '../../src/operations/index.ts';
import { frontMatter, openSchool, type School, type SchoolOptions } from './support/school.ts';

const schools: School[] = [];
afterEach(async () => {
  for (const school of schools.splice(0)) await school.close();
});
const open = async (options?: SchoolOptions) => {
  const school = await openSchool(options);
  schools.push(school);
  return school;
};

/** Adds two numbers, and says which version of itself did so. */
const adder = (version: string) => ({
  'SKILL.md': frontMatter('adder'),
  'tool-manifest.yaml': `version: 1
tools:
  - name: add
    description: Adds, version ${version}.
    input_schema:
      type: object
      required: [a, b]
      properties: { a: { type: number }, b: { type: number }, as: { type: string, const: '${version}' } }
    executor: { type: script, entry: scripts/add.mjs, args_template: ['{{args.a}}', '{{args.b}}'] }
`,
  'scripts/add.mjs': `const [a, b] = process.argv.slice(2).map(Number);
console.log(JSON.stringify({ ok: true, data: { sum: a + b, version: '${version}' } }));
`,
});

const manifest = (tools: readonly object[]) => JSON.stringify({ version: 1, tools });
const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();
const eventsOf = async (school: School): Promise<readonly Event[]> => school.gateway.events();

describe('integration (seed §9.2)', () => {
  test('import + compile artifacts persisted', async () => {
    const school = await open();
    const packed = await school.skill('adder', adder('1'), 'elsewhere');
    const { status, body } = await school.api('/teacher/skills/import', {
      method: 'POST',
      body: skillForm(await zipped(packed)),
    });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { compiled_ok: 1, invalid_tools: 0, shadowed_tools: 0 },
    });
    const folder = join(school.folder, 'teacher_skills', 'adder');
    const [tools, lock, report] = await Promise.all(
      ['dynamic_tools.json', 'dynamic_tools.lock.json', 'dynamic_tools.report.json'].map(async (file) =>
        JSON.parse(await readFile(join(folder, file), 'utf8')),
      ),
    );
    expect(tools.tools).toMatchObject([{ name: 'add', executor: { type: 'script' } }]);
    expect(JSON.stringify(lock)).toContain('scripts/add.mjs');
    expect(JSON.stringify(lock)).toMatch(/[0-9a-f]{64}/);
    expect(report).toMatchObject({ compiled_ok: 1, invalid: [], shadowed: [] });
    expect(await names(await school.client())).toContain('add');
  });

  test('request hot reload on manifest change', async () => {
    const school = await open({ before: ({ skill }) => skill('adder', adder('1')), more: { watch: false } });
    const client = await school.client();
    const first = await client.callTool({ name: 'add', arguments: { a: 1, b: 2, as: '1' } });
    expect(first.structuredContent).toEqual({ sum: 3, version: '1' });
    await school.skill('adder', adder('2'));
    const second = await client.callTool({ name: 'add', arguments: { a: 1, b: 2, as: '2' } });
    expect(second.structuredContent).toEqual({ sum: 3, version: '2' });
    const [tool] = (await client.listTools()).tools.filter(({ name }) => name === 'add');
    expect(tool!.description).toContain('version 2');
    expect((await eventsOf(school)).map(({ type }) => type)).toContain('dynamic_tool.reload');
  });

  test('merged registry visible to LLM tool schema', async () => {
    const school = await open({ before: ({ skill }) => skill('adder', adder('1')) });
    const { body } = await school.api('/api/v1/tools?format=openai&skill=adder');
    const { tools } = body as { tools: { function: { name: string; parameters: object } }[] };
    const shown = Object.fromEntries(tools.map((tool) => [tool.function.name, tool.function.parameters]));
    expect(Object.keys(shown)).toEqual(expect.arrayContaining(['add', 'list_students']));
    expect(shown['add']).toMatchObject({ type: 'object', required: ['a', 'b'] });
    const anthropic = await school.api('/api/v1/tools?format=anthropic&skill=adder');
    expect(JSON.stringify(anthropic.body)).toContain('input_schema');
  });

  test('a skill that is not there is refused, by the address and by the API; one that came since is not', async () => {
    const school = await open({ before: ({ skill }) => skill('adder', adder('1')), more: { watch: false } });
    const message = 'There is no skill "subtracter" that this caller may work with.';
    await expect(school.client('?skill=subtracter')).rejects.toThrow(JSON.stringify(message).slice(1, -1));
    const refused = { status: 400, body: { error: { code: 'request_invalid', message, pointer: '/skill' } } };
    expect(await school.api('/api/v1/tools?skill=subtracter')).toMatchObject(refused);
    const call = (skill: string) =>
      school.api('/api/v1/tools/list_students/call', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ skill }),
      });
    expect(await call('subtracter')).toMatchObject(refused);
    expect((await call('adder')).status).toBe(200);
    const client = await school.client('?skill=adder');
    await school.skill('subtracter', { 'SKILL.md': frontMatter('subtracter') });
    // folders are compared again a quarter of a second after a comparison that was slow
    const found = async () => (await school.api('/api/v1/tools?skill=subtracter')).status;
    await expect.poll(found).toBe(200);
    expect(await names(client)).toContain('add');
  });

  test('dynamic dispatch success for script/http', async () => {
    const school = await open({
      before: async ({ skill, service }) => {
        await skill('adder', adder('1'));
        await skill('asker', {
          'SKILL.md': frontMatter('asker'),
          'tool-manifest.yaml': manifest([
            {
              name: 'ask',
              description: 'Asks.',
              parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
              endpoint: `${service.url}/answers/{{args.q}}?who={{context.teacher_id}}`,
              method: 'GET',
            },
          ]),
        });
      },
    });
    const client = await school.client();
    const sum = await client.callTool({ name: 'add', arguments: { a: 2, b: 2 } });
    expect(sum.structuredContent).toEqual({ sum: 4, version: '1' });
    const answer = await client.callTool({ name: 'ask', arguments: { q: 'a b/?c#d' } });
    expect(answer.structuredContent ?? answer).toEqual({ at: '/answers/a%20b%2F%3Fc%23d' });
    expect(school.service.requests.at(-1)!.query).toEqual([['who', 'local']]);
  });
});

describe('definition of done (seed §11)', () => {
  test('a teacher-imported skill with tool-manifest.yaml can register dynamic tools', async () => {
    const school = await open();
    const client = await school.client();
    expect(await names(client)).not.toContain('add');
    await school.skill('adder', adder('1'), 'packed');
    const { skills } = { skills: await school.gateway.skills() };
    const { signal } = new AbortController();
    const source = { kind: 'path', path: join(school.folder, 'packed', 'adder') } as const;
    const outcome = await skills!.import(source, {}, signal, {
      id: 'local',
      kind: 'local',
      maxAccess: 'delete',
      roles: [],
    });
    expect(outcome).toMatchObject({ compiled_ok: 1, invalid_tools: 0, shadowed_tools: 0 });
    expect(await names(client)).toContain('add');
    expect(existsSync(join(school.folder, 'teacher_skills', 'adder', 'SKILL.md'))).toBe(true);
  });

  test('dynamic and static tools can be used in one session', async () => {
    const school = await open({ before: ({ skill }) => skill('adder', adder('1')) });
    const client = await school.client('?skill=adder');
    const students = await client.callTool({ name: 'list_students', arguments: {} });
    const sum = await client.callTool({ name: 'add', arguments: { a: 1, b: 1 } });
    expect([students.structuredContent, sum.structuredContent]).toEqual([
      { students: ['Ada'] },
      { sum: 2, version: '1' },
    ]);
  });

  test('existing skill precedence and fallback behavior remain unchanged', async () => {
    const school = await open({
      policy: { defaults: { teacher: 'planner' }, permitted: { student: ['adder'] } },
      before: async ({ skill }) => {
        await skill('adder', adder('low'), 'teacher_skills');
        await skill('adder', adder('middle'), 'skills');
        await skill('adder', adder('high'), 'home_skills');
        await skill('planner', { 'SKILL.md': frontMatter('planner') }, 'skills');
      },
    });
    const client = await school.client();
    const sum = await client.callTool({ name: 'add', arguments: { a: 1, b: 1 } });
    expect(sum.structuredContent).toMatchObject({ version: 'high' });
    const { policy } = school.gateway.configuration;
    const resolve = createSkillSelection(
      () => policy.skills ?? DEFAULT_SKILL_POLICY,
      (id) => ['adder', 'planner'].includes(id),
    );
    expect(resolve('adder', 'teacher')).toBe('adder');
    expect(resolve('nothing', 'teacher')).toBe('planner');
    expect(resolve(undefined, 'teacher')).toBe('planner');
    expect(resolve('planner', 'student')).toBeUndefined();
    expect(resolve(undefined, 'guest')).toBeUndefined();
  });

  test('retry then degrade behavior is observable and deterministic', async () => {
    const school = await open({
      before: ({ skill, service }) =>
        skill('fragile', {
          'SKILL.md': frontMatter('fragile'),
          'tool-manifest.yaml': manifest([
            {
              name: 'ask_down',
              description: 'Asks who is down.',
              executor: {
                type: 'http',
                method: 'GET',
                url: `${service.url}/down`,
                retry: { max_attempts: 3, backoff_ms: 1 },
              },
            },
          ]),
        }),
    });
    const client = await school.client();
    const told = async () => {
      const result = await client.callTool({ name: 'ask_down', arguments: {} });
      expect(result.isError).toBe(true);
      const events = (await eventsOf(school)).filter(({ type }) => type.startsWith('dynamic_tool.'));
      return events.map((event) => [event.type, 'attempt' in event ? event.attempt : undefined]);
    };
    const first = await told();
    expect(first.slice(1)).toEqual([
      ['dynamic_tool.call', 1],
      ['dynamic_tool.retry', 2],
      ['dynamic_tool.call', 2],
      ['dynamic_tool.retry', 3],
      ['dynamic_tool.call', 3],
      ['dynamic_tool.failed', 3],
      ['dynamic_tool.degraded', 3],
    ]);
    expect((await told()).slice(8)).toEqual(first.slice(1));
    const students = await client.callTool({ name: 'list_students', arguments: {} });
    expect(students.structuredContent).toEqual({ students: ['Ada'] });
  });
});

describe('what people do with them', () => {
  test('static names win: the dynamic tool is shadowed, and the report says so', async () => {
    const school = await open({
      before: ({ skill }) =>
        skill('rival', {
          'SKILL.md': frontMatter('rival'),
          'tool-manifest.yaml': manifest([
            { name: 'list_students', description: 'Another.', script: 'scripts/x.mjs' },
            { name: 'rival_own', description: 'Its own.', script: 'scripts/x.mjs' },
          ]),
          'scripts/x.mjs': 'console.log("{}")',
        }),
    });
    const client = await school.client();
    const students = await client.callTool({ name: 'list_students', arguments: {} });
    expect(students.structuredContent).toEqual({ students: ['Ada'] });
    const file = join(school.folder, 'teacher_skills', 'rival', 'dynamic_tools.report.json');
    // written behind the catalog, which knows the other tools
    await expect
      .poll(async () => JSON.parse(await readFile(file, 'utf8')).shadowed)
      .toMatchObject([{ name: 'list_students', reason: 'conflicts_with_static_tool' }]);
  });

  test('a selected skill shows its tools alone, and the others cannot be called by name', async () => {
    const school = await open({
      before: async ({ skill }) => {
        await skill('adder', adder('1'));
        await skill('other', {
          'SKILL.md': frontMatter('other'),
          'tool-manifest.yaml': manifest([{ name: 'other_tool', description: 'Other.', script: 's.mjs' }]),
          's.mjs': 'console.log("{}")',
        });
      },
    });
    const client = await school.client();
    expect(await names(client)).toEqual(['add', 'list_students', 'other_tool', 'use_skill']);
    await client.callTool({ name: 'use_skill', arguments: { skill: 'adder' } });
    expect(await names(client)).toEqual(['add', 'list_students', 'use_skill']);
    const refused = await client.callTool({ name: 'other_tool', arguments: {} });
    expect(JSON.stringify(refused)).toContain('skill_forbidden');
    await client.callTool({ name: 'use_skill', arguments: { skill: 'none' } });
    expect(await names(client)).toContain('other_tool');
  });

  test('in production tools are for teachers, and for the selected skill', async () => {
    const school = await open({
      before: ({ skill }) => skill('adder', adder('1')),
      more: { environment: 'production' },
    });
    expect(await names(await school.client())).toEqual(['list_students']);
    const teacher = { id: 'local', kind: 'local', maxAccess: 'delete', roles: ['teacher'] } as const;
    const shown = school.gateway.view(teacher, { skill: 'adder' }).tools.map(({ name }) => name);
    expect(shown).toContain('add');
    expect(school.gateway.view(teacher).tools.map(({ name }) => name)).not.toContain('add');
    const student = { ...teacher, roles: ['student'] };
    const refused = await school.gateway.call({
      tool: 'add',
      arguments: { a: 1, b: 1 },
      principal: student,
      client: { skill: 'adder' },
    });
    expect(refused).toMatchObject({ error: { code: expect.stringMatching(/forbidden/) } });
  });

  test('the flag switches their tools off', async () => {
    const school = await open({
      before: ({ skill }) => skill('adder', adder('1')),
      env: { DYNAMIC_SKILL_TOOLS_ENABLED: 'false' },
    });
    expect(await names(await school.client())).toEqual(['list_students', 'use_skill']);
  });

  test('a person agrees once to a skill in one version, under the balanced mode', async () => {
    const school = await open({
      policy: { mode: 'balanced' },
      before: ({ skill }) => skill('adder', adder('1')),
    });
    const call = () => school.gateway.call({ tool: 'add', arguments: { a: 1, b: 1 } });
    const asked = await call();
    expect(asked).toMatchObject({ error: { code: 'approval_required' } });
    const approvals = await school.gateway.approvals();
    const [waiting] = await approvals.list({ kind: 'operator' }, { states: ['pending'] });
    const person = { kind: 'operator', channel: 'cli', id: 'tester' } as const;
    await approvals.decide(waiting!.id, { decision: 'approve' }, person);
    expect(await call()).toMatchObject({ structured: { sum: 2 } });
    expect(await call()).toMatchObject({ structured: { sum: 2 } });
    await school.skill('adder', adder('2'));
    expect(await call()).toMatchObject({ error: { code: 'approval_required' } });
  });

  test('a broken edit costs nothing: the last good version goes on, and its mend is taken', async () => {
    const school = await open({ before: ({ skill }) => skill('adder', adder('1')), more: { watch: false } });
    const client = await school.client();
    await school.skill('adder', { 'SKILL.md': 'no front matter' });
    const sum = await client.callTool({ name: 'add', arguments: { a: 1, b: 1 } });
    expect(sum.structuredContent).toMatchObject({ version: '1' });
    const { body } = await school.api('/api/v1/skills');
    expect(JSON.stringify(body)).toContain('stale');
    await school.skill('adder', adder('3'));
    const mended = await client.callTool({ name: 'add', arguments: { a: 1, b: 1 } });
    expect(mended.structuredContent).toMatchObject({ version: '3' });
  });

  test('a manifest that cannot be read for a while takes no tools away', async () => {
    const school = await open({ before: ({ skill }) => skill('adder', adder('1')), more: { watch: false } });
    const client = await school.client();
    await school.skill('adder', { 'tool-manifest.yaml': 'tools: [ {' });
    const sum = await client.callTool({ name: 'add', arguments: { a: 1, b: 1 } });
    expect(sum.structuredContent).toMatchObject({ version: '1' });
    expect(await names(client)).toContain('add');
    await school.skill('adder', adder('2'));
    const mended = await client.callTool({ name: 'add', arguments: { a: 1, b: 1 } });
    expect(mended.structuredContent).toMatchObject({ version: '2' });
  });

  test('secrets go where they were meant to, and nowhere else', async () => {
    const school = await open({
      env: {},
      before: async ({ skill, service, folder }) => {
        await writeFile(join(folder, 'token.txt'), 'school-token-4711');
        await skill('keyed', {
          'SKILL.md': frontMatter('keyed'),
          'tool-manifest.yaml': manifest([
            {
              name: 'with_key',
              description: 'Shows what it was sent.',
              executor: {
                type: 'http',
                method: 'GET',
                url: `${service.url}/keyed`,
                headers_template: { authorization: 'Bearer {{secrets.token}}' },
              },
            },
            {
              name: 'shell_key',
              description: 'Tells the length of its key.',
              env: { SCHOOL_TOKEN: '{{secrets.token}}' },
              script: 's.mjs',
            },
          ]),
          's.mjs': 'console.log(JSON.stringify({ length: process.env.SCHOOL_TOKEN.length }))',
        });
      },
      more: {},
    });
    const client = await school.client();
    const refused = await client.callTool({ name: 'with_key', arguments: {} });
    expect(JSON.stringify(refused)).toContain('credentials_missing');
    const { configuration } = school.gateway;
    await school.gateway.reconfigure({
      ...configuration,
      sources: {
        ...configuration.sources,
        teaching: {
          ...configuration.sources['teaching']!,
          settings: {
            ...(configuration.sources['teaching']!.settings as object),
            secrets: {
              token: {
                value: { file: join(school.folder, 'token.txt') },
                skills: ['keyed'],
                origins: [new URL(school.service.url).origin],
              },
            },
          },
        },
      },
    });
    await client.callTool({ name: 'with_key', arguments: {} });
    const [request] = school.service.requests.slice(-1);
    expect(request!.headers['authorization']).toBe('Bearer school-token-4711');
    const length = await client.callTool({ name: 'shell_key', arguments: {} });
    expect(length.structuredContent).toEqual({ length: 'school-token-4711'.length });
    expect(JSON.stringify(await eventsOf(school))).not.toContain('4711');
  });
});

function skillForm(archive: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('file', new Blob([archive]), 'adder.tgz');
  return form;
}

async function zipped(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  const { create } = await import('tar');
  const chunks: Buffer[] = [];
  for await (const chunk of create({ gzip: true, cwd: join(folder, '..'), portable: true }, ['adder']))
    chunks.push(chunk as Buffer);
  return new Uint8Array(Buffer.concat(chunks));
}
