import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { ToolcribError } from '../../src/errors.ts';
import { createDurableEvents } from '../../src/events/durable-events.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { callEnded, callStarted } from '../store/support/records.ts';
import { onEveryStore } from '../store/support/stores.ts';
import { durableEventCases } from './durable-cases.ts';

onEveryStore(durableEventCases);

describe('a store that cannot be written', () => {
  let folder = '';
  let store: Store | undefined;
  afterEach(async () => {
    await store?.close();
    rmSync(folder, { recursive: true });
  });
  const open = async () => {
    folder = mkdtempSync(join(tmpdir(), 'toolcrib-events-'));
    chmodSync(folder, 0o700);
    store = await openStore(`sqlite:${join(folder, 'toolcrib.db')}`);
    return store;
  };
  /** Refuses every new event, as a full disk would, until it is taken away. */
  const refuse = () => {
    const database = new DatabaseSync(join(folder, 'toolcrib.db'), { timeout: 5000 });
    database.exec(
      `create trigger full before insert on events begin select raise(abort, 'disk is full'); end`,
    );
    return () => {
      database.exec('drop trigger full');
      database.close();
    };
  };

  it('refuses the start of a call, and nothing of it is left', async () => {
    const events = createDurableEvents({ store: await open() });
    await events.append(callStarted('before'));
    const mend = refuse();
    await expect(events.append(callStarted('refused'))).rejects.toMatchObject({ code: 'store_unavailable' });
    mend();
    await events.append(callEnded('before'));
    await events.close();
    expect(await events.list(0, { type: 'call-started' })).toHaveLength(1);
  });

  it.each(['with its start', 'after its start', 'once the store takes it'])(
    'refuses a call that reads and ends %s, and nothing of it is left',
    async (when) => {
      const errors: string[] = [];
      const onError = (_: ToolcribError, body?: { type: string }) => errors.push(body?.type ?? '');
      const events = createDurableEvents({ store: await open(), onError });
      await events.append(callStarted('before', { access: 'write' }));
      const mend = refuse();
      const start = events.append(callStarted('refused', { access: 'read' }));
      if (when !== 'with its start') await start.catch(() => undefined);
      if (when.startsWith('once')) mend();
      const end = events.append(callEnded('refused', { access: 'read' }));
      await expect(start).rejects.toMatchObject({ code: 'store_unavailable' });
      await expect(end).rejects.toMatchObject({ code: 'store_unavailable' });
      expect(errors).toEqual(['call-started']);
      if (!when.startsWith('once')) mend();
      await events.append(callEnded('before'));
      await events.close();
      const calls = (await events.list()).map((event) => ('call' in event ? event.call : undefined));
      expect(calls).toEqual(['before', 'before']);
    },
  );

  it('keeps the end of a call, says so, and writes it as soon as it can', async () => {
    const errors: Array<[string, string | undefined]> = [];
    const onError = (error: ToolcribError, body?: { type: string }) => errors.push([error.code, body?.type]);
    const events = createDurableEvents({ store: await open(), onError });
    await events.append(callStarted('c1', { access: 'write' }));
    const mend = refuse();
    await expect(events.append(callEnded('c1'))).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(errors).toEqual([['store_unavailable', 'call-completed']]);
    mend();
    await expect
      .poll(async () => (await events.list()).map(({ type }) => type))
      .toEqual(['call-started', 'call-completed']);
    await events.close();
  });

  it('holds the end of a call back for a short fault without a word', async () => {
    const errors: unknown[] = [];
    const events = createDurableEvents({ store: await open(), onError: (error) => errors.push(error) });
    await events.append(callStarted('c1'));
    const mend = refuse();
    const ending = events.append(callEnded('c1'));
    await expect(events.append(callStarted('c2'))).rejects.toMatchObject({ code: 'store_unavailable' });
    mend();
    expect((await ending).type).toBe('call-completed');
    expect(errors).toHaveLength(1);
    await events.close();
  });

  it('a closed log takes nothing more', async () => {
    const events = createDurableEvents({ store: await open() });
    await events.close();
    await events.close();
    await expect(events.append(callStarted('late'))).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});
