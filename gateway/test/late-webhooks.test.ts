import { expect, test } from 'vitest';
import { approvalAskedFor, DROP_API, PERSON } from './approved-calls.ts';
import { startReceiver } from './doubles/webhook-receiver.ts';
import { liveFolder } from './live-folder.ts';

const SECRET = 'a-signing-secret';

test('a receiver that hears of a question after its decision is told of it without a link, and of what comes behind', async () => {
  const receiver = await startReceiver(Buffer.from(SECRET));
  const { put, configure, start } = await liveFolder();
  await put('a.json', JSON.stringify(DROP_API));
  await configure({
    watch: false,
    store: 'sqlite:./store.db',
    policy: { approvals: { url: 'https://crib.example' } },
    events: { webhooks: [{ url: receiver.url, secret: SECRET, types: ['approval-requested'] }] },
    sources: { a: { openapi: './a.json' } },
  });
  const gateway = await start();
  await gateway.listen({ host: '127.0.0.1', port: 0 });
  const ask = async (id: number) =>
    approvalAskedFor(await gateway.call({ tool: 'a_drop', arguments: { id } }))!;
  const busy = Promise.withResolvers<void>();
  receiver.answer = async () => {
    await busy.promise;
    return 204;
  };
  // webhooks begin a while after the gateway listens, with what happens then
  let id = 0;
  await expect
    .poll(
      async () => {
        await ask(++id);
        return receiver.received.length;
      },
      { interval: 200 },
    )
    .toBeGreaterThan(0);
  const decided = await ask(++id);
  const approvals = await gateway.approvals();
  await approvals.decide(decided, { decision: 'reject' }, PERSON);
  const open = await ask(++id);
  busy.resolve();
  const linkOf = (approval: string) =>
    receiver.received.find(({ body }) => body.data['approval'] === approval)?.body.data;
  await expect.poll(() => linkOf(open)).toMatchObject({ link: expect.stringContaining('/approve/') });
  expect(linkOf(decided)).toBeDefined();
  expect(linkOf(decided)).not.toHaveProperty('link');
  await receiver.close();
});
