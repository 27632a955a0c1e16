import { expect, it } from 'vitest';
import type { Egress } from '../../../src/egress/index.ts';
import { createDurableEvents } from '../../../src/events/durable-events.ts';
import { deliverEvents } from '../../../src/events/webhooks/deliver-events.ts';
import { hookProgress } from '../../../src/events/webhooks/progress.ts';
import { webhookStates } from '../../../src/events/webhooks/webhook-states.ts';
import type { EventBody } from '../../../src/operations/index.ts';
import { onEveryStore } from '../../store/support/stores.ts';

const note = (message: string): EventBody => ({ type: 'source-failed', source: 'pets', message });

onEveryStore(({ open }) => {
  /** A webhook with three events before it, whose receiver answers as a test says. */
  const bench = async (attempts = 3, types?: readonly string[], bodyOf = note) => {
    const store = await open();
    const log = createDurableEvents({ store, recover: false });
    const progress = hookProgress(store, 'ops');
    await progress.lease();
    await progress.release();
    for (const message of ['a', 'b', 'c']) await log.append(bodyOf(message));
    await log.close();
    const sent: string[] = [];
    const failing: string[] = [];
    /** Of each wait, whether another event ends it. */
    const waits: boolean[] = [];
    const hook = {
      name: 'ops',
      url: 'https://ops.example/hook',
      secret: async () => 's',
      format: 'event',
      attempts,
      ...(types === undefined ? {} : { types }),
    } as const;
    const ending = new AbortController();
    /** So many passes, each of which begins when the last one is over. */
    const passes = async (count: number, answer: (message: string) => Promise<number> | number) => {
      let left = count;
      const egress = {
        async request({ body }: { body: string }) {
          const { message } = JSON.parse(body).data as { message: string };
          sent.push(message);
          return { status: await answer(message), headers: {}, body: new Uint8Array(0), url: '' };
        },
      } as unknown as Egress;
      const news = {
        tell() {},
        mark: () => 0,
        async wait(_ms: number, mark?: number) {
          waits.push(mark !== undefined);
          await store.database.updateTable('webhooks').set({ next_at: 0 }).execute();
          if (--left === 0) ending.abort();
        },
        close() {},
      };
      const errors: unknown[] = [];
      const loop = {
        store,
        log,
        parts: { egress, origin: 'o' },
        onError: (error: unknown) => errors.push(error),
        onFailing: ({ name }: { name: string }, error: string) => failing.push(`${name}: ${error}`),
      };
      await deliverEvents(hook, loop, news, ending.signal);
      expect(errors).toEqual([]);
    };
    return {
      store,
      sent,
      failing,
      waits,
      ending,
      passes,
      state: async () => (await webhookStates(store))[0],
    };
  };

  it('who lost the lease tells no further event: another process does', async () => {
    const { store, sent, passes, state } = await bench();
    await passes(1, async () => {
      await store.database.updateTable('webhooks').set({ leased_by: 'another' }).execute();
      return 204;
    });
    expect(sent).toEqual(['a']);
    expect(await state()).toMatchObject({ behind: 3 });
  });

  it('one that begins to fail is told of, and again only once it worked in between', async () => {
    const { failing, passes } = await bench(9);
    const answers = [500, 500, 500, 204, 503, 503, 204, 204];
    await passes(answers.length, () => answers.shift() ?? 204);
    expect(failing).toEqual(['ops: The receiver answered 500.', 'ops: The receiver answered 503.']);
  });

  it('what was taken while the gateway ends is not told again', async () => {
    const { sent, ending, passes, state } = await bench();
    await passes(1, () => {
      ending.abort();
      return 204;
    });
    expect(sent).toEqual(['a']);
    expect(await state()).toMatchObject({ behind: 2 });
  });

  it('an event that is refused is set aside after its attempts, and no sooner', async () => {
    const { sent, passes, state } = await bench(2);
    await passes(1, () => 422);
    expect(await state()).toMatchObject({ attempts: 1, deadLetters: 0, behind: 3 });
    expect(sent).toEqual(['a']);
  });

  it('what is none for it is passed over, and leads back to nothing that was told behind it', async () => {
    const bodyOf = (message: string): EventBody =>
      message === 'a' ? { type: 'source-recovered', source: 'pets', message } : note(message);
    const { sent, passes, state } = await bench(3, ['source-failed'], bodyOf);
    await passes(3, () => 204);
    expect(sent).toEqual(['b', 'c']);
    expect(await state()).toMatchObject({ behind: 0 });
  });

  it('failures of one event do not count for the next', async () => {
    const { sent, passes, state } = await bench(2);
    const answers = [422, 204, 422];
    await passes(2, () => answers.shift() ?? 204);
    expect(sent).toEqual(['a', 'a', 'b']);
    expect(await state()).toMatchObject({ attempts: 1, deadLetters: 0, behind: 2 });
  });

  it('is not told before the pause after a failure is over, also by a process that begins anew', async () => {
    const { store, sent, waits, passes } = await bench();
    const later = Date.now() + 60_000;
    await store.database.updateTable('webhooks').set({ attempts: 1, next_at: later }).execute();
    await passes(1, () => 204);
    expect(sent).toEqual([]);
    // nor looked at with each event that comes meanwhile
    expect(waits).toEqual([false]);
  });

  it('an event that is refused as often as it may be leaves room for the next', async () => {
    const { sent, passes, state } = await bench(2);
    await passes(3, (message) => (message === 'a' ? 422 : 204));
    expect(await state()).toMatchObject({ attempts: 0, deadLetters: 1, behind: 0 });
    expect(sent).toEqual(['a', 'a', 'b', 'c']);
  });
});
