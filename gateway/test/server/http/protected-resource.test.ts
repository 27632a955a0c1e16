import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import type { HttpServerOptions } from '../../../src/server/http/index.ts';
import { challengeOf } from '../../../src/server/http/protected-resource.ts';
import { defineTool, type FunctionSource } from '../../../src/sources/function/define.ts';
import { parseChallenge } from '../../../src/upstreams/oauth/challenge.ts';
import { httpEndpoint } from './http-endpoint.ts';

const source: FunctionSource = {
  tools: [
    defineTool({ name: 'hello', description: 'Says hello', access: 'read', handler: () => ({ hello: 1 }) }),
  ],
};
const METADATA = '/.well-known/oauth-protected-resource';
const ISSUER = 'https://login.example.com/';
const RESOURCE = { name: 'acme', issuer: ISSUER, scopes: ['mcp:tools', 'offline_access'] };
const refuse = async (bearer: string) => {
  throw new ToolcribError(
    'unauthorized',
    `The sign-in token has expired${bearer === 'x' ? '' : ': "\\\r\nü'}.`,
  );
};
const team = (settings: { publicUrl?: string } = {}, options: HttpServerOptions = {}) =>
  httpEndpoint(source, settings, {}, { authenticate: refuse, signInAt: RESOURCE, ...options });

/** Sends a request line and headers as they are; `fetch` would not let us choose the Host header. */
async function raw(url: string, target: string, headers: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end([`GET ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'));
  return readAll(socket);
}

describe('the metadata of the resource', () => {
  test.each([
    METADATA,
    `${METADATA}/`,
    `${METADATA}/mcp`,
    `${METADATA}/mcp/`,
    `${METADATA}/mcp?topology=base`,
  ])('%s says where to sign in, to whoever asks', async (path) => {
    await using endpoint = await team();
    const response = await endpoint.request(path, {
      headers: { origin: 'https://inspector.example.com', 'sec-fetch-site': 'cross-site' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toEqual({
      resource: `${endpoint.url}/mcp`,
      authorization_servers: [ISSUER],
      scopes_supported: RESOURCE.scopes,
      bearer_methods_supported: ['header'],
      resource_name: 'acme',
    });
  });

  test('scopes that are not configured are not there', async () => {
    await using endpoint = await team({}, { signInAt: { name: 'acme', issuer: ISSUER } });
    const [, body] = await endpoint.json(METADATA);
    expect(body).not.toHaveProperty('scopes_supported');
  });

  test('HEAD, OPTIONS and what pages send along', async () => {
    await using endpoint = await team();
    const head = await endpoint.request(METADATA, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const asked = await endpoint.request(`${METADATA}/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://inspector.example.com',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe('*');
    expect(asked.headers.get('access-control-allow-methods')).toBe('GET, HEAD');
    expect(asked.headers.get('access-control-allow-headers')).toBe('*');
    const [status, body] = await endpoint.post(METADATA, {});
    expect([status, body]).toMatchObject([404, { error: { code: 'not_found' } }]);
  });

  test('without an identity provider there are none', async () => {
    await using endpoint = await httpEndpoint(source);
    for (const path of [METADATA, `${METADATA}/mcp`]) {
      expect(await endpoint.json(path)).toMatchObject([404, { error: { code: 'not_found' } }]);
    }
  });

  test('they are no operation of the API, and no tool of its own source', async () => {
    await using endpoint = await team({}, { authenticate: async () => owner });
    const [, { paths }] = (await endpoint.json('/api/v1/openapi.json', {
      headers: { authorization: 'Bearer x' },
    })) as unknown as readonly [number, { paths: object }];
    expect(Object.keys(paths)).toContain('/api/v1/tools');
    expect(Object.keys(paths).filter((path) => path.includes('well-known'))).toEqual([]);
  });

  test('a name that the gateway does not answer for is not repeated', async () => {
    await using endpoint = await team();
    const { host } = new URL(endpoint.url);
    const asked = (headers: readonly string[], target = METADATA) => raw(endpoint.url, target, headers);
    for (const name of [
      'evil.example.com',
      `evil.example.com:80`,
      `${host}.evil.example.com`,
      'a b',
      'x@localhost',
    ]) {
      const answer = await asked([`Host: ${name}`]);
      expect(answer).toMatch(/^HTTP\/1\.1 4/);
      expect(answer).not.toContain('"resource"');
    }
    const forwarded = ['X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Original-Host', 'X-Forwarded-Server'];
    const hostile = forwarded.map((name) => `${name}: https`);
    for (const answer of [
      await asked([`Host: ${host}`, ...hostile, 'Forwarded: host=evil.example.com;proto=https']),
      await asked([`Host: ${host}`], `http://evil.example.com${METADATA}`),
    ]) {
      expect(answer).toContain(`"resource":"http://${host}/mcp"`);
      expect(answer).not.toContain('evil');
    }
    expect(await asked([`Host: LOCALHOST:${new URL(endpoint.url).port}`])).toContain(
      `"resource":"http://localhost:${new URL(endpoint.url).port}/mcp"`,
    );
  });

  test('an address that everybody is told stands in them, however they are asked for', async () => {
    await using endpoint = await team({ publicUrl: 'https://tools.example.com' });
    const resource = 'https://tools.example.com/mcp';
    expect(await endpoint.json(METADATA)).toMatchObject([200, { resource }]);
    for (const name of ['tools.example.com', 'tools.example.com:443']) {
      expect(await raw(endpoint.url, METADATA, [`Host: ${name}`])).toContain(`"resource":"${resource}"`);
    }
    expect(await raw(endpoint.url, METADATA, ['Host: other.example.com'])).toMatch(/^HTTP\/1\.1 403/);
  });
});

describe('a caller who is not let in', () => {
  const challenge = async (
    endpoint: Awaited<ReturnType<typeof team>>,
    path: string,
    authorization?: string,
  ): Promise<string | null> => {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
    const response = await endpoint.request(path, { method: 'POST', body: '{}', headers });
    expect(response.status).toBe(401);
    return response.headers.get('www-authenticate');
  };

  test('is told at /mcp where to sign in and what to ask for, and of a credential shown that it is refused', async () => {
    await using endpoint = await team();
    const where = `resource_metadata="${endpoint.url}${METADATA}/mcp", scope="mcp:tools offline_access"`;
    for (const path of ['/mcp', '/mcp/', '/mcp?topology=base']) {
      expect(await challenge(endpoint, path)).toBe(`Bearer realm="toolcrib", ${where}`);
    }
    expect(await challenge(endpoint, '/mcp', 'Basic eDp5')).not.toContain('error');
    expect(await challenge(endpoint, '/mcp', 'Bearer x')).toBe(
      `Bearer realm="toolcrib", ${where}, error="invalid_token", error_description="The sign-in token has expired."`,
    );
  });

  // a client holds the metadata against what it asked for: they are those of /mcp
  test('is told at the API what to ask for, not where', async () => {
    await using endpoint = await team();
    const scope = 'Bearer realm="toolcrib", scope="mcp:tools offline_access"';
    expect(await challenge(endpoint, '/api/v1/keys')).toBe(scope);
    expect(await challenge(endpoint, '/api/v1/keys', 'Bearer x')).toMatch(/, error="invalid_token", error_/);
  });

  test('gets nothing into the header that ends it', async () => {
    await using endpoint = await team();
    const header = (await challenge(endpoint, '/mcp', 'Bearer ",scope="all"'))!;
    expect(header).toContain(`error_description="The sign-in token has expired: '?."`);
    expect(header).not.toContain('all');
    expect(parseChallenge(header)).toEqual({
      resourceMetadata: `${endpoint.url}${METADATA}/mcp`,
      scopes: RESOURCE.scopes,
      error: 'invalid_token',
    });
  });

  test('is told why in no more than a header holds', () => {
    const headers = { authorization: 'Bearer x' };
    const header = challengeOf('y'.repeat(5000), new Request('http://crib/mcp', { headers }), RESOURCE);
    expect(header).toMatch(/error_description="y{500}"$/);
  });

  test('is told where there is no identity provider what was told before, with the error alone', async () => {
    await using endpoint = await httpEndpoint(source, { token: 'secret-token' });
    expect(await challenge(endpoint, '/mcp')).toBe('Bearer realm="toolcrib"');
    expect(await challenge(endpoint, '/mcp', 'Bearer wrong')).toBe(
      'Bearer realm="toolcrib", error="invalid_token", error_description="The bearer token is not valid."',
    );
  });

  test('over https is sent to https', () => {
    const request = new Request('https://tools.example.com/mcp');
    expect(challengeOf('', request, RESOURCE)).toContain(
      `resource_metadata="https://tools.example.com${METADATA}/mcp"`,
    );
  });
});

const owner = { id: 'ada', kind: 'token', maxAccess: 'delete', roles: [] } as const;
