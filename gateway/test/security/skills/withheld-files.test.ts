import { afterEach, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../src/operations/index.ts';
import { READABLE_BYTES } from '../../../src/sources/skill/limits.ts';
import { type AttackedSchool, attackedSchool, skillText } from './attacked-school.ts';

let school: AttackedSchool | undefined;
afterEach(() => school?.close());

test('a file that would fill the memory, asked for often enough, is no resource and is not read', async () => {
  const files = {
    'SKILL.md': skillText('large'),
    'all.txt': 'x'.repeat(READABLE_BYTES + 1),
    'some.txt': 'x',
  };
  school = await attackedSchool({ large: files });
  const { gateway } = school;
  const addresses = gateway.view().resources.map(({ uri }) => uri);
  expect(addresses).toEqual(['skill://large/SKILL.md', 'skill://large/some.txt']);
  await expect(gateway.readResource('skill://large/all.txt', {})).rejects.toMatchObject({
    code: 'resource_unknown',
  });
  const used = await gateway.call({ tool: 'use_skill', arguments: { skill: 'large', path: 'all.txt' } });
  expect(used).toMatchObject({ error: { code: 'resource_unknown' } });
});

test('a file whose name begins with a dot may hold the keys of its scripts: no client is given it', async () => {
  const files = {
    'SKILL.md': skillText('keyed'),
    '.env': 'KEY=k-123',
    'scripts/.netrc': 'k-123',
    'a.txt': 'x',
  };
  school = await attackedSchool({ keyed: files });
  const { gateway } = school;
  const used = (path?: string) =>
    gateway.call({ tool: 'use_skill', arguments: { skill: 'keyed', ...(path && { path }) } });
  for (const path of ['.env', 'scripts/.netrc']) {
    const refused = { code: 'resource_unknown', message: expect.stringContaining('begins with a dot') };
    await expect(gateway.readResource(`skill://keyed/${path}`, {})).rejects.toMatchObject(refused);
    expect(await used(path)).toMatchObject({ error: { code: 'resource_unknown' } });
  }
  const listed = [gateway.view().resources, await used(), await gateway.skillEntries!.list(LOCAL_PRINCIPAL)];
  expect(JSON.stringify(listed)).not.toMatch(/\.env|netrc/);
  expect(JSON.stringify(listed)).toContain('a.txt');
});
