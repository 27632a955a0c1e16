import { expect, test } from 'vitest';
import { boundUnread } from '../../../../src/server/mcp/http/bound-unread.ts';

/** What comes faster than it is read, and whether somebody still wants it. */
function written() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let cancelled: unknown;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: (reason) => {
      cancelled = reason;
    },
  });
  return {
    body,
    write: (text: string) => controller.enqueue(Buffer.from(text)),
    end: () => controller.close(),
    cancelled: () => cancelled,
  };
}

test('what is read comes as it was written, to its end', async () => {
  const { body, write, end } = written();
  const bounded = boundUnread(body, 10);
  write('first ');
  write('last');
  end();
  expect(await new Response(bounded).text()).toBe('first last');
});

test('a stream whose reader leaves too much unread ends, and nothing more is kept', async () => {
  const { body, write, cancelled } = written();
  const reader = boundUnread(body, 10).getReader();
  write('twelve bytes');
  await expect.poll(cancelled).toBeInstanceOf(Error);
  expect(await reader.read()).toMatchObject({ done: false });
  expect(await reader.read()).toMatchObject({ done: true });
});

test('a reader who goes ends what is written', async () => {
  const { body, cancelled } = written();
  await boundUnread(body).cancel('gone');
  expect(cancelled()).toBe('gone');
});
