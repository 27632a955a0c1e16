import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { httpEndpoint } from './http-endpoint.ts';
import { teamGateway } from './team-gateway.ts';

test('the operator of a team sees what is wrong with the running gateway', async () => {
  await using team = await teamGateway({
    sources: {
      gone: { openapi: 'gone.json' },
      greenhouse: {
        manifest: 'greenhouse',
        baseUrl: 'http://127.0.0.1:1',
        credentials: { bearer: { env: 'NOT_SET' } },
      },
    },
  });
  const before = team.provider.requests.length;
  const [status, body] = await team.operator('GET', '/api/v1/doctor');
  expect(status).toBe(200);
  expect(body.ok).toBe(false);
  const findings = body.findings as Array<{ group: string; check: string; status: string; message: string }>;
  const of = (check: string) => findings.filter((one) => one.check === check);
  expect(of('credentials of greenhouse')).toMatchObject([
    { group: 'access', status: 'error', message: expect.stringContaining('NOT_SET') },
  ]);
  expect(of('source gone')).toMatchObject([{ group: 'sources', status: 'error' }]);
  expect(of('service')).toMatchObject([{ group: 'services', status: 'error' }]);
  expect(of('node')).toMatchObject([{ group: 'machine', status: 'ok' }]);
  // it listens itself
  expect(of('server')).toEqual([]);
  expect(team.provider.requests).toHaveLength(before);
});

test('is no business of a user, not even of an admin', async () => {
  await using team = await teamGateway();
  expect(await team.admin('GET', '/api/v1/doctor')).toMatchObject([403, { error: { code: 'admin_needed' } }]);
  expect(await team.as(undefined)('GET', '/api/v1/doctor')).toMatchObject([401, {}]);
});

test('a gateway that cannot examine itself says so', async () => {
  await using endpoint = await httpEndpoint({ definitions: [] } as never);
  expect(await endpoint.json('/api/v1/doctor')).toMatchObject([404, { error: { code: 'not_found' } }]);
});

test('a gateway that is closed meanwhile waits for the end: it writes into its folders', async () => {
  const asked = Promise.withResolvers<void>();
  let answered = false;
  const service = createServer((_request, response) => {
    asked.resolve();
    setTimeout(() => {
      answered = true;
      response.writeHead(204).end();
    }, 300);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const team = await teamGateway({
    sources: { slow: { manifest: 'greenhouse', baseUrl: `http://127.0.0.1:${port}`, credentials: 'none' } },
  });
  const gone = new AbortController();
  const headers = { authorization: 'Bearer operator-token' };
  const left = fetch(new URL('/api/v1/doctor', team.url), { headers, signal: gone.signal }).catch(
    () => 'left',
  );
  await asked.promise;
  gone.abort();
  expect(await left).toBe('left');
  await team[Symbol.asyncDispose]();
  expect(answered).toBe(true);
  service.close();
});
