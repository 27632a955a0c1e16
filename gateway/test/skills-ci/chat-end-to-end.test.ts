import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseConfiguration } from '../../src/config/index.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';
import type { ChatEvent } from '../../src/operations/chat.ts';
import { type Event, LOCAL_PRINCIPAL, type Principal } from '../../src/operations/index.ts';
import { removeTree } from '../../src/skills/frozen/remove-tree.ts';
import { type LoopbackService, startLoopbackService } from '../doubles/loopback-service.ts';
import { type ModelDouble, startModel } from '../doubles/model/model.ts';
import { LIST_STUDENTS } from './support/school.ts';

/** Seed 004 §9.3 over the whole gateway: only the model is played. */
const TEACHER: Principal = { ...LOCAL_PRINCIPAL, roles: ['teacher'] };
const STUDENT: Principal = { ...LOCAL_PRINCIPAL, roles: ['student'] };

const SKILL = `---
name: essays
description: Grades essays by a rubric. Use it when somebody asks for a grade.
---
# Essays
Fetch the rubric before you grade.
`;

const manifest = (rubric: string, entry = 'scripts/grade.mjs') => `version: 1
runtime:
  default_timeout_sec: 20
  default_retry: { max_attempts: 2, backoff_ms: 1 }
tools:
  - name: grade_essay
    description: Grades one essay.
    parameters:
      type: object
      required: [title]
      properties: { title: { type: string } }
    executor: { type: script, script: ${entry}, args_template: ['{{args.title}}'] }
  - name: fetch_rubric
    description: Fetches the rubric of a class.
    access: read
    input_schema:
      type: object
      properties: { class: { type: string } }
    executor: { type: http, method: GET, endpoint: '${rubric}/rubrics/{{args.class|default:9b}}' }
  - name: broken_grader
    description: Never works.
    idempotent: true
    executor: { type: script, entry: scripts/broken.mjs }
`;

let folder = '';
let model: ModelDouble;
let rubrics: LoopbackService;
const open: Gateway[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-chat-'));
  model = await startModel();
  rubrics = await startLoopbackService('', ({ path }) => ({ status: 200, body: { rubric: path } }));
  await writeSkill(manifest(rubrics.url));
});
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
  await model.close();
  await rubrics.close();
  await removeTree(folder);
});

async function writeSkill(text: string): Promise<void> {
  const place = join(folder, 'teacher_skills', 'essays');
  await mkdir(join(place, 'scripts'), { recursive: true });
  await writeFile(join(place, 'SKILL.md'), SKILL);
  await writeFile(
    join(place, 'scripts', 'grade.mjs'),
    `console.log(JSON.stringify({ ok: true, data: { title: process.argv[2], grade: 'B+' } }));\n`,
  );
  await writeFile(join(place, 'scripts', 'broken.mjs'), `console.error('out of ink');\nprocess.exit(3);\n`);
  await writeFile(join(place, 'tool-manifest.yaml'), text);
}

async function start(): Promise<Gateway> {
  const configuration = await parseConfiguration(
    {
      environment: 'production',
      sources: { teaching: { skills: join(folder, 'teacher_skills') } },
      policy: { skills: { mode: 'permissive', permitted: { teacher: ['essays'], student: [] } } },
      egress: { allow: [new URL(rubrics.url).origin] },
      chat: { baseUrl: model.url, model: 'scripted' },
      stateDirectory: join(folder, 'state'),
      watch: false,
    },
    { env: process.env, baseDirectory: folder },
  );
  const gateway = await createGateway(configuration, {
    functions: {
      school: {
        tools: [LIST_STUDENTS],
      },
    },
  });
  open.push(gateway);
  return gateway;
}

async function ask(gateway: Gateway, principal: Principal = TEACHER): Promise<ChatEvent[]> {
  const chat = await gateway.chat();
  const events: ChatEvent[] = [];
  const request = {
    messages: [{ role: 'user' as const, content: 'Grade it.' }],
    skill_id: 'essays',
    principal,
    signal: new AbortController().signal,
  };
  for await (const event of chat.run(request)) events.push(event);
  return events;
}

const results = (events: readonly ChatEvent[]) =>
  events
    .filter((event) => event.type === 'tool.result')
    // reads run together, and may end in any order
    .sort((one, other) => (one.id < other.id ? -1 : 1));
const offered = () => model.questions.at(-1)!.body.tools?.map(({ function: { name } }) => name) ?? [];
const told = () => model.questions.at(-1)!.body.messages.at(-1)!.content!;

describe('teacher session with imported dynamic skill', () => {
  test('dynamic script tool called successfully', async () => {
    const gateway = await start();
    model.say(
      { calls: [{ name: 'grade_essay', arguments: { title: '$(id); "Spring" 🌱' } }] },
      { text: 'B+.' },
    );
    const events = await ask(gateway);
    expect(events[0]).toMatchObject({ skill: 'essays', tools: { static: expect.any(Number), dynamic: 3 } });
    expect(results(events)).toMatchObject([{ name: 'grade_essay', status: 'ok', dynamic: true }]);
    expect(told()).toContain('$(id);');
    expect(told()).toContain('B+');
    expect(model.questions[0]!.body.messages[0]!.content).toContain('Fetch the rubric before you grade.');
    expect(events.at(-1)).toMatchObject({ type: 'done', text: 'B+.' });
  });

  test('dynamic http tool called successfully, and a static tool beside it', async () => {
    const gateway = await start();
    model.say(
      { calls: [{ name: 'fetch_rubric', arguments: { class: '9 c/?#&x' } }, { name: 'list_students' }] },
      { text: 'Both.' },
    );
    const events = await ask(gateway);
    expect(results(events)).toMatchObject([
      { name: 'fetch_rubric', status: 'ok', dynamic: true },
      { name: 'list_students', status: 'ok', dynamic: false },
    ]);
    expect(rubrics.requests.map(({ path }) => path)).toEqual(['/rubrics/9%20c%2F%3F%23%26x']);
    expect(told()).toContain('Ada');
  });

  test('forced failure retries then degrades to static path', async () => {
    const gateway = await start();
    const seen: Event[] = [];
    gateway.onEvent((event) => seen.push(event));
    model.say(
      { calls: [{ name: 'broken_grader' }] },
      { calls: [{ name: 'list_students' }] },
      { text: 'Only the list.' },
    );
    const events = await ask(gateway);
    expect(results(events)).toMatchObject([
      { name: 'broken_grader', error_code: 'dynamic_tool_failed_after_retries', degraded: true },
      { name: 'list_students', status: 'ok' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'done', text: 'Only the list.' });
    const ours = seen.filter((event) => 'tool_name' in event && event.tool_name === 'broken_grader');
    expect(ours.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'dynamic_tool.call',
        'dynamic_tool.retry',
        'dynamic_tool.failed',
        'dynamic_tool.degraded',
      ]),
    );
  });

  test('a changed manifest counts at the next request', async () => {
    const gateway = await start();
    model.say({ text: 'one' });
    await ask(gateway);
    expect(offered()).toContain('broken_grader');
    await writeSkill(manifest(rubrics.url).replace('name: broken_grader', 'name: second_grader'));
    model.say({ text: 'two' });
    await ask(gateway);
    expect(offered()).toContain('second_grader');
    expect(offered()).not.toContain('broken_grader');
  });

  test('a student has static tools only', async () => {
    const gateway = await start();
    model.say({ calls: [{ name: 'grade_essay', arguments: { title: 'x' } }] }, { text: 'I cannot.' });
    const events = await ask(gateway, STUDENT);
    expect(events[0]).toMatchObject({ tools: { dynamic: 0 } });
    expect(events[0]).not.toHaveProperty('skill');
    expect(results(events)).toMatchObject([{ name: 'grade_essay', error_code: 'tool_unknown' }]);
  });

  test('over HTTP, as one answer', async () => {
    const gateway = await start();
    model.say({ calls: [{ name: 'list_students' }] }, { text: 'Ada.' });
    const response = await gateway.fetch(
      new Request('http://127.0.0.1/api/v1/chat', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'Who?' }], stream: false }),
      }),
    );
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { message: { content: 'Ada.' }, calls: [{ name: 'list_students', status: 'ok' }] },
    ]);
  });
});
