import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startListening, stopListening } from '../../../src/server/http/listener.ts';

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
