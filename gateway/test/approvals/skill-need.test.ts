import { describe, expect, it } from 'vitest';
import type { ApprovalNeed } from '../../src/approvals/policy.ts';
import { skillNeed } from '../../src/approvals/skill-need.ts';
import { NEXT_VERSION, scriptTool } from './support/skill-tools.ts';

const POLICY = { mode: 'balanced', programs: [] } as const;
const STRICT = { mode: 'strict', programs: [] } as const;
const WRITE = scriptTool('grade_quiz', { access: 'write' });
const OTHER = scriptTool('count_words', { network: true });
const NEED: ApprovalNeed = { reason: 'The policy asks for every write.', standing: 'tool' };

describe('what a person is asked for about a tool of a skill', () => {
  it('is the skill alone, where nothing else asks', () => {
    const need = skillNeed(undefined, WRITE, POLICY, true, () => [WRITE, OTHER]);
    expect(need?.standing).toBe('skill');
    expect(need?.reason).toMatch(/^The skill grading \(a1a1a1a1a1a1\) brought this tool\. ./);
    expect(need?.skill?.agreement().tools.map(({ operation }) => operation)).toEqual([
      'count_words',
      'grade_quiz',
    ]);
  });

  it('is the call, as often as it asks for itself, and the skill’s reasons stand beside its own', () => {
    for (const standing of ['tool', 'arguments', 'never'] as const) {
      const need = skillNeed({ ...NEED, standing }, WRITE, POLICY, true);
      expect(need?.standing).toBe(standing);
      expect(need?.reason).toMatch(
        /^The policy asks for every write\. The skill grading .* brought this tool\. ./,
      );
      expect(need?.skill).toMatchObject({ skill: 'grading', isolated: true });
    }
  });

  it('is nothing that a mode refuses, whoever would agree to the call', () => {
    for (const need of [undefined, NEED])
      expect(() => skillNeed(need, WRITE, STRICT, false)).toThrow(
        expect.objectContaining({ code: 'sandbox_unavailable' }),
      );
  });

  it('names the skill so that its name moves nothing and says no more than a name', () => {
    const skill = `grading\u202e\u001b[2J${' and it is safe'.repeat(20)}`;
    const tool = scriptTool('run', { access: 'write', skill });
    const asked = skillNeed(undefined, tool, POLICY, true)?.reason;
    expect(asked).not.toMatch(/\u202e|\u001b|(?: and it is safe){8}/);
    const refused = () => skillNeed(undefined, tool, STRICT, false);
    expect(refused).toThrow(/^The skill [^\u202e\u001b]{1,65} brought this tool\./);
  });

  it('is of the version that is called', () => {
    const next = scriptTool('grade_quiz', { access: 'write', version: NEXT_VERSION });
    const need = skillNeed(undefined, next, POLICY, true, () => [WRITE, OTHER, next]);
    expect(need?.skill?.agreement()).toMatchObject({
      version: NEXT_VERSION,
      tools: [{ operation: 'grade_quiz' }],
    });
  });
});
