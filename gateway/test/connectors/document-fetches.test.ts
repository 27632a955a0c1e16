import { expect, it } from 'vitest';
import { documentFetches } from '../../src/connectors/document-fetches.ts';
import { createKnown } from '../../src/connectors/known.ts';
import { settingsFor } from './support/open-room.ts';

it('what came is written to its end before the fetches count as settled', async () => {
  const ending = new AbortController();
  const written = Promise.withResolvers<string>();
  const began = Promise.withResolvers<void>();
  const documents = documentFetches({
    known: createKnown(settingsFor('http://127.0.0.1:9')),
    life: ending.signal,
    fetch: async () => '{}',
    keep: () => {
      began.resolve();
      return written.promise;
    },
    arrived: () => undefined,
    report: () => undefined,
  });
  const fetched = documents.fetch({
    name: 'mail',
    api: 'mail',
    displayName: 'Mail',
    status: 'Connected',
    disabled: false,
    apiPath: '/mail',
  });
  await began.promise;
  ending.abort();
  let settled = false;
  const all = documents.settled().then(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(settled).toBe(false);
  written.resolve('0.json');
  await Promise.all([all, fetched]);
  expect(settled).toBe(true);
});
