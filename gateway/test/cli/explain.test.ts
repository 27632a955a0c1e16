import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '../../src/cli/commands/explain.ts';
import { LOCAL_PRINCIPAL } from '../../src/operations/index.ts';
import { createDirectory, type Directory } from '../../src/principals/index.ts';
import { removeTree } from '../../src/skills/frozen/remove-tree.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'http://127.0.0.1:9' }],
  paths: {
    '/pets': {
      get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } },
      post: { operationId: 'addPet', responses: { 200: { description: 'ok' } } },
    },
    '/pets/{id}': {
      delete: {
        operationId: 'removePet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 204: { description: 'gone' } },
      },
    },
  },
};

let folder: string;
let store: Store;
let directory: Directory;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-explain-'));
  await writeFile(join(folder, 'pets.json'), JSON.stringify(DOCUMENT));
  await writeFile(
    join(folder, 'toolcrib.yaml'),
    'store: sqlite:./team.db\nauth: { mode: team }\nsources: { pets: { openapi: pets.json, prefix: none } }\n',
  );
  await writeFile(
    join(folder, 'local.yaml'),
    'store: none\nsources: { pets: { openapi: pets.json, prefix: none } }\n',
  );
  await mkdir(join(folder, 'skills', 'counter'), { recursive: true });
  await writeFile(
    join(folder, 'skills', 'counter', 'SKILL.md'),
    '---\nname: counter\ndescription: Counts words.\n---\n',
  );
  await writeFile(
    join(folder, 'skills', 'counter', 'tool-manifest.yaml'),
    `tools:
  - name: count_words
    description: Counts words.
    executor: { type: script, entry: scripts/missing.sh }
`,
  );
  await writeFile(join(folder, 'skills.yaml'), 'store: none\nsources: { teaching: { skills: [skills] } }\n');
  store = await openStore(`sqlite:${join(folder, 'team.db')}`);
  directory = createDirectory({
    store,
    defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-only' } },
    sources: () => ({}),
  });
  await directory.organisations.create(LOCAL_PRINCIPAL, { id: 'acme', name: 'Acme' });
  await directory.users.create(LOCAL_PRINCIPAL, { id: 'ben', organisation: 'acme', name: 'Ben' });
});
afterAll(async () => {
  await store.close();
  await removeTree(folder);
});

async function run(tool: string, options: { as?: string; json?: boolean } = {}, config = 'toolcrib.yaml') {
  const out: string[] = [];
  const exit = await explain(
    tool,
    { config, stateDir: join(folder, 'state'), ...options },
    {
      env: { HOME: folder },
      cwd: folder,
      platform: 'linux',
      live: false,
      interactive: false,
      colour: false,
      out: (line) => void out.push(line),
      note: () => undefined,
      readInput: async () => '',
      confirm: async () => false,
    },
  );
  return { exit, out: out.join('\n') };
}

describe('toolcrib explain', () => {
  it('gives every factor of the owner of the process', async () => {
    const { out } = await run('addPet', {}, 'local.yaml');
    expect(out).toMatch(/^addPet is offered to local$/m);
    expect(out).toMatch(
      /pass {2}admin-level +has read-write \(the owner of the process\), needs read-write$/m,
    );
    expect(out).not.toMatch(/FAIL/);
  });

  it('says that a person is asked before a call, and why', async () => {
    const asked = / {2}asks {2}approval +a person is asked before a call: The operation destroys data\.$/m;
    expect((await run('removePet', {}, 'local.yaml')).out).toMatch(asked);
    expect((await run('addPet', {}, 'local.yaml')).out).not.toMatch(/approval/);
    const { out } = await run('removePet', { as: 'ben' });
    expect(out).toMatch(/^removePet is not offered to ben$/m);
    expect(out).not.toMatch(/approval/);
    expect(JSON.parse((await run('removePet', { json: true }, 'local.yaml')).out)).toMatchObject({
      approval: { kind: 'asks', standing: 'arguments' },
    });
  });

  it('gives those of a user, and what would change what fails', async () => {
    const { out } = await run('addPet', { as: 'ben' });
    expect(out).toMatch(/^addPet is not offered to ben$/m);
    expect(out).toMatch(/pass {2}admin-level +has read-write \(category:\*\)/);
    expect(out).toMatch(
      /FAIL {2}user-level +has read-only \(category:\*\), needs read-write\n +The user chooses the level of category api or source pets\.$/m,
    );
    expect((await run('listPets', { as: 'ben' })).out).toMatch(/^listPets is offered to ben$/m);
  });

  it('is from fresh grants, as JSON too', async () => {
    const json = async () => JSON.parse((await run('addPet', { as: 'ben', json: true })).out);
    expect(await json()).toMatchObject({
      tool: 'addPet',
      principal: 'ben',
      visible: false,
      callable: false,
      listed: false,
      operation: { id: 'addPet', source: 'pets', access: 'write', target: 'POST /pets' },
    });
    await directory.levels.set(LOCAL_PRINCIPAL, { user: 'ben', scope: 'category:api', level: 'read-write' });
    expect(await json()).toMatchObject({ visible: true, callable: true, listed: true });
  });

  it('says of a tool of a skill that it is invalid, why, and where', async () => {
    const { out } = await run('count_words', {}, 'skills.yaml');
    expect(out).toMatch(
      /^count_words of skill counter is invalid and became no tool: .*scripts\/missing\.sh/,
    );
    expect(out).toContain(`  at: ${join(folder, 'skills', 'counter', 'tool-manifest.yaml')}:4`);
    const { exit, out: text } = await run('counter/count_words', { json: true }, 'skills.yaml');
    expect([exit, JSON.parse(text)]).toMatchObject([
      0,
      { visible: false, invalid: { name: 'count_words', skill: 'counter', source: 'teaching' } },
    ]);
    await expect(run('undefined', {}, 'skills.yaml')).rejects.toMatchObject({ code: 'tool_unknown' });
  });

  it('names of nobody, and users where there are none, are errors', async () => {
    await expect(run('addPet', { as: 'zed' })).rejects.toMatchObject({ code: 'record_unknown' });
    await expect(run('addPet', { as: 'ben' }, 'local.yaml')).rejects.toMatchObject({ code: 'usage' });
  });
});
