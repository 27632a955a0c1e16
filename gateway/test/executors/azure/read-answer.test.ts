import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../src/executors/azure/read-answer.ts';
import { readStatusCode } from '../../../src/executors/azure/status-code.ts';
import type { Json } from '../../../src/operations/index.ts';
import { type ArmAnswer, armResponse, inner } from './connector-under-test.ts';

function read(answer: ArmAnswer) {
  const { body, ...rest } = readAnswer(armResponse(answer, 'https://arm.test/x'), 1000);
  return { ...rest, text: Buffer.from(body).toString('latin1'), type: rest.headers['content-type'] };
}

describe('status codes', () => {
  it.each([
    ['OK', 200],
    ['ok', 200],
    ['NotFound', 404],
    ['NOTFOUND', 404],
    ['TooManyRequests', 429],
    ['UnprocessableContent', 422],
    ['Redirect', 302],
    ['InternalServerError', 500],
    [404, 404],
    ['201', 201],
    ['99', undefined],
    [1000, undefined],
    [200.5, undefined],
    ['Splendid', undefined],
    [null, undefined],
    [true, undefined],
  ])('%j is %s', (said, status) => {
    expect(readStatusCode(said as Json)).toBe(status);
  });
});

describe('shapes of an answer', () => {
  it('reads the response of dynamicInvoke', () => {
    expect(read(inner('Created', { id: 1 }))).toMatchObject({
      status: 201,
      text: '{"id":1}',
      type: 'application/json',
      own: false,
    });
  });

  it('reads the bare form of it', () => {
    expect(read({ body: { statusCode: 404, body: { error: 'no' } } })).toMatchObject({
      status: 404,
      text: '{"error":"no"}',
    });
  });

  it.each([
    ['a body of its own', { value: [1] }],
    ['a status among other things', { statusCode: 404, message: 'x', other: 1 }],
    ['a response that is none', { response: 'yes' }],
    ['a list', [1, 2]],
  ])('takes %s for the body', (_, body) => {
    expect(read({ body })).toMatchObject({ status: 200, text: JSON.stringify(body), own: false });
  });

  it('takes a status that nobody can read for a failure', () => {
    expect(read(inner('Splendid', 'x')).status).toBe(502);
  });

  it('takes the outer status where none is said', () => {
    expect(read({ body: { response: { body: { a: 1 } } } })).toMatchObject({ status: 200, text: '{"a":1}' });
  });

  it('passes on the headers, but no session and nothing of how the body came', () => {
    const answer = read(
      inner('OK', 'x', {
        'Set-Cookie': 'a=b',
        'Retry-After': 7,
        'Content-Type': 'text/csv',
        'x-ms-request-id': '1',
      }),
    );
    expect(answer.headers).toEqual({
      'content-type': 'text/csv',
      'retry-after': '7',
      'x-ms-request-id': '1',
    });
  });

  it.each([
    ['JSON text', '{"a": 1}', undefined, '{"a": 1}', 'application/json'],
    ['JSON text under its type', '[1]', 'application/json; charset=utf-8', '[1]', 'application/json'],
    ['text', 'hello', undefined, 'hello', 'text/plain; charset=utf-8'],
    ['text that begins like JSON', '{a', undefined, '{a', 'text/plain; charset=utf-8'],
    [
      'text of a type, by now in UTF-8',
      '<a/>',
      'text/html; charset=iso-8859-1',
      '<a/>',
      'text/html; charset=utf-8',
    ],
    ['JSON-like text of another type', '{"a":1}', 'text/plain', '{"a":1}', 'text/plain'],
    ['nothing', '', undefined, '', undefined],
  ])('%s', (_, body, type, text, contentType) => {
    const answer = read(inner('OK', body, type === undefined ? {} : { 'content-type': type }));
    expect([answer.text, answer.type]).toEqual([text, contentType]);
  });

  it('decodes bytes', () => {
    const answer = read(inner('OK', { '$content-type': 'image/png', $content: '/wD+' }));
    expect([answer.text, answer.type]).toEqual(['\xff\x00\xfe', 'image/png']);
  });

  it('keeps the digits of long numbers', () => {
    const raw = '{"response":{"statusCode":"OK","body":{"id":9007199254740993123,"f":1.10}}}';
    expect(read({ body: raw }).text).toBe('{"id":9007199254740993123,"f":1.1}');
  });

  it('is no longer than it may be', () => {
    expect(() => read(inner('OK', 'x'.repeat(1001)))).toThrow(expect.objectContaining({ kind: 'too_large' }));
  });

  it('knows Resource Manager by its own status', () => {
    const answer = read({ status: 404, body: { error: { code: 'ResourceNotFound', message: 'gone' } } });
    expect(answer).toMatchObject({ status: 404, own: true });
    expect(answer.text).toContain('ResourceNotFound');
  });

  it('names the action that is missing', () => {
    const answer = read({
      status: 403,
      body: { error: { code: 'AuthorizationFailed', message: 'The client has no authorization.' } },
    });
    expect(JSON.parse(answer.text).error.message).toBe(
      'The client has no authorization. Whom the gateway signs in as needs the action Microsoft.Web/connections/dynamicInvoke/action on the connection, e.g. by the role Logic App Contributor.',
    );
  });
});
