import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CroitDouble, ROW_COUNT, startCroitDouble } from './croit.ts';

let croit: CroitDouble;
beforeAll(async () => {
  croit = await startCroitDouble({
    document: {
      paths: {
        '/keys': {
          post: { operationId: 'addKey', responses: { 200: {} }, 'x-required-permissions': ['admin'] },
        },
      },
    },
  });
});
afterAll(() => croit.close());

const ask = (path: string, token: string | undefined = croit.tokens.viewer, method = 'GET', body?: string) =>
  fetch(`${croit.url}${path}`, {
    method,
    ...(token === '' ? {} : { headers: { authorization: `Bearer ${token}` } }),
    ...(body === undefined ? {} : { body }),
  });
const pagination = (value: unknown) => `pagination=${encodeURIComponent(JSON.stringify(value))}`;

describe('the double of the storage service', () => {
  it('says who a token belongs to, and refuses one that ended', async () => {
    expect(await (await ask('/auth/token-info')).json()).toMatchObject({
      username: 'viewer',
      roles: ['VIEWER'],
    });
    expect((await ask('/auth/token-info', croit.tokens.expired)).status).toBe(401);
    expect((await ask('/auth/token-info', croit.tokens.broken)).status).toBe(500);
    expect((await ask('/auth/token-info', '')).status).toBe(401);
  });

  it('lists every row bare without pagination, and a page with it', async () => {
    expect(await (await ask('/servers')).json()).toHaveLength(ROW_COUNT);
    const page = await (await ask(`/servers?${pagination({ limit: 2, after: 5, where: {} })}`)).json();
    expect(page).toMatchObject({ total: ROW_COUNT, after: 5, limit: 2, data: [{ id: 6 }, { id: 7 }] });
    expect(await (await ask('/tasks')).json()).toMatchObject({ total: ROW_COUNT, limit: null });
  });

  it('filters and sorts by what the pagination says', async () => {
    const where = { status: { _eq: 'failed' }, _not: { running: { _eq: 'true' } } };
    const sortBy = [{ column: 'id', order: 'DESC' }];
    const page = await (await ask(`/services?${pagination({ where, sortBy, limit: 1 })}`)).json();
    expect(page).toMatchObject({ total: 20, data: [{ status: 'failed' }] });
  });

  it.each(['limit=20&after=0', 'pagination[limit]=20', 'pagination=limit%3D20', 'pagination=[]'])(
    'refuses %s: pagination is one JSON object',
    async (query) => expect((await ask(`/pools?${query}`)).status).toBe(400),
  );

  it('lets a viewer do nothing that needs an admin', async () => {
    expect((await ask('/pools/pool-0001', croit.tokens.viewer, 'DELETE')).status).toBe(403);
    expect((await ask('/pools/pool-0001', croit.tokens.admin, 'DELETE')).status).toBe(204);
    expect((await ask('/pools/none', croit.tokens.admin, 'DELETE')).status).toBe(404);
    expect((await ask('/keys', croit.tokens.viewer, 'POST')).status).toBe(403);
    expect(await (await ask('/keys', croit.tokens.admin, 'POST')).json()).toEqual({ operation: 'addKey' });
  });

  it('gives files as bytes, also at paths with slashes in their parameter', async () => {
    for (const path of ['/extra-files/a/b/logo.svg', '/extra-files/a%2Fb%2Flogo.svg']) {
      const answer = await ask(path, '');
      expect(answer.headers.get('content-disposition')).toContain('logo.svg');
      expect((await answer.arrayBuffer()).byteLength).toBe(4096);
    }
    expect(croit.requests.at(-1)!.target).toBe('/api/extra-files/a%2Fb%2Flogo.svg');
  });

  it('has rows with nested objects, nulls and failures', async () => {
    const osds = (await (await ask('/osds')).json()) as { status: string; weight: unknown; device: object }[];
    expect(osds.filter(({ status }) => status === 'down')).toHaveLength(20);
    expect(osds.some(({ weight }) => weight === null)).toBe(true);
    expect(osds[0]!.device).toEqual({ class: 'ssd', path: '/dev/sda' });
  });
});
