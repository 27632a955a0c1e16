import { describe, expect, it } from 'vitest';
import {
  type Access,
  agreementOn,
  concernOf,
  covers,
  judgeSkillCall,
  type Operation,
  powersOf,
  type ScriptInvocation,
  type SkillMode,
  type SkillVerdict,
} from '../../../src/operations/index.ts';
import { DELETE_ITEM } from '../../approvals/support/approval-bench.ts';
import { httpTool, NEXT_VERSION, scriptTool } from '../../approvals/support/skill-tools.ts';
import fc from '../../properties.ts';

const judge = (
  mode: SkillMode,
  operation: Operation,
  { isolated = true, programs = [] as readonly string[] } = {},
) => judgeSkillCall({ mode, programs }, operation, isolated);
const READS = scriptTool('count_words');
const WRITES = scriptTool('grade_quiz', { access: 'write' });
const DELETES = scriptTool('drop', { access: 'delete' });
const ONLINE = scriptTool('look_up', { network: true });
const BINARY = scriptTool('render', { interpreter: null, entry: 'bin/render' });
const HTTP = httpTool('get_grades');
const OFFLINE_HTTP = httpTool('get_grades', { network: false });

describe('what becomes of a call of a skill', () => {
  it.each<
    [what: string, operation: Operation, isolated: boolean, outcomes: Record<SkillMode, SkillVerdict['kind']>]
  >([
    ['a script that reads', READS, true, { permissive: 'run', balanced: 'run', strict: 'run' }],
    ['a script that writes', WRITES, true, { permissive: 'run', balanced: 'ask', strict: 'ask' }],
    ['a script that deletes', DELETES, true, { permissive: 'run', balanced: 'ask', strict: 'ask' }],
    ['a script with network', ONLINE, true, { permissive: 'run', balanced: 'ask', strict: 'ask' }],
    ['a program of its own', BINARY, true, { permissive: 'run', balanced: 'ask', strict: 'ask' }],
    ['a request', HTTP, true, { permissive: 'run', balanced: 'ask', strict: 'ask' }],
    [
      'a request without network',
      OFFLINE_HTTP,
      true,
      { permissive: 'run', balanced: 'ask', strict: 'refuse' },
    ],
    ['a script without sandbox', READS, false, { permissive: 'run', balanced: 'ask', strict: 'refuse' }],
    ['a write without sandbox', WRITES, false, { permissive: 'run', balanced: 'ask', strict: 'refuse' }],
    ['a request without sandbox', HTTP, false, { permissive: 'run', balanced: 'ask', strict: 'ask' }],
    ['what no skill brought', DELETE_ITEM, false, { permissive: 'run', balanced: 'run', strict: 'run' }],
  ])('%s', (_, operation, isolated, outcomes) => {
    for (const [mode, kind] of Object.entries(outcomes)) {
      expect(judge(mode as SkillMode, operation, { isolated }).kind, mode).toBe(kind);
    }
  });

  it('names each reason in one sentence', () => {
    const operation = scriptTool('render', {
      access: 'delete',
      network: true,
      interpreter: null,
      entry: 'bin/nested/render',
    });
    expect(judge('balanced', operation)).toEqual({
      kind: 'ask',
      reasons: [
        'It may change something: its access is delete.',
        'Its program reaches the network, as its manifest says.',
        'It starts render, which is none of the programs that run without asking.',
      ],
    });
    expect(judge('balanced', READS, { isolated: false })).toEqual({
      kind: 'ask',
      reasons: ['There is no sandbox here that keeps its program from the network.'],
    });
    expect(judge('balanced', HTTP)).toEqual({
      kind: 'ask',
      reasons: ['It sends a request over the network.'],
    });
    expect(judge('strict', READS, { isolated: false })).toMatchObject({ code: 'sandbox_unavailable' });
    expect(judge('strict', OFFLINE_HTTP)).toMatchObject({ code: 'skill_forbidden' });
  });

  it.each<[interpreter: ScriptInvocation['interpreter']]>([['sh'], ['bash'], ['python3'], ['node']])(
    'lets %s run',
    (interpreter) => {
      expect(judge('balanced', scriptTool('x', { interpreter: interpreter! }))).toEqual({ kind: 'run' });
    },
  );

  it('lets programs run that the operator names, by the whole file name', () => {
    expect(judge('balanced', BINARY, { programs: ['render'] }).kind).toBe('run');
    expect(judge('balanced', BINARY, { programs: ['bin/render', 'rend', 'RENDER'] }).kind).toBe('ask');
  });

  it('takes a file called like an interpreter, and an interpreter it does not know, for neither', () => {
    expect(judge('balanced', scriptTool('x', { interpreter: null, entry: 'bin/python3' })).kind).toBe('ask');
    expect(judge('balanced', scriptTool('x', { interpreter: 'perl' as 'sh' })).kind).toBe('ask');
  });

  it('shows no name that moves the cursor or goes on without end', () => {
    const entry = `bin/a\u001b[2J\u202e${'x'.repeat(5000)}`;
    const verdict = judge('balanced', scriptTool('x', { interpreter: null, entry }));
    const [reason = ''] = verdict.kind === 'ask' ? verdict.reasons : [];
    expect(reason).toContain('It starts a');
    expect(reason).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(reason.length).toBeLessThan(200);
  });

  it('is never less careful in a stricter mode', () => {
    const rank = { run: 0, ask: 1, refuse: 2 };
    const some = fc.record({
      access: fc.constantFrom<Access>('read', 'write', 'delete'),
      network: fc.boolean(),
      interpreter: fc.constantFrom('sh', 'node', null),
      http: fc.boolean(),
      isolated: fc.boolean(),
    });
    fc.assert(
      fc.property(some, ({ http, isolated, interpreter, ...rest }) => {
        const operation = http
          ? httpTool('x', rest)
          : scriptTool('x', { ...rest, interpreter: interpreter as 'sh' });
        const [permissive, balanced, strict] = (['permissive', 'balanced', 'strict'] as const).map(
          (mode) => rank[judge(mode, operation, { isolated }).kind],
        );
        expect(permissive).toBe(0);
        expect(balanced).toBeLessThanOrEqual(strict!);
      }),
    );
  });
});

describe('an agreement', () => {
  const agreement = (isolated = true) =>
    agreementOn(concernOf(WRITES, isolated)!, [READS, WRITES, ONLINE, HTTP, BINARY, DELETE_ITEM]);
  const covered = (operation: Operation, isolated = true, given = agreement()) =>
    covers(given, concernOf(operation, isolated)!);

  it('names every tool of the skill once, sorted, and none of another version', () => {
    const other = scriptTool('another', { version: NEXT_VERSION });
    const { tools } = agreementOn(concernOf(WRITES, true)!, [other, READS, WRITES]);
    expect(tools.map(({ operation }) => operation)).toEqual(['count_words', 'grade_quiz']);
    expect(agreementOn(concernOf(WRITES, true)!, []).tools).toHaveLength(1);
  });

  it('covers what can do as much or less', () => {
    for (const operation of [READS, WRITES, ONLINE, HTTP, BINARY]) expect(covered(operation)).toBe(true);
    expect(covered(scriptTool('grade_quiz', { access: 'read' }))).toBe(true);
    expect(covered(scriptTool('look_up'))).toBe(true);
    expect(covered(WRITES, true, agreement(false))).toBe(true);
  });

  it('covers nothing that can do more', () => {
    expect(covered(scriptTool('grade_quiz', { access: 'delete' }))).toBe(false);
    expect(covered(scriptTool('grade_quiz', { access: 'write', network: true }))).toBe(false);
    expect(covered(scriptTool('render', { interpreter: null, entry: 'bin/other' }))).toBe(false);
    expect(covered(WRITES, false)).toBe(false);
    expect(covered(ONLINE, false)).toBe(false);
    expect(covered(scriptTool('new'))).toBe(false);
    expect(covered(scriptTool('grade_quiz', { version: NEXT_VERSION }))).toBe(false);
    expect(covered(scriptTool('grade_quiz', { skill: 'writing' }))).toBe(false);
  });

  it('is about nothing but skills', () => {
    expect(powersOf(DELETE_ITEM, true)).toBeUndefined();
    expect(concernOf(DELETE_ITEM, false)).toBeUndefined();
  });
});
