import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type AttackedSchool, attackedSchool, STUDENT, skillText } from './attacked-school.ts';

const skill = (name: string) => ({
  'SKILL.md': skillText(name),
  'tool-manifest.yaml': `tools: [{ name: of_${name}, title: ${name}.tool, access: read, entry: run.sh }]\n`,
  'run.sh': 'echo\n',
});
const BOTH = { exams: skill('exams'), practice: skill('practice') };

let school: AttackedSchool | undefined;
afterEach(() => school?.close());

test('where all are visible, a role has the tools of those that it may ask for, and no others', async () => {
  school = await attackedSchool(BOTH, { permitted: { student: ['practice'] } });
  expect(school.names(STUDENT)).toEqual(['list_students', 'of_practice', 'use_skill']);
  expect(school.names()).toEqual(['list_students', 'of_exams', 'of_practice', 'use_skill']);
  for (const tool of ['of_exams', 'exams.tool', 'of.exams']) {
    expect(await school.gateway.call({ tool, principal: STUDENT })).toMatchObject({
      error: { code: 'skill_forbidden' },
    });
  }
  for (const topology of ['search', 'base', 'hybrid']) {
    const client = { topology };
    const call = school.names(STUDENT, client).find((name) => /^call_/.test(name))!;
    const key = topology === 'search' ? 'name' : 'operation';
    const request = { tool: call, arguments: { [key]: 'exams/of_exams' }, principal: STUDENT, client };
    expect(await school.gateway.call(request)).toMatchObject({ error: { code: 'operation_unknown' } });
  }
});

test('use_skill lists, reads and selects none that the caller may not ask for', async () => {
  school = await attackedSchool(BOTH, { permitted: { student: ['practice'] } });
  const { gateway } = school;
  const use = (args: Record<string, string>) =>
    gateway.call({ tool: 'use_skill', arguments: args, principal: STUDENT });
  expect(await use({})).toMatchObject({ structured: { skills: [{ name: 'practice' }] } });
  const { tool } = gateway.view(STUDENT).tools.find(({ name }) => name === 'use_skill')!;
  expect(tool.description).not.toContain('exams');
  for (const args of [{ skill: 'exams' }, { skill: 'exams', path: 'SKILL.md' }])
    expect(await use(args)).toMatchObject({ error: { code: 'skill_unknown' } });
  expect(school.names(STUDENT, { skill: 'exams' })).not.toContain('of_exams');
});

test('while nothing is selected, tools stay hidden also where their folder has gone', async () => {
  school = await attackedSchool(BOTH, { visible: 'selected' });
  await rename(join(school.folder, 'skills'), join(school.folder, 'away'));
  expect(await school.gateway.call({ tool: 'of_exams' }).catch((error: unknown) => error)).toMatchObject(
    expect.not.objectContaining({ structured: expect.anything() }),
  );
  expect(school.names()).not.toContain('of_exams');
});
