import { expect, it } from 'vitest';
import { isSessionEnd } from '../../../src/credentials/login/session-end.ts';
import type { SessionEnd } from '../../../src/operations/index.ts';

const says = (status: number, body: unknown, ends: readonly SessionEnd[]) =>
  isSessionEnd({ status, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }, ends);

const PARSE: SessionEnd = { status: 400, body: { '/code': 209 } };
const ODOO: SessionEnd = {
  status: 200,
  body: { '/error/code': 100, '/error/message': 'Odoo Session Expired' },
};

it.each<[string, number, unknown, readonly SessionEnd[]]>([
  ['a number', 400, { code: 209, error: 'Invalid session token' }, [PARSE]],
  ['several members', 200, { error: { code: 100, message: 'Odoo Session Expired' } }, [ODOO]],
  ['any of several answers', 400, { code: 209 }, [ODOO, PARSE]],
  ['any of several of one status', 400, { code: 7 }, [PARSE, { status: 400, body: { '/code': 7 } }]],
  ['a truth', 200, { signedOut: true }, [{ status: 200, body: { '/signedOut': true } }]],
  ['a place in a list', 200, { errors: [{ code: 'X' }] }, [{ status: 200, body: { '/errors/0/code': 'X' } }]],
  ['a name with a slash', 200, { 'a/b': 1 }, [{ status: 200, body: { '/a~1b': 1 } }]],
  ['the whole', 403, '"expired"', [{ status: 403, body: { '': 'expired' } }]],
  ['a byte order mark before it', 400, '\ufeff{"code":209}', [PARSE]],
  ['a status alone', 440, 'whatever', [{ status: 440 }]],
])('is told by %s', (_, status, body, ends) => {
  expect(says(status, body, ends)).toBe(true);
});

it.each<[string, number, unknown, readonly SessionEnd[]]>([
  ['what nobody described', 400, { code: 209 }, []],
  ['another status', 404, { code: 209 }, [PARSE]],
  ['another value', 400, { code: 101 }, [PARSE]],
  ['a number where a text stands', 400, { code: '209' }, [PARSE]],
  ['one member of two', 200, { error: { code: 100, message: 'Odoo Server Error' } }, [ODOO]],
  ['nothing at the place', 400, {}, [PARSE]],
  ['what every object has', 200, {}, [{ status: 200, body: { '/constructor/name': 'Object' } }]],
  ['no JSON', 400, 'code: 209', [PARSE]],
  ['no body', 400, '', [PARSE]],
  ['a long answer', 400, { code: 209, more: 'x'.repeat(64 * 1024) }, [PARSE]],
])('is not told by %s', (_, status, body, ends) => {
  expect(says(status, body, ends)).toBe(false);
});
