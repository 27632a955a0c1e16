import { describe, expect, it } from 'vitest';
import {
  type ConfigurationOverrides,
  configuredFeatures,
  parseConfiguration,
} from '../../../src/config/index.ts';

const FEATURES = {
  ceph: {
    openapi: './ceph.json',
    features: { daos: { tags: ['daos'], enabled: false }, specialty: { paths: ['/keys/**'] } },
  },
  lab: { openapi: './lab.json', features: { daos: { operations: ['getDaos'], description: 'DAOS.' } } },
  plain: { openapi: './plain.json' },
};

async function load(more: Record<string, unknown> = {}, overrides: ConfigurationOverrides = {}) {
  const file = { sources: FEATURES, ...more };
  return parseConfiguration(file, { env: { HOME: '/home/ada' }, baseDirectory: '/work', overrides });
}

const states = async (more: Record<string, unknown> = {}, overrides: ConfigurationOverrides = {}) =>
  Object.fromEntries(
    configuredFeatures((await load(more, overrides)).sources).map(({ name, enabled }) => [name, enabled]),
  );

describe('features of sources', () => {
  it('are on unless they say otherwise, and have whole names', async () => {
    expect(await states()).toEqual({ 'ceph.daos': false, 'ceph.specialty': true, 'lab.daos': true });
    expect((await load()).sources['lab']?.features).toEqual({
      daos: { tags: [], paths: [], operations: ['getDaos'], enabled: true, description: 'DAOS.' },
    });
    expect((await load()).sources['plain']).not.toHaveProperty('features');
  });

  it.each([
    [{ enable_daos: true }, { 'ceph.daos': true, 'lab.daos': true }],
    [{ enable_daos: false }, { 'ceph.daos': false, 'lab.daos': false }],
    [{ enable_specialty_features: false }, { 'ceph.specialty': false }],
  ])('%j sets the features of that name on every source that has them', async (keys, expected) => {
    expect(await states(keys)).toMatchObject(expected);
  });

  it('are set by the command line over the file', async () => {
    const overrides = { features: { daos: false, specialty: false } };
    expect(await states({ enable_daos: true }, overrides)).toEqual({
      'ceph.daos': false,
      'ceph.specialty': false,
      'lab.daos': false,
    });
  });

  it('that no source has can be switched off, not on', async () => {
    const sources = { plain: { openapi: './plain.json' } };
    expect(await states({ sources, enable_daos: false })).toEqual({});
    await expect(load({ sources, enable_daos: true })).rejects.toMatchObject({
      code: 'feature_unknown',
      pointer: '#/enable_daos',
    });
    await expect(load({}, { features: { beta: true } })).rejects.toMatchObject({
      code: 'feature_unknown',
      message: expect.stringContaining('ceph.daos'),
    });
  });

  it.each([
    ['nothing to choose by', { enabled: true }],
    ['an empty list', { tags: [] }],
    ['a key that it does not know', { tags: ['daos'], tag: 'daos' }],
  ])('refuse %s', async (_, feature) => {
    const sources = { ceph: { openapi: './ceph.json', features: { daos: feature } } };
    await expect(load({ sources })).rejects.toMatchObject({ code: 'configuration_invalid' });
  });

  it.each(['Daos', 'a.b', 'constructor', ''])('refuse the name "%s"', async (name) => {
    const sources = { ceph: { openapi: './ceph.json', features: { [name]: { tags: ['daos'] } } } };
    await expect(load({ sources })).rejects.toMatchObject({ code: 'configuration_invalid' });
  });
});
