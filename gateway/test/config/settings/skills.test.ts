import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';
import { DEFAULT_SKILL_ROOTS, skillsOf } from '../../../src/config/settings/skills.ts';
import { DEFAULT_SKILL_POLICY, SKILL_LIMITS } from '../../../src/operations/index.ts';

const BASE = resolve('/srv/school');
const HOME = resolve('/home/ada');

const parse = (file: unknown, env: Record<string, string> = {}) =>
  parseConfiguration(file, { baseDirectory: BASE, env: { HOME, ...env } });
const policyOf = async (file: unknown, env?: Record<string, string>) =>
  (await parse(file, env)).policy.skills;
const settingsOf = async (skills: unknown) => {
  const { sources } = await parse({ sources: { teaching: { skills } } });
  return skillsOf(sources['teaching']!);
};

describe('policy.skills', () => {
  it('has defaults that ask for what is risky', async () => {
    expect(await policyOf({})).toEqual(DEFAULT_SKILL_POLICY);
    expect(DEFAULT_SKILL_POLICY).toEqual({
      enabled: true,
      mode: 'balanced',
      visible: 'all',
      defaults: {},
      permitted: {},
      programs: [],
      degradeAfter: 3,
      coolDownMs: 30_000,
      maxCoolDownMs: 300_000,
    });
  });

  it('is for teachers and the selected skill in production, unless it says otherwise', async () => {
    expect(await policyOf({ environment: 'production' })).toEqual({
      ...DEFAULT_SKILL_POLICY,
      visible: 'selected',
      roles: ['teacher'],
    });
    const said = { roles: ['tutor'], visible: 'all' };
    expect(await policyOf({ environment: 'production', policy: { skills: said } })).toMatchObject(said);
    expect(await policyOf({ environment: 'production', policy: { skills: { roles: [] } } })).toMatchObject({
      roles: [],
    });
    expect(await policyOf({ environment: 'development' })).toEqual(DEFAULT_SKILL_POLICY);
    await expect(parse({ environment: 'test' })).rejects.toMatchObject({ code: 'configuration_invalid' });
  });

  it.each<[flag: string, on: boolean]>([
    ['0', false],
    ['false', false],
    ['FALSE', false],
    [' False ', false],
    ['1', true],
    ['true', true],
    ['', true],
    ['no', true],
  ])('reads DYNAMIC_SKILL_TOOLS_ENABLED=%j as %s', async (flag, on) => {
    expect(await policyOf({}, { DYNAMIC_SKILL_TOOLS_ENABLED: flag })).toMatchObject({ enabled: on });
    const skills = { enabled: !on };
    const env = { DYNAMIC_SKILL_TOOLS_ENABLED: flag };
    expect(await policyOf({ policy: { skills } }, env)).toMatchObject({ enabled: !on });
  });

  it.each<[coolDown: string | number, ms: number]>([
    ['45s', 45_000],
    ['2m', 120_000],
    ['500ms', 500],
    [1500, 1500],
  ])('takes a pause of %j', async (coolDown, coolDownMs) => {
    expect(await policyOf({ policy: { skills: { coolDown } } })).toEqual({
      ...DEFAULT_SKILL_POLICY,
      coolDownMs,
    });
  });

  it('takes over everything else as it stands', async () => {
    const said = {
      mode: 'strict',
      visible: 'selected',
      defaults: { teacher: 'grade-quiz' },
      permitted: { student: ['practice-*'] },
      programs: ['pandoc'],
      degradeAfter: 5,
    };
    expect(await policyOf({ policy: { skills: said } })).toEqual({ ...DEFAULT_SKILL_POLICY, ...said });
  });

  it.each([
    { moode: 'strict' },
    { mode: 'lax' },
    { visible: 'some' },
    { roles: 'teacher' },
    { permitted: { student: 'practice' } },
    { degradeAfter: 0 },
    { degradeAfter: 101 },
    { coolDown: 'soon' },
    { coolDown: -1 },
    { maxCoolDownMs: 5 },
  ])('refuses %j', async (skills) => {
    await expect(parse({ policy: { skills } })).rejects.toMatchObject({ code: 'configuration_invalid' });
  });

  it('names the key that was probably meant', async () => {
    await expect(parse({ policy: { skills: { moode: 'strict' } } })).rejects.toThrow(/moode.*mode/s);
  });
});

describe('a source of skills', () => {
  const defaults = [join(BASE, 'teacher_skills'), join(BASE, 'skills'), join(HOME, '.claude', 'skills')];

  it('looks where the seed says, lowest precedence first', async () => {
    expect(DEFAULT_SKILL_ROOTS).toEqual(['teacher_skills', 'skills', '~/.claude/skills']);
    expect(await settingsOf({})).toEqual({ roots: defaults, secrets: {} });
  });

  it.each<[how: string, skills: unknown, roots: readonly string[]]>([
    ['one folder', './packages', [join(BASE, 'packages')]],
    ['a list', ['a', '~/b', resolve('/c')], [join(BASE, 'a'), join(HOME, 'b'), resolve('/c')]],
    ['an object', { roots: ['a'] }, [join(BASE, 'a')]],
    ['the same folder twice', ['a', './a/', 'b'], [join(BASE, 'a'), join(BASE, 'b')]],
    ['an object without folders', { secrets: {} }, defaults],
  ])('takes %s', async (_, skills, roots) => {
    expect((await settingsOf(skills))?.roots).toEqual(roots);
  });

  it('has no prefix of its own, and is no other kind', async () => {
    const { sources } = await parse({
      sources: { teaching: { skills: './s' }, pets: { openapi: './p.yaml' } },
    });
    expect(sources['teaching']).toMatchObject({ kind: 'skills', prefix: 'none' });
    expect(skillsOf(sources['pets']!)).toBeUndefined();
  });

  it('keeps secrets by reference, files absolute and origins alone', async () => {
    const value = { file: 'key.txt' };
    const origins = ['https://school.example/api/v2?x=1', 'http://127.0.0.1:8080/'];
    const secrets = {
      KEY: { value, skills: ['grade-quiz'], origins },
      OTHER: { value: { env: 'X' }, skills: ['*'] },
    };
    expect((await settingsOf({ secrets }))?.secrets).toEqual({
      KEY: {
        value: { file: join(BASE, 'key.txt') },
        skills: ['grade-quiz'],
        origins: ['https://school.example', 'http://127.0.0.1:8080'],
      },
      OTHER: { value: { env: 'X' }, skills: ['*'] },
    });
  });

  it.each([
    [''],
    [[]],
    [[1]],
    [{ roots: [] }],
    [{ root: ['a'] }],
    [{ secrets: { '1x': { value: 'v', skills: ['*'] } } }],
    [{ secrets: { KEY: { value: 'v' } } }],
    [{ secrets: { KEY: { value: 'v', skills: [] } } }],
    [{ secrets: { KEY: { value: 'v', skills: ['*'], origins: ['ftp://x'] } } }],
  ])('refuses %j', async (skills) => {
    await expect(settingsOf(skills)).rejects.toMatchObject({ code: 'configuration_invalid' });
  });
});

it('bounds what manifests may ask for', () => {
  expect(SKILL_LIMITS).toEqual({
    timeoutMs: 20_000,
    maxTimeoutMs: 600_000,
    attempts: 3,
    maxAttempts: 6,
    backoffMs: 300,
    maxBackoffMs: 5_000,
    outputCharacters: 60_000,
    httpBytes: 2_097_152,
  });
});
