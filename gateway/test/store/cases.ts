import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createDurableEvents } from '../../src/events/durable-events.ts';
import { NEWEST_VERSION, storeVersion } from '../../src/store/migrate.ts';
import { raiseRevisions } from '../../src/store/revisions.ts';
import { addOrganisation, callEnded, callStarted } from './support/records.ts';
import type { StoreBench } from './support/stores.ts';

/** What a store promises, whatever it is made of. */
export function storeCases({ dialect, open }: StoreBench): void {
  it('comes with every table at the newest version, also when two open it at once', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    expect(await storeVersion(one.database, dialect)).toBe(NEWEST_VERSION);
    expect(await two.database.selectFrom('organisations').selectAll().execute()).toEqual([]);
    expect(one.process).toMatch(/^[0-9a-f]{32}$/);
    expect(one.process).not.toBe(two.process);
  });

  it('keeps whole numbers of 64 bits as numbers', async () => {
    const store = await open();
    const created_at = Date.UTC(2026, 10, 21);
    await store.database
      .insertInto('organisations')
      .values({ id: 'acme', name: 'Acme', tools: null, features: '[]', created_at })
      .execute();
    expect(await store.database.selectFrom('organisations').selectAll().execute()).toEqual([
      { id: 'acme', name: 'Acme', tools: null, features: '[]', created_at },
    ]);
  });

  it.each([
    ['a second record of one key', 'acme', 'record_conflict'],
    ['a record of an organisation that is not there', 'nobody', 'record_invalid'],
  ])('refuses %s', async (_, organisation, code) => {
    const store = await open();
    await addOrganisation(store, 'acme');
    const role = { organisation_id: organisation, name: 'admin', permissions: '[]' };
    if (organisation === 'acme') await store.database.insertInto('roles').values(role).execute();
    await expect(store.database.insertInto('roles').values(role).execute()).rejects.toMatchObject({ code });
  });

  it('says of U+0000 in a text that it is no text of PostgreSQL', async () => {
    const store = await open();
    const asked = store.database.selectFrom('roles').selectAll().where('name', '=', 'a\0b').execute();
    if (store.dialect === 'sqlite') expect(await asked).toEqual([]);
    else await expect(asked).rejects.toMatchObject({ code: 'record_invalid' });
  });

  it('forgets everything of an organisation that is deleted, and leaves its users without one', async () => {
    const store = await open();
    await addOrganisation(store, 'acme');
    await store.database
      .insertInto('users')
      .values({ id: 'ann', organisation_id: 'acme', name: 'Ann', status: 'active', created_at: 0 })
      .execute();
    await store.database
      .insertInto('access_levels')
      .values({
        organisation_id: 'acme',
        subject: '',
        scope: 'category:ats',
        level: 'read-only',
        updated_at: 0,
      })
      .execute();
    await store.database.deleteFrom('organisations').where('id', '=', 'acme').execute();
    expect(await store.database.selectFrom('access_levels').selectAll().execute()).toEqual([]);
    expect(await store.database.selectFrom('users').select('organisation_id').execute()).toEqual([
      { organisation_id: null },
    ]);
  });

  it('rolls back a transaction that throws, and goes on', async () => {
    const store = await open();
    const failing = store.transaction(async (transaction) => {
      await transaction.insertInto('revisions').values({ scope: 'half', revision: 1 }).execute();
      throw new Error('stop here');
    });
    await expect(failing).rejects.toThrow('stop here');
    expect(await store.revision('half')).toBe(0);
    await store.change(['whole'], async () => {});
    expect(await store.revision('whole')).toBeGreaterThan(0);
  });

  it('lets no other statement into a transaction, however slow it is', async () => {
    const store = await open();
    const entered = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const transaction = store.transaction(async (open) => {
      await open.insertInto('revisions').values({ scope: 'a', revision: 7 }).execute();
      entered.resolve();
      await proceed.promise;
      throw new Error('never mind');
    });
    await entered.promise;
    const beside = store.database.insertInto('revisions').values({ scope: 'b', revision: 1 }).execute();
    const events = createDurableEvents({ store });
    const appended = events.append({ type: 'source-failed', source: 'pets', message: 'gone' });
    proceed.resolve();
    await expect(transaction).rejects.toThrow('never mind');
    await beside;
    await appended;
    expect(await store.revision('a')).toBe(0);
    expect(await store.revision('b')).toBe(1);
    expect(await events.list()).toHaveLength(1);
    await events.close();
  });

  it('runs transactions that raise the same scopes one after the other', async () => {
    const [one, two] = [await open(), await open()];
    const changes = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? one : two).transaction((open) =>
        raiseRevisions(open, one.dialect, index % 3 === 0 ? ['x', 'y'] : ['y', 'x']),
      ),
    );
    const raised = await Promise.all(changes);
    expect(new Set(raised.map((scopes) => scopes.get('x'))).size).toBe(40);
  });

  it('lets changes of one scope follow each other: none reads what another is about to change', async () => {
    const [one, two] = [await open(), await open()];
    await addOrganisation(one, 'acme');
    const changes = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? one : two).change(['organisation:acme'], async (open) => {
        const { name } = await open.selectFrom('organisations').select('name').executeTakeFirstOrThrow();
        await open
          .updateTable('organisations')
          .set({ name: `${name}+` })
          .execute();
      }),
    );
    await Promise.all(changes);
    const { name } = await one.database.selectFrom('organisations').select('name').executeTakeFirstOrThrow();
    expect(name).toBe(`acme${'+'.repeat(10)}`);
  });

  it('says so at once when a transaction is opened inside another', async () => {
    const store = await open();
    const nested = store.transaction(() => store.transaction(async () => {}));
    await expect(nested).rejects.toMatchObject({ code: 'internal' });
    await store.change(['after'], async () => {});
    expect(await store.revision('after')).toBeGreaterThan(0);
  });

  it('shows a revision to other processes with the commit, and not before', async () => {
    const [one, two] = [await open(), await open()];
    expect(await two.revision('organisation:acme')).toBe(0);
    await one.change(['organisation:acme'], async () => {});
    const first = await two.revision('organisation:acme');
    expect(first).toBeGreaterThan(0);
    expect(await one.revision('organisation:acme')).toBe(first);
    await two.change(['organisation:acme', 'organisation:acme'], async () => {});
    expect(await one.revision('organisation:acme')).toBeGreaterThan(first);
  });

  it.each([
    ['its last change', 5],
    ['every change of it', undefined],
  ])('gives no revision twice after the store lost %s', async (_, left) => {
    const store = await open();
    const scope = 'organisation:acme';
    await store.change([scope], async () => {});
    const lost = await store.revision(scope);
    if (left === undefined) await store.database.deleteFrom('revisions').where('scope', '=', scope).execute();
    else await store.database.updateTable('revisions').set({ revision: left }).execute();
    await setTimeout(2);
    await store.change([scope], async () => {});
    expect(await store.revision(scope)).toBeGreaterThan(lost);
  });

  it('gives a later revision also where its clock went back', async () => {
    const store = await open();
    const ahead = Date.now() + 3_600_000;
    await store.database.insertInto('revisions').values({ scope: 'a', revision: ahead }).execute();
    await store.change(['a'], async () => {});
    expect(await store.revision('a')).toBe(ahead + 1);
  });

  it('tells listeners of a change: here at once, in other processes a moment later', async () => {
    const [one, two] = [await open(), await open()];
    const heard: Record<'one' | 'two', string[]> = { one: [], two: [] };
    one.onChange((scope) => heard.one.push(scope));
    const stop = two.onChange((scope) => heard.two.push(scope));
    // a connection that listens says when it begins to
    if (dialect === 'postgres') await expect.poll(() => [...heard.one, ...heard.two]).toEqual(['*', '*']);
    await one.change(['organisation:acme', 'keys'], async () => {});
    expect(heard.one.filter((scope) => scope !== '*').sort()).toEqual(['keys', 'organisation:acme']);
    await expect
      .poll(() => heard.two.filter((scope) => scope !== '*').sort())
      .toEqual(['keys', 'organisation:acme']);
    stop();
    await one.change(['catalog'], async () => {});
    await expect.poll(() => heard.one).toContain('catalog');
    expect(heard.two).not.toContain('catalog');
    expect(heard.one.filter((scope) => scope === 'keys')).toHaveLength(1);
  });

  it('tells other processes of events that were appended', async () => {
    const [one, two] = [await open(), await open()];
    let told = 0;
    two.onAppend(() => {
      told++;
    });
    const events = createDurableEvents({ store: one });
    await expect
      .poll(async () => {
        await events.append({ type: 'source-failed', source: 'pets', message: 'gone' });
        return told;
      })
      .toBeGreaterThan(0);
    await events.close();
  });

  it('appends what is new, with its usage row, and nothing of what is known', async () => {
    const store = await open();
    const events = createDurableEvents({ store });
    await events.append(callStarted('c1'));
    const first = await events.append(callEnded('c1'));
    const again = await Promise.all([
      events.append(callEnded('c1', { durationMs: 99 })),
      events.append(callStarted('c2')),
      events.append(callEnded('c1', { durationMs: 98 })),
      events.append(callEnded('c2')),
    ]);
    expect(again.map((event) => ('durationMs' in event ? event.durationMs : undefined))).toEqual([
      12.5,
      undefined,
      12.5,
      12.5,
    ]);
    expect(again[0]).toEqual(first);
    const usage = await store.database.selectFrom('skill_usage_logs').select('duration_ms').execute();
    expect(usage).toEqual([{ duration_ms: 12.5 }, { duration_ms: 12.5 }]);
    expect((await events.list()).map(({ type }) => type)).toEqual([
      'call-started',
      'call-completed',
      'call-started',
      'call-completed',
    ]);
    await expect(events.append(callStarted('c1'))).rejects.toMatchObject({ code: 'internal' });
    await events.close();
  });

  it('says that it is unavailable once it is closed', async () => {
    const store = await open();
    await store.close();
    await expect((async () => store.revision('x'))()).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(store.database.selectFrom('users').selectAll().execute()).rejects.toThrow();
    await store.close();
  });
}
