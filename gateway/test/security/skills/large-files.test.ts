import { afterEach, expect, test } from 'vitest';
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
