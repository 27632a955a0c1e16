import { expect, it } from 'vitest';
import type { OpenedArtifact } from '../../../../../src/artifacts/index.ts';
import { artifactResponse } from '../../../../../src/server/http/routes/artifacts/artifact-response.ts';

/** An artifact of as many bytes, a part for each, and what is asked of it. */
function artifactOf(size: number) {
  const asked: unknown[] = [];
  const done = { parts: 0, left: false };
  const artifact: OpenedArtifact = {
    ...{ id: 'a'.repeat(32), uri: 'toolcrib:x', mimeType: 'text/plain', name: '', size, hash: 'h' },
    ...{ createdAt: new Date(0).toISOString(), expiresAt: new Date(1).toISOString() },
    stream(range) {
      asked.push(range);
      return new ReadableStream(
        {
          pull(controller) {
            if (done.parts++ < size) controller.enqueue(Buffer.from('x'));
            else controller.close();
          },
          cancel() {
            done.left = true;
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
  const ask = (method = 'GET') => artifactResponse(artifact, new Request('http://crib/x', { method }));
  return { asked, done, ask };
}

it('is read as it is taken, and no further where its reader goes', async () => {
  const { done, ask } = artifactOf(10);
  const reader = (await ask()).body!.getReader();
  await reader.read();
  expect(done).toEqual({ parts: 1, left: false });
  await reader.read();
  await reader.cancel();
  expect(done).toEqual({ parts: 2, left: true });
});

it('is looked at by its end alone for HEAD', async () => {
  const { asked, done, ask } = artifactOf(10);
  expect((await ask('HEAD')).headers.get('content-length')).toBe('10');
  expect(asked).toEqual([{ first: 9, last: 9 }]);
  expect(done).toEqual({ parts: 1, left: true });
  const empty = artifactOf(0);
  expect((await empty.ask('HEAD')).headers.get('content-length')).toBe('0');
  expect(empty.asked).toEqual([undefined]);
});

it('says when it was made, and has a name also where it was given none', async () => {
  const { headers } = await artifactOf(1).ask();
  expect(headers.get('last-modified')).toBe('Thu, 01 Jan 1970 00:00:00 GMT');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="artifact"/);
});
