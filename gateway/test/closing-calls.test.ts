import { expect, it } from 'vitest';
import { documentWith, liveFolder } from './live-folder.ts';
import { liveService } from './live-service.ts';

it('calls that a closing gateway cuts off are recorded before it is closed', async () => {
  const arrived = Promise.withResolvers<void>();
  const { base } = await liveService(() => {
    arrived.resolve();
    return true;
  });
  const { put, configure, start } = await liveFolder();
  await put('a.json', documentWith(base, 'one'));
  await configure({
    watch: false,
    store: 'sqlite:./crib.db',
    server: { drain: '10ms' },
    egress: { allow: [base] },
    sources: { a: { openapi: './a.json', credentials: { bearer: 'token' } } },
  });
  const faults: unknown[] = [];
  const logger = { error: (...fault: unknown[]) => faults.push(fault), warn: () => undefined } as never;
  const gateway = await start({ logger });
  const { url } = await gateway.listen({ port: 0 });
  const cut = fetch(`${url}/api/v1/tools/a_one/call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"arguments":{}}',
  });
  cut.catch(() => undefined);
  await arrived.promise;
  const ends: unknown[] = [];
  gateway.onEvent((event) => {
    if (event.type === 'call-failed') ends.push(event.code);
  });
  await gateway.close();
  await expect(cut).rejects.toThrow();
  expect([ends, faults]).toEqual([['cancelled'], []]);
});
