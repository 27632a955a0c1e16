import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type JsonObject, type Operation } from '../../../src/operations/index.ts';
import {
  connectionOf,
  type Envelope,
  type FakeRoom,
  fakeRoom,
  httpOf,
  inner,
  operationOf,
  run,
} from './connector-under-test.ts';

const LIST = operationOf(
  {
    operationId: 'ListMail',
    path: '/v2/{folder}/mail',
    bindings: [
      { in: 'path', name: 'folder', arg: 'folder' },
      { in: 'query', name: '$top', arg: '_top' },
      { in: 'query', name: '$filter', arg: '_filter' },
    ],
    pageable: { nextLink: '@odata.nextLink', limit: '_top' },
  },
  { input: { type: 'object', properties: { _top: { type: 'integer' } } } },
);
const ARGS = { folder: 'In box', _filter: 'unread' };

/** Pages of two rows; `link` writes the address of page `at`. */
function mailbox(pages: number, link: (at: number) => string): FakeRoom {
  return fakeRoom(({ queries }: Envelope) => {
    const at = Number(queries?.['$skip'] ?? 0);
    return inner('OK', {
      '@odata.context': `page ${at}`,
      value: [at * 2, at * 2 + 1],
      ...(at + 1 < pages ? { '@odata.nextLink': link(at + 1) } : {}),
    });
  });
}

const OWN = (at: number) => `https://gateway.test/apim/mail/0123abcd/v2/In%20box/mail?$skip=${at}`;

async function read(room: FakeRoom, args: JsonObject = ARGS, operation: Operation = LIST, pages = 10) {
  const options = { settings: () => ({ pages, dynamicValues: 'off' as const }) };
  const raw = httpOf(await run(room, operation, args, { options }));
  return { ...raw, value: JSON.parse(raw.text), warnings: raw.warnings };
}

describe('a list of several pages', () => {
  it.each([
    ['with the prefix of the gateway', OWN],
    ['without', (at: number) => `/v2/In%20box/mail?$skip=${at}`],
    ['by its query alone', (at: number) => `?$skip=${at}`],
  ])('is read to its end, the next link written %s', async (_, link) => {
    const room = mailbox(3, link);
    const { value, warnings, attempts } = await read(room);
    expect(value).toEqual({ '@odata.context': 'page 2', value: [0, 1, 2, 3, 4, 5] });
    expect(warnings).toBeUndefined();
    expect(attempts).toBe(3);
    expect(room.envelopes.map(({ path, queries }) => [path, { ...queries }])).toEqual([
      ['/v2/In%20box/mail', { $filter: 'unread' }],
      ['/v2/In%20box/mail', { $filter: 'unread', $skip: '1' }],
      ['/v2/In%20box/mail', { $filter: 'unread', $skip: '2' }],
    ]);
  });

  it('ends where the caller wanted no more', async () => {
    const room = mailbox(9, OWN);
    const { value, warnings } = await read(room, { ...ARGS, _top: 3 });
    expect(value.value).toEqual([0, 1, 2, 3]);
    expect(value['@odata.nextLink']).toBe(OWN(2));
    expect(warnings).toBeUndefined();
  });

  it('ends where the default of the limit wants no more', async () => {
    const input = { type: 'object', properties: { _top: { type: 'integer', default: 2 } } };
    const room = mailbox(9, OWN);
    expect((await read(room, ARGS, { ...LIST, input })).value.value).toEqual([0, 1]);
    expect(room.envelopes).toHaveLength(1);
  });

  it('ends after as many pages as are allowed, and says so', async () => {
    const { value, warnings } = await read(mailbox(9, OWN), ARGS, LIST, 2);
    expect(value).toMatchObject({ value: [0, 1, 2, 3], '@odata.nextLink': OWN(2) });
    expect(warnings).toEqual(['The list goes on behind these 4 rows: more than 2 pages.']);
  });

  it('ends before it is too long', async () => {
    const connection = connectionOf({ limits: { ...DEFAULT_LIMITS, maxBytes: 300 } });
    const raw = httpOf(await run(mailbox(9, OWN), LIST, ARGS, { connection }));
    expect(raw.body.length).toBeLessThanOrEqual(300);
    expect(raw.warnings).toEqual([expect.stringContaining('more than 300 bytes')]);
  });

  it.each([
    ['another path', 'https://gateway.test/apim/mail/0123abcd/v2/In%20box/other?$skip=1'],
    ['a path above', 'https://gateway.test/apim/mail/0123abcd/v2/In%20box/mail/../../x?$skip=1'],
    ['another connection behind dots', '/apim/mail/0123abcd/../../chat/x?$skip=1'],
    ['credentials', 'https://a:b@gateway.test/v2/In%20box/mail?$skip=1'],
    ['no address', 'http://'],
  ])('ends where the next link is %s', async (_, link) => {
    const room = mailbox(9, () => link);
    const { value, warnings } = await read(room);
    expect(value).toMatchObject({ value: [0, 1], '@odata.nextLink': link });
    expect(warnings).toEqual([expect.stringContaining('lies at another address')]);
    expect(room.envelopes).toHaveLength(1);
  });

  it('ends where pages lead in a circle', async () => {
    const room = mailbox(9, () => OWN(1));
    const { value, warnings } = await read(room);
    expect(value.value).toEqual([0, 1, 2, 3]);
    expect(warnings).toEqual([expect.stringContaining('was read before')]);
  });

  it('keeps what it has where a later page fails', async () => {
    const room = fakeRoom(({ queries }) =>
      queries?.['$skip'] === undefined
        ? inner('OK', { value: [1], '@odata.nextLink': OWN(1) })
        : inner('Gone', 'the cursor ended'),
    );
    const { value, warnings, status } = await read(room);
    expect([status, value.value]).toEqual([200, [1]]);
    expect(warnings).toEqual([expect.stringContaining('answered the next page with 410')]);
  });

  it('keeps the digits of long numbers', async () => {
    const room = fakeRoom(({ queries }) => ({
      body:
        queries?.['$skip'] === undefined
          ? `{"response":{"statusCode":200,"body":{"value":[9007199254740993123],"@odata.nextLink":"?$skip=1"}}}`
          : `{"response":{"statusCode":200,"body":{"value":[9007199254740993125]}}}`,
    }));
    expect((await read(room)).text).toBe('{"value":[9007199254740993123,9007199254740993125]}');
  });

  it.each([
    ['a write', { ...LIST, access: 'write' as const }, 10],
    ['one page asked for', LIST, 1],
    ['an operation that has no pages', operationOf({ path: '/v2/x' }), 10],
  ])('is not followed for %s', async (_, operation, pages) => {
    const room = mailbox(9, OWN);
    expect((await read(room, ARGS, operation, pages)).value.value).toEqual([0, 1]);
    expect(room.envelopes).toHaveLength(1);
  });

  it('reads rows under the name that the connector gives them', async () => {
    const operation = operationOf({ path: '/x', pageable: { nextLink: 'next', rows: 'items' } });
    const room = fakeRoom(({ queries }) =>
      inner('OK', queries === undefined ? { items: [1], next: '/x?page=2' } : { items: [2], next: '' }),
    );
    expect((await read(room, {}, operation)).value).toEqual({ items: [1, 2] });
  });
});
