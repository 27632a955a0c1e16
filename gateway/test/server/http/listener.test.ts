import { expect, test } from 'vitest';
import { startListening, stopListening } from '../../../src/server/http/listener.ts';

test('connections that could not be accepted end nothing, however many', async () => {
  const { server, url } = await startListening(async () => new Response('here'), '127.0.0.1', 0);
  for (let count = 0; count < 3; count++)
    server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE', syscall: 'accept' }));
  expect(await (await fetch(url)).text()).toBe('here');
  await stopListening(server, 100);
});
