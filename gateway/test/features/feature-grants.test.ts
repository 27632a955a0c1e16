import { describe, expect, it } from 'vitest';
import {
  type ConfiguredFeature,
  createFeatureSwitches,
  withSwitchedFeatures,
} from '../../src/features/index.ts';
import { type GrantSource, type Grants, LOCAL_PRINCIPAL } from '../../src/operations/index.ts';
import { localGrants } from '../../src/policy/local-grants.ts';

const FEATURES: readonly ConfiguredFeature[] = [
  { name: 'ceph.daos', source: 'ceph', enabled: false },
  { name: 'ceph.specialty', source: 'ceph', enabled: true },
];

function grantsOf(own: readonly string[], configured = FEATURES, isLater = false) {
  const base: Grants = { ...localGrants(LOCAL_PRINCIPAL, {}), features: own };
  const source: GrantSource = {
    fresh: () => (isLater ? Promise.resolve(base) : base),
    known: () => base,
    onChange: () => () => undefined,
  };
  const switches = createFeatureSwitches({ configured: () => configured });
  return { base, switches, grants: withSwitchedFeatures(source, switches) };
}

describe('grants with features', () => {
  it.each([false, true])('hold what is on, as of now (waiting: %s)', async (isLater) => {
    const { grants, switches } = grantsOf([], FEATURES, isLater);
    expect((await grants.fresh(LOCAL_PRINCIPAL)).features).toEqual(['ceph.specialty']);
    await switches.set('ceph.daos', true, 'local');
    expect((await grants.fresh(LOCAL_PRINCIPAL)).features).toEqual(['ceph.daos', 'ceph.specialty']);
    expect(grants.known(LOCAL_PRINCIPAL).features).toEqual(['ceph.daos', 'ceph.specialty']);
  });

  it('are asked for the source that a call goes to, so that no other is waited for', async () => {
    const asked: unknown[] = [];
    const base = localGrants(LOCAL_PRINCIPAL, {});
    const source: GrantSource = {
      fresh(_principal, name) {
        asked.push(name);
        return base;
      },
      known: () => base,
      onChange: () => () => undefined,
    };
    const switches = createFeatureSwitches({ configured: () => FEATURES });
    await withSwitchedFeatures(source, switches).fresh(LOCAL_PRINCIPAL, 'ceph');
    expect(asked).toEqual(['ceph']);
  });

  it('keep what an organisation was given, but not what is switched here', async () => {
    const { grants, switches } = grantsOf(['beta', 'ceph.daos']);
    await switches.open();
    expect(grants.known(LOCAL_PRINCIPAL).features).toEqual(['beta', 'ceph.specialty']);
  });

  it('hold nothing that was not read yet', () => {
    const { grants } = grantsOf(['ceph.daos']);
    expect(grants.known(LOCAL_PRINCIPAL).features).toEqual([]);
  });

  it('are the same object while nothing changes, and another stamp when something does', async () => {
    const { grants, switches, base } = grantsOf([]);
    await switches.open();
    const first = grants.known(LOCAL_PRINCIPAL);
    expect(grants.known(LOCAL_PRINCIPAL)).toBe(first);
    expect(first.stamp).not.toBe(base.stamp);
    let told = 0;
    grants.onChange(() => told++);
    await switches.set('ceph.daos', true, 'local');
    expect(told).toBe(1);
    expect(grants.known(LOCAL_PRINCIPAL).stamp).not.toBe(first.stamp);
    expect(grantsOf([], []).grants.known(LOCAL_PRINCIPAL).features).toEqual([]);
  });
});
