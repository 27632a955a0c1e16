import { expect, it } from 'vitest';
import { createEventLog } from '../../../../../src/events/event-log.ts';
import { eventStream } from '../../../../../src/server/http/routes/events/event-stream.ts';
import { callStarted } from '../../../../store/support/records.ts';

it('ends, and sends nothing more, once its caller may read nothing any more', async () => {
  const log = createEventLog();
  let may = true;
  const released = Promise.withResolvers<void>();
  const response = eventStream(
    { events: (after, query) => log.list(after, query), onEvent: (listener) => log.subscribe(listener) },
    {
      after: 0,
      ends: [new AbortController().signal],
      shown: async () => {
        if (!may) throw new Error('gone');
        return () => true;
      },
      released: () => released.resolve(),
    },
  );
  await log.append(callStarted('before'));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('before')) text += (await reader.read()).value;
  may = false;
  await log.append(callStarted('after'));
  expect(await reader.read()).toMatchObject({ done: true });
  await released.promise;
  expect(text).not.toContain('after');
});
