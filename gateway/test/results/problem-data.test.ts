import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/operations/index.ts';
import { problemData } from '../../src/results/problem-data.ts';
import { explainProblem } from '../../src/results/problem-text.ts';

const told = (body: Json, type = 'application/json') => {
  const said = explainProblem(body)!;
  return said + problemData(body, type, said);
};

describe('the facts of a failure', () => {
  it.each<[from: string, body: Json, text: string]>([
    [
      'oRPC',
      { defined: true, code: 'OUT_OF_STOCK', status: 409, message: 'Out of stock', data: { available: 3 } },
      'Out of stock (OUT_OF_STOCK); data: {"available":3}',
    ],
    [
      'JSON-RPC',
      { error: { code: -32602, message: 'Invalid params', data: { expected: 'a number' } } },
      'Invalid params (-32602); data: {"expected":"a number"}',
    ],
    [
      'Stripe',
      { error: { message: 'No such customer', param: 'customer_id', type: 'invalid_request_error' } },
      'No such customer; param: "customer_id"',
    ],
    ['a list', { message: 'Not these', data: ['a', 'b'] }, 'Not these; data: ["a","b"]'],
  ])('of %s stand behind its sentence', (_, body, text) => expect(told(body)).toBe(text));

  it('that its sentence holds as JSON text are told as faults', () => {
    const faults = [
      {
        keyword: 'minItems',
        dataPath: '.query.bbox',
        params: { limit: 4 },
        message: 'should NOT have fewer',
      },
      { keyword: 'type', dataPath: '.query.bbox[0]', message: 'should be number' },
    ];
    const body = { state: 'FAILED', statusCode: 400, message: JSON.stringify(faults) };
    expect(told(body)).toBe('.query.bbox: should NOT have fewer; .query.bbox[0]: should be number');
    expect(told({ message: '[{"x":1}] is no list' })).toBe('[{"x":1}] is no list');
    expect(told({ message: '[{"x":1}]' })).toBe('[{"x":1}]');
  });

  it('are all members of its own that a problem has', () => {
    const body = {
      type: 'https://example.com/probs/out-of-credit',
      title: 'You do not have enough credit.',
      detail: 'Your balance is 30, but that costs 50.',
      instance: '/account/12345/msgs/abc',
      balance: 30,
      accounts: ['/account/12345', '/account/67890'],
      traceId: '00-a1-b2-00',
      timestamp: '2026-01-01T00:00:00Z',
    };
    const said = 'You do not have enough credit.; Your balance is 30, but that costs 50.';
    expect(told(body, 'application/problem+json')).toBe(
      `${said}; balance: 30; accounts: ["/account/12345","/account/67890"]`,
    );
    expect(told(body)).toBe(said);
  });

  it.each<[what: string, body: Json, text: string]>([
    ['what the sentence has', { error: { message: 'Missing: amount', param: 'amount' } }, 'Missing: amount'],
    ['nothing', { message: 'No', data: null, param: '', meta: {}, extra: [] }, 'No'],
    ['faults of fields', { message: 'No', data: [{ message: 'is short', path: 'a' }] }, 'No; a: is short'],
    [
      'what is for those who run the service',
      { message: 'No', data: { code: 'NOT_FOUND', httpStatus: 404, path: 'pets.get', stack: 'at x' } },
      'No',
    ],
    ['what is long', { message: 'No', data: { rows: 'x'.repeat(500) }, param: 'id' }, 'No; param: "id"'],
    ['other members', { message: 'No', trace: 'at x', kind: 'Status', file: 'a.php' }, 'No'],
  ])('are not %s', (_, body, text) => expect(told(body)).toBe(text));

  it('of a problem are no faults that stand in its sentences', () => {
    const body = { title: 'Invalid', errors: { name: ['is taken'] }, Violations: [{ message: 'odd' }] };
    expect(told(body, 'application/problem+json')).toBe('Invalid; name: is taken; odd');
  });

  it('are none of a body without members', () => {
    expect(problemData('No', 'application/problem+json', 'No')).toBe('');
    expect(problemData(['No'], 'application/json', 'No')).toBe('');
  });
});
