import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEgress, type Egress } from '../../../src/egress/index.ts';
import type { ArmRequest, ConnectorRoom } from '../../../src/executors/azure/connector-room.ts';
import { DEFAULT_LIMITS } from '../../../src/operations/index.ts';
import { type LoopbackService, startLoopbackService } from '../../doubles/loopback-service.ts';
import { REFUSED_PORT } from '../../refused-port.ts';
import { connectionOf, fakeRoom, httpOf, inner, operationOf, run } from './connector-under-test.ts';
import { failure, READ, scripted, WRITE } from './scripted-connection.ts';

describe('one call', () => {
  it('is a POST to dynamicInvoke of its connection', async () => {
    const room = scripted(inner('OK', { ok: true }));
    const raw = httpOf(await run(room, READ));
    expect(room.requests).toEqual([
      {
        method: 'POST',
        path: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Web/connections/mail/dynamicInvoke',
        body: {
          request: { method: 'GET', path: '/things', headers: { 'Content-Type': 'application/json' } },
        },
      },
    ]);
    expect(raw).toMatchObject({ status: 200, text: '{"ok":true}', attempts: 1 });
    expect(raw.url).toContain('/dynamicInvoke');
  });

  it('reads the inner status: a NotFound is a failed answer', async () => {
    const raw = httpOf(
      await run(scripted(inner('NotFound', { error: { code: 502, message: 'no such mail' } })), READ),
    );
    expect(raw).toMatchObject({ status: 404, text: '{"error":{"code":502,"message":"no such mail"}}' });
  });

  it('shows its request in a dry run, and sends nothing', async () => {
    const room = scripted(inner('OK'));
    const raw = await run(room, WRITE, { body: { a: 1 } }, { dryRun: true });
    expect(raw).toEqual({
      kind: 'request',
      request: {
        method: 'POST',
        url: 'https://arm.test/subscriptions/s/resourceGroups/g/providers/Microsoft.Web/connections/mail/dynamicInvoke?api-version=2016-06-01',
        headers: [['content-type', 'application/json']],
        body: '{"request":{"method":"POST","path":"/things","headers":{"Content-Type":"application/json"},"body":{"a":1}}}',
      },
    });
    expect(room.requests).toEqual([]);
  });

  it('ends before anything is sent where no request can carry its arguments', async () => {
    const room = scripted(inner('OK'));
    const operation = operationOf({ path: '/x/{id}', bindings: [{ in: 'path', name: 'id', arg: 'id' }] });
    await expect(run(room, operation, { id: '..' })).rejects.toMatchObject({
      code: 'arguments_invalid',
      pointer: '/id',
    });
    expect(room.requests).toEqual([]);
  });

  it('lets base64 be longer than the bytes may be', async () => {
    const limits = { ...DEFAULT_LIMITS, maxBytes: 300 };
    const connection = connectionOf({ limits });
    const file = Buffer.alloc(300, 1).toString('base64');
    const fits = scripted(inner('OK', { '$content-type': 'image/png', $content: file }));
    expect(httpOf(await run(fits, READ, {}, { connection })).body).toHaveLength(300);
    expect(fits.limits[0]!.maxBytes).toBeGreaterThan(400);
    await expect(run(scripted(inner('OK', 'x'.repeat(301))), READ, {}, { connection })).rejects.toMatchObject(
      { code: 'upstream_too_large' },
    );
  });
});

describe('failures', () => {
  it('begin as those of the connector that they come from', async () => {
    const room = scripted(failure('timeout', 'all'));
    await expect(run(room, READ)).rejects.toMatchObject({
      code: 'deadline_exceeded',
      text: expect.stringMatching(/^Error invoking mail\.ListThings: The connection failed \(timeout\)/),
    });
  });

  it('are the deadline where that has passed', async () => {
    const signal = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    await expect(run(scripted(inner('OK')), READ, {}, { signal })).rejects.toMatchObject({
      code: 'deadline_exceeded',
      text: expect.stringContaining('Error invoking mail.ListThings: '),
    });
  });
});

describe('on the wire', () => {
  let arm: LoopbackService;
  let egress: Egress;
  beforeAll(async () => {
    arm = await startLoopbackService('', () => ({ status: 200, body: inner('OK', { value: [] }).body }));
    egress = createEgress({ allow: [arm.url] });
  });
  afterAll(async () => {
    await egress.close();
    await arm.close();
  });
  beforeEach(() => arm.forget());

  const wireRoom = (): ConnectorRoom => {
    const base = fakeRoom(() => inner('OK'));
    const url = ({ path, apiVersion = '2016-06-01' }: ArmRequest) =>
      `${arm.url}${path}?api-version=${apiVersion}`;
    return {
      ...base,
      url,
      send: (request, limits, signal) =>
        egress.request(
          {
            method: request.method,
            url: url(request),
            headers: [
              ['authorization', 'Bearer token'],
              ['content-type', 'application/json'],
            ],
            credentialHeaders: ['authorization'],
            body: JSON.stringify(request.body),
          },
          limits,
          signal,
        ),
    };
  };

  it('the envelope arrives as it was made, and the token is in nothing that comes back', async () => {
    const raw = httpOf(await run(wireRoom(), WRITE, { body: { to: 'ä' } }));
    const [request] = arm.requests;
    expect(request!.path).toBe(
      '/subscriptions/s/resourceGroups/g/providers/Microsoft.Web/connections/mail/dynamicInvoke',
    );
    expect(request!.body.toString()).toBe(
      '{"request":{"method":"POST","path":"/things","headers":{"Content-Type":"application/json"},"body":{"to":"ä"}}}',
    );
    expect(JSON.stringify({ ...raw, body: raw.text })).not.toContain('token');
  });

  it('a read goes again after a dropped connection, a write does not', async () => {
    arm.answerNext('drop');
    expect(httpOf(await run(wireRoom(), READ)).attempts).toBe(2);
    arm.forget();
    arm.answerNext('drop');
    await expect(run(wireRoom(), WRITE)).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(arm.requests).toHaveLength(1);
  });

  it('an address where nobody listens is named', async () => {
    const url = `http://127.0.0.1:${REFUSED_PORT}`;
    const door = createEgress({ allow: [url] });
    const room: ConnectorRoom = {
      ...fakeRoom(() => inner('OK')),
      send: (_, limits, signal) => door.request({ method: 'POST', url, headers: [] }, limits, signal),
    };
    await expect(run(room, WRITE)).rejects.toMatchObject({
      code: 'upstream_unreachable',
      text: expect.stringMatching(/^Error invoking mail\.SendMail: /),
    });
    await door.close();
  });
});
