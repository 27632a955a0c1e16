import { describe, expect, it } from 'vitest';
import type { Configuration } from '../../src/config/index.ts';
import { checkSkills, checkSkillTools } from '../../src/doctor/skills.ts';
import { DEFAULT_SKILL_POLICY, type Diagnostic, type SkillPolicy } from '../../src/operations/index.ts';
import type { IsolationInForce } from '../../src/sandbox/index.ts';

const sandbox: IsolationInForce = {
  available: true,
  program: '/usr/bin/bwrap',
  version: 'bubblewrap 9.9.9',
  limitsTmp: true,
};
const none: IsolationInForce = { available: false, reason: 'bubblewrap (bwrap) is not installed' };

function configuration(skills: Partial<SkillPolicy> = {}, kind = 'skills'): Configuration {
  return {
    sources: { writing: { kind, settings: { roots: [], secrets: {} } } },
    policy: { skills: { ...DEFAULT_SKILL_POLICY, ...skills } },
  } as unknown as Configuration;
}

describe('doctor says what isolates scripts of skills', () => {
  it.each([
    ['permissive', sandbox, 'info', 'permissive'],
    ['permissive', none, 'info', 'permissive'],
    ['balanced', sandbox, 'ok', 'bubblewrap 9.9.9'],
    ['balanced', none, 'warning', 'a person must agree'],
    ['strict', sandbox, 'ok', 'bubblewrap 9.9.9'],
    ['strict', none, 'error', 'refuses them'],
  ] as const)('mode %s with %j: %s', async (mode, isolation, status, words) => {
    const findings = await checkSkills(configuration({ mode }), async () => isolation);
    expect(findings).toMatchObject([{ check: 'skills', status, message: expect.stringContaining(words) }]);
    expect(findings[0]!.next !== undefined).toBe(status === 'warning' || status === 'error');
  });

  it('does not look for a sandbox where no script can run', async () => {
    const refuse = () => Promise.reject(new Error('looked'));
    expect(await checkSkills(configuration({}, 'openapi'), refuse)).toEqual([]);
    expect(await checkSkills(configuration({ enabled: false }), refuse)).toMatchObject([{ status: 'info' }]);
  });
});

describe('doctor names what skills lost', () => {
  const fault = (number: number, more: Partial<Diagnostic> = {}): Diagnostic => ({
    code: 'skill-tool-executor',
    severity: 'error',
    message: `Tool t${number} has no executor.`,
    source: 'writing',
    location: `tool-manifest.yaml:${number}`,
    ...more,
  });

  it('one finding with the first reasons and their places', () => {
    const findings = checkSkillTools(
      configuration(),
      [1, 2, 3, 4, 5].map((number) => fault(number)),
    );
    expect(findings).toMatchObject([{ check: 'skills of writing', status: 'warning' }]);
    const { message } = findings[0]!;
    expect(message).toContain('Tool t3 has no executor. (tool-manifest.yaml:3)');
    expect(message).not.toContain('t4');
    expect(message).toContain('And 2 more.');
  });

  it('nothing for warnings, other sources and other faults', () => {
    const others = [
      fault(1, { severity: 'warning' }),
      fault(2, { source: 'other' }),
      fault(3, { code: 'reference-broken' }),
    ];
    expect(checkSkillTools(configuration(), others)).toEqual([]);
  });
});
