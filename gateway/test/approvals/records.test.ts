import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryRecords } from '../../src/approvals/memory-records.ts';
import { type ApprovalRecords, PAUSE_MS, type StoredApproval } from '../../src/approvals/records.ts';
import { createStoreRecords } from '../../src/approvals/store-records.ts';
import type { StandingApproval } from '../../src/operations/index.ts';
import type { Store } from '../../src/store/store.ts';
import { onEveryStore, type StoreBench } from '../store/support/stores.ts';

const NOW = 1_800_000_000_000;

const pending = (id: string, changes: Partial<StoredApproval> = {}): StoredApproval => ({
  id,
  state: 'pending',
  principal: 'ann',
  organisation: 'acme',
  tool: 'deleteItem',
  source: 'stock',
  operation: 'deleteItem',
  access: 'write',
  definition: 'sha256:d',
  argumentsHash: 'sha256:a',
  policy: 'sha256:p',
  preview: {},
  reason: 'It deletes.',
  standing: 'tool',
  createdAt: NOW,
  expiresAt: NOW + 1_000,
  call: `call-${id}`,
  run: 'run-1',
  rounds: 0,
  ...changes,
});

const standing = (id: string, changes: Partial<StandingApproval> = {}): StandingApproval => ({
  id,
  principal: 'ann',
  organisation: 'acme',
  tool: 'deleteItem',
  source: 'stock',
  operation: 'deleteItem',
  definition: 'sha256:d',
  approval: 'one',
  createdAt: NOW,
  createdBy: 'root',
  channel: 'cli',
  ...changes,
});

const yes = (at: number) => ({ state: 'approved', at, by: 'root', channel: 'cli' }) as const;

/** What every place that keeps approvals promises. */
function recordsCases(open: () => Promise<ApprovalRecords>): void {
  let records: ApprovalRecords;
  const stateOf = async (id: string) => (await records.get(id))?.state;
  beforeEach(async () => {
    records = await open();
    await records.insert(pending('one'));
    await records.insert(pending('other'));
  });

  it('changes the one that is named, from the states that are named, once', async () => {
    expect(await records.decide('one', yes(NOW))).toMatchObject({ id: 'one', state: 'approved' });
    expect(await records.decide('one', { ...yes(NOW), state: 'denied' })).toBeUndefined();
    expect(await records.use('one', 'call-x', NOW)).toMatchObject({ state: 'executing', usedBy: 'call-x' });
    expect(await records.use('one', 'call-y', NOW)).toBeUndefined();
    expect(await records.end('one', ['pending', 'approved'], 'stale')).toBeUndefined();
    expect(await records.finish('one', 'executed')).toMatchObject({ state: 'executed' });
    expect(await records.finish('one', 'failed')).toBeUndefined();
    expect(await records.use('other', 'call-x', NOW)).toBeUndefined();
    expect(await stateOf('other')).toBe('pending');
    expect(await records.end('other', ['pending'], 'denied')).toMatchObject({ state: 'denied' });
  });

  it('is decided and used before it expires', async () => {
    expect(await records.decide('one', yes(NOW + 1_000), standing('s'))).toBeUndefined();
    expect(await records.getStanding('s')).toBeUndefined();
    await records.decide('one', yes(NOW + 999));
    expect(await records.use('one', 'call-x', NOW + 1_000)).toBeUndefined();
    expect(await records.use('one', 'call-x', NOW + 999)).toMatchObject({ state: 'executing' });
  });

  it('goes on from each round once, however many go on at the same time', async () => {
    expect(await records.goOn('one', 0, 'call-x')).toBeUndefined();
    await records.decide('one', yes(NOW));
    await records.use('one', 'call-x', NOW);
    await records.pause('one');
    const goers = await Promise.all(['a', 'b', 'c'].map((call) => records.goOn('one', 0, call)));
    expect(goers.filter((gone) => gone !== undefined)).toMatchObject([{ rounds: 1 }]);
    expect(await records.goOn('one', 0, 'late')).toBeUndefined();
    expect(await records.goOn('one', 1, 'next')).toMatchObject({ rounds: 2, usedBy: 'next' });
    expect((await records.get('other'))?.rounds).toBe(0);
  });

  it('pauses what is carried out, and nothing else', async () => {
    expect(await records.pause('one')).toBeUndefined();
    await records.decide('one', yes(NOW));
    expect(await records.pause('one')).toBeUndefined();
    await records.use('one', 'call-x', NOW);
    expect(await records.pause('one')).not.toHaveProperty('usedBy');
    await records.goOn('one', 0, 'call-y');
    await records.finish('one', 'executed');
    expect(await records.pause('one')).toBeUndefined();
    expect(await records.get('one')).toMatchObject({ state: 'executed', usedBy: 'call-y' });
  });

  it('tells of each change, of an agreement that is taken back, too', async () => {
    let told = 0;
    const stop = records.onChange(() => told++);
    const tells = async (change: () => Promise<unknown>) => {
      const before = told;
      await change();
      await expect.poll(() => told).toBeGreaterThan(before);
    };
    await tells(() => records.insert(pending('new')));
    await tells(() => records.decide('new', yes(NOW), standing('s')));
    await tells(() => records.revokeStanding('s'));
    stop();
  });

  it('lists what the filter means, and counts what waits', async () => {
    await records.insert(pending('bobs', { principal: 'bob', createdAt: NOW + 1 }));
    await records.insert(pending('elsewhere', { organisation: 'ltd', tool: 'addItem', source: 'shop' }));
    const { organisation: _none, ...nobodys } = pending('free');
    await records.insert(nobodys);
    await records.decide('one', yes(NOW));
    const ids = async (filter: Partial<Parameters<ApprovalRecords['list']>[0]>) =>
      (await records.list({ limit: 10, ...filter })).map(({ id }) => id).sort();
    expect(await ids({ states: ['approved'] })).toEqual(['one']);
    expect(await ids({ states: ['pending'], principal: 'ann' })).toEqual(['elsewhere', 'free', 'other']);
    expect(await ids({ organisation: 'acme' })).toEqual(['bobs', 'one', 'other']);
    expect(await ids({ organisation: null })).toEqual(['free']);
    expect(await ids({ sources: ['shop'] })).toEqual(['elsewhere']);
    expect(await ids({ source: 'shop' })).toEqual(['elsewhere']);
    expect(await ids({ tool: 'addItem' })).toEqual(['elsewhere']);
    expect((await records.list({ limit: 1 })).map(({ id }) => id)).toEqual(['bobs']);
    const behind = { createdAt: NOW, id: 'free' };
    expect(await ids({ behind })).toEqual(['one', 'other']);
    expect(await records.countPending({}, NOW)).toBe(4);
    expect(await records.countPending({}, NOW + 1_000)).toBe(0);
    expect(await records.countPending({ principal: 'bob' }, NOW)).toBe(1);
    expect(await records.countPending({ organisation: 'ltd' }, NOW)).toBe(1);
    expect(await records.countPending({ sources: ['stock'] }, NOW)).toBe(3);
  });

  it('lists what comes behind a place, newest first, those of one moment by their ids', async () => {
    await records.insert(pending('zed', { createdAt: NOW + 1 }));
    await records.insert(pending('above', { createdAt: NOW - 1 }));
    const behind = async (id: string, createdAt = NOW) =>
      (await records.list({ limit: 10, behind: { createdAt, id } })).map((one) => one.id);
    expect(await behind('one')).toEqual(['other', 'above']);
    expect(await behind('other')).toEqual(['above']);
    expect(await behind('zed', NOW + 1)).toEqual(['one', 'other', 'above']);
    expect(await behind('above', NOW - 1)).toEqual([]);
  });

  it('has one agreement to a skill for each who agreed: the last one', async () => {
    const skill = { skill: 'reports', version: 'sha256:v', isolated: true, tools: [] };
    await records.decide('one', yes(NOW), standing('first', { skill }));
    await records.decide('other', yes(NOW), standing('second', { skill: { ...skill, version: 'sha256:w' } }));
    expect((await records.listStanding({ limit: 10 })).map(({ id }) => id)).toEqual(['second']);
    expect(await records.listStanding({ limit: 10, sources: ['stock'] })).toHaveLength(1);
    expect(await records.revokeStanding('second')).toBe(true);
    expect(await records.listStanding({ limit: 10 })).toEqual([]);
  });

  it('finds what was asked about this very call, while it is open or its end was not told', async () => {
    const { principal, run, tool, source, operation, argumentsHash } = pending('one');
    const key = { principal, organisation: 'acme', run, tool, source, operation, argumentsHash };
    const found = async (changes: Partial<typeof key> = {}, since = NOW - 1) =>
      (await records.findFor({ ...key, ...changes }, since)).map(({ id }) => id).sort();
    expect(await found()).toEqual(['one', 'other']);
    for (const member of ['principal', 'organisation', 'run', 'tool', 'source', 'operation', 'argumentsHash'])
      expect(await found({ [member]: 'another' }), member).toEqual([]);
    expect(await found({}, NOW)).toEqual([]);
    await records.decide('one', { ...yes(NOW), state: 'denied' });
    expect(await found()).toEqual(['one', 'other']);
    expect(await records.tell('one', NOW)).toBe(true);
    expect(await records.tell('one', NOW)).toBe(false);
    expect(await records.tell('nobodys', NOW)).toBe(false);
    expect(await found()).toEqual(['other']);
    await records.end('other', ['pending'], 'stale');
    expect(await found()).toEqual(['other']);
    await records.insert(pending('done'));
    await records.decide('done', yes(NOW));
    expect(await found()).toEqual(['done', 'other']);
    await records.use('done', 'call-x', NOW);
    expect(await found()).toEqual(['other']);
    await records.finish('done', 'executed');
    expect(await found()).toEqual(['other']);
  });

  it('ends what is over, and nothing else', async () => {
    await records.insert(pending('long', { expiresAt: NOW + 10_000 }));
    await records.decide('one', yes(NOW));
    await records.use('one', 'call-x', NOW);
    expect(await records.sweep(NOW + 999)).toEqual([]);
    expect((await records.sweep(NOW + 1_000)).map(({ id }) => id)).toEqual(['other']);
    expect([await stateOf('one'), await stateOf('long')]).toEqual(['executing', 'pending']);
    await records.pause('one');
    expect(await records.sweep(NOW + 2_000)).toEqual([]);
    expect((await records.sweep(NOW + 1_000 + PAUSE_MS)).map(({ id, state }) => [id, state]).sort()).toEqual([
      ['long', 'expired'],
      ['one', 'failed'],
    ]);
    expect(await records.prune(NOW)).toBe(0);
    await records.insert(pending('old', { createdAt: NOW - 1 }));
    expect(await records.prune(NOW)).toBe(1);
    expect(await stateOf('old')).toBeUndefined();
    expect(await stateOf('one')).toBe('failed');
  });

  it('ends what is over among many that are not', async () => {
    // ids that come before the others
    const many = Array.from({ length: 220 }, (_, index) => pending(`a${index}`, { expiresAt: NOW + 10_000 }));
    await Promise.all(many.map((approval) => records.insert(approval)));
    await records.insert(pending('late'));
    const swept = await records.sweep(NOW + 2_000);
    expect(swept.map(({ id }) => id).sort()).toEqual(['late', 'one', 'other']);
  });

  it('leaves what is carried out to its call, however long that takes', async () => {
    await records.decide('one', yes(NOW));
    await records.use('one', 'call-x', NOW);
    await records.end('other', ['pending'], 'denied');
    expect(await records.sweep(NOW + 2 * PAUSE_MS)).toEqual([]);
    expect(await stateOf('one')).toBe('executing');
  });

  it('knows a standing approval by whose it is, by tool, definition and arguments', async () => {
    await records.decide('one', yes(NOW), standing('all'));
    await records.decide('other', yes(NOW), standing('these', { argumentsHash: 'sha256:a' }));
    const key = {
      principal: 'ann',
      organisation: 'acme',
      tool: 'deleteItem',
      definition: 'sha256:d',
      argumentsHash: 'sha256:a',
    };
    const found = async (changes: Partial<typeof key> = {}) =>
      (await records.findStanding({ ...key, ...changes }))?.id;
    expect(await found()).toBe('these');
    expect(await found({ argumentsHash: 'sha256:b' })).toBe('all');
    for (const member of ['principal', 'organisation', 'tool', 'definition'])
      expect(await found({ [member]: 'another' }), member).toBeUndefined();
    expect(await records.listStanding({ limit: 10, principal: 'bob' })).toEqual([]);
    expect(await records.listStanding({ limit: 10, organisation: 'ltd' })).toEqual([]);
    expect(await records.listStanding({ limit: 10, sources: ['shop'] })).toEqual([]);
    expect(await records.listStanding({ limit: 10 })).toHaveLength(2);
    expect(await records.revokeStanding('these')).toBe(true);
    expect(await records.revokeStanding('these')).toBe(false);
    expect(await found()).toBe('all');
    expect(await records.getStanding('these')).toBeUndefined();
  });

  it('knows an agreement to a skill by whose it is, by source and skill, and takes all of it back', async () => {
    const skill = { skill: 'reports', version: 'sha256:v', isolated: true, tools: [] };
    await records.decide('one', yes(NOW), standing('mine', { skill }));
    await records.decide('other', yes(NOW), standing('hers', { skill, principal: 'eve' }));
    const key = { principal: 'ann', organisation: 'acme', source: 'stock', skill: 'reports' };
    const found = async (changes: Partial<typeof key> = {}) =>
      (await records.findAgreements({ ...key, ...changes })).map(({ id }) => id);
    expect(await found()).toEqual(['mine']);
    for (const member of ['principal', 'organisation', 'source', 'skill'])
      expect(await found({ [member]: 'another' }), member).toEqual([]);
    const { principal, organisation, tool, definition } = standing('any');
    const asTool = { principal, organisation, tool, definition, argumentsHash: 'sha256:a' };
    expect(await records.findStanding(asTool)).toBeUndefined();
    const apart = {
      elsewhere: { organisation: 'ltd' },
      shop: { source: 'shop' },
      mail: { skill: { ...skill, skill: 'mail' } },
    };
    for (const [id, changes] of Object.entries(apart)) {
      await records.insert(pending(id));
      await records.decide(id, yes(NOW), standing(id, { skill, ...changes }));
    }
    await records.revokeStanding('mine');
    expect(await found()).toEqual([]);
    const left = (await records.listStanding({ limit: 10 })).map(({ id }) => id).sort();
    expect(left).toEqual(['elsewhere', 'hers', 'mail', 'shop']);
  });

  it('has one key for each name, whoever asks', async () => {
    const [links, states] = [await records.signingKey('links'), await records.signingKey('states')];
    expect(links).toHaveLength(32);
    expect(Buffer.from(links).equals(states)).toBe(false);
    expect(Buffer.from(links).equals(await records.signingKey('links'))).toBe(true);
  });
}

/** What one process finds to be over, and another takes up before the first ends it. */
function sweepRaceCases({ open }: StoreBench): void {
  let records: ApprovalRecords;
  let meanwhile: () => Promise<unknown>;
  let sweeper: ApprovalRecords;
  beforeEach(async () => {
    records = createStoreRecords(await open());
    const store = await open();
    const change: Store['change'] = async (scopes, work) => {
      await meanwhile();
      return store.change(scopes, work);
    };
    sweeper = createStoreRecords({ ...store, change });
    await records.insert(pending('one'));
  });

  it('ends no call that goes on after its pause', async () => {
    await records.decide('one', yes(NOW));
    await records.use('one', 'call-x', NOW);
    await records.pause('one');
    meanwhile = () => records.goOn('one', 0, 'call-y');
    expect(await sweeper.sweep(NOW + 1_000 + PAUSE_MS)).toEqual([]);
    expect(await records.get('one')).toMatchObject({ state: 'executing', usedBy: 'call-y' });
  });

  it('ends nothing that has come to its end', async () => {
    await records.decide('one', yes(NOW));
    await records.use('one', 'call-x', NOW);
    await records.pause('one');
    meanwhile = () => records.finish('one', 'executed');
    expect(await sweeper.sweep(NOW + 1_000 + PAUSE_MS)).toEqual([]);
    expect((await records.get('one'))?.state).toBe('executed');
  });

  it('expires nothing that a process whose clock is behind has used', async () => {
    meanwhile = async () => {
      await records.decide('one', yes(NOW + 999));
      await records.use('one', 'call-x', NOW + 999);
    };
    expect(await sweeper.sweep(NOW + 1_000)).toEqual([]);
    expect((await records.get('one'))?.state).toBe('executing');
  });
}

describe('records of approvals', () => {
  onEveryStore(({ open }) => recordsCases(async () => createStoreRecords(await open())));
  describe('memory', () => recordsCases(async () => createMemoryRecords()));
});

describe('records that one process sweeps while another goes on', () => onEveryStore(sweepRaceCases));
