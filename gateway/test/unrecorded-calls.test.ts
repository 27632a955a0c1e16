import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentWith, liveFolder } from './live-folder.ts';
import { liveService } from './live-service.ts';

it('a call that the store does not take is one line of the log, with its id', async () => {
  const { base } = await liveService();
  const { folder, put, configure, start } = await liveFolder();
  await put('a.json', documentWith(base, 'one'));
  await configure({
    watch: false,
    store: 'sqlite:./crib.db',
    egress: { allow: [base] },
    sources: { a: { openapi: './a.json', credentials: { bearer: 'token' } } },
  });
  const faults: unknown[] = [];
  const logger = { error: (...fault: unknown[]) => faults.push(fault), warn: () => undefined } as never;
  const gateway = await start({ logger });
  const call = () => gateway.call({ tool: 'a_one' });
  await call();
  await rm(join(folder, 'crib.db'));
  for (let times = 0; times < 3; times++) await call();
  expect(faults).toEqual(
    Array.from({ length: 3 }, () => [
      { err: expect.objectContaining({ code: 'store_unavailable' }), call: expect.any(String) },
      'A call ended by a fault of the gateway.',
    ]),
  );
});
