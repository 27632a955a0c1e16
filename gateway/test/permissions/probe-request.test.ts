import { expect, it } from 'vitest';
import type { CredentialProvider } from '../../src/credentials/credential-provider.ts';
import type { Egress, EgressLimits, EgressResponse, OutgoingRequest } from '../../src/egress/index.ts';
import { type Connection, DEFAULT_LIMITS } from '../../src/operations/index.ts';
import { createSourceRoles } from '../../src/permissions/index.ts';
import { credentialHash, sendProbe } from '../../src/permissions/probe-request.ts';

const CEPH: Connection = {
  name: 'ceph',
  source: 'ceph',
  baseUrl: 'https://ceph.example/api/',
  securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  credentials: { bearer: 'a' },
  headers: { 'X-Tenant': 'acme' },
  limits: DEFAULT_LIMITS,
};

/** A door that answers each request with the next status, and credentials that can be had anew. */
function bench(...statuses: number[]) {
  const sent: OutgoingRequest[] = [];
  const bounds: EgressLimits[] = [];
  const refused: OutgoingRequest[] = [];
  const egress = {
    async request(request: OutgoingRequest, limits: EgressLimits) {
      sent.push(request);
      bounds.push(limits);
      const body = Buffer.from('{"roles":["ADMIN"]}');
      return { status: statuses[sent.length - 1] ?? 200, headers: {}, body, url: request.url };
    },
  } as unknown as Egress;
  const credentials = {
    authorize: async (request: OutgoingRequest) => request,
    refused: (_connection: Connection, request: OutgoingRequest) => refused.push(request) > 0,
    saysEnded: ({ status }: EgressResponse) => status === 440,
  } as unknown as CredentialProvider;
  return { parts: { egress, credentials }, sent, bounds, refused };
}
const probe = (parts: Parameters<typeof sendProbe>[0], connection = CEPH) =>
  sendProbe(parts, { connection, path: '/me', timeoutMs: 5000 }, new AbortController().signal);

it('asks for little, follows no redirect, and keeps what the source sends along at its origin', async () => {
  const { parts, sent, bounds } = bench();
  await probe(parts);
  expect(bounds).toMatchObject([{ maxBytes: 64 * 1024, maxRedirects: 0 }]);
  expect(sent).toMatchObject([
    {
      method: 'GET',
      url: 'https://ceph.example/api/me',
      headers: [
        ['accept', 'application/json'],
        ['X-Tenant', 'acme'],
      ],
      credentialHeaders: ['x-tenant'],
    },
  ]);
});

it.each([
  ['a 401 is tried again once with a fresh credential', CEPH, [401, 200], 200, 2, 1],
  ['and no more often', CEPH, [401, 401, 200], 401, 2, 1],
  ['so is what else says that a session is over', CEPH, [440, 200], 200, 2, 1],
  ['a 403 is an answer', CEPH, [403, 200], 403, 1, 0],
  [
    'as is a 401 where there is nothing to sign in with',
    { ...CEPH, securitySchemes: {} },
    [401, 200],
    401,
    1,
    0,
  ],
])('%s', async (_, connection, statuses, status, requests, refusals) => {
  const { parts, sent, refused } = bench(...statuses);
  expect(await probe(parts, connection)).toMatchObject({ status });
  expect({ requests: sent.length, refusals: refused.length }).toEqual({ requests, refusals });
});

it.each<[string, Connection, boolean]>([
  ['headers of the source', CEPH, false],
  ['nothing', { ...CEPH, headers: {} }, true],
])('says whether it went with a credential: %s', async (_, connection, isAnonymous) => {
  expect((await probe(bench(401, 401).parts, connection)).isAnonymous ?? false).toBe(isAnonymous);
});

it('goes where calls of the connection go, whatever server a document names', async () => {
  const { parts, sent } = bench();
  const roles = createSourceRoles({
    ...parts,
    probe: () => ({ path: '/me', roles: '/roles', ttlMs: 1000, timeoutMs: 5000 }),
    connection: (_source, account) => {
      const { baseUrl: _none, ...bare } = CEPH;
      return account === undefined ? CEPH : bare;
    },
    baseUrl: () => 'https://document.example/v1',
  });
  expect(await roles.fresh('ceph')).toMatchObject({ roles: ['ADMIN'] });
  await roles.fresh('ceph', { id: 'a', owner: 'user' });
  roles.close();
  expect(sent.map(({ url }) => url)).toEqual([
    'https://ceph.example/api/me',
    'https://document.example/v1/me',
  ]);
});

it('another name, address, credential, header or acting user is another account', () => {
  const others: Partial<Connection>[] = [
    { name: 'ceph2' },
    { baseUrl: 'https://other.example' },
    { credentials: { bearer: 'b' } },
    { headers: { 'X-Tenant': 'other' } },
    { actingUser: 'ann' },
  ];
  const hashes = [{}, ...others].map((changes) => credentialHash({ ...CEPH, ...changes }));
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(credentialHash({ ...CEPH })).toBe(hashes[0]);
});
