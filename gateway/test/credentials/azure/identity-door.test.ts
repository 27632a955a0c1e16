import { afterEach, describe, expect, it } from 'vitest';
import { createIdentityDoor } from '../../../src/credentials/azure/identity-door.ts';
import { createEgress } from '../../../src/egress/index.ts';
import { type LoopbackService, startLoopbackService } from '../../doubles/loopback-service.ts';

type Request = Parameters<ReturnType<typeof createIdentityDoor>['httpClient']['sendRequest']>[0];

let service: LoopbackService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const request = (url: string, more: Partial<Request> = {}) =>
  ({
    url,
    method: 'POST',
    headers: new Map([
      ['Accept', 'application/json'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Content-Length', '3'],
      ['Connection', 'keep-alive'],
    ]),
    timeout: 0,
    withCredentials: false,
    requestId: 'r-1',
    body: 'a=1',
    ...more,
  }) as unknown as Request;

function doorTo({ url }: LoopbackService) {
  return createIdentityDoor(createEgress({ allow: [new URL(url).origin] }));
}

describe('the door of @azure/identity', () => {
  it('sends what the library sends, and gives it the answer', async () => {
    service = await startLoopbackService('', () => ({
      status: 400,
      headers: { 'X-Ms-Request-Id': 'abc' },
      body: { error: 'invalid_grant' },
    }));
    const asked = request(`${service.url}/token`);
    const answer = await doorTo(service).httpClient.sendRequest(asked);
    expect(answer).toMatchObject({ status: 400, bodyAsText: '{"error":"invalid_grant"}' });
    expect(answer.request).toBe(asked);
    expect(answer.headers.get('x-MS-request-id')).toBe('abc');
    expect(answer.headers.has('x-nothing')).toBe(false);
    expect(answer.headers.toJSON()).toMatchObject({ 'x-ms-request-id': 'abc' });
    expect([...answer.headers].map(([name]) => name)).toContain('x-ms-request-id');
    const [received] = service.requests;
    expect(received).toMatchObject({ method: 'POST', path: '/token' });
    expect(received!.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(String(received!.body)).toBe('a=1');
  });

  it('sends bytes, too', async () => {
    service = await startLoopbackService('', () => ({ status: 200, body: {} }));
    const body = new Uint8Array([104, 105]);
    await doorTo(service).httpClient.sendRequest(request(service.url, { body }));
    expect(String(service.requests[0]!.body)).toBe('hi');
  });

  it('follows no redirect with a secret', async () => {
    service = await startLoopbackService('', ({ path }) =>
      path === '/token' ? { status: 307, headers: { location: '/elsewhere' } } : { status: 200, body: {} },
    );
    const door = doorTo(service);
    await expect(door.httpClient.sendRequest(request(`${service.url}/token`))).rejects.toThrow(/redirects/);
    expect(door.failure()?.kind).toBe('redirect');
    expect(service.requests.map(({ path }) => path)).toEqual(['/token']);
  });

  it('reaches no address that nobody named', async () => {
    service = await startLoopbackService('', () => ({ status: 200, body: {} }));
    const door = createIdentityDoor(createEgress());
    await expect(door.httpClient.sendRequest(request(service.url))).rejects.toThrow(/no public address/);
    await expect(
      door.httpClient.sendRequest(request('http://169.254.169.254/metadata/identity/oauth2/token')),
    ).rejects.toThrow(/metadata/);
    expect(service.requests).toHaveLength(0);
  });

  it("ends with the library's own signal", async () => {
    const held = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    service = await startLoopbackService('', async () => {
      arrived.resolve();
      await held.promise;
      return { status: 200, body: {} };
    });
    const listeners = new Set<() => void>();
    const abortSignal = {
      aborted: false,
      addEventListener: (_type: string, listener: () => void) => void listeners.add(listener),
      removeEventListener: (_type: string, listener: () => void) => void listeners.delete(listener),
    } as unknown as NonNullable<Request['abortSignal']>;
    const asking = doorTo(service).httpClient.sendRequest(request(service.url, { abortSignal }));
    await arrived.promise;
    for (const listener of listeners) listener();
    await expect(asking).rejects.toMatchObject({ kind: 'cancelled' });
    expect(listeners.size).toBe(0);
    held.resolve();
  });
});
