import { describe, expect, it } from 'vitest';
import { asText, orderedFindings, troubleIn } from '../../../src/pages/doctor/finding-order.ts';
import type { GroupedFinding } from '../../../src/pages/doctor/queries.ts';

const finding = (
  group: GroupedFinding['group'],
  status: GroupedFinding['status'],
  check: string,
  next?: string,
): GroupedFinding => ({
  group,
  status,
  check,
  message: `about ${check}`,
  ...(next === undefined ? {} : { next }),
});

const FOUND = [
  finding('machine', 'ok', 'node'),
  finding('machine', 'info', 'egress'),
  finding('access', 'warning', 'permissions'),
  finding('sources', 'ok', 'source a'),
  finding('sources', 'error', 'source b', 'Mend it.'),
  finding('sources', 'error', 'source c'),
];

describe('findings', () => {
  it('stand worst first, groups and what is in them', () => {
    expect(
      orderedFindings(FOUND).map(({ title, findings }) => [title, findings.map(({ check }) => check)]),
    ).toEqual([
      ['Sources', ['source b', 'source c', 'source a']],
      ['Credentials and permissions', ['permissions']],
      ['This machine', ['egress', 'node']],
    ]);
  });

  it('are counted in words', () => {
    expect(troubleIn(FOUND)).toBe('2 errors, 1 warning');
    expect(troubleIn(FOUND.slice(0, 2))).toBeUndefined();
  });

  it('become text that can be handed on', () => {
    expect(asText(FOUND.slice(3, 5))).toBe(
      'Sources\n  error   source b: about source b\n          → Mend it.\n  ok      source a: about source a',
    );
  });
});
