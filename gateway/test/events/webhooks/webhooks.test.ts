import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEgress, type Egress } from '../../../src/egress/index.ts';
import { createDurableEvents } from '../../../src/events/durable-events.ts';
import type { EventLog } from '../../../src/events/event-log.ts';
import { type RunningWebhooks, startWebhooks } from '../../../src/events/webhooks/start-webhooks.ts';
import type { Webhook } from '../../../src/events/webhooks/webhook.ts';
import { webhookStates } from '../../../src/events/webhooks/webhook-states.ts';
import type { EventBody } from '../../../src/operations/index.ts';
import type { Store } from '../../../src/store/store.ts';
import { startReceiver, type WebhookReceiver } from '../../doubles/webhook-receiver.ts';
import { callEnded, callStarted } from '../../store/support/records.ts';
import { onEveryStore } from '../../store/support/stores.ts';

const KEY = Buffer.from('a signing key of some length');
const note = (message: string): EventBody => ({ type: 'source-failed', source: 'pets', message });

onEveryStore(({ open }) => {
  let receiver: WebhookReceiver;
  let egress: Egress;
  const ends: Array<() => Promise<unknown>> = [];
  beforeEach(async () => {
    receiver = await startReceiver(KEY);
    egress = createEgress({ allow: [new URL(receiver.url).origin] });
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    await egress.close();
    await receiver.close();
  });

  /** One process: its log, and its webhooks. The first failure waits for nothing. */
  const process = async (more: Partial<Webhook> = {}, given?: Store) => {
    const store = given ?? (await open());
    const log = createDurableEvents({ store, recover: false });
    const errors: unknown[] = [];
    const start = (): RunningWebhooks =>
      startWebhooks({
        store,
        log,
        egress,
        webhooks: [
          {
            name: 'ops',
            url: receiver.url,
            secret: async () => `whsec_${KEY.toString('base64')}`,
            format: 'event',
            attempts: 3,
            ...more,
          },
        ],
        link: (event) => ('approval' in event ? `https://crib.example/a/${event.approval}` : undefined),
        onError: (error) => errors.push(error),
        onFailing: () => undefined,
        random: () => 1,
      });
    let running = start();
    ends.push(
      () => log.close(),
      () => running.stop(),
    );
    return {
      store,
      log,
      errors,
      stop: () => running.stop(),
      restart: () => {
        running = start();
      },
    };
  };
  /** The webhook has its row, so that what comes next is for it. */
  const begun = (store: Store) => expect.poll(async () => (await webhookStates(store)).length).toBe(1);
  /** Nobody waits for the next attempt. */
  const due = (store: Store) => store.database.updateTable('webhooks').set({ next_at: 0 }).execute();
  const append = async (log: EventLog, count: number, from = 0) => {
    for (let n = 0; n < count; n++) await log.append(note(`m${from + n}`));
  };

  describe('a webhook', () => {
    it('gets what comes after it began, signed, in order', async () => {
      const { store, log } = await process();
      await log.append(note('before'));
      await begun(store);
      const events = [
        await log.append(callStarted('c1')),
        await log.append(callEnded('c1', { summary: 'x' })),
      ];
      await expect
        .poll(() => receiver.taken)
        .toEqual(expect.arrayContaining(events.map(({ sequence }) => sequence)));
      const [first] = receiver.received.filter(({ body }) => body.type === 'call-started');
      expect(first).toMatchObject({
        signed: true,
        body: {
          type: 'call-started',
          timestamp: events[0]!.time,
          data: { sequence: events[0]!.sequence, call: 'c1' },
        },
      });
      expect(first!.headers['content-type']).toBe('application/json');
      expect(Math.abs(first!.timestamp - Date.now() / 1000)).toBeLessThan(60);
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length);
    });

    it('gets nothing of what was before it', async () => {
      const { store, log, stop, restart } = await process();
      await begun(store);
      await stop();
      await store.database.deleteFrom('webhooks').execute();
      await append(log, 3);
      restart();
      await begun(store);
      const { sequence } = await log.append(note('after'));
      await expect.poll(() => receiver.taken).toEqual([sequence]);
    });

    it('gets only the types that it wants, in the words that it wants', async () => {
      const { store, log } = await process({ types: ['call-completed'], format: 'run' });
      await begun(store);
      await log.append(callStarted('c1'));
      await log.append(callEnded('c1', { summary: 'text, 2 characters' }));
      await expect.poll(() => receiver.taken).toHaveLength(1);
      expect(receiver.received[0]!.body).toMatchObject({
        type: 'TOOL_CALL_COMPLETED',
        data: { correlation_id: 'c1', summary: 'text, 2 characters' },
      });
    });

    it('is past what is not for it', async () => {
      const { store, log } = await process({ types: ['call-completed'] });
      await begun(store);
      await append(log, 3);
      await expect.poll(async () => (await webhookStates(store))[0]?.behind).toBe(0);
      expect(receiver.received).toEqual([]);
    });

    it('begins again where the store was begun anew and counts from one', async () => {
      const { store, log, stop, restart } = await process();
      await begun(store);
      await stop();
      const first = await log.append(note('first'));
      await store.database.updateTable('webhooks').set({ cursor: 1000 }).execute();
      restart();
      const cursor = async () =>
        Number((await store.database.selectFrom('webhooks').select('cursor').executeTakeFirst())?.cursor);
      await expect.poll(cursor).toBeLessThan(1000);
      const second = await log.append(note('second'));
      await expect.poll(() => receiver.taken).toEqual([first.sequence, second.sequence]);
    });

    it('gets a link with an approval that waits', async () => {
      const { store, log } = await process();
      await begun(store);
      await log.append({
        type: 'approval-requested',
        approval: 'p1',
        principal: 'ann',
        tool: 't',
        source: 's',
        operation: 'o',
        state: 'pending',
      });
      await expect.poll(() => receiver.taken).toHaveLength(1);
      expect(receiver.received[0]!.body.data['link']).toBe('https://crib.example/a/p1');
    });

    it('goes on where it was after a restart, and misses nothing in between', async () => {
      const first = await process();
      await begun(first.store);
      await append(first.log, 3);
      await expect.poll(() => receiver.taken).toHaveLength(3);
      // what was taken and is not noted yet would come once more
      await expect.poll(async () => (await webhookStates(first.store))[0]?.behind).toBe(0);
      await first.stop();
      await append(first.log, 3, 3);
      first.restart();
      await expect.poll(() => receiver.taken).toHaveLength(6);
      expect(receiver.received.map(({ body }) => body.data['message'])).toEqual(
        Array.from({ length: 6 }, (_, n) => `m${n}`),
      );
    });

    it('is told by one process at a time, whichever appended', async () => {
      const one = await process();
      await begun(one.store);
      const other = await process();
      await Promise.all([append(one.log, 20), append(other.log, 20, 20)]);
      await expect.poll(() => receiver.taken).toHaveLength(40);
      expect(receiver.taken).toEqual([...receiver.taken].sort((a, b) => a - b));
      expect(new Set(receiver.taken).size).toBe(40);
    });

    it('is told apart by its ids from another one of the same receiver', async () => {
      const { store, log } = await process();
      await process({ name: 'audit' }, store);
      await expect.poll(async () => (await webhookStates(store)).length).toBe(2);
      await append(log, 1);
      await expect.poll(() => receiver.received).toHaveLength(2);
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
    });

    it('is taken over when its process stops', async () => {
      const one = await process();
      await begun(one.store);
      const other = await process();
      await one.stop();
      await append(other.log, 2);
      // a lease that was given back is found at the next look
      await other.stop();
      other.restart();
      await expect.poll(() => receiver.taken).toHaveLength(2);
    });
  });

  describe('a receiver that fails', () => {
    it('gets the same event again, with the same id, before any later one', async () => {
      const { store, log } = await process();
      await begun(store);
      let failures = 2;
      receiver.answer = () => (failures-- > 0 ? 503 : 204);
      await append(log, 2);
      for (const attempts of [1, 2]) {
        await expect.poll(async () => (await webhookStates(store))[0]?.attempts).toBe(attempts);
        expect(receiver.received).toHaveLength(attempts);
        await due(store);
        // the next look is half a minute away: another process would see it at once
        const helper = await process({}, store);
        await expect.poll(async () => (await webhookStates(store))[0]?.attempts).not.toBe(attempts);
        await helper.stop();
      }
      await expect.poll(() => receiver.taken).toHaveLength(2);
      const ids = receiver.received.map(({ id }) => id);
      expect(new Set(ids.slice(0, 3)).size).toBe(1);
      expect(ids[3]).not.toBe(ids[0]);
      expect((await webhookStates(store))[0]).toMatchObject({ state: 'active', attempts: 0, deadLetters: 0 });
    });

    it('counts as failing after its attempts, loses nothing, and mends by itself', async () => {
      const { store, log } = await process({ attempts: 1 });
      await begun(store);
      receiver.answer = () => 500;
      await append(log, 2);
      await expect
        .poll(async () => (await webhookStates(store))[0])
        .toMatchObject({
          state: 'failing',
          attempts: 1,
          behind: 2,
          error: 'The receiver answered 500.',
        });
      receiver.answer = () => 204;
      await due(store);
      await process({}, store);
      await expect.poll(() => receiver.taken).toHaveLength(2);
      await expect
        .poll(async () => (await webhookStates(store))[0])
        .toMatchObject({ state: 'active', behind: 0 });
    });

    it('that answers 200 and then goes on without end has taken the event', async () => {
      const { store, log } = await process();
      await begun(store);
      receiver.answer = () => 200;
      receiver.floods = true;
      await append(log, 3);
      await expect
        .poll(async () => (await webhookStates(store))[0])
        .toMatchObject({ behind: 0, attempts: 0 });
      expect(receiver.received.map(({ body }) => body.data['sequence'])).toEqual([1, 2, 3]);
    });

    it('that refuses one event for good gets the others', async () => {
      const { store, log } = await process({ attempts: 1 });
      await begun(store);
      receiver.answer = ({ body }) => (body.data['message'] === 'm1' ? 422 : 204);
      await append(log, 3);
      await expect.poll(() => receiver.taken).toHaveLength(2);
      expect(await webhookStates(store)).toMatchObject([{ state: 'active', attempts: 0, deadLetters: 1 }]);
      const letters = await store.database.selectFrom('webhook_dead_letters').selectAll().execute();
      expect(letters).toMatchObject([{ webhook: 'ops', error: 'The receiver answered 422.' }]);
    });

    it('never keeps a call waiting, and ends with the gateway', async () => {
      const { store, log, stop } = await process();
      await begun(store);
      const asked = Promise.withResolvers<void>();
      receiver.answer = () => {
        asked.resolve();
        return new Promise<number>(() => undefined);
      };
      const started = performance.now();
      await append(log, 50);
      expect(performance.now() - started).toBeLessThan(5000);
      await asked.promise;
      await stop();
      expect((await webhookStates(store))[0]).toMatchObject({ attempts: 0 });
    });

    it('says what is missing where the secret cannot be read', async () => {
      const secret = async () => {
        throw new Error('The environment variable HOOK, named by events.webhooks, is not set.');
      };
      const { store, log } = await process({ secret });
      await begun(store);
      await append(log, 1);
      await expect.poll(async () => (await webhookStates(store))[0]?.error).toContain('HOOK');
      expect(receiver.received).toEqual([]);
    });
  });

  it('nobody is told of news any more once they are stopped', async () => {
    const store = await open();
    const told: unknown[] = [];
    const subscribe = (tell: unknown) => {
      told.push(tell);
      return () => void told.splice(told.indexOf(tell), 1);
    };
    const log = { subscribe, list: async () => [] };
    const parts = { egress, webhooks: [], onError: () => undefined, onFailing: () => undefined };
    const running = startWebhooks({ ...parts, log, store: { ...store, onAppend: subscribe } });
    expect(told).toHaveLength(2);
    await running.stop();
    expect(told).toEqual([]);
  });

  it('a secret that is no whsec_ is taken as its bytes', async () => {
    const { store, log } = await process({ secret: async () => KEY.toString() });
    await begun(store);
    await append(log, 1);
    await expect.poll(() => receiver.received[0]?.signed).toBe(true);
  });
});
