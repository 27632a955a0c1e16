import { describe, expect, it } from 'vitest';
import type { RawResult } from '../../src/executors/executor.ts';
import type { Access, CompletedResult, Json } from '../../src/operations/index.ts';
import { normalizeResult } from '../../src/results/index.ts';
import { toldFailure } from '../../src/results/told-failure.ts';
import { operationOf } from '../executors/http/operation-under-test.ts';

describe('an answer that says a write was not done', () => {
  it.each<[string, Json, string]>([
    ['a flag and an error', { ok: false, error: 'channel_not_found' }, 'channel_not_found'],
    [
      'with what a service sends beside it',
      {
        ok: false,
        error: 'missing_scope',
        needed: 'chat:write',
        provided: 'identify',
        response_metadata: {},
      },
      'missing_scope',
    ],
    ['a flag and a sentence', { Success: false, Message: 'Out of stock.', Data: null }, 'Out of stock.'],
    [
      'a flag and a list',
      { success: false, errors: [{ code: 81057, message: 'Record exists.' }], messages: [], result: null },
      'Record exists. (81057)',
    ],
    ['a state and a sentence', { status: 'error', message: 'No such room' }, 'No such room'],
    ['a state that is called stat', { stat: 'fail', code: 98, message: 'Bad key' }, 'Bad key (98)'],
    [
      'a row',
      {
        data: [
          {
            code: 'INVALID_DATA',
            details: { api_name: 'Email' },
            message: 'invalid data',
            status: 'error',
          },
        ],
      },
      'invalid data',
    ],
    [
      'all rows',
      [
        { status: 'error', message: 'a' },
        { status: 'error', message: 'a' },
        { status: 'error', message: 'b' },
        { status: 'error', message: 'c' },
        { status: 'error', message: 'd' },
      ],
      'a; b; c; …',
    ],
    [
      'rows of CouchDB, each with the document that was not written',
      [
        { id: 'soup', error: 'conflict', reason: 'Document update conflict.' },
        { id: 'stew', rev: '1-a', error: 'forbidden', reason: 'No ingredients.' },
      ],
      'Document update conflict.; forbidden; No ingredients.',
    ],
    ['an error alone', { error: 'no such image' }, 'no such image'],
    ['an error beside its details', { errorDetail: { message: 'denied' }, error: 'denied' }, 'denied'],
    ['an error of JSON-RPC', { jsonrpc: '2.0', error: { code: -32601, message: 'Unknown' } }, 'Unknown'],
    ['errors without data', { errors: [{ message: 'Not yours' }], data: null }, 'Not yours'],
    ['JSend, field by field', { status: 'fail', data: { name: 'is taken' } }, 'name: is taken'],
    [
      'JSend, with a sentence',
      { status: 'error', message: 'No room', code: 12, data: { free: 0 } },
      'No room (12)',
    ],
    ['JSend in a list', { success: false, data: [{ code: 'no_post', message: 'Gone.' }] }, 'Gone. (no_post)'],
    ['JSend as a text', { success: false, data: 'Not yours' }, '"data":"Not yours"'],
    ['a number and why', { errcode: 40013, errmsg: 'invalid appid' }, 'invalid appid (40013)'],
    ['a number beside a log', { error_code: 110, error_msg: 'Token expired', log_id: 7 }, 'Token expired'],
    ['a flag of the error', { error: true, message: 'Locked' }, 'Locked'],
  ])('%s', (_name, answer, reason) => {
    expect(toldFailure(answer)).toContain(reason);
  });

  it.each<[string, Json]>([
    ['what was made has a member `error`', { id: 7, error: 'none of the checks passed' }],
    ['a job that was stopped has failed', { name: 'build', status: 'failed', message: 'stopped' }],
    ['a flag without a reason', { success: false }],
    ['a flag and what was made', { ok: false, error: 'late', channel: { id: 'C1' } }],
    ['a failed run has data and an id', { status: 'fail', data: { rows: 3 }, id: 4 }],
    ['a number says that nothing went wrong', { errcode: 0, errmsg: 'ok' }],
    ['a number stands beside what was made', { errcode: 45009, errmsg: 'slow down', media_id: 'M1' }],
    ['a number has no reason', { errno: 4 }],
    ['JSend says that it was done', { status: 'success', data: { name: 'taken' } }],
    ['JSend has no data', { status: 'fail', data: null }],
    ['a flag stands beside another state', { success: false, status: 'queued', data: { id: 1 } }],
    ['a state by itself', { status: 'error' }],
    ['an empty error', { error: '', message: 'done' }],
    ['no errors', { errors: [], data: null }],
    ['an error that is none', { error: 'none' }],
    ['an error that is false', { error: false, message: 'done' }],
    ['an error code of 0', { error: 0, msg: 'ok' }],
    ['done, with an error beside it', { ok: true, error: 'already_reacted' }],
    ['done by its state, with an error beside it', { status: 'ok', error: 'deprecated' }],
    ['errors of some of the rows', { message: '2 imported', errors: ['row 3: no name'] }],
    ['errors beside data', { errors: [{ message: 'partly' }], data: { made: 1 } }],
    [
      'a document was written beside one that was not',
      [
        { ok: true, id: 'soup', rev: '1-a' },
        { id: 'stew', error: 'conflict', reason: 'Document update conflict.' },
      ],
    ],
    ['what was made has an error, too', [{ id: 'soup', error: 'conflict', reason: 'Both.', at: 7 }]],
    ['what was made has an error and no reason', [{ id: 7, error: 'conflict' }]],
    ['an error that was reported is answered in words', [{ id: 'e1', error: 'Out of memory', reason: 'a' }]],
    ['one that was made has a reason, too', { id: 'e1', error: 'conflict', reason: 'Both.' }],
    ['a row that was done beside one that was not', [{ status: 'error', message: 'a' }, { status: 'ok' }]],
    ['rows beside a count', { data: [{ status: 'error', message: 'a' }], count: 1 }],
    ['no rows', { data: [] }],
    ['nothing', {}],
    ['a text', 'error'],
    ['a list of texts', ['error']],
  ])('is none where %s', (_name, answer) => {
    expect(toldFailure(answer)).toBeUndefined();
  });
});

describe('the result of a call', () => {
  const answered = async (access: Access, body: string): Promise<CompletedResult> => {
    const raw: RawResult = {
      kind: 'http',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(body),
      url: 'https://api.example.com/messages',
      attempts: 1,
    };
    const operation = operationOf({ method: 'POST', path: '/messages' }, { access });
    return (await normalizeResult(raw, operation, { maxTextLength: 1000 })) as CompletedResult;
  };
  const refused = '{"ok":false,"error":"channel_not_found"}';

  it('is an error of a write, with all that came', async () => {
    const message = 'POST /messages answered 200 OK, and says that it failed: channel_not_found.';
    const next =
      'Correct what the service names; where a part may have been done, check that before you call again.';
    expect(await answered('write', refused)).toEqual({
      kind: 'completed',
      content: [
        { type: 'text', text: `upstream_status: ${message}\n${next}` },
        { type: 'text', text: refused },
      ],
      structured: JSON.parse(refused),
      status: 200,
      error: { code: 'upstream_status', message, next, status: 200 },
    });
  });

  it('is what was read of an operation that reads', async () => {
    const result = await answered('read', refused);
    expect(result.error).toBeUndefined();
    expect(result.content).toEqual([{ type: 'text', text: refused }]);
  });

  it('goes by the last of several lines, once', async () => {
    const step = '{"stream":"Step 1/2"}';
    const failed = '{"errorDetail":{"message":"COPY failed"},"error":"COPY failed"}';
    const result = await answered('write', `${step}\n${failed}\n`);
    expect(result.error?.message).toBe(
      'POST /messages answered 200 OK, and says that it failed: COPY failed.',
    );
    expect((await answered('write', `${failed}\n${step}\n`)).error).toBeUndefined();
    const twice = await answered('write', `${failed}\n${failed}\n`);
    const told = twice.content.filter((block) => block.type === 'text' && block.text.includes('says that'));
    expect(told).toHaveLength(1);
  });

  it('is one also where its text is cut', async () => {
    const lines = Array.from({ length: 200 }, (_, at) => JSON.stringify({ stream: `Step ${at}` }));
    const result = await answered('write', [...lines, '{"error":"no space left"}'].join('\n'));
    expect(result.error?.message).toContain('no space left');
  });
});
