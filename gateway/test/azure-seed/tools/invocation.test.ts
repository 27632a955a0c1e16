import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type JsonObject } from '../../../src/operations/index.ts';
import { normalizeResult } from '../../../src/results/index.ts';
import {
  type FakeRoom,
  fakeRoom,
  inner,
  operationOf,
  run,
} from '../../executors/azure/connector-under-test.ts';

/** As the seed's own example: parameters in path and query, a body by its properties, one of them an object. */
const SEND = operationOf(
  {
    api: 'office365',
    connection: 'office365',
    operationId: 'SendEmailV2',
    method: 'POST',
    path: '/v2/{folder}/Mail',
    bindings: [
      { in: 'path', name: 'folder', arg: 'folder' },
      { in: 'query', name: '$filter', arg: '_filter' },
      { in: 'body', name: 'To', arg: 'To', contentType: 'application/json' },
      { in: 'body', name: 'folder', arg: 'body_folder', contentType: 'application/json' },
      { in: 'body', name: 'Location', arg: 'Location', contentType: 'application/json' },
    ],
    body: { contentType: 'application/json', required: true },
  },
  { access: 'write' },
);

async function textOf(room: FakeRoom, operation = SEND, args: JsonObject = { folder: 'x' }) {
  const result = await normalizeResult(await run(room, operation, args), operation, DEFAULT_LIMITS);
  if (result.kind !== 'completed') throw new Error(result.kind);
  const [block] = result.content;
  return { ...result, text: block?.type === 'text' ? block.text : undefined };
}

describe('seed 001 §6: invocation via dynamicInvoke', () => {
  it('builds the request body from the parameters, under their original names', async () => {
    const room = fakeRoom(() => inner('OK'));
    await run(room, SEND, {
      folder: 'In box',
      _filter: "from eq 'a'",
      To: 'ann@example.com',
      body_folder: 'Sent',
      Location: { City: 'Berlin', Rooms: [1] },
    });
    expect(room.requests).toEqual([
      {
        method: 'POST',
        path: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Web/connections/office365/dynamicInvoke',
        body: {
          request: {
            method: 'POST',
            path: '/v2/In%20box/Mail',
            queries: { $filter: "from eq 'a'" },
            headers: { 'Content-Type': 'application/json' },
            body: { To: 'ann@example.com', folder: 'Sent', Location: { City: 'Berlin', Rooms: [1] } },
          },
        },
      },
    ]);
  });

  it('sends no body where the operation has none, and no queries where none are given', async () => {
    const room = fakeRoom(() => inner('OK'));
    await run(room, operationOf({ path: '/Mail' }));
    expect(Object.keys(room.envelopes[0]!)).toEqual(['method', 'path', 'headers']);
  });

  it('gives back the body of the response', async () => {
    const room = fakeRoom(() => inner('OK', { id: 'AAMk', subject: 'Hi' }));
    const { text, error, structured } = await textOf(room);
    expect(JSON.parse(text!)).toEqual({ id: 'AAMk', subject: 'Hi' });
    expect([error, structured]).toEqual([undefined, { id: 'AAMk', subject: 'Hi' }]);
  });

  it('gives back text as it is', async () => {
    expect((await textOf(fakeRoom(() => inner('OK', 'sent')))).text).toBe('sent');
  });

  it('gives back the whole answer where there is no response in it', async () => {
    expect((await textOf(fakeRoom(() => ({ body: { value: [1] } })))).structured).toEqual({ value: [1] });
  });

  it('reports a failure of the connector as "Error invoking api.op: …", not as success', async () => {
    const room = fakeRoom(() => inner('NotFound', { error: { message: 'The folder is gone.' } }));
    const { text, error } = await textOf(room);
    expect(text).toMatch(/^Error invoking office365\.SendEmailV2: .*The folder is gone\./);
    expect(error).toMatchObject({ code: 'upstream_status', status: 404 });
  });

  it('reports a failure of Azure Resource Manager the same way', async () => {
    const room = fakeRoom(() => ({
      status: 404,
      body: { error: { code: 'ResourceNotFound', message: 'No such connection.' } },
    }));
    expect((await textOf(room)).text).toMatch(
      /^Error invoking office365\.SendEmailV2: .*No such connection\./,
    );
  });

  it('reports a failure of the network the same way', async () => {
    const room = fakeRoom(() => inner('OK'));
    const signal = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    await expect(run(room, SEND, { folder: 'x' }, { signal })).rejects.toMatchObject({
      text: expect.stringMatching(/^Error invoking office365\.SendEmailV2: /),
    });
  });
});

describe('seed 001 §13.4: binary parameters', () => {
  const file = Buffer.from([137, 80, 78, 71]).toString('base64');

  it('are sent, which the seed could not', async () => {
    const operation = operationOf(
      {
        method: 'PUT',
        path: '/photo',
        bindings: [
          { in: 'header', name: 'Content-Type', const: 'image/jpeg' },
          { in: 'body', name: '', arg: 'body', contentType: 'application/octet-stream' },
        ],
        body: { contentType: 'application/octet-stream', required: true, binary: true },
      },
      { access: 'write' },
    );
    const room = fakeRoom(() => inner('OK'));
    await run(room, operation, { body: file });
    expect(room.envelopes[0]).toEqual({
      method: 'PUT',
      path: '/photo',
      headers: { 'Content-Type': 'image/jpeg' },
      body: { '$content-type': 'image/jpeg', $content: file },
    });
  });

  it('come back as the image that they are', async () => {
    const operation = operationOf({ path: '/photo' });
    const room = fakeRoom(() => inner('OK', { '$content-type': 'image/png', $content: file }));
    const { content } = await textOf(room, operation, {});
    expect(content).toEqual([{ type: 'image', data: file, mimeType: 'image/png' }]);
  });
});
