import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../src/executors/script/script-answer.ts';
import type { ScriptOutcome } from '../../../src/executors/script/script-run.ts';
import type { Json } from '../../../src/operations/index.ts';

function outcome(parts: Partial<ScriptOutcome>): ScriptOutcome {
  return {
    class: 'ok',
    exitCode: 0,
    stdout: '',
    stderr: '',
    stdoutCut: false,
    stderrCut: false,
    durationMs: 12.4,
    ...parts,
  };
}
const said = (json: Json, parts: Partial<ScriptOutcome> = {}) =>
  outcome({ json, stdout: JSON.stringify(json), ...parts });
const done = (text: string, structured?: Json) => ({
  kind: 'done',
  result: {
    kind: 'value',
    content: [{ type: 'text', text }],
    ...(structured === undefined ? {} : { structured }),
  },
});

describe('what a script says', () => {
  it.each<[string, Json, string, Json | undefined]>([
    ['data of an envelope', { ok: true, data: { n: 1 } }, '{"n":1}', { n: 1 }],
    ['data with an empty error', { ok: true, data: [1], error: null }, '[1]', undefined],
    ['a text as data', { ok: true, data: 'words' }, 'words', undefined],
    [
      'more than an envelope, as it is',
      { ok: true, data: 1, took: 2 },
      '{"ok":true,"data":1,"took":2}',
      { ok: true, data: 1, took: 2 },
    ],
    ['an envelope without data', { ok: true }, '{"ok":true}', { ok: true }],
    ['other JSON', [1, 2], '[1,2]', undefined],
    [
      'an object that is no envelope',
      { ok: 'yes', data: 1 },
      '{"ok":"yes","data":1}',
      { ok: 'yes', data: 1 },
    ],
  ])('is taken as %s', (_name, json, text, structured) => {
    expect(answerOf(said(json), 't')).toEqual(done(text, structured));
  });

  it('is text where it is no JSON, cut where it is long', () => {
    expect(answerOf(outcome({ stdout: 'words\n' }), 't')).toEqual(done('words\n'));
    expect(answerOf(outcome({}), 't')).toEqual(done('Done.'));
    const answer = answerOf(outcome({ stdout: 'x'.repeat(60_001) }), 't');
    expect(answer).toEqual(done(`${'x'.repeat(60_000)}\n...[truncated]...`));
    expect(answerOf(outcome({ stdout: 'x'.repeat(60_000) }), 't')).toEqual(done('x'.repeat(60_000)));
  });

  it.each([
    ['a line of a log before it', 'working …\n{"ok": false, "error": "quota is used up"}\n'],
    ['a number that JSON does not know', '{"ok": true, "data": NaN}\n'],
    ['an end that is missing', '{\n  "ok": true, "data": {"a": 1'],
  ])('is text with a warning where its answer has %s', (_what, stdout) => {
    expect(answerOf(outcome({ stdout }), 't')).toMatchObject({
      kind: 'done',
      result: { content: [{ text: stdout }], warnings: [expect.stringContaining('"ok" is not read')] },
    });
  });

  it('is read as JSON whole, however long', () => {
    const data = { text: 'x'.repeat(100_000) };
    expect(answerOf(said({ ok: true, data }), 't')).toEqual(done(JSON.stringify(data), data));
  });

  it('keeps numbers exact in the text', () => {
    const exactJson = '{"ok":true,"data":{"id":12345678901234567890}}';
    const answer = answerOf(said(JSON.parse(exactJson), { exactJson }), 't');
    expect(answer).toMatchObject({ result: { content: [{ text: exactJson }] } });
  });

  it('does no harm by the names of its members', () => {
    const json = JSON.parse('{"__proto__":{"ok":false,"polluted":1},"data":1}');
    expect(answerOf(said(json), 't').kind).toBe('done');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('what became of a script', () => {
  it.each<[string, ScriptOutcome, string, string, RegExp]>([
    [
      'its own report',
      said({ ok: false, error: 'no such file' }),
      'script_failed',
      'yes',
      /reports a failure: no such file$/,
    ],
    [
      'an error with a message',
      said({ ok: false, error: { message: 'm\u001b[1m\n n' } }),
      'script_failed',
      'yes',
      /: m n$/,
    ],
    [
      'the end of its output, where it wrote nothing else',
      outcome({
        class: 'exit_nonzero',
        exitCode: 1,
        stdout: 'Reading …\nUnknown command: x\n',
        stderr: '\n',
      }),
      'script_failed',
      'yes',
      /exited with code 1: Reading … Unknown command: x$/,
    ],
    [
      'no more of its output than that',
      outcome({ class: 'exit_nonzero', exitCode: 1, stdout: `${'x'.repeat(9000)} the end` }),
      'script_failed',
      'yes',
      /exited with code 1: …x{491} the end$/,
    ],
    [
      'its exit code',
      outcome({ class: 'exit_nonzero', exitCode: 3, stderr: 'Trace\nValueError: x\n' }),
      'script_failed',
      'yes',
      /exited with code 3: ValueError: x$/,
    ],
    [
      'a signal',
      outcome({ class: 'killed', signal: 'SIGSEGV' }),
      'script_failed',
      'yes',
      /ended by SIGSEGV\.$/,
    ],
    [
      'its deadline',
      outcome({ class: 'timeout' }),
      'deadline_exceeded',
      'maybe',
      /before its deadline, after \d+\.\d s\.$/,
    ],
    [
      'a flood',
      outcome({ class: 'output_limit', stdoutCut: true }),
      'script_output_limit',
      'yes',
      /more than the 4194304 bytes that a call may answer/,
    ],
    [
      'no start',
      outcome({ class: 'spawn_failed', problem: 'there is no program x' }),
      'script_unavailable',
      'no',
      /did not start: there is no program x\.$/,
    ],
  ])('is told: %s', (_name, given, code, ran, message) => {
    const answer = answerOf(given, 't');
    expect(answer).toMatchObject({ kind: 'failed', error: { code }, ran, latencyMs: 12 });
    expect(answer.kind === 'failed' && answer.error.message).toMatch(message);
  });

  it('comes with what it wrote, bounded', () => {
    const long = 'y'.repeat(200_000);
    const answer = answerOf(outcome({ class: 'exit_nonzero', exitCode: 1, stdout: long, stderr: long }), 't');
    if (answer.kind !== 'failed') throw new Error('it failed');
    expect(answer.output!.stdout!.length).toBeLessThan(60_100);
    expect(answer.output!.exitCode).toBe(1);
    expect(answer.error.message.length).toBeLessThan(700);
  });
});

it('a script that takes too long is given more time in its manifest, not in the configuration', () => {
  expect(answerOf(outcome({ class: 'timeout' }), 'count')).toMatchObject({
    error: { next: expect.stringContaining('`timeout_sec`') },
  });
});

it.each([
  ["ModuleNotFoundError: No module named 'pypdf'", /^A package that it needs is missing/],
  [
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from a.mjs",
    /^A package that it needs/,
  ],
  ["Error: Cannot find module 'left-pad'", /^A package that it needs/],
  ["Error: Cannot find module './lib.js'", /^Read what the script says/],
])('a missing package is no matter of the call: %s', (stderr, next) => {
  const answer = answerOf(outcome({ class: 'exit_nonzero', exitCode: 1, stderr }), 't');
  expect(answer.kind === 'failed' && answer.error.next).toMatch(next);
});
