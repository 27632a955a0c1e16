import { describe, expect, it } from 'vitest';
import { DEFAULT_SKILL_POLICY, type SkillPolicy } from '../../src/operations/index.ts';
import { createSkillSelection, effectiveSkill, visibleSkills } from '../../src/policy/effective-skill.ts';
import fc from '../properties.ts';

const policy: SkillPolicy = {
  ...DEFAULT_SKILL_POLICY,
  defaults: { teacher: 'grading', tutor: 'gone', student: 'practice-maths' },
  permitted: { student: ['practice-*'], guest: [] },
};
const SKILLS = new Set(['grading', 'practice-maths', 'practice', 'writing']);
const exists = (skill: string) => SKILLS.has(skill);
const choose = (requested: string | undefined, roles: readonly string[]) =>
  effectiveSkill(requested, roles, policy, exists);

describe('the effective skill', () => {
  it.each<[what: string, requested: string | undefined, roles: readonly string[], skill: string | undefined]>(
    [
      ['what was asked for', 'writing', ['teacher'], 'writing'],
      ['what was asked for, without a role', 'writing', [], 'writing'],
      ["the role's default where nothing was asked for", undefined, ['teacher'], 'grading'],
      ['the same for an empty request', '', ['teacher'], 'grading'],
      [
        'the default of the first role that has one that exists',
        undefined,
        ['x', 'tutor', 'student'],
        'practice-maths',
      ],
      ['roles in their order', undefined, ['student', 'teacher'], 'practice-maths'],
      ['none without a default', undefined, ['x'], undefined],
      ['none without a role', undefined, [], undefined],
      ['none where the default is gone', undefined, ['tutor'], undefined],
      ['the default where there is no such skill', 'nowhere', ['teacher'], 'grading'],
      ['none where there is neither', 'nowhere', ['x'], undefined],
      ['what a role may ask for', 'practice-maths', ['student'], 'practice-maths'],
      ['the default where a role may not ask for it', 'grading', ['student'], 'practice-maths'],
      ['the default where only a part of the name fits', 'practice', ['student'], 'practice-maths'],
      ['what one of the roles may ask for', 'grading', ['student', 'teacher'], 'grading'],
      ['none where a role may ask for nothing', 'writing', ['guest'], undefined],
      ['no inherited member for a role', undefined, ['constructor', '__proto__'], undefined],
      [
        'what is asked for with a role called like an inherited member',
        'writing',
        ['constructor'],
        'writing',
      ],
    ],
  )('is %s', (_, requested, roles, skill) => {
    const chosen = choose(requested, roles);
    expect(chosen.skill).toBe(skill);
    expect(chosen.reason).toMatch(/\.$/);
    expect(createSkillSelection(() => policy, exists)(requested, roles)).toBe(skill);
  });

  it('is no inherited member, whatever is said to exist', () => {
    expect(effectiveSkill(undefined, ['constructor'], policy, () => true).skill).toBeUndefined();
  });

  it('says why, and what became of a request', () => {
    expect(choose('writing', ['teacher'])).toEqual({ skill: 'writing', reason: 'It was asked for.' });
    expect(choose(undefined, ['teacher'])).toEqual({
      skill: 'grading',
      reason: 'It is the default of the role teacher.',
    });
    expect(choose('nowhere', ['teacher'])).toMatchObject({
      reason: expect.stringMatching(/there is no such skill. It is the default of the role teacher\.$/),
      refused: { skill: 'nowhere', code: 'skill_unknown' },
    });
    expect(choose('grading', ['student'])).toMatchObject({
      skill: 'practice-maths',
      refused: { skill: 'grading', code: 'skill_forbidden', reason: expect.stringContaining('student') },
    });
    expect(choose(undefined, [])).toEqual({
      reason: 'None was asked for, and no role of the caller has a default that exists.',
    });
  });

  it('is always one that exists, and one that was asked for or is a default', () => {
    const name = fc.constantFrom(...SKILLS, 'gone', 'nowhere', '');
    const role = fc.constantFrom('teacher', 'tutor', 'student', 'guest', 'x');
    fc.assert(
      fc.property(
        fc.option(name, { nil: undefined }),
        fc.array(role, { maxLength: 4 }),
        (requested, roles) => {
          const { skill, refused } = choose(requested, roles);
          if (skill === undefined) return;
          expect(SKILLS).toContain(skill);
          expect([requested, ...roles.map((one) => policy.defaults[one])]).toContain(skill);
          expect(refused !== undefined).toBe(
            requested !== undefined && requested !== '' && skill !== requested,
          );
        },
      ),
    );
  });
});

describe('resolveEffectiveSkill(requested, role)', () => {
  it('takes one role, several or none', () => {
    const resolve = createSkillSelection(() => policy, exists);
    expect(resolve(undefined, 'teacher')).toBe('grading');
    expect(resolve(undefined, ['x', 'teacher'])).toBe('grading');
    expect(resolve('writing')).toBe('writing');
    expect(resolve(undefined)).toBeUndefined();
  });

  it('reads the policy and the skills as they are at each call', () => {
    let current = policy;
    const skills = new Set<string>();
    const resolve = createSkillSelection(
      () => current,
      (skill) => skills.has(skill),
    );
    expect(resolve('grading', 'teacher')).toBeUndefined();
    skills.add('grading');
    expect(resolve('grading', 'teacher')).toBe('grading');
    current = { ...policy, permitted: { teacher: [] }, defaults: {} };
    expect(resolve('grading', 'teacher')).toBeUndefined();
  });

  it('is never changed by dynamic tools', () => {
    // skills as they are known, with whatever became of their tools
    const known = [
      { id: 'grading', tools: [] as string[], invalid: [] as string[], shadowed: [] as string[] },
      { id: 'writing', tools: [], invalid: [], shadowed: [] },
    ];
    const resolve = createSkillSelection(
      () => policy,
      (skill) => known.some(({ id }) => id === skill),
    );
    const requests = [undefined, 'grading', 'writing', 'practice-maths', 'grade_quiz'];
    const roles = ['teacher', 'student', 'tutor'];
    const outcomes = () => requests.flatMap((one) => roles.map((role) => resolve(one, role)));
    const before = outcomes();
    known[0]!.tools.push('grade_quiz', 'writing', 'practice-maths');
    expect(outcomes()).toEqual(before);
    known[1]!.tools.push('draft');
    known[0]!.invalid.push('grade_quiz');
    known[0]!.shadowed.push('writing');
    expect(outcomes()).toEqual(before);
    known[0]!.tools.length = 0;
    expect(outcomes()).toEqual(before);
  });
});

describe('the skills whose tools are visible', () => {
  it.each<[visible: SkillPolicy['visible'], effective: string | undefined, seen: string[]]>([
    ['all', undefined, ['grading', 'writing']],
    ['selected', undefined, []],
    ['all', 'grading', ['grading']],
    ['selected', 'grading', ['grading']],
    ['all', 'gone', []],
  ])('%s, with %s', (visible, effective, seen) => {
    expect(['grading', 'writing'].filter(visibleSkills({ visible, permitted: {} }, effective, []))).toEqual(
      seen,
    );
  });

  it('are without one those that the caller may ask for', () => {
    const seenBy = (...roles: string[]) =>
      [...SKILLS].filter(visibleSkills({ visible: 'all', permitted: policy.permitted }, undefined, roles));
    expect(seenBy('student')).toEqual(['practice-maths']);
    expect(seenBy('guest')).toEqual([]);
    expect(seenBy('teacher')).toEqual([...SKILLS]);
  });
});
