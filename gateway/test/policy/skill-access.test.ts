import { describe, expect, it } from 'vitest';
import { createGrants } from '../../src/assembly/access/grants.ts';
import { readableSources } from '../../src/assembly/access/readable-sources.ts';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { parseConfiguration } from '../../src/config/index.ts';
import { factsOf, LOCAL_PRINCIPAL, type SkillGate } from '../../src/operations/index.ts';
import { explain, isVisible, refuse } from '../../src/policy/explain.ts';
import { explainTool } from '../../src/policy/explain-tool.ts';
import { createStoredGrants } from '../../src/principals/index.ts';
import { httpTool, scriptTool } from '../approvals/support/skill-tools.ts';
import { onSqlite } from '../principals/sqlite.ts';
import { ADA, BEN, createTeam, SOURCES, userOf } from '../principals/team.ts';
import { grants, sourceGrant } from './grants.ts';
import { operation } from './operations.ts';

const TOOL = scriptTool('grade_quiz');
const FACTS = factsOf(TOOL);
const TEACHERS: SkillGate = { enabled: true, roles: ['teacher'] };
const under = (
  skills: SkillGate | undefined,
  roles: readonly string[] = [],
  kind: 'user' | 'local' = 'user',
) =>
  grants({
    roles,
    principal: { kind },
    sources: { teaching: sourceGrant(skills === undefined ? {} : { skills }) },
  });

describe('tools of skills', () => {
  it.each<[what: string, skills: SkillGate | undefined, roles: string[], visible: boolean]>([
    ['for everybody', { enabled: true }, [], true],
    ['for a role', TEACHERS, ['student', 'teacher'], true],
    ['without the role', TEACHERS, ['student'], false],
    ['without any role', TEACHERS, [], false],
    ['for a role of nobody', { enabled: true, roles: [] }, ['teacher'], false],
    ['with a role that only looks alike', TEACHERS, ['Teacher', 'teacher '], false],
    ['switched off', { enabled: false }, ['teacher'], false],
    ['neither on nor off', { enabled: undefined as unknown as boolean }, ['teacher'], false],
    ['switched off, with the role', { ...TEACHERS, enabled: false }, ['teacher'], false],
    ['where nothing is said of skills', undefined, ['teacher'], false],
    [
      'with roles that are no list',
      { enabled: true, roles: 'teacher' as unknown as string[] },
      ['teacher'],
      false,
    ],
  ])('%s', (_, skills, roles, visible) => {
    const given = under(skills, roles);
    for (const asked of [FACTS, TOOL, httpTool('get_grades')]) {
      expect(isVisible(asked, given)).toBe(visible);
      expect(refuse(asked, given)?.code).toBe(visible ? undefined : 'tool_forbidden');
      expect(explain(asked, given)).toMatchObject({ visible, callable: visible });
    }
  });

  it('says who would change it', () => {
    const check = (given: ReturnType<typeof under>) =>
      explain(FACTS, given).checks.find((one) => one.check === 'skill');
    expect(check(under(TEACHERS, ['student']))).toEqual({
      check: 'skill',
      value: 'on, with the roles student',
      needed: 'switched on, and the role teacher',
      passes: false,
      change:
        'An admin gives the user one of the roles, or the operator names others in policy.skills.roles.',
    });
    expect(check(under({ enabled: true, roles: ['teacher', 'tutor'] }, ['tutor']))).toMatchObject({
      needed: 'switched on, and one of the roles teacher, tutor',
      passes: true,
    });
    expect(check(under({ enabled: false }))).toMatchObject({
      value: 'switched off',
      needed: 'switched on',
      change: expect.stringContaining('DYNAMIC_SKILL_TOOLS_ENABLED'),
    });
    expect(check(under({ enabled: true }))).toMatchObject({ value: 'on, for everybody', passes: true });
    expect(refuse(TOOL, under(TEACHERS, [], 'local'))?.reason).toBe(
      'skill: needs switched on, and the role teacher, has on, with the roles none (the owner of the process holds none)',
    );
    expect(
      explainTool(
        { facts: FACTS, tool: { name: 'grade_quiz' }, load: () => TOOL },
        under(TEACHERS),
        undefined,
      ),
    ).toMatchObject({ visible: false, operation: { target: 'grade_quiz' } });
  });

  it('are no matter of other operations', () => {
    expect(explain(operation(), grants()).checks.map(({ check }) => check)).not.toContain('skill');
  });

  it('have texts for the same roles, also while they are switched off', () => {
    const readable = (skills: SkillGate, roles: string[]) =>
      readableSources(under(skills, roles))('teaching');
    expect(readable(TEACHERS, ['teacher'])).toBe(true);
    expect(readable({ enabled: false }, [])).toBe(true);
    expect(readable({ ...TEACHERS, enabled: false }, ['teacher'])).toBe(true);
    expect(readable(TEACHERS, ['student'])).toBe(false);
  });
});

describe('who has access to a source of skills', () => {
  const sources = [
    { name: 'teaching', kind: 'skills', fingerprint: '', operations: 1 },
    { name: 'pets', kind: 'openapi', fingerprint: '', operations: 1 },
  ];
  const catalog = { sources, entries: [], connection: () => undefined } as unknown as Catalog;
  const configured = (file: object, env: Record<string, string> = {}) =>
    parseConfiguration(
      { sources: { teaching: { skills: './s' }, pets: { openapi: './p.yaml' } }, ...file },
      { baseDirectory: '/x', env: { HOME: '/x', ...env } },
    );
  const granted = async (file: object, env?: Record<string, string>) => {
    const configuration = await configured(file, env);
    return createGrants({ configuration, catalog: () => catalog, users: () => undefined, env: {} });
  };

  it('is everybody at first, and nobody without the role in production', async () => {
    const open = (await granted({})).known(LOCAL_PRINCIPAL);
    expect(open.source('teaching')?.skills).toEqual({ enabled: true });
    expect(open.source('pets')).not.toHaveProperty('skills');
    expect(isVisible(FACTS, open)).toBe(true);
    const production = (await granted({ environment: 'production' })).known(LOCAL_PRINCIPAL);
    expect(production.source('teaching')?.skills).toEqual(TEACHERS);
    expect(isVisible(FACTS, production)).toBe(false);
    expect(production.stamp).not.toBe(open.stamp);
    const teacher = { ...LOCAL_PRINCIPAL, roles: ['teacher'] };
    expect(isVisible(FACTS, (await granted({ environment: 'production' })).known(teacher))).toBe(true);
  });

  it('is nobody once the environment switches them off', async () => {
    const off = await granted({}, { DYNAMIC_SKILL_TOOLS_ENABLED: '0' });
    const fresh = await off.fresh(LOCAL_PRINCIPAL);
    expect(refuse(TOOL, fresh)).toMatchObject({ reason: 'skill: needs switched on, has switched off' });
    expect(isVisible({ access: 'read', source: 'pets' }, fresh)).toBe(true);
  });

  it('follows the configuration while it runs', async () => {
    const before = await configured({});
    let current = before;
    const all = createGrants({
      configuration: before,
      skills: () => current.policy.skills,
      catalog: () => catalog,
      users: () => undefined,
      env: {},
    });
    const known = all.known(LOCAL_PRINCIPAL);
    expect(isVisible(FACTS, known)).toBe(true);
    expect(all.known(LOCAL_PRINCIPAL)).toBe(known);
    current = await configured({ policy: { skills: { enabled: false } } });
    expect(isVisible(FACTS, all.known(LOCAL_PRINCIPAL))).toBe(false);
    expect(isVisible(FACTS, await all.fresh(LOCAL_PRINCIPAL))).toBe(false);
    current = before;
    expect(isVisible(FACTS, all.known(LOCAL_PRINCIPAL))).toBe(true);
  });
});

describe('users of a team', () => {
  const { open } = onSqlite();

  it('see tools of skills by a role that they hold now', async () => {
    const { store, directory } = await createTeam(await open());
    let gate: SkillGate = TEACHERS;
    let sources = { ...SOURCES, teaching: { ...SOURCES['weather']!, skills: gate } };
    const stored = createStoredGrants({ store, sources: () => sources, tools: 'dynamic' });
    const sees = async (principal = BEN) => isVisible(FACTS, await stored.fresh(principal));
    await directory.roles.set(ADA, { name: 'teacher', permissions: [] });
    expect(await sees()).toBe(false);
    await directory.users.update(ADA, 'ben', { roles: ['teacher'] });
    expect(await sees()).toBe(true);
    expect(await sees(ADA)).toBe(false);
    // a sign-in token says the role as well
    expect(await sees(userOf('ada', 'acme', { roles: ['teacher'] }))).toBe(true);
    await directory.users.update(ADA, 'ben', { roles: [] });
    expect(await sees()).toBe(false);
    gate = { enabled: true };
    sources = { ...sources, teaching: { ...sources.teaching, skills: gate } };
    expect(await sees()).toBe(true);
  });
});
