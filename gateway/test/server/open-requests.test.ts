import { expect, test } from 'vitest';
import type { Principal } from '../../src/operations/index.ts';
import { readBodyText } from '../../src/server/body-text.ts';
import { createOpenRequests } from '../../src/server/open-requests.ts';

const user = (id: string, organisation = 'o'): Principal => ({
  id,
  kind: 'user',
  organisation,
  maxAccess: 'read',
  roles: [],
});

function post(headers: Record<string, string> = {}, body = ''): Request {
  return new Request('http://localhost/', { method: 'POST', headers, body });
}

test('one user has a thousand open requests at most; others and the operator are not counted with it', () => {
  const open = createOpenRequests(1000);
  const requests = Array.from({ length: 1000 }, () => post());
  for (const request of requests) void open.begin(request, user('ann'));
  expect(() => void open.begin(post(), user('ann'))).toThrow(expect.objectContaining({ code: 'overloaded' }));
  void open.begin(post(), user('bob'));
  void open.begin(post(), user('ann', 'another'));
  void open.begin(post(), { id: 'token', kind: 'token', maxAccess: 'delete', roles: [] });
  open.end(requests[0]!);
  open.end(requests[0]!);
  void open.begin(post(), user('ann'));
  expect(() => void open.begin(post(), user('ann'))).toThrow();
});

test('announced bodies count until they are read as what they are, and until their requests end', async () => {
  const open = createOpenRequests(1000);
  const chunked = () => post({ 'transfer-encoding': 'chunked' }, 'short');
  const first = chunked();
  await open.begin(first, user('ann'));
  for (let count = 1; count < 32; count++) await open.begin(post({ 'content-length': '9999' }), user('ann'));
  expect(() => void open.begin(post({ 'content-length': '996' }), user('ann'))).toThrow(
    expect.objectContaining({ code: 'overloaded' }),
  );
  await open.begin(post(), user('ann'));
  await readBodyText(first, 1000);
  await open.begin(post({ 'content-length': '995' }), user('ann'));
  expect(() => void open.begin(post({ 'content-length': '1' }), user('ann'))).toThrow();
  open.end(first);
  await open.begin(post({ 'content-length': '5' }), user('ann'));
});

test('a request that ended before it began takes nothing', () => {
  const open = createOpenRequests(1000);
  for (let count = 0; count < 2000; count++) {
    const gone = post({ 'content-length': '1000' });
    open.end(gone);
    void open.begin(gone, user('ann'));
  }
});

test('beyond 64 open requests, those of one user are begun one after the other', async () => {
  const open = createOpenRequests(1000);
  const order: string[] = [];
  for (let count = 0; count < 64; count++) expect(open.begin(post(), user('ann'))).toBeUndefined();
  const turns = [1, 2, 3].map(async (count) => {
    await open.begin(post(), user('ann'));
    order.push(`ann ${count}`);
  });
  await turns[0];
  expect(open.begin(post(), user('bob'))).toBeUndefined();
  expect(order).toEqual(['ann 1']);
  await Promise.all(turns);
  expect(order).toEqual(['ann 1', 'ann 2', 'ann 3']);
});
