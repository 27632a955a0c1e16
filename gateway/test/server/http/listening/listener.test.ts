import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startListening, stopListening } from '../../../../src/server/http/listening/listener.ts';

test('connections that could not be accepted end nothing, however many', async () => {
  const { server, url } = await startListening(async () => new Response('here'), '127.0.0.1', 0);
  for (let count = 0; count < 3; count++)
    server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE', syscall: 'accept' }));
  expect(await (await fetch(url)).text()).toBe('here');
  await stopListening(server, 100);
});

test('a connection with a hundred unanswered requests is cut, and ends each of them', async () => {
  const begun: Request[] = [];
  const ended = new Set<Request>();
  const answered = Promise.withResolvers<void>();
  const serve = (request: Request) => {
    begun.push(request);
    return answered.promise.then(() => new Response('here'));
  };
  const { server, port, url } = await startListening(
    serve,
    '127.0.0.1',
    0,
    (request) => void ended.add(request),
  );
  const socket = connect(port, '127.0.0.1');
  const closed = once(socket, 'close');
  const ahead = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
  socket.on('error', () => undefined).write(ahead.repeat(100));
  await expect.poll(() => begun.length).toBe(100);
  expect(ended.size).toBe(0);
  socket.write(ahead.repeat(300));
  await closed;
  await expect.poll(() => begun.filter((request) => !ended.has(request))).toEqual([]);
  expect(begun).toHaveLength(100);
  answered.resolve();
  expect(await (await fetch(url)).text()).toBe('here');
  await stopListening(server, 100);
});

test('an answer that breaks off is cut there, and told to nobody but the log', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const broken: unknown[] = [];
  const gone = new Error('The bytes are gone.');
  const headersOf = new Map([
    ['/file', { 'content-type': 'application/pdf', 'content-length': '100' }],
    ['/events', { 'content-type': 'text/event-stream' }],
  ]);
  const serve = async (request: Request) => {
    const parts = ['first', 'second'];
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve));
        const part = parts.shift();
        if (part === undefined) throw gone;
        controller.enqueue(Buffer.from(part));
      },
    });
    return new Response(body, { headers: headersOf.get(new URL(request.url).pathname)! });
  };
  const { server, port } = await startListening(
    serve,
    '127.0.0.1',
    0,
    undefined,
    undefined,
    (error) => void broken.push(error),
  );
  for (const [path] of headersOf) {
    for (const version of ['1.0', '1.1']) {
      const socket = connect(port, '127.0.0.1');
      let got = '';
      socket.on('data', (data) => (got += data)).on('error', () => undefined);
      socket.write(`GET ${path} HTTP/${version}\r\nHost: localhost\r\n\r\n`);
      await once(socket, 'close');
      expect(got).toContain('second');
      expect(got).not.toContain('gone');
      expect(got).not.toMatch(/\r\n0\r\n/);
    }
  }
  expect(broken).toEqual([gone, gone, gone, gone]);
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
  await stopListening(server, 100);
});

test('a client that leaves a stream breaks nothing', async () => {
  const broken: unknown[] = [];
  const left = Promise.withResolvers<unknown>();
  const serve = async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(': open\n\n')),
      cancel: left.resolve,
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const { server, port } = await startListening(
    serve,
    '127.0.0.1',
    0,
    undefined,
    undefined,
    (error) => void broken.push(error),
  );
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
  await left.promise;
  await stopListening(server, 100);
  expect(broken).toEqual([]);
});
