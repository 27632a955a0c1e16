import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, Server } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import {
  handleSkills,
  type McpSkill,
  type McpSkills,
  SKILLS_CAPABILITY,
} from '../../../src/server/mcp/skills-extension.ts';

const digest = `sha256:${'a'.repeat(64)}`;

function skill(name: string, paths: readonly string[] = ['SKILL.md'], more: object = {}): McpSkill {
  const root = `skill://${name}`;
  return {
    uri: `${root}/SKILL.md`,
    frontmatter: { name, description: `Does ${name}.`, ...more },
    files: paths.map((path) => ({ uri: `${root}/${path}`, digest, size: 3, mimeType: 'text/plain' })),
  };
}

const loose = {
  '~standard': {
    version: 1 as const,
    vendor: 'test',
    validate: (value: unknown) => ({ value: value as Record<string, unknown> }),
  },
};
const principal = { id: 'ada' } as never;
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function clientOf(known: () => readonly McpSkill[], era: 'legacy' | 'modern' = 'modern') {
  const seen: unknown[] = [];
  const skills: McpSkills = {
    list(who) {
      seen.push(who);
      return known();
    },
    get: (uri) => known().find((one) => one.uri === uri),
  };
  const server = new Server(
    { name: 'skills', version: '1' },
    { capabilities: { resources: {}, extensions: SKILLS_CAPABILITY } },
  );
  handleSkills(server, skills, principal, era);
  const client = new Client({ name: 'test', version: '1' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  open.push(client, server);
  const ask = (method: string, params: Record<string, unknown> = {}) =>
    client.request({ method, params } as never, loose as never) as Promise<never>;
  return { client, ask, seen };
}

describe('the skills extension', () => {
  it('is announced with its capability', async () => {
    const { client } = await clientOf(() => []);
    expect(client.getServerCapabilities()?.extensions).toEqual({
      'io.modelcontextprotocol/skills': { directoryRead: true },
    });
  });

  it('lists skills as they are now, for the one who asks', async () => {
    let known = [skill('alpha', ['scripts/a.py', 'SKILL.md'], { licence: 'MIT', extra: [1] })];
    const { ask, seen } = await clientOf(() => known);
    expect(await ask('skills/list')).toEqual({
      skills: [
        {
          uri: 'skill://alpha/SKILL.md',
          frontmatter: { name: 'alpha', description: 'Does alpha.', licence: 'MIT', extra: [1] },
          resources: [
            { uri: 'skill://alpha/SKILL.md', digest, size: 3 },
            { uri: 'skill://alpha/scripts/a.py', digest, size: 3 },
          ],
        },
      ],
      ttlMs: 0,
      cacheScope: 'private',
    });
    known = [];
    expect(await ask('skills/list')).toMatchObject({ skills: [] });
    expect(seen).toEqual([principal, principal]);
  });

  it('says nothing about caches to older clients', async () => {
    const { ask } = await clientOf(() => [], 'legacy');
    expect(await ask('skills/list')).toEqual({ skills: [] });
  });

  it('gives pages that hold while skills come and go', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `s${String(index).padStart(3, '0')}`);
    let known = names.map((name) => skill(name));
    const { ask } = await clientOf(() => known);
    const first: { skills: { uri: string }[]; nextCursor: string } = await ask('skills/list');
    known = known.filter(({ uri }) => uri !== first.skills.at(-1)!.uri);
    const second: { skills: { uri: string }[]; nextCursor?: string } = await ask('skills/list', {
      cursor: first.nextCursor,
    });
    expect([...first.skills, ...second.skills].map(({ uri }) => uri)).toEqual(
      names.map((name) => `skill://${name}/SKILL.md`),
    );
    expect(second.nextCursor).toBeUndefined();
    await expect(ask('skills/list', { cursor: 'nonsense' })).rejects.toMatchObject({ code: -32602 });
  });

  it('gives one skill by the address of its SKILL.md', async () => {
    const { ask } = await clientOf(() => [skill('alpha')]);
    expect(await ask('skills/get', { uri: 'skill://alpha/SKILL.md' })).toMatchObject({
      skill: { uri: 'skill://alpha/SKILL.md', frontmatter: { name: 'alpha' } },
    });
    await expect(ask('skills/get', { uri: 'skill://beta/SKILL.md' })).rejects.toMatchObject({ code: -32602 });
    await expect(ask('skills/get')).rejects.toMatchObject({ code: -32602 });
  });

  it('leaves out what breaks the rules of the extension', async () => {
    const broken = [
      skill('Not_A_Name'),
      skill('long', undefined, { description: 'x'.repeat(1025) }),
      skill('loose', undefined, { metadata: { a: 1 } }),
      skill('empty', []),
      skill('reserved', undefined, { metadata: { 'io.modelcontextprotocol/x': 'y' } }),
      skill('many', ['SKILL.md', ...Array.from({ length: 512 }, (_, index) => `f${index}`)]),
      { ...skill('alpha'), uri: 'skill://other/SKILL.md' },
    ];
    const { ask } = await clientOf(() => [
      ...broken,
      skill('good', undefined, { description: '🙂'.repeat(1024) }),
    ]);
    const { skills }: { skills: { uri: string }[] } = await ask('skills/list');
    expect(skills.map(({ uri }) => uri)).toEqual(['skill://good/SKILL.md']);
    await expect(ask('skills/get', { uri: 'skill://long/SKILL.md' })).rejects.toMatchObject({ code: -32602 });
  });

  it('reads folders of a skill', async () => {
    const paths = ['SKILL.md', 'scripts/a.py', 'scripts/lib/b.py', 'references/a%20b.md'];
    const { ask } = await clientOf(() => [skill('alpha', paths), skill('alphabet', ['SKILL.md', 'x.md'])]);
    const names = async (uri: string) => {
      const { resources }: { resources: { name: string; mimeType: string }[] } = await ask(
        'resources/directory/read',
        { uri },
      );
      return resources.map(({ name, mimeType }) => `${name} ${mimeType}`);
    };
    expect(await names('skill://alpha')).toEqual([
      'SKILL.md text/plain',
      'references inode/directory',
      'scripts inode/directory',
    ]);
    expect(await names('skill://alpha/scripts/')).toEqual(['a.py text/plain', 'lib inode/directory']);
    expect(await names('skill://alpha/references')).toEqual(['a b.md text/plain']);
    for (const uri of [
      'skill://alpha/SKILL.md',
      'skill://alph',
      'skill://',
      'skill://alpha/nothing',
      'skill://alpha/..',
    ])
      await expect(ask('resources/directory/read', { uri })).rejects.toMatchObject({ code: -32602 });
  });
});
