import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createArtifacts } from '../../src/artifacts/create-artifacts.ts';
import { failuresTold } from '../../src/artifacts/failures-told.ts';
import { ToolcribError } from '../../src/errors.ts';
import { createRedactor } from '../../src/telemetry/redactor.ts';

type Put = ReturnType<typeof failuresTold>;
const text = { mimeType: 'text/plain', name: 'a.txt' };
const refused = new ToolcribError('credentials_refused', 'The bucket answered 403.');
const large = new ToolcribError('artifact_quota_exceeded', 'Too large.');

test('that nothing can be stored is told once, and anew where it had worked in between', async () => {
  const told: unknown[] = [];
  const outcomes = [large, refused, refused, undefined, refused];
  const put = failuresTold(
    async () => {
      const error = outcomes.shift();
      if (error !== undefined) throw error;
      return {} as Awaited<ReturnType<Put>>;
    },
    (error) => told.push(error),
  );
  const counts: number[] = [];
  for (let times = 0; times < 5; times++) {
    await put(Buffer.from('a'), text).catch(() => undefined);
    counts.push(told.length);
  }
  expect(counts).toEqual([0, 1, 1, 1, 2]);
  expect(told).toEqual([refused, refused]);
});

test('the artifacts of a gateway say so', async () => {
  const told: unknown[] = [];
  const artifacts = createArtifacts({
    store: undefined,
    // no folder can be made below a file
    place: join(import.meta.filename, 'artifacts'),
    egress: { request: () => Promise.reject(new Error('not asked')) },
    env: {},
    redactor: createRedactor(),
    failed: (error) => told.push(error),
  });
  await expect(artifacts.put(Buffer.from('a'), text)).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(told).toMatchObject([{ code: 'store_unavailable' }]);
});
