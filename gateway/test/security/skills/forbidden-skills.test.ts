import { afterEach, expect, test } from 'vitest';
import { createSkillSelections } from '../../../src/assembly/skills/skill-selection.ts';
import { buildCatalog } from '../../../src/catalog/build.ts';
import { parseConfiguration } from '../../../src/config/index.ts';
import type { ScriptInvocation } from '../../../src/operations/index.ts';
import { localGrants } from '../../../src/policy/local-grants.ts';
import { catalogPart, compiledSource, plainOperation } from '../../catalog/compiled-source.ts';
import { type AttackedSchool, attackedSchool, STUDENT, skillText } from './attacked-school.ts';

const skill = (name: string) => ({
  'SKILL.md': skillText(name),
  'tool-manifest.yaml': `tools: [{ name: of_${name}, title: ${name}.tool, access: read, entry: run.sh }]\n`,
  'run.sh': 'echo\n',
});
const BOTH = { exams: skill('exams'), practice: skill('practice') };

const SCRIPT: ScriptInvocation = {
  kind: 'script',
  skill: 'exams',
  version: `sha256:${'0'.repeat(64)}`,
  retry: { maxAttempts: 1, backoffMs: 0 },
  timeoutMs: 1000,
  network: false,
  entry: 'run.sh',
  interpreter: 'sh',
};

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

test('while the skills of a source are not known, those of its tools that are still listed stay hidden', async () => {
  const configuration = await parseConfiguration(
    { sources: { strangers: { skills: 'skills' } }, policy: { skills: { visible: 'selected' } } },
    { env: {}, baseDirectory: '/nowhere' },
  );
  const selections = createSkillSelections({
    configuration: () => configuration,
    grants: { known: (principal) => localGrants(principal, {}) },
    skills: () => [],
    read: () => Promise.reject(new Error('nothing is read')),
    chosen: { chosenSkill: () => undefined, chooseSkill: async () => undefined },
  });
  const operation = { ...plainOperation('exams/of_exams', 'strangers'), invocation: SCRIPT };
  const [entry] = buildCatalog([catalogPart(compiledSource('strangers', [operation]))], 'test').entries;
  expect(entry!.facts.skill).toBe('exams');
  expect(selections.refuse(entry!, { tool: entry!.name })).toMatchObject({ code: 'skill_forbidden' });
});

test('a skill that is for people alone is a prompt, and nothing that a model may begin', async () => {
  const release = skillText('release').replace('name:', 'disable-model-invocation: true\nname:');
  school = await attackedSchool({ release: { 'SKILL.md': release }, practice: skill('practice') });
  const { gateway } = school;
  const use = (args: Record<string, string>) => gateway.call({ tool: 'use_skill', arguments: args });
  expect(await use({})).toMatchObject({ structured: { skills: [{ name: 'practice' }] } });
  const { tool } = gateway.view().tools.find(({ name }) => name === 'use_skill')!;
  expect(tool.description).not.toContain('release');
  for (const args of [{ skill: 'release' }, { skill: 'release', path: 'SKILL.md' }])
    expect(await use(args)).toMatchObject({
      error: { code: 'skill_forbidden', message: expect.stringContaining('disable-model-invocation') },
    });
  expect(JSON.stringify(await gateway.getPrompt('release', {}, {}))).toContain('Steps.');
});

test('where every skill is for people alone, a model has no use_skill', async () => {
  const release = skillText('release').replace('name:', 'disable-model-invocation: true\nname:');
  school = await attackedSchool({ release: { 'SKILL.md': release } });
  expect(school.names()).toEqual(['list_students']);
  expect(school.gateway.view().prompts).toMatchObject([{ name: 'release' }]);
});
