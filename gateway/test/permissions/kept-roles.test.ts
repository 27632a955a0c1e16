import { expect, it } from 'vitest';
import type { Account } from '../../src/operations/index.ts';
import { createRoleProbe, type ProbeSettings } from '../../src/permissions/role-probe.ts';

/** A probe whose services all answer at once that everybody is an admin, and what it asked. */
function bench(settings: Partial<ProbeSettings> = {}, silent = false) {
  const asked: string[] = [];
  const given = { roles: '/roles', ttlMs: 1000, timeoutMs: 60_000, request: 'GET /me', ...settings };
  const clock = { now: 0 };
  const probe = createRoleProbe({
    settings: () => given,
    credential: () => 'the same for all',
    send: async (source, account) => {
      asked.push(`${source} ${account?.id ?? '-'}`);
      if (silent) await new Promise(() => {});
      return { status: 200, body: Buffer.from('{"roles":["ADMIN"],"others":["VIEWER"]}') };
    },
    now: () => clock.now,
  });
  return { probe, given, asked, clock };
}
const account = (id: string): Account => ({ id, owner: 'user' });

it('roles are kept by source and account', async () => {
  const { probe, asked } = bench();
  for (const source of ['ceph', 'github']) {
    for (const whose of [undefined, account('a'), account('b')]) {
      await probe.fresh(source, whose);
      await probe.fresh(source, whose);
    }
  }
  expect(asked).toEqual(['ceph -', 'ceph a', 'ceph b', 'github -', 'github a', 'github b']);
});

it('a probe that was configured anew asks anew', async () => {
  const { probe, given, asked } = bench();
  expect(await probe.fresh('ceph')).toMatchObject({ roles: ['ADMIN'] });
  given.roles = '/others';
  expect(await probe.fresh('ceph')).toMatchObject({ roles: ['VIEWER'] });
  given.request = 'GET /you';
  await probe.fresh('ceph');
  expect(asked).toHaveLength(3);
});

it('whoever looks without waiting makes nobody ask while an answer counts', async () => {
  const { probe, asked, clock } = bench();
  await probe.fresh('ceph');
  clock.now = 999;
  expect(probe.known('ceph')).toMatchObject({ roles: ['ADMIN'] });
  expect(asked).toHaveLength(1);
  clock.now = 1000;
  probe.known('ceph');
  expect(asked).toHaveLength(2);
});

it('of more than five thousand accounts the one that was not used longest drops out', async () => {
  const { probe, asked } = bench();
  for (let n = 0; n < 5000; n++) await probe.fresh('ceph', account(`a${n}`));
  await probe.fresh('ceph', account('a0'));
  await probe.fresh('ceph', account('one more'));
  asked.splice(0);
  await probe.fresh('ceph', account('a0'));
  await probe.fresh('ceph', account('a1'));
  expect(asked).toEqual(['ceph a1']);
});

it('closing ends what is asked, whoever waits for it', async () => {
  const { probe } = bench({}, true);
  const waiting = probe.fresh('ceph');
  probe.close();
  expect(await waiting).toMatchObject({ status: 'failed', roles: [] });
});
