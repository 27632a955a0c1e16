import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Principal } from '../../../src/operations/index.ts';
import { teamGateway } from './team-gateway.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolcrib-permitted-'));
  for (const name of ['practice-a', 'solutions']) {
    await mkdir(join(root, name));
    await writeFile(
      join(root, name, 'SKILL.md'),
      `---\nname: ${name}\ndescription: D.\n---\nText of ${name}\n`,
    );
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** What a user with this role is given of the two skills. */
async function givenTo(role: string) {
  await using team = await teamGateway({
    sources: { learning: { skills: [root] } },
    policy: {
      defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
      skills: { permitted: { student: ['practice-*'] } },
    },
  });
  await team.admin('PUT', `/api/v1/roles/${role}`, { permissions: [] });
  const { id, key, call } = await team.user('Bob', { roles: [role] });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', team.url), { requestInit }));
  const code = (error: { data?: { code?: string } }) => error.data?.code;
  const uri = 'skill://solutions/SKILL.md';
  const given = {
    resources: (await client.listResources()).resources.map((one) => one.uri),
    prompts: (await client.listPrompts()).prompts.map(({ name }) => name),
    read: await client.readResource({ uri }).then(() => 'read', code),
    prompt: await client.getPrompt({ name: 'solutions' }).then(() => 'read', code),
    own: await client.getPrompt({ name: 'practice-a' }).then(() => 'read', code),
    used: (await client.callTool({ name: 'use_skill', arguments: { skill: 'solutions' } })).isError === true,
    named: (await call('GET', '/api/v1/skills'))[1].skills.map((one: { id: string }) => one.id),
    looked: (await call('GET', '/api/v1/skills/solutions'))[0],
    entries: (await team.gateway.skillEntries!.list(bob(id, team.organisation.id))).map((one) => one.uri),
  };
  await client.close();
  return given;
}

function bob(id: string, organisation: string): Principal {
  return { id, kind: 'user', organisation, maxAccess: 'delete', roles: [] };
}

test('a skill that no role of the caller may ask for is as if it were not there, its texts too', async () => {
  const uris = ['skill://practice-a/SKILL.md'];
  expect(await givenTo('student')).toEqual({
    resources: uris,
    prompts: ['practice-a'],
    read: 'resource_unknown',
    prompt: 'prompt_unknown',
    own: 'read',
    used: true,
    named: ['practice-a'],
    looked: 404,
    entries: uris,
  });
});

test('a role that is not named reads all', async () => {
  const uris = ['skill://practice-a/SKILL.md', 'skill://solutions/SKILL.md'];
  expect(await givenTo('teacher')).toEqual({
    resources: uris,
    prompts: ['practice-a', 'solutions'],
    read: 'read',
    prompt: 'read',
    own: 'read',
    used: false,
    named: ['practice-a', 'solutions'],
    looked: 200,
    entries: uris,
  });
});
